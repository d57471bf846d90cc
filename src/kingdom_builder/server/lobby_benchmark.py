"""The speed of the lobby of a real server: how soon everybody who looks at it sees that somebody looks for a game."""

import asyncio
import json
import time
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.asyncio.client import ClientConnection, connect

from kingdom_builder.server.benchmark import cpu_seconds, memory_of, running_server
from kingdom_builder.server.messages import PROTOCOL

TABLES = 100
"""Open tables in the list."""

UPDATES = 12
PAUSE = 1.5
"""Seconds between two updates."""

PROMISED = {"all_have_update_max_ms": 1000.0}
"""The most that figures may be."""

PATIENCE = 60.0
UPGRADE = (
    b"GET /ws/lobby HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
TEXT, PING, PONG = 0x81, 0x89, 0x8A
LONG, LONGEST = 126, 127
"""What stands in a frame instead of its size if two or eight more bytes hold it."""


def _frame(kind: int, data: bytes) -> bytes:
    """A short frame of a client, with a mask that changes nothing."""
    return bytes([kind, 0x80 | len(data)]) + bytes(4) + data


HELLO = _frame(TEXT, json.dumps({"type": "hello", "tokens": [], "protocol": PROTOCOL}).encode())
ASK = _frame(TEXT, json.dumps({"type": "ping", "id": "sign"}).encode())


class _Watcher(asyncio.Protocol):
    """A page that only looks for a word in what it gets, so that it costs next to nothing."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.word = b'"type":"lobby"'
        self.seen = asyncio.Event()
        self.at = 0.0
        self._rest = b""
        self._is_greeted = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(UPGRADE % self.port)

    def data_received(self, data: bytes) -> None:
        self._rest += data
        if not self._is_greeted:
            _, end, self._rest = self._rest.partition(b"\r\n\r\n")
            if not end:
                return
            self._is_greeted = True
            self.transport.write(HELLO)
        while (frame := self._next()) is not None:
            if frame[0] == PING:
                self.transport.write(_frame(PONG, frame[2:]))
            elif not self.seen.is_set() and self.word in frame:
                self.at = time.perf_counter()
                self.seen.set()

    def _next(self) -> bytes | None:
        """The next whole frame."""
        rest = self._rest
        size = rest[1] if len(rest) > 1 else LONG
        head = 2 + {LONG: 2, LONGEST: 8}.get(size, 0)
        end = head + (int.from_bytes(rest[2:head]) if size >= LONG else size)
        if len(rest) < max(head, end):
            return None
        self._rest = rest[end:]
        return rest[:end]

    def expect(self, word: bytes) -> None:
        self.word = word
        self.seen.clear()


def benchmark(watchers: int) -> dict[str, float | int | None]:
    """The time until all watchers have an update, what it costs the server, and the memory of a watcher.

    The cost is compared with that of an answer to a ping for each of them: the smallest message there is.
    """
    with TemporaryDirectory() as folder, running_server(Path(folder)) as (process, port):
        for _ in range(TABLES):
            _post(
                port, "/api/tables", {"seats": [{"kind": "person", "name": "Somebody"}, {"kind": "open"}], "open": True}
            )
        return asyncio.run(_measure(process.pid, port, watchers, _post(port, "/api/me", {})))


async def _measure(server: int, port: int, watchers: int, cookie: str) -> dict[str, float | int | None]:
    loop = asyncio.get_running_loop()
    before = memory_of(server)
    pages = []
    began = time.perf_counter()
    for _ in range(watchers):
        _, page = await loop.create_connection(lambda: _Watcher(port), "127.0.0.1", port)
        pages.append(page)
    await _all(pages)
    arrived, after = time.perf_counter() - began, memory_of(server)
    await asyncio.sleep(2 * PAUSE)
    times, first = [], []
    headers = {"Cookie": cookie}
    async with connect(f"ws://127.0.0.1:{port}/ws/lobby", additional_headers=headers, compression=None) as seeker:
        await seeker.send(json.dumps({"type": "hello", "tokens": [], "protocol": PROTOCOL}))
        reading = asyncio.create_task(_read_on(seeker))
        await asyncio.sleep(2 * PAUSE)
        cost = cpu_seconds(server)
        for number in range(UPDATES):
            start = 600 + number
            for page in pages:
                page.expect(b'"start":%d' % start)
            clock = {"kind": "live", "start": start, "add": 30}
            sent = time.perf_counter()
            await seeker.send(json.dumps({"type": "seek", "id": str(number), "clock": clock}))
            await _all(pages)
            times.append(max(page.at for page in pages) - sent)
            first.append(min(page.at for page in pages) - sent)
            await asyncio.sleep(PAUSE)
        cost = cpu_seconds(server) - cost
        idle = cpu_seconds(server)
        await asyncio.sleep(UPDATES * PAUSE)
        idle = cpu_seconds(server) - idle
        reading.cancel()
    pongs = cpu_seconds(server)
    for _ in range(UPDATES):
        for page in pages:
            page.expect(b'"pong"')
            page.transport.write(ASK)
        await _all(pages)
    pongs = cpu_seconds(server) - pongs
    for page in pages:
        page.transport.abort()
    times.sort()
    return {
        "watchers": watchers,
        "open_tables": TABLES,
        "all_came_in_s": round(arrived, 2),
        "first_has_update_ms": round(1000 * sorted(first)[UPDATES // 2], 1),
        "all_have_update_p50_ms": round(1000 * times[UPDATES // 2], 1),
        "all_have_update_max_ms": round(1000 * times[-1], 1),
        "server_cpu_ms_per_update": round(1000 * cost / UPDATES, 1),
        "server_cpu_ms_idle_meanwhile": round(1000 * idle / UPDATES, 1),
        "server_cpu_ms_per_answer_to_all": round(1000 * pongs / UPDATES, 1),
        "update_to_answer": round(cost / pongs, 2) if pongs else None,
        "memory_per_watcher_kb": round((after - before) / watchers, 1) if before and after else None,
    }


async def _all(pages: list[_Watcher]) -> None:
    async with asyncio.timeout(PATIENCE):
        for page in pages:
            await page.seen.wait()


async def _read_on(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


def _post(port: int, path: str, body: dict[str, object]) -> str:
    """Send something; the cookie that the server sets."""
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    connection.close()
    return (answer.getheader("set-cookie") or "").partition(";")[0]
