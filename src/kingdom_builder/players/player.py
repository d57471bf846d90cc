"""What a player is, and how much thought it may spend on a turn."""

import re
from collections.abc import Callable
from time import perf_counter
from typing import Protocol

from kingdom_builder.rules import Action, Observation, State
from kingdom_builder.rules.printed import Finale


class Player(Protocol):
    """Somebody who plays a seat, knowing only what that seat may know."""

    def choose(self, seen: Observation) -> Action:
        """One legal action for the seat in turn. It is asked again until the turn is over."""
        ...


def turn_of(state: State) -> tuple[int, int, bool]:
    """What tells a turn from others: its round and seat, and whether it is what a seat does after its last turn."""
    return state.round, state.player, isinstance(state.acting, Finale)


class Budget:
    """The thought that a turn may cost: seconds, or positions judged."""

    def __init__(
        self, seconds: float | None = None, nodes: int | None = None, clock: Callable[[], float] = perf_counter
    ) -> None:
        self.seconds = seconds
        self.nodes = nodes
        self.clock = clock
        self.begin_turn()

    @classmethod
    def of(cls, text: str) -> "Budget":
        """The budget that a text such as `100ms`, `1.5s` or `500n` means."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s)|([1-9]\d*)n", text)
        if match is None or (match[1] and not float(match[1])):
            raise ValueError(
                f"{text!r} is no budget for a turn: expected a time such as 100ms or 1s, or 500n positions"
            )
        if match[3]:
            return cls(nodes=int(match[3]))
        return cls(seconds=float(match[1]) / (1000 if match[2] == "ms" else 1))

    def begin_turn(self) -> None:
        """All of it may be spent anew."""
        self._left = float((self.seconds if self.nodes is None else self.nodes) or 0)
        self._deadline = 0.0

    def resume(self) -> None:
        """The clock runs: the player thinks."""
        if self.nodes is None:
            self._deadline = self.clock() + self._left

    def pause(self) -> None:
        """The clock stands still: others are busy."""
        if self.nodes is None:
            self._left = self._deadline - self.clock()

    def spend(self, positions: int = 1) -> bool:
        """Spend some positions. False when nothing is left."""
        if self.nodes is None:
            return self.clock() < self._deadline
        self._left -= positions
        return self._left >= 0

    def share(self, part: float) -> Callable[..., bool]:
        """A purse with a part of what is left: each call spends as `spend` does and is False when that is gone."""
        if self.nodes is None:
            now = self.clock()
            until = now + part * (self._deadline - now)
            return lambda positions=1: self.clock() < until
        least = self._left * (1 - part)
        return lambda positions=1: self.spend(positions) and self._left >= least
