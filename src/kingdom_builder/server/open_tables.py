"""The open tables of a server, where everybody may take a free seat or look on: kept in memory, for the lobby."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from kingdom_builder.message import Refusal
from kingdom_builder.server import entries
from kingdom_builder.server.clocks import Clock
from kingdom_builder.server.entries import Seat
from kingdom_builder.server.journal import StoredEntry
from kingdom_builder.server.messages import ClockChoice, LobbySeat, LobbyTable
from kingdom_builder.server.party import keys_of
from kingdom_builder.server.persons import DAY
from kingdom_builder.server.ratings import pool_of
from kingdom_builder.server.seeks import Somebody, clock_of
from kingdom_builder.server.store import Row, Sql, Steps
from kingdom_builder.server.table import Table
from kingdom_builder.server.tokens import person_key

MOST_LISTED = 100
"""The most tables with free seats, and the most without."""

GONE_SECONDS = 120
"""After how long a table that waits for players is not listed, if its people have gone."""

STILL_SECONDS = 1_800
"""After how long a running game without moves is not listed."""

DAYS_LISTED = 7 * DAY
"""The same for games with a clock of days, for whose players nobody expects to be there."""


@dataclass(slots=True)
class _Open:
    """An open table with a running game."""

    shown: LobbyTable
    pool: str
    moved: int
    """When the game was last changed, in seconds."""
    here: float
    """When one of its players, or its host, was last seen there, in seconds."""

    @property
    def is_waiting(self) -> bool:
        return any(seat.free for seat in self.shown.seats)

    def is_listed(self, now: float) -> bool:
        if self.shown.clock.kind == "days":
            return now - self.moved < DAYS_LISTED
        return now - self.here < GONE_SECONDS if self.is_waiting else now - self.moved < STILL_SECONDS


class OpenTables:
    """All open tables with a running game."""

    def __init__(self) -> None:
        self._tables: dict[str, _Open] = {}

    def note(self, table: Table, now: float) -> bool:
        """Take over what has changed at a table; returns whether the list shows something else now."""
        before = self._tables.pop(table.id, None)
        if not table.is_open or table.lesson or table.over or table.trouble is not None:
            return before is not None
        clock, seats = table.time_control, table.party.seats
        shown = LobbyTable(
            table.id,
            table.began,
            _choice(clock),
            list(table.boxes),
            table.rated,
            table.game.turn.round,
            [_seat(seat, is_free(seat)) for seat in seats],
        )
        here = now if before is None else before.here
        self._tables[table.id] = _Open(shown, pool_of(clock.kind, len(seats)) or "", table.moved, here)
        return before is None or before.shown != shown

    def take(self, rows: Iterable["StoredTable"], now: float) -> None:
        """Take over tables from the database, except those that are in memory."""
        for shown, moved in rows:
            pool = pool_of(shown.clock.kind, len(shown.seats)) or ""
            self._tables.setdefault(shown.table, _Open(shown, pool, moved, now))

    def replace(self, tables: Iterable[str], rows: Iterable["StoredTable"], now: float) -> None:
        """Take over what the database has of some tables; those that it does not list any more are gone."""
        before = {table: known.here for table in tables if (known := self._tables.pop(table, None)) is not None}
        self.take(rows, now)
        for table, here in before.items():
            if table in self._tables and not self._tables[table].is_waiting:
                self._tables[table].here = here

    def look(self, table: Table, now: float) -> None:
        """Note who is at a table that waits for players."""
        known = self._tables.get(table.id)
        if known is None or not known.is_waiting:
            return
        party = table.party
        keys = {key for seat in party.seats for key in keys_of(seat)} | {party.host, person_key(party.person)}
        if not keys.isdisjoint(table.viewers.present()):
            known.here = now

    def waiting(self) -> list[str]:
        """The tables with free seats."""
        return [table for table, known in self._tables.items() if known.is_waiting]

    def listed(self, now: float) -> Iterator[tuple[LobbyTable, str]]:
        """The tables to list, newest first and with free seats first, each with its pool of ratings."""
        everything = sorted(self._tables.values(), key=lambda each: (-each.shown.since, each.shown.table))
        for is_waiting in (True, False):
            found = [each for each in everything if each.is_waiting == is_waiting and each.is_listed(now)]
            yield from ((each.shown, each.pool) for each in found[:MOST_LISTED])


def is_free(seat: Seat) -> bool:
    """Whether anybody may take a seat of an open table."""
    return seat.kind == "open" and not seat.person


def with_ratings(table: LobbyTable, pool: str, people: dict[tuple[str, str], Somebody]) -> LobbyTable:
    """The same table with the ratings of those who sit there."""
    seats = []
    for seat in table.seats:
        known = people.get((seat.person, pool)) if pool and seat.person and not seat.level else None
        seats.append(
            seat if known is None else replace(seat, points=known.rating.shown, provisional=known.rating.is_provisional)
        )
    return replace(table, seats=seats)


def _seat(seat: Seat, free: bool) -> LobbySeat:
    return LobbySeat(free, seat.name, seat.level, "" if seat.level else seat.person, seat.colour)


def _choice(clock: Clock) -> ClockChoice:
    return ClockChoice(clock.kind, clock.start, clock.add)


# ---- after a start of the server -------------------------------------------------------------------------------------

StoredTable = tuple[LobbyTable, int]
"""An open table, and when its game was last changed."""


def stored_tables(now: int, among: Collection[str] | None = None) -> Steps[list[StoredTable]]:
    """The open tables in the database that may be listed. Which seats are free is known once somebody comes."""
    query = (
        "SELECT id, game, created, changed, clock, rated, round FROM games WHERE open = 1 AND over = 0 AND changed > ?"
    )
    since = now - DAYS_LISTED
    if among is None:
        found = yield Sql(f"{query} ORDER BY changed DESC LIMIT ?", (since, 4 * MOST_LISTED))
    else:
        found = []
        for table in among:
            found += yield Sql(f"{query} AND id = ?", (since, table))
    tables = []
    for table, game, created, changed, clock, rated, turn in found:
        seats = yield Sql(
            "SELECT person, name, level, colour FROM players WHERE id = ? AND game = ? ORDER BY seat", (table, game)
        )
        first = yield Sql("SELECT format, body FROM entries WHERE id = ? AND version = 1", (table,))
        shown = LobbyTable(
            table,
            created,
            _choice(clock_of(clock)),
            boxes_of(first),
            bool(rated),
            turn,
            [_stored_seat(*row) for row in seats],
        )
        tables.append((shown, changed))
    return tables


def _stored_seat(person: str, name: str, level: str, colour: int) -> LobbySeat:
    return LobbySeat(not (person or name or level), name, level, "" if level else person, colour)


def boxes_of(rows: list[Row]) -> list[str]:
    """The boxes that a table was opened with, from the format and the body of its first entry."""
    try:
        opened = entries.read(StoredEntry(1, rows[0][0], rows[0][1], True), 1)
    except (Refusal, IndexError):
        return []
    return list(opened.choice.sets) if isinstance(opened, entries.Opened) else []
