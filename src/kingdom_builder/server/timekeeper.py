"""Keeps the time of all games: notices whose time is up, and excuses the times at which nobody could play.

The clocks follow from the logs alone; this only writes the entries that say so. What it has to know is in the list of
games, so that no table has to be in memory. While a clock runs, a server says every few seconds in the database that it
runs. A longer silence, after a crash or on a stalled machine, is a gap, and so is a jump of the machine's clock: it is
stored, and excused in the log of a table when that is next looked at.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable

from kingdom_builder.message import Refusal
from kingdom_builder.server import entries
from kingdom_builder.server.attendance import follow_absence
from kingdom_builder.server.clocks import Gap
from kingdom_builder.server.company import STAND_IN
from kingdom_builder.server.journal import Journal, StoreError
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.table import Table
from kingdom_builder.server.writing import store_or_follow

BEAT_SECONDS = 1.0
SIGN_SECONDS = 5.0
"""How often the database is told that the server runs."""

STALL_SECONDS = 10.0
"""A silence of this many seconds is a gap."""

GRACE_SECONDS = 10.0
"""How long pages may take to come back after a gap."""

DUTY_SECONDS = 5.0
"""For how long one of several servers looks at the deadlines."""

RETRY_SECONDS = 5.0
"""After how long a table is looked at again that could not be read."""

GAP_DAYS = 60
MOST_AT_ONCE = 50

log = logging.getLogger(__name__)


def last_sign() -> Steps[int]:
    """When a server last said that it runs, in seconds; 0 if none ever did."""
    rows = yield Sql("SELECT max(at) FROM clock")
    return int(rows[0][0] or 0)


def store_gap(start: int, end: int, now: int) -> Steps[list[Gap]]:
    """Store a gap, in milliseconds, unless another server has; returns all that are kept.

    The deadlines in the list of games are put off by as much. The exact ones follow when the log has excused the gap.
    """
    yield Sql("DELETE FROM gaps WHERE ended < ?", (now - GAP_DAYS * 86_400_000,))
    is_new = yield Sql(
        "INSERT INTO gaps (started, ended) VALUES (?, ?) ON CONFLICT (started) DO NOTHING RETURNING 1", (start, end)
    )
    seconds = (end - start) // 1000
    if is_new:
        yield Sql(
            "UPDATE games SET deadline = deadline + ?, remind = remind + ? WHERE deadline IS NOT NULL",
            (seconds, seconds),
        )
    return (yield from stored_gaps())


def stored_gaps() -> Steps[list[Gap]]:
    rows = yield Sql("SELECT started, ended FROM gaps ORDER BY started")
    return [(start, end) for start, end in rows]


def runs_a_clock() -> Steps[bool]:
    return bool((yield Sql("SELECT 1 FROM games WHERE deadline IS NOT NULL LIMIT 1")))


def out_of_time(now: int, without: Collection[str] = ()) -> Steps[list[str]]:
    """The tables where the time of a seat should be up, those that wait longest first, without some."""
    rows = yield Sql(
        "SELECT id FROM games WHERE deadline <= ? AND over = 0 ORDER BY deadline LIMIT ?",
        (now, MOST_AT_ONCE + len(without)),
    )
    return [table for (table,) in rows if table not in without][:MOST_AT_ONCE]


def left_to_bots() -> Steps[list[str]]:
    """The tables where a rated game runs and it is a bot's turn: somebody waits for the result, perhaps elsewhere."""
    return [
        table
        for (table,) in (yield Sql("SELECT id FROM games WHERE rated = 1 AND over = 0 AND person = '' ORDER BY id"))
    ]


async def notice_time(table: Table) -> bool:
    """Write down that the time of the seat in turn is up, if it is; in rated games a bot plays on."""

    def timed_out() -> entries.TimedOut | None:
        if table.clocks is None or table.trouble is not None or not table.clocks.times.is_out(table.now()):
            return None
        seat = table.clocks.times.running
        assert seat is not None
        return entries.TimedOut("clock", f"{table.version}", seat, STAND_IN if table.rated else "")

    async with table.lock:
        if await store_or_follow(table, timed_out) is None:
            return False
        follow_absence(table)
        table.viewers.broadcast_people()
        table.on_change(table)
        return True


async def excuse(table: Table, gaps: Iterable[Gap]) -> None:
    """Write down the gaps in the service that cost the seat in turn time."""
    gaps = tuple(gaps)

    def excused() -> entries.Excused | None:
        if table.clocks is None or table.trouble is not None:
            return None
        gap = table.clocks.unexcused(gaps, table.now())
        return None if gap is None else entries.Excused("clock", f"{table.version}", *gap)

    async with table.lock:
        while await store_or_follow(table, excused):
            table.viewers.broadcast_people()


class Timekeeper:
    """Looks every second at the deadlines of all games."""

    def __init__(
        self,
        journal: Journal,
        load: Callable[[str], Awaitable[Table]],
        loaded: Callable[[], list[Table]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.gaps: list[Gap] = []
        """The times at which nobody could play, in milliseconds."""
        self._journal = journal
        self._load = load
        self._loaded = loaded
        self._clock = clock
        self._beaten = 0.0
        """When the last beat was, by the machine's clock."""
        self._excused: list[Gap] = []
        """The gaps that all tables in memory know of."""
        self._signed = 0.0
        self.on_duty: Callable[[], None] = lambda: None
        """Called when this server begins to keep the time: the one that did so before may have left work behind."""
        self._is_on_duty = False
        self._given_up: set[str] = set()
        """Tables whose log cannot be read."""
        self._later: dict[str, float] = {}
        """Tables that could not be looked at, and when they are tried again."""

    async def open(self) -> None:
        """Call this before the first table is loaded."""
        self._beaten = self._clock()
        try:
            self.gaps = await self._journal.read(stored_gaps)
            last = await self._journal.read(last_sign)
            has_others = self._journal.is_shared and self._clock() - last <= STALL_SECONDS
            if last and not has_others and await self._journal.read(runs_a_clock):
                await self._note_gap(float(last))
            await self._give_sign()
        except StoreError as error:
            log.warning("The time without a server could not be stored: %s", error)

    async def run(self) -> None:
        """Run forever."""
        while True:
            try:
                await self.beat()
            except StoreError as error:
                log.warning("The clocks of the games wait: %s", error)
            await asyncio.sleep(BEAT_SECONDS)

    async def beat(self) -> None:
        """Look whether somebody's time is up, and whether the service stood still. Raises StoreError."""
        now = self._clock()
        if self._journal.is_shared:
            await self._notice_common_gap()
        elif now - self._beaten > STALL_SECONDS:
            await self._note_gap(self._beaten)
            await self._excuse_all()
        self._beaten = self._clock()
        if now - self._signed >= SIGN_SECONDS and (self._journal.is_shared or await self._journal.read(runs_a_clock)):
            await self._give_sign()
        if not await self._journal.claim("timekeeper", DUTY_SECONDS):
            self._is_on_duty = False
            return
        if not self._is_on_duty:
            for table in await self._journal.read(left_to_bots):
                await self._look_at(table)
            self._is_on_duty = True
            self.on_duty()
        for identity in [table for table, until in self._later.items() if until <= now]:
            del self._later[identity]
            await self._look_at(identity)
        for identity in await self._journal.read(out_of_time, int(now), {*self._given_up, *self._later}):
            await self._look_at(identity)

    async def _notice_common_gap(self) -> None:
        """Note a gap if no server has given a sign for long. One that stood still alone has cost nobody time: its
        pages went to the others."""
        now = self._clock()
        if now - self._signed < SIGN_SECONDS:
            return
        last = await self._journal.read(last_sign)
        if last and now - last > STALL_SECONDS:
            await self._note_gap(float(last))
        gaps = await self._journal.read(stored_gaps)
        if gaps != self._excused:
            self.gaps = self._excused = gaps
            await self._excuse_all()

    async def _excuse_all(self) -> None:
        for table in self._loaded():
            await excuse(table, self.gaps)

    async def _give_sign(self) -> None:
        await self._journal.check()
        self._signed = self._clock()

    async def _note_gap(self, since: float) -> None:
        now = self._clock()
        start, end = round(since * 1000), round((now + GRACE_SECONDS) * 1000)
        self.gaps = await self._journal.write(store_gap, start, end, round(now * 1000))

    async def _look_at(self, identity: str) -> None:
        """Let a table notice that time has passed, or that it is a bot's turn."""
        if identity in self._given_up:
            return
        try:
            table = await self._load(identity)
            if table.trouble is not None:
                raise table.trouble
            if not await notice_time(table):
                table.on_change(table)
                table.on_stored(table)  # the list of games was wrong
        except Refusal as refusal:
            log.warning("The clock of table %s stands still: %s", identity, refusal)
            self._given_up.add(identity)
        except StoreError as error:  # perhaps only of this table: a part of the disk that cannot be read
            log.warning("The clock of table %s waits: %s", identity, error)
            self._later[identity] = self._clock() + RETRY_SECONDS
