"""The rating of finished games: each once, in the order in which they ended.

A game is rated in one transaction with the note that it was, so that a crash in between neither loses nor repeats it.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from kingdom_builder.server.journal import Journal, StoreError
from kingdom_builder.server.ratings import NEW, Rated, Rating, anchor_of, can_rate, rate
from kingdom_builder.server.schema import RATED, RATINGS, insert, upsert
from kingdom_builder.server.store import Row, Sql, Steps

AT_ONCE = 50
"""The most games that are looked up at once."""

LATELY_SECONDS, ALL_SECONDS = 86_400, 3_600.0
"""How long ago games ended that are looked for whenever one ends, and how often all others are."""

PUT_RATING, INSERT_RATED = upsert(RATINGS), insert(RATED)

log = logging.getLogger(__name__)


class _Player(NamedTuple):
    """A seat of a finished game, and the rating before it; None if it cannot be compared with anybody."""

    seat: int
    person: str
    """Whose rating changes; empty for a bot."""
    rating: Rating | None
    rank: int
    left: bool


class Lately:
    """From when on finished games are looked for: reading all of them takes long, so that is done now and then."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._next = 0.0
        """When all are looked for again, by a clock that nobody can set."""

    def begin(self) -> int:
        """The moment after which a game has ended that is looked for now."""
        if (now := time.monotonic()) >= self._next:
            self._next = now + ALL_SECONDS
            return 0
        return int(self._clock()) - LATELY_SECONDS


def unrated(most: int, since: int = 0) -> Steps[list[tuple[str, int]]]:
    """Games that are over and still have to be rated, those that ended first at the beginning."""
    rows = yield Sql(
        "SELECT id, game FROM games WHERE changed >= ? AND rated = 1 AND over = 1 AND pool != '' AND NOT EXISTS"
        " (SELECT 1 FROM rated WHERE rated.id = games.id AND rated.game = games.game)"
        " AND EXISTS (SELECT 1 FROM players WHERE players.id = games.id AND players.game = games.game)"
        " ORDER BY changed, id, game LIMIT ?",
        (since, most),
    )
    return [(table, game) for table, game in rows]


def rate_game(table: str, game: int) -> Steps[None]:
    """Rate a finished game, unless that has been done."""
    done = yield Sql("SELECT 1 FROM rated WHERE id = ? AND game = ?", (table, game))
    found = yield Sql(
        "SELECT pool, changed FROM games WHERE id = ? AND game = ? AND over = 1 AND rated = 1 AND pool != ''",
        (table, game),
    )
    if done or not found:
        return
    pool, at = found[0]
    seats = yield Sql(
        "SELECT seat, coalesce(nullif(merged, ''), persons.id, ''), level, rank, players.\"left\" FROM players"
        " LEFT JOIN persons ON persons.id = players.person AND deleted = 0"
        " WHERE players.id = ? AND players.game = ? ORDER BY seat",
        (table, game),
    )
    players = []
    for row in seats:
        players.append((yield from _player(pool, row)))
    twice = {person for person, seats in Counter(each.person for each in players).items() if person and seats > 1}
    # Nobody wins against themselves, and nothing is known of somebody who came with a link alone.
    compared = [each for each in players if each.rating is not None and each.person not in twice]
    after = rate([Rated(each.rating or NEW, each.rank, each.left, not each.person) for each in compared])
    changes = {each.seat: new for each, new in zip(compared, after, strict=True) if each.person and len(compared) > 1}
    for seat, person, before, _, _ in players:
        old = before or NEW
        new = changes.get(seat, old)
        changed = person if seat in changes else ""
        yield Sql(INSERT_RATED, (table, game, seat, changed, pool, old.mu, old.sigma, new.mu, new.sigma, at))
        if changed:
            yield Sql(PUT_RATING, (person, pool, new.mu, new.sigma, new.games, at))


def _player(pool: str, row: Row) -> Steps[_Player]:
    seat, person, level, rank, left = row
    if level and not left:
        return _Player(seat, "", anchor_of(level), rank, False)
    rating = (yield from rating_of(person, pool)) if person else None
    return _Player(seat, person, rating, rank, bool(left))


def rating_of(person: str, pool: str) -> Steps[Rating]:
    """The rating of a person in a pool; a newcomer's if there is none."""
    rows = yield Sql("SELECT mu, sigma, games FROM ratings WHERE person = ? AND pool = ?", (person, pool))
    return Rating(*rows[0]) if rows else replace(NEW)


class RatedGames:
    """Rates games when they are over. Without openskill nothing is rated until it is there."""

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.time) -> None:
        self._journal = journal
        self._lately = Lately(clock)
        self._rating: asyncio.Task[None] | None = None
        self._is_again = False

    def look(self) -> None:
        """Rate soon what is over."""
        if self._rating is not None:
            self._is_again = True
        elif can_rate():
            self._rating = asyncio.create_task(self._rate_on())

    async def close(self) -> None:
        """Finish the game in progress; what is left is rated after the next start."""
        if self._rating is not None:
            self._rating.cancel()
            await asyncio.wait([self._rating])

    async def rate_all(self, since: int = 0) -> None:
        """Rate all games that are not rated yet and have ended after a moment. Raises StoreError."""
        while games := await self._journal.read(unrated, AT_ONCE, since):
            await asyncio.to_thread(rate, [Rated(NEW, 1), Rated(NEW, 2)])  # openskill takes long to load
            for table, game in games:
                await self._journal.write(rate_game, table, game)

    async def _rate_on(self) -> None:
        try:
            self._is_again = True
            while self._is_again:
                self._is_again = False
                await self.rate_all(self._lately.begin())
        except StoreError as error:
            log.warning("Games could not be rated yet: %s", error)
        finally:
            self._rating = None
