"""The CPU time of other processes, from the kernel. Only Linux tells it."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from time import clock_gettime


def cpu_seconds(process: int) -> float | None:
    """The CPU time that a process and its descendants have used so far; None where the kernel does not tell.

    Descendants count while they run, and after it if the process that started them has waited for them.
    """
    if sys.platform != "linux":
        return None
    try:
        used = _own_seconds(process)
    except OSError:
        return None
    for descendant in _descendants(process):
        with suppress(OSError):  # it may have just ended
            used += _own_seconds(descendant)
    return used


def _own_seconds(process: int) -> float:
    """The CPU time of a process and of those that it has waited for."""
    # The number of the clock of a process: clock_getcpuclockid(3) computes it in the same way. `stat` has the time of
    # the process too, but only in hundredths of a second.
    used = clock_gettime(~process << 3 | 2)
    try:
        fields = _text(f"/proc/{process}/stat").rpartition(b")")[2].split()
    except FileNotFoundError:
        return used
    waited_for = int(fields[13]) + int(fields[14])
    return used + waited_for / os.sysconf("SC_CLK_TCK")


def _descendants(process: int) -> Iterator[int]:
    """The running descendants of a process."""
    tasks = f"/proc/{process}/task"
    threads: list[str] = []
    with suppress(OSError):
        threads = os.listdir(tasks)
    for thread in threads:
        children: list[bytes] = []
        with suppress(OSError):
            children = _text(f"{tasks}/{thread}/children").split()
        for child in map(int, children):
            yield child
            yield from _descendants(child)


def _text(file: str) -> bytes:
    """A file of the kernel, in one read and without the cost of a stream."""
    descriptor = os.open(file, os.O_RDONLY)
    try:
        return os.read(descriptor, 1 << 16)
    finally:
        os.close(descriptor)
