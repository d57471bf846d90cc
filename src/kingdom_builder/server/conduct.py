"""Points for leaving live games among strangers, which finished games win back; too many mean a pause from rated games.

A game counts once: the note that it was counted is stored with the points. Games of days, games by link that are not
rated, and games against bots alone do not count. Nobody is taken out of a game that runs.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection

from kingdom_builder.message import Message
from kingdom_builder.server.blocks import parts
from kingdom_builder.server.journal import Journal, StoreError
from kingdom_builder.server.rated_games import Lately
from kingdom_builder.server.schema import CONDUCT, COUNTED, PAUSES, insert, upsert
from kingdom_builder.server.store import Sql, Steps

LEFT, FINISHED = 2, -1
"""The points for a game that somebody left, and for one that they finished."""

TOO_MANY = 6
"""The points that mean a pause."""

AFTER_A_PAUSE = 4
"""The points that are left after it: the next game that they leave means another pause."""

HOUR = 3_600
FIRST_PAUSE = 24 * HOUR
MOST_DOUBLINGS = 6
"""Each pause is twice as long as the one before, up to 64 days."""

AT_ONCE = 50
"""The most games that are looked up at once."""

PUT_CONDUCT, PUT_PAUSES, INSERT_COUNTED = upsert(CONDUCT), upsert(PAUSES), insert(COUNTED)

COUNTING = "over = 1 AND clock LIKE 'live %' AND (rated = 1 OR open = 1)"
"""The games that count, if people play with each other there."""

log = logging.getLogger(__name__)


def uncounted(most: int, since: int = 0) -> Steps[list[tuple[str, int]]]:
    """Games that are over and still have to be counted, those that ended first at the beginning."""
    rows = yield Sql(
        f"SELECT id, game FROM games WHERE changed >= ? AND {COUNTING} AND NOT EXISTS"
        " (SELECT 1 FROM counted WHERE counted.id = games.id AND counted.game = games.game)"
        " ORDER BY changed, id, game LIMIT ?",
        (since, most),
    )
    return [(table, game) for table, game in rows]


def count_game(table: str, game: int) -> Steps[list[str]]:
    """Count a finished game, unless that has been done; returns whose points may have changed."""
    done = yield Sql("SELECT 1 FROM counted WHERE id = ? AND game = ?", (table, game))
    found = yield Sql(f"SELECT changed FROM games WHERE id = ? AND game = ? AND {COUNTING}", (table, game))
    if done or not found:
        return []
    yield Sql(INSERT_COUNTED, (table, game))
    rows = yield Sql(
        "SELECT coalesce(nullif(merged, ''), persons.id), max(players.\"left\") FROM players"
        " JOIN persons ON persons.id = players.person AND deleted = 0"
        " WHERE players.id = ? AND players.game = ? GROUP BY 1 ORDER BY 1",
        (table, game),
    )
    if len(rows) < 2:
        return []  # alone against bots
    for person, left in rows:
        yield from add_points(person, LEFT if left else FINISHED, found[0][0])
    return [person for person, _ in rows]


def add_points(person: str, points: int, now: int) -> Steps[None]:
    """Add points to those of a person, and begin a pause if they are too many."""
    found = yield Sql("SELECT points, until FROM conduct WHERE person = ?", (person,))
    had, until = found[0] if found else (0, 0)
    has = max(0, had + points)
    if has >= TOO_MANY:
        rows = yield Sql("SELECT times FROM pauses WHERE person = ?", (person,))
        times = rows[0][0] if rows else 0
        yield Sql(PUT_PAUSES, (person, times + 1))
        has, until = AFTER_A_PAUSE, max(until, now + FIRST_PAUSE * 2 ** min(times, MOST_DOUBLINGS))
    elif has == 0 < had:
        yield Sql("DELETE FROM pauses WHERE person = ?", (person,))  # their record is clean
    if has or had:
        yield Sql(PUT_CONDUCT, (person, has, until))


def keep_worse(guest: str, member: str) -> Steps[None]:
    """Let the worse record of a guest and a member count, since they are one person: signing in wins no points back."""
    rows = yield Sql("SELECT count(*), max(points), max(until) FROM conduct WHERE person IN (?, ?)", (guest, member))
    ((records, points, until),) = rows
    if records > 1:
        yield Sql(PUT_CONDUCT, (member, points, until))
    ((records, times),) = yield Sql("SELECT count(*), max(times) FROM pauses WHERE person IN (?, ?)", (guest, member))
    if records > 1:
        yield Sql(PUT_PAUSES, (member, times))


def paused_until(person: str, now: int) -> Steps[int]:
    """Until when somebody plays no rated games, because they left too many; 0 if they may play."""
    rows = yield Sql("SELECT until FROM conduct WHERE person = ? AND until > ?", (person, now))
    return int(rows[0][0]) if rows else 0


def paused_among(persons: Collection[str], now: int) -> Steps[frozenset[str]]:
    """Those of some persons who play no rated games now."""
    found: set[str] = set()
    for part in parts(persons):
        marks = ", ".join("?" * len(part))
        rows = yield Sql(f"SELECT person FROM conduct WHERE until > ? AND person IN ({marks})", (now, *part))
        found.update(person for (person,) in rows)
    return frozenset(found)


def why_paused(until: int, now: float) -> Message | None:
    """Why somebody who pauses until a moment may not begin a rated game; None if the pause is over."""
    if until <= now:
        return None
    return Message(
        "You have left too many games: no rated games for {n} {n:hour|hours} more. Games to the end win points back.",
        n=max(1, -int((now - until) // HOUR)),
    )


class Conduct:
    """Counts games when they are over."""

    def __init__(
        self,
        journal: Journal,
        on_changed: Callable[..., Awaitable[None]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`on_changed` is called with the persons whose points may have changed."""
        self._lately = Lately(clock)
        self._journal = journal
        self._on_changed = on_changed
        self._counting: asyncio.Task[None] | None = None
        self._is_again = False

    def look(self) -> None:
        """Count soon what is over."""
        if self._counting is not None:
            self._is_again = True
        else:
            self._counting = asyncio.create_task(self._count_on())

    async def close(self) -> None:
        """Finish the game in progress; what is left is counted after the next start."""
        if self._counting is not None:
            self._counting.cancel()
            await asyncio.wait([self._counting])

    async def count_all(self, since: int = 0) -> None:
        """Count all games that are not counted yet and have ended after a moment. Raises StoreError."""
        while games := await self._journal.read(uncounted, AT_ONCE, since):
            for table, game in games:
                await self._on_changed(*await self._journal.write(count_game, table, game))

    async def _count_on(self) -> None:
        try:
            self._is_again = True
            while self._is_again:
                self._is_again = False
                await self.count_all(self._lately.begin())
        except StoreError as error:
            log.warning("Games could not be counted for conduct yet: %s", error)
        finally:
            self._counting = None
