"""The application in this process: pages that talk to it without a network, and draws by script."""

import asyncio
import contextlib
import json
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from random import Random
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from kingdom_builder.rules import DRAWING, Action, State, chance
from kingdom_builder.server.app import make_app
from kingdom_builder.server.persons import COOKIE
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.table import Table
from kingdom_builder.server.tables import Tables
from server.postgres_server import new_database

Json = dict[str, Any]
LOOSE: Json = {
    "messages_per_second": 1e9,
    "work_per_second": 1e9,
    "lines_per_second": 1e9,
    "tables_per_minute": 10**9,
    "tables_per_day": 10**9,
    "max_connections_per_visitor": 10**9,
    "bot_pause": 0,
    "database_patience": 0.05,
}
PATIENCE = 30.0
ON_POSTGRES = bool(os.environ.get("ON_POSTGRES"))
"""Whether servers without a folder have their games in PostgreSQL instead of in memory (`make soak`)."""


def frozen() -> float:
    """A clock that stands still, so that nothing that is sent depends on the time."""
    return 1_800_000_000.0


class World:
    """A server with its games in memory."""

    def __init__(self, rng: Random | None = None, clock: Callable[[], float] = time.time, **settings: Any) -> None:
        if ON_POSTGRES and not settings.keys() & {"data", "database"}:
            from kingdom_builder.server import postgres_journal

            settings["database"] = new_database()
            postgres_journal.CHECK_SECONDS = 0.0  # clocks of tests move faster than the journal would note them
        self.tables = Tables(Settings(**{**LOOSE, **settings}), rng, clock)
        self.app: FastAPI = make_app(self.tables)
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://test")
        self.pages: list[Page] = []
        self._visits = 0

    async def __aenter__(self) -> "World":
        await self.tables.journal.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        for page in list(self.pages):
            await page.close()
        await self.http.aclose()
        await self.tables.close()

    async def make(self, players: int = 2, kind: str = "person", **setup: Any) -> Json:
        seats = [{"kind": kind}] * players
        answer = await self.http.post("/api/tables", json={"seats": seats, "setup": setup})
        assert answer.status_code == 200, answer.text
        made: Json = answer.json()
        return made

    async def get(self, path: str, *tokens: str) -> httpx.Response:
        return await self.http.get(path, headers={"Authorization": f"Bearer {','.join(tokens)}"})

    async def table(self, made: Json) -> Table:
        """The inside of a table, for looking at."""
        table, _ = await self.tables.find([made["watch"]], "test")
        return table

    async def page(self, *tokens: str, client: str = "test", table: str = "", cookie: str = "", **hello: Any) -> "Page":
        """A page that has been greeted; `client` is its address, `cookie` the secret of its device."""
        page = await self.stranger(client, table, cookie)
        page.say(json.dumps({"type": "hello", "tokens": tokens, **hello}))
        await page.sync()
        return page

    async def stranger(self, client: str = "test", table: str = "", cookie: str = "", **headers: str) -> "Page":
        """A connection that has not said anything yet."""
        self._visits += 1
        if cookie:
            headers["cookie"] = f"{COOKIE}={cookie}"
        page = Page(self.app, headers, self._visits, client, f"/ws/{table}" if table else "/ws")
        self.pages.append(page)
        await page.settle()
        return page


class Page:
    """A WebSocket to an application in this process."""

    def __init__(self, app: FastAPI, headers: dict[str, str], number: int, client: str, path: str) -> None:
        self.received: list[str] = []
        """Every frame, as it came."""
        self.accepted = False
        self.stalled: asyncio.Event | None = None
        """If set, the page reads on only after this."""
        self.closed: int | None = None
        self._read = 0
        self._number = number
        self._commands = 0
        self._incoming: asyncio.Queue[Json] = asyncio.Queue()
        self._incoming.put_nowait({"type": "websocket.connect"})
        self._news = asyncio.Event()
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "scheme": "ws",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": b"",
            "headers": [(key.encode(), value.encode()) for key, value in {"host": "test", **headers}.items()],
            "client": (client, 1),
            "server": ("test", 80),
            "subprotocols": [],
            "state": {},
            "extensions": {},
        }
        # The application is typed as FastAPI's coroutine with its own kinds of messages; ours are plain dicts.
        self.task = asyncio.create_task(app(scope, self._receive, self._send))  # type: ignore[arg-type]
        self.task.add_done_callback(lambda _: self._news.set())

    async def _receive(self) -> Json:
        return await self._incoming.get()

    async def _send(self, message: Json) -> None:
        if message["type"] == "websocket.send":
            if self.stalled is not None:
                await self.stalled.wait()
            self.received.append(message["text"])
        elif message["type"] == "websocket.accept":
            self.accepted = True
        elif message["type"] == "websocket.close":
            self.closed = message.get("code", 1000)
            self._incoming.put_nowait({"type": "websocket.disconnect", "code": self.closed})
        self._news.set()

    # ---- talking

    def say(self, frame: str | bytes) -> None:
        """Send a frame."""
        kind = "text" if isinstance(frame, str) else "bytes"
        self._incoming.put_nowait({"type": "websocket.receive", kind: frame})

    def send(self, **command: Any) -> str:
        """Send a command; its id."""
        self._commands += 1
        command = {"id": f"page {self._number:04} {self._commands:06}", **command}
        self.say(json.dumps(command))
        return str(command["id"])

    async def next(self) -> Json:
        """The next message."""
        async with asyncio.timeout(PATIENCE):
            while self._read == len(self.received):
                assert not self.task.done(), f"closed with {self.closed}"
                self._news.clear()
                await self._news.wait()
        self._read += 1
        message: Json = json.loads(self.received[self._read - 1])
        return message

    async def until(self, wanted: Callable[[Json], bool]) -> Json:
        while not wanted(message := await self.next()):
            pass
        return message

    async def ask(self, **command: Any) -> Json:
        """The answer to a command."""
        identity = self.send(**command)
        return await self.until(lambda message: message.get("id") == identity)

    async def refused(self, **command: Any) -> str:
        answer = await self.ask(**command)
        assert answer["type"] == "refused", answer
        code: str = answer["refusal"]["code"]
        return code

    async def settle(self) -> None:
        """Until the server waits for this page, or has closed it."""
        async with asyncio.timeout(PATIENCE):
            while not self.task.done() and not self._waited_for():
                await asyncio.sleep(0)

    def _waited_for(self) -> bool:
        return self._incoming.empty() and bool(getattr(self._incoming, "_getters", None))

    async def sync(self) -> None:
        """Wait until everything sent to the page so far has arrived, or the server has closed the connection."""
        first, identity = len(self.received), self.send(type="ping")
        async with asyncio.timeout(PATIENCE):
            while not self.task.done() and not any(f'"{identity}"' in text for text in self.received[first:]):
                self._news.clear()
                await self._news.wait()

    def messages(self) -> list[Json]:
        """Everything that came and was not read yet."""
        new = [json.loads(text) for text in self.received[self._read :]]
        self._read = len(self.received)
        return new

    def everything(self) -> list[Json]:
        """Everything that ever came."""
        return [json.loads(text) for text in self.received]

    async def settled_table(self) -> None:
        """Until news of the people have come, which wait for a second."""
        seen = len(self.received)
        async with asyncio.timeout(PATIENCE):
            while not any(text.startswith('{"type":"table"') for text in self.received[seen:]):
                self._news.clear()
                await self._news.wait()

    async def until_answered_or_closed(self, identity: str) -> None:
        """Until a command was answered, or the server has closed the connection."""
        async with asyncio.timeout(PATIENCE):
            while not self.task.done() and not any(f'"id":"{identity}"' in text for text in self.received):
                self._news.clear()
                await self._news.wait()

    async def ended(self) -> None:
        """Until the server has closed the connection."""
        async with asyncio.timeout(PATIENCE):
            await asyncio.shield(self.task)

    def lose(self) -> None:
        """Break the connection without a word."""
        self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1006})

    async def close(self) -> None:
        self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1001})
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(self.task, return_exceptions=True)


class Dealer(Random):
    """A source of chance that draws the cards of a script first, and avoids some others."""

    def __init__(self, seed: object = 0) -> None:
        super().__init__(repr(seed))
        self.script: list[str] = []
        self.drawn: list[str] = []
        """What it has drawn."""
        self.scarce = ""
        """A card to draw only where two of it are left."""

    def draw(self, state: State) -> Action:
        cards = [card for card in state.deck if card != self.scarce or state.deck.count(card) > 1]
        card = self.script.pop(0) if self.script else ""
        if card not in state.deck or not card:
            card = self.choice(cards or list(state.deck))
        self.drawn.append(card)
        return DRAWING[card]


@pytest.fixture
def dealers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables whose chance is a Dealer let it choose the cards."""

    def draw(state: State, random: Callable[[], float]) -> Action:
        dealer = getattr(random, "__self__", None)
        assert isinstance(dealer, Dealer)
        return dealer.draw(state)

    monkeypatch.setattr(chance, "random_draw", draw)


async def pause(seconds: float) -> None:
    """Let time pass in many small steps: if the machine stands still for a moment, only one of them is over."""
    for _ in range(50):
        await asyncio.sleep(seconds / 50)


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test that is a coroutine."""
    asyncio.run(test)


@contextlib.asynccontextmanager
async def world(
    rng: Random | None = None, clock: Callable[[], float] = time.time, **settings: Any
) -> AsyncIterator[World]:
    async with World(rng, clock, **settings) as inside:
        yield inside
