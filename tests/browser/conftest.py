"""What the browser tests share: a Chromium, launched once in each worker."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from browser.chromium import open_chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium without a window."""
    with open_chromium() as chromium:
        yield chromium
