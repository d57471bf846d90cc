"""Policies for the tests: they see the arrays of the encoding and answer with an action."""

from collections.abc import Callable, Mapping
from random import Random

import numpy as np
from numpy.typing import NDArray

from kingdom_builder.rules import Action, Observation

Seen = Mapping[str, NDArray[np.generic]]


def make_first() -> Callable[[Seen], int]:
    """Plays the first legal action."""
    return lambda seen: int(np.flatnonzero(seen["action_mask"])[0])


def make_random(rng: Random) -> Callable[[Seen], int]:
    """Plays any legal action."""
    return lambda seen: rng.choice([int(number) for number in np.flatnonzero(seen["action_mask"])])


def make_cheat() -> Callable[[Seen], int]:
    """Plays what is not legal."""
    return lambda seen: int(np.flatnonzero(np.asarray(seen["action_mask"]) == 0)[0])


def make_nothing() -> None:
    """Makes no policy."""


class FailingPlayer:
    """Fails at once."""

    def choose(self, seen: Observation) -> Action:
        raise RuntimeError("no idea")


not_a_function = 3
