"""Memory that was needed for a moment, such as for long requests, goes back to the machine."""

import ctypes
from contextlib import suppress
from functools import cache


def give_back_memory() -> None:
    """Return free memory to the operating system, where the C library can do that: glibc keeps it otherwise."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> "ctypes._NamedFuncPointer | None":
    with suppress(OSError, AttributeError):
        return ctypes.CDLL(None).malloc_trim
    return None
