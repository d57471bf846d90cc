"""What every journal keeps to, whatever its database: in memory, in SQLite, in PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from kingdom_builder.server.database import FORMAT as DATABASE_FORMAT
from kingdom_builder.server.journal import Conflict, Journal, StoreError
from kingdom_builder.server.postgres_journal import PostgresJournal
from kingdom_builder.server.sqlite_journal import SqliteJournal
from kingdom_builder.server.store import Sql, Steps
from server.inside import PATIENCE, run
from server.postgres_server import PostgresServer, listening

KINDS = ("memory", "sqlite", "postgres")
FORMAT = 1


class Journals:
    """Journals of one kind. Those of a kind that can be shared have the same database."""

    def __init__(self, kind: str, folder: Path, postgres: PostgresServer) -> None:
        self.kind = kind
        self._folder = folder
        self._postgres = postgres
        self._address = ""

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Journal]:
        journal = await self._make()
        await journal.open()
        try:
            yield journal
        finally:
            await journal.aclose()

    async def _make(self) -> Journal:
        if self.kind != "postgres":
            return SqliteJournal(None if self.kind == "memory" else self._folder)
        self._address = self._address or await self._postgres.new_database()
        return PostgresJournal(self._address)

    @asynccontextmanager
    async def open_two(self) -> AsyncIterator[tuple[Journal, Journal]]:
        """Two servers with the same database, or one that is both."""
        async with AsyncExitStack() as stack:
            first = await stack.enter_async_context(self.open())
            yield first, await stack.enter_async_context(self.open()) if first.is_shared else first


@pytest.fixture(params=KINDS)
def journals(request: pytest.FixtureRequest, tmp_path: Path, postgres: PostgresServer) -> Journals:
    return Journals(request.param, tmp_path, postgres)


def on_each(test: Callable[[Journals], Coroutine[Any, Any, None]]) -> Callable[[Journals], None]:
    """Run a test with every kind of journal."""

    def runs(journals: Journals) -> None:
        run(test(journals))

    runs.__name__, runs.__doc__ = test.__name__, test.__doc__
    return runs


def put(name: str, value: str) -> Steps[None]:
    yield Sql("INSERT INTO server_keys (name, value) VALUES (?, ?)", (name, value))


def change(name: str, before: str, after: str) -> Steps[None]:
    values = (after, name, before)
    yield Sql("UPDATE server_keys SET value = ? WHERE name = ? AND value = ? RETURNING 1", values, must=True)


def get(name: str) -> Steps[str | None]:
    rows = yield Sql("SELECT value FROM server_keys WHERE name = ?", (name,))
    return rows[0][0] if rows else None


def a_word(table: str, version: int, text: str) -> Sql:
    return Sql(
        "INSERT INTO words (id, version, number, person, text) VALUES (?, ?, ?, ?, ?)", (table, version, 0, "", text)
    )


@on_each
async def test_what_was_stored_is_there_after_a_restart(journals: Journals) -> None:
    async with AsyncExitStack() as stack:
        journal = await stack.enter_async_context(journals.open())
        generation = await journal.create("table", FORMAT, b"one", [a_word("table", 1, "Ann")])
        await journal.append("table", 2, FORMAT, b"two", generation, [a_word("table", 2, "hello")])
        await journal.append("table", 3, FORMAT, b"\x00\xff", generation)
        if journals.kind != "memory":
            await stack.aclose()
            journal = await stack.enter_async_context(journals.open())
        _, entries = await journal.load("table")
        assert [(entry.version, entry.body, dict(entry.texts)) for entry in entries] == [
            (1, b"one", {0: "Ann"}),
            (2, b"two", {0: "hello"}),
            (3, b"\x00\xff", {}),
        ]
        assert all(entry.intact and entry.format == FORMAT for entry in entries)
        assert journal.tables == 1
        assert not (await journal.load("other")).entries


@on_each
async def test_only_what_is_new_is_read(journals: Journals) -> None:
    async with journals.open() as journal:
        generation = await journal.create("table", FORMAT, b"one")
        for version in (2, 3, 4):
            await journal.append("table", version, FORMAT, b"", generation, [a_word("table", version, f"{version}")])
        _, entries = await journal.load("table", 2)
        assert [(entry.version, entry.texts[0]) for entry in entries] == [(3, "3"), (4, "4")]
        assert not (await journal.load("table", 4)).entries


@on_each
async def test_a_version_that_is_taken_is_a_conflict_and_changes_nothing(journals: Journals) -> None:
    async with journals.open_two() as (first, second):
        await first.create("table", FORMAT, b"one")
        await first.append("table", 2, FORMAT, b"two", first.generation)
        with pytest.raises(Conflict):
            await second.append("table", 2, FORMAT, b"other", second.generation, [a_word("table", 2, "no")])
        with pytest.raises(Conflict):
            await second.create("table", FORMAT, b"other")
        _, entries = await first.load("table")
        assert [(entry.body, dict(entry.texts)) for entry in entries] == [(b"one", {}), (b"two", {})]


@on_each
async def test_a_conflict_of_one_entry_holds_up_no_other(journals: Journals) -> None:
    async with journals.open() as journal:
        names = [f"table{number}" for number in range(40)]
        for name in names:
            await journal.create(name, FORMAT, b"one")
        appends = [journal.append(name, 2, FORMAT, b"two", journal.generation) for name in names]
        late = [
            journal.append(name, 1, FORMAT, b"late", journal.generation, [a_word(name, 9, "late")])
            for name in names[::5]
        ]
        outcomes = await asyncio.gather(*appends, *late, return_exceptions=True)
        assert outcomes[: len(names)] == [None] * len(names)
        assert {type(outcome) for outcome in outcomes[len(names) :]} == {Conflict}
        for name in names:
            _, entries = await journal.load(name)
            assert [entry.body for entry in entries] == [b"one", b"two"]


@on_each
async def test_of_two_servers_that_race_each_version_is_written_by_one(journals: Journals) -> None:
    async with journals.open_two() as (first, second):
        await first.create("table", FORMAT, b"")
        won: list[tuple[int, bytes]] = []

        async def compete(journal: Journal, name: bytes) -> None:
            version = 2
            while version <= 100:
                try:
                    await journal.append("table", version, FORMAT, name, journal.generation)
                    won.append((version, name))
                except Conflict:
                    version = (await journal.load("table")).entries[-1].version
                version += 1

        await asyncio.gather(compete(first, b"first"), compete(second, b"second"))
        _, entries = await first.load("table")
        assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
        assert len(entries) >= 100
        assert sorted(won) == [(entry.version, entry.body) for entry in entries[1:]]


@on_each
async def test_work_is_all_or_nothing(journals: Journals) -> None:
    def half() -> Steps[None]:
        yield from put("first", "1")
        yield from change("missing", "1", "2")

    async with journals.open() as journal:
        with pytest.raises(Conflict):
            await journal.write(half)
        assert await journal.read(get, "first") is None
        with pytest.raises(Conflict):
            await journal.create("table", FORMAT, b"", [*put("second", "1"), *change("x", "", "")])
        assert await journal.read(get, "second") is None
        assert not (await journal.load("table")).entries
        await journal.write(put, "third", "3")
        assert await journal.read(get, "third") == "3"


@on_each
async def test_a_change_that_must_find_something_is_made_once(journals: Journals) -> None:
    async with journals.open_two() as (first, second):
        await first.write(put, "seek", "")
        attempts = [
            journal.create(f"table{number}", FORMAT, b"", list(change("seek", "", f"table{number}")))
            for number, journal in enumerate((first, second) * 5)
        ]
        outcomes = await asyncio.gather(*attempts, return_exceptions=True)
        (won,) = [number for number, outcome in enumerate(outcomes) if not isinstance(outcome, Exception)]
        assert all(isinstance(outcome, Conflict) for number, outcome in enumerate(outcomes) if number != won)
        assert await second.read(get, "seek") == f"table{won}"
        for number in range(10):
            assert len((await first.load(f"table{number}")).entries) == (number == won)


@on_each
async def test_work_of_two_servers_at_the_same_moment_does_not_mix(journals: Journals) -> None:
    def count() -> Steps[None]:
        ((number,),) = yield Sql("SELECT value FROM server_keys WHERE name = ?", ("count",))
        yield Sql("UPDATE server_keys SET value = ? WHERE name = ?", (str(int(number) + 1), "count"))

    async with journals.open_two() as (first, second):
        await first.write(put, "count", "0")
        await asyncio.gather(*[journal.write(count) for journal in (first, second) * 10])
        assert await first.read(get, "count") == "20"


@on_each
async def test_work_that_is_given_up_at_any_moment_leaves_no_transaction_open(journals: Journals) -> None:
    async with journals.open() as journal:
        await journal.write(put, "first", "")
        for moment in range(120):
            work = asyncio.create_task(journal.write(put, f"{moment}", "written"))
            await asyncio.sleep(moment % 60 / 20_000)
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            assert work.cancelled() or await journal.read(get, f"{moment}") == "written"
        await asyncio.gather(*[journal.write(put, f"last {number}", "") for number in range(10)])


@on_each
async def test_what_is_being_stored_is_finished_before_the_journal_closes(journals: Journals) -> None:
    for moment in range(5):
        async with journals.open() as journal:
            name = f"table{moment}"
            await journal.create(name, FORMAT, b"")
            store = asyncio.create_task(journal.append(name, 2, FORMAT, b"two", journal.generation))
            for _ in range(moment):
                await asyncio.sleep(0)
        async with asyncio.timeout(30):
            if moment:  # else it came after the end
                await store
            else:
                store.cancel()


@on_each
async def test_entries_of_an_older_generation_are_refused(journals: Journals) -> None:
    async with journals.open() as journal:
        await journal.create("table", FORMAT, b"")
        with pytest.raises(StoreError):
            await journal.append("table", 2, FORMAT, b"", journal.generation - 1)
        assert len((await journal.load("table")).entries) == 1


@on_each
async def test_a_changed_entry_is_noticed(journals: Journals) -> None:
    def damage() -> Steps[None]:
        yield Sql("UPDATE entries SET body = ? WHERE id = ? AND version = ?", (b"changed", "table", 2))

    async with journals.open() as journal:
        await journal.create("table", FORMAT, b"one")
        await journal.append("table", 2, FORMAT, b"two", journal.generation)
        await journal.write(damage)
        _, entries = await journal.load("table")
        assert [entry.intact for entry in entries] == [True, False]


@pytest.mark.parametrize("other", [DATABASE_FORMAT - 1, DATABASE_FORMAT + 1])
def test_a_shared_database_of_another_format_is_refused_and_left_as_it_is(postgres: PostgresServer, other: int) -> None:
    async def test() -> None:
        address = await postgres.new_database()
        journal = PostgresJournal(address)
        await journal.open()
        await journal.fetch("UPDATE kb_format SET number = $1", other)
        await journal.aclose()
        with pytest.raises(
            StoreError, match=f"has format {other}, and this version of the program needs format {DATABASE_FORMAT}"
        ):
            await PostgresJournal(address).open()
        connection = await asyncpg.connect(address)
        assert await connection.fetchval("SELECT number FROM kb_format") == other
        await connection.close()

    run(test())


@on_each
async def test_old_tables_are_removed_with_all_that_goes_with_them(journals: Journals) -> None:
    async with journals.open() as journal:
        await journal.create("table", FORMAT, b"one", [a_word("table", 1, "Ann")])
        assert await journal.expire(180) == (0, 0, "")
        assert await journal.expire(-1, most=None, trust_clock=True) == (1, 0, "")
        assert journal.tables == 0
        assert not (await journal.load("table")).entries
        await journal.check()


@on_each
async def test_a_claim_is_one_servers_until_it_ends(journals: Journals) -> None:
    async with journals.open_two() as (first, second):
        assert await first.claim("chore", 30)
        assert await first.claim("chore", 30), "it may be renewed"
        assert await second.claim("chore", 30) == (not first.is_shared)
        assert await second.claim("other", 0.05)
        await asyncio.sleep(0.1)
        assert await first.claim("other", 30)
        await first.release("chore")
        assert await second.claim("chore", 30)


@on_each
async def test_the_others_hear_what_is_stored(journals: Journals) -> None:
    async with journals.open_two() as (first, second):
        heard: list[tuple[str, tuple[str, ...]]] = []
        first.on_ring = second.on_ring = lambda topic, names: heard.append((topic, tuple(names)))
        await listening(first, second)
        await first.create("table", FORMAT, b"")
        await first.append("table", 2, FORMAT, b"", first.generation)
        first.ring("persons", ["somebody", "another"])
        deadline = asyncio.get_running_loop().time() + PATIENCE
        while first.is_shared and len(heard) < 3 and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.01)
        expected = [("log", ("table 1",)), ("log", ("table 2",)), ("persons", ("somebody", "another"))]
        assert sorted(heard) == (expected if first.is_shared else [])
        assert await first.versions(["table", "none"]) == ({"table": 2} if first.is_shared else {})
