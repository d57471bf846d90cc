"""Keeps the tables in memory up with what other servers write.

A ring says that a log has grown. Rings may be lost, so all tables in memory are also compared with the logs whenever
that may have happened, and now and then anyway.
"""

import asyncio
import logging
from collections.abc import Callable, Collection

from kingdom_builder.server.journal import Journal, StoreError
from kingdom_builder.server.table import Table
from kingdom_builder.server.writing import follow

COMPARE_SECONDS = 30.0
"""How often all tables in memory are compared with their logs."""

AT_ONCE = 500
"""The most tables that are compared with one query."""

log = logging.getLogger(__name__)


class Following:
    """Lets tables follow the entries of other servers."""

    def __init__(
        self, journal: Journal, in_memory: Callable[[], Collection[Table]], forget: Callable[[Table], None]
    ) -> None:
        self._journal = journal
        self._in_memory = in_memory
        self._forget = forget
        self._tasks: dict[Table, asyncio.Task[None]] = {}
        self._again: set[Table] = set()
        """Tables that are behind again while they follow."""
        self._compare_soon = asyncio.Event()

    def heard(self, table: Table, version: int) -> None:
        """Another server has stored this version."""
        if table.version < version:
            self._follow(table)

    def compare_soon(self) -> None:
        """Compare all tables: rings may have been missed."""
        self._compare_soon.set()

    async def run(self) -> None:
        """Run forever."""
        while True:
            try:
                async with asyncio.timeout(COMPARE_SECONDS):
                    await self._compare_soon.wait()
            except TimeoutError:
                pass
            self._compare_soon.clear()
            try:
                await self.compare()
            except StoreError as error:
                log.warning("The tables could not be compared with their logs: %s", error)
                self._compare_soon.set()
                await asyncio.sleep(1)

    async def compare(self) -> None:
        """Let tables follow that are behind, and forget those that are ahead: somebody has put a backup in place."""
        tables = list(self._in_memory())
        for start in range(0, len(tables), AT_ONCE):
            some = [(table, table.version) for table in tables[start : start + AT_ONCE]]
            stored = await self._journal.versions([table.id for table, _ in some])
            for table, known in some:
                version = stored.get(table.id, 0)
                if version < known:
                    self._forget(table)
                elif version > known:
                    self._follow(table)

    async def finish(self) -> None:
        """Wait until all tables have followed what they have heard of."""
        while self._tasks:
            await asyncio.wait(self._tasks.values())

    def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()

    def _follow(self, table: Table) -> None:
        if table in self._tasks:
            self._again.add(table)
            return
        self._tasks[table] = task = asyncio.create_task(self._follow_on(table))
        task.add_done_callback(lambda _: self._tasks.pop(table, None))

    async def _follow_on(self, table: Table) -> None:
        self._again.add(table)
        while table in self._again:
            self._again.discard(table)
            try:
                await follow(table)
            except StoreError as error:
                log.warning("Table %s could not follow its log: %s", table.id, error)
                self.compare_soon()
