"""The memory of people who have been at a real server and have gone.

An idle person is one whom the server knows and who has no page open: a guest who was made by a first visit, has looked
at their games as the start page does, and closed the browser.
"""

import json
import time
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory

from kingdom_builder.server.benchmark import cpu_seconds, memory_of, running_server

FIRST = 300
"""Persons before the measurement, who pay for what all of them share."""

PROMISED = {"memory_per_person_kb": 5.0}
"""The most that figures may be."""

SETTLING = 1.0
"""Seconds after the last person."""


def benchmark(persons: int) -> dict[str, float | int | None]:
    """The memory of an idle person, what making one costs the server, and what it keeps on the disk."""
    with TemporaryDirectory() as folder, running_server(Path(folder)) as (process, port):
        _visit(port, FIRST)
        before, cpu, stored = memory_of(process.pid), cpu_seconds(process.pid), _stored(Path(folder))
        began = time.perf_counter()
        _visit(port, persons)
        elapsed, cpu = time.perf_counter() - began, cpu_seconds(process.pid) - cpu
        time.sleep(SETTLING)
        after, stored = memory_of(process.pid), _stored(Path(folder)) - stored
    return {
        "persons": persons,
        "persons_per_second": round(persons / elapsed, 1),
        "server_cpu_ms_per_person": round(1000 * cpu / persons, 3),
        "memory_per_person_kb": round((after - before) / persons, 2) if before and after else None,
        "disk_per_person_kb": round(stored / 1024 / persons, 2),
    }


def _visit(port: int, persons: int) -> None:
    """Let new people come one after the other, each with one request for a cookie and one for the games."""
    connection = HTTPConnection("127.0.0.1", port)
    for _ in range(persons):
        connection.request("POST", "/api/me", json.dumps({}), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        answer.read()
        cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
        connection.request("GET", "/api/me/games", headers={"Cookie": cookie})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        answer.read()
    connection.close()


def _stored(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())
