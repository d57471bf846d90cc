"""There is one object of each table, and it is the one that follows the log."""

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from kingdom_builder.server import sqlite_journal as journals
from kingdom_builder.server import tables as halls
from kingdom_builder.server.sqlite_journal import SqliteJournal
from kingdom_builder.server.table import Table
from server.disk import SYNC_FAILED, disk
from server.inside import Json, World, run, world
from server.test_party import last_table, last_view


def test_a_table_that_leaves_the_memory_while_somebody_arrives_is_still_one_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Many arrive at once: until their turn comes, nobody looks at their tables yet."""
    monkeypatch.setattr(halls, "MOST_IDLE_ACTIONS", 600)

    async def test() -> None:
        async with world() as inside:
            tables = [await inside.make(2) for _ in range(15)]
            async with inside.tables.turns.of("somebody else"):
                pages = [await inside.stranger() for _ in tables]
                for page, made in zip(pages, tables, strict=True):
                    page.say(json.dumps({"type": "hello", "tokens": [made["seats"][0]]}))
                for _ in range(20):
                    await inside.make(2)
            for page in pages:
                await page.sync()
            others = [await inside.page(made["seats"][1]) for made in tables]
            for first, second in zip(pages, others, strict=True):
                await first.ask(type="say", text="hello", seat=0)
                answer = await second.ask(type="say", text="hello", seat=1)
                assert answer["type"] == "done", answer
                await first.sync()
                heard = [
                    line["text"] for each in first.everything() if each["type"] == "chat" for line in each["lines"]
                ]
                assert heard == ["hello", "hello"]

    run(test())


def test_whoever_arrives_while_a_table_is_read_again_comes_to_the_new_one() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await inside.make(2)
            first = await inside.table(made)
            async with inside.tables.turns.of("somebody else"):
                arriving = await inside.stranger()
                arriving.say(json.dumps({"type": "hello", "tokens": [made["seats"][0]]}))
                for _ in range(20):
                    await asyncio.sleep(0)
                inside.tables.journal.generation += 1
                inside.tables._forget_all()
            for _ in range(50):
                await asyncio.sleep(0.001)
            if not arriving.task.done():  # a page that was sent away comes back by itself
                assert (await arriving.ask(type="say", text="x", seat=0))["type"] == "done"
            else:
                assert arriving.closed == 1012
                back = await inside.page(made["seats"][0])
                assert (await back.ask(type="say", text="x", seat=0))["type"] == "done"
            assert first is not await inside.table(made)

    run(test())


def test_a_table_made_while_all_is_read_again_can_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first entry is stored, then the generation is raised, and only then does the maker hear of it."""
    create = SqliteJournal.create

    async def create_and_reset(journal: SqliteJournal, *arguments: Any) -> int:
        generation = await create(journal, *arguments)
        journal.generation += 1
        journal._told = journal.generation
        journal.on_reset()
        return generation

    async def test() -> None:
        async with world() as inside:
            monkeypatch.setattr(SqliteJournal, "create", create_and_reset)
            made = await inside.make(2)
            page = await inside.page(made["seats"][0])
            answer = await page.ask(type="say", text="x", seat=0)
            assert answer["type"] == "done", answer

    run(test())


def test_a_loading_that_nobody_waited_for_is_not_found_again() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await inside.make(2)
            inside.tables._forget_all()
            loading = asyncio.create_task(inside.tables.find([made["watch"]], "test"))
            await asyncio.sleep(0)
            loading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await loading
            while made["id"] not in inside.tables._tables:
                await asyncio.sleep(0)
            first = await inside.table(made)
            page = await inside.page(made["seats"][0])
            assert (await page.ask(type="say", text="x", seat=0))["type"] == "done"
            inside.tables._forget(first)
            again = await inside.table(made)
            assert again is not first
            assert again.version == 2

    run(test())


@pytest.mark.parametrize("kind", ["play", "reseat"])
def test_after_a_doubt_a_page_comes_back_and_finds_the_truth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The commit fails, and it is not known at first whether it was made."""
    monkeypatch.setattr(journals, "NEXT_TRY_SECONDS", 0.0)

    async def test(failures: int) -> None:
        data = tmp_path / f"{kind} {failures}"
        data.mkdir()
        async with world(data=data) as inside:
            made = await inside.make(2)
            tokens = [*made["seats"], made["host"]]
            page, watcher = await inside.page(*tokens), await inside.page(made["watch"])
            command = (
                {"type": "play", "version": 1, "move": last_view(page)["legal"][0]}
                if kind == "play"
                else {"type": "reseat", "seat": 1}
            )
            medium.fail("sync", SYNC_FAILED, most=failures)
            page.send(**command, id="it")
            page.send(type="say", text="behind it", seat=0, id="behind")
            await page.until_answered_or_closed("it")
            medium.mend()
            known = [message for message in page.everything() if message.get("id") == "it"]
            async with asyncio.timeout(20):
                while True:
                    back = await inside.page(*tokens)
                    if back.everything()[-1].get("refusal", {}).get("code") != "store":
                        answer = await back.ask(**command, id="it")
                        if answer.get("refusal", {}).get("code") != "store":
                            break
                    await asyncio.sleep(0.05)
            assert answer["type"] == "done", answer
            if kind == "reseat":
                assert answer["token"]
                assert last_table(await inside.page(answer["token"]))["yours"] == [1]
            assert not known or known[0]["type"] == "refused" or known[0]["version"] == answer["version"]
            await back.ask(type="say", text="behind it", seat=0, id="behind")
            await watcher.close()
            table = await inside.table(made)
            assert [line.text for line in table.party.chat] == ["behind it"]
            version, position = table.version, table.game.state.own[:]
            assert version == 3
        async with world(data=data) as inside:
            table = await inside.table(made)
            assert (table.version, table.game.state.own) == (version, position)

    for failures in (1, 2, 3, 5):
        with disk() as medium:
            run(test(failures))


async def a_table_of_bots(inside: World) -> Json:
    seats = [{"kind": "bot", "level": "random"}, {"kind": "person"}]
    made: Json = (await inside.http.post("/api/tables", json={"seats": seats})).json()
    return made


def test_a_bot_goes_on_when_somebody_comes_at_the_moment_in_which_it_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with world() as inside:
            table = await inside.table({"watch": (await a_table_of_bots(inside))["watch"]})
            with monkeypatch.context() as nobody:
                nobody.setattr(Table, "is_looked_at", lambda *_: False)
                inside.tables.bots.watch(table)
                await asyncio.sleep(0)  # it rests, but nobody knows yet
            inside.tables.bots.watch(table)
            async with asyncio.timeout(20):
                while table.game.state.player == 0:
                    await asyncio.sleep(0.01)

    run(test())


def test_the_bots_of_a_table_that_was_read_again_are_not_stopped_with_those_of_the_old_one() -> None:
    async def test() -> None:
        async with world(bot_pause=0.2) as inside:
            made = await a_table_of_bots(inside)
            old = await inside.table(made)
            inside.tables.bots.watch(old)
            inside.tables._forget(old)
            new = await inside.table(made)
            assert new is not old
            inside.tables.bots.watch(new)
            inside.tables._forget(old)  # something that was under way there is given up
            async with asyncio.timeout(20):
                while new.game.player == 0:
                    await asyncio.sleep(0.01)

    run(test())
