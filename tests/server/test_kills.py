"""Servers are killed at random moments: nothing that was acknowledged is lost, and nothing is done twice."""

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from kingdom_builder.server import entries
from kingdom_builder.server.database import DATABASE
from server.client import PATIENCE, Json, Server, ServerPool, kb_serve

KILLS = 200
LONGEST = 30
"""Messages until a kill, at most."""


class Visitor:
    """Somebody at a table who comes back whenever the server does, and repeats what was not acknowledged."""

    def __init__(self, tokens: list[str], rng: Random, numbers: Iterator[int]) -> None:
        self.tokens = tokens
        self.acknowledged: dict[str, int] = {}
        self.repeated = 0
        self.heard = asyncio.Semaphore(0)
        """Counts the messages that came."""
        self.version = self.game = self.chat = 0
        self.lines: list[Json] = []
        self.view: Json = {}
        self.table: Json = {}
        self._pending: Json | None = None
        self._rng = rng
        self._numbers = numbers

    async def visit(self, address: str) -> None:
        """Play until the server is gone."""
        with contextlib.suppress(ConnectionClosed, InvalidHandshake, OSError, EOFError):
            async with connect(address, compression=None, proxy=None, max_size=None) as socket:
                await self._greet(socket)
                if self._rng.random() < 0.2:
                    await self._check_memory(address)
                if self._pending is not None:
                    self.repeated += 1
                    await socket.send(json.dumps(self._pending))
                while True:
                    if self._pending is None and (command := self._command()):
                        self._pending = {**command, "id": f"{next(self._numbers):016}"}
                        await socket.send(json.dumps(self._pending))
                    await self._listen(socket)

    async def _greet(self, socket: ClientConnection) -> None:
        self.chat = min(self.chat, self.version)  # a line whose update was lost comes again; pages leave it out
        hello = {"type": "hello", "tokens": self.tokens, "version": self.version, "game": self.game}
        await socket.send(json.dumps(hello))
        message = await self._listen(socket)
        if message["type"] == "chat":
            message = await self._listen(socket)
        assert message["type"] in ("welcome", "update")
        assert message["version"] >= max([self.version, *self.acknowledged.values()])

    async def _check_memory(self, address: str) -> None:
        """What came bit by bit is what somebody sees who comes now."""
        version, lines, view = self.version, self.lines, self.view
        async with connect(address, compression=None, proxy=None, max_size=None) as socket:
            await socket.send(json.dumps({"type": "hello", "tokens": self.tokens}))
            welcome = json.loads(await socket.recv())
        if welcome["version"] == version:
            assert welcome["lines"] == lines
            assert welcome["view"] == view

    async def _listen(self, socket: ClientConnection) -> Json:
        async with asyncio.timeout(PATIENCE):
            message: Json = json.loads(await socket.recv())
        self.heard.release()
        match message["type"]:
            case "welcome":
                self.lines, self.view, self.table = message["lines"], message["view"], message["table"]
            case "update":
                assert message["since"] <= len(self.lines)
                self.lines = self.lines[: message["since"]] + message["lines"]
                self.view = message["view"]
            case "table":
                self.table = message["table"]
            case "chat":
                said = [line["version"] for line in message["lines"]]
                assert said == sorted(said)
                assert said[0] > self.chat
                self.chat = said[-1]
            case "done":
                assert self._pending is not None
                assert message["id"] == self._pending["id"]
                self.acknowledged[message["id"]] = message["version"]
                self._pending = None
            case other:
                raise AssertionError(f"{self._pending}: {message}, not {other}")
        if message["type"] == "welcome":
            self.chat = max([line["version"] for line in message["chat"]], default=0)
        if message["type"] in ("welcome", "update", "table", "chat"):
            assert message["version"] >= self.version
            self.version = message["version"]
            self.game = self.table.get("game", 0)
        return message

    def _command(self) -> Json | None:
        rng = self._rng
        if self.version < max(self.acknowledged.values(), default=0):
            return None  # the result of the last one is on its way
        if not self.table or rng.random() < 0.05:
            return {"type": "say", "text": f"{rng.random()}", "name": "Somebody"}
        if self.view["over"]:
            return {"type": "rematch", "same_board": rng.random() < 0.5} if self.table["host"] else None
        if self.view["player"] not in self.table["yours"]:
            return None
        if self.view["undo"] and rng.random() < 0.1:
            return {"type": "undo", "version": self.version, "whole_turn": rng.random() < 0.5}
        return {"type": "play", "version": self.version, "move": rng.choice(self.view["legal"])}


def visitors_of(made: Json, rng: Random, numbers: Iterator[int]) -> list[Visitor]:
    first, *others = made["seats"]
    tokens = [[first, made["host"]], *[[token] for token in others], [made["watch"]]]
    return [Visitor(each, rng, numbers) for each in tokens]


async def visit_and_kill(server: Server, visitors: list[Visitor], messages: int, seconds: float) -> None:
    """Kill the server some time after some number of messages: a moment that does not depend on the machine's speed."""
    heard = asyncio.Semaphore(0)
    for visitor in visitors:
        visitor.heard = heard
    visits = [asyncio.create_task(visitor.visit(server.socket_address)) for visitor in visitors]
    async with asyncio.timeout(PATIENCE):
        for _ in range(messages):
            await heard.acquire()
        await asyncio.sleep(seconds)
        server.kill()
        await asyncio.gather(*visits)


def stored(data: Path, table: str) -> list[Any]:
    """The log of a table, as another program reads it."""
    with contextlib.closing(sqlite3.connect(data / DATABASE)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        query = "SELECT version, body FROM entries WHERE id = ? ORDER BY version"
        rows = database.execute(query, (table,)).fetchall()
    assert [version for version, _ in rows] == list(range(1, len(rows) + 1))
    return [entries.decode(body) for _, body in rows]


def check_log(data: Path, made: Json, visitors: list[Visitor]) -> None:
    """Everything acknowledged is there, where it was said to be, and only once."""
    log = stored(data, made["id"])
    ids = [entry.id for entry in log[1:]]
    assert len(set(ids)) == len(ids)
    for visitor in visitors:
        for identity, version in visitor.acknowledged.items():
            assert log[version - 1].id == identity


def test_200_kills_lose_no_acknowledged_action(server_pool: ServerPool, tmp_path: Path) -> None:
    rng = Random(4)
    numbers = iter(range(10**9))
    data = tmp_path / "data"
    server = server_pool.start(data)
    port = server.port
    tables = [
        server.make_table(["open", "person"], seed="1"),
        server.make_table(["open"] * 3, sets=["base", "crossroads"]),
    ]
    visitors = [visitors_of(made, rng, numbers) for made in tables]
    everybody = [visitor for group in visitors for visitor in group]
    for kill in range(KILLS):
        asyncio.run(visit_and_kill(server, everybody, rng.randrange(LONGEST), rng.uniform(0, 0.005)))
        if kill % 50 == 0:
            for made, group in zip(tables, visitors, strict=True):
                check_log(data, made, group)
        server = server_pool.start(data, port)
    asyncio.run(visit_and_kill(server, everybody, 500, 0))
    for made, group in zip(tables, visitors, strict=True):
        check_log(data, made, group)
    assert sum(visitor.repeated for visitor in everybody) > KILLS / 10
    assert sum(len(visitor.acknowledged) for visitor in everybody) > KILLS
    assert server.log() == ""


def test_the_real_program_survives_kills_too(tmp_path: Path) -> None:
    rng = Random(5)
    data = tmp_path / "data"
    made: Json = {}
    visitors: list[Visitor] = []
    for _ in range(3):
        with kb_serve(data, "--messages-per-second", "100000") as server:
            if not made:
                made = server.make_table(["person", "open"])
                visitors = visitors_of(made, rng, iter(range(10**9)))
            asyncio.run(visit_and_kill(server, visitors, rng.randrange(50, 100), rng.uniform(0, 0.005)))
    check_log(data, made, visitors)
    assert all(visitor.acknowledged for visitor in visitors[:2])
