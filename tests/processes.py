"""Processes that tests start, and waiting for what they do."""

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

PATIENCE = 60
"""Seconds after which a test that waits for something gives up."""


def wait_for(condition: Callable[[], bool]) -> None:
    began = monotonic()
    while not condition():
        assert monotonic() < began + PATIENCE
        sleep(0.02)


def is_running(process: int) -> bool:
    """Whether a process has not ended; a dead one that its parent has not noticed yet does not count."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return not Path("/proc/self").exists()
