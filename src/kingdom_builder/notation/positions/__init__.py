"""Positions as text: writing and reading."""

from kingdom_builder.notation.positions.reading import parse_position
from kingdom_builder.notation.positions.writing import as_played_under, board_text, position_of, under_present_rules

__all__ = ["as_played_under", "board_text", "parse_position", "position_of", "under_present_rules"]
