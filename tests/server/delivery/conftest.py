"""What the tests of senders share."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import uvloop

from kingdom_builder.server.delivery.outcome import Outcome

Run = Callable[[Coroutine[Any, Any, Outcome]], Outcome]


@pytest.fixture(params=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs a sender to its end, in the loop of the standard library and in that of the server."""
    factory = uvloop.new_event_loop if request.param == "uvloop" else None

    def run(sending: Coroutine[Any, Any, Outcome]) -> Outcome:
        with asyncio.Runner(loop_factory=factory) as runner:
            return runner.run(sending)

    return run
