"""Positions as text: writing and reading."""

from kingdom_builder.notation.positions.reading import parse_position, parse_stored_position
from kingdom_builder.notation.positions.stored import as_played_under, under_present_rules
from kingdom_builder.notation.positions.writing import board_text, map_text, position_of

__all__ = [
    "as_played_under",
    "board_text",
    "map_text",
    "parse_position",
    "parse_stored_position",
    "position_of",
    "under_present_rules",
]
