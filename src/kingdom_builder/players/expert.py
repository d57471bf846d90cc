"""The expert: tries its best turns out against the answers of the others and its own next turn."""

from collections.abc import Callable
from random import Random

from kingdom_builder.players.judgement import lead
from kingdom_builder.players.thinkers import HardPlayer
from kingdom_builder.players.turns import Line, TurnSearch, hasty_turn
from kingdom_builder.rules import END, Action, Observation, State, determinize, random_draw
from kingdom_builder.rules.observation import recast

CANDIDATES = 8
"""Turns that are tried out."""

SEARCH_SHARE = 0.3
"""The part of the thought that finds them."""

REPLY_POSITIONS = 40
"""Positions that are judged for the own next turn in each trial."""

TRIALS = 5
"""Trials of each turn before the worse half of the turns is given up."""

TRUST = 4
"""The judgement of the search counts as much as so many trials."""


class Candidate:
    """A turn that is tried out, with what the trials brought."""

    def __init__(self, line: Line, actions: list[Action]) -> None:
        self.actions = actions
        self.gold = TRUST * line.worth
        """The sum of what the trials brought, and of what the search thinks of it."""


class ExpertPlayer(HardPlayer):
    """Tries turns out on many ways in which the hidden cards may lie and the next cards may come."""

    def think(self, state: State) -> list[Action]:
        seat = state.player
        lines = TurnSearch(state, self.judgement(state), self.budget.share(SEARCH_SHARE)).run()
        candidates = distinct(lines, seat)
        if len(candidates) > 1:
            self._try_out(state, candidates)
        return candidates[0].actions

    def _try_out(self, state: State, candidates: list[Candidate]) -> None:
        """Sort the candidates by trials, as many as there is time for; each is tried on the same chances."""
        seen = recast(state, Observation)
        alive = candidates[:]
        trials = 0
        while True:
            chance = self.rng.random()
            gold = []
            for candidate in alive:
                result = self._trial(determinize(seen, Random(chance)), candidate.actions, Random(chance))
                if result is None:
                    if trials:
                        candidates[:] = alive
                    return
                gold.append(result)
            trials += 1
            for candidate, result in zip(alive, gold, strict=True):
                candidate.gold += result
            alive.sort(key=lambda candidate: -candidate.gold)
            if trials % TRIALS == 0 and len(alive) > 2:
                del alive[(len(alive) + 1) // 2 :]

    def _trial(self, state: State, actions: list[Action], rng: Random) -> float | None:
        """The lead in gold that is to be expected when the seat has played a turn more; None if time is up before."""
        seat, turn = state.player, (state.round, state.player)
        judgement = self.judgement(state)
        for action in actions:
            state.apply(action)
        while self.budget.spend():
            if state.over:
                return lead(judgement, state, seat)
            if state.awaiting:
                state.apply(random_draw(state, rng.random))
                continue
            if state.player == seat and (state.round, state.player) != turn:
                reply = TurnSearch(state, judgement, self._at_most(REPLY_POSITIONS)).run()[0]
                return lead(judgement, reply.state, seat)
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


def distinct(lines: list[Line], seat: int) -> list[Candidate]:
    """The best turns that lead to different positions."""
    candidates: dict[object, Candidate] = {}
    for line in lines:
        result = (line.state.own[seat], line.state.free, line.state.awaiting)
        if result not in candidates:
            candidates[result] = Candidate(line, line.moves(seat))
            if len(candidates) == CANDIDATES:
                break
    return list(candidates.values())
