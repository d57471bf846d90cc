"""The expert: follows its best turns with rollouts, and chooses the turn that leads to the most gold."""

from collections.abc import Callable, Sequence
from random import Random

from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.hard import HardPlayer
from kingdom_builder.players.rollouts import Rollouts
from kingdom_builder.players.turn_search import Line, TurnSearch, play_greedy_turns
from kingdom_builder.rules import END, Action, Observation, State, determinize

SEARCH_SHARE, COMPARE_SHARE, RACE_SHARE = 0.4, 0.5, 0.9
"""The shares of the budget after which the search for turns ends, and then their comparison; and the share of the rest
for rollouts, which do not check the clock."""

LEADERS = 150
"""Turns that are compared by what they leave to the opponents too."""

CANDIDATES = 10
HEATS = 3
"""Turns that are followed by rollouts, and the number of heats: after each, the worse half of the turns drops out."""

LATE_ROUND = 6
"""A rollout begins with one greedy turn of every seat, from this round on with two; then `Rollouts` takes over."""

SEARCH_WEIGHT, RIVAL_WEIGHT = 0.4, 0.5
"""How much the lead that the search expects counts beside the gold in rollouts, and how much the best opponent's gold
counts there: it is mostly chance."""

GAME_POSITIONS = 60
"""The cost of a rollout in positions."""


class Candidate:
    """A turn that is followed by rollouts."""

    def __init__(self, line: Line, seat: int) -> None:
        self.actions = line.moves(seat)
        self.expected = SEARCH_WEIGHT * line.worth
        """The lead that the search expects."""
        self.results: list[float] = []
        """The result of each rollout."""

    def value(self) -> float:
        return self.expected + sum(self.results) / max(1, len(self.results))


class ExpertPlayer(HardPlayer):
    """Plays rollouts with many possible hidden cards and draws."""

    def think(self, state: State) -> list[Action]:
        comparing = self.budget.share(COMPARE_SHARE)
        lines = TurnSearch(state, self.evaluator(state), self.budget.share(SEARCH_SHARE)).run(LEADERS, comparing)
        candidates = [Candidate(line, state.player) for line in diverse(lines, state.player)]
        if len(candidates) > 1:
            self._race(Observation.of(state), candidates)
        return candidates[0].actions

    def _race(self, seen: Observation, candidates: list[Candidate]) -> None:
        """Sort the candidates, best first; most of the worse ones drop out."""
        for left in range(HEATS, 0, -1):
            may_spend = self.budget.share(RACE_SHARE / left)
            while self._play_round(seen, candidates, may_spend):
                pass
            candidates.sort(key=lambda candidate: -candidate.value())
            if left > 1:
                del candidates[max(2, (len(candidates) + 1) // 2) :]

    def _play_round(self, seen: Observation, candidates: list[Candidate], may_spend: Callable[[int], bool]) -> bool:
        """Play a rollout after each of the candidates, with the same draws; returns False if time ran out."""
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
    """A possible state after a turn: the hidden cards are dealt at random."""
    state = determinize(seen, rng)
    for action in turn:
        state.apply(action)
    return state


def rollout_after(seen: Observation, turn: Sequence[Action], evaluator: Evaluator, seed: float) -> list[float]:
    """The gold of each seat at the end of a rollout after a turn."""
    rng = Random(seed)
    state = after_turn(seen, turn, rng)
    greedy_rounds = 1 if seen.round < LATE_ROUND else 2
    rest_of_turn = turn[-1] != END
    state = play_greedy_turns(state, evaluator, greedy_rounds * seen.setup.players + rest_of_turn, rng)
    return Rollouts(evaluator).play_out(state, rng)


def diverse(lines: list[Line], seat: int) -> list[Line]:
    """The best lines; at least half of them differ from all better ones by more than a settlement."""
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
