"""Chance, for whoever drives a game without cards of cardboard."""

from collections.abc import Callable

from kingdom_builder.rules.actions import DRAWING, Action
from kingdom_builder.rules.state import State


def random_draw(state: State, random: Callable[[], float]) -> Action:
    """The draw of a card that is awaited: each card of the pile is equally likely."""
    deck = state.deck
    return DRAWING[deck[int(random() * len(deck))]]
