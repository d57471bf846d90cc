"""A server that is cut off from its database or the others sends its pages elsewhere; so does one that has to end."""

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from faults.proxy import Link
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from kingdom_builder.server import doorbell, postgres_journal
from kingdom_builder.server.doorbell import Doorbell
from kingdom_builder.server.messages import PROTOCOL
from kingdom_builder.server.postgres import connect as connect_to_database
from kingdom_builder.server.postgres_journal import PostgresJournal
from kingdom_builder.server.settings import SHARED_DRAIN_SECONDS, Settings
from server.inside import LOOSE, PATIENCE, Json, Page, World, run
from server.postgres_server import PostgresServer

RESTART = 1012
PAGES = 12


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that find out within a second or two that they are alone."""
    monkeypatch.setattr(doorbell, "TEST_SECONDS", 0.1)
    monkeypatch.setattr(doorbell, "HEARING_SECONDS", 0.5)
    monkeypatch.setattr(doorbell, "CUT_OFF_SECONDS", 1.5)
    monkeypatch.setattr(doorbell, "RETRY_SECONDS", 0.1)


@contextlib.asynccontextmanager
async def linked(postgres: PostgresServer) -> AsyncIterator[tuple[World, Link]]:
    """A server, and the link to its database."""
    database = await postgres.new_database()
    async with Link(postgres.socket) as link:
        address = f"postgresql://postgres@127.0.0.1:{link.port}{urlsplit(database).path}"
        async with World(database=address) as inside:
            yield inside, link


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that happens soon."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.02)


async def closed(page: Page) -> int | None:
    """The code with which the server closes a page."""
    await until(lambda: page.closed is not None)
    return page.closed


async def ready(inside: World, status: int) -> None:
    """Wait until the server says so."""
    async with asyncio.timeout(PATIENCE):
        while (await inside.http.get("/api/ready")).status_code != status:
            await asyncio.sleep(0.05)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("how", ["held up", "lost", "lost without a word"])
def test_a_server_that_is_cut_off_sends_its_pages_away_and_comes_back(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(postgres_journal, "COMMAND_SECONDS", 2.0)
    monkeypatch.setattr(doorbell, "connect", partial(connect_to_database, patience=2.0))

    async def test() -> None:
        async with linked(postgres) as (inside, link):
            made = await inside.make()
            pages = [await inside.page(token) for token in made["seats"]]
            await ready(inside, 200)
            link.freeze()
            assert [await closed(page) for page in pages] == [RESTART, RESTART]
            assert not inside.tables.takes_visitors
            answer = await inside.http.get("/api/ready")
            assert (answer.status_code, answer.json()["message"]["template"]) == (
                503,
                "The server is cut off from its database.",
            )
            assert await closed(await inside.stranger()) == RESTART
            if how == "lost":
                link.drop()
            if how == "lost without a word":
                link.silence()
            link.thaw()
            await ready(inside, 200)
            monkeypatch.setattr(doorbell, "CUT_OFF_SECONDS", PATIENCE)  # whatever else the machine has to do
            page = await inside.page(made["seats"][0])
            assert (await page.ask(type="say", seat=0, text="here again"))["type"] == "done"

    run(test())


@pytest.mark.usefixtures("impatient")
def test_a_server_that_hears_nothing_listens_on_a_new_connection(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection stays and says nothing: only the server's own ring tells."""
    take = Doorbell._take
    deaf: dict[Doorbell, int] = {}

    def hear(bell: Doorbell, *ring: Any) -> None:
        if deaf.get(bell) != bell.times_deaf:  # else it listens on the connection that became deaf
            take(bell, *ring)

    monkeypatch.setattr(Doorbell, "_take", hear)

    async def test() -> None:
        address = await postgres.new_database()
        async with World(database=address) as first, World(database=address) as second:
            made = await first.make()
            here, there = await first.table(made), await second.table(made)
            page = await first.page(made["seats"][0])
            journal = second.tables.journal
            assert isinstance(journal, PostgresJournal)
            following = asyncio.create_task(second.tables.following.run())
            try:
                await page.ask(type="say", seat=0, text="is anybody there?")
                await until(lambda: there.version == here.version)
                deaf[journal._bell] = journal.times_deaf
                await page.ask(type="say", seat=0, text="and now?")
                await until(lambda: there.version == here.version)
                assert journal.times_deaf >= 1
                await until(lambda: second.tables.takes_visitors)
            finally:
                following.cancel()

    run(test())


# ---- being asked to end ----------------------------------------------------------------------------------------------


def test_only_servers_with_others_beside_them_drain_by_default() -> None:
    assert Settings().draining == 0
    assert Settings(drain_seconds=3).draining == 3
    assert Settings(database="postgresql://here/kb").draining == SHARED_DRAIN_SECONDS
    assert Settings(database="postgresql://here/kb", drain_seconds=0).draining == 0


@dataclass
class Left:
    """How a page was sent away."""

    at: float
    code: int | None


@pytest.mark.skipif(sys.platform != "linux", reason="needs the signals of Linux")
def test_a_server_that_is_asked_to_end_sends_its_pages_away_one_after_the_other(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with serving("--database", await postgres.new_database(), "--drain-seconds", "3") as (process, port):
            async with httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=PATIENCE
            ) as http:
                made = (await http.post("/api/tables", json={"seats": [{"kind": "person"}] * 2, "setup": {}})).json()
                address = f"ws://127.0.0.1:{port}/ws/{made['id']}"
                pages = [await greeted(address, made["seats"][number % 2]) for number in range(PAGES)]
                assert (await http.get("/api/ready")).status_code == 200
                leaving = [asyncio.create_task(left(page)) for page in pages]
                process.send_signal(signal.SIGTERM)
                async with asyncio.timeout(PATIENCE):
                    while (answer := await http.get("/api/ready")).status_code == 200:
                        await asyncio.sleep(0.01)
                assert (answer.status_code, answer.json()["message"]["template"]) == (
                    503,
                    "The server is about to stop.",
                )
                assert not all(task.done() for task in leaving), "others are still here when it says so"
                late = await connect(address, proxy=None)
                assert (await left(late)).code == RESTART
                # Work goes on while pages are sent away.
                assert (await http.get("/api/catalogue")).status_code == 200
                ends = await asyncio.gather(*leaving)
            assert {end.code for end in ends} == {RESTART}
            times = sorted(end.at for end in ends)
            assert times[-1] - times[0] > 1, "they are not all sent away at once"
            async with asyncio.timeout(PATIENCE):
                assert await process.wait() == -signal.SIGTERM

    run(test())


@pytest.mark.skipif(sys.platform != "linux", reason="needs the signals of Linux")
def test_a_command_that_is_answered_while_pages_are_sent_away_is_stored(postgres: PostgresServer) -> None:
    async def test() -> None:
        database = await postgres.new_database()
        acknowledged = []
        async with serving("--database", database, "--drain-seconds", "1") as (process, port):
            async with httpx.AsyncClient(
                base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=PATIENCE
            ) as http:
                made = (await http.post("/api/tables", json={"seats": [{"kind": "person"}] * 2, "setup": {}})).json()
            pages = [await greeted(f"ws://127.0.0.1:{port}/ws/{made['id']}", made["seats"][0]) for _ in range(6)]

            async def talk(page: ClientConnection, number: int) -> None:
                with contextlib.suppress(ConnectionClosed):
                    for line in range(1_000_000):
                        await page.send(json.dumps({"type": "say", "id": f"{number}-{line}", "seat": 0, "text": "x"}))
                        while (message := json.loads(await page.recv())).get("id") != f"{number}-{line}":
                            pass
                        assert message["type"] == "done", message
                        acknowledged.append((message["version"], message["id"]))

            talking = [asyncio.create_task(talk(page, number)) for number, page in enumerate(pages)]
            await asyncio.sleep(0.3)
            process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(*talking)
                await process.wait()
        async with World(database=database) as inside:
            log = {entry.version: entry.body for entry in (await inside.tables.journal.load(made["id"])).entries}
        assert acknowledged
        for version, identity in acknowledged:
            assert json.loads(log[version])["id"] == identity

    run(test())


@contextlib.asynccontextmanager
async def serving(*arguments: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, int]]:
    """`kb serve` with these arguments, and its port."""
    loose = [f"--{name.replace('_', '-')}={int(LOOSE[name])}" for name in ("messages_per_second", "work_per_second")]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kingdom_builder", "serve", "--port", "0", "--lines-per-second", "1000000"),
        *(*loose, *arguments),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = (await process.stdout.readline()).decode()
        yield process, int(line.partition("/  ")[0].rpartition(":")[2])
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def greeted(address: str, *tokens: str) -> ClientConnection:
    page = await connect(address, proxy=None)
    await page.send(json.dumps({"type": "hello", "tokens": tokens, "protocol": PROTOCOL}))
    message: Json = json.loads(await page.recv())
    assert message["type"] == "welcome", message
    return page


async def left(page: ClientConnection) -> Left:
    """When and with which code a page is closed."""
    with contextlib.suppress(ConnectionClosed):
        async with asyncio.timeout(PATIENCE):
            while True:
                await page.recv()
    return Left(asyncio.get_running_loop().time(), page.close_code)
