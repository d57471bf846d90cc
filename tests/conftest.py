"""What all tests share: a server_pool of servers, and how many examples hypothesis tries (many more in `make soak`)."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from server.client import ServerPool

settings.register_profile("default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def server_pool() -> "Iterator[ServerPool]":
    """Starts servers; those that are left end with it."""
    from server.client import ServerPool  # only some tests need what it needs

    server_pool = ServerPool()
    yield server_pool
    server_pool.close()
