"""Counting action sequences: a check of the rules that two implementations can compare."""

from kingdom_builder.hexes import bits
from kingdom_builder.rules.actions import Action
from kingdom_builder.rules.state import State


def perft(state: State, depth: int) -> int:
    """The number of action sequences of this length from a state; draws count as actions."""
    if depth <= 1:
        return state.legal().bit_count() if depth else 1
    return sum(divide(state, depth).values())


def divide(state: State, depth: int) -> dict[Action, int]:
    """The number of sequences of this length for each first legal action."""
    counts = {}
    for action in bits(state.legal()):
        after = state.copy()
        after.apply(action)
        counts[action] = perft(after, depth - 1)
    return counts
