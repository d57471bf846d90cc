"""Maps: sections, boards made of them, drawn maps, terrain as sets of hexes."""

from kingdom_builder.board.board import Board, PlacedSection
from kingdom_builder.board.sections import Section, SectionError, load_sections, parse_sections, printed_sections

__all__ = [
    "Board",
    "PlacedSection",
    "Section",
    "SectionError",
    "load_sections",
    "parse_sections",
    "printed_sections",
]
