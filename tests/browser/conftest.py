"""What the browser tests share: a Chromium, launched once in each worker, a server, and users."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from server.client import Server, ServerPool

from browser.chromium import open_chromium
from browser.users import Browsers, browsers


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium without a window."""
    with open_chromium() as chromium:
        yield chromium


@pytest.fixture(scope="session")
def server(server_pool: ServerPool, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for tests that leave it as it is; its bots do not wait."""
    server = server_pool.start(tmp_path_factory.mktemp("server") / "data")
    yield server
    server.stop()
    # The server_pool ends its children without cleaning up: Python's tracker reports that.
    assert "Traceback" not in server.log()
    assert "Error" not in server.log()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Browsers]:
    """Lets people in; in the end no page may have had an error, asked a stranger or put a key into an address."""
    with browsers(browser, server) as house:
        yield house
