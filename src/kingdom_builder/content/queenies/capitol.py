"""Capitol, Queenie 1 (RULES 2.7 and 8.5)."""

from random import Random

from kingdom_builder.content.box import Draft
from kingdom_builder.hexes import BIT, HexSet, bits, within
from kingdom_builder.rules import Card, Setup, State
from kingdom_builder.rules.setup import CAPITOL_REPLACES_CASTLE

SECTIONS = ("oracle", "harbor")
"""The sections whose two castles a capitol may stand on."""


class Capitols(Card):
    key = "capitol"
    name = "Capitol"
    text = "1 gold for each of your settlements at most two hexes away from the capitol."
    icon = (
        '<path fill="none" stroke="#3b2a14" stroke-width="1.2" stroke-linecap="round" d="M12 4V1"/>'
        '<path fill="#8a6a3a" d="M12 .7l4 1.3-4 1.3z"/>'
        '<path fill="#3b2a14" d="M6.5 10.5Q7 4 12 4t5.5 6.5z"/>'
        '<path fill="#3b2a14" d="M2 14l3-3.5h14l3 3.5zM1 20.5h22v2H1z"/>'
        '<path fill="#8a6a3a" d="M3.2 14.5h17.6v6H3.2z"/>'
        '<path fill="#3b2a14" d="M3 14.5h2v6H3zM7 14.5h2v6H7zM15 14.5h2v6h-2zM19 14.5h2v6h-2z"/>'
        '<path fill="#fdf3d6" d="M10.3 20.5v-3.5q1.7-2.5 3.4 0v3.5z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width=".9" stroke-linecap="round" d="M9.5 9q.3-2.5 '
        '1.2-3.5M14.5 9q-.3-2.5-1.2-3.5"/>'
    )
    options = {CAPITOL_REPLACES_CASTLE: "Capitol: the castle under it does not pay as a castle."}

    def in_play(self, setup: Setup) -> bool:
        return bool(setup.capitols)

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        gold = paying = 0
        for capitol in bits(state.setup.capitols):
            near = state.own[seat] & within(BIT[capitol], 2)
            gold += near.bit_count()
            paying |= near
        return gold, paying


def put_capitols(draft: Draft, rng: Random) -> None:
    """On one of the two castles of each of those sections, by chance (RULES 2.7)."""
    for place, sector in zip(draft.board.placed, draft.board.sectors, strict=False):
        if place.section.key in SECTIONS:
            draft.capitols |= BIT[rng.choice(bits(draft.board.castles & sector))]
