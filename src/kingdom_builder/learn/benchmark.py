"""The speed of the environments in decisions per CPU second, beside PettingZoo's Go in the same run."""

import gc
import warnings
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

from kingdom_builder.content import ALL_SETS
from kingdom_builder.learn import kingdom_builder_v0
from kingdom_builder.learn.vector import KingdomBuilderVector
from kingdom_builder.native import is_on

ROUNDS = 10
"""How often the environments take turns, so that a busy machine slows them all."""

BATCH = 64
VECTOR_STEPS = 400
"""Some four games each, so that all stages of a game count; the native core takes 40 ms for them."""

RATIOS = (
    ("aec", "go"),
    ("aec_raw", "go_raw"),
    ("vector_python", "aec"),
    ("vector_python", "aec_raw"),
    ("vector_native", "aec"),
    ("vector_native", "aec_raw"),
    ("vector_native", "vector_python"),
)

Measured = tuple[int, float]
"""Decisions, and the CPU time they took."""


def benchmark(rounds: int = ROUNDS) -> dict[str, float | str | None]:
    """Decisions of random players per CPU second, with observations and masks, and the ratios that are promised."""
    envs: dict[str, Callable[[int], Measured]] = {
        "aec": _played(kingdom_builder_v0.env()),
        "aec_raw": _played(kingdom_builder_v0.raw_env()),
        "aec_all_sets_4_players": _played(kingdom_builder_v0.env(players=4, sets=ALL_SETS)),
        "vector_python": _batched(KingdomBuilderVector(BATCH, copy=False, native=False)),
    }
    if is_on():
        envs["vector_native"] = _batched(KingdomBuilderVector(BATCH, copy=False))
    if (go := _go()) is not None:
        envs["go"] = _played(go.env())
        envs["go_raw"] = _played(go.raw_env())
    total: dict[str, list[float]] = {name: [0, 0] for name in envs}
    for number in range(rounds):
        for name, play_some in envs.items():
            gc.collect()  # what one leaves behind is not cleared away in the time of another
            decisions, seconds = play_some(number)
            total[name][0] += decisions
            total[name][1] += seconds
    speed = {name: decisions / seconds for name, (decisions, seconds) in total.items()}
    result: dict[str, float | str | None] = {f"{name}_decisions_per_cpu_second": round(speed[name]) for name in envs}
    for name, yardstick in RATIOS:
        known = name in speed and yardstick in speed
        result[f"{name}_to_{yardstick}_ratio"] = round(speed[name] / speed[yardstick], 2) if known else None
    return result


def _go() -> Any:
    """PettingZoo's Go; None where what it draws with is missing."""
    try:
        with warnings.catch_warnings(action="ignore"):
            from pettingzoo.classic import go_v5
    except ImportError:
        return None
    return go_v5


def _played(env: Any) -> Callable[[int], Measured]:
    """Plays a game of random legal actions."""

    def play(seed: int) -> Measured:
        began = process_time()
        env.reset(seed=seed)
        decisions = 0
        for agent in env.agent_iter():
            seen, _, is_over, is_cut, _ = env.last()
            if is_over or is_cut:
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(seen["action_mask"]))
                decisions += 1
        return decisions, process_time() - began

    return play


def _batched(envs: KingdomBuilderVector) -> Callable[[int], Measured]:
    """Plays some steps of random legal actions in all games of a batch.

    Choosing the actions is not measured: it takes numpy as long as the native core needs to play them.
    """
    rng = np.random.default_rng(0)
    masks, _ = envs.reset(seed=0)

    def play(number: int) -> Measured:
        nonlocal masks
        seconds = 0.0
        for _ in range(VECTOR_STEPS):
            chances = rng.random(masks["action_mask"].shape, np.float32)
            actions = (masks["action_mask"] * chances).argmax(1)
            began = process_time()
            masks, *_ = envs.step(actions)
            seconds += process_time() - began
        return BATCH * VECTOR_STEPS, seconds

    return play
