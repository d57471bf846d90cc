"""The list of games and their players, which follows from the logs of the tables and can be made again from them.

Lists, lobbies, clocks and ratings ask it, so that no log has to be read for them. What it says of a game carries the
version of the table that it was made of, and never goes back to an older one. Tables that change are gathered and
written together; a crash in between leaves rows that are older than their logs, and the next start makes them again.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from kingdom_builder.message import Refusal
from kingdom_builder.server import entries
from kingdom_builder.server.clocks import Clock
from kingdom_builder.server.entries import Seat
from kingdom_builder.server.journal import Journal, Loaded, StoreError
from kingdom_builder.server.party import keys_of
from kingdom_builder.server.ratings import pool_of
from kingdom_builder.server.schema import GAMES, PLAYERS, insert, upsert
from kingdom_builder.server.store import Row, Sql, Steps
from kingdom_builder.server.table import Table

GATHERING_SECONDS = 0.5
"""How long changes are gathered before they are written."""

RETRY_SECONDS = 5.0
"""After how long writing is tried again if the disk fails."""

SHARE = 0.2
"""How much of the time making old rows again may take: people play meanwhile."""

GAMES_TOPIC = "games"
"""The topic of rings about open tables of which something else stands in the list."""

IS_OPEN = GAMES.column_names().split().index("open")

NOBODY = -1
"""The seat in turn when a game is over."""

log = logging.getLogger(__name__)


class Listed(NamedTuple):
    """A game as it stands in the list: a row of `games`, and a row of `players` for each seat."""

    game: Row
    players: tuple[Row, ...]
    since: int = 0
    """How many actions came before it was the turn of the seat; for a game that is over, more than any turn has."""


def listed(table: Table) -> Listed | None:
    """The current game of a table for the list; None for a lesson, which is not listed."""
    if table.lesson:
        return None
    game, number = table.game, table.game_number
    seats = table.party.players()
    seat = NOBODY if table.over else game.player
    in_turn = None if table.over else seats[seat]
    times = table.clocks.times if table.clocks else None
    row = (
        table.id,
        number,
        table.version,
        table.began,
        table.moved,
        clock_text(table.time_control),
        pool_of(table.time_control.kind, len(seats)) or "",
        int(table.rated),
        int(table.is_open),
        len(seats),
        int(table.over),
        game.turn.round,
        seat,
        in_turn.person if in_turn and not in_turn.level else "",
        _seconds(times.runs_out_at if times else None),
        _seconds(times.remind_at if times else None),
    )
    gold = game.scores() if table.over else None
    ranks = _ranks(table, gold) if gold else None
    players = tuple(
        (
            table.id,
            number,
            place,
            each.person,
            each.name,
            each.level,
            each.colour,
            gold and gold[place],
            ranks and ranks[place],
            int(has_left(table, place, each)),
        )
        for place, each in enumerate(seats)
    )
    return Listed(row, players, since(table))


def since(table: Table) -> int:
    """How many actions came before it was the turn of the seat in turn: undo inside the turn does not change it."""
    plies = table.game.plies
    if table.over:
        return len(plies) + 1
    ply = len(plies)
    while ply and plies[ply - 1].state.player == table.game.player:
        ply -= 1
    return ply


def _ranks(table: Table, gold: list[int]) -> list[int]:
    """The rank of each seat in a game that is over; 1 for the winners."""
    if table.ended is not None:
        return [1 if seat == table.ended.winner else 2 for seat in range(len(gold))]
    return [1 + sum(more > own for more in gold) for own in gold]


def has_left(table: Table, place: int, seat: Seat) -> bool:
    """Whether the player of a seat has left the game: a bot stands in, or the other one has claimed it."""
    is_claimed = table.ended is not None and table.ended.why == "claimed" and table.ended.winner != place
    return is_claimed or bool(seat.level and keys_of(seat))


def _seconds(moment: int | None) -> int | None:
    """A moment in whole seconds, rounded up."""
    return None if moment is None else -(-moment // 1000)


def clock_text(clock: Clock) -> str:
    """A clock in the list of games: its kind, its start and what it adds."""
    return clock.kind if clock.kind == "none" else f"{clock.kind} {clock.start} {clock.add}"


# ---- statements ------------------------------------------------------------------------------------------------------


INSERT_GAME, INSERT_PLAYER = insert(GAMES), insert(PLAYERS)
PUT_GAME = upsert(GAMES, " WHERE excluded.version >= games.version RETURNING version")
PUT_PLAYER = upsert(PLAYERS)

BEHIND = """
SELECT id FROM tables WHERE (SELECT max(version) FROM entries WHERE entries.id = tables.id)
> coalesce((SELECT max(version) FROM games WHERE games.id = tables.id), 0) ORDER BY id
"""


def inserts(game: Listed | None) -> Iterator[Sql]:
    """The statements that store a game of a new table."""
    if game is not None:
        yield Sql(INSERT_GAME, game.game)
        for player in game.players:
            yield Sql(INSERT_PLAYER, player)


def nothing_else(game: Listed) -> Iterable[Sql]:
    """No statements."""
    return ()


def put(games: Iterable[Listed], also: Callable[[Listed], Iterable[Sql]] = nothing_else) -> Steps[None]:
    """Store games, except those of which something newer is stored; `also` has what is stored with a game."""
    for each in games:
        newer = yield Sql(PUT_GAME, each.game)
        if newer:
            for player in each.players:
                yield Sql(PUT_PLAYER, player)
            for statement in also(each):  # noqa: UP028 (they are not sent any rows)
                yield statement


def behind() -> Steps[list[str]]:
    """The tables whose log goes on after what is in the list, or that are not in it."""
    return [table for (table,) in (yield Sql(BEHIND))]


def all_tables() -> Steps[list[str]]:
    return [table for (table,) in (yield Sql("SELECT id FROM tables ORDER BY id"))]


def clear(table: str) -> Steps[None]:
    """Take a table off the list."""
    yield Sql("DELETE FROM games WHERE id = ?", (table,))
    yield Sql("DELETE FROM players WHERE id = ?", (table,))


def replace(table: str, games: Iterable[Listed]) -> Steps[None]:
    """Store the games of a table instead of those that are stored."""
    yield from clear(table)
    yield from put(games)


# ---- the projector ---------------------------------------------------------------------------------------------------


class Projector:
    """Keeps the list of games: it is told of every change, and writes now and then."""

    def __init__(self, journal: Journal) -> None:
        self.on_over: Callable[[], None] = lambda: None
        """Called after games that are over have been written."""
        self.on_mark: Callable[[Table], None] = lambda table: None
        """Called at once with every table that has changed, is new or was read again."""
        self.on_written: Callable[[], None] = lambda: None
        """Called after games have been written."""
        self.also: Callable[[Listed], Iterable[Sql]] = nothing_else
        """What is stored together with a game: both, or none of it."""
        self._journal = journal
        self._changed: dict[str, Table] = {}
        """Tables with a running game that has changed."""
        self._over: dict[tuple[str, int], Listed] = {}
        """Games that are over, as they are to be written: a rematch may take their place at the table."""
        self._writing: asyncio.Task[None] | None = None
        self._is_closing = False

    def mark(self, table: Table) -> None:
        """Write a table soon, since it has changed."""
        self.on_mark(table)
        if table.over:
            self._changed.pop(table.id, None)
            if (game := listed(table)) is not None:
                self._over[table.id, table.game_number] = game
        else:
            self._changed[table.id] = table
        if self._writing is None and not self._is_closing:
            self._writing = asyncio.create_task(self._write_on())

    async def flush(self) -> None:
        """Write everything that has changed. Raises StoreError, and keeps what was not written for later."""
        changed, over = self._changed, self._over
        self._changed, self._over = {}, {}
        games = [*over.values(), *(game for table in changed.values() if (game := listed(table)) is not None)]
        try:
            if games:
                await self._journal.write(put, games, self.also)
        except (StoreError, asyncio.CancelledError):
            self._changed, self._over = {**changed, **self._changed}, {**over, **self._over}
            raise
        self._journal.ring(GAMES_TOPIC, [each.game[0] for each in games if each.game[IS_OPEN]])
        if over:
            self.on_over()
        self.on_written()

    async def close(self) -> None:
        """Write what is left."""
        self._is_closing = True
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.wait([self._writing])
        with contextlib.suppress(StoreError):  # the next start makes it again
            await self.flush()

    async def catch_up(self) -> None:
        """Make the rows again that are behind their logs, one table at a time and slowly."""
        try:
            for table in await self._journal.read(behind):
                began = time.perf_counter()
                loaded = await self._journal.load(table)
                await self._journal.write(put, await games_of(table, self._journal, loaded), self.also)
                await asyncio.sleep((time.perf_counter() - began) * (1 / SHARE - 1))
        except StoreError as error:
            log.warning("The list of games could not be brought up to date: %s", error)
        self.on_over()
        self.on_written()

    async def _write_on(self) -> None:
        """Write until nothing has changed meanwhile."""
        pause = GATHERING_SECONDS
        try:
            while self._changed or self._over:
                await asyncio.sleep(pause)
                try:
                    await self.flush()
                    pause = GATHERING_SECONDS
                except StoreError as error:
                    log.warning("The list of games could not be written: %s", error)
                    pause = RETRY_SECONDS
        finally:
            self._writing = None


async def games_of(identity: str, journal: Journal, loaded: Loaded) -> list[Listed]:
    """All games of a log; none for a lesson, or a log that cannot be read to its end."""
    games: list[Listed | None] = []
    if not loaded.entries:
        return []
    try:
        opened = entries.read(loaded.entries[0], 1)
        if isinstance(opened, entries.Opened) and opened.lesson:
            return []
        table = await Table.restore(identity, journal, loaded, on_ended=lambda each: games.append(listed(each)))
    except Refusal:
        return []
    if table.trouble is not None:
        return []
    return [game for game in (*games, listed(table)) if game is not None]


async def rebuild(journal: Journal) -> int:
    """Make the list of games again from all logs; the number of games in it."""
    count = 0
    for table in await journal.read(all_tables):
        games = await games_of(table, journal, await journal.load(table))
        await journal.write(replace, table, games)
        count += len(games)
    return count
