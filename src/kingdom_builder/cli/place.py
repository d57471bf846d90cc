"""Where a server keeps its games, a folder or a shared database, for commands that look after it."""

import asyncio
import contextlib
import os
import sqlite3
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from pathlib import Path
from typing import ParamSpec, TypeAlias, TypeVar

from kingdom_builder.cli.database import add_database, read_database
from kingdom_builder.cli.folder import add_data, read_data
from kingdom_builder.server.backup import check_format, connect, open_for_change
from kingdom_builder.server.database import DATABASE
from kingdom_builder.server.journal import Journal
from kingdom_builder.server.journals import open_journal
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.store import Steps, StoreError, carry_out

Place: TypeAlias = Path | str
"""A folder, or the address of a database."""

P = ParamSpec("P")
R = TypeVar("R")


def add_place(parser: ArgumentParser) -> None:
    add_data(parser)
    add_database(parser, "if several servers share one; or KB_DATABASE")


def read_place(arguments: Namespace) -> Place:
    """The place that the arguments or the environment name. Raises ValueError."""
    if arguments.data and arguments.database:
        raise ValueError("a folder and a database are given: expected one of them")
    database = arguments.database or ("" if arguments.data else os.environ.get("KB_DATABASE", ""))
    return read_database(database) or read_data(arguments.data)


def read(place: Place, work: Callable[P, Steps[R]], *arguments: P.args, **named: P.kwargs) -> R:
    """The result of some work that changes nothing. Raises ValueError."""
    with _errors():
        if isinstance(place, str):
            return asyncio.run(_read_shared(place, work, *arguments, **named))
        check_format(place)
        with contextlib.closing(connect(place / DATABASE, "ro")) as database:
            return carry_out(database, work, *arguments, **named)


def write(place: Place, work: Callable[P, Steps[R]], *arguments: P.args, **named: P.kwargs) -> R:
    """The result of some work, done in one transaction, also while servers run. Raises ValueError."""
    with _errors():
        if isinstance(place, str):
            return asyncio.run(_write_shared(place, work, *arguments, **named))
        check_format(place)
        with contextlib.closing(open_for_change(place)) as database:
            database.execute("BEGIN IMMEDIATE")
            result = carry_out(database, work, *arguments, **named)
            database.execute("COMMIT")
            return result


def ring(place: Place, topic: str, names: Collection[str]) -> None:
    """Tell the servers of a shared database of a change. That of a folder notices by itself. Raises ValueError."""

    async def ring_all(address: str) -> None:
        async with opened(address) as journal:
            journal.ring(topic, names)

    if isinstance(place, str) and names:
        with _errors():
            asyncio.run(ring_all(place))


@contextlib.asynccontextmanager
async def opened(place: Place) -> AsyncIterator[Journal]:
    """The journal at a place; of a folder, which no server uses. Raises StoreError."""
    journal = open_journal(Settings(database=place) if isinstance(place, str) else Settings(data=place))
    await journal.open()
    try:
        yield journal
    finally:
        await journal.aclose()


async def _read_shared(address: str, work: Callable[P, Steps[R]], *arguments: P.args, **named: P.kwargs) -> R:
    async with opened(address) as journal:
        return await journal.read(work, *arguments, **named)


async def _write_shared(address: str, work: Callable[P, Steps[R]], *arguments: P.args, **named: P.kwargs) -> R:
    async with opened(address) as journal:
        return await journal.write(work, *arguments, **named)


@contextlib.contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except (StoreError, sqlite3.Error) as error:
        raise ValueError(str(error)) from None
