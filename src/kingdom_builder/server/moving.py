"""Moves everything from one database to another: from a folder to PostgreSQL, and back.

What is shared by running servers alone (leases, presence, jobs) stays behind. All of it is written in one transaction
and checked before it is final: the number of rows of every relation, and the checksum of every entry.
"""

import asyncio
import contextlib
import os
import sqlite3
import tempfile
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kingdom_builder.server.backup import backup, connect
from kingdom_builder.server.database import COLUMNS, DATABASE, checksum, files, lock, look, open_database
from kingdom_builder.server.schema import CLOCK, ENTRIES, RELATIONS, TABLES, Column, Relation, insert
from kingdom_builder.server.store import Row, StoreError

if TYPE_CHECKING:
    from kingdom_builder.server.postgres import Connection

AT_ONCE = 500
"""The rows that are read and written at once."""

PATIENCE = 600.0
"""Seconds that a database may take for one step."""

SCHEMES = ("postgresql://", "postgres://")


class Moved(NamedTuple):
    """What was moved."""

    tables: int
    entries: int
    rows: int
    """All rows, also those of tables and entries."""


class Source(ABC):
    """A database that is read."""

    @abstractmethod
    def rows(self, relation: Relation) -> AsyncIterator[Sequence[Row]]:
        """All rows of a relation, some at a time."""


class Target(ABC):
    """An empty database that is written."""

    @abstractmethod
    async def put(self, relation: Relation, rows: Sequence[Row]) -> None:
        """Store some rows."""

    @abstractmethod
    async def count(self, relation: Relation) -> int:
        """The number of rows of a relation."""

    @abstractmethod
    def entries(self) -> AsyncIterator[Sequence[Row]]:
        """All entries: table, version, format, checksum and body."""


def move(source: str, target: str) -> Moved:
    """Copy everything from a folder, or the address of a PostgreSQL database, to an empty one. Raises StoreError."""
    if source == target:
        raise StoreError(f"{source} is both ends: expected two different ones.")
    return asyncio.run(_move(source, target))


async def _move(source: str, target: str) -> Moved:
    moved: dict[str, int] = {}
    async with _reading(source) as reader, _writing(target) as writer:
        for relation in RELATIONS:
            moved[relation.name] = 0
            async for rows in reader.rows(relation):
                await writer.put(relation, [_checked(relation, row) for row in rows])
                moved[relation.name] += len(rows)
        for relation in RELATIONS:
            if (found := await writer.count(relation)) != moved[relation.name]:
                expected = moved[relation.name]
                raise StoreError(
                    f"{found} rows of {relation.name} have arrived, expected {expected}: nothing was kept."
                )
        async for entries in writer.entries():
            for table, version, number, crc, body in entries:
                if checksum(table, version, number, body) != crc:
                    raise StoreError(f"Entry {version} of table {table} is damaged: nothing was copied.")
    return Moved(moved[TABLES.name], moved[ENTRIES.name], sum(moved.values()))


def _reading(place: str) -> contextlib.AbstractAsyncContextManager[Source]:
    return _PostgresSource.open(place) if place.startswith(SCHEMES) else _FolderSource.open(Path(place))


def _writing(place: str) -> contextlib.AbstractAsyncContextManager[Target]:
    return _PostgresTarget.open(place) if place.startswith(SCHEMES) else _FolderTarget.open(Path(place))


def _checked(relation: Relation, row: Row) -> Row:
    """A row with values of the types of its columns: SQLite takes any value in any column. Raises StoreError."""
    return tuple(_value(relation, column, value) for column, value in zip(relation.columns, row, strict=True))


def _value(relation: Relation, column: Column, value: object) -> object:
    match column.type, value:
        case _, None if column.optional:
            return None
        case ("text", str()) | ("integer", int()) | ("real", float()) | ("blob", bytes()):
            return value
        case "real", int():
            return float(value)
        case "blob", str():
            return value.encode()
    raise StoreError(f"{value!r} in {relation.name}.{column.name}: expected {column.type}. Nothing was copied.")


def _select(relation: Relation) -> str:
    return f"SELECT {', '.join(_quoted(relation))} FROM {relation.name}"


def _quoted(relation: Relation) -> list[str]:
    return [f'"{column.name}"' for column in relation.columns]


CHECKED = f"SELECT id, version, format, crc, body FROM {ENTRIES.name}"
COUNT = "SELECT count(*) FROM {}"
IN_USE = "{} has games or people already: choose one that is empty."


# ---- folders ---------------------------------------------------------------------------------------------------------


class _FolderSource(Source):
    """A copy of the database of a folder that no server uses; an old format is migrated in the copy."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    @classmethod
    @asynccontextmanager
    async def open(cls, folder: Path) -> AsyncIterator[Source]:
        path = folder / DATABASE
        if look(path) < 0:
            raise StoreError(f"There are no games in {folder}.")
        with lock(folder), tempfile.TemporaryDirectory(prefix="kb-migrate-") as place:
            copy = Path(place) / DATABASE
            backup(folder, copy)
            changed = max(each.stat().st_mtime for each in files(path) if each.exists())
            os.utime(copy, (changed, changed))  # of the oldest format it is all that says when tables were used
            with contextlib.closing(open_database(Path(place), PATIENCE)) as database:
                yield cls(database)

    async def rows(self, relation: Relation) -> AsyncIterator[Sequence[Row]]:
        for rows in _some_at_a_time(self._database.execute(_select(relation))):
            yield rows


class _FolderTarget(Target):
    """The new database of a folder, in a transaction."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    @classmethod
    @asynccontextmanager
    async def open(cls, folder: Path) -> AsyncIterator[Target]:
        if _has_rows(folder):
            raise StoreError(IN_USE.format(folder))
        with lock(folder), contextlib.closing(open_database(folder, PATIENCE)) as database:
            try:
                database.execute("BEGIN IMMEDIATE")
                database.execute(f"DELETE FROM {CLOCK.name}")
                yield cls(database)
                database.execute("COMMIT")
            except sqlite3.Error as error:
                raise StoreError(f"The games cannot be written to {folder}: {error}. Nothing was changed.") from None
            finally:
                if database.in_transaction:
                    database.execute("ROLLBACK")

    async def put(self, relation: Relation, rows: Sequence[Row]) -> None:
        self._database.executemany(insert(relation), rows)

    async def count(self, relation: Relation) -> int:
        return int(self._database.execute(COUNT.format(relation.name)).fetchone()[0])

    async def entries(self) -> AsyncIterator[Sequence[Row]]:
        for rows in _some_at_a_time(self._database.execute(CHECKED)):
            yield rows


def _some_at_a_time(cursor: sqlite3.Cursor) -> Iterator[list[Row]]:
    while rows := cursor.fetchmany(AT_ONCE):
        yield rows


def _has_rows(folder: Path) -> bool:
    """Whether there is anything in the database of a folder, but for the clock."""
    number = look(folder / DATABASE)
    if number < 0:
        return False
    with contextlib.closing(connect(folder / DATABASE, "ro")) as database:
        names = [name for name in COLUMNS[number] if name != CLOCK.name]
        return any(database.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone() for name in names)


# ---- PostgreSQL ------------------------------------------------------------------------------------------------------

SERVERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND application_name LIKE 'kingdom-builder %' AND pid <> pg_backend_pid()
"""


@asynccontextmanager
async def _connected(address: str) -> "AsyncIterator[Connection]":
    """A connection to a database that no server uses."""
    from kingdom_builder.server import postgres

    where = postgres.shown(address)
    try:
        connection = await postgres.connect(address, "kingdom-builder migrate", patience=PATIENCE)
        try:
            if await connection.fetchval(SERVERS):
                raise StoreError(f"The database {where} is in use by a server: stop all of its servers and workers.")
            yield connection
        finally:
            connection.terminate()
    except (*postgres.UNREACHABLE, *postgres.REFUSED) as error:
        raise StoreError(f"The database {where} cannot be used: {postgres.reason(error)}. Nothing was kept.") from None


class _PostgresSource(Source):
    """A database as it was at one moment."""

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection

    @classmethod
    @asynccontextmanager
    async def open(cls, address: str) -> AsyncIterator[Source]:
        from kingdom_builder.server import postgres

        async with (
            _connected(address) as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            present = {name for (name,) in await connection.fetch(postgres.PRESENT)}
            if not present:
                raise StoreError(f"There are no games in {postgres.shown(address)}.")
            await postgres.check_format(connection, present)
            yield cls(connection)

    async def rows(self, relation: Relation) -> AsyncIterator[Sequence[Row]]:
        async for rows in self._some_at_a_time(_select(relation)):
            yield rows

    async def _some_at_a_time(self, query: str) -> AsyncIterator[list[Row]]:
        cursor = await self._connection.cursor(query)
        while rows := await cursor.fetch(AT_ONCE):
            yield [tuple(row) for row in rows]


class _PostgresTarget(_PostgresSource, Target):
    """A new database, in a transaction."""

    @classmethod
    @asynccontextmanager
    async def open(cls, address: str) -> AsyncIterator[Target]:  # type: ignore[override]  # other words for its place
        from kingdom_builder.server import postgres

        async with _connected(address) as connection, connection.transaction():
            await postgres.set_up(connection)
            made = cls(connection)
            for relation in RELATIONS:
                if relation != CLOCK and await made.count(relation):
                    raise StoreError(IN_USE.format(f"The database {postgres.shown(address)}"))
            await connection.execute(f"DELETE FROM {CLOCK.name}")
            yield made

    async def put(self, relation: Relation, rows: Sequence[Row]) -> None:
        names = [column.name for column in relation.columns]
        await self._connection.copy_records_to_table(relation.name, records=rows, columns=names)

    async def count(self, relation: Relation) -> int:
        return int(await self._connection.fetchval(COUNT.format(relation.name)))

    async def entries(self) -> AsyncIterator[Sequence[Row]]:
        async for rows in self._some_at_a_time(CHECKED):
            yield rows
