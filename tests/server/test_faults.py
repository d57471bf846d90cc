"""A failing disk, a full one, damage, files that are taken away: what the journal says is what is stored."""

import asyncio
import contextlib
import os
import shutil
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kingdom_builder.server import sqlite_journal as journals
from kingdom_builder.server.database import DATABASE, LOCK, StoreError, files
from kingdom_builder.server.journal import StoredEntry
from kingdom_builder.server.sqlite_journal import SqliteJournal
from kingdom_builder.server.store import Doubt
from server.conftest import Start
from server.disk import FULL, READ_FAILED, READ_ONLY, SYNC_FAILED, WRITE_FAILED, Disk, after_a_power_cut, disk, put
from server.inside import run
from server.player import Player, last_versions, wait_until

EVERY_FAULT = "EVERY_FAULT" in os.environ
"""Whether to take the time for all (`make faults`)."""


class Writer:
    """Stores entries at one table as a server does: after trouble it looks first at what is stored."""

    def __init__(self, journal: SqliteJournal, table: str, size: int = 100) -> None:
        self.journal = journal
        self.table = table
        self.acknowledged: list[bytes] = []
        self.refused: list[bytes] = []
        self.errors: list[StoreError] = []
        self._size = size
        self._generation = 0
        self._tries = 0

    async def write(self) -> bool:
        """Store the next entry; whether that was acknowledged."""
        self._tries += 1
        body = f"{self.table} {self._tries} ".encode().ljust(self._size, b".")
        journal = self.journal
        try:
            if self._generation != journal.generation or not self.acknowledged:
                loaded = await journal.load(self.table)
                self._generation = loaded.generation
                known = [entry.body for entry in loaded.entries]
                assert known[: len(self.acknowledged)] == self.acknowledged, "something acknowledged is lost"
                assert not set(known) & set(self.refused), "something refused is there"
                self.acknowledged = known  # what was in doubt is known now
            if self.acknowledged:
                await journal.append(self.table, len(self.acknowledged) + 1, 1, body, self._generation)
            else:
                self._generation = await journal.create(self.table, 1, body)
        except StoreError as error:
            self.errors.append(error)
            if not isinstance(error, Doubt):
                self.refused.append(body)
            return False
        self.acknowledged.append(body)
        return True

    def check(self, entries: list[StoredEntry]) -> None:
        """After a restart everything acknowledged is there, and nothing refused."""
        bodies = [entry.body for entry in entries]
        assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
        assert all(entry.intact for entry in entries)
        assert bodies[: len(self.acknowledged)] == self.acknowledged
        assert not set(bodies) & set(self.refused)


async def restarted(folder: Path, writers: list[Writer]) -> None:
    journal = SqliteJournal(folder)
    try:
        for writer in writers:
            writer.check((await journal.load(writer.table)).entries)
    finally:
        journal.close()


async def write_until(writer: Writer, wanted: bool, seconds: float = 10) -> None:
    """Go on until something is acknowledged, or refused."""
    async with asyncio.timeout(seconds):
        while await writer.write() != wanted:
            await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def open_journal(folder: Path, **options: Any) -> AsyncIterator[SqliteJournal]:
    journal = SqliteJournal(folder, **options)
    try:
        yield journal
    finally:
        journal.close()


def limited(test: Coroutine[Any, Any, object]) -> None:
    async def run_limited() -> None:
        async with asyncio.timeout(60):
            await test

    run(run_limited())


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failure it is tried again at once."""
    monkeypatch.setattr(journals, "NEXT_TRY_SECONDS", 0.0)


# ---- the disk fails ------------------------------------------------------------------------------------------------


async def ended_here(folder: Path, medium: Disk, writers: list[Writer]) -> None:
    """If the program or the power were cut now, what was said is true."""
    copy = folder / "copy"
    operations = [each for each in medium.operations if str(copy) not in each.path]
    for number in range(4):
        copy.mkdir()
        if number:
            put(after_a_power_cut(operations, Random(10 * len(operations) + number)), copy)
        else:
            for file in files(folder / DATABASE):
                if file.exists():
                    shutil.copy(file, copy)
        await restarted(copy, writers)
        shutil.rmtree(copy)


async def a_scripted_game(folder: Path, medium: Disk, size: int) -> list[Writer]:
    """Two tables; as long as something fails, it is tried again."""
    async with open_journal(folder) as journal:
        writers = [Writer(journal, name, size) for name in ("first", "second")]
        for number in range(12):
            for writer in writers:
                while not await writer.write():
                    trouble, medium.trouble = medium.trouble, lambda kind, path: 0
                    await ended_here(folder, medium, writers)
                    medium.trouble = trouble
            if number == 6:
                with contextlib.suppress(StoreError):
                    await journal.check()
        await ended_here(folder, medium, writers)
    return writers


def count_syncs(folder: Path, size: int) -> int:
    folder.mkdir()
    with disk() as medium:
        limited(a_scripted_game(folder, medium, size))
    return medium.count("sync")


@pytest.mark.parametrize("size", [100, 400_000])
@pytest.mark.parametrize("failures", [1, 3])
@pytest.mark.usefixtures("quick")
def test_after_a_failed_sync_nothing_refused_is_there_and_nothing_acknowledged_is_lost(
    tmp_path: Path, size: int, failures: int
) -> None:
    """Each sync in turn fails. Large entries make checkpoints happen within the game."""
    syncs = count_syncs(tmp_path / "counted", size)
    assert syncs > 25
    in_doubt = 0
    for number in range(1, syncs + 1, 1 if EVERY_FAULT or size + failures == 101 else size // 100_000 + 5):
        folder = tmp_path / str(number)
        folder.mkdir()
        with disk() as medium:
            medium.fail("sync", SYNC_FAILED, first=number, most=failures)
            with contextlib.suppress(StoreError):
                SqliteJournal(folder).close()  # the first syncs are those of opening
            writers: list[Writer] = []

            async def test(folder: Path = folder, medium: Disk = medium, writers: list[Writer] = writers) -> None:
                with contextlib.suppress(StoreError):
                    writers += await a_scripted_game(folder, medium, size)

            limited(test())
        in_doubt += sum(isinstance(error, Doubt) for writer in writers for error in writer.errors)
        limited(restarted(folder, writers))
        shutil.rmtree(folder)
    assert in_doubt or failures == 1


@pytest.mark.usefixtures("quick")
def test_a_disk_that_fails_for_long_is_told_as_doubt_first_and_then_as_a_refusal(tmp_path: Path) -> None:
    async def test() -> None:
        async with open_journal(tmp_path) as journal:
            writer = Writer(journal, "table")
            resets: list[int] = []
            journal.on_reset = lambda: resets.append(journal.generation)
            await writer.write()
            before = journal.generation
            medium.fail("sync", SYNC_FAILED)
            assert not await writer.write()
            assert isinstance(writer.errors[0], Doubt)
            assert journal.generation > before
            assert resets
            assert not await writer.write()
            assert not isinstance(writer.errors[-1], Doubt)
            with pytest.raises(StoreError, match=r"^The server cannot store anything now: the disk does not answer\."):
                await journal.append("table", 2, 1, b"", journal.generation)
            with pytest.raises(StoreError):
                await journal.check()
            medium.mend()
            await write_until(writer, True)
        await restarted(tmp_path, [writer])

    with disk() as medium:
        limited(test())


@pytest.mark.parametrize(
    ("error", "reason"),
    [(FULL, "the disk is full"), (READ_ONLY, "cannot be written"), (WRITE_FAILED, "the disk does not answer")],
)
@pytest.mark.usefixtures("quick")
def test_a_disk_that_cannot_be_written_is_refused_until_it_can(tmp_path: Path, error: int, reason: str) -> None:
    """Full, read-only, or broken. Tables can still be looked at, unless the disk is broken."""

    async def test() -> None:
        async with open_journal(tmp_path) as journal:
            writer, other = Writer(journal, "table"), Writer(journal, "other")
            await writer.write()
            medium.fail("write", error)
            for _ in range(3):
                assert not await writer.write()
                assert not await other.write()
                with pytest.raises(StoreError):
                    await journal.check()
            assert any(reason in str(each) for each in writer.errors)
            if error != WRITE_FAILED:
                assert not any(isinstance(each, Doubt) for each in writer.errors)
                assert len((await journal.load("table")).entries) == 1
            medium.mend()
            await write_until(writer, True)
            await write_until(other, True)
        await restarted(tmp_path, [writer, other])

    with disk() as medium:
        limited(test())


def test_a_disk_that_fills_while_a_table_is_written(tmp_path: Path) -> None:
    """Each write in turn is the first one for which there is no room."""
    for number in range(1, 40):
        folder = tmp_path / str(number)
        folder.mkdir()
        writers: list[Writer] = []

        async def test(folder: Path = folder, number: int = number, writers: list[Writer] = writers) -> None:
            async with open_journal(folder) as journal:
                writers.append(Writer(journal, "table"))
                await writers[0].write()
                medium.fail("write", FULL, first=number, most=5)
                for _ in range(20):
                    await writers[0].write()

        with disk() as medium:
            limited(test())
        assert len(writers[0].acknowledged) > 10
        limited(restarted(folder, writers))


def test_a_sector_that_cannot_be_read_holds_up_its_table_only(tmp_path: Path) -> None:
    async def test() -> None:
        async with open_journal(tmp_path) as journal:
            writers = [Writer(journal, name, 3000) for name in ("first", "second")]
            for writer in writers * 10:
                assert await writer.write()
        async with open_journal(tmp_path) as journal:
            writers = [Writer(journal, name, 3000) for name in ("first", "second")]
            medium.fail("read", READ_FAILED, most=1)
            with pytest.raises(StoreError, match=r"^The server cannot read this table now: the disk does not answer"):
                await journal.load("first")
            assert len((await journal.load("first")).entries) == 10
            assert await writers[1].write()

    with disk() as medium:
        limited(test())


# ---- damage --------------------------------------------------------------------------------------------------------


def test_a_changed_entry_is_noticed(tmp_path: Path) -> None:
    """Also one that was put in the place of another."""

    async def test() -> None:
        async with open_journal(tmp_path) as journal:
            for name in ("first", "second", "third"):
                writer = Writer(journal, name)
                for _ in range(3):
                    await writer.write()
        with contextlib.closing(sqlite3.connect(tmp_path / DATABASE, isolation_level=None)) as database:
            database.execute("UPDATE entries SET body = x'00' WHERE id = 'first' AND version = 2")
            database.execute(
                "UPDATE entries SET (crc, body) = (SELECT crc, body FROM entries WHERE id = 'third' AND version = 3)"
                " WHERE id = 'second' AND version = 3"
            )
        async with open_journal(tmp_path) as journal:
            intact = {
                name: [entry.intact for entry in (await journal.load(name)).entries]
                for name in ("first", "second", "third")
            }
        assert intact == {"first": [True, False, True], "second": [True, True, False], "third": [True] * 3}

    limited(test())


def test_a_damaged_page_harms_the_tables_on_it_only(tmp_path: Path) -> None:
    """Bytes are changed at random places; whatever is read is right or said to be damaged."""
    rng = Random(3)
    whole = tmp_path / "whole"
    whole.mkdir()

    async def fill() -> dict[str, list[bytes]]:
        async with open_journal(whole) as journal:
            writers = [Writer(journal, f"{number:012x}", 1000) for number in range(30)]
            for writer in writers * 8:
                assert await writer.write()
        return {writer.table: writer.acknowledged for writer in writers}

    tables = asyncio.run(fill())
    content = (whole / DATABASE).read_bytes()
    harmed = 0
    for number in range(30):
        folder = tmp_path / str(number)
        folder.mkdir()
        damaged = bytearray(content)
        page = rng.randrange(2, len(content) // 4096)
        for _ in range(rng.choice((1, 20, 1000))):
            damaged[page * 4096 + rng.randrange(4096)] ^= rng.randrange(1, 256)
        (folder / DATABASE).write_bytes(damaged)

        async def test(folder: Path = folder) -> int:
            bad = 0
            try:
                journal = SqliteJournal(folder)
            except StoreError:
                return len(tables)  # the page has the beginning of all
            try:
                for table, bodies in tables.items():
                    try:
                        entries = (await journal.load(table)).entries
                    except StoreError:
                        bad += 1
                        continue
                    right = [entry.body for entry in entries if entry.intact]
                    assert set(right) <= set(bodies)
                    if right == bodies:
                        continue
                    bad += 1
                with contextlib.suppress(StoreError):
                    await journal.create("new", 1, b"")
            finally:
                journal.close()
            return bad

        harmed += min(6, asyncio.run(test()))
    assert 0 < harmed < 30 * 6


# ---- files that are taken away -------------------------------------------------------------------------------------


@pytest.mark.parametrize("with_wal", [False, True])
@pytest.mark.usefixtures("quick")
def test_a_deleted_database_is_noticed_before_the_next_acknowledgement(tmp_path: Path, with_wal: bool) -> None:
    async def test() -> None:
        async with open_journal(tmp_path) as journal:
            writer = Writer(journal, "table")
            await writer.write()
            for file in files(tmp_path / DATABASE)[: 1 + with_wal]:
                os.rename(file, file.with_name("away" + file.name))
            for _ in range(3):
                assert not await writer.write()
                assert "the file of the database was deleted or moved away" in str(writer.errors[-1])
                assert not isinstance(writer.errors[-1], Doubt)
            with pytest.raises(StoreError, match="deleted or moved away"):
                await journal.check()
            assert len((await journal.load("table")).entries) == 1
            for file in files(tmp_path / DATABASE)[: 1 + with_wal]:
                os.rename(file.with_name("away" + file.name), file)
            await write_until(writer, True)
        await restarted(tmp_path, [writer])

    limited(test())


@pytest.mark.usefixtures("quick")
def test_a_database_that_is_deleted_in_the_middle_of_a_commit_is_doubt(tmp_path: Path) -> None:
    async def test() -> None:
        async with open_journal(tmp_path) as journal:
            writer = Writer(journal, "table")
            await writer.write()

            def vanish(kind: str, path: str) -> int:
                if kind == "sync":
                    with contextlib.suppress(FileNotFoundError):
                        (tmp_path / DATABASE).unlink()
                return 0

            medium.trouble = vanish
            assert not await writer.write()
            assert isinstance(writer.errors[-1], Doubt)

    with disk() as medium:
        limited(test())


@pytest.mark.usefixtures("quick")
def test_a_deleted_second_file_of_the_database_costs_nothing(tmp_path: Path) -> None:
    """The -wal file has the last entries."""

    async def test() -> None:
        async with open_journal(tmp_path) as journal:
            writer = Writer(journal, "table")
            for _ in range(5):
                await writer.write()
            files(tmp_path / DATABASE)[1].unlink()
            await write_until(writer, True)
        await restarted(tmp_path, [writer])

    limited(test())


@pytest.mark.parametrize("with_wal", [False, True])
@pytest.mark.usefixtures("quick")
def test_a_database_that_is_replaced_is_used_from_then_on(tmp_path: Path, with_wal: bool) -> None:
    """As it would be after a restart: with its own second file, if it has one."""

    async def other() -> Path:
        folder, copy = tmp_path / "other", tmp_path / "copy"
        async with open_journal(folder) as journal:
            generation = await journal.create("table", 1, b"from elsewhere")
            if not with_wal:
                return folder
            await journal.append("table", 2, 1, b"in the second file", generation)
            copy.mkdir()
            for file in files(folder / DATABASE):
                shutil.copy(file, copy)
        return copy

    async def test() -> None:
        folder = tmp_path / "folder"
        async with open_journal(folder) as journal:
            resets: list[int] = []
            journal.on_reset = lambda: resets.append(journal.generation)
            generation = await journal.create("table", 1, b"one")
            await journal.append("table", 2, 1, b"two", generation)
            there = await other()
            for old, new in zip(files(folder / DATABASE), files(there / DATABASE), strict=True):
                if new.exists():
                    os.replace(new, old)
            with pytest.raises(StoreError, match="is being read again"):
                await journal.append("table", 3, 1, b"three", generation)
            assert resets == [journal.generation]
            loaded = await journal.load("table")
            expected = [b"from elsewhere", b"in the second file"][: 1 + with_wal]
            assert [entry.body for entry in loaded.entries] == expected
            await journal.append("table", len(expected) + 1, 1, b"new", loaded.generation)
        async with open_journal(folder) as journal:
            assert [entry.body for entry in (await journal.load("table")).entries] == [*expected, b"new"]
            assert journal.tables == 1
        assert sorted(os.listdir(folder)) == [DATABASE, LOCK]

    limited(test())


# ---- others --------------------------------------------------------------------------------------------------------


def test_what_another_program_has_written_is_noticed(tmp_path: Path) -> None:
    async def test() -> None:
        async with open_journal(tmp_path) as journal:
            resets: list[int] = []
            journal.on_reset = lambda: resets.append(journal.generation)
            generation = await journal.create("table", 1, b"one")
            await journal.create("removed", 1, b"one")
            with contextlib.closing(sqlite3.connect(tmp_path / DATABASE, isolation_level=None)) as other:
                assert other.execute("SELECT count(*) FROM entries").fetchone() == (2,)
                await journal.append("table", 2, 1, b"two", generation)
                assert not resets, "reading is not writing"
                other.execute("DELETE FROM tables WHERE id = 'removed'")
                with pytest.raises(StoreError, match="another program has changed the database"):
                    await journal.append("table", 3, 1, b"three", generation)
                assert journal.tables == 1
                assert len(resets) == 1
                loaded = await journal.load("table")
                await journal.append("table", 3, 1, b"three", loaded.generation)
                other.execute("DELETE FROM entries WHERE id = 'removed'")
                assert await journal.create("created", 1, b"new") == journal.generation
                assert len(resets) == 2

    limited(test())


def test_own_commits_and_checkpoints_are_not_taken_for_those_of_others(tmp_path: Path) -> None:
    async def test() -> None:
        async with open_journal(tmp_path) as journal:
            before = journal.generation
            writer = Writer(journal, "table", 50_000)
            for _ in range(120):  # more than the 1,000 pages after which there is a checkpoint
                assert await writer.write()
            await journal.check()
            assert journal.generation == before

    limited(test())


def test_writes_do_not_wait_for_more_than_one_read(tmp_path: Path) -> None:
    async def test() -> None:
        async with open_journal(tmp_path) as journal:
            done: list[str] = []

            async def note(what: str, job: Any) -> None:
                await job
                done.append(what)

            await journal.create("table", 1, b"one")
            journal._ask(lambda database: time.sleep(0.2), writes=False)
            reads = [asyncio.create_task(note("read", journal.load("table"))) for _ in range(50)]
            await asyncio.sleep(0)
            await note("write", journal.append("table", 2, 1, b"two", journal.generation))
            assert len(done) <= 3, done
            await asyncio.gather(*reads)

    limited(test())


def test_checks_write_once_a_second_however_often_they_are_asked_for(tmp_path: Path) -> None:
    async def test() -> None:
        async with open_journal(tmp_path) as journal:
            statements: list[str] = []
            assert journal._database is not None
            journal._database.set_trace_callback(statements.append)
            await asyncio.gather(*[journal.check() for _ in range(100)])
            await journal.check()
            assert statements.count("COMMIT") <= 2

    limited(test())


@pytest.mark.usefixtures("quick")
def test_each_check_reaches_the_disk(tmp_path: Path) -> None:
    """Also in the same second, when there is nothing new to write."""

    async def test() -> None:
        async with open_journal(tmp_path, clock=lambda: 1.0, stopwatch=lambda: 1.0) as journal:
            for _ in range(3):
                before = medium.count("sync")
                await journal.check()
                assert medium.count("sync") > before

    with disk() as medium:
        limited(test())


# ---- signals -------------------------------------------------------------------------------------------------------


def test_a_server_that_is_asked_to_end_keeps_all_that_was_acknowledged(start: Start, tmp_path: Path) -> None:
    """SIGTERM, as from systemd, while people play."""
    server = start()
    players = [Player(server, seed) for seed in range(3)]
    for player in players:
        player.start()
    wait_until(lambda: all(player.last() > 20 for player in players))
    os.kill(server.pid, signal.SIGTERM)
    server.wait()
    for player in players:
        player.end()
    found = last_versions(tmp_path / "data" / DATABASE)
    assert all(found[player.made["id"]] in (player.last(), player.last() + 1) for player in players)
    assert "Traceback" not in server.log()
    assert sorted(os.listdir(tmp_path / "data")) == [DATABASE, LOCK]


def test_a_server_that_is_stopped_for_a_while_goes_on(start: Start, tmp_path: Path) -> None:
    """SIGSTOP and SIGCONT, while people play."""
    server = start()
    players = [Player(server, seed) for seed in range(2)]
    for player in players:
        player.start()
    for _ in range(5):
        played = [len(player.acknowledged) for player in players]
        os.kill(server.pid, signal.SIGSTOP)
        time.sleep(0.1)
        os.kill(server.pid, signal.SIGCONT)
        for player, before in zip(players, played, strict=True):
            wait_until(lambda player=player, before=before: len(player.acknowledged) > before)  # type: ignore[misc]
    for player in players:
        player.end()
    server.kill()
    found = last_versions(tmp_path / "data" / DATABASE)
    assert all(found[player.made["id"]] in (player.last(), player.last() + 1) for player in players)
