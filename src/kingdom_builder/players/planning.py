"""The base class of players that plan some actions ahead."""

from collections.abc import Mapping
from random import Random

from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.weights import WEIGHTS
from kingdom_builder.rules import Action, Observation, State


class PlanningPlayer:
    """A player that plans some actions ahead and plays them for as long as the game goes as planned."""

    def __init__(self, rng: Random, weights: Mapping[str, float] = WEIGHTS) -> None:
        self.rng = rng
        self.weights = weights
        """The weights of its evaluation."""
        self._evaluator: Evaluator | None = None
        self._plan: list[Action] = []
        self._expected: State | None = None

    def choose(self, seen: Observation) -> Action:
        if not self._plan or self._expected != seen:
            legal = seen.legal()
            if not legal & legal - 1:
                return legal.bit_length() - 1
            self._expected = seen.until_next_draw()
            self._plan = self.plan(self._expected.copy())
        action = self._plan.pop(0)
        assert self._expected is not None
        if self._plan:
            self._expected.apply(action)
        return action

    def evaluator(self, state: State) -> Evaluator:
        """The evaluator for positions of this game."""
        if self._evaluator is None or self._evaluator.setup is not state.setup:
            self._evaluator = Evaluator(state.setup, self.weights)
        return self._evaluator

    def plan(self, state: State) -> list[Action]:
        """At least one action of the current seat; `state` hides the cards of others and can be played until a draw."""
        raise NotImplementedError
