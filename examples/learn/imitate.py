"""Learns the full board from a search, which says how good each legal action is.

    python examples/learn/imitate.py --seconds 3600 --out best.pt
    python examples/learn/torch_to_onnx.py best.pt best.onnx
    kb arena onnx:best.onnx greedy --games 200

Games are played while the network learns (`practice.py`): at first by the search alone, later by the network too. What
is told on the way is measured on new games, before the network learns from them.
"""

import argparse
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from network import Network, masked
from practice import UNKNOWN, Arrays, play, tensors, turned
from torch import Tensor, nn
from torch_to_onnx import load, save

BATCH = 128
SHARPNESS = 2.0
"""The network is to choose an action that is worth one gold more e to the power of this times as often."""
AHEAD = 30.0
"""How much gold ahead is nearly a victory, for the value of a position."""
OWN_SEATS = 0.6
"""The share of the seats that the network plays, after the first sixth of the time."""


class Memory:
    """The latest decisions."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._arrays: Arrays = {}
        self.seen = 0
        """The decisions that were ever added."""

    def add(self, new: Arrays) -> None:
        """Take in decisions; the oldest ones make room."""
        if not self._arrays:
            self._arrays = {name: np.zeros((self._size, *array.shape[1:]), array.dtype) for name, array in new.items()}
        places = np.arange(self.seen, self.seen + len(new["gold"])) % self._size
        for name, array in new.items():
            self._arrays[name][places] = array
        self.seen += len(places)

    def draw(self, rng: np.random.Generator) -> dict[str, Tensor]:
        """A random batch."""
        chosen = rng.integers(0, min(self.seen, self._size), BATCH)
        return tensors({name: array[chosen] for name, array in self._arrays.items()})


class Learner:
    """Lets a network learn for some seconds, with a rate that goes down to nothing."""

    def __init__(self, network: Network, seconds: float, rate: float) -> None:
        self._network = network
        self._optimizer = torch.optim.AdamW(network.parameters(), rate, weight_decay=1e-4)
        self._seconds, self._rate = seconds, rate
        self.batches = 0

    def learn(self, batch: dict[str, Tensor], gone: float) -> None:
        """Learn from a batch; every second one is turned."""
        self.batches += 1
        if self.batches % 2:
            batch = turned(batch)
        for group in self._optimizer.param_groups:
            group["lr"] = self._rate * min(1, self.batches / 200) * max(0.01, 1 - gone / self._seconds)
        with torch.autocast("cpu", torch.bfloat16):  # half as precise, and faster
            policy, value = self._network(batch["planes"], batch["vector"], batch["goal"])
        aim = torch.softmax(batch["gold"].float() * SHARPNESS, 1)
        loss = nn.functional.cross_entropy(masked(policy.float(), batch["gold"] > -torch.inf), aim)
        loss = loss + nn.functional.mse_loss(value, torch.tanh(batch["ahead"][:, 0] / AHEAD))
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self._network.parameters(), 1.0)
        self._optimizer.step()

    @torch.no_grad()
    def test(self, batch: dict[str, Tensor]) -> tuple[float, float]:
        """The share of best choices, and the gold that a choice loses on average.

        An action that the search has not found counts as the least of those that it has.
        """
        policy, _ = self._network(batch["planes"], batch["vector"], batch["goal"])
        gold = batch["gold"].float()
        least = torch.where(gold > UNKNOWN, gold, 0).amin(1)
        choice = masked(policy, gold > -torch.inf).argmax(1, keepdim=True)
        lost = -torch.maximum(gold.gather(1, choice)[:, 0], least)
        return (lost < 0.05).float().mean().item(), lost.mean().item()


def train(network: Network, arguments: argparse.Namespace) -> None:
    """Let workers play and the network learn at the same time."""
    rng = np.random.default_rng(arguments.seed)
    memory = Memory(arguments.memory)
    learner = Learner(network, arguments.seconds, arguments.rate)
    seeds = count(arguments.seed * 1_000_000)
    playing: set[Future[Arrays]] = set()
    tests: list[tuple[float, float]] = []
    began, gone, told = 0.0, 0.0, 0.0
    save(network, arguments.out)
    with ProcessPoolExecutor(arguments.workers, get_context("spawn")) as pool:
        while gone < arguments.seconds:
            is_early = arguments.start is None and gone < arguments.seconds / 6
            while len(playing) < arguments.workers:
                share = 0.0 if is_early else OWN_SEATS
                task = next(seeds), arguments.games, arguments.positions, arguments.out, share
                playing.add(pool.submit(play, *task))
            done, playing = wait(playing, 0 if began else None, FIRST_COMPLETED)
            for each in done:
                new = each.result()
                tests.append(learner.test(tensors({name: array[::8] for name, array in new.items()})))
                memory.add(new)
            began = began or time.monotonic()
            learner.learn(memory.draw(rng), gone)
            gone = time.monotonic() - began
            if tests and gone > told + arguments.seconds / 50:
                save(network, arguments.out)
                best, lost = np.mean(tests, 0)
                text = f"{100 * best:.1f} % best choices, {lost:.2f} gold lost"
                print(f"{gone:5.0f} s  {memory.seen:8} decisions  {learner.batches:6} batches  {text}", flush=True)
                told, tests = gone, []
    save(network, arguments.out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=Path, help="a network to go on with")
    parser.add_argument("--seconds", type=float, default=3600, help="how long it learns (default 3600)")
    parser.add_argument("--positions", type=int, default=400, help="how many the search looks at (default 400)")
    parser.add_argument("--games", type=int, default=24, help="games that are played side by side (default 24)")
    parser.add_argument("--memory", type=int, default=600_000, help="decisions to keep, 6 kB each (default 600000)")
    parser.add_argument("--workers", type=int, default=1, help="processes that play games (default 1)")
    parser.add_argument("--threads", type=int, default=1, help="threads that learn (default 1)")
    parser.add_argument("--rate", type=float, default=1.5e-3, help="the learning rate (default 0.0015)")
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=Path("best.pt"))
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    train(load(arguments.start) if arguments.start else Network(arguments.channels, arguments.layers), arguments)


if __name__ == "__main__":
    main()
