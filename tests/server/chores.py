"""Work for workers, in tests."""

import os
import sys
import time
from pathlib import Path

from kingdom_builder.message import Message, Refusal
from kingdom_builder.notation import NotationError


def double(number: int) -> int:
    return 2 * number


def process() -> int:
    return os.getpid()


def modules() -> list[str]:
    """What is imported."""
    return list(sys.modules)


def niceness() -> int:
    return os.nice(0)


def chatter() -> str:
    """Writes where nothing should be written."""
    os.write(1, b"x" * 1000)
    print("x" * 1000, flush=True)  # noqa: T201 (what a careless player may do)
    return "done"


def die() -> None:
    os._exit(3)


def unreadable() -> None:
    raise NotationError(Message("no move"), "a\nbc", 3)


def refused() -> None:
    raise Refusal(Message("That is hidden."), "hidden")


def unpicklable() -> None:
    class Odd(Exception):
        pass

    raise Odd("cannot be sent")


def oversleep() -> None:
    """Take longer than anybody waits."""
    time.sleep(600)


def busy(seconds: float, mark: str = "") -> None:
    """Compute for a while; the file shows that it began."""
    if mark:
        Path(mark).write_text(str(os.getpid()))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
