"""Random games in numbers, on all cores."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from random import Random
from statistics import mean

from kingdom_builder.content import random_setup
from kingdom_builder.notation import action_text, position_of
from kingdom_builder.players import playout, random_action
from kingdom_builder.rules import State, random_draw, scores
from kingdom_builder.rules.explanation import seat_letter
from kingdom_builder.rules.invariants import BrokenInvariant, check

BATCH = 50
"""Games that a worker plays before it reports."""


@dataclass(frozen=True)
class Result:
    """How one game ended."""

    gold: tuple[int, ...]
    rounds: int
    cards: tuple[str, ...]


@dataclass(frozen=True)
class SeatSummary:
    seat: str
    mean_gold: float
    wins: float
    """The share of games won; a victory shared by n seats counts 1/n for each."""


@dataclass(frozen=True)
class Summary:
    """Many games in a few numbers."""

    games: int
    mean_rounds: float
    seats: list[SeatSummary]
    mean_gold_with_card: dict[str, float]
    """The mean gold of a seat in the games that each card was in."""


def summarize(results: Sequence[Result]) -> Summary:
    """The numbers of these games."""
    wins = [0.0] * len(results[0].gold)
    gold_with_card: dict[str, list[int]] = {}
    for result in results:
        best = [seat for seat, gold in enumerate(result.gold) if gold == max(result.gold)]
        for seat in best:
            wins[seat] += 1 / len(best)
        for card in result.cards:
            gold_with_card.setdefault(card, []).extend(result.gold)
    return Summary(
        games=len(results),
        mean_rounds=round(mean(result.rounds for result in results), 2),
        seats=[
            SeatSummary(
                seat_letter(seat), round(mean(result.gold[seat] for result in results), 2), round(won / len(results), 4)
            )
            for seat, won in enumerate(wins)
        ],
        mean_gold_with_card={card: round(mean(gold), 2) for card, gold in sorted(gold_with_card.items())},
    )


def simulate(
    games: int, players: int, seed: int, *, checked: bool = False, options: Sequence[str] = (), cores: int | None = None
) -> Iterator[Result]:
    """The results of random games, in order. The same seed gives the same games whatever the number of cores.

    With `checked` the invariants are verified after every action.
    """
    batches = [(first, min(first + BATCH, games)) for first in range(0, games, BATCH)]
    cores = cores or os.cpu_count() or 1
    if cores == 1 or len(batches) == 1:
        for first, end in batches:
            yield from _play_batch(first, end, players, seed, checked, options)
        return
    with ProcessPoolExecutor(min(cores, len(batches))) as executor:
        yield from _spread(executor, batches, players, seed, checked, options)


def _spread(
    executor: Executor,
    batches: list[tuple[int, int]],
    players: int,
    seed: int,
    checked: bool,
    options: Sequence[str],
) -> Iterator[Result]:
    futures = [executor.submit(_play_batch, first, end, players, seed, checked, options) for first, end in batches]
    try:
        for future in futures:
            yield from future.result()
    finally:
        for future in futures:
            future.cancel()


def _play_batch(first: int, end: int, players: int, seed: int, checked: bool, options: Sequence[str]) -> list[Result]:
    return [play_game(Random(f"{seed}/{game}"), players, checked, options) for game in range(first, end)]


def play_game(rng: Random, players: int, checked: bool = False, options: Sequence[str] = ()) -> Result:
    """One random game on a random board."""
    setup = random_setup(rng, players, options=options)
    state = State(setup)
    if checked:
        _checked_playout(state, rng)
    else:
        playout(state, rng.random)
    return Result(tuple(scores(state)), state.round, tuple(card.key for card in setup.cards))


def _checked_playout(state: State, rng: Random) -> None:
    while not state.over:
        action = random_draw(state, rng.random) if state.awaiting else random_action(state, rng.random)
        before = position_of(state)
        state.apply(action)
        try:
            check(state)
        except BrokenInvariant as error:
            raise BrokenInvariant(f"{error}: after {action_text(state.setup, action)} from {before}") from None
