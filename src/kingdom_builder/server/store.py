"""Work on the database, written once for every kind of database.

Work is a generator: it yields statements and is sent their rows. Whoever runs it decides how and where, and runs all of
it in one transaction. It may be run again from its beginning, so its statements are all that it does.
"""

import sqlite3
from collections.abc import Callable, Generator
from typing import Any, NamedTuple, ParamSpec, TypeVar

Row = tuple[Any, ...]
R = TypeVar("R")
P = ParamSpec("P")


class Sql(NamedTuple):
    """A statement, with a `?` for each of its values."""

    text: str
    values: tuple[object, ...] = ()


Steps = Generator[Sql, list[Row], R]
"""Work that yields statements, is sent their rows, and returns its result."""


def carry_out(database: sqlite3.Connection, work: Callable[P, Steps[R]], *arguments: P.args, **named: P.kwargs) -> R:
    """The result of some work on a SQLite database. The caller has begun a transaction."""
    steps = work(*arguments, **named)
    try:
        statement = next(steps)
        while True:
            statement = steps.send(database.execute(statement.text, statement.values).fetchall())
    except StopIteration as end:
        result: R = end.value
        return result
