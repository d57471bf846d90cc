"""Everything printed on cardboard, box by box: locations and cards, each in one place."""

from kingdom_builder.content.catalogue import ALWAYS, BOXES, CARDS, LOCATIONS, OPTIONS
from kingdom_builder.content.setups import board_of, first_game, make_setup, playable_sections, random_setup

__all__ = [
    "ALWAYS",
    "BOXES",
    "CARDS",
    "LOCATIONS",
    "OPTIONS",
    "board_of",
    "first_game",
    "make_setup",
    "playable_sections",
    "random_setup",
]
