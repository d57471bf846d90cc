"""The people whom no attack may disturb, in a process of their own: `python -m siege.people PORT ADDRESS`.

Two play at one table, one plays against a bot at another, and every second somebody new looks in. For everything that
they wait for, two lines go to stdout: when they began to wait, and when that came to an end.
"""

import asyncio
import contextlib
import itertools
import json
import sys
import time
from collections.abc import AsyncIterator
from random import Random

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from kingdom_builder.server.messages import PROTOCOL
from kingdom_builder.server.static import STATIC

ACKNOWLEDGEMENT, RETURN, BOT, NEWCOMER = "acknowledgement", "return", "bot", "newcomer"
"""Waits for an answer to a command, the table after a broken connection, a bot's next action, the first look."""

THINKING = (0.15, 0.35)
"""Seconds between what a person sees and what it does: from, to."""

NEWCOMER_EVERY = 1.0
NEWCOMER_PATIENCE = 15.0
COMING_BACK = 0.5
"""Seconds until a page whose connection broke tries again."""

OWN_ADDRESSES = "127.0.1"
PERSON, BOT_SEAT = {"kind": "person"}, {"kind": "bot", "level": "greedy"}


class View(msgspec.Struct):
    player: int
    legal: list[str]
    over: bool


class TablePart(msgspec.Struct):
    yours: list[int]


class Message(msgspec.Struct):
    """What a person has to read of a message."""

    type: str
    version: int = 0
    id: str = ""
    code: str = ""
    view: View | None = None
    table: TablePart | None = None


_decode = msgspec.json.Decoder(Message).decode
_numbers = itertools.count()


def tell(**event: object) -> None:
    """A line for whoever watches."""
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


class Wait:
    """Somebody waits for something."""

    def __init__(self, kind: str) -> None:
        self._number = next(_numbers)
        tell(wait=self._number, kind=kind, at=time.monotonic())

    def end(self, trouble: str = "") -> None:
        tell(wait=self._number, at=time.monotonic(), trouble=trouble)


class Person:
    """Plays on forever, and comes back whenever the connection breaks, as a page does."""

    def __init__(self, port: int, address: str, keys: list[str], *, against_bot: bool = False) -> None:
        self._port = port
        self._address = address
        self._keys = keys
        self._against_bot = against_bot
        self._rng = Random(address)
        self._message: Message | None = None
        """The last one with a view."""
        self._yours: list[int] = []
        self._command: dict[str, object] | None = None
        """The one that is not answered yet."""
        self._answer: Wait | None = None
        self._return: Wait | None = None
        self._bot: Wait | None = None
        self._news = asyncio.Event()

    async def play(self) -> None:
        while True:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                async with connected(self._port, self._address) as socket:
                    await self._talk(socket)
            if self._return is None:
                self._return = Wait(RETURN)
            await asyncio.sleep(COMING_BACK)

    async def _talk(self, socket: ClientConnection) -> None:
        await socket.send(hello(self._keys))
        if self._command is not None:
            await socket.send(json.dumps(self._command))
        acting = asyncio.create_task(self._act(socket))
        try:
            async for text in socket:
                self._read(_decode(text))
        finally:
            acting.cancel()
            await asyncio.gather(acting, return_exceptions=True)

    def _read(self, message: Message) -> None:
        if message.table is not None:
            self._yours = message.table.yours
        if message.view is not None:
            self._look(message, message.view)
        if message.type in ("done", "refused") and self._command and message.id in ("", self._command["id"]):
            assert self._answer is not None
            # After a restart or a reconnection a move may be stale: then nothing was taken from the person.
            self._answer.end("" if message.code in ("", "stale") else f"refused as {message.code}")
            self._command = self._answer = None
            self._news.set()

    def _look(self, message: Message, view: View) -> None:
        news = self._message is None or message.version > self._message.version
        self._message = message
        self._news.set()
        if self._return is not None:
            self._return.end()
            self._return = None
        if self._bot is not None and news:
            self._bot.end()
            self._bot = None
        if self._bot is None and self._against_bot and not view.over and view.player not in self._yours:
            self._bot = Wait(BOT)

    async def _act(self, socket: ClientConnection) -> None:
        """Make a move whenever there is one to make; the host begins a new game after the end."""
        while True:
            await self._news.wait()
            self._news.clear()
            await asyncio.sleep(self._rng.uniform(*THINKING))
            if self._command is not None or self._message is None or self._message.view is None:
                continue
            view = self._message.view
            command: dict[str, object]
            if view.legal:
                command = {"type": "play", "version": self._message.version, "move": self._rng.choice(view.legal)}
            elif view.over and len(self._keys) > 1:
                command = {"type": "rematch", "same_board": True}
            else:
                continue
            self._command = {**command, "id": f"{self._address}-{next(_numbers)}"}
            self._answer = Wait(ACKNOWLEDGEMENT)
            await socket.send(json.dumps(self._command))


def hello(keys: list[str]) -> str:
    return json.dumps({"type": "hello", "tokens": keys, "protocol": PROTOCOL})


@contextlib.asynccontextmanager
async def connected(port: int, address: str) -> AsyncIterator[ClientConnection]:
    """A WebSocket from an address."""
    async with connect(
        f"ws://127.0.0.1:{port}/ws",
        compression=None,
        proxy=None,
        max_size=None,
        open_timeout=NEWCOMER_PATIENCE,
        close_timeout=1,
        local_addr=(address, 0),
    ) as socket:
        yield socket


def http(port: int, address: str) -> httpx.AsyncClient:
    """For requests from an address."""
    transport = httpx.AsyncHTTPTransport(verify=False, local_address=address)
    return httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", transport=transport, timeout=NEWCOMER_PATIENCE, trust_env=False
    )


async def make_table(client: httpx.AsyncClient, *seats: dict[str, str]) -> tuple[str, list[str]]:
    """The host's key of a new table, and those of the seats."""
    answer = await client.post("/api/tables", json={"seats": seats, "setup": {"board": "first"}})
    answer.raise_for_status()
    made = answer.json()
    return made["host"], made["seats"]


async def look_in(port: int, address: str) -> None:
    """What somebody new does: the page, a table, the first look at it."""
    async with http(port, address) as client:
        page = await client.get("/")
        if (STATIC / "index.html").exists():  # otherwise the page has not been built here
            page.raise_for_status()
        (await client.get("/api/catalogue")).raise_for_status()
        host, seats = await make_table(client, PERSON, PERSON)
    async with connected(port, address) as socket:
        await socket.send(hello([host, *seats]))
        first = _decode(await socket.recv())
        if first.type != "welcome":
            raise ValueError(f"{first.type} {first.code}")


async def newcomer(port: int, address: str) -> None:
    waiting = Wait(NEWCOMER)
    try:
        async with asyncio.timeout(NEWCOMER_PATIENCE):
            await look_in(port, address)
    except Exception as error:  # whatever it is, this visitor has not got in
        waiting.end(f"{type(error).__name__} {error}".strip())
    else:
        waiting.end()


async def newcomers(port: int) -> None:
    """One after the other, without waiting for each other."""
    async with asyncio.TaskGroup() as group:
        for number in itertools.count():
            group.create_task(newcomer(port, f"127.0.2.{number % 254 + 1}"))
            await asyncio.sleep(NEWCOMER_EVERY)


async def main(port: int, shared_address: str) -> None:
    """With a shared address all people have the same."""
    addresses = [shared_address or f"{OWN_ADDRESSES}.{number}" for number in (1, 2, 3)]
    async with http(port, addresses[0]) as client:
        host, seats = await make_table(client, PERSON, PERSON)
    async with http(port, addresses[2]) as client:
        own_host, own_seats = await make_table(client, PERSON, BOT_SEAT)
    async with asyncio.TaskGroup() as group:
        group.create_task(Person(port, addresses[0], [host, seats[0]]).play())
        group.create_task(Person(port, addresses[1], [seats[1]]).play())
        group.create_task(Person(port, addresses[2], [own_host, own_seats[0]], against_bot=True).play())
        group.create_task(newcomers(port))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
