"""Who looks at which table, and who waits in the lobby, at all servers that share a database.

Every server writes down who is at its own pages, says so anew every few seconds, and reads what the others wrote about
the places that it shows too. What a dead server wrote runs out by itself.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

import msgspec

from kingdom_builder.server.journal import Journal, StoreError
from kingdom_builder.server.schema import PRESENCE, upsert
from kingdom_builder.server.store import Sql, Steps

REFRESH_SECONDS = 10.0
"""How often a server says that its people are still there."""

KEPT_SECONDS = 25.0
"""How long somebody counts as there if their server is not heard of."""

GATHERING_SECONDS = 0.2
"""How long changes are gathered before they are written."""

TOPIC = "presence"
LOBBY = "lobby"
"""The lobby as a place; other places are tables."""

NOW = "EXTRACT(EPOCH FROM clock_timestamp())"
PUT = upsert(PRESENCE)

log = logging.getLogger(__name__)


class Present(NamedTuple):
    """Somebody at a page."""

    person: str
    """Who they are; empty if they are not known."""
    is_visible: bool
    """Whether somebody can see the page."""
    keys: tuple[str, ...] = ()
    """The keys by which a table knows them."""


People = tuple[Present, ...]
_decode = msgspec.json.Decoder(list[Present]).decode


def write(node: str, people: Mapping[str, People]) -> Steps[None]:
    """Store who is at some places of a server."""
    ((now,),) = yield Sql(f"SELECT {NOW}::double precision")
    for place, present in people.items():
        if present:
            yield Sql(PUT, (node, place, msgspec.json.encode(present), now + KEPT_SECONDS))
        else:
            yield Sql("DELETE FROM presence WHERE node = ? AND place = ?", (node, place))


def refresh(node: str) -> Steps[None]:
    """Say that a server still runs."""
    yield Sql(f"UPDATE presence SET until = {NOW} + {KEPT_SECONDS} WHERE node = ?", (node,))
    yield Sql(f"DELETE FROM presence WHERE until < {NOW} - {KEPT_SECONDS}")


def leave(node: str) -> Steps[None]:
    """Forget everybody at a server that ends."""
    yield Sql("DELETE FROM presence WHERE node = ?", (node,))


def read(node: str, places: Collection[str]) -> Steps[dict[str, People]]:
    """Who is at some places of other servers."""
    found: dict[str, People] = dict.fromkeys(places, ())
    for place in places:
        rows = yield Sql(f"SELECT people FROM presence WHERE place = ? AND node != ? AND until > {NOW}", (place, node))
        found[place] = tuple(present for (people,) in rows for present in _decode(people))
    return found


class PresenceBook:
    """What the servers know of each other's people; a server alone needs nothing of it."""

    def __init__(
        self, journal: Journal, people_at: Callable[[str], People], places: Callable[[], Iterable[str]]
    ) -> None:
        """`people_at` has the people at the pages of this server, `places` are those that it shows."""
        self.on_change: Callable[[str], None] = lambda place: None
        """Called with a place whose people at other servers have changed."""
        self._journal = journal
        self._people_at = people_at
        self._places = places
        self._elsewhere: dict[str, People] = {}
        self._changed: set[str] = set()
        self._unread: set[str] = set()
        self._wake = asyncio.Event()

    def elsewhere(self, place: str) -> People:
        """Who is at a place at other servers."""
        return self._elsewhere.get(place, ())

    def note(self, place: str) -> None:
        """The people at a page of this server have changed."""
        if self._journal.is_shared:
            self._changed.add(place)
            self._wake.set()

    def heard(self, places: Collection[str]) -> None:
        """The people at another server have changed."""
        self._unread.update(places)
        self._wake.set()

    async def look(self, places: Collection[str]) -> Mapping[str, People]:
        """Who is at some places of other servers at this moment. Raises StoreError."""
        if not self._journal.is_shared or not places:
            return {}
        return await self._journal.read(read, self._journal.node, sorted(places))

    async def run(self) -> None:
        """Run forever."""
        loop = asyncio.get_running_loop()
        refreshed = 0.0
        while True:
            try:
                if loop.time() >= refreshed + REFRESH_SECONDS:
                    refreshed = loop.time()
                    await self._journal.write(refresh, self._journal.node)
                    self._unread.update(self._places())
                await self.exchange()
            except StoreError as error:
                log.warning("The other servers do not know who is here: %s", error)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(REFRESH_SECONDS):
                    await self._wake.wait()
            self._wake.clear()
            await asyncio.sleep(GATHERING_SECONDS)

    async def exchange(self) -> None:
        """Write what has changed here, and read what has changed elsewhere. Raises StoreError."""
        changed, self._changed = self._changed, set()
        unread, self._unread = self._unread, set()
        try:
            if changed:
                await self._journal.write(
                    write, self._journal.node, {place: self._people_at(place) for place in sorted(changed)}
                )
                self._journal.ring(TOPIC, sorted(changed))
            shown = set(self._places())
            for place, people in (await self.look((unread | changed) & shown)).items():
                if set(people) != set(self.elsewhere(place)):
                    self._elsewhere[place] = people
                    self.on_change(place)
            self._elsewhere = {place: people for place, people in self._elsewhere.items() if people and place in shown}
        except StoreError:
            self._changed |= changed
            self._unread |= unread
            raise

    async def close(self) -> None:
        if self._journal.is_shared:
            with contextlib.suppress(StoreError):
                await self._journal.write(leave, self._journal.node)
