"""Batches in the native core: it plays and writes the arrays, and Python begins the games."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingdom_builder.encoding import Arrays, Encoder
from kingdom_builder.encoding.tables import layout, tables_of
from kingdom_builder.learn.games import Games, Reward, start_of
from kingdom_builder.learn.vector import Batch
from kingdom_builder.native import _core
from kingdom_builder.native.randoms import NativeRandom
from kingdom_builder.native.setups import NativeSetup, native_setup
from kingdom_builder.native.states import NativeState
from kingdom_builder.rules import Setup, State

BUFFERS = ("planes", "vector", "goal", "action_mask", "seat")
"""The arrays that the core writes."""


class NativeBatch(Batch):
    """Games in the native core. Those on a setup that has no shape there are among the runs, in Python."""

    make_random = NativeRandom

    def __init__(
        self, first: int, arrays: Arrays, games: Games, reward: Reward, opponents: Sequence[str], gold: bool
    ) -> None:
        super().__init__(first, arrays, games, reward, opponents, gold)
        self._core = _core.Batch(layout(), self._size, *[arrays[name] for name in BUFFERS])
        self._setups: list[NativeSetup | None] = [None] * self._size
        """The setup of each game that is in the core."""

    def _play(self, actions: NDArray[np.int64]) -> None:
        actions = np.ascontiguousarray(actions, np.int64)
        number = self._core.play(actions, 0)
        while number < self._size:
            if number in self._runs:
                self._play_run(number, int(actions[number]))
            elif (result := self._core.result(number)) is not None:
                self._end(number, *result)
            else:
                self._refuse(number, int(actions[number]))
            number = self._core.play(actions, number + 1)

    def _refuse(self, number: int, action: int) -> None:
        """Raise what is raised in Python for an action that is not legal."""
        setup = self._setups[number]
        assert setup
        NativeState(setup, self._core.state(number)).apply(Encoder(setup.setup).action(action))

    def _begin(self, number: int, options: Mapping[str, Any]) -> None:
        rng = self._rngs[number]
        assert isinstance(rng, NativeRandom)
        start = start_of(self._games, rng, options)
        setup, state = _in_core(start)
        if setup is not None:
            self._core.begin(number, setup, tables_of(setup), rng.core, self._gold, state)
            self._runs.pop(number, None)
        else:
            if self._setups[number] is not None:
                self._core.leave(number)
            if number not in self._runs:
                self.arrays["planes"][number] = 0
                self._shown[number] = {}
            self._begin_run(number, start)
        self._setups[number] = setup

    def _write(self) -> None:
        if self._runs:
            super()._write()
        self._core.write()


def _in_core(start: Setup | State) -> tuple[NativeSetup | None, NativeState | None]:
    """The setup and the state that a game begins with; no setup if it is played in Python."""
    if isinstance(start, Setup):
        return native_setup(start), None
    setup = native_setup(start.setup)
    try:
        return setup, None if setup is None else NativeState.of(start, setup)
    except ValueError:  # a state that no game comes to
        return None, None
