"""What all tests share: a server_pool of servers, and how many examples hypothesis tries (many more in `make soak`)."""

import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from kingdom_builder import native

if TYPE_CHECKING:
    from server.client import ServerPool
    from server.postgres_server import PostgresServer

NEEDS_NATIVE_CORE = [
    "arena/test_native_games.py",
    "learn/test_native_batch.py",
    "native/test_bad_bytes.py",
    "native/test_both_cores.py",
    "native/test_choices.py",
    "native/test_shapes.py",
    "native/test_twins.py",
]
collect_ignore = [] if native.is_on() else NEEDS_NATIVE_CORE
"""Whether there should be a native core is tested in `native/test_loading.py`."""

settings.register_profile("default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
"""A shell that starts a run in the background lets it ignore Ctrl+C, and so would all that the tests start."""


@pytest.fixture(scope="session")
def server_pool() -> "Iterator[ServerPool]":
    """Starts servers; those that are left end with it."""
    from server.client import ServerPool  # only some tests need what it needs

    server_pool = ServerPool()
    yield server_pool
    server_pool.close()


@pytest.fixture(scope="session")
def postgres() -> "Iterator[PostgresServer]":
    """A real PostgreSQL server."""
    from server.postgres_server import postgres_server

    with postgres_server() as server:
        yield server
