"""The server under siege: `kb serve` with default limits, watched for its memory and for what it complains about."""

import contextlib
import json
import os
import re
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, Any, NamedTuple

STARTING_SECONDS = 60
STOPPING_SECONDS = 10
SAMPLING_SECONDS = 0.2
USUAL_FILES = 1024
"""How many files a process may open on most systems, unless it asks for more."""

OVERSEER = "127.0.3.1"
"""Whence the health is asked for."""


OFFERS = ("--address", "https://siege.example.org", "--push-contact", "mailto:operator@example.org")
"""What it takes to offer notices and passkeys, which would be refused otherwise before they cost anything."""


class Sample(NamedTuple):
    at: float
    """On the monotonic clock, which all processes share."""
    memory: float
    """In MB, of the server and of all processes that it has started."""
    disk: float
    """Seconds that anybody needed to write a few bytes to the same disk: those of the server are not its fault."""


class Ground:
    """A server with a folder of its own. It can be started again there, at the same port."""

    def __init__(self, folder: Path) -> None:
        self.port = 0
        self._samples: list[Sample] = []
        self._data = folder / "data"
        self._output = folder / "output"
        self._scrap = folder / "scrap"
        self._process: subprocess.Popen[str] | None = None
        self._ended = threading.Event()
        self._sampling = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> "Ground":
        self._start()
        self._sampling.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._sampling.join()
        self._stop()

    def restart(self) -> None:
        """Stop as Ctrl+C does, and start again."""
        self._stop()
        self._start()

    def errors(self) -> str:
        """Everything that it has written to stderr."""
        return self._output.read_text(errors="replace")

    def connections(self) -> int | None:
        """The open pages that it counts; nothing if it does not answer."""
        asking = HTTPConnection("127.0.0.1", self.port, timeout=5, source_address=(OVERSEER, 0))
        with contextlib.closing(asking), contextlib.suppress(OSError, ValueError):
            asking.request("GET", "/api/health")
            health: dict[str, Any] = json.loads(asking.getresponse().read())
            return int(health.get("connections", -1))
        return None

    def samples(self, since: float, until: float) -> list[Sample]:
        """What was measured in some time; at least one."""
        return [sample for sample in self._samples if since <= sample.at < until] or [Sample(since, 0, 0)]

    def _start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "kingdom_builder",
            "serve",
            "--port",
            str(self.port),
            "--data",
            f"{self._data}",
            *OFFERS,
        ]
        with self._output.open("a") as output:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=output, text=True
            )
        _, most = resource.prlimit(self._process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(self._process.pid, resource.RLIMIT_NOFILE, (USUAL_FILES, most))
        assert self._process.stdout is not None
        line = _first_line(self._process.stdout)
        found = re.search(r"http://\S+:(\d+)/", line)
        if found is None:
            self._process.kill()
            raise RuntimeError(f"the server did not start: {line}{self.errors()}")
        self.port = int(found[1])

    def _stop(self) -> None:
        """End the server; one that does not end in time, or leaves processes behind, is killed with all of them."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        tree = _tree(process.pid)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(STOPPING_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        for each in tree[1:]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)

    def _sample(self) -> None:
        with self._scrap.open("wb", buffering=0) as scrap:
            while not self._ended.wait(SAMPLING_SECONDS):
                assert self._process is not None
                total = sum(map(_memory, _tree(self._process.pid)))
                began = time.monotonic()
                scrap.write(b"x")
                os.fsync(scrap.fileno())
                self._samples.append(Sample(began, total / 1024, time.monotonic() - began))


def _first_line(stream: IO[str]) -> str:
    """What a process says first; nothing if it stays silent."""
    return stream.readline() if select.select([stream], [], [], STARTING_SECONDS)[0] else ""


def _tree(process: int) -> list[int]:
    """A process and everything that it has started, directly or indirectly."""
    found = [process]
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += _tree(int(child))
    return found


def _memory(process: int) -> int:
    """The memory of a process in KB; what it shares with others counts in part."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0
