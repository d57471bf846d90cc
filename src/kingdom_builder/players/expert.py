"""The expert: plays games out with its best turns, to choose the one that leads to most gold."""

from collections.abc import Callable, Sequence
from random import Random

from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.hard import HardPlayer
from kingdom_builder.players.rollouts import Rollouts
from kingdom_builder.players.turn_search import Line, TurnSearch, play_greedy_turns
from kingdom_builder.rules import END, Action, Observation, State, determinize

SEARCH_SHARE, COMPARE_SHARE, RACE_SHARE = 0.4, 0.5, 0.9
"""The parts of the thought after which the search for turns ends, and their comparison; and the part of the rest for
games, since the clock is not looked at in the middle of one."""

LEADERS = 150
"""Turns that are compared by what they mean for the others too."""

CANDIDATES = 10
HEATS = 3
"""Turns that games are played out with, in heats; the worse half of them drops out after each."""

LATE_ROUND = 6
"""Games are played out with a greedy turn of everybody first, from this round on with two, then at a glance."""

SEARCH_WEIGHT, RIVAL_WEIGHT = 0.4, 0.5
"""How much the lead that the search expects counts beside the gold in games played out, and how much of the best of the
others' gold there: what becomes of them is mostly chance."""

GAME_POSITIONS = 60
"""Positions for which a game that is played out counts."""


class Candidate:
    """A turn that games are played out with."""

    def __init__(self, line: Line, seat: int) -> None:
        self.actions = line.moves(seat)
        self.expected = SEARCH_WEIGHT * line.worth
        """What the search tells."""
        self.results: list[float] = []
        """What each of the games brought."""

    def value(self) -> float:
        return self.expected + sum(self.results) / max(1, len(self.results))


class ExpertPlayer(HardPlayer):
    """Plays games out on many ways in which the hidden cards may lie and the next cards may come."""

    def think(self, state: State) -> list[Action]:
        comparing = self.budget.share(COMPARE_SHARE)
        lines = TurnSearch(state, self.evaluator(state), self.budget.share(SEARCH_SHARE)).run(LEADERS, comparing)
        candidates = [Candidate(line, state.player) for line in diverse(lines, state.player)]
        if len(candidates) > 1:
            self._race(Observation.of(state), candidates)
        return candidates[0].actions

    def _race(self, seen: Observation, candidates: list[Candidate]) -> None:
        """Sort the candidates; of most of them only the better half is left."""
        for left in range(HEATS, 0, -1):
            may_spend = self.budget.share(RACE_SHARE / left)
            while self._play_round(seen, candidates, may_spend):
                pass
            candidates.sort(key=lambda candidate: -candidate.value())
            if left > 1:
                del candidates[max(2, (len(candidates) + 1) // 2) :]

    def _play_round(self, seen: Observation, candidates: list[Candidate], may_spend: Callable[[int], bool]) -> bool:
        """Play a game out with each of the candidates, on the same draws. False if there was no time."""
        seed = self.rng.random()
        results = []
        for candidate in candidates:
            if not may_spend(GAME_POSITIONS):
                return False
            gold = rollout_after(seen, candidate.actions, self.evaluator(seen), seed)
            results.append(gold.pop(seen.player) - RIVAL_WEIGHT * max(gold))
        for candidate, result in zip(candidates, results, strict=True):
            candidate.results.append(result)
        return True


def after_turn(seen: Observation, turn: Sequence[Action], rng: Random) -> State:
    """How things may be after a turn, whatever the hidden cards are."""
    state = determinize(seen, rng)
    for action in turn:
        state.apply(action)
    return state


def rollout_after(seen: Observation, turn: Sequence[Action], evaluator: Evaluator, seed: float) -> list[float]:
    """The gold of each seat at the end of a game that goes on with a turn."""
    rng = Random(seed)
    state = after_turn(seen, turn, rng)
    greedy_rounds = 1 if seen.round < LATE_ROUND else 2
    rest_of_turn = turn[-1] != END
    state = play_greedy_turns(state, evaluator, greedy_rounds * seen.setup.players + rest_of_turn, rng)
    return Rollouts(evaluator).play_out(state, rng)


def diverse(lines: list[Line], seat: int) -> list[Line]:
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
