"""The expert: follows its best turns with rollouts, and chooses the turn that leads to the most gold."""

from collections.abc import Sequence

from kingdom_builder.players.budget import Limit
from kingdom_builder.players.cores import FoundTurn, PlayOut, play_out_of, search_of
from kingdom_builder.players.hard import HardPlayer
from kingdom_builder.rules import END, Action, Observation, State

RACE_SHARE = 0.9
"""The share of the rest of the budget for rollouts, which do not check the clock."""

LEADERS = 150
"""Turns that are compared by what they leave to the opponents too."""


def greedy_turns(seen: Observation, turn: Sequence[Action], rounds: int) -> int:
    """The turns of a rollout that are played greedily: some of every seat, and the rest of this turn."""
    rest_of_turn = turn[-1] != END
    return rounds * seen.setup.players + rest_of_turn


class Candidate:
    """A turn that is followed by rollouts."""

    def __init__(self, line: FoundTurn, seat: int, search_weight: float) -> None:
        self.actions = line.moves(seat)
        self.expected = search_weight * line.worth
        """The lead that the search expects, as much as it counts."""
        self.results: list[float] = []
        """The result of each rollout."""

    def value(self) -> float:
        total = 0.0
        for result in self.results:
            total += result
        return self.expected + total / max(1, len(self.results))


class ExpertPlayer(HardPlayer):
    """Plays rollouts with many possible hidden cards and draws."""

    search_share, compare_share = 0.4, 0.5
    """The shares of the budget after which the search for turns ends, and then their comparison."""

    candidates = 12
    """Turns that are followed by rollouts, in heats: after each, the worse half of them drops out."""

    heats: tuple[int, ...] = (2, 2, 2)
    """For each heat, how many turns of every seat are greedy at the beginning of a rollout; the others are quick."""

    search_weight, rival_weight = 0.4, 0.5
    """How much the lead that the search expects counts beside the gold in rollouts, and how much the best opponent's
    gold counts there: it is mostly chance."""

    game_positions = 120
    """The cost of a rollout in positions."""

    def think(self, state: State) -> list[Action]:
        comparing = self.budget.share(self.compare_share)
        search = search_of(state, self.evaluator(state), self.budget.share(self.search_share), comparing)
        lines = diverse(search.run(LEADERS), state.player, self.candidates)
        candidates = [Candidate(search.completed(line), state.player, self.search_weight) for line in lines]
        if len(candidates) > 1:
            self._race(Observation.of(state), candidates)
        return candidates[0].actions

    def _race(self, seen: Observation, candidates: list[Candidate]) -> None:
        """Sort the candidates, best first; most of the worse ones drop out."""
        play_out = play_out_of(seen, self.evaluator(seen))
        for number, rounds in enumerate(self.heats):
            left = len(self.heats) - number
            may_spend = self.budget.share(RACE_SHARE / left)
            while self._play_round(seen, play_out, candidates, rounds, may_spend):
                pass
            candidates.sort(key=lambda candidate: -candidate.value())
            if left > 1:
                del candidates[max(2, (len(candidates) + 1) // 2) :]

    def _play_round(
        self, seen: Observation, play_out: PlayOut, candidates: list[Candidate], rounds: int, may_spend: Limit
    ) -> bool:
        """Play a rollout after each of the candidates, with the same draws; returns False if time ran out."""
        seed = self.rng.random()
        results = []
        for candidate in candidates:
            if not may_spend(self.game_positions):
                return False
            gold = play_out(candidate.actions, greedy_turns(seen, candidate.actions, rounds), seed)
            results.append(gold.pop(seen.player) - self.rival_weight * max(gold))
        for candidate, result in zip(candidates, results, strict=True):
            candidate.results.append(result)
        return True


def diverse(lines: Sequence[FoundTurn], seat: int, most: int) -> list[FoundTurn]:
    """The best lines, at most so many; at least half of them differ from all better ones by more than a settlement."""
    chosen: list[FoundTurn] = []
    alike = 0
    for line in lines:
        own = line.state.own[seat]
        if any((own ^ other.state.own[seat]).bit_count() <= 2 for other in chosen):
            alike += 1
            if alike > most // 2:
                continue
        chosen.append(line)
        if len(chosen) == most:
            break
    return chosen
