"""The worker that empties the outbox: it sends what is due, and never stands in the way of a move.

Each way of sending has its own few places, and each endpoint takes one message at a time: one that hangs keeps nobody
else waiting. Everything that has to survive a restart is in the outbox.
"""

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

from kingdom_builder.server import outbox
from kingdom_builder.server.accounts import address_of
from kingdom_builder.server.delivery.outcome import Outcome
from kingdom_builder.server.delivery.push import Subscription
from kingdom_builder.server.journal import Journal, StoreError
from kingdom_builder.server.notices import Notice
from kingdom_builder.server.outbox import WAYS_OF_TELLING, Change, Due, Way
from kingdom_builder.server.presence import People, PresenceBook
from kingdom_builder.server.projector import Listed, since
from kingdom_builder.server.senders import Senders
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.table import Table
from kingdom_builder.server.ways import remove_way

PLACES: dict[Way, int] = {"push": 8, "webhook": 8, "mail": 2}
"""How many messages are on their way at the same time."""

AT_ONCE = 50
"""The most rows of a way that are looked at together."""

LEASE = 90
"""Seconds for which a row is claimed: longer than any sender takes."""

FIRST_RETRY, MOST_TRIES = 30, 8
"""Seconds before the second attempt, twice as many before each further one: the last one is some two hours later."""

BUSY_SECONDS = 2
"""After how long an endpoint that is busy is tried again."""

TROUBLES, LONGEST_PAUSE = 3, 3_600
"""After how many attempts in vain a host is left alone for a while, and for how many seconds at most."""

TOO_MANY = "status 429"
MOST_HOSTS = 1_000
SHORTEST_WAIT, LONGEST_WAIT, SWEEP_SECONDS = 0.5, 60.0, 3_600
FAREWELL_SECONDS = 2.0

log = logging.getLogger(__name__)


class Place(Protocol):
    """Where the tables are."""

    presence: PresenceBook

    def at_hand(self, identity: str) -> Table | None:
        """A table, if it is in memory."""


class Trouble(NamedTuple):
    """A host that does not answer."""

    times: int
    until: int
    """When it is tried again."""


class Batch(NamedTuple):
    """Rows that go out in one message."""

    endpoint: str
    host: str
    rows: list[Due]


class Notifier:
    """Sends what is in the outbox."""

    def __init__(
        self, journal: Journal, senders: Senders, settings: Settings, place: Place, clock: Callable[[], float]
    ) -> None:
        self.senders = senders
        self.address_of: Callable[[str], Steps[str]] = address_of
        """Finds the mail address of a person; empty if they have none, or have not confirmed it."""
        self._journal = journal
        self._delay, self._mail_pause = settings.notice_delay, settings.mail_pause
        self._place = place
        self._clock = clock
        self._elsewhere: Mapping[str, People] = {}
        """Who looks at the tables of what is due, at other servers."""
        self._woken = asyncio.Event()
        self._sending: dict[asyncio.Task[None], Way] = {}
        self._busy: set[str] = set()
        """Endpoints to which something is on its way."""
        self._troubles: dict[str, Trouble] = {}
        """Hosts that do not answer."""
        self._unsettled: list[Change] = []
        """What became of rows and could not be stored yet."""

    # ---- what others tell it ---------------------------------------------------------------------------------------

    def told(self, game: Listed) -> Iterable[Sql]:
        """What is stored with a game in the list, so that its people are told of it."""
        return outbox.told(game, self._now, self._delay)

    async def notify_paired(self, person: str, table: str) -> None:
        """Tell a person of a table that was made for them while they were away. Raises StoreError."""
        now = self._now
        await self._journal.write(outbox.paired, person, table, now + self._delay, now)
        self.wake()

    def wake(self) -> None:
        """Look at the outbox again: something may be due earlier than what was."""
        self._woken.set()

    # ---- working ---------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Run forever."""
        swept = 0
        while True:
            self._woken.clear()
            try:
                await self.tick()
                if self._now >= swept + SWEEP_SECONDS:
                    swept = self._now
                    await self._journal.write(outbox.sweep, swept)
                due = await self._journal.read(outbox.next_due)
            except StoreError as error:
                log.warning("Messages could not be sent yet: %s", error)
                due = None
            wait = LONGEST_WAIT if due is None else min(max(due - self._clock(), SHORTEST_WAIT), LONGEST_WAIT)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._woken.wait()

    async def tick(self) -> None:
        """Begin to send what is due, as far as there are free places. Raises StoreError."""
        if self._unsettled:
            await self._journal.write(outbox.settle, tuple(self._unsettled), self._now)
            self._unsettled.clear()
        for way in WAYS_OF_TELLING:
            free = PLACES[way] - sum(each == way for each in self._sending.values())
            if free > 0:
                now = self._now
                rows = await self._journal.read(outbox.due_rows, way, now, AT_ONCE)
                self._elsewhere = await self._place.presence.look({row.key.table for row in rows})
                batches, changes = self._sorted(rows, now, free)
                await self._begin(way, batches, changes, now)

    async def _begin(self, way: Way, batches: list[Batch], changes: list[Change], now: int) -> None:
        """Claim rows and begin to send them, and store what becomes of others."""
        if not batches and not changes:
            return
        keys = [row.key for batch in batches for row in batch.rows]
        claimed = set(await self._journal.write(outbox.claim, keys, changes, now, now + LEASE))
        for batch in batches:
            mine = [row for row in batch.rows if row.key in claimed]
            if mine:
                self._busy.add(batch.endpoint)
                task = asyncio.create_task(self._send(way, batch._replace(rows=mine)))
                self._sending[task] = way
                task.add_done_callback(self._sending.pop)

    async def finish(self) -> None:
        """Wait until everything that is on its way has an outcome."""
        while self._sending:
            await asyncio.wait(self._sending)

    async def close(self) -> None:
        """Wait a little for what is on its way. What is given up is sent again when its claim has ended."""
        if self._sending:
            _, late = await asyncio.wait(self._sending, timeout=FAREWELL_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        if self._unsettled:
            with contextlib.suppress(StoreError):
                await self._journal.write(outbox.settle, tuple(self._unsettled), self._now)

    @property
    def _now(self) -> int:
        return int(self._clock())

    # ---- what is sent now -------------------------------------------------------------------------------------------

    def _sorted(self, rows: Sequence[Due], now: int, free: int) -> tuple[list[Batch], list[Change]]:
        """The messages to send now, and what becomes of rows that have no meaning yet, or none any more."""
        batches: dict[str, Batch] = {}
        changes: list[Change] = []
        for row in rows:
            endpoint, host = _endpoint_of(row)
            if row.wait is None or not self._is_wanted(row):
                changes.append(Change(row.key, "dropped", now, row.tries))
            elif (later := self._later(row, endpoint, host, now)) > now:
                changes.append(Change(row.key, "waiting", later, row.tries))
            elif endpoint in batches and row.key.way == "mail":
                batches[endpoint].rows.append(row)
            elif endpoint not in batches and len(batches) < free:
                batches[endpoint] = Batch(endpoint, host, [row])
        return list(batches.values()), changes

    def _is_wanted(self, row: Due) -> bool:
        """Whether it is still so, and the person does not see it anyway. The list of games is a little behind."""
        if any(each.is_visible and each.person in row.persons for each in self._elsewhere.get(row.key.table, ())):
            return False
        table = self._place.at_hand(row.key.table)
        if table is None:
            return True
        if row.key.kind in ("turn", "reminder", "still"):
            is_same = (table.game_number, since(table)) == (row.key.game, row.key.ply)
            if not is_same or table.over:
                return False
        return not table.is_seen_by(row.persons)

    def _later(self, row: Due, endpoint: str, host: str, now: int) -> int:
        """When a row can be sent: now, if nothing stands in the way."""
        later = max(now, row.wait or 0)
        if row.key.way == "mail":
            later = max(later, row.told + self._mail_pause)
        if (trouble := self._troubles.get(host)) is not None and trouble.until > now:
            later = max(later, trouble.until + random.randrange(FIRST_RETRY))
        return max(later, now + BUSY_SECONDS) if endpoint in self._busy else later

    # ---- sending ----------------------------------------------------------------------------------------------------

    async def _send(self, way: Way, batch: Batch) -> None:
        try:
            await self._try(way, batch)
        except StoreError as error:
            log.warning("A message could not be sent yet: %s", error)
        except Exception:
            log.exception("A message could not be sent")  # it is tried again when the claim has ended
        finally:
            self._busy.discard(batch.endpoint)
            self.wake()

    async def _try(self, way: Way, batch: Batch) -> None:
        rows = [row for row in batch.rows if self._is_wanted(row)]
        outcome = await self._deliver(way, rows) if rows else Outcome("refused", "not wanted")
        if rows:
            self._note_host(batch.host, outcome)
        now = self._now
        changes = [
            self._change(row, outcome, now) if row in rows else Change(row.key, "dropped", now, row.tries)
            for row in batch.rows
        ]
        self._unsettled += changes
        gone = rows[0] if outcome.result == "gone" else None
        await self._journal.write(_settle, changes, gone, now)
        self._unsettled = [each for each in self._unsettled if each not in changes]

    async def _deliver(self, way: Way, rows: Sequence[Due]) -> Outcome:
        first = rows[0]
        notices = [Notice(row.key.kind, row.key.table, row.others) for row in rows]
        match way:
            case "push":
                subscription = Subscription(first.address, first.browser_key, first.secret)
                return await self.senders.push(subscription, first.language, notices[0])
            case "webhook":
                return await self.senders.webhook(first.address, first.language, notices[0])
            case "mail":
                address = await self._journal.read(self.address_of, first.key.person)
                if not address:
                    return Outcome("refused", "no address")
                return await self.senders.mail(address, first.key.person, first.language, notices)

    def _change(self, row: Due, outcome: Outcome, now: int) -> Change:
        """What becomes of a row after an attempt to send it."""
        tries = row.tries + 1
        match outcome.result:
            case "delivered":
                return Change(row.key, "sent", now, tries)
            case "gone":
                return Change(row.key, "dropped", now, tries)
            case "retry" if tries < MOST_TRIES:
                wait = FIRST_RETRY * 2 ** (tries - 1) * random.uniform(0.75, 1.5)
                return Change(row.key, "waiting", now + round(max(wait, outcome.after or 0)), tries)
            case _:
                return Change(row.key, "failed", now, tries)

    def _note_host(self, host: str, outcome: Outcome) -> None:
        """Leave a host alone for a while that has not answered several times, whoever is behind it."""
        if outcome.result != "retry":
            self._troubles.pop(host, None)
        if outcome.result != "retry" or outcome.reason == TOO_MANY:  # that one person has too many is not its trouble
            return
        times = self._troubles.pop(host, Trouble(0, 0)).times + 1
        pause = min(FIRST_RETRY * 2 ** (times - TROUBLES), LONGEST_PAUSE) if times >= TROUBLES else 0
        self._troubles[host] = Trouble(times, self._now + int(pause))
        while len(self._troubles) > MOST_HOSTS:
            del self._troubles[next(iter(self._troubles))]


def _endpoint_of(row: Due) -> tuple[str, str]:
    """What takes one message at a time, and the host that answers for it."""
    if row.key.way == "mail":
        return f"mail {row.key.person}", "mail"
    host = urlsplit(row.address).netloc
    return (row.address, host) if row.key.way == "push" else (f"webhook {host}", f"webhook {host}")


def _settle(changes: Iterable[Change], gone: Due | None, now: int) -> Steps[None]:
    """Store what became of rows, and forget an address that does not exist any more."""
    yield from outbox.settle(changes, now)
    if gone is not None:
        yield from remove_way(gone.key.person, gone.key.way, gone.key.target)
