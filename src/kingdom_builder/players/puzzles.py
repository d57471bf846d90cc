"""Puzzles: positions in which some turn brings more gold than the others.

A puzzle asks for the turn with the most gold at its end, for the seat whose turn it is. Gold is counted, not estimated,
and all turns were tried, so the answer is certain. `puzzles.jsonl` has the puzzles, easiest first, one in each line
after a first line with the number of the format; `arena/studies/puzzles.py` finds them in games of our players.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Literal

from kingdom_builder.message import Message
from kingdom_builder.notation import parse_position, play
from kingdom_builder.players.hints import reasons
from kingdom_builder.players.turn_search import Line
from kingdom_builder.rules import Observation, State, turn_of
from kingdom_builder.rules.state import HAND

FORMAT = 1
"""The number of the format of the file; it is raised when an older program could not read a newer file."""

FILE = "puzzles.jsonl"

Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")
"""The thirds of the puzzles by rating."""


@dataclass(frozen=True)
class Puzzle:
    """A position and the turn that brings the most gold in it."""

    position: str
    """As the seat whose turn it is sees it."""
    turn: tuple[str, ...]
    """The moves of the shortest best turn."""
    gold: int
    """The gold of the seat at the end of that turn."""
    second: int
    """The gold of the best turn that brings less."""
    rating: int
    """How many of a hundred attempts of our players, from random to hard with much time, do not find as much gold."""
    players: int
    sets: tuple[str, ...]
    """The boxes that its sections, cards and tasks come from."""
    last: bool
    """Whether it is the last turn of the seat in this game."""

    @property
    def key(self) -> str:
        """A name that stays the same when other puzzles are added."""
        return key_of(self.position)

    def start(self) -> State:
        """The position as a state, to be played up to the end of the turn."""
        return start_of(self.position)

    def solution(self) -> Line:
        """The turn and the state after it."""
        state = self.start()
        actions = tuple(action for move in self.turn for action in play(state, move))
        return Line(actions, state)

    def reasons(self) -> list[Message]:
        """What the turn is good for, most important first."""
        return reasons(self.start(), self.solution())


def key_of(position: str) -> str:
    """The key of the puzzle with this position."""
    return sha256(position.encode()).hexdigest()[:8]


def start_of(position: str) -> State:
    """The state of a position with hidden cards, to be played up to the next draw."""
    state = parse_position(position)
    return state.until_next_draw() if isinstance(state, Observation) else state


def has_ended(start: State, state: State) -> bool:
    """Whether the turn that began with `start` is over."""
    return state.over or state.awaiting == HAND or turn_of(state) != turn_of(start)


def gold_of(state: State, seat: int) -> int:
    """The gold that a seat has now."""
    return sum(card.score(state, seat)[0] for card in state.setup.scoring)


# ---- the file --------------------------------------------------------------------------------------------------------


def write(puzzles: Iterable[Puzzle]) -> str:
    """The text of a file with these puzzles."""
    lines: list[dict[str, object]] = [{"format": FORMAT}]
    lines += [
        {
            "position": each.position,
            "turn": " ".join(each.turn),
            "gold": each.gold,
            "second": each.second,
            "rating": each.rating,
            "players": each.players,
            "sets": ",".join(each.sets),
            "last": int(each.last),
        }
        for each in puzzles
    ]
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


def read(text: str) -> list[Puzzle]:
    """The puzzles of a file. Raises ValueError."""
    first, *lines = text.splitlines()
    if json.loads(first) != {"format": FORMAT}:
        raise ValueError(f"puzzles in the format {first}: expected {FORMAT}")
    return [_puzzle(json.loads(line)) for line in lines]


def _puzzle(line: dict[str, object]) -> Puzzle:
    text = {name: str(value) for name, value in line.items()}
    return Puzzle(
        text["position"],
        tuple(text["turn"].split()),
        int(text["gold"]),
        int(text["second"]),
        int(text["rating"]),
        int(text["players"]),
        tuple(text["sets"].split(",")),
        text["last"] == "1",
    )


@cache
def puzzles() -> dict[str, Puzzle]:
    """The puzzles that come with the program, by key, easiest first."""
    found = read(Path(__file__).with_name(FILE).read_text("utf-8"))
    return {each.key: each for each in found}


def difficulty_of(number: int, count: int) -> Difficulty:
    """The difficulty of the puzzle with this number of so many, from 0."""
    return DIFFICULTIES[number * len(DIFFICULTIES) // count]
