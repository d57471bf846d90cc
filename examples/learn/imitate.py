"""Learns the full board from games of a stronger player, as a start for self-play.

kb learn dataset --play 1500 --players hard:200n,hard:200n --out games
python examples/learn/imitate.py games/data --seconds 1800 --out best.pt
python examples/learn/torch_to_onnx.py best.pt best.onnx
kb arena onnx:best.onnx greedy --games 200
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import torch
from network import Network, masked
from numpy.typing import NDArray
from torch import nn
from torch_to_onnx import save

from kingdom_builder import parse_position
from kingdom_builder.encoding import Encoder

Batch = dict[str, NDArray[np.generic]]

BATCH = 256


def read(folder: Path, share: float = 1.0) -> Batch:
    """All decisions of the files as arrays; boards are bits, or they would not fit into memory."""
    rows = []
    for file in sorted(folder.glob("*.parquet")):
        rows += pq.read_table(file, columns=["position", "action", "share"]).to_pylist()
    rows = rows[: int(len(rows) * share)]
    found: dict[str, list[NDArray[np.generic]]] = {name: [] for name in ("planes", "vector", "goal", "mask")}
    for row in rows:
        state = parse_position(row["position"])
        seen = Encoder(state.setup).observation(state, state.player)
        found["planes"].append(np.packbits(np.minimum(seen["planes"], 1)))
        found["vector"].append(seen["vector"].astype(np.float16))
        found["goal"].append(seen["goal"])
        found["mask"].append(seen["action_mask"])
    arrays: Batch = {name: np.stack(each) for name, each in found.items()}
    arrays["action"] = np.array([row["action"] for row in rows], np.int64)
    arrays["won"] = np.array([2 * row["share"] - 1 for row in rows], np.float32)
    return arrays


def batches(data: Batch, rng: np.random.Generator) -> Iterator[dict[str, torch.Tensor]]:
    """Random batches without end; every second one has its boards turned by 180 degrees."""
    number = 0
    while True:
        chosen = rng.integers(0, len(data["action"]), BATCH)
        batch = tensors(data, chosen)
        yield turned(batch) if number % 2 else batch
        number += 1


def tensors(data: Batch, chosen: NDArray[np.int64]) -> dict[str, torch.Tensor]:
    """Some decisions as tensors."""
    batch = {name: torch.from_numpy(array[chosen]) for name, array in data.items() if name != "planes"}
    planes = np.unpackbits(data["planes"][chosen].astype(np.uint8), axis=1).reshape(len(chosen), -1, 20, 20)
    batch["planes"] = torch.from_numpy(planes).float()
    return batch


def turned(batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The same decisions on turned boards: a turned map is the same game."""
    action, mask = batch["action"].clone(), batch["mask"].clone()
    is_hex = action < 400
    action[is_hex] = 399 - action[is_hex]
    mask[:, :400] = mask[:, :400].flip(1)
    return {**batch, "planes": batch["planes"].flip(2, 3), "action": action, "mask": mask}


def train(data: Batch, seconds: float, network: Network, rate: float = 2e-3) -> None:
    """Let a network learn for some seconds; every twentieth decision is kept for a test."""
    rng = np.random.default_rng(0)
    is_test = np.arange(len(data["action"])) % 20 == 0
    training = {name: array[~is_test] for name, array in data.items()}
    test = tensors({name: array[is_test][:2000] for name, array in data.items()}, np.arange(min(2000, is_test.sum())))
    optimizer = torch.optim.AdamW(network.parameters(), rate, weight_decay=1e-4)
    began = told = time.monotonic()
    for number, batch in enumerate(batches(training, rng)):
        gone = time.monotonic() - began
        if gone > seconds:
            return
        for group in optimizer.param_groups:
            group["lr"] = rate * max(0.02, 1 - gone / seconds)
        policy, value = network(batch["planes"], batch["vector"], batch["goal"])
        loss = nn.functional.cross_entropy(masked(policy, batch["mask"]), batch["action"])
        loss = loss + 0.25 * nn.functional.mse_loss(value, batch["won"].float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if time.monotonic() - told > max(seconds / 20, 1):
            told = time.monotonic()
            with torch.no_grad():
                policy, _ = network(test["planes"], test["vector"], test["goal"])
            same = (masked(policy, test["mask"]).argmax(1) == test["action"]).float().mean()
            print(f"{gone:5.0f} s  {number:6} batches  loss {loss.item():.3f}  {100 * same:.1f} % the same", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder data/ that kb learn dataset has written")
    parser.add_argument("--seconds", type=float, default=1800, help="how long it learns (default 1800)")
    parser.add_argument("--share", type=float, default=1.0, help="the share of the decisions to read (default 1)")
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("best.pt"))
    arguments = parser.parse_args()
    torch.manual_seed(7)
    torch.set_num_threads(arguments.threads)
    data = read(arguments.folder, arguments.share)
    print(f"{len(data['action'])} decisions")
    network = Network(arguments.channels, arguments.layers)
    train(data, arguments.seconds, network)
    save(network, arguments.out)


if __name__ == "__main__":
    main()
