"""The lessons that a server has."""

from dataclasses import dataclass
from typing import Literal

StepKind = Literal["read", "play", "undo", "wait"]


@dataclass(slots=True)
class StepInfo:
    """A step of a lesson."""

    key: str
    kind: StepKind
    """What ends it: reading on, a move, taking a move back, or the turn of the others."""
    point: str
    """The part of the page that it is about."""
    hexes: list[str]
    """Hexes to show while it is read."""
    card: str
    """The scoring card whose paying hexes are shown."""


@dataclass(slots=True)
class LessonInfo:
    """A lesson; its texts are on the page."""

    key: str
    box: str
    """The box that it is about; empty for what all games have."""
    steps: list[StepInfo]
