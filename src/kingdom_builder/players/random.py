"""The random player: every legal action is equally likely."""

from collections.abc import Callable
from random import Random

from kingdom_builder.hexes import nth
from kingdom_builder.rules import DRAWING, Action, Observation, State


class RandomPlayer:
    """Plays any legal action."""

    def __init__(self, rng: Random) -> None:
        self._random = rng.random

    def choose(self, seen: Observation) -> Action:
        return random_action(seen, self._random)


def random_action(state: State, random: Callable[[], float]) -> Action:
    """One of the legal actions of a player, each with the same probability."""
    legal = state.legal()
    return nth(legal, int(random() * legal.bit_count()))


def random_rollout(state: State, random: Callable[[], float]) -> None:
    """Play a state to the end with random players and random draws.

    There is no limit on actions: all new games end. `random_action` and `random_draw` are inlined, since calling them
    would take a tenth of the time.
    """
    apply = state.apply
    legal_actions = state.legal
    while not state.over:
        if state.awaiting:
            deck = state.deck
            apply(DRAWING[deck[int(random() * len(deck))]])
        else:
            legal = legal_actions()
            choices = legal.bit_count()
            # Every third decision has only one choice: no need for a random number.
            chosen = int(random() * choices) if choices > 1 else 0
            if chosen > 7:
                apply(nth(legal, chosen))
                continue
            while chosen:  # near: without the call
                legal &= legal - 1
                chosen -= 1
            apply((legal & -legal).bit_length() - 1)
