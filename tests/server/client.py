"""Servers in processes of their own, and a client that talks to them like a page does."""

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from kingdom_builder.server.messages import PROTOCOL

Json = dict[str, Any]
PATIENCE = 30.0
"""Seconds after which something that a test waits for will not come any more."""

LOOSE: Json = {
    "messages_per_second": 100_000,
    "work_per_second": 100_000_000,
    "lines_per_second": 100_000,
    "tables_per_minute": 100_000,
    "tables_per_day": 100_000,
    "max_connections_per_visitor": 100_000,
    "max_requests_per_visitor": 100_000,
    "bot_pause": 0,
    "database_patience": 0.1,
}
"""Settings with which tests are not held up."""


class Server:
    """A running server."""

    def __init__(self, pid: int, address: str, output: Path) -> None:
        self.pid = pid
        self.address = address
        self.output = output
        self._process = os.pidfd_open(pid)

    @property
    def port(self) -> int:
        return int(self.address.rsplit(":", 1)[1].rstrip("/"))

    @property
    def socket_address(self) -> str:
        return self.address.replace("http", "ws", 1) + "ws"

    def http(self, *tokens: str) -> httpx.Client:
        """A client for the HTTP part, with the keys of a viewer."""
        headers = {"Authorization": f"Bearer {','.join(tokens)}"} if tokens else {}
        return httpx.Client(base_url=self.address, headers=headers, timeout=PATIENCE, trust_env=False)

    def make_table(self, kinds: Sequence[str] = ("person", "person"), **setup: Any) -> Json:
        """A new table; a kind is `person`, `open`, or the level of a bot."""
        seats = [
            {"kind": kind} if kind in ("person", "open") else {"kind": "bot", "level": kind, "name": f"Bot {kind}"}
            for kind in kinds
        ]
        with self.http() as http:
            answer = http.post("/api/tables", json={"seats": seats, "setup": setup})
        assert answer.status_code == 200, answer.text
        made: Json = answer.json()
        return made

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as Ctrl+C does."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._process, how)
        self.wait()

    def wait(self) -> None:
        """Until the process has ended."""
        assert select.select([self._process], [], [], PATIENCE)[0], "the server does not end"

    def log(self) -> str:
        """Everything that it has written."""
        return self.output.read_text()


class ServerPool:
    """Starts servers quickly: see server_pool.py."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("server_pool.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def start(self, data: Path, port: int = 0, **settings: Any) -> Server:
        """A server that keeps its games in this folder."""
        server = self.try_to_start(data, port, **settings)
        assert isinstance(server, Server), server
        return server

    def try_to_start(self, data: Path, port: int = 0, **settings: Any) -> Server | str:
        """A server, or why there is none."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        output = data.with_name(data.name + ".log")
        order = {"data": str(data), "port": port, "settings": {**LOOSE, **settings}, "output": str(output)}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        found = re.search(r"http://\S+", answer["text"])
        return Server(answer["pid"], found[0], output) if found else answer["text"]

    def close(self) -> None:
        """End all servers, and whatever they have started."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()


@contextlib.contextmanager
def kb_serve(data: Path, *arguments: str) -> Iterator[Server]:
    """The real program."""
    output = data.with_name(data.name + ".log")
    with output.open("a") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "kingdom_builder", "serve", "--port", "0", "--data", data, *arguments],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + output.read_text()
        server = Server(process.pid, found[0], output)
        try:
            yield server
        finally:
            process.send_signal(signal.SIGINT)
            with output.open("a") as everything:
                everything.write(line + process.communicate(timeout=PATIENCE)[0])


class Client:
    """A page: remembers what it was sent and what it has asked for."""

    def __init__(self, server: Server, *tokens: str, version: int = 0, game: int = 0, greet: bool = True) -> None:
        self.received: list[str] = []
        """Every frame, as it came."""
        self.messages: list[Json] = []
        self.lines: list[Json] = []
        self.view: Json = {}
        self.table: Json = {}
        self.chat: list[Json] = []
        self.setup: Json = {}
        self.version = version
        self.game = game
        self._read = 0
        self._commands = 0
        self._tokens = tokens
        self._greet = greet
        self._closing = contextlib.ExitStack()
        self._server = server
        self.socket: ClientConnection

    def __enter__(self) -> "Client":
        self.socket = self._closing.enter_context(
            connect(self._server.socket_address, compression=None, proxy=None, max_size=None, max_queue=None)
        )
        if self._greet:
            self.send(type="hello", tokens=list(self._tokens), protocol=PROTOCOL, version=self.version, game=self.game)
            self.until(lambda message: message["type"] in ("welcome", "table"))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.close()

    def leave(self) -> None:
        """Close the page."""
        self._closing.close()

    # ---- talking

    def send(self, **command: Any) -> None:
        self.socket.send(json.dumps(command))

    def new_id(self) -> str:
        self._commands += 1
        return f"{id(self)}-{self._commands}"

    def receive(self) -> Json:
        """The next message."""
        text = self.socket.recv(timeout=PATIENCE)
        assert isinstance(text, str)
        self.received.append(text)
        message: Json = json.loads(text)
        self.messages.append(message)
        self._learn(message)
        return message

    def _learn(self, message: Json) -> None:
        match message["type"]:
            case "welcome":
                self.lines = message["lines"]
                self.setup = message["setup"]
                self.chat = message["chat"]
                self.view = message["view"]
                self.table = message["table"]
                self.game = self.table["game"]
            case "update":
                assert len(self.lines) >= message["since"] or not self.setup
                self.lines = [line for line in self.lines if line["ply"] <= message["since"]] + message["lines"]
                self.view = message["view"]
            case "table":
                self.table = message["table"]
                self.game = self.table["game"]
            case "chat":
                assert not self.chat or message["lines"][0]["version"] > self.chat[-1]["version"], "said twice"
                self.chat += message["lines"]
        if message["type"] in ("welcome", "update", "table", "chat"):
            assert message["version"] >= self.version, "the server went back"
            self.version = message["version"]

    def until(self, wanted: Callable[[Json], bool]) -> Json:
        """The next message of some kind; those before it are learned from."""
        while True:
            message = self.receive()
            if wanted(message):
                return message

    def ask(self, **command: Any) -> Json:
        """The answer to a command: done, refused, reason, payment or pong."""
        command = {"id": self.new_id(), **command}
        self.send(**command)
        return self.until(lambda message: message.get("id") == command["id"])

    def reach(self, version: int) -> None:
        """Wait until this version is known."""
        while self.version < version:
            self.receive()

    def closed(self) -> int | None:
        """Read until the server closes the connection; its code."""
        try:
            while True:
                self.receive()
        except ConnectionClosed as error:
            return error.rcvd.code if error.rcvd else None

    # ---- playing

    def play(self, move: str, **more: Any) -> Json:
        """Make a move and see it done."""
        done = self.ask(type="play", version=self.version, move=move, **more)
        assert done["type"] == "done", (move, done)
        self.reach(done["version"])
        return done

    def do(self, kind: str, **command: Any) -> Json:
        """Carry out another command."""
        done = self.ask(type=kind, **command)
        assert done["type"] == "done", done
        self.reach(done["version"])
        return done

    def refused(self, **command: Any) -> str:
        """The code with which a command is refused; the game is as it was."""
        before = (self.version, self.lines, self.view["ply"])
        answer = self.ask(**command)
        assert answer["type"] == "refused", answer
        assert answer["refusal"]["message"]["text"].endswith((".", "?")), answer
        self.sync()
        assert (self.version, self.lines, self.view["ply"]) == before
        code: str = answer["refusal"]["code"]
        return code

    def sync(self) -> None:
        """Read everything that has been sent so far."""
        self.ask(type="ping")

    @property
    def in_turn(self) -> bool:
        return not self.view["over"] and self.view["player"] in self.table["yours"]


def play_on(clients: Sequence[Client], rng: Random, most: int = 10_000) -> int:
    """Random moves of whoever is in turn, until the end of the game; the number of moves made."""
    version = max(client.version for client in clients)
    for made in range(most):
        for client in clients:
            client.reach(version)
        acting = next((client for client in clients if client.in_turn), None)
        if acting is None:
            if clients[0].view["over"]:
                return made
            clients[0].receive()  # a bot is in turn
            version = clients[0].version
        else:
            acting.play(rng.choice(acting.view["legal"]))
            version = acting.version
    return most
