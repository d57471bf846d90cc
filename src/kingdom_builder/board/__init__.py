"""Maps: sections, boards made of them, drawn maps, map files, terrain as sets of hexes."""

from kingdom_builder.board.board import Board, PlacedSection
from kingdom_builder.board.files import (
    DrawnMap,
    MapError,
    MapFile,
    load_maps,
    load_sections,
    parse_maps,
    parse_sections,
    printed_sections,
)
from kingdom_builder.board.sections import Section

__all__ = [
    "Board",
    "DrawnMap",
    "MapError",
    "MapFile",
    "PlacedSection",
    "Section",
    "load_maps",
    "load_sections",
    "parse_maps",
    "parse_sections",
    "printed_sections",
]
