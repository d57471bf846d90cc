"""The numbers of actions, planes and entries of the vector: the same for every setup and number of players.

The components are named in `spaces.json`, in an order that never changes: a new one is appended, and the version rises.
"""

import json
from importlib.resources import files
from typing import NamedTuple

from kingdom_builder.board.terrain import CARDS, CASTLE, CAVE, LAND, MOUNTAIN, NOMADS, SILO, WATER
from kingdom_builder.hexes import COLS, ROWS

_NAMED = json.loads(files("kingdom_builder.encoding").joinpath("spaces.json").read_text(encoding="utf-8"))

VERSION: int = _NAMED["version"]
"""The version of everything in this module. Networks and data sets carry it."""

EXTRA_ACTIONS: tuple[str, ...] = tuple(_NAMED["extra_actions"])
GOALS: tuple[str, ...] = tuple(_NAMED["goals"])
"""The scoring cards and tasks: the reward function of a game, multi-hot."""
SCORING: tuple[str, ...] = tuple(_NAMED["scoring"])
OPTIONS: tuple[str, ...] = tuple(_NAMED["options"])
HEX_FIELDS: tuple[str, ...] = tuple(_NAMED["hex_fields"])
NUMBER_FIELDS: tuple[str, ...] = tuple(_NAMED["number_fields"])
SEAT_FIELDS: tuple[str, ...] = tuple(_NAMED["seat_fields"])

SEATS = 5
HEXES = ROWS * COLS

# ---- actions ---------------------------------------------------------------------------------------------------------

END = HEXES
"""End the turn; below it are the hexes, row by row."""
CHOOSE = END + 1
"""`CHOOSE + i`: play the card of terrain `CARDS[i]`."""
DONE = CHOOSE + len(CARDS)
OTHER = DONE + 1
USE = OTHER + 1
"""`USE + i`: begin the extra action `EXTRA_ACTIONS[i]`."""
ACTIONS = USE + len(EXTRA_ACTIONS)

# ---- planes ----------------------------------------------------------------------------------------------------------

MAP_LETTERS: tuple[str, ...] = (*LAND, WATER, MOUNTAIN, CAVE, CASTLE, NOMADS, SILO)
"""The letters of a map that have a plane each. A cave is a mountain too."""

MAP_PLANES: tuple[str, ...] = (
    "board",
    *(f"terrain {letter}" for letter in MAP_LETTERS),
    "capitol",
    "location",  # the number of the location on the map, from 1
    "kind",  # of the location or nomad tile: its place in EXTRA_ACTIONS, from 1
)
"""Planes that stay the same in a game."""

PLANES: tuple[str, ...] = (
    *MAP_PLANES,
    "tiles left",
    *(f"pieces of seat {seat}" for seat in range(SEATS)),
    *(f"tiles held by seat {seat}" for seat in range(SEATS)),
    *(f"tiles taken by seat {seat}" for seat in range(SEATS)),
    "tiles just taken",
    "scouts",
    "source",
    "hexes of the card",
    "legal",
    *HEX_FIELDS,
)
"""The planes by number. Seat 0 is the one that looks, the others follow in the order of turns."""

PLANE: dict[str, int] = {name: number for number, name in enumerate(PLANES)}

# ---- the vector ------------------------------------------------------------------------------------------------------

AWAITING: tuple[str, ...] = ("hand", "card", "action")
BYTES = 3
"""Numbers that a component keeps for a seat are written as this many bytes, each divided by 256."""


class Part(NamedTuple):
    """Some entries of the vector."""

    name: str
    size: int
    scale: float
    """What the numbers are divided by."""
    text: str


PARTS: tuple[Part, ...] = (
    Part("players", SEATS - 1, 1, "one-hot: 2, 3, 4 or 5"),
    Part(
        "seat", SEATS, 1, "one-hot: the seat that looks, in the order of turns from the start player; 0 for a spectator"
    ),
    Part("turn", SEATS, 1, "one-hot: the seat in turn; 0 is the one that looks, as in all that follows"),
    Part("round", 1, 32, ""),
    Part("supply", SEATS, 40, "settlements left, by seat"),
    Part("hand", SEATS * (len(CARDS) + 1), 5, "by seat: cards by terrain, then hidden ones"),
    Part("card", len(CARDS), 1, "one-hot: the terrain card in play"),
    Part("deck", len(CARDS), 5, "unseen cards by terrain: the draw pile and the hidden hands"),
    Part("discard", len(CARDS), 5, "the discard pile by terrain"),
    Part("builds left", 1, 3, "settlements of the mandatory action still to build"),
    Part("steps", 1, 16, "choices or draws that are left, where something counts them"),
    Part("adjacency lifted", 1, 1, ""),
    Part("ending", 1, 1, "this is the last round"),
    Part("over", 1, 1, ""),
    Part("awaiting", len(AWAITING), 1, "one-hot: a draw for the hand, for the card in play, for an extra action"),
    Part("acting", len(EXTRA_ACTIONS), 1, "one-hot: the extra action in progress"),
    Part("held", SEATS * len(EXTRA_ACTIONS), 4, "by seat: tiles by kind"),
    Part("ready", len(EXTRA_ACTIONS), 4, "tiles of the seat in turn that it may still use"),
    Part("just taken", len(EXTRA_ACTIONS), 4, "tiles of the seat in turn for its next turn"),
    Part("numbers", len(NUMBER_FIELDS), 256, "what components remember"),
    Part("seat numbers", SEATS * len(SEAT_FIELDS) * BYTES, 256, "what components remember by seat, in bytes"),
    Part("options", len(OPTIONS), 1, "multi-hot: the rulings in force"),
    Part("gold", SEATS * len(SCORING), 64, "by seat: gold by card so far; 0 unless asked for"),
)

VECTOR: dict[str, slice] = {}
"""Where each part stands in the vector."""
for _part in PARTS:
    _start = sum(part.size for part in PARTS[: len(VECTOR)])
    VECTOR[_part.name] = slice(_start, _start + _part.size)

VECTOR_SIZE = sum(part.size for part in PARTS)


class VersionMismatch(ValueError):
    """Something was made for another version of the encoding."""


def check_version(found: object, what: str) -> None:
    """Raise `VersionMismatch` unless something was made for this version of the encoding."""
    if found != VERSION:
        raise VersionMismatch(f"{what} is made for version {found} of the encoding: expected version {VERSION}")
