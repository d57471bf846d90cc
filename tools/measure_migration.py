"""Measures how long a folder of an older format takes to open, and checks that every game in it is as it was.

    python tools/measure_migration.py [FORMAT] [TABLES]

copies the tables of tests/data/folder-vFORMAT until there are as many as asked for (3 and 1,000 if not said).
"""

import asyncio
import json
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from kingdom_builder.notation import position_of
from kingdom_builder.server.database import DATABASE, checksum
from kingdom_builder.server.journal import Journal, Loaded, StoredEntry
from kingdom_builder.server.projector import games_of
from kingdom_builder.server.sqlite_journal import SqliteJournal
from kingdom_builder.server.table import Table

DATA = Path(__file__).parent.parent / "tests" / "data"

OF_A_TABLE = ("tables", "entries", "words", "games", "players")
"""The relations that name the table in their first column."""


class Measured(NamedTuple):
    """What opening an old folder took, in seconds."""

    tables: int
    entries: int
    opening: float
    """Until the first page can be served."""
    listing: float
    """Until all games are in the lists, while people play; CPU time."""
    plain: float
    """Reading all logs once: what everything else can be compared with."""


class Seen(NamedTuple):
    """What a table looks like, however it is stored."""

    version: int
    position: str
    actions: list[int]
    names: list[str]
    chat: list[tuple[str, str]]


def fill(folder: Path, number: int, tables: int) -> None:
    """Make a folder of an old format with this many tables, in all relations that name them."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(DATA / f"folder-v{number}" / DATABASE, folder / DATABASE)
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        known = [table for (table,) in database.execute("SELECT id FROM tables ORDER BY id")]
        for relation in (name for name in OF_A_TABLE if columns_of(database, name)):
            columns = columns_of(database, relation)
            rows = database.execute(f"SELECT * FROM {relation} ORDER BY id").fetchall()
            for copy in range(len(known), tables):
                table, identity = known[copy % len(known)], f"{copy:012x}"
                copies = [{**dict(zip(columns, row, strict=True)), "id": identity} for row in rows if row[0] == table]
                if "crc" in columns:
                    for each in copies:
                        each["crc"] = checksum(identity, each["version"], each["format"], bytes(each["body"]))
                marks = ", ".join(f":{column}" for column in columns)
                database.executemany(f"INSERT INTO {relation} VALUES ({marks})", copies)
        database.commit()


def columns_of(database: sqlite3.Connection, relation: str) -> list[str]:
    """The columns of a relation, the table first; none if the format does not have it."""
    query = "SELECT name FROM pragma_table_info(?) ORDER BY cid"
    return [name for (name,) in database.execute(query, (relation,))]


async def seen(table: str, loaded: Loaded, journal: Journal) -> Seen:
    found = await Table.restore(table, journal, loaded)
    assert found.trouble is None, found.trouble
    return Seen(
        found.version,
        position_of(found.game.state),
        found.game.actions(),
        found.party.names(),
        [(line.name, line.text) for line in found.party.chat],
    )


def old_logs(folder: Path) -> Iterator[tuple[str, Loaded]]:
    """The logs of a folder of an old format. Before format 3, names and chat stood in the entries."""
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        number = "format" if "format" in columns_of(database, "entries") else "1"
        query = f"SELECT version, {number}, body FROM entries WHERE id = ? ORDER BY version"
        for (table,) in database.execute("SELECT id FROM tables ORDER BY id").fetchall():
            texts: dict[int, dict[int, str]] = {}
            if columns_of(database, "words"):
                for version, place, text in database.execute(
                    "SELECT version, number, text FROM words WHERE id = ?", (table,)
                ):
                    texts.setdefault(version, {})[place] = text
            rows = database.execute(query, (table,)).fetchall()
            yield (
                table,
                Loaded(
                    1,
                    [
                        StoredEntry(version, form, bytes(body), True, texts.get(version, {}))
                        for version, form, body in rows
                    ],
                ),
            )


async def measure(folder: Path) -> Measured:
    """Open a folder of an old format. Raises AssertionError if a table is not as it was."""
    began = time.process_time()
    memory = SqliteJournal(None)
    before = {table: await seen(table, loaded, memory) for table, loaded in old_logs(folder)}
    plain = time.process_time() - began
    began = time.perf_counter()
    journal = SqliteJournal(folder)
    opening = time.perf_counter() - began
    try:
        for table, was in before.items():
            assert await seen(table, await journal.load(table), journal) == was, table
        began = time.process_time()
        for table in before:
            assert await games_of(table, journal, await journal.load(table)), table
        listing = time.process_time() - began
    finally:
        journal.close()
        memory.close()
    return Measured(len(before), sum(was.version for was in before.values()), opening, listing, plain)


def main(arguments: list[str]) -> None:
    number, tables = (*(int(text) for text in arguments), *(3, 1_000)[len(arguments) :])
    with tempfile.TemporaryDirectory() as place:
        fill(Path(place), number, tables)
        found = asyncio.run(measure(Path(place)))
    print(json.dumps(found._asdict(), indent=2))
    print(f"ratio of opening to reading all logs once: {found.opening / found.plain:.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
