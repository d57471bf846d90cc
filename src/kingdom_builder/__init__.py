"""Kingdom Builder: a fast, exact, typed library for the board game.

`Game` plays by text. Below it, `State` is the engine: `legal()` is a set of actions as one int, `apply(action)` and
`copy()` do the rest.
"""

from kingdom_builder.board import Board, load_sections, printed_sections
from kingdom_builder.content import board_of, first_game, make_setup, random_setup
from kingdom_builder.game import Game
from kingdom_builder.notation import (
    IllegalMove,
    NotationError,
    Record,
    parse_position,
    parse_record,
    position_of,
)
from kingdom_builder.rules import (
    IllegalAction,
    Observation,
    Setup,
    State,
    breakdown,
    determinize,
    events,
    observe,
    scores,
    winners,
)
from kingdom_builder.svg import Picture, picture

__all__ = [
    "Board",
    "Game",
    "IllegalAction",
    "IllegalMove",
    "NotationError",
    "Observation",
    "Picture",
    "Record",
    "Setup",
    "State",
    "board_of",
    "breakdown",
    "determinize",
    "events",
    "first_game",
    "load_sections",
    "make_setup",
    "observe",
    "parse_position",
    "parse_record",
    "picture",
    "position_of",
    "printed_sections",
    "random_setup",
    "scores",
    "winners",
]
