"""Self-play on the full board: a network plays all seats of many games at once and learns from who wins (PPO).

    python examples/learn/selfplay.py --start best.pt --seconds 1800 --out stronger.pt
    python examples/learn/torch_to_onnx.py stronger.pt stronger.onnx
    kb arena onnx:stronger.onnx onnx:best.onnx greedy --games 200

Without `--start` it begins with a network that knows nothing, and takes hours. The value of a position is for the seat
that looks; when the turn passes to the other seat, what is good for one is bad for the other.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from network import Network, masked
from torch import Tensor, nn
from torch_to_onnx import load, save

from kingdom_builder.learn.vector import KingdomBuilderVector

GAMES = 64
STEPS = 32
"""Decisions in each game between two updates."""
CLIP, EPOCHS, MINIBATCH = 0.2, 2, 512
DECAY = 0.97
"""How far the outcome of a game reaches back, beside the values on the way (lambda of GAE)."""


@dataclass
class Collected:
    """What a network did, and what came of it."""

    seen: dict[str, Tensor]
    actions: Tensor
    chances: Tensor
    """The logarithm of the probability of each action when it was chosen."""
    advantages: Tensor
    returns: Tensor


def tensors(seen: dict[str, np.ndarray]) -> dict[str, Tensor]:
    """Observations as tensors."""
    return {name: torch.from_numpy(array) for name, array in seen.items()}


class Collector:
    """Plays games with a network against itself."""

    def __init__(self, envs: KingdomBuilderVector, seed: int) -> None:
        self._envs = envs
        self._seen, info = envs.reset(seed=seed)
        self._seats = info["seat"]
        self.games = 0

    @torch.no_grad()
    def collect(self, network: Network) -> Collected:
        """Some decisions in all games."""
        kept: list[dict[str, Tensor]] = []
        actions, chances, values, rewards, overs, seats = [], [], [], [], [], []
        for _ in range(STEPS):
            seen = tensors(self._seen)
            policy, value = network(seen["planes"], seen["vector"], seen["goal"])
            choice = torch.distributions.Categorical(logits=masked(policy, seen["action_mask"]))
            action = choice.sample()
            kept.append(seen)
            actions.append(action)
            chances.append(choice.log_prob(action))
            values.append(value)
            seats.append(torch.from_numpy(self._seats.astype(np.int64)))
            self._seen, reward, over, _, info = self._envs.step(action.numpy())
            self._seats = info["seat"]
            rewards.append(torch.from_numpy(reward).float())
            overs.append(torch.from_numpy(over))
            self.games += int(over.sum())
        last = tensors(self._seen)
        _, value = network(last["planes"], last["vector"], last["goal"])
        seats.append(torch.from_numpy(self._seats.astype(np.int64)))
        advantages = self._advantages(rewards, overs, [*values, value], seats)
        return Collected(
            {name: torch.cat([each[name] for each in kept]) for name in kept[0]},
            torch.cat(actions),
            torch.cat(chances),
            torch.cat(advantages),
            torch.cat([advantage + value for advantage, value in zip(advantages, values, strict=False)]),
        )

    def _advantages(
        self, rewards: list[Tensor], overs: list[Tensor], values: list[Tensor], seats: list[Tensor]
    ) -> list[Tensor]:
        """How much better each action was than expected (GAE), from the side of the seat that chose it."""
        advantages: list[Tensor] = []
        following = torch.zeros(len(values[0]))
        for step in reversed(range(len(rewards))):
            same = torch.where(seats[step] == seats[step + 1], 1.0, -1.0)
            goes_on = (~overs[step]).float() * same
            surprise = rewards[step] + goes_on * values[step + 1] - values[step]
            following = surprise + DECAY * goes_on * following
            advantages.insert(0, following)
        return advantages


def update(network: Network, optimizer: torch.optim.Optimizer, data: Collected, entropy: float) -> float:
    """Let the network learn from what was collected; returns the mean loss."""
    losses = []
    advantages = (data.advantages - data.advantages.mean()) / (data.advantages.std() + 1e-6)
    for _ in range(EPOCHS):
        for chosen in torch.randperm(len(data.actions)).split(MINIBATCH):
            seen = {name: array[chosen] for name, array in data.seen.items()}
            policy, value = network(seen["planes"], seen["vector"], seen["goal"])
            choice = torch.distributions.Categorical(logits=masked(policy, seen["action_mask"]))
            ratio = torch.exp(choice.log_prob(data.actions[chosen]) - data.chances[chosen])
            gain = advantages[chosen]
            loss = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            loss = loss + 0.5 * nn.functional.mse_loss(value, data.returns[chosen]) - entropy * choice.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
            losses.append(loss.item())
    return float(np.mean(losses))


def train(network: Network, seconds: float, seed: int, rate: float, entropy: float = 0.003) -> int:
    """Let a network play against itself for some seconds; returns how many games it has finished."""
    torch.manual_seed(seed)
    optimizer = torch.optim.Adam(network.parameters(), rate)
    collector = Collector(KingdomBuilderVector(GAMES), seed)
    began = told = time.monotonic()
    while time.monotonic() - began < seconds:
        loss = update(network, optimizer, collector.collect(network), entropy)
        if time.monotonic() - told > max(seconds / 20, 1):
            told = time.monotonic()
            print(f"{told - began:5.0f} s  {collector.games:6} games  loss {loss:.3f}", flush=True)
    return collector.games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=Path, help="a network to begin with, such as one of imitate.py")
    parser.add_argument("--seconds", type=float, default=1800, help="how long it learns (default 1800)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rate", type=float, default=2e-4, help="the learning rate (default 0.0002)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("selfplay.pt"))
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    network = load(arguments.start) if arguments.start else Network()
    games = train(network, arguments.seconds, arguments.seed, arguments.rate)
    print(f"{games} games")
    save(network, arguments.out)


if __name__ == "__main__":
    main()
