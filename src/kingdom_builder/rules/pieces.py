"""The kinds of pieces that the general rules know, and where the pieces of all kinds stand."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kingdom_builder.board.terrain import LAND, MOUNTAIN, WATER
from kingdom_builder.hexes import HexSet
from kingdom_builder.rules.components import PieceKind
from kingdom_builder.rules.setup import SETTLEMENTS, WALLS

if TYPE_CHECKING:
    from kingdom_builder.rules.state import State


class Settlement(PieceKind):
    key = "settlement"
    name = "settlement"
    text = (
        "One on a hex. It takes a tile from each location and nomad space next to it, and new ones are built next to "
        "your own if possible."
    )
    sign = ""
    each = SETTLEMENTS
    footing = "".join((*LAND, WATER, MOUNTAIN))


class Wall(PieceKind):
    """A stone wall: stays forever (RULES 6.2)."""

    key = WALLS
    name = "stone wall"
    text = "Nothing else can stand on its hex; it stays for the rest of the game and belongs to nobody."
    sign = "[]"
    each = 25
    footing = ""
    removable = False
    owned = False


class Scout(PieceKind):
    """Counts as a piece of the current player for adjacency, until the turn ends (RULES 6.4)."""

    key = "scouts"
    name = "scout"
    text = "Counts as a settlement of the current player for building next to it, until the turn ends."
    sign = "?"
    each = 2
    footing = ""
    removable = False


def in_order(kinds: Iterable[type[PieceKind]]) -> list[type[PieceKind]]:
    """Kinds in drawing order, by key from z to a: the order must not depend on that of locations."""
    return sorted(kinds, key=lambda kind: kind.key, reverse=True)


def pieces_of(state: "State") -> dict[type[PieceKind], list[HexSet]]:
    """Where the pieces of each kind stand: a set for each seat, or one set for a kind that nobody owns.

    Settlements are always listed, other kinds only if some are on the board.
    """
    found: dict[type[PieceKind], list[HexSet]] = {}
    for kind in state.setup.piece_kinds:
        hexes = state.memory.get(kind.key, 0)
        if hexes:
            found[kind] = [own & hexes for own in state.own]
    if state.scouts:
        found[Scout] = [state.scouts if seat == state.player else 0 for seat in range(state.setup.players)]
    walls = state.memory.get(WALLS, 0)
    if walls:
        found[Wall] = [walls]
    if not found:
        return {Settlement: state.own[:]}
    settlements = [own & ~state.special_pieces for own in state.own]
    return {Settlement: settlements} | {kind: found[kind] for kind in in_order(found)}
