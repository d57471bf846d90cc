"""The lobby: who is there, what they look for, and the tables that bring them together.

The seeks in the database are the truth; those in memory are read again in every wave, so that a merge of persons, a
deletion or a doubt about what was stored needs no care. A lock lets one change through at a time.
"""

import asyncio
import logging
import secrets
from collections.abc import Sequence
from random import Random, SystemRandom
from typing import Protocol

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server import seeks
from kingdom_builder.server.bans import banned_among
from kingdom_builder.server.blocks import blocked_around
from kingdom_builder.server.chores import keep_on
from kingdom_builder.server.conduct import paused_among
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.lobby_board import Board
from kingdom_builder.server.messages import Own, Paired, SetupChoice
from kingdom_builder.server.pacing import Pace
from kingdom_builder.server.pairing import WAVE_SECONDS, Seeker, Wish, paired
from kingdom_builder.server.persons import DAY, Person
from kingdom_builder.server.presence import LOBBY, People, Present
from kingdom_builder.server.ratings import NEW, can_rate
from kingdom_builder.server.seeks import Seek, Somebody
from kingdom_builder.server.table import Table
from kingdom_builder.server.tables import Player, Tables
from kingdom_builder.server.wishes import apart, bots_near, check, own_seek, points_of, pool_for

GRACE_SECONDS = 15.0
"""How long a live seek is kept while its person has no page of the lobby open: they may load it again."""

DAYS_SECONDS = 7 * DAY
"""How long a game of days is looked for."""

LIVE_SECONDS = DAY
"""How long a live game is looked for at most."""

TOLD_SECONDS = {True: 60, False: 3 * DAY}
"""How long somebody is told that a table was found if their page does not say that it knows: live games, and days."""

MOST_DAYS_SEEKS = 5
"""The most games of days that one person looks for at the same time."""

MOST_SEEKS = 5_000
"""The most seeks of all people."""

LIST_SECONDS, LIST_SECONDS_OF_EACH = 0.25, 0.0001
"""The time between two versions of the list, and what everybody who looks at it adds."""

AT_ONCE = 25
"""How many pages are told of a new list before others get their turn."""

LOOK_UP_SECONDS = 60.0
"""How often names, ratings and who has blocked whom are looked up again, for pages that stay open."""

log = logging.getLogger(__name__)


class Watcher(Protocol):
    """A page of the lobby."""

    person: str
    """Who looks; empty if they are not known."""
    visitor: str
    avoided: frozenset[str]
    """The persons whom they must not meet."""

    def notify(self, *, own: bool = False) -> None:
        """Note that there may be news, of the list or also of their own seeks: they are asked for when they can be
        sent."""


class Lobby:
    """The lobby of a server."""

    def __init__(self, tables: Tables, rng: Random | None = None) -> None:
        self.board = Board(tables)
        self._tables = tables
        self._rng = rng or SystemRandom()
        self._seeks: dict[str, Seek] = {}
        """All seeks, longest waiting first."""
        self._addresses: dict[str, str] = {}
        """The visitors who began a seek since the server started."""
        self._watchers: dict[str, set[Watcher]] = {}
        """The pages by person; those of people who are not known under the empty name."""
        self._left: dict[str, float] = {}
        """When somebody who looks for a live game, and has no page of the lobby open, was last seen there."""
        self._lock = asyncio.Lock()
        self._has_changed, self._is_due = asyncio.Event(), asyncio.Event()
        self._is_open = self._is_alone = False
        self._looked_up = 0.0
        self._chores: list[asyncio.Task[None]] = []
        tables.projector.on_mark = self._note
        tables.on_table_elsewhere = self.board.note_elsewhere
        tables.on_ring = self._heard
        tables.people_in_lobby = self._people

    # ---- opening and closing -------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Read what is stored, and begin to pair. May be called again. Raises StoreError."""
        async with self._lock:
            if not self._is_open:
                now = self._tables.clock()
                await self.board.open()
                await self._read_seeks()
                self._left = {each.person: now for each in self._seeks.values() if each.is_live}
                self._is_open = True
        if not self._chores:
            self._chores = [asyncio.create_task(keep_on(chore)) for chore in (self._make_waves, self._publish_on)]

    async def close(self) -> None:
        for chore in self._chores:
            chore.cancel()
        if self._chores:
            await asyncio.wait(self._chores)

    def _note(self, table: Table) -> None:
        """A table has changed."""
        if self.board.note(table):
            self._has_changed.set()

    def _heard(self, topic: str) -> None:
        """Somebody came, left or looks for something at another server."""
        if topic == LOBBY:
            self._is_due.set()

    def _people(self) -> People:
        """Who is in the lobby at this server."""
        return tuple(Present(person, True) for person in self._watchers)

    def _everybody(self) -> set[str]:
        """The persons who are in the lobby, at any server."""
        return {*self._watchers, *(each.person for each in self._tables.presence.elsewhere(LOBBY))}

    # ---- coming and going ----------------------------------------------------------------------------------------

    async def enter(self, watcher: Watcher) -> None:
        """Let a page in. Raises StoreError."""
        await self.open()
        if watcher.person:
            around = await self._tables.journal.read(blocked_around, [watcher.person])
            watcher.avoided = around.get(watcher.person, frozenset())
        self._watchers.setdefault(watcher.person, set()).add(watcher)
        self._left.pop(watcher.person, None)
        self._tables.presence.note(LOBBY)
        watcher.notify(own=True)
        self._is_due.set()

    def leave(self, watcher: Watcher) -> None:
        """A page was closed."""
        pages = self._watchers.get(watcher.person, set())
        pages.discard(watcher)
        if not pages and self._watchers.pop(watcher.person, None) is not None and watcher.person:
            self._left[watcher.person] = self._tables.clock()
            self._tables.presence.note(LOBBY)

    def own(self, person: str) -> Own:
        """What somebody looks for."""
        now = self._tables.clock()
        after = 0.0 if self._is_alone else self._tables.settings.bots_offered_after
        return Own([own_seek(each, now, after) for each in self._own(person)], can_rate())

    def found(self, person: str) -> list[Paired]:
        """The tables that were found for somebody who may not know it yet."""
        return [
            Paired(each.found, each.id, each.is_live)
            for each in self._seeks.values()
            if person and each.person == person and each.found
        ]

    def _own(self, person: str) -> list[Seek]:
        return [each for each in self._seeks.values() if person and each.person == person and not each.found]

    def _tell(self, *persons: str) -> None:
        """Let some people know that something about their own seeks has changed."""
        for person in persons:
            for watcher in self._watchers.get(person, ()):
                watcher.notify(own=True)

    # ---- what people ask for -------------------------------------------------------------------------------------

    async def seek(self, person: Person, visitor: str, wish: Wish) -> None:
        """Look for a game. Raises Refusal, StoreError."""
        check(wish)
        self._tables.visitors.visitor(visitor).count_seek()
        self._tables.order.limits.of(person.id).count_seek()
        now = self._tables.clock()
        await self._tables.order.check_player(person, rated=wish.rated)
        # Names in the order of time, since what is stored has whole seconds: whoever came first chooses first.
        new = Seek(f"{int(now * 1000):011x}{secrets.token_hex(4)}", person.id, wish, int(now))
        async with self._lock:
            own = self._own(person.id)
            if any(each.wish == wish for each in own):
                return
            instead_of = [each.id for each in own if each.is_live and new.is_live]
            self._check_room(own, new, instead_of, visitor)
            until = int(now) + (LIVE_SECONDS if new.is_live else DAYS_SECONDS)
            await self._tables.persons.change(person, seeks.put, new, until, instead_of)
            for each in instead_of:
                del self._seeks[each]
            self._seeks[new.id] = new
            self._addresses[new.id] = visitor
        self._tables.journal.ring(LOBBY)
        self._tell(person.id)
        self._has_changed.set()
        self._is_due.set()

    def _check_room(self, own: Sequence[Seek], new: Seek, instead_of: Sequence[str], visitor: str) -> None:
        """Refuse a seek that is too many."""
        if not new.is_live and sum(not each.is_live for each in own) >= MOST_DAYS_SEEKS:
            raise Refusal(
                Message("You look for {n} games of days already: cancel one of them first.", n=MOST_DAYS_SEEKS), "full"
            )
        most = self._tables.settings.max_seeks_per_visitor
        if sum(self._addresses.get(each) == visitor for each in self._seeks) - len(instead_of) >= most:
            raise Refusal(
                Message("{n} people at your address look for a game already: try again later.", n=most), "full"
            )
        if len(self._seeks) >= MOST_SEEKS:
            raise Refusal(Message("Too many people look for a game now: take a seat at an open table."), "full")

    async def cancel(self, person: Person, seek: str) -> None:
        """Do not look any more. Raises StoreError."""
        async with self._lock:
            if seek in [each.id for each in self._own(person.id)]:
                await self._tables.journal.write(seeks.end, [seek])
                del self._seeks[seek]
                self._tables.journal.ring(LOBBY)
        self._tell(person.id)
        self._has_changed.set()

    async def took(self, person: Person, table: str) -> None:
        """Somebody knows of a table that was found for them. Raises StoreError."""
        async with self._lock:
            known = [each.id for each in self._seeks.values() if each.person == person.id and each.found == table]
            if table and known:
                await self._tables.journal.write(seeks.end, known)
                for each in known:
                    del self._seeks[each]

    async def play_with_bots(self, person: Person, seek: str) -> None:
        """Make a table with bots as strong as somebody who looks for a game. Raises Refusal, StoreError."""
        async with self._lock:
            mine = self._seeks.get(seek)
            if mine is None or mine.person != person.id:
                raise Refusal(Message("You do not look for this game any more."), "gone")
            if not mine.found:  # else it was found just now
                wish = mine.wish
                await self._tables.order.check_player(person, rated=wish.rated)
                known = await self._tables.journal.read(seeks.people_of, [(person.id, pool_for(wish))])
                points = known.get((person.id, pool_for(wish)), Somebody("", NEW)).rating.shown
                myself = Player(person.id, self._tables.order.words.shown(person.name))
                players: list[Player | str] = [myself, *bots_near(points, wish.least - 1)]
                await self._make([mine], players, is_open=False)
        self._tell(person.id)

    # ---- pairing -------------------------------------------------------------------------------------------------

    async def _make_waves(self) -> None:
        """Pair people every few seconds, and whenever somebody comes."""
        while True:
            try:
                async with asyncio.timeout(WAVE_SECONDS):
                    await self._is_due.wait()
            except TimeoutError:
                pass
            self._is_due.clear()
            try:
                await self.wave()
            except (StoreError, Refusal, ValueError) as error:
                log.warning("Nobody could be paired: %s", error)
                await asyncio.sleep(WAVE_SECONDS)

    async def wave(self) -> None:
        """Pair those who are there, and forget those who have gone. Raises StoreError, Refusal."""
        if not self._watchers and not self._seeks and not self._left:
            return
        async with self._lock:
            await self._read_seeks()
            if await self._tables.journal.claim("pairing", 2 * WAVE_SECONDS):
                await self._forget_gone()
                await self._forget_barred()
                await self._pair()
            else:
                self._left.clear()  # whoever pairs notes who leaves; what is noted here is old when it is needed
        await self.board.read_elsewhere()
        now = self._tables.clock()
        is_alone = sum(1 for person in self._everybody() if person) <= 1
        if is_alone != self._is_alone:
            self._is_alone = is_alone
            self._tell(*self._watchers)
        if now - self._looked_up > LOOK_UP_SECONDS:
            self._looked_up = now
            self.board.forget_people()
            await self._read_blocks()
        self.board.look()
        self._has_changed.set()  # tables grow old, and people come and go

    async def _read_seeks(self) -> None:
        now = int(self._tables.clock())
        stored = await self._tables.journal.read(seeks.all_seeks, now)
        before, self._seeks = self._seeks, {each.id: each for each in stored}
        changed = {each.person for each in {*before.values()} ^ {*stored}}  # by another server
        self._tell(*changed)
        self._addresses = {seek: address for seek, address in self._addresses.items() if seek in self._seeks}

    async def _forget_gone(self) -> None:
        """End the live seeks of those whose pages have been closed for a while."""
        now, there = self._tables.clock(), self._everybody()
        looking = {each.person for each in self._seeks.values() if each.is_live and not each.found}
        self._left = {person: self._left.get(person, now) for person in looking - there}
        gone = [
            each.id
            for each in self._seeks.values()
            if each.is_live and not each.found and self._left.get(each.person, now) <= now - GRACE_SECONDS
        ]
        await self._end(gone)

    async def _forget_barred(self) -> None:
        """End the seeks of those who have been banned or have to pause since they began."""
        waiting = [each for each in self._seeks.values() if not each.found]
        if not waiting:
            return
        now, persons = int(self._tables.clock()), {each.person for each in waiting}
        banned = await self._tables.journal.read(banned_among, persons, now)
        paused = await self._tables.journal.read(paused_among, persons, now)
        barred = [each for each in waiting if each.person in banned or (each.wish.rated and each.person in paused)]
        await self._end([each.id for each in barred])
        self._tell(*(each.person for each in barred))

    async def _end(self, ended: Sequence[str]) -> None:
        if ended:
            await self._tables.journal.write(seeks.end, ended)
            for each in ended:
                del self._seeks[each]

    async def _pair(self) -> None:
        now, everybody = self._tables.clock(), self._everybody()
        there = [
            each for each in self._seeks.values() if not each.found and (not each.is_live or each.person in everybody)
        ]
        if len({each.wish for each in there}) == len(there):
            return
        people = await self._tables.journal.read(
            seeks.people_of, {(each.person, pool_for(each.wish)) for each in there}
        )
        around = await self._tables.journal.read(blocked_around, {each.person for each in there})
        blocked = {frozenset((person, other)) for person, others in around.items() for other in others}
        seekers = [
            Seeker(each.id, each.person, each.wish, each.since, points_of(people[each.person, pool_for(each.wish)]))
            for each in there
            if (each.person, pool_for(each.wish)) in people
        ]
        for group in paired(seekers, blocked, now):
            shown = self._tables.order.words.shown
            names = [shown(people[each.person, pool_for(each.wish)].name) for each in group]
            players = [Player(each.person, name) for each, name in zip(group, apart(names), strict=True)]
            await self._make([self._seeks[each.seek] for each in group], players)

    async def _make(self, found: Sequence[Seek], players: Sequence[Player | str], *, is_open: bool = True) -> None:
        """Make a table, and note it at the seeks of its people in the same transaction."""
        wish = found[0].wish
        until = int(self._tables.clock()) + TOLD_SECONDS[found[0].is_live]
        seats = self._rng.sample(players, len(players))
        table = await self._tables.make_for(
            seats,
            SetupChoice(list(wish.sets)),
            wish.clock,
            rated=wish.rated,
            is_open=is_open,
            notes=lambda table: seeks.have_found([each.id for each in found], table, until),
        )
        for each in found:
            self._seeks[each.id] = each._replace(found=table)
            if not each.is_live:
                await self._tables.notifier.notify_paired(each.person, table)
        self._tell(*(each.person for each in found))
        self._tables.journal.ring(LOBBY)
        self._has_changed.set()

    # ---- the list ------------------------------------------------------------------------------------------------

    async def _publish_on(self) -> None:
        """Show what has changed, at most a few times a second, and tell everybody."""
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            try:
                await self.show()
            except StoreError as error:
                log.warning("The lobby could not be shown: %s", error)
            pages = sum(len(watchers) for watchers in self._watchers.values())
            await asyncio.sleep(LIST_SECONDS + LIST_SECONDS_OF_EACH * pages)

    async def show(self) -> None:
        """Bring the list up to date, and tell everybody if it has changed. Raises StoreError."""
        if await self.board.publish(self._seeks.values()):
            await self._tell_everybody()

    async def _tell_everybody(self) -> None:
        """Tell all pages that there is a new list, a few at a time, so that players at tables do not wait for it."""
        pages, pace = [each for watchers in self._watchers.values() for each in watchers], Pace()
        for begin in range(0, len(pages), AT_ONCE):
            for watcher in pages[begin : begin + AT_ONCE]:
                watcher.notify()
            await asyncio.sleep(0)
            await pace.rest()

    async def _read_blocks(self) -> None:
        """Look up again who must not meet whom."""
        around = await self._tables.journal.read(blocked_around, [person for person in self._watchers if person])
        for person, watchers in self._watchers.items():
            for watcher in watchers:
                if watcher.avoided != (avoided := around.get(person, frozenset())):
                    watcher.avoided = avoided
                    watcher.notify()
