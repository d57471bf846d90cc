"""The bell between servers that share a database: NOTIFY and LISTEN of PostgreSQL.

A ring may be lost, and a connection may go deaf without anybody noticing. So a server rings itself every few seconds.
If it does not hear that, it listens on a new connection and says that rings may have been missed; if it has heard
nothing for too long, it is cut off, and nobody should be served from it.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from kingdom_builder.server.postgres import REFUSED, UNREACHABLE, connect

if TYPE_CHECKING:
    from kingdom_builder.server.postgres import Connection

CHANNEL = "kingdom_builder"
TEST_SECONDS = 2.0
"""How often a server rings itself."""

HEARING_SECONDS = 3.0
"""How long it may take until it hears that."""

CUT_OFF_SECONDS = 10.0
"""After how long without hearing itself a server is cut off."""

RETRY_SECONDS = 0.5
LONGEST_RING = 7_000
"""The most characters of a ring; PostgreSQL allows 8,000 bytes."""

TEST = "test"

log = logging.getLogger(__name__)


def rings(node: str, topic: str, names: Sequence[str]) -> Iterator[str]:
    """The texts that ring about a topic, none of them too long."""
    text = f"{node} {topic} "
    some: list[str] = []
    length = len(text)
    for name in names:
        if some and length + len(name) + 1 > LONGEST_RING:
            yield text + ",".join(some)
            some, length = [], len(text)
        some.append(name)
        length += len(name) + 1
    yield text + ",".join(some)


class Doorbell:
    """Listens to the rings of other servers."""

    def __init__(self, address: str, node: str, ring_test: Callable[[str], Awaitable[None]]) -> None:
        """`ring_test` sends a text through another connection."""
        self.on_ring: Callable[[str, Sequence[str]], None] = lambda topic, names: None
        self.on_unheard: Callable[[], None] = lambda: None
        self.on_cut_off: Callable[[], None] = lambda: None
        self.is_cut_off = False
        self.times_deaf = 0
        """How often it had to listen on a new connection."""
        self._address = address
        self._node = node
        self._ring_test = ring_test
        self._number = 0
        self._heard = asyncio.Event()
        self._heard_at = time.monotonic()
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        """Begin to listen."""
        self._heard_at = time.monotonic()
        self._tasks = [asyncio.create_task(self._listen_on()), asyncio.create_task(self._watch())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _take(self, connection: object, process: int, channel: str, text: object) -> None:
        node, _, rest = str(text).partition(" ")
        topic, _, names = rest.partition(" ")
        if topic == TEST:
            if (node, names) == (self._node, str(self._number)):
                self._heard.set()
        elif node != self._node:
            self.on_ring(topic, names.split(",") if names else [])

    async def _listen_on(self) -> None:
        while True:
            try:
                await self._listen()
            except (*UNREACHABLE, *REFUSED) as error:
                self.times_deaf += 1
                log.warning("No other server is heard: %s", error or type(error).__name__)
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self) -> None:
        """Listen until the connection is lost, or deaf."""
        connection = await connect(self._address, f"kingdom-builder {self._node} bell")
        try:
            await connection.add_listener(CHANNEL, self._take)
            self.on_unheard()
            while True:
                await self._test(connection)
                await asyncio.sleep(TEST_SECONDS)
        finally:
            connection.terminate()

    async def _test(self, connection: "Connection") -> None:
        """Ring oneself. Raises TimeoutError if it is not heard."""
        self._number += 1
        self._heard.clear()
        async with asyncio.timeout(HEARING_SECONDS):
            await self._ring_test(f"{self._node} {TEST} {self._number}")
            while not self._heard.is_set():
                if connection.is_closed():
                    raise ConnectionError("the connection was closed")
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(RETRY_SECONDS):
                        await self._heard.wait()
        self._heard_at = time.monotonic()
        if self.is_cut_off:
            self.is_cut_off = False
            log.warning("The other servers are heard again.")

    async def _watch(self) -> None:
        """Notice that nothing was heard for too long."""
        while True:
            if not self.is_cut_off and time.monotonic() - self._heard_at > CUT_OFF_SECONDS:
                self.is_cut_off = True
                log.warning("This server is cut off from its database: its pages are sent elsewhere.")
                self.on_cut_off()
            await asyncio.sleep(RETRY_SECONDS)
