"""The expert: tries its best turns out against the answers of the others and its own next turn."""

from collections import Counter
from collections.abc import Callable
from random import Random

from kingdom_builder.board.terrain import Terrain
from kingdom_builder.players.judgement import lead
from kingdom_builder.players.thinkers import HardPlayer
from kingdom_builder.players.turns import Line, TurnSearch, hasty_turn
from kingdom_builder.rules import END, Action, Observation, State, determinize, random_draw
from kingdom_builder.rules.actions import DRAWING
from kingdom_builder.rules.observation import recast

SEARCH_SHARE = 0.25
"""The part of the thought that finds turns."""

LEADERS = 150
"""Turns that are compared by what they mean for the others too."""

CANDIDATES, FINALISTS = 8, 3
"""Turns that are tried out: at first, and after the worse half was given up several times."""

REPLY_POSITIONS = 100
REPLY_LEADERS = 8
"""Positions that are judged for the own next turn in each trial, and turns that are compared then."""

TRUST = 0.3
"""The judgement of the search counts as much as this part of a round of trials."""


class Candidate:
    """A turn that is tried out, with what the trials brought."""

    def __init__(self, line: Line, seat: int) -> None:
        self.actions = line.moves(seat)
        self.gold = TRUST * line.worth
        """The sum of what the rounds of trials brought, and of what the search thinks of it."""


class ExpertPlayer(HardPlayer):
    """Tries turns out on many ways in which the hidden cards may lie and the next cards may come."""

    def think(self, state: State) -> list[Action]:
        lines = TurnSearch(state, self.judgement(state), self.budget.share(SEARCH_SHARE)).run(LEADERS)
        candidates = [Candidate(line, state.player) for line in lines[:CANDIDATES]]
        if len(candidates) > 1:
            self._try_out(recast(state, Observation), candidates)
        return candidates[0].actions

    def _try_out(self, seen: Observation, candidates: list[Candidate]) -> None:
        """Sort the candidates by rounds of trials, as many as there is time for; the worst are left out."""
        while self._round(seen, candidates):
            candidates.sort(key=lambda candidate: -candidate.gold)
            del candidates[max(FINALISTS, (len(candidates) + 1) // 2) :]
        candidates.sort(key=lambda candidate: -candidate.gold)

    def _round(self, seen: Observation, candidates: list[Candidate]) -> bool:
        """Try each candidate on the same chances, once for each card that may come next; False if time is up."""
        chance = self.rng.random()
        unseen = Counter(seen.deck or seen.discard)
        for card, count in sorted(unseen.items()):
            gold = []
            for candidate in candidates:
                result = self._trial(determinize(seen, Random(chance)), candidate.actions, card, Random(chance))
                if result is None:
                    return False
                gold.append(result)
            for candidate, result in zip(candidates, gold, strict=True):
                candidate.gold += result * count / unseen.total()
        return True

    def _trial(self, state: State, actions: list[Action], card: Terrain, rng: Random) -> float | None:
        """The lead in gold that is to be expected when the seat has played a turn more; None if time is up before.

        The seat draws a given card, if the pile still has one.
        """
        seat, turn = state.player, (state.round, state.player)
        judgement = self.judgement(state)
        for action in actions:
            state.apply(action)
        while self.budget.spend():
            if state.over:
                return lead(judgement, state, seat)
            if state.awaiting:
                given = state.player == seat and card in state.deck
                state.apply(DRAWING[card] if given else random_draw(state, rng.random))
                continue
            if state.player == seat and (state.round, state.player) != turn:
                return TurnSearch(state, judgement, self._at_most(REPLY_POSITIONS)).run(REPLY_LEADERS)[0].worth
            line = hasty_turn(state, judgement)
            over = line.is_over(state.player)
            state = line.state
            if not over:
                state.apply(END)
        return None

    def _at_most(self, positions: int) -> Callable[[], bool]:
        """A purse for so many positions, as long as there is something left of the whole."""
        left = positions

        def spend() -> bool:
            nonlocal left
            left -= 1
            return left >= 0 and self.budget.spend()

        return spend
