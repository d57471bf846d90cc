"""Arguments that several commands share."""

import sys

from kingdom_builder.content import BOXES, first_game
from kingdom_builder.notation import parse_position
from kingdom_builder.rules import State


def read_position(words: list[str]) -> State:
    """The position that the words of an argument give."""
    text = " ".join(words)
    if text == "-":
        text = sys.stdin.read().strip()
    if text == "first":
        return State(first_game())
    return parse_position(text)


def read_sets(keys: list[str]) -> list[str]:
    """The keys of boxes that an argument gives; `all` for all of them."""
    if keys == ["all"]:
        return list(BOXES)
    for key in keys:
        if key not in BOXES:
            raise ValueError(f"unknown set {key!r}: expected all, or some of {', '.join(BOXES)}")
    return keys
