"""Every component, box by box: locations, cards, tasks and tiles, each in one place."""

from kingdom_builder.content.catalogue import (
    ALWAYS,
    BOXES,
    CARDS,
    COMPONENTS,
    LOCATIONS,
    NOMAD_TILES,
    OPTIONS,
    TASKS,
    piece_kinds,
)
from kingdom_builder.content.setups import (
    ALL_SETS,
    CARDS_IN_PLAY,
    board_of,
    first_game,
    make_setup,
    random_setup,
    sections_of,
)

__all__ = [
    "ALL_SETS",
    "ALWAYS",
    "BOXES",
    "CARDS",
    "CARDS_IN_PLAY",
    "COMPONENTS",
    "LOCATIONS",
    "NOMAD_TILES",
    "OPTIONS",
    "TASKS",
    "board_of",
    "first_game",
    "make_setup",
    "piece_kinds",
    "random_setup",
    "sections_of",
]
