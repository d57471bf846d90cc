"""The hard player: searches whole turns."""

from collections.abc import Mapping
from random import Random

from kingdom_builder.players.budget import Budget, uninterrupted
from kingdom_builder.players.cores import search_of
from kingdom_builder.players.planning import PlanningPlayer
from kingdom_builder.players.weights import WEIGHTS
from kingdom_builder.rules import Action, State, turn_of

SEARCH_SHARE = 0.7
"""The share of its budget after which hard stops searching. The rest is a reserve: hard does not check the clock while
it works out what a tile can do, it has to compare the turns that it found, and the machine may stall for some
hundredths of a second."""


class HardPlayer(PlanningPlayer):
    """Searches whole turns."""

    def __init__(self, rng: Random, budget: Budget, weights: Mapping[str, float] = WEIGHTS) -> None:
        super().__init__(rng, weights)
        self.budget = budget
        self._turn: object = None
        """The turn that the budget belongs to."""

    def plan(self, state: State) -> list[Action]:
        turn = turn_of(state)
        if turn != self._turn:
            self._turn = turn
            self.budget.begin_turn()
        self.budget.resume()
        with uninterrupted():
            actions = self.think(state)
        self.budget.pause()
        return actions

    def think(self, state: State) -> list[Action]:
        """The actions of the best turn found within the budget."""
        search = search_of(state, self.evaluator(state), self.budget.share(SEARCH_SHARE), self.budget.share(1))
        return search.run()[0].moves(state.player)
