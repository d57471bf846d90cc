"""What a run has shown."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from faults.page import NOBODY_THERE, SENT_AWAY, Sent

ERRORS = ("store", "internal", "busy", "full", "gone", "too-fast")
"""Refusals that are not about the game."""


class Times(NamedTuple):
    """How long something took, in seconds."""

    number: int
    median: float
    p99: float
    longest: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Times":
        ordered = sorted(seconds) or [0.0]
        median, p99 = (ordered[max(0, math.ceil(len(ordered) * part) - 1)] for part in (0.5, 0.99))
        return cls(len(seconds), median, p99, ordered[-1])

    def __str__(self) -> str:
        return f"{self.median:.2f} / {self.p99:.2f} / {self.longest:.2f} s"


@dataclass
class Report:
    """What broke, what people did, and what was wrong in the end."""

    seconds: float
    nodes: int
    tables: int
    pages: int
    faults: Counter[str]
    commands: list[Sent]
    connections: int
    lost: list[str]
    """Why connections were lost."""
    gaps: Times
    """The longest time of each page without a connection."""
    differences: int
    """Messages that said only what had changed."""
    starts: int
    """How often a server was started."""
    conflicts: int
    entries: int
    messages: int
    late: int
    recovery: Times
    """How long it took after the last fault until a table went on."""
    standstill: Times
    """How long nothing happened at a table while things broke."""
    violations: list[str]
    complaints: list[str]
    """What the servers have written."""

    @property
    def acknowledged(self) -> int:
        return sum(sent.version is not None for sent in self.commands)

    @property
    def errors(self) -> Counter[str]:
        """What people saw besides servers that sent them away, and those that were not there any more."""
        lost = Counter(why for why in self.lost if why not in (SENT_AWAY, NOBODY_THERE))
        return lost + Counter(f"refused: {sent.refusal}" for sent in self.commands if sent.refusal in ERRORS)

    def rows(self) -> list[tuple[str, str]]:
        refused = Counter(sent.refusal for sent in self.commands if sent.refusal)
        repeated = sum(sent.times > 1 for sent in self.commands)
        conflicts = 1000 * self.conflicts / max(1, self.entries)
        return [
            ("servers / tables / pages", f"{self.nodes} / {self.tables} / {self.pages}"),
            ("time with faults", f"{self.seconds:.0f} s"),
            ("faults", f"{self.faults.total()}"),
            *[(f"- {kind}", f"{number}") for kind, number in self.faults.most_common()],
            ("servers started", f"{self.starts}"),
            ("commands sent", f"{len(self.commands)}"),
            ("- acknowledged", f"{self.acknowledged}"),
            ("- refused", _counted(refused)),
            ("- sent more than once", f"{repeated}"),
            ("- refused here, carried out there", f"{self.late}"),
            ("conflicts", f"{self.conflicts} ({conflicts:.1f} for 1,000 entries)"),
            ("connections", f"{self.connections}"),
            ("- lost", _counted(Counter(self.lost))),
            ("longest time of a page without one (median / 99 % / longest)", f"{self.gaps}"),
            ("seen besides 1012 and refused connects", _counted(self.errors)),
            ("entries in the logs", f"{self.entries}"),
            ("messages compared", f"{self.messages}"),
            ("- read as differences", f"{self.differences}"),
            ("until a table went on (median / 99 % / longest)", f"{self.recovery}"),
            ("standing still meanwhile (median / 99 % / longest)", f"{self.standstill}"),
            ("violations", f"{len(self.violations)}"),
        ]

    def __str__(self) -> str:
        lines = ["| what | how much |", "|---|---|", *(f"| {what} | {number} |" for what, number in self.rows())]
        return "\n".join([*lines, *self.violations[:50]])


def _counted(counter: Counter[str]) -> str:
    parts = ", ".join(f"{what} {number}" for what, number in counter.most_common())
    return f"{counter.total()} ({parts})" if parts else "0"
