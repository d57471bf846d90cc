"""Somebody who plays at a table of a real server, for tests in which something happens to it during play."""

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from server.client import PATIENCE, Client, Json, Server


class Player(threading.Thread):
    """Somebody who plays at their own table until asked to stop, and comes back when the connection is lost."""

    def __init__(self, server: Server, seed: int) -> None:
        super().__init__()
        self.made: Json = server.make_table()
        self.acknowledged: list[tuple[float, int]] = []
        """When which version was acknowledged."""
        self.error: Exception | None = None
        self._server = server
        self._rng = Random(seed)
        self._ending = threading.Event()

    def run(self) -> None:
        try:
            while not self._ending.is_set():
                with contextlib.suppress(ConnectionClosed, InvalidHandshake, EOFError, OSError):
                    self._visit()
        except Exception as error:
            self.error = error

    def _visit(self) -> None:
        with Client(self._server, *self.made["seats"]) as client:
            while not self._ending.is_set():
                if client.view["over"] or self._rng.random() < 0.2:
                    answer = client.ask(type="say", text="x", name="Ann")
                else:
                    move = self._rng.choice(client.view["legal"])
                    answer = client.ask(type="play", version=client.version, move=move)
                if answer["type"] == "done":
                    self.acknowledged.append((time.monotonic(), answer["version"]))
                    client.reach(answer["version"])
                else:
                    assert answer["refusal"]["code"] in ("store", "stale"), answer
                    return

    def last(self) -> int:
        """The version that was acknowledged last."""
        return self.acknowledged[-1][1] if self.acknowledged else 1

    def end(self) -> None:
        self._ending.set()
        self.join(PATIENCE)
        assert self.error is None, self.error


def last_versions(path: Path) -> dict[str, int]:
    with contextlib.closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT id, max(version), count(*) FROM entries GROUP BY id").fetchall()
    assert all(last == number for _, last, number in found), "a log has a hole"
    return {table: last for table, last, _ in found}


def wait_until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.01)
