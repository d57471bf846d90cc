"""The servers: processes that are started again whenever they end, as a service manager does."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Self

from faults.node import BUG

LOOSE = (
    "--messages-per-second",
    "--work-per-second",
    "--lines-per-second",
    "--tables-per-minute",
    "--tables-per-day",
    "--max-connections-per-visitor",
    "--max-requests-per-visitor",
)
"""The limits of one address: here everybody has the same."""

CHECK_SECONDS = 0.5
"""How often a node is asked whether it is ready, as the proxy of deploy/haproxy.cfg asks it."""

CHECK_PATIENCE = 2.0
FAILED_CHECKS = 1
"""After how many of them in a row nobody is sent there any more."""

TESTS = Path(__file__).resolve().parents[1]


class Launcher:
    """Starts nodes quickly: see node.py."""

    def __init__(self, bug: str = "") -> None:
        paths = [str(TESTS), *sys.path]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "faults.node"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path), BUG: bug},
        )

    def start(self, arguments: list[str], output: Path, conflicts: Path) -> int:
        """The process of a new node."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {"arguments": arguments, "output": str(output), "conflicts": str(conflicts)}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        """End all nodes, and whatever they have started."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()


class Node:
    """One of the servers."""

    def __init__(self, number: int, launcher: Launcher, database: str, folder: Path) -> None:
        self.number = number
        self.is_ready = False
        self.is_troubled = False
        """Whether a fault keeps it from its work for some time."""
        self.starts = 0
        self.output = folder / f"node-{number}.log"
        self.conflicts_file = folder / f"node-{number}.conflicts"
        self.port = _free_port()
        self._arguments = ["--port", str(self.port), "--database", database]
        self._arguments += [word for flag in LOOSE for word in (flag, "1000000")]
        self._launcher = launcher
        self._process = -1
        self._pid = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._failed = 0
        self._restart_after = 0.5

    async def __aenter__(self) -> Self:
        self._start()
        self._tasks = [asyncio.create_task(self._keep_running()), asyncio.create_task(self._keep_checking())]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.send(signal.SIGKILL)
        os.close(self._process)

    @property
    def conflicts(self) -> int:
        """How often it was too late so far."""
        return self.conflicts_file.stat().st_size if self.conflicts_file.exists() else 0

    def send(self, what: signal.Signals) -> None:
        """Send its process a signal."""
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._process, what)

    async def kill(self, pause: float) -> None:
        """End it as a power cut would; it is started again after so many seconds."""
        await self._end(signal.SIGKILL, pause)

    async def replace(self) -> None:
        """End it as a deployment does, and wait until the next one is ready."""
        await self._end(signal.SIGTERM, 0)
        await self.ready()

    async def ready(self, seconds: float = 60) -> None:
        async with asyncio.timeout(seconds):
            while not self.is_ready:
                await asyncio.sleep(0.05)

    async def _end(self, how: signal.Signals, pause: float) -> None:
        starts = self.starts
        self._restart_after = pause
        self.send(how)
        async with asyncio.timeout(60):
            while self.starts == starts:
                await asyncio.sleep(0.02)

    def _start(self) -> None:
        if self._process >= 0:
            os.close(self._process)
        self._pid = self._launcher.start(self._arguments, self.output, self.conflicts_file)
        self._process = os.pidfd_open(self._pid)
        self.starts += 1

    async def _keep_running(self) -> None:
        while True:
            await self._ended()
            self.is_ready, self._failed = False, FAILED_CHECKS
            await asyncio.sleep(self._restart_after)
            self._restart_after = 0.5
            self._start()

    async def _ended(self) -> None:
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(self._process, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(self._process)

    async def _keep_checking(self) -> None:
        while True:
            starts = self.starts
            if await self._answers():
                if starts == self.starts:
                    self.is_ready, self._failed = True, 0
            else:
                self._failed += 1
                self.is_ready = self.is_ready and self._failed < FAILED_CHECKS
            await asyncio.sleep(CHECK_SECONDS if self.is_ready else CHECK_SECONDS / 2)

    async def _answers(self) -> bool:
        """Whether it says that it is ready."""
        try:
            async with asyncio.timeout(CHECK_PATIENCE):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                try:
                    writer.write(b"GET /api/ready HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                    return (await reader.readline()).startswith(b"HTTP/1.1 200")
                finally:
                    writer.transport.abort()
        except (OSError, TimeoutError):
            return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
