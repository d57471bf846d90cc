"""What comes by HTTP about puzzles, and the answers."""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import MaxLen

from kingdom_builder.server.messages.game import LogLine, SetupView, View
from kingdom_builder.server.messages.sentences import Message

MOST_OF_ATTEMPT, MOST_OF_MOVE = 60, 100
"""The most moves of an attempt at a puzzle, and the most characters of each."""

Difficulty = Literal["easy", "medium", "hard"]


@dataclass(slots=True)
class PuzzleInfo:
    """A puzzle in the list."""

    key: str
    difficulty: Difficulty
    rating: int
    """How many of a hundred attempts of our players fail."""
    players: int
    sets: list[str]
    last: bool
    """Whether it is the last turn of the seat in its game."""


PuzzleMove = Annotated[str, MaxLen(MOST_OF_MOVE)]


@dataclass(slots=True)
class PuzzleMoves:
    """The moves of an attempt so far."""

    moves: Annotated[list[PuzzleMove], MaxLen(MOST_OF_ATTEMPT)]


@dataclass(slots=True)
class PuzzleQuestion:
    """The moves of an attempt so far, and a move to ask about."""

    moves: Annotated[list[PuzzleMove], MaxLen(MOST_OF_ATTEMPT)]
    move: PuzzleMove


@dataclass(slots=True)
class Reasoned:
    """The answer to a question about a move."""

    reason: Message | None
    """Nothing if the move is legal."""


@dataclass(slots=True)
class PuzzleAttempt:
    """The position of a puzzle after some moves."""

    view: View
    lines: list[LogLine]
    """What the last move changed."""
    ended: bool
    """Whether the turn is over."""
    solved: bool
    """Whether it is over and brought as much gold as the answer."""
    gold: int
    """The gold of the seat now."""
    position: str
    """The position now."""


@dataclass(slots=True)
class PuzzleView:
    """A puzzle to solve."""

    info: PuzzleInfo
    number: int
    """Its place in the list, from 1."""
    setup: SetupView
    attempt: PuzzleAttempt


@dataclass(slots=True)
class PuzzleAnswer:
    """The answer to a puzzle."""

    turn: list[str]
    """The moves of the best turn."""
    gold: int
    """The gold of the seat at its end."""
    second: int
    """The gold of the best turn that brings less."""
    reasons: list[Message]
    """What the turn is good for, most important first."""
