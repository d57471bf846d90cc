"""Statistics of random games, played on all cores."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import mean

from kingdom_builder import native
from kingdom_builder.content import random_setup
from kingdom_builder.message import seat_letter
from kingdom_builder.notation import action_text, position_of
from kingdom_builder.players import random_action, random_rollout
from kingdom_builder.pool import Pool
from kingdom_builder.rules import Setup, State, drive, scores
from kingdom_builder.rules.invariants import BrokenInvariant, check

BATCH = 50
"""Games that a worker plays before it reports."""

SHARES = 60
"""The shares of a victory, so that one to five seats can share it without fractions."""


@dataclass(frozen=True)
class Result:
    """How one game ended."""

    gold: tuple[int, ...]
    rounds: int
    cards: tuple[str, ...]


@dataclass(frozen=True)
class SeatSummary:
    seat: str
    games: int
    mean_gold: float
    wins: float
    """The share of its games that a seat won; a victory shared by n seats counts 1/n for each."""


@dataclass(frozen=True)
class Summary:
    """The summary of many games."""

    games: int
    mean_rounds: float
    seats: list[SeatSummary]
    mean_gold_with_card: dict[str, float]
    """The mean gold of a seat in the games that each card was in."""


def summarize(results: Sequence[Result]) -> Summary:
    """The summary of these games."""
    gold_of_seat: dict[int, list[int]] = {}
    wins_of_seat: Counter[int] = Counter()
    gold_with_card: dict[str, list[int]] = {}
    for result in results:
        best = [seat for seat, gold in enumerate(result.gold) if gold == max(result.gold)]
        for seat, gold in enumerate(result.gold):
            gold_of_seat.setdefault(seat, []).append(gold)
            wins_of_seat[seat] += (seat in best) * SHARES // len(best)
        for card in result.cards:
            gold_with_card.setdefault(card, []).extend(result.gold)
    return Summary(
        games=len(results),
        mean_rounds=round(mean(result.rounds for result in results), 2),
        seats=[
            SeatSummary(
                seat_letter(seat), len(gold), round(mean(gold), 2), round(wins_of_seat[seat] / SHARES / len(gold), 4)
            )
            for seat, gold in sorted(gold_of_seat.items())
        ],
        mean_gold_with_card={card: round(mean(gold), 2) for card, gold in sorted(gold_with_card.items())},
    )


@dataclass(frozen=True)
class Plan:
    """Which games to play: the numbers of players take turns, and each game has its own random numbers."""

    games: int
    players: Sequence[int] = (2,)
    seed: int = 0
    sets: Sequence[str] = ("base",)
    options: Sequence[str] = ()
    checked: bool = False
    """Whether to verify the invariants after every action."""


def simulate(plan: Plan, cores: int | None = None) -> Iterator[Result]:
    """The results of random games, in order. They do not depend on the number of cores."""
    batches = [range(first, min(first + BATCH, plan.games)) for first in range(0, plan.games, BATCH)]
    cores = cores or os.cpu_count() or 1
    if cores == 1 or len(batches) == 1:
        for batch in batches:
            yield from play_batch(plan, batch)
        return
    with Pool(min(cores, len(batches))) as pool:
        for future in [pool.submit(play_batch, plan, batch) for batch in batches]:
            yield from future.result()


def play_batch(plan: Plan, games: range) -> list[Result]:
    """Some of the games of a plan."""
    return [play_game(plan, game) for game in games]


def play_game(plan: Plan, game: int) -> Result:
    """One random game on a random board."""
    rng = Random(f"{plan.seed}/{game}")
    setup = random_setup(rng, plan.players[game % len(plan.players)], sets=plan.sets, options=plan.options)
    gold, rounds = _checked_game(setup, rng) if plan.checked else _game(setup, rng)
    return Result(tuple(gold), rounds, tuple(card.key for card in (*setup.cards, *setup.tasks)))


def _game(setup: Setup, rng: Random) -> tuple[list[int], int]:
    """The gold of each seat after a random game, and its rounds. The native core plays it where it can."""
    if native.is_on():
        from kingdom_builder.native.randoms import core_random
        from kingdom_builder.native.setups import native_setup
        from kingdom_builder.native.states import NativeState

        in_core = native_setup(setup)
        if in_core is not None:
            end = NativeState.new(in_core)
            end.random_rollout(core_random(rng))
            return end.scores(), end.round
    state = State(setup)
    random_rollout(state, rng.random)
    return scores(state), state.round


def _checked_game(setup: Setup, rng: Random) -> tuple[list[int], int]:
    """As `_game`, in Python, with the invariants verified after every action."""
    state = State(setup)
    before = position_of(state)
    for action in drive(state, lambda state: random_action(state, rng.random), rng.random):
        try:
            check(state)
        except BrokenInvariant as error:
            raise BrokenInvariant(f"{error}: after {action_text(state.setup, action)} from {before}") from None
        before = position_of(state)
    return scores(state), state.round
