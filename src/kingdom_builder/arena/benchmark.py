"""The speed of the engine in CPU time of one process, compared with a yardstick measured in the same run."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from time import process_time
from typing import Any, TypeVar

from kingdom_builder import native
from kingdom_builder.content import ALL_SETS, random_setup
from kingdom_builder.game import Game
from kingdom_builder.hexes import nth
from kingdom_builder.players import random_action, random_rollout
from kingdom_builder.rules import Action, Setup, State, scores

SETUPS = 60
ROUNDS = 30
"""How often the yardstick and the cores take turns, so that a busy machine slows them all."""


def benchmark(games: int = 3000, seed: int = 7) -> dict[str, float | str | None]:
    """Games per CPU second in both cores, the ratios between them and to OpenSpiel's Hex, and single operations."""
    rng = Random(seed)
    setups = [random_setup(rng) for _ in range(SETUPS)]
    mixed = [random_setup(rng, sets=ALL_SETS) for _ in range(SETUPS)]
    hex_playout = _openspiel_hex(rng)
    work: dict[str, Callable[[int], object]] = {
        "python": lambda i: _play_game(setups[i], rng),
        "python, all sets": lambda i: _play_game(mixed[i], rng),
    }
    if native.is_on():
        work |= _in_core(setups, mixed, rng, seed)
    if hex_playout is not None:
        work["hex"] = lambda _: hex_playout()
    speed = _speeds(work, max(1, games // ROUNDS))
    return {
        "games_per_cpu_second": _rounded(speed, "python"),
        "all_sets_games_per_cpu_second": _rounded(speed, "python, all sets"),
        "native_games_per_cpu_second": _rounded(speed, "native"),
        "native_all_sets_games_per_cpu_second": _rounded(speed, "native, all sets"),
        "native_stepped_games_per_cpu_second": _rounded(speed, "native, stepped"),
        "native_picked_games_per_cpu_second": _rounded(speed, "native, picked"),
        "native_ratio": _ratio(speed, "native", "python"),
        "native_all_sets_ratio": _ratio(speed, "native, all sets", "python, all sets"),
        "native_stepped_ratio": _ratio(speed, "native, stepped", "python"),
        "native_picked_ratio": _ratio(speed, "native, picked", "python"),
        "openspiel_version": _openspiel_version() if hex_playout else None,
        "openspiel_hex_games_per_cpu_second": _rounded(speed, "hex"),
        "openspiel_hex_ratio": _ratio(speed, "python", "hex"),
        "native_openspiel_hex_ratio": _ratio(speed, "native", "hex"),
        "native_stepped_openspiel_hex_ratio": _ratio(speed, "native, stepped", "hex"),
        **{f"{name}_microseconds": round(1e6 * seconds, 3) for name, seconds in _operations(setups, rng)},
        "cli_help_seconds": round(_cli_help_seconds(), 3),
    }


def _speeds(work: Mapping[str, Callable[[int], object]], a_round: int) -> dict[str, float]:
    """How often a CPU second has time for each kind of work, which is done for one setup after the other."""
    spent = dict.fromkeys(work, 0.0)
    for number in range(ROUNDS):
        for name, work_on in work.items():
            began = process_time()
            for i in range(number * a_round, (number + 1) * a_round):
                work_on(i % SETUPS)
            spent[name] += process_time() - began
    return {name: ROUNDS * a_round / seconds for name, seconds in spent.items()}


def _rounded(speed: Mapping[str, float], name: str) -> float | None:
    return round(speed[name], 1) if name in speed else None


def _ratio(speed: Mapping[str, float], name: str, yardstick: str) -> float | None:
    return round(speed[name] / speed[yardstick], 3) if name in speed and yardstick in speed else None


def _play_game(setup: Setup, rng: Random) -> None:
    state = State(setup)
    random_rollout(state, rng.random)
    scores(state)


def _in_core(
    setups: Sequence[Setup], mixed: Sequence[Setup], rng: Random, seed: int
) -> dict[str, Callable[[int], object]]:
    """Games in the native core: whole ones; driven from Python, with the choice in the core, and in Python."""
    from kingdom_builder.native.setups import of_setup
    from kingdom_builder.native.states import NativeState, random_of

    in_core, mixed_in_core = [[of_setup(setup) for setup in each] for each in (setups, mixed)]
    core_rng, random = random_of(seed), rng.random

    def play_inside(state: NativeState) -> None:
        state.random_rollout(core_rng)
        state.scores()

    def step(state: NativeState) -> None:
        while not state.over:
            state.legal()
            state.apply(state.choose(random()))
        state.scores()

    def pick(state: NativeState) -> None:
        apply, legal_actions = state.apply, state.legal  # as in `random_rollout`
        while not state.over:
            if state.is_drawing:
                apply(state.choose(random()))
                continue
            legal = legal_actions()
            choices = legal.bit_count()
            chosen = int(random() * choices) if choices > 1 else 0
            if chosen > 7:
                apply(nth(legal, chosen))
                continue
            while chosen:
                legal &= legal - 1
                chosen -= 1
            apply((legal & -legal).bit_length() - 1)
        state.scores()

    return {
        "native": lambda i: play_inside(NativeState.new(in_core[i])),
        "native, all sets": lambda i: play_inside(NativeState.new(mixed_in_core[i])),
        "native, stepped": lambda i: step(NativeState.new(in_core[i])),
        "native, picked": lambda i: pick(NativeState.new(in_core[i])),
    }


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
