"""The log of what programs read and write, for those who write them."""

from datetime import datetime
from pathlib import Path

PLAYS, READS, WRITES, COMPLAINS = "=", ">", "<", "!"
"""What a line is: who plays the seat, what the program reads and writes, and what it writes to its error output."""


class BotLog:
    """What the program on one seat of one game reads and writes. Several logs may share a file, in several processes.

    A line has the time, the seat, what it is, and the text: `2026-11-18T14:03:22.123456 3B > go 1000`.
    """

    def __init__(self, path: str | Path, seat: str) -> None:
        """`seat` names the seat for readers, with the game if there are several: `3B`."""
        self._path = Path(path)
        self._seat = seat

    def note(self, kind: str, *lines: str) -> None:
        """Add lines of one kind."""
        time = datetime.now().isoformat(timespec="microseconds")
        text = "".join(f"{time} {self._seat} {kind} {line}\n" for line in lines)
        with self._path.open("ab", buffering=0) as file:  # in one piece, so that other processes do not write into it
            file.write(text.encode(errors="replace"))
