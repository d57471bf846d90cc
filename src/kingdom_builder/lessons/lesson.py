"""A lesson as data: position, draws, replies and steps, read from `scripts/<key>.json`."""

import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

from kingdom_builder.game import Game, parse_actions
from kingdom_builder.notation import parse_position
from kingdom_builder.rules import DRAWING, Action, Deal, State

LEARNER = 0
"""The seat of the learner; the lesson plays the others."""

ORDER = "order.json"
"""The file with the keys of all lessons, in the order in which they are best taken."""

NameKind = Literal["component", "terrain", "piece"]

StepKind = Literal["read", "play", "undo", "wait"]
"""What ends a step: *Next*, a move of the learner, taking a move back, or the turn of the others."""


@dataclass(frozen=True)
class Step:
    """One sentence or two of a lesson, and what has to happen before the next."""

    key: str
    kind: StepKind = "read"
    wants: tuple[str, ...] = ()
    """For `play`: texts of single actions with spaces between; any of them ends the step. None at all: any action."""
    point: str = ""
    """The part of the page that the step is about: `card`, `tiles`, `scores`, `undo`, `end`, `supply`, `board`."""
    hexes: tuple[str, ...] = ()
    """Hexes to show while the step is read."""
    card: str = ""
    """The scoring card whose paying hexes are shown."""
    claims: tuple[tuple[str, Any], ...] = ()
    """What the text says about the game, for the tests: each must hold whenever the step is shown."""


@dataclass(frozen=True)
class Lesson:
    """Everything that is fixed about a lesson."""

    key: str
    box: str
    """The box that it is about; empty for what all games have."""
    position: str
    draws: str
    """The terrain cards to draw, one after the other."""
    replies: tuple[str, ...]
    """The turns of the other seats: single actions with spaces between."""
    names: tuple[tuple[str, NameKind, str], ...]
    """What fills the holes of the texts: hole, kind and key."""
    steps: tuple[Step, ...]

    @cached_property
    def start(self) -> State:
        return parse_position(self.position)

    def deal(self, otherwise: Deal) -> Deal:
        """Draws the lesson's cards one after the other, and `otherwise` when its list or the first pile has ended."""

        def draw(state: State) -> Action:
            drawn = len(self.start.deck) - len(state.deck)
            is_first_pile = sorted(state.deck + self.draws[:drawn]) == sorted(self.start.deck)
            return DRAWING[self.draws[drawn]] if is_first_pile and drawn < len(self.draws) else otherwise(state)

        return draw

    def reply(self, game: Game) -> list[Action]:
        """What the other seat whose turn it is still has to do in this turn; nothing if the list has ended."""
        turns = [played for played in game.turns() if played.turn.seat != LEARNER]
        if game.player == LEARNER or len(turns) > len(self.replies):
            return []
        return parse_actions(game.setup, self.replies[len(turns) - 1])[len(game.plies) - turns[-1].begin :]


@cache
def lessons() -> dict[str, Lesson]:
    """All lessons by their keys, in the order in which they are best taken."""
    folder = Path(__file__).with_name("scripts")
    keys = json.loads((folder / ORDER).read_text("utf-8"))
    return {key: _lesson(key, json.loads((folder / f"{key}.json").read_text("utf-8"))) for key in keys}


def _lesson(key: str, found: dict[str, Any]) -> Lesson:
    return Lesson(
        key=key,
        box=found.get("box", ""),
        position=found["position"],
        draws=found.get("draws", ""),
        replies=tuple(found.get("replies", ())),
        names=tuple((hole, kind, name) for hole, (kind, name) in found.get("names", {}).items()),
        steps=tuple(_step(step) for step in found["steps"]),
    )


def _step(found: dict[str, Any]) -> Step:
    return Step(
        **{
            **found,
            "wants": tuple(found.get("wants", ())),
            "hexes": tuple(found.get("hexes", ())),
            "claims": tuple(found.get("claims", {}).items()),
        }
    )
