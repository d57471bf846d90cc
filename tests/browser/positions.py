"""Positions to begin with, taken from the golden records: with a tile at hand, or shortly before the end."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from random import Random

from kingdom_builder.content import ALL_SETS, COMPONENTS, board_of, random_setup
from kingdom_builder.hexes import bits
from kingdom_builder.notation import Record, action_text, parse_record, position_of
from kingdom_builder.players import make_player
from kingdom_builder.rules import Action, ExtraAction, State, drive, events, observe

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


@cache
def first_tile() -> Moment:
    """The beginning of a turn of the first of two players without a tile; the move takes one."""
    for game in _records():
        setup = game.start.setup
        if setup.players != 2 or setup.board.width < 20 or setup.tasks or setup.nomads:
            continue
        for before, _, _ in _decisions(game):
            if not before.held[0] and (hexes := _taking_hexes(before)):
                return _moment(before, hexes[0])
    raise AssertionError("nobody takes a first tile")


@cache
def full_table() -> Moment:
    """The same at a table of five with all boxes and four tasks, with at least four tiles held before."""
    board = board_of("lighthouse/barracks/city-hall/monastery")
    player = make_player("greedy", 0)
    for seed in count():
        state = State(random_setup(Random(seed), players=5, sets=ALL_SETS, board=board))
        for _ in drive(state, lambda now: player.choose(observe(now, now.player)), Random(seed).random):
            if state.held[0].bit_count() >= 4 and state.supply[0] > 6 and (hexes := _taking_hexes(state)):
                return _moment(state, hexes[0])
    raise AssertionError


def _taking_hexes(state: State) -> list[Action]:
    """Where the first seat can build and take a tile, if its turn begins."""
    if state.awaiting or state.player or state.builds_left != 3 or state.acting or not state.card or state.ending:
        return []
    return [h for h in bits(state.legal() & state.card_hexes) if _takes_a_tile(state, h)]


def _takes_a_tile(state: State, action: Action) -> bool:
    trial = state.copy()
    trial.apply(action)
    return trial.held[0].bit_count() > state.held[0].bit_count()
