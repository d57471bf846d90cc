"""The daily game at this server: its tables, and the lists of results."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from kingdom_builder.daily import OPPONENT, PERSON, Daily
from kingdom_builder.message import Message, Refusal
from kingdom_builder.server import daily_list
from kingdom_builder.server.daily_list import StoredResult
from kingdom_builder.server.messages import (
    NAME_LENGTH,
    DailyGame,
    DailyList,
    DailyResult,
    DailyView,
    Preview,
    TableMade,
)
from kingdom_builder.server.names import clean
from kingdom_builder.server.tables import Tables
from kingdom_builder.server.views import setup_view, view_of

SHOWN = 20
"""The results of a day that are shown."""


def utc_now() -> datetime:
    return datetime.now(UTC)


class DailyGames:
    """The daily game of each date, by UTC. Results come only from tables of this server."""

    def __init__(self, tables: Tables, now: Callable[[], datetime] = utc_now) -> None:
        self._tables = tables
        self._now = now

    async def view(self, tokens: list[str], visitor: str) -> DailyView:
        """The game of today, the lists of today and yesterday, and the game that these tokens belong to."""
        now = self._now()
        mine = await self._game_of(tokens, visitor)
        today = now.date()
        midnight = datetime.combine(today + timedelta(days=1), datetime.min.time(), UTC)
        return DailyView(
            preview=_preview(today),
            opponent=OPPONENT,
            seat=PERSON,
            today=await self._list(today, mine),
            yesterday=await self._list(today - timedelta(days=1), mine),
            next=int((midnight - now).total_seconds()),
            mine=mine,
        )

    async def make(self, name: str) -> TableMade:
        """A table with the game of today. Raises Refusal, StoreError."""
        return await self._tables.make_daily(self._now().date(), name)

    async def enter(self, tokens: list[str], visitor: str, name: str) -> DailyList:
        """Put the result of the game of these tokens on the list of its day. Raises Refusal, StoreError."""
        mine = await self._game_of(tokens, visitor)
        if mine is None:
            raise Refusal(
                Message("Nobody plays a daily game with this link: expected one from this server."), "forbidden"
            )
        if not mine.over:
            raise Refusal(Message("The daily game is not over yet: finish it first."), "illegal")
        now = self._now()
        today = now.date()
        day = date.fromisoformat(mine.date)
        if day not in (today, today - timedelta(days=1)):
            raise Refusal(
                Message("The list of this day is closed: expected the game of today or yesterday."), "illegal"
            )
        shown = clean(name, NAME_LENGTH)
        self._tables.order.words.check_name(shown)
        if not shown:
            raise Refusal(Message("A name is missing: expected the one to show on the list."), "illegal")
        result = StoredResult(mine.date, mine.id, shown, mine.gold[PERSON])
        if not await self._tables.journal.write(daily_list.enter, result, int(now.timestamp())):
            raise Refusal(Message("Whoever runs this server has taken this result off the list."), "forbidden")
        return await self._list(day, mine)

    async def _game_of(self, tokens: list[str], visitor: str) -> DailyGame | None:
        """The daily game that somebody plays with these tokens; None if there is none, or not any more."""
        if not any(tokens):
            return None
        try:
            table, known = await self._tables.find(tokens, visitor)
        except Refusal:
            return None
        if not table.daily or PERSON not in table.party.seats_of(frozenset(known)):
            return None
        return DailyGame(table.id, table.daily, table.game.over, table.game.turn.round, table.game.scores())

    async def _list(self, day: date, mine: DailyGame | None) -> DailyList:
        results = await self._tables.journal.read(daily_list.best, str(day), SHOWN)
        table = mine.id if mine else ""
        return DailyList(str(day), [DailyResult(each.name, each.gold, each.table == table) for each in results])


@lru_cache(4)
def _preview(day: date) -> Preview:
    start = Daily(day).start()
    return Preview(setup_view(start), view_of(start, 0), "")
