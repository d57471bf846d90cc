"""The expert: plays games out with its best turns, to choose the one that leads to most gold."""

from collections.abc import Callable
from random import Random

from kingdom_builder.players.playouts import Playouts
from kingdom_builder.players.thinkers import HardPlayer
from kingdom_builder.players.turns import Line, TurnSearch, hasty_turn
from kingdom_builder.rules import END, Action, Observation, State, determinize, random_draw
from kingdom_builder.rules.observation import recast

SEARCH_SHARE = 0.4
"""The part of the thought that finds turns."""

LEADERS = 150
"""Turns that are compared by what they mean for the others too."""

CANDIDATES = 10
HEATS = 3
"""Turns that games are played out with, in heats; the worse half of them drops out after each."""

LATE_ROUND = 6
"""Games are played out with a hasty turn of everybody first, from this round on with two, then at a glance."""

TRUST, OTHERS = 0.4, 0.5
"""How much the lead that the search expects counts beside the gold in games played out, and how much of the best of the
others' gold there: what becomes of them is mostly chance."""

GAME_POSITIONS = 60
"""Positions for which a game that is played out counts."""


class Candidate:
    """A turn that games are played out with."""

    def __init__(self, line: Line, seat: int) -> None:
        self.actions = line.moves(seat)
        self.expected = TRUST * line.worth
        """What the search tells."""
        self.results: list[float] = []
        """What each of the games brought."""

    def value(self) -> float:
        return self.expected + sum(self.results) / max(1, len(self.results))


class ExpertPlayer(HardPlayer):
    """Plays games out on many ways in which the hidden cards may lie and the next cards may come."""

    def think(self, state: State) -> list[Action]:
        lines = TurnSearch(state, self.judgement(state), self.budget.share(SEARCH_SHARE)).run(LEADERS)
        candidates = [Candidate(line, state.player) for line in various(lines, state.player)]
        if len(candidates) > 1:
            self._race(recast(state, Observation), candidates)
        return candidates[0].actions

    def _race(self, seen: Observation, candidates: list[Candidate]) -> None:
        """Sort the candidates; of most of them only the better half is left."""
        playouts = Playouts(self.judgement(seen))
        for left in range(HEATS, 0, -1):
            purse = self.budget.share(1 / left)
            while self._play_out(seen, candidates, playouts, purse):
                pass
            candidates.sort(key=lambda candidate: -candidate.value())
            if left > 1:
                del candidates[max(2, (len(candidates) + 1) // 2) :]

    def _play_out(
        self, seen: Observation, candidates: list[Candidate], playouts: Playouts, purse: Callable[[int], bool]
    ) -> bool:
        """Play a game out with each of the candidates, on the same chance. False if there was no time."""
        chance = self.rng.random()
        results = []
        for candidate in candidates:
            if not purse(GAME_POSITIONS):
                return False
            rng = Random(chance)
            state = determinize(seen, rng)
            for action in candidate.actions:
                state.apply(action)
            state = self._play_hasty_turns(state, rng, seen.setup.players * (1 if seen.round < LATE_ROUND else 2))
            gold = playouts.play(state, rng)
            results.append(gold.pop(seen.player) - OTHERS * max(gold))
        for candidate, result in zip(candidates, results, strict=True):
            candidate.results.append(result)
        return True

    def _play_hasty_turns(self, state: State, rng: Random, turns: int) -> State:
        """The state after so many turns more."""
        judgement = self.judgement(state)
        while turns and not state.over:
            if state.awaiting:
                state.apply(random_draw(state, rng.random))
                continue
            line = hasty_turn(state, judgement)
            over = line.is_over(state.player)
            state = line.state
            if not over:
                state.apply(END)
                turns -= 1
        return state


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
