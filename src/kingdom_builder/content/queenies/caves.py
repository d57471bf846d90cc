"""Caves, Queenie 2 (RULES 2.8 and 6.5)."""

from random import Random

from kingdom_builder.board import Board
from kingdom_builder.board.terrain import CAVE, terrain_name
from kingdom_builder.content.box import Draft
from kingdom_builder.hexes import Hex, HexSet, bits, hexset, within
from kingdom_builder.message import Message
from kingdom_builder.rules import Moving, Setup, Shape, StandingAction, State

ONLY_WITH_TAVERN = "cavesOnlyWithTavern"


class CaveMove(Moving, StandingAction):
    key = "cave-move"
    name = "Cave"
    text = "Move one of your settlements from beside a cave to free land beside any cave."
    where = Message("land next to a {terrain}", terrain=terrain_name(CAVE))
    options = {ONLY_WITH_TAVERN: "Caves: random setups have them only if the Tavern section is on the board."}

    def in_play(self, setup: Setup) -> bool:
        return bool(setup.board.caves)

    def shown_on(self, setup: Setup) -> HexSet:
        return setup.board.caves

    def explain(self, state: State, seat: int | None, h: Hex | None) -> list[Message]:
        if seat is None:
            return []
        n = (state.own[seat] & state.setup.board.beside_caves).bit_count()
        return [Message("{n} of your pieces {n:stands|stand} next to a cave.", n=n)]

    def sources(self, state: State) -> HexSet:
        beside = state.setup.board.beside_caves
        if not beside & state.free & state.setup.board.buildable:
            return 0
        return beside & state.own[state.player]

    def targets(self, state: State, source: Hex, free: HexSet) -> HexSet:
        beside = state.setup.board.beside_caves
        return beside & free & state.setup.board.buildable if beside >> source & 1 else 0

    def shape(self, setup: Setup) -> Shape:
        beside = setup.board.beside_caves
        return Shape("move_between", (beside, beside & setup.board.buildable))


def possible_caves(board: Board) -> list[list[Hex]]:
    """The mountains of each sector that are at least three hexes from every special hex."""
    mountains = board.mountains & ~within(board.special, 2)
    return [bits(mountains & sector) for sector in board.sectors]


def put_caves(draft: Draft, rng: Random) -> None:
    """Put a cave on a random possible mountain of each sector (RULES 2.8)."""
    if ONLY_WITH_TAVERN in draft.options and "tavern" not in [place.section.key for place in draft.board.placed]:
        return
    draft.board = draft.board.with_caves(hexset(rng.choice(places) for places in possible_caves(draft.board) if places))
