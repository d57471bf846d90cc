"""What the lobby shows: the open tables and the people who look for a game, with their ratings."""

from collections.abc import Iterable
from itertools import islice

from kingdom_builder.server import seeks
from kingdom_builder.server.lobby_list import LobbyList
from kingdom_builder.server.open_tables import OpenTables, stored_tables, with_ratings
from kingdom_builder.server.seeks import Seek, Somebody
from kingdom_builder.server.table import Table
from kingdom_builder.server.tables import Tables
from kingdom_builder.server.wishes import listed_seek, pool_for

MOST_SEEKS = 100
"""The most seeks in the list."""


class Board:
    """The list of the lobby, made of what is open and who waits."""

    def __init__(self, tables: Tables) -> None:
        self.list = LobbyList()
        self._tables = tables
        self._open_tables = OpenTables()
        self._unread: set[str] = set()
        """Tables that other servers have changed."""
        self._people: dict[tuple[str, str], Somebody] = {}
        """Those in the list, by person and pool."""

    async def open(self) -> None:
        """Read which tables are open. Raises StoreError."""
        now = self._tables.clock()
        self._open_tables.take(await self._tables.journal.read(stored_tables, int(now)), now)

    def note(self, table: Table) -> bool:
        """Take over what has changed at a table; returns whether the list shows something else now."""
        return self._open_tables.note(table, self._tables.clock())

    def note_elsewhere(self, table: str) -> None:
        """Another server has changed a table."""
        self._unread.add(table)

    async def read_elsewhere(self) -> None:
        """Take over what other servers have changed. Raises StoreError."""
        unread, self._unread = self._unread, set()
        if unread:
            now = self._tables.clock()
            stored = await self._tables.journal.read(stored_tables, int(now), sorted(unread))
            self._open_tables.replace(unread, stored, now)

    def look(self) -> None:
        """Note who is at the tables that wait for players."""
        for table in self._open_tables.waiting():
            if (known := self._tables.at_hand(table)) is not None:
                self._open_tables.look(known, self._tables.clock())

    def forget_people(self) -> None:
        """Read names and ratings again when they are next shown."""
        self._people.clear()

    async def publish(self, everybody: Iterable[Seek]) -> bool:
        """Bring the list up to date; returns whether it has changed. Raises StoreError."""
        tables = list(self._open_tables.listed(self._tables.clock()))
        waiting = list(islice((each for each in everybody if not each.found), MOST_SEEKS))
        wanted = {(seat.person, pool) for table, pool in tables for seat in table.seats if seat.person and pool}
        wanted |= {(each.person, pool_for(each.wish)) for each in waiting}
        people = {known: somebody for known, somebody in self._people.items() if known in wanted}
        if unknown := wanted - people.keys():
            people |= await self._tables.journal.read(seeks.people_of, unknown)
        self._people = people
        return self.list.show(
            [with_ratings(table, pool, people) for table, pool in tables],
            [listed_seek(each, people, self._tables.order.words.shown) for each in waiting],
            len({each.person or each.visitor for each in self._tables.connections}),
        )
