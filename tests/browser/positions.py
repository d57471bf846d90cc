"""Positions to begin with, taken from the golden records: with a tile at hand, or shortly before the end."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from kingdom_builder.content import COMPONENTS
from kingdom_builder.notation import Record, action_text, parse_record, position_of
from kingdom_builder.rules import Action, ExtraAction, State, events

GOLDEN = Path(__file__).parents[1] / "golden"

ACTIONS = [component.key for component in COMPONENTS if isinstance(component, ExtraAction)]
"""The keys of all locations, nomad tiles and actions that everybody has."""


@dataclass(frozen=True)
class Moment:
    """A position that somebody has to decide in, and what was decided in the record."""

    position: str
    players: int
    player: int
    move: str


def record(name: str) -> str:
    return (GOLDEN / f"{name}.kbr").read_text("utf-8")


@cache
def _records() -> list[Record]:
    """All games, those of few players first."""
    records = [parse_record(path.read_text("utf-8")) for path in sorted(GOLDEN.glob("*.kbr"))]
    return sorted(records, key=lambda each: each.start.setup.players)


def _decisions(game: Record) -> Iterator[tuple[State, Action, State]]:
    state = game.start.copy()
    for action in game.actions():
        before = state.copy()
        state.apply(action)
        if not before.awaiting:
            yield before, action, state


def _moment(state: State, action: Action) -> Moment:
    return Moment(position_of(state), state.setup.players, state.player, action_text(state.setup, action))


@cache
def first_uses() -> dict[str, Moment]:
    """For each action a moment in which it was chosen, chosen by itself, or given by what was built."""
    found: dict[str, Moment] = {}
    for game in _records():
        for before, action, after in _decisions(game):
            for key in _used(before, action, after):
                if key not in found:
                    found[key] = _moment(before, action)
        if len(found) == len(ACTIONS):
            return found
    raise AssertionError(f"never used: {set(ACTIONS) - set(found)}")


def _used(before: State, action: Action, after: State) -> list[str]:
    text = action_text(before.setup, action)
    if text in ACTIONS:
        return [text]
    if text.startswith("!"):
        return ["crossroads"]
    if before.acting is not None and before.acting.key == "silo":
        return ["silo"]
    happened = [str(event.message) for event in events(before, action, after)]
    return ["treasure"] if any("treasure" in words.lower() for words in happened) else []


@cache
def near_the_end(players: int = 2, supply: int = 6) -> Moment:
    """The beginning of a turn of the first seat in a base game on a whole board, with few settlements left."""
    for game in _records():
        setup = game.start.setup
        if setup.players != players or setup.board.width < 20 or setup.tasks or setup.nomads:
            continue
        for before, action, _ in _decisions(game):
            is_begin = before.player == 0 and before.builds_left == 3 and before.acting is None
            if is_begin and before.card and before.supply[0] <= supply and not before.ending:
                return _moment(before, action)
    raise AssertionError(f"no game of {players} comes near the end")
