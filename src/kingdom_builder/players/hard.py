"""The players that plan: greedy, which does what seems best at once, and hard, which searches whole turns."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.player import Budget
from kingdom_builder.players.turn_search import Line, TurnSearch, greedy_step
from kingdom_builder.rules import END, Action, Observation, State, turn_of

SEARCH_SHARE = 0.7
"""The part of its time after which hard stops to search: it does not look at the clock while it finds what a tile can
do, has to compare what it found, and the machine may stand still for some hundredths of a second."""


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Without garbage collection, whose pauses come unforeseen; a thought leaves no cycles to collect."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class PlanningPlayer:
    """A player that plans some actions ahead and plays them as long as everything comes as planned."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
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
        """What judges positions of this game."""
        if self._evaluator is None or self._evaluator.setup is not state.setup:
            self._evaluator = Evaluator(state.setup)
        return self._evaluator

    def plan(self, state: State) -> list[Action]:
        """At least one action of the seat in turn; `state` hides the cards of others and can be played until a draw."""
        raise NotImplementedError


class GreedyPlayer(PlanningPlayer):
    """Does what seems best at once."""

    def plan(self, state: State) -> list[Action]:
        line = greedy_step(Line((), state), self.evaluator(state))
        return list(line.actions) or [END]


class HardPlayer(PlanningPlayer):
    """Searches whole turns."""

    def __init__(self, rng: Random, budget: Budget) -> None:
        super().__init__(rng)
        self.budget = budget
        self._turn: object = None
        """The turn that the budget is for."""

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
        """The actions of the best turn found while the budget lasts."""
        search = TurnSearch(state, self.evaluator(state), self.budget.share(SEARCH_SHARE))
        return search.run(spend=self.budget.spend)[0].moves(state.player)
