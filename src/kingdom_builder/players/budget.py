"""How long a player may think about a turn."""

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter


class Budget:
    """What a player may spend on a turn: seconds, or positions that it evaluates."""

    def __init__(
        self, seconds: float | None = None, nodes: int | None = None, clock: Callable[[], float] = perf_counter
    ) -> None:
        self.seconds = seconds
        self.nodes = nodes
        self.clock = clock
        self.begin_turn()

    @classmethod
    def of(cls, text: str) -> "Budget":
        """The budget for a text such as `100ms`, `1.5s` or `500n`."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s)|([1-9]\d*)n", text)
        if match is None or (match[1] and not float(match[1])):
            raise ValueError(
                f"{text!r} is not a budget for a turn: expected a time such as 100ms or 1s, or 500n positions"
            )
        if match[3]:
            return cls(nodes=int(match[3]))
        return cls(seconds=float(match[1]) / (1000 if match[2] == "ms" else 1))

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

    def share(self, part: float) -> Callable[..., bool]:
        """A part of what is left: each call spends as `spend` does and returns False once that part is used up."""
        if self.nodes is None:
            now = self.clock()
            until = now + part * (self._deadline - now)
            return lambda positions=1: self.clock() < until
        least = self._left * (1 - part)
        return lambda positions=1: self.spend(positions) and self._left >= least


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
