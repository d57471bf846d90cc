"""Games for learning: a search and a network play them, and the search judges every position in them.

The network has to learn what to do in the positions that it comes to itself, not only in those of good players.
"""

from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import torch
from network import Network, masked
from numpy.typing import NDArray
from teacher import Teacher
from torch import Tensor
from torch_to_onnx import load

from kingdom_builder.encoding import PLANES
from kingdom_builder.encoding.spaces import HEXES, PLANE
from kingdom_builder.hexes import COLS, ROWS
from kingdom_builder.learn.games import Games, Run, begin
from kingdom_builder.rules import END, Action

Arrays = dict[str, NDArray[np.generic]]

ADVENTURE = 0.1
"""How often the search plays any action that it has found, and how often it plays in place of the network."""
UNKNOWN = -60_000
"""The gold of a legal action that the search has not found; that of the best one is 0, of one not legal -inf."""
NUMBERS = [PLANE["location"], PLANE["kind"], PLANE["tiles left"]]
"""The planes that are not zeros and ones."""
BITS = [number for number in range(len(PLANES)) if number not in NUMBERS]


@dataclass
class Game:
    """A game that is being played, with the seats of the network, and what is chosen next."""

    run: Run
    teacher: Teacher
    network: list[bool]
    choice: Action = END

    def goes_on(self) -> bool:
        """Play as long as there is nothing to choose; whether the game goes on."""
        state = self.run.state
        while not state.over and not (legal := state.legal()) & legal - 1:
            self.run.act(legal.bit_length() - 1)
        return not state.over


def play(seed: int, count: int, positions: int, file: Path, share: float) -> Arrays:
    """The decisions of some games that are played side by side. The network in the file has a share of the seats."""
    torch.set_num_threads(1)
    rng = Random(seed)
    network = load(file) if share else None
    games = []
    for _ in range(count):
        run = begin(Games(), rng)
        seats = [rng.random() < share for _ in range(run.state.setup.players)]
        games.append(Game(run, Teacher(run.state.setup, positions), seats))
    kept: list[Arrays] = []
    while games := [game for game in games if game.goes_on()]:
        own: list[Game] = []
        seen: list[Arrays] = []
        for game in games:
            judged = game.teacher.judge(game.run.state)
            kept.append(written(game.run, judged))
            game.choice = rng.choice(list(judged)) if rng.random() < ADVENTURE else next(iter(judged))
            if game.network[game.run.state.player] and rng.random() >= ADVENTURE:
                own.append(game)
                seen.append(kept[-1])
        if network is not None and own:
            for game, number in zip(own, choices(network, seen), strict=True):
                game.choice = game.run.encoder.action(number)
        for game in games:
            game.run.act(game.choice)
    return together(kept)


def written(run: Run, judged: dict[Action, float]) -> Arrays:
    """A decision as arrays; planes of zeros and ones are bits, or they would not fit into memory."""
    seen = run.encoder.observation(run.state, run.state.player)
    best = max(judged.values())
    gold = np.where(seen["action_mask"] != 0, UNKNOWN, -np.inf).astype(np.float16)
    for action, worth in judged.items():
        gold[run.encoder.number(action)] = worth - best
    return {
        "bits": np.packbits(seen["planes"][BITS]),
        "numbers": seen["planes"][NUMBERS],
        "vector": seen["vector"].astype(np.float16),
        "goal": seen["goal"],
        "gold": gold,
        "ahead": np.array([best], np.float32),
    }


def together(decisions: list[Arrays]) -> Arrays:
    """Decisions as one array of each kind."""
    return {name: np.stack([each[name] for each in decisions]) for name in decisions[0]}


def tensors(arrays: Arrays) -> dict[str, Tensor]:
    """Decisions as tensors, with all planes."""
    batch = {name: torch.from_numpy(array) for name, array in arrays.items() if name not in ("bits", "numbers")}
    planes = np.empty((len(arrays["bits"]), len(PLANES), ROWS, COLS), np.uint8)
    planes[:, BITS] = np.unpackbits(arrays["bits"].astype(np.uint8), axis=1).reshape(-1, len(BITS), ROWS, COLS)
    planes[:, NUMBERS] = arrays["numbers"]
    return {**batch, "planes": torch.from_numpy(planes)}


def turned(batch: dict[str, Tensor]) -> dict[str, Tensor]:
    """The same decisions on boards turned by 180 degrees: a turned map is the same game."""
    gold = torch.cat([batch["gold"][:, :HEXES].flip(1), batch["gold"][:, HEXES:]], 1)
    return {**batch, "planes": batch["planes"].flip(2, 3), "gold": gold}


@torch.no_grad()
def choices(network: Network, decisions: list[Arrays]) -> list[int]:
    """What the network chooses, as numbers of the encoding."""
    batch = tensors(together(decisions))
    with torch.autocast("cpu", torch.bfloat16):
        policy, _ = network(batch["planes"], batch["vector"], batch["goal"])
    found: list[int] = masked(policy, batch["gold"] > -torch.inf).argmax(1).tolist()
    return found
