"""Many games at once: one batch of arrays, in this process or over worker processes with shared memory.

>>> from kingdom_builder.learn.vector import KingdomBuilderVector
>>> envs = KingdomBuilderVector(8)
>>> observations, info = envs.reset(seed=7)
>>> observations["planes"].shape
(8, 44, 20, 20)
"""

import os
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import prod
from mmap import mmap
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from kingdom_builder.encoding import ACTIONS, GOALS, PLANES, VECTOR_SIZE, Arrays
from kingdom_builder.encoding.encoder import LEFT, LEGAL, planes_of
from kingdom_builder.encoding.spaces import HEXES, MAP_PLANES
from kingdom_builder.hexes import COLS, ROWS, HexSet
from kingdom_builder.learn.games import (
    MOST_PLAYERS,
    Against,
    Games,
    Reward,
    Run,
    check_opponents,
    rewards_for,
    run_of,
    start_of,
)
from kingdom_builder.learn.spaces import action_space, observation_space
from kingdom_builder.native import is_on
from kingdom_builder.pool import WorkerProcess, call, result_of
from kingdom_builder.rules import Setup, State, scores

SHAPES: dict[str, tuple[tuple[int, ...], type]] = {
    "planes": ((len(PLANES), ROWS, COLS), np.uint8),
    "vector": ((VECTOR_SIZE,), np.float32),
    "goal": ((len(GOALS),), np.int8),
    "action_mask": ((ACTIONS,), np.int8),
    "seat": ((), np.int8),
    "reward": ((), np.float64),
    "over": ((), np.bool_),
    "rewards": ((MOST_PLAYERS,), np.float64),
    "gold": ((MOST_PLAYERS,), np.int32),
    "action": ((), np.int64),
}
"""What a batch has of each game, in the order of a block of shared memory."""

MEMORY = "/dev/shm"
"""A folder in memory, where there is one."""

ALIGNED = 64
"""Arrays in shared memory begin at multiples of this many bytes."""

OBSERVED = ("planes", "vector", "goal", "action_mask")


def make_buffers(games: int) -> Arrays:
    """Empty arrays for a batch."""
    return {name: np.zeros((games, *shape), dtype) for name, (shape, dtype) in SHAPES.items()}


class Batch:
    """Games that are played side by side, and their arrays."""

    make_random: type[Random] = Random

    def __init__(
        self, first: int, arrays: Arrays, games: Games, reward: Reward, opponents: Sequence[str], gold: bool
    ) -> None:
        """`first` is the number of the first game of this batch among all, so that seeds do not depend on batches."""
        self.arrays = arrays
        self._first, self._games = first, games
        self._reward: Reward = reward
        self._opponents, self._gold = opponents, gold
        self._size = size = len(arrays["over"])
        self._rngs = [self.make_random() for _ in range(size)]
        self._runs: dict[int, Run] = {}
        """The games, by number."""
        self._shown: list[dict[int, HexSet]] = [{} for _ in range(size)]
        """The sets of hexes that the planes of each game show, by plane; the others are empty."""
        self._written: list[tuple[object, ...]] = [()] * size
        """What the encoder says of the vector that was written last."""
        self._left: list[list[int]] = [[] for _ in range(size)]
        """The tiles that are left, as the planes show it."""

    def reset(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Begin all games."""
        if seed is not None:
            self._rngs = [self.make_random(f"{seed} {self._first + number}") for number in range(self._size)]
        for number in range(self._size):
            self._begin(number, options or {})
        self.arrays["reward"][:] = 0
        self.arrays["over"][:] = False
        self._write()

    def step(self, actions: NDArray[np.int64]) -> None:
        """Play an action in each game; a game that is over is followed by the next one at once."""
        self.arrays["reward"][:] = 0
        self.arrays["over"][:] = False
        self._play(actions)
        self._write()

    def _play(self, actions: NDArray[np.int64]) -> None:
        for number in range(self._size):
            self._play_run(number, int(actions[number]))

    def _play_run(self, number: int, action: int) -> None:
        run = self._runs[number]
        seat = run.state.player
        run.play(action)
        if run.state.over:
            self._end(number, seat, scores(run.state))

    def _end(self, number: int, seat: int, gold: list[int]) -> None:
        """A seat has ended a game: write what it is worth, and begin the next one."""
        arrays, earned = self.arrays, rewards_for(gold, self._reward)
        arrays["over"][number] = True
        arrays["reward"][number] = earned[seat]
        nobody = [0] * (MOST_PLAYERS - len(gold))
        arrays["rewards"][number] = earned + nobody
        arrays["gold"][number] = gold + nobody
        self._begin(number, {})

    def _begin(self, number: int, options: Mapping[str, Any]) -> None:
        self._begin_run(number, start_of(self._games, self._rngs[number], options))

    def _begin_run(self, number: int, start: Setup | State) -> None:
        self._runs[number] = run_of(start, self._rngs[number], opponents=self._opponents, gold=self._gold)
        self._write_setup(number)

    def _write_setup(self, number: int) -> None:
        """Write what stays the same in a game."""
        encoder = self._runs[number].encoder
        self._written[number], self._left[number] = (), []
        self.arrays["planes"][number, : len(MAP_PLANES)] = encoder.map
        self.arrays["goal"][number] = encoder.goal

    def _write(self) -> None:
        """Write what every game looks like now for the seat in turn: only what has changed, all planes in one go."""
        planes, vectors, masks = (self.arrays[name] for name in ("planes", "vector", "action_mask"))
        seats = self.arrays["seat"]
        numbers: list[int] = []
        sets: list[HexSet] = []
        masks[:, HEXES:] = 0
        for number, run in self._runs.items():
            state, encoder = run.state, run.encoder
            seat = run.seat if isinstance(run, Against) else state.player
            seats[number] = seat
            shown, now = self._shown[number], encoder.sets(state, seat)
            for plane in shown.keys() - now.keys():
                now[plane] = 0
            for plane, hexes in now.items():
                if shown.get(plane, 0) != hexes:
                    numbers.append(number * len(PLANES) + plane)
                    sets.append(hexes)
            self._shown[number] = now
            self._written[number] = encoder.write_vector(state, seat, vectors[number], self._written[number])
            encoder.mark_choices(state, masks[number])
            if state.tiles_left != self._left[number]:
                self._left[number] = state.tiles_left[:]
                planes[number, LEFT] = encoder.tiles_left(tuple(state.tiles_left))
        planes.reshape(-1, ROWS, COLS)[numbers] = planes_of(sets)
        masks[:, :HEXES] = planes[:, LEGAL].reshape(-1, HEXES)


def make_batch(
    first: int,
    arrays: Arrays,
    games: Games,
    reward: Reward,
    opponents: Sequence[str],
    gold: bool,
    native: bool,
) -> Batch:
    """A batch in the native core, if it is wanted and in use and nobody plays but the learner; else one in Python."""
    if not native or not is_on() or opponents:
        return Batch(first, arrays, games, reward, opponents, gold)
    from kingdom_builder.learn.native_batch import NativeBatch

    return NativeBatch(first, arrays, games, reward, opponents, gold)


class Workers:
    """Batches in worker processes, which read actions from shared memory and write their arrays into it."""

    def __init__(
        self,
        count: int,
        num_envs: int,
        games: Games,
        reward: Reward,
        opponents: Sequence[str],
        gold: bool,
        native: bool,
    ) -> None:
        with TemporaryDirectory(dir=MEMORY if os.path.isdir(MEMORY) else None) as folder:
            path = Path(folder) / "arrays"
            path.write_bytes(bytes(_bytes_of(num_envs)))
            self.arrays = _mapped(path, num_envs)
            bounds = [num_envs * worker // count for worker in range(count + 1)]
            self._workers = [
                WorkerProcess(
                    partial(_join, path, num_envs, first, last, games, reward, tuple(opponents), gold, native)
                )
                for first, last in pairwise(bounds)
            ]
            self._answers()

    def reset(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        self._ask(call(_reset, seed, dict(options or {})))

    def step(self, actions: NDArray[np.int64]) -> None:
        self.arrays["action"][:] = actions
        self._ask(call(_step))

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.end()
        self._workers = []

    def _ask(self, message: bytes) -> None:
        for worker in self._workers:
            worker.socket.sendall(message)
        self._answers()

    def _answers(self) -> None:
        """Wait for all workers; an error of one of them is raised once all have answered."""
        answers = [worker.receive() for worker in self._workers]
        for answer in answers:
            result_of(answer)


_joined: list[Batch] = []
"""The batch of this process, if it is a worker."""


def _join(
    path: Path,
    num_envs: int,
    first: int,
    last: int,
    games: Games,
    reward: Reward,
    opponents: Sequence[str],
    gold: bool,
    native: bool,
) -> None:
    """Make this process a worker that plays the games from `first` to before `last`."""
    arrays = {name: array[first:last] for name, array in _mapped(path, num_envs).items()}
    _joined.append(make_batch(first, arrays, games, reward, opponents, gold, native))


def _reset(seed: int | None, options: Mapping[str, Any]) -> None:
    _joined[0].reset(seed, options)


def _step() -> None:
    _joined[0].step(_joined[0].arrays["action"])


def _bytes_of(num_envs: int) -> int:
    """The size of all arrays of a batch, each rounded up so that the next one is aligned."""
    return sum(_room(num_envs, *shape) for shape in SHAPES.values())


def _room(num_envs: int, shape: tuple[int, ...], dtype: type) -> int:
    size = num_envs * prod(shape) * np.dtype(dtype).itemsize
    return -(-size // ALIGNED) * ALIGNED


def _mapped(path: Path, num_envs: int) -> Arrays:
    """The arrays in a file that several processes share."""
    with path.open("r+b") as file:
        memory = mmap(file.fileno(), 0)
    arrays: Arrays = {}
    start = 0
    for name, (shape, dtype) in SHAPES.items():
        count = num_envs * prod(shape)
        arrays[name] = np.frombuffer(memory, dtype, count, start).reshape(num_envs, *shape)
        start += _room(num_envs, shape, dtype)
    return arrays


class KingdomBuilderVector(VectorEnv[Arrays, NDArray[np.int64], NDArray[Any]]):
    """A batch of games. Without opponents all seats are the learner's, and each observation is of the seat in turn.

    A game that is over is followed by the next one in the same step: the observation is of the new game, `rewards` and
    `gold` in the info are those of all seats in the one that ended.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        players: int = 2,
        sets: Sequence[str] = ("base",),
        *,
        games: Games | None = None,
        opponents: Sequence[str] = (),
        reward: Reward = "victory",
        gold: bool = False,
        workers: int = 0,
        copy: bool = True,
        native: bool = True,
    ) -> None:
        """`workers` processes share the games; 0 plays them all in this process, with the same results.

        Without `copy` the arrays of an observation are overwritten by the next one. Without `native` all is done in
        Python, even where there is a native core; the results are the same.
        """
        if num_envs < 1:
            raise ValueError(f"{num_envs} games: expected 1 or more")
        if not 0 <= workers <= num_envs:
            raise ValueError(f"{workers} workers: expected 0 to {num_envs}, the number of games")
        self.num_envs = num_envs
        self.single_action_space = action_space()
        self.single_observation_space = observation_space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        names = check_opponents(opponents) if opponents else []
        games = games or Games(len(names) + 1 if names else players, tuple(sets))
        self._copy = copy
        self._batch: Batch | Workers
        self._batch = (
            Workers(workers, num_envs, games, reward, names, gold, native)
            if workers
            else make_batch(0, make_buffers(num_envs), games, reward, names, gold, native)
        )

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Begin all games; one seed is enough for all of them."""
        if isinstance(seed, list):
            raise ValueError("a list of seeds: expected one number, from which the seed of each game follows")
        self._batch.reset(seed, options)
        return self._observations(), {"seat": self._batch.arrays["seat"].copy()}

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Arrays, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play an action in each game. The reward is that of the seat that played it."""
        self._batch.step(np.asarray(actions, np.int64))
        arrays = self._batch.arrays
        over: NDArray[np.bool_] = arrays["over"].copy()
        reward: NDArray[np.float64] = arrays["reward"].copy()
        info: dict[str, Any] = {"seat": arrays["seat"].copy()}
        if np.count_nonzero(over):
            info |= {
                "rewards": arrays["rewards"].copy(),
                "_rewards": over,
                "gold": arrays["gold"].copy(),
                "_gold": over,
            }
        return self._observations(), reward, over, np.zeros(self.num_envs, np.bool_), info

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions of each game, as MaskablePPO asks for them."""
        return self._batch.arrays["action_mask"].astype(bool)

    def close_extras(self, **kwargs: Any) -> None:
        if isinstance(self._batch, Workers):
            self._batch.close()

    def _observations(self) -> Arrays:
        arrays = self._batch.arrays
        return {name: arrays[name].copy() if self._copy else arrays[name] for name in OBSERVED}
