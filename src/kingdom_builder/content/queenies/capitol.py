"""Capitol, Queenie 1 (RULES 2.7 and 8.5)."""

from random import Random

from kingdom_builder.content.box import Draft
from kingdom_builder.hexes import BIT, Hex, HexSet, bits, within
from kingdom_builder.message import Message
from kingdom_builder.rules import Card, Setup, Shape, State
from kingdom_builder.rules.setup import CAPITOL_REPLACES_CASTLE

SECTIONS = ("oracle", "harbor")
"""The sections whose two castles a capitol may stand on."""


class Capitols(Card):
    key = "capitol"
    name = "Capitol"
    text = "1 gold for each of your settlements at most two hexes away from the capitol."
    options = {CAPITOL_REPLACES_CASTLE: "Capitol: the castle under it does not pay as a castle."}

    def in_play(self, setup: Setup) -> bool:
        return bool(setup.capitols)

    def shown_on(self, setup: Setup) -> HexSet:
        return setup.capitols

    def explain(self, state: State, seat: int | None, h: Hex | None) -> list[Message]:
        if seat is None or h is None:
            return []
        n = (state.own[seat] & within(BIT[h], 2)).bit_count()
        return [Message("{n} of your pieces {n:is|are} at most two hexes away.", n=n)]

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        gold = paying = 0
        for capitol in bits(state.setup.capitols):
            near = state.own[seat] & within(BIT[capitol], 2)
            gold += near.bit_count()
            paying |= near
        return gold, paying

    def shape(self, setup: Setup) -> Shape:
        return Shape("on", tuple(within(BIT[capitol], 2) for capitol in bits(setup.capitols)), (1,))


def put_capitols(draft: Draft, rng: Random) -> None:
    """Put a capitol on a random castle of each of those sections (RULES 2.7)."""
    for place, sector in zip(draft.board.placed, draft.board.sectors, strict=False):
        castles = draft.board.castles & sector
        if place.section.key in SECTIONS and castles:  # somebody's own map of that name may have none
            draft.capitols |= BIT[rng.choice(bits(castles))]
