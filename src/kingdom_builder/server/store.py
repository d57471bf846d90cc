"""Work on the database, written once for every kind of database.

Work is a generator: it yields statements and is sent their rows. Whoever runs it decides how and where, and runs all of
it in one transaction. It may be run again from its beginning, so its statements are all that it does.
"""

import sqlite3
from collections.abc import Callable, Generator
from typing import Any, NamedTuple, ParamSpec, TypeVar

CHANGED = "Somebody else has changed this in the same moment. Nothing was changed; try again."

Row = tuple[Any, ...]
R = TypeVar("R")
P = ParamSpec("P")


class StoreError(Exception):
    """Something could not be stored or read, and nothing was changed; the sentence says why."""


class Conflict(StoreError):
    """Somebody else was first, and nothing was changed."""


class Doubt(StoreError):
    """It is unknown whether something was stored: the disk is read again before anything else is answered."""


class Sql(NamedTuple):
    """A statement, with a `?` for each of its values."""

    text: str
    values: tuple[object, ...] = ()
    must: bool = False
    """Whether it has to return a row; if it does not, all of the work is refused with a Conflict."""


Steps = Generator[Sql, list[Row], R]
"""Work that yields statements, is sent their rows, and returns its result."""


def execute(database: sqlite3.Connection, statement: Sql) -> list[Row]:
    """The rows of a statement."""
    rows = database.execute(statement.text, statement.values).fetchall()
    if statement.must and not rows:
        raise Conflict(CHANGED)
    return rows


def carry_out(database: sqlite3.Connection, work: Callable[P, Steps[R]], *arguments: P.args, **named: P.kwargs) -> R:
    """The result of some work on a SQLite database. The caller has begun a transaction."""
    steps = work(*arguments, **named)
    try:
        statement = next(steps)
        while True:
            statement = steps.send(execute(database, statement))
    except StopIteration as end:
        result: R = end.value
        return result
