"""What a server does by itself goes on, also after an error that nobody expected."""

import asyncio

import pytest

from kingdom_builder.server import chores
from kingdom_builder.server.journal import Doubt
from kingdom_builder.server.postgres_journal import PostgresJournal
from server.inside import PATIENCE, run
from server.postgres_server import PostgresServer


def test_a_chore_that_fails_is_begun_again(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    begun: list[None] = []

    async def chore() -> None:
        begun.append(None)
        if len(begun) < 3:
            raise ValueError("an error that nobody expected")
        await asyncio.Event().wait()

    async def test() -> None:
        kept = asyncio.create_task(chores.keep_on(chore))
        async with asyncio.timeout(PATIENCE):
            while len(begun) < 3:
                await asyncio.sleep(0.01)
        kept.cancel()
        await asyncio.wait([kept])

    monkeypatch.setattr(chores, "AGAIN_SECONDS", 0.01)
    run(test())
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"], "and the operator learns of it"
    caplog.clear()


def test_an_error_while_entries_are_stored_keeps_no_others_waiting(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        journal = PostgresJournal(await postgres.new_database())
        await journal.open()
        generation = await journal.create("table", 1, b"one")
        with monkeypatch.context() as broken:
            broken.setattr(journal, "_outcomes", None)
            with pytest.raises(Doubt):
                await journal.append("table", 2, 1, b"two", generation)
        async with asyncio.timeout(PATIENCE):
            await journal.append("table", 2, 1, b"two", generation)
        await journal.aclose()

    run(test())
    assert [record.getMessage() for record in caplog.records] == ["Entries could not be stored"]
    caplog.clear()
