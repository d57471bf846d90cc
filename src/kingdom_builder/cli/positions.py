"""Positions as arguments of commands."""

import sys

from kingdom_builder.content import first_game
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
