"""The speed of the engine in CPU time of one process, compared with a yardstick measured in the same run."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from random import Random
from time import process_time
from typing import Any, TypeVar

from kingdom_builder.content import ALL_SETS, random_setup
from kingdom_builder.game import Game
from kingdom_builder.players import random_action, random_rollout
from kingdom_builder.rules import Action, Setup, State, scores

SETUPS = 60
ROUNDS = 30
"""How often the yardstick and the engine take turns, so that a busy machine slows both."""


def benchmark(games: int = 3000, seed: int = 7) -> dict[str, float | str | None]:
    """Games per CPU second, the ratio to OpenSpiel's Hex, and the microseconds of single operations."""
    rng = Random(seed)
    setups = [random_setup(rng) for _ in range(SETUPS)]
    mixed = [random_setup(rng, sets=ALL_SETS) for _ in range(SETUPS)]
    a_round = max(1, games // ROUNDS)
    hex_playout = _openspiel_hex(rng)
    ours = all_sets = yardstick = 0.0
    for number in range(ROUNDS):
        began = process_time()
        for i in range(a_round):
            _play_game(setups[(number * a_round + i) % SETUPS], rng)
        played = process_time()
        ours += played - began
        for i in range(a_round):
            _play_game(mixed[(number * a_round + i) % SETUPS], rng)
        played_mixed = process_time()
        all_sets += played_mixed - played
        if hex_playout is not None:
            _repeat(hex_playout, a_round)
            yardstick += process_time() - played_mixed
    return {
        "games_per_cpu_second": round(ROUNDS * a_round / ours, 1),
        "all_sets_games_per_cpu_second": round(ROUNDS * a_round / all_sets, 1),
        "openspiel_version": _openspiel_version() if hex_playout else None,
        "openspiel_hex_games_per_cpu_second": round(ROUNDS * a_round / yardstick, 1) if yardstick else None,
        "openspiel_hex_ratio": round(yardstick / ours, 3) if yardstick else None,
        **{f"{name}_microseconds": round(1e6 * seconds, 3) for name, seconds in _operations(setups, rng)},
        "cli_help_seconds": round(_cli_help_seconds(), 3),
    }


def _play_game(setup: Setup, rng: Random) -> None:
    state = State(setup)
    random_rollout(state, rng.random)
    scores(state)


def _repeat(work: Callable[[], object], times: int) -> None:
    for _ in range(times):
        work()


def _openspiel_version() -> str:
    from importlib.metadata import version

    return version("open_spiel")


def _openspiel_hex(rng: Random) -> Callable[[], object] | None:
    """A random playout of Hex on 11 x 11, driven from Python; None without OpenSpiel."""
    try:
        import pyspiel  # pyright: ignore[reportMissingImports]: optional
    except ImportError:
        return None
    game: Any = pyspiel.load_game("hex(board_size=11)")
    random = rng.random

    def hex_playout() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(random() * len(legal))])
        state.returns()

    return hex_playout


def _operations(setups: list[Setup], rng: Random) -> Iterator[tuple[str, float]]:
    """The mean seconds of single operations over the states of random games."""
    games = [_recorded_game(setup, rng) for setup in setups]
    states = [state for states, _ in games for state in states]
    steps = [
        (state.copy(), action) for states, actions in games for state, action in zip(states, actions, strict=False)
    ]
    finals = [states[-1] for states, _ in games]
    for state in states:
        state._legal = None
    yield "copy", _mean_seconds(State.copy, states)
    yield "legal", _mean_seconds(State.legal, states)
    yield "apply", _mean_seconds(lambda step: step[0].apply(step[1]), steps)
    yield "score", _mean_seconds(scores, finals)
    yield "setup", _mean_seconds(random_setup, [rng] * SETUPS)


T = TypeVar("T")


def _mean_seconds(operation: Callable[[T], object], subjects: list[T]) -> float:
    began = process_time()
    for subject in subjects:
        operation(subject)
    return (process_time() - began) / len(subjects)


def _recorded_game(setup: Setup, rng: Random) -> tuple[list[State], list[Action]]:
    """All states of a random game, with their legal actions already computed, and the actions between them."""
    game = Game(State(setup), rng)
    for _ in game.run(lambda state: random_action(state, rng.random)):
        pass
    states = game.states()
    for state in states:
        state.legal()
    return states, game.actions()


def _cli_help_seconds() -> float:
    """CPU time of `kb --help`, the best of five."""
    times = []
    for _ in range(5):
        before = os.times()
        subprocess.run([sys.executable, "-m", "kingdom_builder", "--help"], check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        times.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(times)
