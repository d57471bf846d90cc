"""Processes in which bots and hints think, so that the server goes on meanwhile."""

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def _end_with_the_server() -> None:
    """Let this process end when the server does, also when that is killed: nothing else would tell it."""
    server = multiprocessing.parent_process()
    assert server is not None

    def wait() -> None:
        server.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


class Workers:
    """Some processes, started when they are needed first, and anew after one has died."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, work: Callable[P, R], *arguments: P.args, **_: P.kwargs) -> R:
        """What the work comes to. Raises what it raises, and BrokenProcessPool if its process died."""
        if self._pool is None:
            # Not forked: this process has threads.
            spawning = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._count, spawning, initializer=_end_with_the_server)
        pool = self._pool
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work, *arguments)
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
            raise

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
