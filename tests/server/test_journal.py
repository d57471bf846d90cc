"""The files of the journal: old ones are brought to the current format, newer and foreign ones are left alone."""

import asyncio
import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kingdom_builder.notation import position_of, under_present_rules
from kingdom_builder.rules import kept_rulings
from kingdom_builder.server.database import DATABASE, FORMAT, StoreError, files
from kingdom_builder.server.sqlite_journal import SqliteJournal
from kingdom_builder.server.store import Doubt
from server.client import PATIENCE
from server.inside import run, world

OLD = Path(__file__).parents[1] / "data" / "folder-v0"
"""Written by version 0.1.0: three tables, one with two games, chat, and seats that got other players."""

OLD_SCHEMA = """
CREATE TABLE tables (id TEXT PRIMARY KEY, created REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE entries (
    id TEXT NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (id, version)
) WITHOUT ROWID;
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    shutil.copy(OLD / DATABASE, tmp_path)
    return tmp_path


def content(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def query(folder: Path, sql: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as database:
        return database.execute(sql).fetchall()


def test_a_folder_of_the_first_version_opens_with_all_its_games(old: Path) -> None:
    expected = json.loads((OLD / "expected.json").read_text())

    async def test() -> None:
        for _ in range(2):
            async with world(data=old) as inside:
                assert inside.tables.journal.tables == 3
                for made in expected:
                    _, entries = await inside.tables.journal.load(made["id"])
                    assert [entry.version for entry in entries] == list(range(1, made["version"] + 1))
                    assert all(entry.intact and entry.format == 1 for entry in entries)
                    table = await inside.table(made)
                    assert (table.version, table.game_number) == (made["version"], made["game"])
                    assert under_present_rules(position_of(table.game.state)) == made["position"]
                    assert kept_rulings(table.game.state.setup), "it goes on under the rules that it began with"
                    assert table.party.names() == made["names"]

    run(test())


def test_an_old_table_counts_as_used_when_its_folder_was_last_changed(old: Path) -> None:
    changed = int(time.time()) - 1000
    os.utime(old / DATABASE, (changed, changed))
    with contextlib.closing(sqlite3.connect(old / DATABASE, isolation_level=None)) as database:
        first, *_ = [name for (name,) in database.execute("SELECT id FROM tables ORDER BY id")]
        database.execute("UPDATE tables SET created = ? WHERE id = ?", (changed + 500, first))
    os.utime(old / DATABASE, (changed, changed))
    SqliteJournal(old).close()
    assert query(old, "SELECT DISTINCT at FROM entries ORDER BY at") == [(changed,), (changed + 500,)]
    assert query(old, f"SELECT DISTINCT at FROM entries WHERE id = '{first}'") == [(changed + 500,)]
    assert query(old, "SELECT DISTINCT ran FROM entries") == [(0,)]


def test_an_old_folder_after_a_kill_has_its_last_entries_in_the_second_file(old: Path, tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    killed.mkdir()
    with contextlib.closing(sqlite3.connect(old / DATABASE, isolation_level=None)) as database:
        database.execute("INSERT INTO tables VALUES ('last', 0)")
        database.execute("INSERT INTO entries VALUES ('last', 1, x'00')")
        for file in files(old / DATABASE):
            shutil.copy(file, killed)
    SqliteJournal(killed).close()
    assert query(killed, "SELECT count(*) FROM tables") == [(4,)]


def test_a_kill_while_a_folder_is_brought_to_the_present_format(tmp_path: Path) -> None:
    """It has the old format or the new one, never something between."""
    whole = tmp_path / "whole"
    whole.mkdir()
    rows = [(f"{table:012x}", version, b"." * 200) for table in range(500) for version in range(1, 101)]
    with contextlib.closing(sqlite3.connect(whole / DATABASE)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(OLD_SCHEMA)
        database.executemany("INSERT INTO tables VALUES (?, 0)", [(f"{table:012x}",) for table in range(500)])
        database.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)
        database.commit()
    program = "import sys; from pathlib import Path; from kingdom_builder.server.sqlite_journal import SqliteJournal; "
    program += "print(flush=True); SqliteJournal(Path(sys.argv[1])).close(); print('done')"
    found = set()
    for number, seconds in enumerate((0, 0.02, 0.05, 0.1, 0.2, 0.5, 5)):
        folder = tmp_path / str(number)
        shutil.copytree(whole, folder)
        process = subprocess.Popen([sys.executable, "-c", program, folder], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        process.kill()
        process.communicate(timeout=PATIENCE)
        (row,) = query(folder, "PRAGMA user_version")
        found.add(row[0])
        assert query(folder, "SELECT count(*), sum(length(body)) FROM entries") == [(len(rows), 200 * len(rows))]
        SqliteJournal(folder).close()
        assert query(folder, "SELECT count(*) FROM entries WHERE crc <> 0") == [(len(rows),)]
    assert found <= {0, FORMAT}


@pytest.mark.parametrize("in_second_file", [False, True])
def test_a_folder_of_a_newer_version_is_refused_and_left_as_it_is(tmp_path: Path, in_second_file: bool) -> None:
    made, folder = tmp_path / "made", tmp_path / "folder"
    made.mkdir()
    folder.mkdir()
    SqliteJournal(made).close()
    with contextlib.closing(sqlite3.connect(made / DATABASE, isolation_level=None)) as database:
        database.execute("CREATE TABLE something_new (x)")
        database.execute(f"PRAGMA user_version = {FORMAT + 1}")
        if in_second_file:
            for file in files(made / DATABASE):
                shutil.copy(file, folder)
    if not in_second_file:
        shutil.copy(made / DATABASE, folder)
    before = content(folder)
    expected = rf"was written by a newer version of this program \(format {FORMAT + 1}, expected at most {FORMAT}\)"
    for _ in range(2):
        with pytest.raises(StoreError, match=expected):
            SqliteJournal(folder)
        (folder / "server.lock").unlink()
        assert content(folder) == before
    command = [sys.executable, "-m", "kingdom_builder", "serve", "--port", "0", "--data", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    (folder / "server.lock").unlink()
    assert content(folder) == before


@pytest.mark.parametrize("kind", ["text", "foreign", "foreign with our names", "half"])
def test_a_file_that_is_not_ours_is_refused_and_left_as_it_is(tmp_path: Path, kind: str) -> None:
    path = tmp_path / DATABASE
    if kind == "text":
        path.write_text("These are not the games that you are looking for.\n" * 100)
    elif kind == "half":
        path.write_bytes((OLD / DATABASE).read_bytes()[:5000])
    else:
        names = ("tables", "entries") if kind.endswith("names") else ("people", "places")
        with contextlib.closing(sqlite3.connect(path)) as database:
            for name in names:
                database.execute(f"CREATE TABLE {name} (x)")
            database.commit()
    before = content(tmp_path)
    with pytest.raises(StoreError) as refusal:
        SqliteJournal(tmp_path)
    assert str(refusal.value).startswith(str(path)) or "cannot be opened" in str(refusal.value)
    assert str(refusal.value).endswith(".")
    (tmp_path / "server.lock").unlink()
    assert content(tmp_path) == before


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    (tmp_path / DATABASE).touch()
    SqliteJournal(tmp_path).close()
    assert query(tmp_path, "PRAGMA user_version") == [(FORMAT,)]


def test_a_refused_folder_is_not_locked(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_text("text" * 1000)
    for _ in range(2):
        with pytest.raises(StoreError, match="not a database"):
            SqliteJournal(tmp_path)


def test_entries_of_another_generation_are_refused(tmp_path: Path) -> None:
    async def test() -> None:
        journal = SqliteJournal(tmp_path)
        try:
            generation = await journal.create("table", 1, b"one")
            assert journal.tables == 1
            for wrong in (generation - 1, generation + 1):
                with pytest.raises(StoreError, match="is being read again") as refusal:
                    await journal.append("table", 2, 1, b"two", wrong)
                assert not isinstance(refusal.value, Doubt)
            await journal.append("table", 2, 7, b"two", generation)
            assert (await journal.load("table")).entries[1] == (2, 7, b"two", True, {})
            assert await journal.load("none") == (generation, [])
        finally:
            journal.close()

    run(test())


def test_without_a_folder_everything_is_in_memory() -> None:
    async def test() -> None:
        journal = SqliteJournal(None)
        try:
            generation = await journal.create("table", 1, b"one")
            await asyncio.gather(*[journal.append("table", number, 1, b"", generation) for number in range(2, 50)])
            assert len((await journal.load("table")).entries) == 49
            await journal.check()
            assert await journal.expire(180) == (0, 0, "")
        finally:
            journal.close()

    run(test())
