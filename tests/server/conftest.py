"""What the tests of the server share."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from server.client import Server, ServerPool


@pytest.fixture(autouse=True)
def _no_mistakes(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever clients do, a server in this process has no reason to log an error."""
    yield
    records = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert not [record.getMessage() for record in records]


Start = Callable[..., Server]


@pytest.fixture(scope="session")
def server(server_pool: ServerPool, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for tests that leave it as it is."""
    server = server_pool.start(tmp_path_factory.mktemp("server") / "data")
    yield server
    server.stop()
    assert not server.log()


@pytest.fixture
def start(server_pool: ServerPool, tmp_path: Path) -> Iterator[Start]:
    """Starts a server on a folder of the test's own, with settings; it is killed in the end."""
    started: list[Server] = []

    def start(**settings: Any) -> Server:
        started.append(server_pool.start(tmp_path / "data", **settings))
        return started[-1]

    yield start
    for server in started:
        server.kill()
