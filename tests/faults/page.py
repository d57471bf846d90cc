"""A page of somebody who plays at a table, which behaves as web/src/net/connection.ts does.

It comes back by itself after a lost connection, to any server that is ready, with the version that it holds, and
repeats the command that was not answered under the same id.
"""

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import Any

from server.reader import Reader
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from faults.memory import Json, Memory
from kingdom_builder.server.messages import PROTOCOL
from kingdom_builder.server.tokens import TokenHashes, token_hash

FIRST_DELAY, LONGEST_DELAY = 0.3, 15.0
SILENCE, PATIENCE, ARRIVAL = 2.5, 6.5, 10.0
SPREAD, RESTART = 2.0, 1012
"""Seconds, and the code with which a server says that it ends: as in connection.ts."""

SENT_AWAY, NOBODY_THERE = f"closed {RESTART}", "ConnectionRefusedError"
"""Why connections are lost without an error: a server ends, and the proxy does not know yet that it has."""

STATES = ("welcome", "update", "table", "chat")
FINAL = ("unknown-key", "void-key", "removed", "protocol", "damaged", "newer", "outdated")


class Lost(Exception):
    """The connection counts as dead."""


@dataclass
class Habits:
    """How people play."""

    think: tuple[float, float] = (0.02, 0.6)
    """Seconds before a move, at least and at most."""
    talk: float = 12
    """Seconds between two lines of chat, on average; 0 for people who say nothing."""
    undo: float = 0.1
    """How often they take something back instead of a move."""
    bot_speed: str = "instant"


@dataclass
class Sent:
    """A command, and what became of it."""

    id: str
    kind: str
    times: int = 0
    """How often it was sent."""
    version: int | None = None
    """The version with which it was acknowledged."""
    refusal: str = ""


@dataclass
class Seated:
    """A table, and what all pages have heard of it."""

    id: str
    memory: Memory
    version: int = 0
    """The latest version that somebody has heard of."""
    heard: list[tuple[float, int]] = field(default_factory=list)
    """When somebody first heard of each version, on the monotonic clock."""

    def hear(self, version: int) -> None:
        if version > self.version:
            self.version = version
            self.heard.append((time.monotonic(), version))


class Page:
    """Somebody at a table."""

    def __init__(
        self,
        number: int,
        table: Seated,
        tokens: Sequence[str],
        choose: Callable[[str, int], int],
        rng: Random,
        ids: Iterator[str],
        habits: Habits,
        *,
        reads_differences: bool,
    ) -> None:
        """`choose` names the port of a server for a table, given how often one was looked for in vain."""
        self.number = number
        self.table = table
        self.sent: list[Sent] = []
        self.connections = 0
        self.lost: list[str] = []
        """Why connections were lost."""
        self.nonsense: list[str] = []
        """Differences that do not fit to what was sent before."""
        self.longest_gap: float | None = None
        """The most seconds from the end of a connection to the first state that came over the next one; None if none
        has ended."""
        self.turned_away = ""
        """Why it is of no use to come back, if so."""
        self.version = self.game = 0
        self.is_playing = True
        self._tokens = list(tokens)
        self._choose = choose
        self._reads_differences = reads_differences
        self._reader = Reader()
        self._lost_at: float | None = None
        """When the last connection ended over which a state came; None while there is one."""
        self._rng = rng
        self._ids = ids
        self._habits = habits
        self._view: Json = {}
        self._people: Json = {}
        self._pending: tuple[Sent, Json] | None = None
        self._attempts = 0
        self._act_at = 0.0
        """When the next command is sent."""
        self._talk_at = self._next_line()
        self._decided = -1
        """The version that the last command was thought of for."""
        self._deadline = 0.0
        self._is_expecting = False
        """Whether the connection is dead at the deadline; else the server is asked for a sign of life."""

    @property
    def hashes(self) -> TokenHashes:
        return frozenset(token_hash(token.partition(".")[2]) for token in self._tokens)

    @property
    def is_waiting(self) -> bool:
        """Whether a command has not been answered."""
        return self._pending is not None

    @property
    def differences(self) -> int:
        """How many messages said only what has changed."""
        return self._reader.differences

    async def run(self) -> None:
        """Play until cancelled."""
        while not self.turned_away:
            code = None
            try:
                await self._visit(self._choose(self.table.id, self._attempts))
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
                self.lost.append(f"closed {code}")
            except (Lost, OSError, TimeoutError, EOFError, WebSocketException) as error:
                self.lost.append(str(error) if isinstance(error, Lost) else type(error).__name__)
            is_asked_away = code == RESTART and self._attempts == 0
            pause = SPREAD * self._rng.random() if is_asked_away else self._next_pause()
            self._attempts += 1
            await asyncio.sleep(pause)

    def _next_pause(self) -> float:
        return min(LONGEST_DELAY, FIRST_DELAY * 2.0**self._attempts) * (0.5 + self._rng.random() / 2)

    async def _visit(self, port: int) -> None:
        address = f"ws://127.0.0.1:{port}/ws/{self.table.id}"
        async with asyncio.timeout(ARRIVAL):
            socket = await connect(
                address, compression=None, proxy=None, max_size=None, open_timeout=None, ping_interval=None
            )
        self.connections += 1
        is_there = False
        try:
            hello = {"tokens": self._tokens, "protocol": PROTOCOL, "version": self.version, "game": self.game}
            hello["differences"] = self._reads_differences
            await self._send(socket, type="hello", bot_speed=self._habits.bot_speed, **hello)
            self._expect(ARRIVAL)
            while (await self._receive(socket))["type"] not in STATES:
                pass
            self._attempts = 0
            is_there = True
            if self._lost_at is not None:
                self.longest_gap = max(self.longest_gap or 0.0, time.monotonic() - self._lost_at)
                self._lost_at = None
            if self._pending is not None:
                await self._transmit(socket)
            while True:
                await self._receive(socket)
        finally:
            if is_there:
                self._lost_at = time.monotonic()
            socket.transport.abort()

    async def _send(self, socket: ClientConnection, **message: Any) -> None:
        await socket.send(json.dumps(message))

    def _expect(self, seconds: float) -> None:
        self._deadline, self._is_expecting = time.monotonic() + seconds, True

    async def _transmit(self, socket: ClientConnection) -> None:
        assert self._pending is not None
        sent, command = self._pending
        sent.times += 1
        await self._send(socket, **command)
        self._expect(PATIENCE)

    async def _receive(self, socket: ClientConnection) -> Json:
        """The next message; meanwhile, act when it is time to."""
        while True:
            now = time.monotonic()
            act_at = self._next_act()
            if now >= act_at:
                await self._act(socket)
                continue
            if now >= self._deadline:
                if self._is_expecting:
                    raise Lost("no answer")
                await self._send(socket, type="ping", id=next(self._ids))
                self._expect(PATIENCE)
            try:
                async with asyncio.timeout(max(0.0, min(self._deadline, act_at) - now)):
                    text = await socket.recv()
            except TimeoutError:
                continue
            assert isinstance(text, str)
            self._deadline, self._is_expecting = time.monotonic() + SILENCE, False
            message: Json = json.loads(text)
            if message["type"] == "difference":
                message = self._whole(message)
                text = json.dumps(message)
            elif message["type"] in ("welcome", "update"):
                self._reader.take(message)
            self._take(message, text)
            return message

    def _whole(self, difference: Json) -> Json:
        """A difference as the update that it stands for."""
        reader = self._reader
        since = difference.get("since", len(reader.lines))
        try:
            reader.take(difference)
        except (AssertionError, LookupError, TypeError) as error:
            self.nonsense.append(f"a difference to version {difference['version']}: {error!r}")
            self.version = self.game = 0  # it asks for everything
            raise Lost("nonsense") from None
        update = {"type": "update", "version": difference["version"], "since": since, "lines": reader.lines[since:]}
        return {**update, "view": reader.view, "clock": reader.clock}

    # ---- what is said ----------------------------------------------------------------------------------------------

    def _take(self, message: Json, text: str) -> None:
        kind = message["type"]
        if kind in (*STATES, "done"):
            self.table.memory.keep(self.number, text)
        if kind in STATES:
            self._learn(message)
        elif kind == "done" and self._pending is not None and self._pending[0].id == message["id"]:
            self._pending[0].version = message["version"]
            self._pending = None
        elif kind == "refused":
            self._take_refusal(message["id"], message["refusal"]["code"])
        if "version" in message:
            self.table.hear(message["version"])

    def _learn(self, message: Json) -> None:
        kind, version = message["type"], message["version"]
        if kind == "welcome":
            self.version, self.game = version, message["table"]["game"]
        self.version = max(self.version, version)
        self._view = message.get("view", self._view)
        self._people = message.get("table", self._people)

    def _take_refusal(self, identity: str, code: str) -> None:
        if self._pending is not None and self._pending[0].id == identity:
            self._pending[0].refusal = code
            self._pending = None
            self._decided = -1
            self._act_at = time.monotonic() + 0.5
        elif code in FINAL:
            self.turned_away = code
            raise Lost(code)
        elif not identity:
            raise Lost(code)

    # ---- what is done ----------------------------------------------------------------------------------------------

    def _next_act(self) -> float:
        """When the next command is sent; never, while something is on its way."""
        if not self.is_playing or self._attempts or self._pending is not None or not self._people:
            return inf
        last = self.sent[-1].version if self.sent else None
        if last is not None and last > self.version:
            return inf  # what it led to is on its way
        return min(self._talk_at if self._people["yours"] else inf, self._next_move())

    def _next_move(self) -> float:
        """When somebody here moves, who thinks for a while before."""
        if not self._view["legal"] and not (self._view["over"] and self._people["host"]):
            return inf
        if self._decided != self.version:
            self._decided = self.version
            self._act_at = max(self._act_at, time.monotonic() + self._rng.uniform(*self._habits.think))
        return self._act_at

    def _next_line(self) -> float:
        """When somebody here says something."""
        talk = self._habits.talk
        return time.monotonic() + self._rng.expovariate(1 / talk) if talk else inf

    async def _act(self, socket: ClientConnection) -> None:
        sent, command = self._command()
        self.sent.append(sent)
        self._pending = sent, command
        await self._transmit(socket)

    def _command(self) -> tuple[Sent, Json]:
        rng, habits = self._rng, self._habits
        command: Json
        if self._people["yours"] and time.monotonic() >= self._talk_at:
            self._talk_at = self._next_line()
            command = {"type": "say", "text": f"{rng.random()}", "seat": rng.choice(self._people["yours"])}
        elif self._view["over"]:
            command = {"type": "rematch", "same_board": rng.random() < 0.5}
        elif self._view["undo"] and rng.random() < habits.undo:
            command = {"type": "undo", "version": self.version, "whole_turn": rng.random() < 0.5}
        else:
            command = {"type": "play", "version": self.version, "move": rng.choice(self._view["legal"])}
        identity = next(self._ids)
        return Sent(identity, command["type"]), {**command, "id": identity}
