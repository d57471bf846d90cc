"""Who connects and does not behave: deadlines, frames that no message comes of, connections by the hundred."""

import asyncio
import contextlib
import os
import resource
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
import uvloop
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from kingdom_builder.server import door
from kingdom_builder.server.pacing import Gate
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.visitors import Visitors
from server.client import PATIENCE, Client, Server, ServerPool
from server.conftest import Start

PING, PONG, TEXT, CONTINUATION = 0x89, 0x8A, 0x81, 0x80


@contextlib.contextmanager
def line_to(server: Server, source: str = "127.0.0.1") -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE, (source, 0)) as line:
        yield line


def frame(first: int, body: bytes = b"") -> bytes:
    """A frame of a client, masked with zeros."""
    assert len(body) < 126
    return bytes([first, 0x80 | len(body)]) + bytes(4) + body


@contextlib.contextmanager
def web_socket(server: Server) -> Iterator[socket.socket]:
    with line_to(server) as line:
        line.sendall(
            b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        head = b""
        while b"\r\n\r\n" not in head:
            head += line.recv(1000)
        assert head.startswith(b"HTTP/1.1 101")
        yield line


def ends(line: socket.socket, seconds: float = PATIENCE) -> bytes:
    """What still comes until the server ends the connection."""
    line.settimeout(seconds)
    rest = b""
    with contextlib.suppress(ConnectionError):
        while data := line.recv(65536):
            rest += data
    return rest


def health(server: Server) -> int:
    with server.http() as http:
        return int(http.get("/api/health").json()["connections"])


@pytest.mark.parametrize("kind", [PING, PONG, 0x01])
def test_frames_that_no_message_comes_of_are_counted(server: Server, kind: int) -> None:
    with web_socket(server) as line:
        line.sendall(frame(kind, b"x") * int(door.FRAMES_AT_ONCE - 20) if kind != 0x01 else b"")
        line.sendall(frame(kind, b""))
        with contextlib.suppress(ConnectionError):
            for _ in range(300):
                line.sendall((frame(kind) if kind != 0x01 else frame(0x00)) * 100)
        rest = ends(line)
    assert rest.endswith(struct.pack("!BBH", 0x88, 2, 1008)) or not rest
    server_is_well(server)


def server_is_well(server: Server) -> None:
    made = server.make_table()
    with Client(server, made["seats"][0]) as client:
        client.sync()


def test_ordinary_pings_are_answered(server: Server) -> None:
    made = server.make_table()
    with Client(server, made["seats"][0]) as client:
        for _ in range(20):
            assert client.socket.ping().wait(PATIENCE)
        client.sync()


def test_text_that_is_not_text_ends_the_connection_without_a_word_in_the_log(start: Start) -> None:
    server = start()
    for body in (b"\xff\xfe", b"\xc3"):
        with web_socket(server) as line:
            line.sendall(frame(TEXT, body))
            assert struct.pack("!H", 1007) in ends(line)
    server_is_well(server)
    assert server.log() == ""


def test_garbage_instead_of_a_request_leaves_no_trace(start: Start) -> None:
    server = start()
    for garbage in (b"\x00" * 100, b"GET\r\n\r\n", b"x" * 100_000, b"GET / HTTP/1.1\r\nUpgrade: x\r\n\r\n"):
        with line_to(server) as line, contextlib.suppress(ConnectionError):
            line.sendall(garbage)
            line.shutdown(socket.SHUT_WR)
            ends(line)
    server_is_well(server)
    assert server.log() == ""


@pytest.fixture
def hasty(server_pool: ServerPool, tmp_path: Path) -> Iterator[Server]:
    """A server whose deadlines are short."""
    server = server_pool.start(tmp_path / "data", hasty=True)
    yield server
    server.kill()


def test_who_does_not_finish_a_request_is_not_waited_for(hasty: Server) -> None:
    head = b"POST /api/records HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n"
    for begun in (b"", b"GET / HTT", head, head + b"x"):
        with line_to(hasty) as line:
            began = time.monotonic()
            line.sendall(begun)
            answer = ends(line)
            assert time.monotonic() - began < PATIENCE
            assert not answer or b" 408 " in answer.split(b"\r\n")[0]


def test_who_drips_a_request_is_not_waited_for(hasty: Server) -> None:
    def drip(line: socket.socket) -> None:
        for _ in range(200):
            line.sendall(b"x")
            time.sleep(0.05)

    with line_to(hasty) as line, pytest.raises(ConnectionError):
        drip(line)


def test_an_answer_that_nobody_reads_is_given_up(hasty: Server) -> None:
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        line.connect(("127.0.0.1", hasty.port))
        line.sendall(b"GET /api/catalogue HTTP/1.1\r\nHost: x\r\n\r\n" * 50)
        time.sleep(1.5)
        received = ends(line)
    assert received.count(b"HTTP/1.1 200") < 50


def test_a_body_is_not_read_any_further_once_it_is_refused(server: Server) -> None:
    with line_to(server) as line:
        line.sendall(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 900000000000\r\n\r\n")
        line.settimeout(0.5)
        with pytest.raises(TimeoutError):
            line.sendall(b" " * 500_000_000)
        line.settimeout(PATIENCE)
        assert line.recv(100).startswith(b"HTTP/1.1 413")


def test_nothing_is_read_before_its_turn() -> None:
    class Door(door.HttpDoor):
        visitors = Visitors(Settings())
        gate = Gate(0)
        inner_gate = Gate(1)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def ask() -> bytes:
        loop = asyncio.get_running_loop()
        state = ServerState()
        listening = await loop.create_server(lambda: Door(config, state, {}, loop), "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*listening.sockets[0].getsockname())
        try:
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await asyncio.sleep(0.1)
            assert state.total_requests == 0
            Door.gate._at_once = 1
            return await reader.readline()
        finally:
            writer.close()
            listening.close()
            await asyncio.sleep(0.1)  # a loop of uvloop does not end before its connections

    config = uvicorn.Config(app)
    for loop_factory in (asyncio.new_event_loop, uvloop.new_event_loop):
        Door.gate._at_once = 0
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            assert runner.run(ask()) == b"HTTP/1.1 204 No Content\r\n"


def test_half_open_connections_give_way_to_others(start: Start) -> None:
    server = start(max_requests_per_visitor=10)
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(line_to(server, "127.0.0.66")) for _ in range(200)]
        for line in lines:
            with contextlib.suppress(ConnectionError):
                line.sendall(b"GET / HTTP/1.1\r\nHost: ")
        server_is_well(server)
        with line_to(server, "127.0.0.66") as line:
            line.sendall(b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n")
            assert line.recv(100).startswith(b"HTTP/1.1 200")
        files = len(os.listdir(f"/proc/{server.pid}/fd"))
        assert files < 100


def test_files_are_as_many_as_the_system_allows(server: Server) -> None:
    limits = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
    assert limits[0] == limits[1]


def test_a_forwarded_address_is_believed_from_trusted_proxies_only(start: Start) -> None:
    server = start(tables_per_minute=2)
    seats = {"seats": [{"kind": "person"}, {"kind": "person"}]}
    with server.http() as http:
        codes = [
            http.post("/api/tables", json=seats, headers={"X-Forwarded-For": f"1.1.1.{number}"}).status_code
            for number in range(4)
        ]
    assert codes == [200, 200, 429, 429]
    server.kill()
    trusting = start(tables_per_minute=2, trusted_proxies=["127.0.0.0/8"])
    with trusting.http() as http:
        codes = [
            http.post("/api/tables", json=seats, headers={"X-Forwarded-For": f"1.1.1.{number}"}).status_code
            for number in range(4)
        ]
    assert codes == [200, 200, 200, 200]


def test_a_silent_page_is_counted_until_it_is_gone(start: Start) -> None:
    server = start()
    with web_socket(server):
        deadline = time.monotonic() + PATIENCE
        while health(server) != 1:
            assert time.monotonic() < deadline
    while health(server) != 0:
        assert time.monotonic() < deadline
