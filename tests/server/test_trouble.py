"""A full disk, a locked database, dying bots, slow readers: the server goes on with what it can."""

import asyncio
import json
import os
import select
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

from kingdom_builder.notation import position_of
from kingdom_builder.server import entries, looking
from kingdom_builder.server.connection import MOST_UNREAD, Connection
from kingdom_builder.server.database import DATABASE, StoreError
from kingdom_builder.server.sqlite_journal import SqliteJournal
from server.client import PATIENCE, Client, Server, ServerPool, kb_serve, play_on
from server.conftest import Start
from server.inside import Json, World, run, world


async def no_change_is_stored(inside: World, made: Json) -> None:
    """Commands are refused, and everybody sees the game as it was."""
    table = await inside.table(made)
    player, watcher = await inside.page(*made["seats"], made["host"]), await inside.page(made["watch"])
    before = (table.version, position_of(table.game.state), table.party.seats[:])
    watcher.messages()
    legal = looking.view(table, frozenset(chair.token_hash for chair in table.party.seats)).legal
    for command in (
        {"type": "play", "version": table.version, "move": legal[0]},
        {"type": "say", "text": "x" * 300},
        {"type": "join", "seat": 0, "name": "Ann", "colour": 4},
        {"type": "reseat", "seat": 1},
    ):
        answer = await player.ask(**command, id=f"{len(player.received)} {'long' * 20}")
        assert answer["type"] == "refused", answer
        assert answer["refusal"]["code"] == "store"
        assert answer["refusal"]["message"]["text"].endswith(".")
    assert (table.version, position_of(table.game.state), table.party.seats) == before
    await watcher.sync()
    assert {message["type"] for message in watcher.messages()} <= {"table", "pong"}
    assert (await player.ask(type="scores"))["type"] == "breakdown"
    assert (await player.ask(type="why", move="a1"))["type"] == "reason"
    for path in ("/api/table/replay", "/api/table/record"):
        assert (await inside.get(path, made["watch"])).status_code == 200
    assert (await inside.http.get("/api/catalogue")).status_code == 200
    made_none = await inside.http.post("/api/tables", json={"seats": [{"kind": "person"}] * 2})
    assert (made_none.status_code, made_none.json()["code"]) == (503, "store")
    for page in (player, watcher):
        await page.close()
        inside.pages.remove(page)


async def play_goes_on(inside: World, made: Json) -> None:
    table = await inside.table(made)
    player = await inside.page(*made["seats"])
    for _ in range(10):
        legal = looking.view(table, frozenset(chair.token_hash for chair in table.party.seats)).legal
        answer = await player.ask(type="play", version=table.version, move=legal[0])
        assert answer["type"] == "done", answer
    loaded = await inside.tables.journal.load(made["id"])
    assert len(loaded.entries) == table.version


async def the_same_after_a_restart(data: Path, made: Json, expected: str) -> None:
    async with world(data=data) as again:
        table = await again.table(made)
        assert position_of(table.game.state) == expected
        await play_goes_on(again, made)


def test_a_full_disk(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await inside.make()
            table = await inside.table(made)
            host = await inside.page(made["host"])
            journal = inside.tables.journal
            assert isinstance(journal, SqliteJournal)
            database = journal._database
            assert database is not None
            pages = database.execute("PRAGMA page_count").fetchone()[0]
            database.execute(f"PRAGMA max_page_count = {pages}")
            fillings: tuple[Json, ...] = (
                {"type": "say", "text": "x" * 300},
                {"type": "say", "text": "x"},
                {"type": "hush", "on": True},  # only the log of the table
            )
            for filling in fillings:
                while (await host.ask(**filling))["type"] == "done":
                    pass  # until the last page is full
            await no_change_is_stored(inside, made)
            database.execute("PRAGMA max_page_count = 1000000")
            await play_goes_on(inside, made)
            position = position_of(table.game.state)
        await the_same_after_a_restart(tmp_path, made, position)

    run(test())


def test_a_locked_database(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await inside.make()
            table = await inside.table(made)
            with closing(sqlite3.connect(tmp_path / DATABASE, isolation_level=None)) as other:
                for how in ("IMMEDIATE", "EXCLUSIVE"):
                    other.execute(f"BEGIN {how}")
                    await no_change_is_stored(inside, made)
                    other.execute("ROLLBACK")
                    await play_goes_on(inside, made)
            position = position_of(table.game.state)
        await the_same_after_a_restart(tmp_path, made, position)

    run(test())


def test_a_table_that_is_not_in_memory_is_shown_while_the_database_is_locked(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await inside.make()
        async with world(data=tmp_path) as inside:
            with closing(sqlite3.connect(tmp_path / DATABASE, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                page = await inside.page(made["seats"][0])
                assert page.messages()[0]["type"] == "welcome"
                assert (await inside.http.get("/api/health")).status_code == 503
                other.execute("ROLLBACK")

    run(test())


def test_who_waits_for_a_locked_database_waits_together(tmp_path: Path) -> None:
    """Many commands in one commit are not tried one after the other, each with all patience."""

    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await inside.make()
            statements: list[str] = []
            journal = inside.tables.journal
            assert isinstance(journal, SqliteJournal)
            assert journal._database is not None
            with closing(sqlite3.connect(tmp_path / DATABASE, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                journal._database.set_trace_callback(statements.append)
                appends = [journal.append(made["id"], version, 2, b"{}", 0) for version in range(2, 52)]
                results = await asyncio.gather(*appends, return_exceptions=True)
                assert all(isinstance(result, StoreError) for result in results)
                journal._database.set_trace_callback(None)
                other.execute("ROLLBACK")
            assert len([statement for statement in statements if "BEGIN" in statement]) < 10
            assert len((await journal.load(made["id"])).entries) == 1

    run(test())


def test_one_entry_that_cannot_be_stored_does_not_harm_the_others_in_its_commit(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await inside.make()
            journal = inside.tables.journal
            body, _ = entries.encode(entries.Said("by", "id", "name", "text"))
            now = journal.generation
            appends = [journal.append(made["id"], version, 2, body, now) for version in (2, 3, 3, 4, 1, 5)]
            appends.append(journal.append("\ud800", 1, 2, body, now))
            results = await asyncio.gather(*appends, return_exceptions=True)
            failed = [isinstance(result, StoreError) for result in results]
            assert failed == [False, False, True, False, True, False, True]
            assert len((await journal.load(made["id"])).entries) == 5

    run(test())


def test_a_second_server_on_the_same_folder_is_told_in_one_sentence(start: Start, server_pool: ServerPool) -> None:
    server = start()
    data = server.output.with_name("data")
    refusal = server_pool.try_to_start(data)
    assert refusal == f"The games in {data} are in use by another server: choose another folder."
    command = [sys.executable, "-m", "kingdom_builder", "serve", "--port", "0", "--data", str(data)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == f"kb serve: Kingdom Builder already runs at {server.address}\n"
    server.make_table()


def workers_of(server: Server) -> list[int]:
    """The processes in which bots think."""
    children = [
        int(pid)
        for task in Path(f"/proc/{server.pid}/task").iterdir()
        for pid in (task / "children").read_text().split()
    ]
    return [pid for pid in children if b"kingdom_builder.pool" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def test_a_game_goes_on_when_the_process_of_a_bot_dies(start: Start) -> None:
    server = start(bot_pause=0.001)
    made = server.make_table(["person", "greedy", "greedy"])
    rng = Random(1)
    killed = 0
    with Client(server, made["seats"][0]) as client:
        for _ in range(4):
            play_on([client], rng, most=12)
            while not (workers := workers_of(server)):
                play_on([client], rng, most=1)
            for pid in workers:
                os.kill(pid, 9)
                killed += 1
        play_on([client], rng)
        assert client.view["over"]
    assert killed == 4, "there is a new process after each death"
    assert "Traceback" not in server.log()


def test_the_processes_of_bots_end_with_a_server_that_is_killed(start: Start) -> None:
    server = start()
    made = server.make_table(["greedy", "person"])
    with Client(server, made["seats"][1]) as client:
        while not client.in_turn:
            client.receive()
    workers = [os.pidfd_open(pid) for pid in workers_of(server)]
    assert workers
    server.kill()
    for worker in workers:
        assert select.select([worker], [], [], 10)[0], "the process lives on without its server"
        os.close(worker)


def test_a_slow_reader_holds_nobody_up_and_gets_what_it_missed_at_once() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await inside.make()
            slow, quick = await inside.page(made["seats"][0]), await inside.page(made["seats"][1])
            slow.stalled = asyncio.Event()
            for number in range(300):
                assert (await quick.ask(type="say", text="x" * 250 + str(number)))["type"] == "done"
            heard = len(slow.received)
            slow.stalled.set()
            await slow.sync()
            assert len(slow.received) < heard + 5
            said = [line for text in slow.received for line in chat_in(text)]
            assert [line["text"].strip("x") for line in said][-100:] == [str(number) for number in range(200, 300)]

    run(test())


def chat_in(text: str) -> list[Json]:
    message = json.loads(text)
    lines: list[Json] = message["lines"] if message["type"] == "chat" else []
    return lines


def test_who_asks_and_does_not_read_is_not_listened_to() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await inside.make()
            page = await inside.page(made["seats"][0])
            page.stalled = asyncio.Event()
            for _ in range(3000):
                page.send(type="scores")
            for _ in range(20_000):
                await asyncio.sleep(0)
            (connection,) = inside.tables.connections
            assert isinstance(connection, Connection)
            assert 0 < connection._unread < 2 * MOST_UNREAD
            page.stalled.set()
            await page.sync()

    run(test())


def test_the_real_program_ends_when_it_is_asked_to(tmp_path: Path) -> None:
    with kb_serve(tmp_path / "data") as server:
        made = server.make_table(["person", "random"])
        with Client(server, made["seats"][0]) as client:
            server.stop()
            assert client.closed() in (1001, 1012, None)
    assert "Traceback" not in server.log()
