"""The removal of tables that nobody has used for a long time.

The clock of a machine can be wrong by years, at a start or while the server runs, and nothing distinguishes a wrong
clock from a corrected one. Therefore a server counts time itself: a table's age is how long servers have run on this
folder since it was last used, measured by a clock that nobody can set. While no server runs, tables do not age. Only
`kb tables expire --trust-clock` removes them by the calendar.
"""

import sqlite3
from typing import NamedTuple

from kingdom_builder.server.schema import OF_A_TABLE

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


def time_run(database: sqlite3.Connection) -> int:
    """The seconds that servers have run on this folder, as far as they were stored."""
    (noted,) = database.execute("SELECT max(ran) FROM clock").fetchone()
    (used,) = database.execute(f"SELECT max(ran) FROM ({LAST_USES})").fetchone()
    return max(noted or 0, used or 0)


def old_tables(database: sqlite3.Connection, keep_days: float, now: float, *, calendar: bool) -> list[str]:
    """The tables that were last used longer ago than this, the oldest first; `now` is by the clock that counts."""
    clock = "at" if calendar else "ran"
    query = f"SELECT id FROM ({LAST_USES}) WHERE {clock} < ? ORDER BY {clock}"
    return [
        table for (table,) in database.execute(query, (now - keep_days * DAY - 1,))
    ]  # stored times are rounded down


def why_not(database: sqlite3.Connection, keep_days: float, now: float) -> str:
    """Why the machine's clock cannot be right; empty if it may be."""
    newest = database.execute(f"SELECT at FROM ({LAST_USES}) ORDER BY ran DESC, at DESC LIMIT 1").fetchone()
    if newest is None:
        return ""
    days = (now - newest[0]) / DAY
    if days > keep_days:
        wrong = f"says that no table was used for {days:.0f} days"
    elif days < -1:
        wrong = f"says that a table was used {-days:.0f} days from now"
    else:
        return ""
    return f"The clock of this machine {wrong}: no tables are removed (see kb tables expire --help)."


def remove(database: sqlite3.Connection, tables: list[str]) -> None:
    """Remove tables. To be called in a transaction."""
    rows = [(table,) for table in tables]
    for relation in OF_A_TABLE:
        database.executemany(f"DELETE FROM {relation.name} WHERE id = ?", rows)
