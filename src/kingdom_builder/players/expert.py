"""The expert: tries its best turns out, on its next turn and on games played to their end."""

from collections import Counter
from collections.abc import Callable
from random import Random

from kingdom_builder.board.terrain import Terrain
from kingdom_builder.players.judgement import lead
from kingdom_builder.players.playouts import Playouts
from kingdom_builder.players.thinkers import HardPlayer
from kingdom_builder.players.turns import Line, TurnSearch, hasty_turn
from kingdom_builder.rules import END, Action, Observation, State, determinize, random_draw
from kingdom_builder.rules.actions import DRAWING
from kingdom_builder.rules.observation import recast

SEARCH_SHARE = 0.25
"""The part of the thought that finds turns."""

LEADERS = 150
"""Turns that are compared by what they mean for the others too."""

CANDIDATES, FINALISTS = 8, 4
"""Turns that are tried out for a round, and of these the best, that are played out to the end of the game."""

REPLY_POSITIONS = 100
REPLY_LEADERS = 8
"""Positions that are judged for the own next turn in each trial, and turns that are compared then."""

TRUST_IN_SEARCH, TRUST_IN_TRIALS = 2, 20
"""What the search and the trials tell counts as much as so many games played out."""


class Candidate:
    """A turn that is tried out."""

    def __init__(self, line: Line, seat: int) -> None:
        self.actions = line.moves(seat)
        self.gold = TRUST_IN_SEARCH * line.worth
        """The sum of the leads that search, trials and games played out tell, each by its weight."""

    def result(self, seen: Observation, chance: float) -> State:
        """Where the turn leads if the hidden cards lie in one of many ways."""
        state = determinize(seen, Random(chance))
        for action in self.actions:
            state.apply(action)
        return state


class ExpertPlayer(HardPlayer):
    """Tries turns out on many ways in which the hidden cards may lie and the next cards may come."""

    def think(self, state: State) -> list[Action]:
        lines = TurnSearch(state, self.judgement(state), self.budget.share(SEARCH_SHARE)).run(LEADERS)
        candidates = [Candidate(line, state.player) for line in various(lines, state.player)]
        if len(candidates) > 1:
            self._try_out(recast(state, Observation), candidates)
        return candidates[0].actions

    def _try_out(self, seen: Observation, candidates: list[Candidate]) -> None:
        """Sort the candidates by trials, and the best of them by games played out."""
        self._try_next_turns(seen, candidates)
        candidates.sort(key=lambda candidate: -candidate.gold)
        del candidates[FINALISTS:]
        self._play_out(seen, candidates)
        candidates.sort(key=lambda candidate: -candidate.gold)

    def _try_next_turns(self, seen: Observation, candidates: list[Candidate]) -> None:
        """Let all play on until the seat has played a turn more, for each card that it may draw."""
        unseen = Counter(seen.deck or seen.discard)
        chance = self.rng.random()
        for card, count in sorted(unseen.items()):
            leads = []
            for candidate in candidates:
                result = self._trial(seen, candidate, card, chance)
                if result is None:
                    return
                leads.append(result)
            for candidate, result in zip(candidates, leads, strict=True):
                candidate.gold += TRUST_IN_TRIALS * count / unseen.total() * result

    def _play_out(self, seen: Observation, candidates: list[Candidate]) -> None:
        """Play games to their end as long as there is time, for all candidates on the same chances."""
        playouts = Playouts(self.judgement(seen))
        while True:
            chance = self.rng.random()
            leads = []
            for candidate in candidates:
                if not self.budget.spend():
                    return
                leads.append(playouts.play(candidate.result(seen, chance), seen.player, Random(chance)))
            for candidate, result in zip(candidates, leads, strict=True):
                candidate.gold += result

    def _trial(self, seen: Observation, candidate: Candidate, card: Terrain, chance: float) -> float | None:
        """The lead in gold that is to be expected when the seat has played a turn more; None if time is up before.

        The seat draws a given card, if the pile still has one.
        """
        seat, judgement = seen.player, self.judgement(seen)
        state, rng = candidate.result(seen, chance), Random(chance)
        while self.budget.spend():
            if state.over:
                return lead(judgement, state, seat)
            if state.awaiting:
                given = state.player == seat and card in state.deck
                state.apply(DRAWING[card] if given else random_draw(state, rng.random))
                continue
            if state.player == seat and state.round != seen.round:
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


def various(lines: list[Line], seat: int) -> list[Line]:
    """The best lines, at least half of which differ from all better ones by more than a settlement."""
    chosen: list[Line] = []
    alike = 0
    for line in lines:
        own = line.state.own[seat]
        if any((own ^ other.state.own[seat]).bit_count() <= 2 for other in chosen):
            alike += 1
            if alike > CANDIDATES // 2:
                continue
        chosen.append(line)
        if len(chosen) == CANDIDATES:
            break
    return chosen
