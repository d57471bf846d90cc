"""How a seat opens a game: its first turn."""

from dataclasses import dataclass
from functools import lru_cache

from kingdom_builder.board.terrain import NAMES
from kingdom_builder.notation import parse_record
from kingdom_builder.rules import State


@dataclass(frozen=True)
class Opening:
    """The first turn of a seat."""

    card: str
    """The terrain of the card that it played, by name."""
    tiles: tuple[str, ...]
    """The tiles that it took, by key."""


@lru_cache(maxsize=1)  # statistics ask several times about a game
def openings(record_text: str) -> list[Opening]:
    """The opening of each seat in the record of a game."""
    record = parse_record(record_text)
    state = record.start.copy()
    cards: dict[int, str] = {}
    for action in record.actions():
        if state.round > 1 or state.over:
            break
        if state.round == 1 and state.card:
            cards.setdefault(state.player, state.card)
        state.apply(action)
    seats = range(state.setup.players)
    return [Opening(NAMES[cards[seat]] if seat in cards else "none", _tiles(state, seat)) for seat in seats]


def _tiles(state: State, seat: int) -> tuple[str, ...]:
    setup = state.setup
    taken = [kind for tile, kind in enumerate(setup.tile_kind) if state.taken[seat] >> tile & 1]
    return tuple(sorted({setup.actions[kind].key for kind in taken}))
