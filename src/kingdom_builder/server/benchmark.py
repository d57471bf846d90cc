"""The speed of a real server: scripted players at many tables, each with its own WebSocket."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.request import Request, urlopen

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from kingdom_builder.server.differences import Json, applied

UNLIMITED = "1000000000"
BEGIN_SECONDS = 120
"""The most that it may take until everybody sees a table."""

WARM_UP_SECONDS = 2
THINKING_SECONDS = 0.1
"""Seconds between what a player sees and what it does. Without this pause every table would always have an action in
the queue, and the time of an acknowledgement would only show the number of tables."""

LINES_PER_ACTION = 0.5
"""How often somebody who waits says something after an action, where a table chats."""


class _Message(msgspec.Struct):
    """The parts of a message that a scripted player reads."""

    type: str
    version: int = 0
    id: str = ""
    view: msgspec.Raw = msgspec.Raw()
    """The view, or what has changed in it."""


_decode = msgspec.json.Decoder(_Message).decode


CLOCK = {"kind": "live", "start": 7200, "add": 600}
"""A clock that runs, but never out."""


def benchmark(
    tables: int,
    seconds: int,
    seed: int = 7,
    *,
    people: bool = False,
    differences: bool = False,
    database: str = "",
    nodes: int = 1,
    scattered: bool = False,
    thinking: float = THINKING_SECONDS,
    chats: bool = False,
) -> dict[str, float | int | None]:
    """Actions a second, how long an acknowledgement takes, what is sent, and the memory of a table.

    With `people` all players are known as persons, and all games have clocks. With `differences` they are told only
    what has changed, as a page is. With a `database` there are several servers, and all players of a table come to the
    same one, unless they are `scattered`. Without time for `thinking` the servers have as much to do as they can. If a
    table `chats`, those who wait often say something at the very moment at which the player in turn acts.
    """
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        servers = [stack.enter_context(running_server(folder, database)) for _ in range(nodes)]
        processes, ports = [process.pid for process, _ in servers], [port for _, port in servers]
        before = sum(memory_of(process) or 0 for process in processes)
        made = []
        for number in range(tables):
            seats = _make_table(ports[number % nodes], people)
            made += [(ports[(number + seat * scattered) % nodes], player) for seat, player in enumerate(seats)]
        tally = _Tally(Random(seed), differences, thinking, chats)
        load = asyncio.run(_drive(processes, ports if database else [], made, seconds, tally))
        after = sum(memory_of(process) or 0 for process in processes)
    times = sorted(load.times)
    actions = len(times)
    return {
        "tables": tables,
        "people": people,
        "differences": differences,
        "nodes": nodes,
        "scattered": scattered,
        "thinking_ms": round(1000 * thinking),
        "chats": chats,
        "actions_per_second": round(actions / load.elapsed, 1),
        "acknowledgement_p50_ms": round(1000 * times[len(times) // 2], 2),
        "acknowledgement_p99_ms": round(1000 * times[len(times) * 99 // 100], 2),
        "server_cpu_ms_per_action": round(1000 * load.server_cpu / actions, 3),
        "client_cpu_ms_per_action": round(1000 * load.client_cpu / actions, 3),
        "sent_bytes_per_action": round(load.received / actions),
        "memory_per_table_kb": round((after - before) / tables) if before and after else None,
        "conflicts_per_1000": round(1000 * load.conflicts / actions, 2) if database else None,
    }


@contextlib.contextmanager
def running_server(folder: Path, database: str = "") -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """`kb serve` as everybody runs it, but without limits for one address, and its port."""
    command = [sys.executable, "-m", "kingdom_builder", "serve", "--port", "0", "--data", str(folder)]
    if database:
        command += ["--database", database, "--metrics"]
    for limit in (
        "messages-per-second",
        "work-per-second",
        "lines-per-second",
        "tables-per-minute",
        "tables-per-day",
        "persons-per-day",
    ):
        command += [f"--{limit}", UNLIMITED]
    command += ["--max-connections-per-visitor", UNLIMITED, "--max-requests-per-visitor", UNLIMITED]
    command += ["--max-connections", UNLIMITED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline().split("/  ")[0].rpartition(":")[2])
            yield process, port
        finally:
            process.kill()


def _conflicts(port: int) -> float:
    """How often a server came too late with an entry."""
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("kb_conflicts_total"))


class _Player(NamedTuple):
    """What a scripted player shows at its table."""

    tokens: list[str]
    cookie: str
    """Empty for somebody with a link alone."""


def _make_table(port: int, people: bool) -> list[_Player]:
    """The players of a new table; the first is the host."""
    wanted: dict[str, object] = {"seats": [{"kind": "person"}, {"kind": "person"}]}
    if people:
        wanted["clock"] = CLOCK
    made = json.loads(_post(port, "tables", wanted)[0])
    tokens = [[made["host"], made["seats"][0]], [made["seats"][1]]]
    return [_Player(each, _post(port, "me", {})[1] if people else "") for each in tokens]


def _post(port: int, path: str, body: object) -> tuple[bytes, str]:
    """The answer to a request, and the cookie that comes with it."""
    headers = {"Content-Type": "application/json"}
    request = Request(f"http://127.0.0.1:{port}/api/{path}", json.dumps(body).encode(), headers)
    with urlopen(request) as answer:
        return answer.read(), (answer.headers["Set-Cookie"] or "").partition(";")[0]


class _Load(NamedTuple):
    """What happened after a warm-up, in seconds."""

    times: list[float]
    """The time until each acknowledgement."""
    elapsed: float
    server_cpu: float
    client_cpu: float
    received: float
    """Bytes that all players got."""
    conflicts: float


class _Tally:
    """How the players play, and what they count."""

    def __init__(self, rng: Random, differences: bool, thinking: float, chats: bool) -> None:
        self.rng = rng
        self.differences = differences
        self.thinking = thinking
        self.chats = chats
        self.begun = 0
        """The players who have seen their tables."""
        self.times: list[float] = []
        self.received = 0


async def _drive(
    servers: list[int], measured: list[int], made: list[tuple[int, _Player]], seconds: int, tally: _Tally
) -> _Load:
    """Let everybody play; conflicts are counted at the servers of the `measured` ports."""

    def conflicts() -> float:
        return sum(_conflicts(port) for port in measured)

    async with contextlib.AsyncExitStack() as stack:
        players = []
        for port, player in made:
            cookie = {"Cookie": player.cookie} if player.cookie else None
            opening = connect(f"ws://127.0.0.1:{port}/ws", compression=None, additional_headers=cookie)
            socket = await stack.enter_async_context(opening)
            players.append(asyncio.create_task(_play(socket, player.tokens, tally)))
        async with asyncio.timeout(BEGIN_SECONDS):
            # On a slow machine, coming to the tables would be measured too.
            while tally.begun < len(players) and not any(task.done() for task in players):
                await asyncio.sleep(0.1)
        await asyncio.sleep(WARM_UP_SECONDS)
        known = await asyncio.to_thread(conflicts)
        tally.times.clear()
        began = time.perf_counter(), _cpu_of_all(servers), time.process_time(), tally.received
        await asyncio.sleep(seconds)
        ended = time.perf_counter(), _cpu_of_all(servers), time.process_time(), tally.received
        times = tally.times[:]
        met = await asyncio.to_thread(conflicts) - known
        elapsed, server, client, received = (after - before for before, after in zip(began, ended, strict=True))
        load = _Load(times, elapsed, server, client, received, met)
        for task in players:
            task.cancel()
        for outcome in await asyncio.gather(*players, return_exceptions=True):
            if not isinstance(outcome, asyncio.CancelledError):
                raise RuntimeError(f"a player stopped: {outcome}")
    return load


async def _play(socket: ClientConnection, tokens: list[str], tally: _Tally) -> None:
    """Play at random forever; a new game follows each one."""
    await socket.send(json.dumps({"type": "hello", "tokens": tokens, "differences": tally.differences}))
    sent: dict[str, float] = {}
    rng = tally.rng
    number, version, needed = 0, 0, 0
    acting = ""  # the command of the game that is on its way
    spoken = -1
    held: Json = None

    async def send(command: dict[str, object]) -> str:
        nonlocal number
        number += 1
        sent[str(number)] = time.perf_counter()
        await socket.send(json.dumps({**command, "id": str(number)}))
        return str(number)

    async for text in socket:
        tally.received += len(text)
        message = _decode(text)
        if message.type == "done":
            tally.times.append(time.perf_counter() - sent.pop(message.id))
            if message.id == acting:
                acting, needed = "", message.version  # what was seen before that is out of date
        elif message.type == "refused":
            if "stale" not in str(text):
                raise RuntimeError(f"refused: {text!r}")
            sent.pop(message.id, None)
            acting = ""
        elif message.view:
            tally.begun += held is None
            held, version = _read(held, message), message.version
        if held is None or acting or version < needed:
            continue
        if held["legal"] or (held["over"] and len(tokens) > 1):
            command: dict[str, object] = {"type": "rematch", "same_board": True}
            if held["legal"]:
                command = {"type": "play", "version": version, "move": rng.choice(held["legal"])}
            if tally.thinking:
                await asyncio.sleep(tally.thinking * rng.uniform(0.5, 1.5))
            needed = version + 1
            acting = await send(command)
        elif tally.chats and held["ply"] != spoken:
            spoken = held["ply"]
            if rng.random() < LINES_PER_ACTION:
                await send({"type": "say", "text": f"After move {spoken}."})


def _read(held: Json, message: _Message) -> Json:
    """The view after a message, for a player who had another one before."""
    received = msgspec.json.decode(bytes(message.view))
    return applied(held, received) if message.type == "difference" else received


def _cpu_of_all(processes: list[int]) -> float:
    return sum(cpu_seconds(process) for process in processes)


def cpu_seconds(process: int) -> float:
    """The CPU time of a process so far; 0 where the system does not report it."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def memory_of(process: int) -> int | None:
    """The memory of a process in KB, where the system reports it."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text("utf-8").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    return None
