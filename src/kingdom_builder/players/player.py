"""The protocol of players, and how to construct one."""

from collections.abc import Callable
from inspect import signature
from random import Random
from typing import Protocol

from kingdom_builder.players.budget import Budget
from kingdom_builder.rules import Action, Observation


class Player(Protocol):
    """A bot that plays one seat of one game and knows only what that seat may know."""

    def choose(self, seen: Observation) -> Action:
        """One legal action for the current seat. It is called again until the turn is over."""
        ...


def construct(kind: Callable[..., Player], rng: Random, budget: Budget | None = None) -> Player:
    """A new player of a class, which gets `rng` and `budget` if its constructor has parameters of these names.

    `rng` is the player's source of random numbers: with the same seed it makes the same choices. `budget` is what it
    may spend on a turn.
    """
    parameters = signature(kind).parameters
    if budget is not None and "budget" not in parameters:
        raise ValueError(f"{kind.__name__} takes no budget: expected its name without one")
    arguments = {"rng": rng, **({} if budget is None else {"budget": budget})}
    given = {name: value for name, value in arguments.items() if name in parameters}
    try:
        signature(kind).bind(**given)
    except TypeError as error:
        raise ValueError(
            f"the constructor of {kind.__name__}: {error}; expected that it needs nothing but rng, "
            "and budget if the name gives one, as in py:100ms:module:Class"
        ) from None
    return kind(**given)
