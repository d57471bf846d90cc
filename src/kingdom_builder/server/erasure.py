"""Deleting persons: their names, their words and all that belongs to them go; the games of others stay as they were."""

from typing import NamedTuple

from kingdom_builder.server.accounts import gone_look
from kingdom_builder.server.merging import REFERENCES
from kingdom_builder.server.persons import COOKIE_DAYS, DAY, SELVES
from kingdom_builder.server.reports import erase_from_reports
from kingdom_builder.server.schema import OF_A_PERSON
from kingdom_builder.server.store import Sql, Steps

SHARE, MOST_AT_ONCE = 0.05, 500
"""How many guests or devices are removed at a start and each day after it: a share of all, so that a wrong clock does
little harm."""


class Erased(NamedTuple):
    """What was deleted."""

    persons: list[str]
    tables: list[str]
    """The tables that knew the person, and show somebody without a name from now on."""


class Expired(NamedTuple):
    """What was removed because nobody came for a long time."""

    guests: int
    devices: int
    erased: Erased = Erased([], [])
    """The guests, and the tables that knew them."""


def erase(person: str, now: int) -> Steps[Erased]:
    """Delete a person. It may be repeated, since a server in use may have written a name meanwhile."""
    both = (person, person)
    selves = [each for (each,) in (yield Sql(SELVES, both))]
    found = yield Sql(
        f"SELECT id FROM players WHERE person IN ({SELVES}) UNION SELECT id FROM words WHERE person IN ({SELVES})",
        (*both, *both),
    )
    yield from erase_from_reports(person)
    yield from _erase_words(person)
    for relation in OF_A_PERSON:
        columns = relation.column_names().split()
        for reference in (each for each in REFERENCES if each in columns):
            yield Sql(f"DELETE FROM {relation.name} WHERE {reference} IN ({SELVES})", both)
    looks = yield Sql(f"SELECT id, look FROM persons WHERE id IN ({SELVES}) AND deleted = 0 AND member = 1", both)
    yield Sql(
        "UPDATE persons SET name = '', look = '', created = 0, seen = 0, member = 0, deleted = ?, role = '',"
        " language = '' WHERE (id = ? OR merged = ?) AND deleted = 0",
        (now, *both),
    )
    for identity, look in looks:
        yield Sql("UPDATE persons SET look = ? WHERE id = ?", (gone_look(look) if look else "", identity))
    return Erased(selves, [table for (table,) in found])


def erased_since(moment: int) -> Steps[frozenset[str]]:
    """Those who were deleted after a moment."""
    rows = yield Sql("SELECT id FROM persons WHERE deleted > ?", (moment,))
    return frozenset(person for (person,) in rows)


def without_names_of_deleted(table: str, game: int) -> Sql:
    """Empties the names of those who were deleted in a game of the list. It is done in each transaction that writes
    names there, since what it writes may have been decided before the deletion, at any server."""
    return Sql(
        "UPDATE players SET name = '' WHERE id = ? AND game = ? AND name <> '' AND person <> ''"
        " AND NOT EXISTS (SELECT 1 FROM persons WHERE persons.id = players.person AND deleted = 0)",
        (table, game),
    )


def _erase_words(person: str) -> Steps[None]:
    """Delete what a person typed at tables, and their names there, whoever wrote them down."""
    both = (person, person)
    named = yield Sql(f"SELECT DISTINCT id, name FROM players WHERE person IN ({SELVES}) AND name <> ''", both)
    for table, name in named:
        # What they said before they were known to be somebody. The first entry has the names of all seats instead.
        yield Sql(
            "DELETE FROM words WHERE id = ? AND person = '' AND number = 1 AND version > 1 AND version IN"
            " (SELECT version FROM words WHERE id = ? AND person = '' AND number = 0 AND text = ?)",
            (table, table, name),
        )
        yield Sql("DELETE FROM words WHERE id = ? AND text = ?", (table, name))
    yield Sql(f"UPDATE daily SET name = '' WHERE id IN (SELECT id FROM players WHERE person IN ({SELVES}))", both)
    yield Sql(f"DELETE FROM words WHERE person IN ({SELVES})", both)
    yield Sql(f"UPDATE players SET name = '' WHERE person IN ({SELVES})", both)


def expire(keep_days: int, now: int) -> Steps[Expired]:
    """Remove guests who have not come for a long time and have no running game, and devices as old as a cookie gets.

    A clock that says that nobody at all has come for so long is wrong, and removes nothing.
    """
    ((count, latest),) = yield Sql("SELECT count(*), max(seen) FROM persons WHERE deleted = 0")
    if not count or now - latest > keep_days * DAY:
        return Expired(0, 0)
    most = min(MOST_AT_ONCE, max(10, int(SHARE * count)))
    guests = yield Sql(
        "SELECT id FROM persons WHERE member = 0 AND merged = '' AND deleted = 0 AND role = '' AND seen < ?"
        " AND NOT EXISTS (SELECT 1 FROM players JOIN games ON games.id = players.id AND games.game = players.game"
        "  WHERE players.person = persons.id AND over = 0) ORDER BY seen, id LIMIT ?",
        (now - keep_days * DAY, most),
    )
    tables: set[str] = set()
    for (guest,) in guests:
        tables.update((yield from erase(guest, now)).tables)
        yield Sql("DELETE FROM persons WHERE id = ?", (guest,))
    devices = yield Sql(
        "SELECT secret_hash FROM devices WHERE seen < ? ORDER BY seen LIMIT ?", (now - COOKIE_DAYS * DAY, most)
    )
    for (device,) in devices:
        yield Sql("DELETE FROM devices WHERE secret_hash = ?", (device,))
    return Expired(len(guests), len(devices), Erased([guest for (guest,) in guests], sorted(tables)))
