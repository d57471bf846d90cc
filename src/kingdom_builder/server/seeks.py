"""Seeks in the database: who looks for which game, so that a restart of the server ends nobody's search.

A table for people who found each other is stored in one transaction with the note, at each of their seeks, which table
it is. So a crash leaves them either looking on or with a table; and they are told of it until they say that they know.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

import msgspec

from kingdom_builder.server.blocks import parts
from kingdom_builder.server.clocks import Clock
from kingdom_builder.server.pairing import Wish
from kingdom_builder.server.projector import clock_text
from kingdom_builder.server.ratings import NEW, Rating
from kingdom_builder.server.schema import SEEKS, insert
from kingdom_builder.server.store import Row, Sql, Steps

COLUMNS = "id, person, live, least, most, rated, sets, clock, created, found"
INSERT = insert(SEEKS)


class Seek(NamedTuple):
    """Somebody looks for a game, or has found one and does not know it yet."""

    id: str
    person: str
    wish: Wish
    since: int
    """In seconds."""
    found: str = ""
    """The table."""

    @property
    def is_live(self) -> bool:
        """Whether the game is played at once, so that people wait for it at their page."""
        return self.wish.clock.kind != "days"


class Somebody(NamedTuple):
    """What the lobby shows of a person."""

    name: str
    rating: Rating


def clock_of(text: str) -> Clock:
    """A clock from its text in the list of games.

    >>> clock_of("live 300 30"), clock_of("none")
    (Clock(kind='live', start=300, add=30), Clock(kind='none', start=0, add=0))
    """
    kind, *amounts = text.split()
    start, add = map(int, amounts or (0, 0))
    return msgspec.convert({"kind": kind, "start": start, "add": add}, Clock)


def all_seeks(now: int) -> Steps[list[Seek]]:
    """All seeks that have not ended, longest waiting first."""
    rows = yield Sql(f"SELECT {COLUMNS} FROM seeks WHERE until > ? ORDER BY created, id", (now,))
    return [_seek(row) for row in rows]


def put(seek: Seek, until: int, instead_of: Collection[str]) -> Steps[None]:
    """Store a new seek in place of others."""
    yield from end(instead_of)
    wish = seek.wish
    sets, clock = " ".join(wish.sets), clock_text(wish.clock)
    limits = (int(seek.is_live), wish.least, wish.most, int(wish.rated))
    yield Sql(INSERT, (seek.id, seek.person, *limits, sets, clock, seek.since, "", until))


def end(seeks: Collection[str]) -> Steps[None]:
    """Forget seeks."""
    for seek in seeks:
        yield Sql("DELETE FROM seeks WHERE id = ?", (seek,))


def end_old(now: int) -> Steps[None]:
    """Forget all seeks whose time is over."""
    yield Sql("DELETE FROM seeks WHERE until <= ?", (now,))


def have_found(seeks: Collection[str], table: str, until: int) -> Iterator[Sql]:
    """The statements that note at which table the people of some seeks meet, unless one of them meets others."""
    for seek in seeks:
        yield Sql(
            "UPDATE seeks SET found = ?, until = ? WHERE id = ? AND found = '' RETURNING 1",
            (table, until, seek),
            must=True,
        )


def _seek(row: Row) -> Seek:
    seek, person, _, least, most, rated, sets, clock, created, found = row
    return Seek(seek, person, Wish(least, most, tuple(sets.split()), clock_of(clock), bool(rated)), created, found)


# ---- the people ------------------------------------------------------------------------------------------------------


def people_of(asked: Collection[tuple[str, str]]) -> Steps[dict[tuple[str, str], Somebody]]:
    """Persons, each with their rating in the pool that is asked for; nobody who is not there any more."""
    known: dict[str, tuple[str, str]] = {}
    ratings: dict[tuple[str, str], Rating] = {}
    for part in parts({person for person, _ in asked}):
        # A guest who turned out to be somebody is shown as that person.
        rows = yield Sql(
            "SELECT guests.id, persons.id, persons.name FROM persons AS guests JOIN persons"
            " ON persons.id = coalesce(nullif(guests.merged, ''), guests.id)"
            f" WHERE persons.deleted = 0 AND guests.id IN ({', '.join('?' * len(part))})",
            part,
        )
        known |= {number: (person, name) for number, person, name in rows}
    for part in parts({person for person, _ in known.values()}):
        marks = ", ".join("?" * len(part))
        rows = yield Sql(f"SELECT person, pool, mu, sigma, games FROM ratings WHERE person IN ({marks})", part)
        ratings |= {(person, pool): Rating(*rest) for person, pool, *rest in rows}
    return {
        (number, pool): Somebody(known[number][1], ratings.get((known[number][0], pool), NEW))
        for number, pool in asked
        if number in known
    }
