"""The faults: what breaks, how often, and for how long."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from signal import SIGCONT, SIGSTOP
from typing import TypeAlias

import asyncpg
from server.postgres_server import PostgresServer, Stop

from faults.nodes import Node
from faults.proxy import Link
from kingdom_builder.server.postgres import REFUSED, UNREACHABLE

WEIGHTS = {
    "kill": 4,
    "stop and go on": 1.5,
    "end listeners": 4,
    "end writers": 4,
    "drop links": 3,
    "freeze links": 1.5,
    "half-close links": 3,
    "slow links": 1.5,
    "restart database": 1,
    "crash database": 1,
    "rolling restart": 0.4,
}
"""How often each fault comes, compared with the others."""

TRIES = 20
"""How many kinds of faults are thought of until one is possible."""

TERMINATE = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE $1"

Fault: TypeAlias = Callable[[], Awaitable[None]]


@dataclass
class Plan:
    """How much breaks."""

    faults: int = 25
    seconds: float = 60
    """Nothing more breaks after that."""
    pause: float = 1.0
    """Seconds between two faults, on average."""
    stops: tuple[float, float] = (5, 20)
    """For how many seconds a process is stopped."""
    freezes: tuple[float, float] = (1, 8)
    kinds: tuple[str, ...] = tuple(WEIGHTS)


class Mischief:
    """Breaks things, but leaves at least one server alone."""

    def __init__(self, plan: Plan, nodes: list[Node], links: list[Link], postgres: PostgresServer, rng: Random) -> None:
        self.did: Counter[str] = Counter()
        self.over_at = 0.0
        """When the last fault was over, on the monotonic clock."""
        self._plan = plan
        self._nodes = nodes
        self._links = links
        self._postgres = postgres
        self._rng = rng
        self._tasks: set[asyncio.Task[None]] = set()
        self._errors: list[BaseException] = []
        """Why faults could not be carried out to their end, such as a server that is never ready again."""
        self._is_database_busy = False
        self._is_rolling = False

    async def run(self) -> None:
        """Break things until it is enough, and wait until all is over. Raises whatever went wrong with that."""
        until = time.monotonic() + self._plan.seconds
        while self.did.total() < self._plan.faults and time.monotonic() < until and not self._errors:
            await asyncio.sleep(min(5 * self._plan.pause, self._rng.expovariate(1 / self._plan.pause)))
            self._break_something()
        while self._tasks:
            await asyncio.wait(self._tasks)
        self.over_at = time.monotonic()
        if self._errors:
            raise BaseExceptionGroup("a fault did not end", self._errors)

    def _break_something(self) -> None:
        kinds = self._plan.kinds
        for kind in self._rng.choices(kinds, [WEIGHTS[each] for each in kinds], k=TRIES):
            if fault := self._fault(kind):
                self.did[kind] += 1
                task = asyncio.ensure_future(_carry_out(fault))
                self._tasks.add(task)
                task.add_done_callback(self._note_end)
                return

    def _note_end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._errors.append(error)

    def _fault(self, kind: str) -> Fault | None:
        """What to do; None if this cannot break now."""
        rng = self._rng
        match kind:
            case "restart database" | "crash database" if not self._is_database_busy:
                return lambda: self._restart("fast" if kind == "restart database" else "immediate", rng.uniform(0, 2))
            case "rolling restart" if not self._is_rolling and not any(node.is_troubled for node in self._nodes):
                return self._roll
            case "end listeners":
                return lambda: self._terminate("kingdom-builder % bell")
            case "end writers":
                return lambda: self._terminate("kingdom-builder % log")
        healthy = [node for node in self._nodes if not node.is_troubled and node.is_ready]
        if len(healthy) <= 1 or self._is_rolling:
            return None
        node = rng.choice(healthy)
        link = self._links[node.number]
        match kind:
            case "kill":
                return lambda: self._kill(node, rng.uniform(0, 1))
            case "stop and go on":
                return lambda: self._stop(node, rng.uniform(*self._plan.stops))
            case "freeze links":
                return lambda: self._freeze(node, link, rng.uniform(*self._plan.freezes))
            case "slow links":
                return lambda: self._slow(link, rng.uniform(0.02, 0.3), rng.uniform(*self._plan.freezes))
            case "drop links":
                link.drop()
                return _nothing
            case "half-close links":
                link.half_close(rng)
                return _nothing
        return None

    async def _kill(self, node: Node, pause: float) -> None:
        await node.kill(pause)

    async def _stop(self, node: Node, seconds: float) -> None:
        node.is_troubled = True
        node.send(SIGSTOP)
        await asyncio.sleep(seconds)
        node.send(SIGCONT)
        node.is_troubled = False

    async def _freeze(self, node: Node, link: Link, seconds: float) -> None:
        node.is_troubled = True
        link.freeze()
        await asyncio.sleep(seconds)
        if self._rng.random() < 0.5:
            link.drop()
        link.thaw()
        node.is_troubled = False

    async def _slow(self, link: Link, delay: float, seconds: float) -> None:
        link.delay(delay)
        await asyncio.sleep(seconds)
        link.delay(0)

    async def _terminate(self, name: str) -> None:
        try:
            connection = await asyncpg.connect(self._postgres.address, timeout=5)
            try:
                await connection.execute(TERMINATE, name, timeout=5)
            finally:
                connection.terminate()
        except (*UNREACHABLE, *REFUSED):
            pass  # the database is not there either

    async def _restart(self, how: Stop, pause: float) -> None:
        self._is_database_busy = True
        try:
            await asyncio.to_thread(self._postgres.restart, how, pause)
        finally:
            self._is_database_busy = False

    async def _roll(self) -> None:
        self._is_rolling = True
        try:
            for node in self._nodes:
                await node.replace()
        finally:
            self._is_rolling = False


async def _carry_out(fault: Fault) -> None:
    await fault()


async def _nothing() -> None:
    return
