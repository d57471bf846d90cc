"""What a search thinks of each legal action: what a network learns from.

Settlements of the mandatory action can be built in any order, so each of those in a good turn is as good a first step.
"""

from itertools import takewhile

from kingdom_builder.players.budget import Budget
from kingdom_builder.players.cores import search_of
from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.hard import SEARCH_SHARE
from kingdom_builder.rules import END, USE, Action, Setup, State, observe

LEADERS = 100
"""The most turns that are compared."""


class Teacher:
    """Judges the actions of one game by the best turns that begin with them."""

    def __init__(self, setup: Setup, positions: int) -> None:
        """It searches as `hard` does with so many positions."""
        self._evaluator = Evaluator(setup)
        self._positions = positions

    def judge(self, state: State) -> dict[Action, float]:
        """The gold by which the seat can expect to be ahead after the best turn with each action, the best one first.

        Actions that are in no turn that was found are left out.
        """
        start = observe(state, state.player).until_next_draw()
        budget = Budget(nodes=self._positions)
        turns = search_of(start, self._evaluator, budget.share(SEARCH_SHARE), budget.share(1)).run(LEADERS)
        found: dict[Action, float] = {}
        for turn in turns:
            for action in first_steps(start, turn.moves(start.player)):
                found[action] = max(turn.worth, found.get(action, turn.worth))
        return found


def first_steps(state: State, turn: list[Action]) -> list[Action]:
    """The actions of a turn with which it could as well begin."""
    legal = state.legal()
    if state.acting is not None or turn[0] == END:
        return turn[:1]
    if turn[0] < END:
        alike = list(takewhile(lambda action: action < END, turn[: state.builds_left]))
    else:
        alike = [action for action in turn if action >= USE]
    return [turn[0], *[action for action in alike if legal >> action & 1]]
