"""Learns a small drawn map with MaskablePPO until it beats `random`: two minutes of CPU time.

    pip install "kingdom-builder[examples]"
    python examples/learn/ppo_small.py --decisions 160000 --seconds 1200 --out small.zip --curve small.csv

The map has 7 x 7 hexes and two towers, the goal is three cards, the opponent plays any legal move. What matters: the
observation is cut to the map, the reward is the lead in gold and not the rare victory, and illegal actions are masked.
"""

import argparse
import csv
import math
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

from kingdom_builder import Board, make_setup
from kingdom_builder.encoding import Arrays
from kingdom_builder.learn.games import Games, Reward
from kingdom_builder.learn.single import KingdomBuilderSingle

MAP = ["GGGGDDD", "GGGDDD1", "TTKWWDD", "TTTWKCC", "TTFFFCC", "1FFFFCC", "FFKGGCC"]
SIDE = len(MAP)
CARDS = ("fishermen", "workers", "hermits")
SETUP = make_setup(Board(MAP, ["tower"]), CARDS)
TESTED = 100_000
"""Seeds from here on are for testing only."""


class Small(gymnasium.Wrapper[NDArray[np.float32], int, Any, Any]):
    """The environment with observations that are cut to the map and laid out as one row of numbers."""

    def __init__(self, opponent: str = "random", reward: Reward = "lead") -> None:
        self.single = KingdomBuilderSingle([opponent], games=Games(setup=SETUP), reward=reward)
        super().__init__(self.single)
        size = len(self._row(self.single.reset(seed=0)[0]))
        self.observation_space = spaces.Box(-np.inf, np.inf, (size,), np.float32)

    def reset(self, **options: Any) -> tuple[NDArray[np.float32], dict[str, Any]]:
        seen, info = self.single.reset(**options)
        return self._row(seen), info

    def step(self, action: int) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        seen, reward, is_over, is_cut, info = self.single.step(action)
        return self._row(seen), reward / 10, is_over, is_cut, info

    def action_masks(self) -> NDArray[np.bool_]:
        return self.single.action_masks()

    def _row(self, seen: Arrays) -> NDArray[np.float32]:
        planes = seen["planes"][:, :SIDE, :SIDE].reshape(-1).astype(np.float32)
        vector: NDArray[np.float32] = seen["vector"].astype(np.float32)
        return np.concatenate([planes, vector])


def play_games(choose: Callable[[NDArray[np.float32], NDArray[np.bool_]], int], games: int) -> float:
    """The share of games that a policy wins against `random`; a shared victory is half of one."""
    env = Small("random", "victory")
    won = 0.0
    for game in range(games):
        seen, _ = env.reset(seed=TESTED + game)
        info: dict[str, Any] = {}
        is_over = False
        while not is_over:
            seen, _, is_over, _, info = env.step(choose(seen, env.action_masks()))
        won += (info["seat"] in info["winners"]) / len(info["winners"])
    return won / games


def policy_of(model: MaskablePPO) -> Callable[[NDArray[np.float32], NDArray[np.bool_]], int]:
    """The model as a policy without chance."""
    return lambda seen, masks: int(model.predict(seen, action_masks=masks, deterministic=True)[0])


class Curve(BaseCallback):
    """Ends the training after some seconds or decisions, and notes the win rate now and then."""

    def __init__(self, seconds: float, every: float, games: int, decisions: float = math.inf) -> None:
        super().__init__()
        self.rows: list[tuple[int, int, float]] = []
        """Seconds, decisions, win rate."""
        self._seconds, self._every, self._games, self._decisions = seconds, every, games, decisions
        self._began = time.monotonic()
        self._next = every

    def _on_step(self) -> bool:
        gone = time.monotonic() - self._began
        if gone >= self._next:
            assert isinstance(self.model, MaskablePPO)
            rate = play_games(policy_of(self.model), self._games)
            self.rows.append((round(gone), self.num_timesteps, rate))
            print(f"{gone:4.0f} s  {self.num_timesteps:7} decisions  {100 * rate:.0f} % won")
            self._next = gone + self._every
        return gone < self._seconds and self.num_timesteps < self._decisions


def train(seed: int, curve: Curve) -> MaskablePPO:
    """A model that has learned until the curve ends. It follows from the seed and the number of decisions."""
    torch.set_num_threads(1)  # the network is small: more threads wait for each other
    envs = DummyVecEnv([lambda: Monitor(Small()) for _ in range(8)])
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=256,
        batch_size=256,
        n_epochs=4,
        gamma=1.0,
        learning_rate=5e-4,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 128]},
        seed=seed,
        device="cpu",
    )
    model.learn(10**9, callback=curve)
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=200, help="how long it learns (default 200)")
    parser.add_argument(
        "--decisions", type=float, default=math.inf, help="it ends earlier with so many: the same model on every run"
    )
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--games", type=int, default=200, help="games of the test at the end (default 200)")
    parser.add_argument("--out", type=Path, help="where the model is stored")
    parser.add_argument("--curve", type=Path, help="where the win rates are stored, as a table")
    arguments = parser.parse_args()
    rng = Random(arguments.seed)
    before = play_games(lambda _, masks: rng.choice(np.flatnonzero(masks).tolist()), arguments.games)
    print(f"random wins {100 * before:.0f} % of {arguments.games} games")
    curve = Curve(arguments.seconds, max(arguments.seconds / 10, 1), 50, arguments.decisions)
    model = train(arguments.seed, curve)
    rate = play_games(policy_of(model), arguments.games)
    print(f"the model wins {100 * rate:.1f} % of {arguments.games} games after {model.num_timesteps} decisions")
    if arguments.out:
        model.save(arguments.out)
    if arguments.curve:
        with arguments.curve.open("w", newline="") as file:
            csv.writer(file).writerows([("seconds", "decisions", "won"), *curve.rows])


if __name__ == "__main__":
    main()
