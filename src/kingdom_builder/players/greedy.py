"""The greedy player: does what looks best right now."""

from kingdom_builder.players.planning import PlanningPlayer
from kingdom_builder.players.turn_search import Line, greedy_step
from kingdom_builder.rules import END, Action, State


class GreedyPlayer(PlanningPlayer):
    """Does what looks best right now."""

    def plan(self, state: State) -> list[Action]:
        line = greedy_step(Line((), state), self.evaluator(state))
        return list(line.actions) or [END]
