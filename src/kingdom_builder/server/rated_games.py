"""The rating of finished games: each once, in the order in which they ended.

A game is rated in one transaction with the note that it was, so that a crash in between neither loses nor repeats it.
"""

import asyncio
import logging
from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from kingdom_builder.server.journal import Journal, StoreError
from kingdom_builder.server.ratings import NEW, Rated, Rating, anchor_of, can_rate, rate
from kingdom_builder.server.schema import RATED, RATINGS, insert, upsert
from kingdom_builder.server.store import Row, Sql, Steps

AT_ONCE = 50
"""The most games that are looked up at once."""

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


def unrated(most: int) -> Steps[list[tuple[str, int]]]:
    """Games that are over and still have to be rated, those that ended first at the beginning."""
    rows = yield Sql(
        "SELECT id, game FROM games WHERE rated = 1 AND over = 1 AND pool != '' AND NOT EXISTS"
        " (SELECT 1 FROM rated WHERE rated.id = games.id AND rated.game = games.game)"
        " AND EXISTS (SELECT 1 FROM players WHERE players.id = games.id AND players.game = games.game)"
        " ORDER BY changed, id, game LIMIT ?",
        (most,),
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

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
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

    async def rate_all(self) -> None:
        """Rate all finished games that are not rated yet. Raises StoreError."""
        while games := await self._journal.read(unrated, AT_ONCE):
            await asyncio.to_thread(rate, [Rated(NEW, 1), Rated(NEW, 2)])  # openskill takes long to load
            for table, game in games:
                await self._journal.write(rate_game, table, game)

    async def _rate_on(self) -> None:
        try:
            self._is_again = True
            while self._is_again:
                self._is_again = False
                await self.rate_all()
        except StoreError as error:
            log.warning("Games could not be rated yet: %s", error)
        finally:
            self._rating = None
