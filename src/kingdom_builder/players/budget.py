"""How long a player may think about a turn."""

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from time import perf_counter, process_time

CPU = "-cpu"
"""How the text of a budget ends whose seconds are CPU time."""


class Budget:
    """What a player may spend on a turn: seconds by the clock or of CPU time, or positions that it evaluates."""

    def __init__(
        self, seconds: float | None = None, nodes: int | None = None, clock: Callable[[], float] = perf_counter
    ) -> None:
        self.seconds = seconds
        self.nodes = nodes
        self.clock = clock
        self.begin_turn()

    @classmethod
    def of(cls, text: str) -> "Budget":
        """The budget for a text such as `100ms`, `1.5s`, `100ms-cpu` or `500n`."""
        match = re.fullmatch(rf"(\d+(?:\.\d+)?)(ms|s)({CPU})?|([1-9]\d*)n", text)
        if match is None or (match[1] and not float(match[1])):
            raise ValueError(
                f"{text!r} is not a budget for a turn: expected a time such as 100ms or 1s, or 500n positions, "
                f"or a CPU time such as 100ms{CPU}"
            )
        if match[4]:
            return cls(nodes=int(match[4]))
        clock = process_time if match[3] else perf_counter
        return cls(seconds=float(match[1]) / (1000 if match[2] == "ms" else 1), clock=clock)

    @property
    def is_cpu(self) -> bool:
        """Whether its seconds are CPU time, which a busy machine does not use up."""
        return self.clock is process_time

    def begin_turn(self) -> None:
        """Make the whole budget available again."""
        self._left = float((self.seconds if self.nodes is None else self.nodes) or 0)
        self._deadline = 0.0

    def resume(self) -> None:
        """Start the clock: the player thinks."""
        if self.nodes is None:
            self._deadline = self.clock() + self._left

    def pause(self) -> None:
        """Stop the clock: the player does not think."""
        if self.nodes is None:
            self._left = self._deadline - self.clock()

    def spend(self, positions: int = 1) -> bool:
        """Spend some positions; returns False when nothing is left."""
        if self.nodes is None:
            return self.clock() < self._deadline
        self._left -= positions
        return self._left >= 0

    def share(self, part: float) -> "Limit":
        """A part of what is left as a limit, which is reached once that part is used up."""
        if self.nodes is None:
            now = self.clock()
            return Limit(until=now + part * (self._deadline - now), clock=self.clock)
        return Limit(self, least=self._left * (1 - part))

    @property
    def left(self) -> float:
        """The positions that are left; all there are if only time counts."""
        return inf if self.nodes is None else self._left

    @left.setter
    def left(self, positions: float) -> None:
        self._left = positions


class Limit:
    """What a search may spend: positions of a budget, time until a moment, or both.

    It is called with the positions that the search is about to spend, and returns False once it is reached.
    """

    def __init__(
        self,
        budget: Budget | None = None,
        least: float = 0,
        until: float = inf,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        """`least` positions of the budget must be left."""
        self.budget = budget
        self.least = least
        self.until = until
        self.clock = clock

    def __call__(self, positions: int = 1) -> bool:
        if self.budget is not None and not (self.budget.spend(positions) and self.budget.left >= self.least):
            return False
        return self.until == inf or self.clock() < self.until


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Run without garbage collection, whose pauses are unpredictable; a search leaves no cycles to collect."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
