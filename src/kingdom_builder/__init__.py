"""Kingdom Builder: a fast, exact, typed library for the board game.

`Game` plays by text. Below it, `State` is the engine: `legal()` is a set of actions as one int, `apply(action)` and
`copy()` do the rest.

Names are imported when they are first used, so that the command line starts quickly.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kingdom_builder.board import Board, load_sections, printed_sections
    from kingdom_builder.content import board_of, first_game, make_setup, random_setup
    from kingdom_builder.drawing.svg import Picture, picture
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

_HOME = {
    "Board": "board",
    "load_sections": "board",
    "printed_sections": "board",
    "board_of": "content",
    "first_game": "content",
    "make_setup": "content",
    "random_setup": "content",
    "Game": "game",
    "IllegalMove": "notation",
    "NotationError": "notation",
    "Record": "notation",
    "parse_position": "notation",
    "parse_record": "notation",
    "position_of": "notation",
    "IllegalAction": "rules",
    "Observation": "rules",
    "Setup": "rules",
    "State": "rules",
    "breakdown": "rules",
    "determinize": "rules",
    "events": "rules",
    "observe": "rules",
    "scores": "rules",
    "winners": "rules",
    "Picture": "drawing.svg",
    "picture": "drawing.svg",
}
"""The module of each name."""


if not TYPE_CHECKING:  # otherwise a type checker would accept any name

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        globals()[name] = value
        return value


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
