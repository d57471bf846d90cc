"""The removal of tables that nobody has used for a long time.

The clock of a machine can be wrong by years, at a start or while the server runs, and nothing distinguishes a wrong
clock from a corrected one. Therefore a server counts time itself: a table's age is how long servers have run on this
database since it was last used, measured by a clock that nobody can set. While no server runs, tables do not age. Only
`kb tables expire --trust-clock` removes them by the calendar.
"""

from collections.abc import Iterable
from math import ceil
from typing import NamedTuple

from kingdom_builder.server.schema import OF_A_TABLE
from kingdom_builder.server.store import Sql, Steps

DAY = 86_400.0

LAST_USES = """
SELECT tables.id, at, ran FROM tables CROSS JOIN entries
ON entries.id = tables.id AND version = (SELECT max(version) FROM entries AS others WHERE others.id = tables.id)
"""
"""Each table with its last use, by the calendar and by the time that servers have run.

CROSS JOIN makes SQLite use this order: otherwise it would read all entries of all tables."""


class Expiry(NamedTuple):
    """The result of a removal of old tables."""

    removed: int
    left: int
    """The number of further tables that are old enough."""
    refusal: str = ""
    """Why none were removed, if the clock cannot be trusted."""


class Now(NamedTuple):
    """The present moment, in seconds."""

    at: float
    """By the machine's clock."""
    ran: float
    """By the time that servers have run."""


def time_run() -> Steps[int]:
    """The seconds that servers have run on this database, as far as they were stored."""
    ((noted,),) = yield Sql("SELECT max(ran) FROM clock")
    ((used,),) = yield Sql(f"SELECT max(ran) FROM ({LAST_USES}) AS uses")
    return max(noted or 0, used or 0)


def expire(keep_days: float, most: float | None, now: Now, *, trust_clock: bool) -> Steps[Expiry]:
    """Remove tables that were last used longer ago than this, the oldest first, at most a share of all."""
    if not trust_clock and (refusal := (yield from why_not(keep_days, now.at))):
        return Expiry(0, 0, refusal)
    old = yield from old_tables(keep_days, now.at if trust_clock else now.ran, calendar=trust_clock)
    ((count,),) = yield Sql("SELECT count(*) FROM tables")
    going = old if most is None else old[: max(1, int(most * count))]
    yield from remove(going)
    return Expiry(len(going), len(old) - len(going))


def remove(tables: Iterable[str]) -> Steps[None]:
    """Remove tables with all that goes with them."""
    for table in tables:
        for relation in OF_A_TABLE:
            yield Sql(f"DELETE FROM {relation.name} WHERE id = ?", (table,))


def old_tables(keep_days: float, now: float, *, calendar: bool) -> Steps[list[str]]:
    """The tables that were last used longer ago than this, the oldest first; `now` is by the clock that counts."""
    clock = "at" if calendar else "ran"
    limit = ceil(now - keep_days * DAY - 1)  # stored times are rounded down
    rows = yield Sql(f"SELECT id FROM ({LAST_USES}) AS uses WHERE {clock} < ? ORDER BY {clock}", (limit,))
    return [table for (table,) in rows]


def why_not(keep_days: float, now: float) -> Steps[str]:
    """Why the machine's clock cannot be right; empty if it may be."""
    newest = yield Sql(f"SELECT at FROM ({LAST_USES}) AS uses ORDER BY ran DESC, at DESC LIMIT 1")
    if not newest:
        return ""
    days = (now - newest[0][0]) / DAY
    if days > keep_days:
        wrong = f"says that no table was used for {days:.0f} days"
    elif days < -1:
        wrong = f"says that a table was used {-days:.0f} days from now"
    else:
        return ""
    return f"The clock of this machine {wrong}: no tables are removed (see kb tables expire --help)."
