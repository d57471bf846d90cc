"""A queue in which everybody who asks for work gets a fair share of those who do it.

Next comes the work of the visitor who has used them least lately, and among that visitor's tables the one that has used
them least. A visitor who has used little waits only for the work that has already begun.
"""

import asyncio
import contextlib
import time
from collections import deque
from math import exp2
from typing import NamedTuple

from kingdom_builder.message import Message, Refusal

HALF_LIFE = 30.0
"""Seconds after which used time counts half."""

NOT_WORTH_REMEMBERING = 0.005
"""Seconds of use."""

MOST_WAITING = 8
"""How many tasks of one visitor may wait, if nothing else is said."""


class Asker(NamedTuple):
    """Who pays for some work."""

    visitor: str
    """An address."""
    table: str
    """A table of that visitor, or a kind of request."""


class Turn:
    """The place of some work in the queue; later, its time at work."""

    def __init__(self, asker: Asker, number: int, come: "asyncio.Future[None]") -> None:
        self.asker = asker
        self.number = number
        self.come = come
        self.began = 0.0
        """Since when its time counts."""


class FairQueue:
    """Work that waits, and as much as may go on at the same time."""

    def __init__(self, count: int, most_waiting: int = MOST_WAITING) -> None:
        """`count` is how much work goes on at the same time, `most_waiting` how many tasks of one visitor may wait."""
        self._count = count
        self._most_waiting = most_waiting
        self._waiting: dict[str, dict[str, deque[Turn]]] = {}
        """The waiting work by visitor and table, for those who have some."""
        self._running: list[Turn] = []
        self._by_visitor = Usage()
        self._by_asker = Usage()
        self._asked = 0

    def resize(self, count: int) -> None:
        """Let so much work go on at the same time from now on."""
        self._count = count
        self._begin_next()

    def __len__(self) -> int:
        """How many wait or have their turn."""
        return len(self._running) + sum(len(turns) for tables in self._waiting.values() for turns in tables.values())

    def check_room(self, asker: Asker) -> None:
        """Raise Refusal if much work of the visitor is already waiting."""
        if sum(map(len, self._waiting.get(asker.visitor, {}).values())) >= self._most_waiting:
            raise Refusal(Message("Much that you asked for is not done yet: try again in a moment."), "busy")

    async def turn(self, asker: Asker) -> Turn:
        """Wait for somebody's turn to have work done; `end` it afterwards."""
        self._asked += 1
        turn = Turn(asker, self._asked, asyncio.get_running_loop().create_future())
        self._waiting.setdefault(asker.visitor, {}).setdefault(asker.table, deque()).append(turn)
        self._begin_next()
        try:
            await turn.come
        except asyncio.CancelledError:
            if turn in self._running:
                self._running.remove(turn)
                self._begin_next()
            else:
                self._leave(turn)
            raise
        return turn

    def end(self, turn: Turn, extra: float = 0.0) -> None:
        """Count the time of a turn, with some extra seconds, and let the next one begin."""
        now = time.monotonic()
        self._by_visitor.add(turn.asker.visitor, now - turn.began + extra, now)
        self._by_asker.add(turn.asker, now - turn.began + extra, now)
        self._running.remove(turn)
        self._begin_next()

    def close(self, error: Exception) -> None:
        """Raise an error for all who wait."""
        for tables in self._waiting.values():
            for turn in [turn for turns in tables.values() for turn in turns if not turn.come.done()]:
                turn.come.set_exception(error)
                turn.come.exception()  # otherwise it is logged if nobody reads it
        self._waiting.clear()

    def _begin_next(self) -> None:
        """Start the work of those whose turn it is."""
        now = time.monotonic()
        while self._waiting and len(self._running) < self._count:
            visitor = min(self._waiting, key=lambda visitor: self._priority(visitor, now))
            tables = self._waiting[visitor]
            turn = min([turns[0] for turns in tables.values()], key=lambda turn: self._priority_at_visitor(turn, now))
            self._leave(turn)
            if not turn.come.done():  # otherwise it was cancelled and does not know it yet
                turn.began = now
                self._running.append(turn)
                turn.come.set_result(None)

    def _priority(self, visitor: str, now: float) -> tuple[float, int]:
        """The sort key of a visitor's work: whoever has used least comes first, then whoever asked first."""
        used = self._by_visitor.of(visitor, now)
        used += sum([now - turn.began for turn in self._running if turn.asker.visitor == visitor])
        return used, min([turns[0].number for turns in self._waiting[visitor].values()])

    def _priority_at_visitor(self, waiting: Turn, now: float) -> tuple[float, int]:
        used = self._by_asker.of(waiting.asker, now)
        used += sum([now - turn.began for turn in self._running if turn.asker == waiting.asker])
        return used, waiting.number

    def _leave(self, turn: Turn) -> None:
        visitor, table = turn.asker
        with contextlib.suppress(KeyError, ValueError):  # when everything is closed, it is in no queue
            self._waiting[visitor][table].remove(turn)
            if not self._waiting[visitor][table]:
                del self._waiting[visitor][table]
            if not self._waiting[visitor]:
                del self._waiting[visitor]


class Usage:
    """The seconds that each of many users has used; half of them is forgotten after a while."""

    def __init__(self) -> None:
        self._used: dict[object, tuple[float, float]] = {}
        """For each user the seconds, and when they were counted."""
        self._tidied = 0.0

    def of(self, who: object, now: float) -> float:
        used, then = self._used.get(who, (0.0, now))
        return used * exp2((then - now) / HALF_LIFE)

    def add(self, who: object, seconds: float, now: float) -> None:
        self._used[who] = (self.of(who, now) + seconds, now)
        if now > self._tidied + HALF_LIFE:
            self._tidied = now
            self._used = {each: use for each, use in self._used.items() if self.of(each, now) > NOT_WORTH_REMEMBERING}

    def __len__(self) -> int:
        return len(self._used)
