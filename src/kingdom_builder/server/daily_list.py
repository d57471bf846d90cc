"""The lists of daily games in the database: who stands on them, and who was taken off."""

from typing import NamedTuple

from kingdom_builder.server.store import Sql, Steps

RESULTS_KEPT, DAYS_KEPT = 100, 60
"""The results that are kept for a date, best first, and the dates that are kept, latest first."""

TAKEN_OFF = ""
"""The name of a result that was taken off its list. It is kept, so that its table cannot get on the list again."""


class StoredResult(NamedTuple):
    """A result of a daily game."""

    date: str
    table: str
    name: str
    gold: int


def enter(result: StoredResult, at: int) -> Steps[bool]:
    """Put a result on its list, in place of an older one of its table; false if that one was taken off."""
    day, table = result.date, result.table
    found = yield Sql("SELECT name FROM daily WHERE date = ? AND id = ?", (day, table))
    if found == [(TAKEN_OFF,)]:
        return False
    yield Sql("DELETE FROM daily WHERE date = ? AND id = ?", (day, table))
    yield Sql("INSERT INTO daily (date, id, name, gold, at) VALUES (?, ?, ?, ?, ?)", (*result, at))
    yield Sql(
        "DELETE FROM daily WHERE date = ? AND id NOT IN"
        " (SELECT id FROM daily WHERE date = ? ORDER BY gold DESC, at LIMIT ?)",
        (day, day, RESULTS_KEPT),
    )
    yield Sql(
        "DELETE FROM daily WHERE date NOT IN (SELECT DISTINCT date FROM daily ORDER BY date DESC LIMIT ?)",
        (DAYS_KEPT,),
    )
    return True


def best(day: str, most: int = RESULTS_KEPT) -> Steps[list[StoredResult]]:
    """The best results of a date, best first; of equal ones the earlier first."""
    query = "SELECT date, id, name, gold FROM daily WHERE date = ? AND name <> ? ORDER BY gold DESC, at, id LIMIT ?"
    rows = yield Sql(query, (day, TAKEN_OFF, most))
    return [StoredResult(*row) for row in rows]


def take_off(day: str, name: str) -> Steps[int]:
    """Take all results with a name off the list of a date; returns how many."""
    found = yield Sql("SELECT id FROM daily WHERE date = ? AND name = ?", (day, name))
    yield Sql("UPDATE daily SET name = ? WHERE date = ? AND name = ?", (TAKEN_OFF, day, name))
    return len(found)
