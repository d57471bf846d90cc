"""Long work on the event loop, done in short pieces and for one visitor at a time, so that nobody else waits for it."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable

PIECE = 0.004
"""Seconds of work after which others get their turn."""

GAP = 0.003
"""Seconds between the turns of those who wait, so that the server has time for those already let in."""


class Pace:
    """Breaks for others in a long piece of work."""

    def __init__(self) -> None:
        self._began = time.perf_counter()

    async def rest(self) -> None:
        """Let others run if they have waited for some milliseconds."""
        if time.perf_counter() - self._began > PIECE:
            await asyncio.sleep(0)
            self._began = time.perf_counter()


class Gate:
    """Lets a crowd in gradually: at once while few come, else a few every few milliseconds, alternating visitors."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._waiting: dict[str, dict[object, Callable[[], None]]] = {}
        self._began = 0.0
        self._let_in = 0

    def enter(self, visitor: str, guest: object, come_in: Callable[[], None]) -> None:
        """Call `come_in` when it is this guest's turn, now or later."""
        if not self._waiting:
            if self._has_room():
                come_in()
                return
            asyncio.get_running_loop().call_later(PIECE, self._open)
        self._waiting.setdefault(visitor, {})[guest] = come_in

    def leave(self, visitor: str, guest: object) -> None:
        """Forget a guest who no longer waits."""
        guests = self._waiting.get(visitor, {})
        if guests.pop(guest, None) is not None and not guests:
            del self._waiting[visitor]

    def _has_room(self) -> bool:
        now = time.perf_counter()
        if now - self._began > PIECE:
            self._began, self._let_in = now, 0
        self._let_in += 1
        return self._let_in <= self._at_once

    def _open(self) -> None:
        while self._waiting and self._has_room():
            visitor = next(iter(self._waiting))
            guests = self._waiting.pop(visitor)
            come_in = guests.pop(next(iter(guests)))
            if guests:
                self._waiting[visitor] = guests  # behind the others
            come_in()
        if self._waiting:
            asyncio.get_running_loop().call_later(PIECE, self._open)


class Turns:
    """Lets one through at a time, or a few. Visitors alternate, however often one of them comes."""

    def __init__(self, at_once: int = 1) -> None:
        self._free = at_once
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    @contextlib.asynccontextmanager
    async def of(self, visitor: str) -> AsyncIterator[None]:
        """Wait for this visitor's turn, and hold it for the block."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(visitor)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, visitor: str) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(visitor, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            visitor, line = next(iter(self._waiting.items()))
            del self._waiting[visitor]
            turn = line.popleft()
            if line:
                self._waiting[visitor] = line  # behind the others
            if not turn.done():
                asyncio.get_running_loop().call_later(GAP, self._give, turn)
                return
        self._free += 1

    def _give(self, turn: "asyncio.Future[None]") -> None:
        if turn.done():  # the one who waited has left
            self._pass_on()
        else:
            turn.set_result(None)
