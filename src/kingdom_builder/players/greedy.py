"""The greedy player: does what looks best right now."""

from kingdom_builder.hexes import SIZE
from kingdom_builder.players.cores import greedy_actions
from kingdom_builder.players.planning import PlanningPlayer
from kingdom_builder.players.turn_search import GREEDY_SOURCES
from kingdom_builder.rules import END, Action, State


class GreedyPlayer(PlanningPlayer):
    """Does what looks best right now."""

    def plan(self, state: State) -> list[Action]:
        sources = SIZE if state.ending else GREEDY_SOURCES  # in a last turn no use of a tile that pays is to be missed
        return greedy_actions(state, self.evaluator(state), sources, looks=SIZE) or [END]
