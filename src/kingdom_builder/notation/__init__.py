"""Positions, moves and records as text."""

from kingdom_builder.notation.errors import IllegalMove, NotationError
from kingdom_builder.notation.moves import (
    action_text,
    apply_steps,
    join_moves,
    legal_texts,
    parse_move,
    parse_steps,
    play,
)
from kingdom_builder.notation.positions import (
    as_played_under,
    board_text,
    map_text,
    parse_position,
    parse_stored_position,
    position_of,
    under_present_rules,
)
from kingdom_builder.notation.records import Entry, Line, Record, parse_record, score_text

__all__ = [
    "Entry",
    "IllegalMove",
    "Line",
    "NotationError",
    "Record",
    "action_text",
    "apply_steps",
    "as_played_under",
    "board_text",
    "join_moves",
    "legal_texts",
    "map_text",
    "parse_move",
    "parse_position",
    "parse_record",
    "parse_steps",
    "parse_stored_position",
    "play",
    "position_of",
    "score_text",
    "under_present_rules",
]
