"""Scores with their reasons, at any moment of the game (RULES 8 and 9)."""

from dataclasses import dataclass

from kingdom_builder.hexes import HexSet
from kingdom_builder.rules.components import Card
from kingdom_builder.rules.state import State


@dataclass(frozen=True)
class ScoreLine:
    """What one card pays a seat."""

    card: Card
    gold: int
    hexes: HexSet
    """The hexes that pay."""


def breakdown(state: State, seat: int) -> list[ScoreLine]:
    """The gold that a seat has now, by card."""
    return [ScoreLine(card, *card.score(state, seat)) for card in state.setup.scoring]


def scores(state: State) -> list[int]:
    """The gold that every seat has now."""
    scoring = state.setup.scoring
    return [sum([card.score(state, seat)[0] for card in scoring]) for seat in range(state.setup.players)]


def winners(state: State) -> list[int]:
    """The seats with the most gold now: equal totals share the victory."""
    totals = scores(state)
    return [seat for seat, gold in enumerate(totals) if gold == max(totals)]
