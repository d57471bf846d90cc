"""The lists of a person's games: those that run, and those that are over with their results."""

import asyncio
import re
from collections.abc import Iterable
from typing import Annotated, NamedTuple

from fastapi import FastAPI, Query, Request, Response

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.answers import json_answer
from kingdom_builder.server.me import person_of
from kingdom_builder.server.messages import NAME_LENGTH, Bests, History, ListedGame, ListedSeat, MyGames
from kingdom_builder.server.open_tables import boxes_of
from kingdom_builder.server.persons import DAY
from kingdom_builder.server.requests import visitor_of
from kingdom_builder.server.store import Row, Sql, Steps
from kingdom_builder.server.tables import Tables

MOST_LISTED = 100
"""The most games in the list of those that run."""

PAGE = 30
"""The number of finished games that are sent at once."""

WORK_OF_LIST, WORK_OF_SEARCH = 5.0, 50.0
"""Some milliseconds for somebody who has played thousands of games, and what others read waits meanwhile."""

CURSOR = re.compile(r"([0-9]{1,12})-([0-9a-z]{1,20})-([0-9]{1,7})")

MINE = "SELECT id, game FROM players WHERE person = ? OR person IN (SELECT id FROM persons WHERE merged = ?)"
"""The games of a person, also of those who turned out to be them."""

PRIVATE = {"Cache-Control": "no-store"}

COLUMNS = "id, game, changed, clock, pool, rated, over, round, seat, deadline"


class Cursor(NamedTuple):
    """A place in the list of finished games: the last one that was sent."""

    changed: int
    table: str
    game: int


def read_cursor(text: str) -> Cursor | None:
    """The place that a client sends back; None for the beginning. Raises Refusal."""
    if not text:
        return None
    if (found := CURSOR.fullmatch(text)) is None:
        raise Refusal(Message("The list of games has no such place: begin at its top."), "malformed")
    return Cursor(int(found[1]), found[2], int(found[3]))


# ---- asking the database ---------------------------------------------------------------------------------------------


def running(person: str, now: int) -> Steps[list[ListedGame]]:
    """The games of a person that run or ended within a day: their turn first, then by time left, then latest."""
    rows = yield Sql(
        f"SELECT {COLUMNS} FROM games WHERE (id, game) IN ({MINE}) AND (over = 0 OR changed > ?) ORDER BY over,"
        " CASE WHEN person = ? OR person IN (SELECT id FROM persons WHERE merged = ?) THEN 0 ELSE 1"
        " END, CASE WHEN deadline IS NULL THEN 1 ELSE 0 END, deadline, changed DESC, id, game LIMIT ?",
        (person, person, now - DAY, person, person, MOST_LISTED),
    )
    return (yield from _with_seats(person, rows))


def finished(person: str, search: str, before: Cursor | None) -> Steps[tuple[list[ListedGame], str]]:
    """Finished games of a person, latest first, and the place where the next ones begin; empty at the end."""
    conditions, values = "", list[object]()
    if before is not None:
        conditions += " AND (changed < ? OR (changed = ? AND (id > ? OR (id = ? AND game < ?))))"
        values += [before.changed, before.changed, before.table, before.table, before.game]
    if search:
        wanted = yield from _with_name(person, search, conditions, values)
        if not wanted:
            return [], ""
        conditions += f" AND ({' OR '.join(['(id = ? AND game = ?)'] * len(wanted))})"
        values += [value for key in wanted for value in key]
    rows = yield Sql(
        f"SELECT {COLUMNS} FROM games WHERE (id, game) IN ({MINE}) AND over = 1{conditions}"
        " ORDER BY changed DESC, id, game DESC LIMIT ?",
        (person, person, *values, PAGE + 1),
    )
    games = yield from _with_seats(person, rows[:PAGE])
    for each in games:
        each.sets = boxes_of(
            (yield Sql("SELECT format, body FROM entries WHERE id = ? AND version = 1", (each.table,)))
        )
    more = f"{games[-1].changed}-{games[-1].table}-{games[-1].game}" if len(rows) > PAGE else ""
    return games, more


def _with_name(person: str, part: str, conditions: str, values: list[object]) -> Steps[list[tuple[str, int]]]:
    """The first finished games of a person where somebody's name has this part, whatever its case.

    Names are compared here: SQLite knows the case of ASCII letters only.
    """
    rows = yield Sql(
        "SELECT found.id, found.game, name FROM"
        f" (SELECT id, game, changed FROM games WHERE (id, game) IN ({MINE}) AND over = 1{conditions}) AS found"
        " JOIN players ON players.id = found.id AND players.game = found.game"
        " ORDER BY changed DESC, found.id, found.game DESC",
        (person, person, *values),
    )
    folded = part.casefold()
    wanted = dict.fromkeys((table, game) for table, game, name in rows if folded in name.casefold())
    return list(wanted)[: PAGE + 1]


def bests(person: str) -> Steps[Bests]:
    """The results of a person in short. A game where they had several seats counts for nobody.

    The gold of a game that they had left is that of the bot, and no best of theirs.
    """
    rows = yield Sql(
        "SELECT count(*), coalesce(sum(CASE WHEN rank = 1 AND gone = 0 THEN 1 ELSE 0 END), 0), "
        " coalesce(max(CASE WHEN gone = 0 THEN gold END), 0), coalesce(avg(CASE WHEN gone = 0 THEN gold END), 0),"
        " coalesce(sum(gone), 0) FROM"
        ' (SELECT min(rank) AS rank, min(gold) AS gold, max(players."left") AS gone FROM players'
        "  WHERE (person = ? OR person IN (SELECT id FROM persons WHERE merged = ?)) AND rank IS NOT NULL"
        "  GROUP BY id, game HAVING count(*) = 1) AS results",
        (person, person),
    )
    games, won, gold, mean, left = rows[0]
    return Bests(games, won, gold, round(mean, 1), left)


def _with_seats(person: str, rows: Iterable[Row]) -> Steps[list[ListedGame]]:
    """Games with their seats. The persons of seats are those whom they turned out to be."""
    games = []
    for table, game, changed, clock, pool, rated, over, turn, seat, deadline in rows:
        seats = yield Sql(
            "SELECT players.name, level, coalesce(nullif(merged, ''), persons.id, ''), colour, gold, rank,"
            ' players."left" FROM players LEFT JOIN persons ON persons.id = players.person AND deleted = 0'
            " WHERE players.id = ? AND players.game = ? ORDER BY seat",
            (table, game),
        )
        listed = [
            ListedSeat(name, level, who, colour, gold, rank, bool(left))
            for name, level, who, colour, gold, rank, left in seats
        ]
        yours = [number for number, each in enumerate(listed) if each.person == person]
        kind = clock.partition(" ")[0]
        games.append(
            ListedGame(table, game, changed, kind, pool, bool(rated), bool(over), turn, seat, deadline, yours, listed)
        )
    return games


# ---- routes ----------------------------------------------------------------------------------------------------------


def add_routes(app: FastAPI, tables: Tables) -> None:
    """Add the routes of the lists of one's games."""

    @app.get("/api/me/games", response_model=MyGames)
    async def my_games(request: Request) -> Response:
        """The games of the person at this device that run or have just ended."""
        await asyncio.sleep(tables.visitors.visitor(visitor_of(request)).charge(WORK_OF_LIST))
        person = await person_of(request, tables)
        games = await tables.journal.read(running, person.id, int(tables.clock()))
        waiting = sum(game.seat in game.yours and not game.seats[game.seat].level for game in games)
        return json_answer(MyGames(games, waiting), PRIVATE)

    @app.get("/api/me/history", response_model=History)
    async def history(
        request: Request,
        search: Annotated[str, Query(max_length=NAME_LENGTH, description="a part of a player's name")] = "",
        before: Annotated[str, Query(max_length=50, description="`before` of the answer with the games so far")] = "",
    ) -> Response:
        """The finished games of the person at this device, latest first."""
        work = WORK_OF_SEARCH if search else WORK_OF_LIST
        await asyncio.sleep(tables.visitors.visitor(visitor_of(request)).charge(work))
        person, place = await person_of(request, tables), read_cursor(before)
        games, more = await tables.journal.read(finished, person.id, search.strip(), place)
        results = None if search or place else await tables.journal.read(bests, person.id)
        return json_answer(History(games, more, results), PRIVATE)
