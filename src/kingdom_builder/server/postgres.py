"""PostgreSQL as a home of the journal: connections, the dialect, the tables of the database, and its errors.

Work on the database is written once (store.py), in SQL that both databases understand but for the marks of values.
"""

import contextlib
import re
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

import asyncpg

from kingdom_builder.server.database import FORMAT
from kingdom_builder.server.schema import CLOCK, RELATIONS, SHARED_RELATIONS, postgres_statements
from kingdom_builder.server.store import CHANGED, Conflict, Doubt, Row, Sql, Steps, StoreError

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

    Connection: TypeAlias = asyncpg.Connection[asyncpg.Record]
    AnyConnection: TypeAlias = Connection | PoolConnectionProxy[asyncpg.Record]

R = TypeVar("R")

CONNECT_SECONDS = 5.0
COMMAND_SECONDS = 10.0
"""After how long a connection that does not answer is given up."""

UNKNOWN = "The database has failed: it is not known whether this was stored. Look again before you repeat it."

SET_UP_LOCK = 0x6B62
"""The lock that one server holds while it makes the tables of the database."""

UNREACHABLE = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
)
"""What a lost connection leads to: it is unknown whether the last statement was carried out."""

REFUSED = (asyncpg.PostgresError, asyncpg.InternalClientError)
"""What the database says no with: nothing was changed."""

RACES = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
"""What the database says when two pieces of work came into each other's way: the work is done again."""


def is_address(text: str) -> bool:
    """Whether a text looks like the address of a PostgreSQL database."""
    return text.startswith(("postgresql://", "postgres://"))


def shown(address: str) -> str:
    """An address without its password, for people."""
    parts = urlsplit(address)
    return re.sub(r":[^:@/]*@", "@", f"{parts.scheme}://{parts.netloc}{parts.path}")


@lru_cache(maxsize=1_000)
def translated(text: str) -> str:
    """A statement in the words of PostgreSQL."""
    first, *rest = text.split("?")
    numbered = first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))
    return numbered.replace("CROSS JOIN", "JOIN")  # that is a hint for SQLite only


async def connect(address: str, name: str, patience: float = COMMAND_SECONDS) -> "Connection":
    """A connection to the database; `name` is shown to whoever looks after it, `patience` is for each command."""
    return await asyncpg.connect(
        address,
        timeout=CONNECT_SECONDS,
        command_timeout=patience,
        server_settings={"application_name": name, "timezone": "UTC"},
    )


async def prepare(connection: "AnyConnection") -> None:
    """Let sums and averages be plain numbers, as in SQLite."""
    await connection.set_type_codec(
        "numeric", schema="pg_catalog", encoder=str, decoder=lambda text: float(text) if "." in text else int(text)
    )


@contextlib.asynccontextmanager
async def transaction(connection: "AnyConnection", *, writes: bool) -> AsyncIterator[None]:
    """One transaction, as if no other one ran. Whoever is cancelled in the middle gives the connection up."""
    isolation: Literal["serializable", "repeatable_read"] = "serializable" if writes else "repeatable_read"
    begun = connection.transaction(isolation=isolation, readonly=not writes)
    with _given_up_unless(connection):
        await begun.start()
    try:
        yield
    except Exception:
        with contextlib.suppress(*UNREACHABLE, *REFUSED), _given_up_unless(connection):
            await begun.rollback()
        raise
    except BaseException:
        connection.terminate()
        raise
    try:
        with _given_up_unless(connection, *REFUSED):
            await begun.commit()
    except UNREACHABLE:
        raise Doubt(UNKNOWN) from None


@contextlib.contextmanager
def _given_up_unless(connection: "AnyConnection", *harmless: type[Exception]) -> Iterator[None]:
    """Give a connection up if beginning or ending a transaction is cancelled or fails, but for these errors: nobody
    knows then whether one is open in it, and the next work would run inside."""
    try:
        yield
    except BaseException as error:
        if not isinstance(error, harmless):
            connection.terminate()
        raise


async def execute(connection: "AnyConnection", statement: Sql) -> list[Row]:
    """The rows of a statement."""
    rows = [tuple(row) for row in await connection.fetch(translated(statement.text), *statement.values)]
    if statement.must and not rows:
        raise Conflict(CHANGED)
    return rows


async def carry_out(connection: "AnyConnection", work: Callable[..., Steps[R]], *arguments: Any, **named: Any) -> R:
    """The result of some work. The caller has begun a transaction."""
    steps = work(*arguments, **named)
    try:
        statement = next(steps)
        while True:
            statement = steps.send(await execute(connection, statement))
    except StopIteration as end:
        result: R = end.value
        return result


def reason(error: BaseException) -> str:
    """Why the database does not do what it should, for people."""
    match error:
        case asyncpg.DiskFullError():
            return "the disk of the database is full"
        case asyncpg.ReadOnlySQLTransactionError():
            return "the database cannot be written"
        case asyncpg.InvalidAuthorizationSpecificationError() | asyncpg.InvalidPasswordError():
            return "the database does not let this server in"
        case asyncpg.InvalidCatalogNameError():
            return "there is no such database"
        case TimeoutError():
            return "the database does not answer"
        case asyncpg.InterfaceError() | OSError() | asyncpg.PostgresConnectionError():
            return "the database cannot be reached"
        case asyncpg.AdminShutdownError() | asyncpg.CrashShutdownError() | asyncpg.CannotConnectNowError():
            return "the database is being started again"
    return str(error)


# ---- the tables of the database --------------------------------------------------------------------------------------


async def set_up(connection: "Connection") -> None:
    """Make the tables of the database if there are none. Raises StoreError if there are others than ours."""
    async with connection.transaction():
        await connection.execute(f"SELECT pg_advisory_xact_lock({SET_UP_LOCK})")
        present = {name for (name,) in await connection.fetch(PRESENT)}
        if not present:
            await _make(connection)
        else:
            await check_format(connection, present)


async def check_format(connection: "Connection", present: Collection[str]) -> None:
    """Raise StoreError if the tables that are present are not ours, or of another version."""
    if "kb_format" not in present:
        raise StoreError("This is a database of another program: it was left as it is; choose another one.")
    number = await connection.fetchval("SELECT number FROM kb_format")
    if number != FORMAT:  # a shared database is not brought to another format while servers of both may run
        raise StoreError(
            f"This database has format {number}, and this version of the program needs format {FORMAT}: it was left as"
            f" it is; use {'a newer' if number > FORMAT else 'the older'} version, or carry it over (kb migrate)."
        )


PRESENT = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"


async def _make(connection: "Connection") -> None:
    for statement in (*postgres_statements(RELATIONS), *postgres_statements(SHARED_RELATIONS, unlogged=True)):
        await connection.execute(statement)
    await connection.execute(f"INSERT INTO {CLOCK.name} VALUES (0, 0, 0)")
    await connection.execute("CREATE TABLE kb_format (number INTEGER NOT NULL)")
    await connection.execute(f"INSERT INTO kb_format VALUES ({FORMAT})")


async def drop_everything(connection: "Connection") -> None:
    """Remove all tables of ours."""
    names: Iterable[str] = [*(each.name for each in (*RELATIONS, *SHARED_RELATIONS)), "kb_format"]
    await connection.execute(f"DROP TABLE IF EXISTS {', '.join(names)}")
