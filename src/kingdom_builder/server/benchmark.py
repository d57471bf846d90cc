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

UNLIMITED = "1000000000"
WARM_UP_SECONDS = 2
THINKING_SECONDS = 0.1
"""Seconds between what a player sees and what it does. Without this pause every table would always have an action in
the queue, and the time of an acknowledgement would only show the number of tables."""


class _View(msgspec.Struct):
    legal: list[str]
    over: bool


class _Message(msgspec.Struct):
    """The parts of a message that a scripted player reads."""

    type: str
    version: int = 0
    id: str = ""
    view: _View | None = None


_decode = msgspec.json.Decoder(_Message).decode


def benchmark(tables: int, seconds: int, seed: int = 7) -> dict[str, float | int | None]:
    """Actions a second, how long an acknowledgement takes, and the memory of a table."""
    with TemporaryDirectory() as folder, _server(Path(folder)) as (process, port):
        before = _memory(process.pid)
        made = [_make_table(port) for _ in range(tables)]
        load = asyncio.run(_drive(process.pid, port, made, seconds, Random(seed)))
        after = _memory(process.pid)
    times = sorted(load.times)
    actions = len(times)
    return {
        "tables": tables,
        "thinking_ms": round(1000 * THINKING_SECONDS),
        "actions_per_second": round(actions / load.elapsed, 1),
        "acknowledgement_p50_ms": round(1000 * times[len(times) // 2], 2),
        "acknowledgement_p99_ms": round(1000 * times[len(times) * 99 // 100], 2),
        "server_cpu_ms_per_action": round(1000 * load.server_cpu / actions, 3),
        "client_cpu_ms_per_action": round(1000 * load.client_cpu / actions, 3),
        "memory_per_table_kb": round((after - before) / tables) if before and after else None,
    }


@contextlib.contextmanager
def _server(folder: Path) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """`kb serve` as everybody runs it, but without limits for one address."""
    command = [sys.executable, "-m", "kingdom_builder", "serve", "--port", "0", "--data", str(folder)]
    for limit in ("messages-per-second", "work-per-second", "tables-per-minute", "tables-per-day"):
        command += [f"--{limit}", UNLIMITED]
    command += ["--max-connections-per-visitor", UNLIMITED, "--max-requests-per-visitor", UNLIMITED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline().split("/  ")[0].rpartition(":")[2])
            yield process, port
        finally:
            process.kill()


def _make_table(port: int) -> list[str]:
    """The tokens of the two seats of a new table, the first together with the host's."""
    body = json.dumps({"seats": [{"kind": "person"}, {"kind": "open"}]}).encode()
    request = Request(f"http://127.0.0.1:{port}/api/tables", body, {"Content-Type": "application/json"})
    with urlopen(request) as answer:
        made = json.load(answer)
    return [f"{made['host']},{made['seats'][0]}", made["seats"][1]]


class _Load(NamedTuple):
    """What happened after a warm-up, in seconds."""

    times: list[float]
    """The time until each acknowledgement."""
    elapsed: float
    server_cpu: float
    client_cpu: float


async def _drive(server: int, port: int, made: list[list[str]], seconds: int, rng: Random) -> _Load:
    times: list[float] = []
    async with contextlib.AsyncExitStack() as stack:
        players = []
        for tokens in (seat for seats in made for seat in seats):
            socket = await stack.enter_async_context(connect(f"ws://127.0.0.1:{port}/ws", compression=None))
            players.append(asyncio.create_task(_play(socket, tokens, times, rng)))
        await asyncio.sleep(WARM_UP_SECONDS)
        times.clear()
        began = time.perf_counter(), _cpu(server), time.process_time()
        await asyncio.sleep(seconds)
        ended = time.perf_counter(), _cpu(server), time.process_time()
        load = _Load(times[:], *(after - before for before, after in zip(began, ended, strict=True)))
        for player in players:
            player.cancel()
        for outcome in await asyncio.gather(*players, return_exceptions=True):
            if not isinstance(outcome, asyncio.CancelledError):
                raise RuntimeError(f"a player stopped: {outcome}")
    return load


async def _play(socket: ClientConnection, tokens: str, times: list[float], rng: Random) -> None:
    """Play at random forever; a new game follows each one."""
    keys = tokens.split(",")
    await socket.send(json.dumps({"type": "hello", "tokens": keys}))
    sent: dict[str, float] = {}
    number = 0
    async for text in socket:
        message = _decode(text)
        view = message.view
        if message.type == "done":
            times.append(time.perf_counter() - sent.pop(message.id))
        elif message.type == "refused":
            raise RuntimeError(f"refused: {text!r}")
        elif view is not None and (view.legal or (view.over and len(keys) > 1)):
            number += 1
            command: dict[str, object] = {"type": "rematch", "same_board": True}
            if view.legal:
                command = {"type": "play", "version": message.version, "move": rng.choice(view.legal)}
            await asyncio.sleep(THINKING_SECONDS * rng.uniform(0.5, 1.5))
            sent[str(number)] = time.perf_counter()
            await socket.send(json.dumps({**command, "id": str(number)}))


def _cpu(process: int) -> float:
    """The CPU time of a process so far; 0 where the system does not report it."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _memory(process: int) -> int | None:
    """The memory of a process in KB, where the system reports it."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/status").read_text("utf-8").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
    return None
