"""All tables of a server: making them, finding them by token, and keeping them in memory while somebody looks."""

import asyncio
import contextlib
import logging
import random
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from datetime import date
from random import Random, SystemRandom
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakValueDictionary

from kingdom_builder.daily import OPPONENT, PERSON, PLAYERS, Daily
from kingdom_builder.lessons import lessons
from kingdom_builder.message import Message, Refusal, quoted
from kingdom_builder.notation import board_text, position_of
from kingdom_builder.rules import RULES_VERSION, Deal, State, at_random
from kingdom_builder.server import arrivals, clocks, entries, erasure, presence, seeks, words
from kingdom_builder.server.bots import Bots
from kingdom_builder.server.clocks import NO_CLOCK, Clock
from kingdom_builder.server.conduct import Conduct
from kingdom_builder.server.entries import Seat
from kingdom_builder.server.following import Following
from kingdom_builder.server.hints import Hints
from kingdom_builder.server.journal import LOG_TOPIC, StoreError
from kingdom_builder.server.journals import open_journal
from kingdom_builder.server.memory import give_back_memory
from kingdom_builder.server.messages import NAME_LENGTH, NewTable, SeatChoice, SetupChoice, TableMade
from kingdom_builder.server.names import clean
from kingdom_builder.server.notifier import Notifier
from kingdom_builder.server.order import Order
from kingdom_builder.server.pacing import Turns
from kingdom_builder.server.people import COLOURS, check_level
from kingdom_builder.server.persons import DAY, PERSONS_TOPIC, Person, Persons
from kingdom_builder.server.presence import People, PresenceBook
from kingdom_builder.server.projector import GAMES_TOPIC, Listed, Projector, inserts, listed
from kingdom_builder.server.rated_games import RatedGames
from kingdom_builder.server.ratings import can_rate, pool_of
from kingdom_builder.server.reports import remove_old
from kingdom_builder.server.senders import Senders
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.setups import FEWEST_SEATS, MOST_SEATS, dealt, start_of, without_comments
from kingdom_builder.server.store import Sql
from kingdom_builder.server.table import Table
from kingdom_builder.server.thinkers import SharedThinkers, make_thinkers
from kingdom_builder.server.timekeeper import Timekeeper, excuse
from kingdom_builder.server.tokens import new_token, token_hash
from kingdom_builder.server.visitors import Visitors
from kingdom_builder.server.workers import Workers

if TYPE_CHECKING:
    from kingdom_builder.server.connection import Connection
    from kingdom_builder.server.lobby_connection import LobbyConnection

SWEEP_SECONDS = 5.0
TIDY_SECONDS = 6 * 3_600.0
EXPIRY_SECONDS = 60.0
"""For how long the removal of what is old is one server's work."""

MOST_IDLE_ACTIONS = 20_000
"""The most actions in memory of tables that nobody looks at; each takes about a kilobyte."""

IDLE_TABLE = 50
"""The memory of a table besides its actions, counted in actions."""

ARRIVING_AT_ONCE = 4
"""How many arrive at the same time where the database is shared: most of the time they wait for its answer, and when
another server ends, all of its pages come."""

DESK_WORKERS = 1

TIMEKEEPER = "timekeeper"
"""The visitor for whom tables are loaded to look at their clocks."""

TEXTS_TOPIC = "texts"
"""The topic of rings about tables of whose words some were deleted."""

OUTDATED = 0
"""A generation in which nothing more is stored: of a table that is read again."""

log = logging.getLogger(__name__)


class Player(NamedTuple):
    """Somebody who gets a seat at a new table."""

    person: str
    name: str


class Tables:
    """The tables, with the journal, the bots and the hints that they share."""

    def __init__(self, settings: Settings, rng: Random | None = None, clock: Callable[[], float] = time.time) -> None:
        """`rng` draws the cards of all games; by default nobody can predict them. Raises ValueError, StoreError."""
        self.settings = settings
        self.visitors = Visitors(settings)
        self.journal = open_journal(settings, clock)
        self.journal.on_reset = self._forget_all
        self.following = Following(self.journal, lambda: list(self._known.values()), self._forget)
        self.journal.on_ring = self._heard
        self.journal.on_unheard = self._unheard
        self.journal.on_cut_off = self._send_away
        self.clock = clock
        """The wall clock, in seconds."""
        self.presence = PresenceBook(self.journal, self._people_at, self._shown_places)
        self.presence.on_change = self._note_elsewhere
        self.persons = Persons(self.journal, clock)
        self.projector = Projector(self.journal)
        self.rated_games = RatedGames(self.journal, clock)
        self.projector.on_over = self._count_games
        self.timekeeper = Timekeeper(
            self.journal, lambda table: self._load(table, TIMEKEEPER), lambda: list(self._known.values()), clock
        )
        self.timekeeper.on_duty = lambda: self._begin(self.projector.catch_up())
        self.notifier = Notifier(self.journal, Senders(settings, self.journal), settings, self, lambda: self.clock())
        self.projector.also, self.projector.on_written = self._stored_with, self.notifier.wake
        self.thinkers = make_thinkers(settings.bot_workers, self.journal)
        """Whoever thinks for bots and hints."""
        self.desk = Workers(DESK_WORKERS)
        """The workers for requests: replays, previews, pictures."""
        self.bots = Bots(self.thinkers, settings.bot_pause, settings.bot_rest)
        self.hints = Hints(self.thinkers)
        self.connections: set[Connection | LobbyConnection] = set()
        self.order = Order(settings, self.journal, self.connections, clock)
        self.conduct = Conduct(self.journal, self.order.refresh, clock)
        self.turns = Turns(ARRIVING_AT_ONCE if self.journal.is_shared else 1)
        """For the long work when somebody arrives."""
        self.people_in_lobby: Callable[[], People] = lambda: ()
        self.on_table_elsewhere: Callable[[str], None] = lambda table: None
        """Called when another server has changed a table that is not in memory here."""
        self.on_ring: Callable[[str], None] = lambda topic: None
        """Called with the topic of a ring of another server that concerns neither tables nor persons."""
        self.on_answered: Callable[[float], None] = lambda seconds: None
        """Called with how long a command took."""
        self._chores: set[asyncio.Task[None]] = set()
        self.is_closing = False
        self._rng = rng or SystemRandom()
        self._tables: dict[str, Table] = {}
        """The tables that stay in memory even if nobody looks at them."""
        self._known: WeakValueDictionary[str, Table] = WeakValueDictionary()
        """All tables in memory, including those that somebody looks at or is about to: a table must not exist twice."""
        self._loading: dict[str, asyncio.Task[Table]] = {}

    async def open(self) -> None:
        """Call this before the first table is needed."""
        await self.journal.open()
        await self.timekeeper.open()
        if await self.journal.claim("expiry", EXPIRY_SECONDS):
            await self._expire()

    async def _expire(self) -> None:
        """Remove tables, guests and devices that nobody has used for long."""
        days = self.settings.keep_days
        expiry = await self.journal.expire(days)
        if expiry.refusal:
            log.warning("%s", expiry.refusal)
        if expiry.removed or expiry.left:
            text = "Removed %d tables that nobody has used for %d days; %d more are as old (kb tables expire)"
            log.warning(text, expiry.removed, days, expiry.left)
        await self._expire_people()

    async def _expire_people(self) -> None:
        """Remove guests and devices that have not come for long."""
        expired = await self.journal.write(erasure.expire, self.settings.keep_guests_days, int(self.clock()))
        if expired.guests or expired.devices:
            log.warning("Removed %d guests and %d devices that have not come for long", *expired[:2])
            await self.forget_erased(expired.erased)

    def _stored_with(self, game: Listed) -> Iterator[Sql]:
        """What is stored together with a game in the list."""
        yield from self.notifier.told(game)
        yield erasure.without_names_of_deleted(game.game[0], game.game[1])

    async def forget_erased(self, erased: erasure.Erased) -> None:
        """Let no page and no table in memory show persons who were deleted."""
        self.persons.forget(*erased.persons)
        for page in [page for page in self.connections if page.person in erased.persons]:
            page.dismiss(None)
        await self.read_again(erased.tables)

    async def tidy(self) -> None:
        """Run forever, and remove what is over: reports, bans and seeks, and once a day guests who do not come."""
        expired = self.clock()  # at the start
        while True:
            now = int(self.clock())
            with contextlib.suppress(StoreError):  # it is tried again
                if await self.journal.claim("tidying", EXPIRY_SECONDS):
                    await self.journal.write(remove_old, self.settings.keep_reports_days, now)
                    await self.journal.write(seeks.end_old, now)
                    if now - expired >= DAY:
                        await self._expire_people()
                        expired = now
            await asyncio.sleep(TIDY_SECONDS)

    async def close(self) -> None:
        self.is_closing = True
        for chore in self._chores:
            chore.cancel()
        self.following.close()
        self.bots.close()
        await self.presence.close()
        await self.projector.close()
        await self.rated_games.close()
        await self.conduct.close()
        await self.notifier.close()
        self.thinkers.close()
        self.desk.close()
        await self.journal.aclose()

    async def make(self, wanted: NewTable, host: Person | None = None) -> TableMade:
        """A new table. Raises Refusal, StoreError, or ValueError for an impossible setup."""
        if wanted.lesson:
            _check_lesson(wanted)
            wanted.setup = SetupChoice(position=lessons()[wanted.lesson].position)
        seats, tokens = _seats(wanted.seats)
        clock = Clock(wanted.clock.kind, wanted.clock.start, wanted.clock.add)
        clocks.check(clock)
        if wanted.rated:
            _check_rated(wanted, clock)
        await self.order.check_host(host, wanted)
        start, seed = start_of(wanted.setup, len(seats), self.settings.sections)
        deal = at_random(self._rng.random)
        wanted.setup.sections = without_comments(wanted.setup.sections)
        return await self._open(
            seats,
            tokens,
            wanted.setup,
            start,
            seed,
            deal,
            lesson=wanted.lesson,
            person=host.id if host else "",
            clock=clock,
            rated=wanted.rated,
            is_open=wanted.open,
        )

    async def make_for(
        self,
        players: Sequence[Player | str],
        setup: SetupChoice,
        clock: Clock,
        *,
        rated: bool,
        is_open: bool = True,
        notes: Callable[[str], Iterable[Sql]] = lambda table: (),
    ) -> str:
        """A new table for people who have found each other; a text among the players is the level of a bot.

        It has no host. `notes` are stored in one transaction with the table. Returns the table. Raises Refusal,
        StoreError, or ValueError for an impossible setup.
        """
        seats = [
            Seat("", "bot", "", colour, each)
            if isinstance(each, str)
            else Seat("", "person", each.name, colour, person=each.person)
            for colour, each in enumerate(players)
        ]
        start, seed = start_of(setup, len(seats), self.settings.sections)
        deal = at_random(self._rng.random)
        tokens = [""] * len(seats)
        made = await self._open(
            seats, tokens, setup, start, seed, deal, clock=clock, rated=rated, is_open=is_open, notes=notes
        )
        return made.id

    async def make_daily(self, day: date, name: str) -> TableMade:
        """A new table for the daily game of a date. Raises Refusal, StoreError."""
        daily = Daily(day)
        start = daily.start()
        wanted = [SeatChoice("bot", level=OPPONENT) for _ in range(PLAYERS)]
        wanted[PERSON] = SeatChoice("person", name)
        seats, tokens = _seats(wanted)
        setup = start.setup
        choice = SetupChoice(board=board_text(setup.board), cards=[card.key for card in setup.cards])
        return await self._open(seats, tokens, choice, start, "", daily.draw, str(day))

    async def _open(
        self,
        seats: list[Seat],
        tokens: list[str],
        choice: SetupChoice,
        start: State,
        seed: str,
        deal: Deal,
        daily: str = "",
        lesson: str = "",
        person: str = "",
        clock: Clock = NO_CLOCK,
        rated: bool = False,
        is_open: bool = False,
        notes: Callable[[str], Iterable[Sql]] = lambda table: (),
    ) -> TableMade:
        """Store a new table with these seats, whose first game begins from a state."""
        if self.journal.tables >= self.settings.max_tables:
            raise Refusal(Message("This server has as many tables as it can keep: try again another day."), "full")
        identity = secrets.token_hex(6)
        host, watch, invite = new_token(), new_token(), new_token()
        opened = entries.Opened(
            created=self.clock(),
            host=token_hash(host),
            watch=token_hash(watch),
            seats=seats,
            choice=choice,
            seed=seed,
            start=position_of(start),
            moves=dealt(start, deal),
            rules=RULES_VERSION,
            daily=daily,
            lesson=lesson,
            person=person,
            clock=clock,
            rated=rated,
            open=is_open,
            invite=token_hash(invite),
        )
        body, texts = entries.encode(opened)
        table = Table(identity, self.journal, self.journal.generation, opened, self._rng)
        game = listed(table)
        told = () if game is None else tuple(self.notifier.told(game))
        rows = [*words.rows_of(identity, 1, opened.person, texts), *inserts(game), *told, *notes(identity)]
        table.generation = await self.journal.create(identity, entries.FORMAT, body, rows)
        if table.generation == self.journal.generation:  # otherwise it is read again before it is used
            self._keep(table)
        if is_open:
            self.journal.ring(GAMES_TOPIC, [identity])
        if told:
            self.notifier.wake()
        links = [f"{identity}.{token}" if token else "" for token in tokens]
        return TableMade(identity, f"{identity}.{host}", f"{identity}.{watch}", links, f"{identity}.{invite}")

    async def find(
        self, tokens: list[str], visitor: str, *, table: str = "", person: Person | None = None
    ) -> tuple[Table, dict[str, str]]:
        """The table that somebody asks for, and the hashes under which it knows them, with their tokens.

        Tokens name their table; somebody without a token has to name it. Raises Refusal.
        """
        identities = {token.partition(".")[0] for token in tokens} | ({table} if table else set())
        if len(identities) != 1:
            raise Refusal(Message("This link does not lead to a table here: ask for a new one."), "unknown-key")
        found = await self._load(identities.pop(), visitor)
        shown = {token_hash(each): each for each in (token.partition(".")[2] for token in tokens)}
        if person is not None:
            shown |= dict.fromkeys(person.keys, "")
        known = {key: token for key, token in shown.items() if found.party.knows(key)}
        if not known and found.is_open:
            known = {found.party.watch: ""}
        if not known:
            raise Refusal(Message("This link does not lead to a table here: ask for a new one."), "unknown-key")
        return found, known

    async def sweep(self) -> None:
        """Run forever, and remove tables that nobody looks at from memory."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            limit = time.monotonic() - self.settings.idle_minutes * 60
            for table in self._idle():
                if table.touched < limit:
                    del self._tables[table.id]
            self._make_room()
            await asyncio.to_thread(give_back_memory)

    async def read_again(self, identities: Iterable[str]) -> None:
        """Read tables again when they are next needed, since words beside their logs have been deleted."""
        identities = list(identities)
        self.journal.ring(TEXTS_TOPIC, identities)
        await self._read_again(identities)

    async def _read_again(self, identities: Iterable[str]) -> None:
        for identity in identities:
            if identity in self._loading:
                await asyncio.wait([self._loading[identity]])
            if (table := self._known.get(identity)) is not None:
                async with table.lock:
                    table.generation = OUTDATED
                    self._forget(table)

    def _idle(self) -> list[Table]:
        """The tables where nothing happens, longest idle first."""
        idle = [table for table in self._tables.values() if not table.viewers and not self.bots.is_busy(table)]
        return sorted(idle, key=lambda table: table.touched)

    def at_hand(self, identity: str) -> Table | None:
        """A table, if it is in memory."""
        return self._known.get(identity)

    def holds(self, table: Table) -> bool:
        """Whether this object is the current one for its table; if not, the table was read again."""
        return self._known.get(table.id) is table

    async def _load(self, identity: str, visitor: str) -> Table:
        if (known := self._known.get(identity)) is not None:
            return known
        if identity not in self._loading:
            self._loading[identity] = loading = asyncio.create_task(self._restore(identity, visitor))
            loading.add_done_callback(lambda _: self._loading.pop(identity))
        return await asyncio.shield(self._loading[identity])

    async def _restore(self, identity: str, visitor: str) -> Table:
        async with self.turns.of(visitor):  # a long log takes a lot of memory until it is read
            loaded = await self.journal.load(identity)
            if not loaded.entries:
                raise Refusal(Message("This link does not lead to a table here: ask for a new one."), "unknown-key")
            table = await Table.restore(identity, self.journal, loaded, self._rng)
        if table.generation != self.journal.generation:
            return await self._restore(identity, visitor)
        self._keep(table)
        await excuse(table, self.timekeeper.gaps)
        return table

    def _keep(self, table: Table) -> Table:
        table.on_change = self.bots.watch
        table.on_stored = self.projector.mark
        table.on_ended = self.projector.mark
        table.on_followed = self.projector.on_mark
        table.on_presence = lambda changed: self.presence.note(changed.id)
        table.viewers.elsewhere = self.presence.elsewhere(table.id)
        table.on_lost = self._forget
        table.check = self.order.check
        table.clock = self.clock
        table.sections = self.settings.sections
        self._tables[table.id] = self._known[table.id] = table
        if self.journal.is_shared:
            self.presence.heard([table.id])
        if len(self._tables) % 20 == 0:
            self._make_room()
        self.projector.on_mark(table)
        return table

    def _make_room(self) -> None:
        """Drop the longest idle tables until the rest fit into the memory limit."""
        idle = self._idle()
        actions = sum(IDLE_TABLE + len(table.game.plies) for table in idle)
        for table in idle:
            if actions <= MOST_IDLE_ACTIONS:
                break
            actions -= IDLE_TABLE + len(table.game.plies)
            del self._tables[table.id]

    def _forget(self, table: Table) -> None:
        """Drop a table, so that it is read from the disk when it is next needed; open pages come back by themselves."""
        if self.holds(table):
            del self._known[table.id]
            self._tables.pop(table.id, None)
        self.bots.forget(table)
        for viewer in list(table.viewers):
            viewer.dismiss(None)

    def _heard(self, topic: str, names: Sequence[str]) -> None:
        """Another server has changed something."""
        if topic == LOG_TOPIC:
            for name in names:
                identity, _, version = name.partition(" ")
                if (table := self._known.get(identity)) is not None:
                    self.following.heard(table, int(version))
        elif topic == GAMES_TOPIC:
            for name in names:
                if name not in self._known:
                    self.on_table_elsewhere(name)
        elif topic == presence.TOPIC:
            self.presence.heard(names)
        elif topic == PERSONS_TOPIC:
            self.persons.drop(*names)
            self._begin(self._look_at_pages_of(frozenset(names)))
        elif topic == TEXTS_TOPIC:
            self._begin(self._read_again(names))
        else:
            if isinstance(self.thinkers, SharedThinkers):
                self.thinkers.heard(topic, names)
            self.on_ring(topic)

    def _unheard(self) -> None:
        """Other servers may have changed something without our hearing of it."""
        self.following.compare_soon()
        self.persons.forget_all()
        self._begin(self._look_at_pages_of(frozenset(page.person for page in self.connections if page.person)))
        self._begin(self._look_for_erased())

    async def _look_for_erased(self) -> None:
        """Let no table in memory show somebody who was deleted elsewhere lately."""
        with contextlib.suppress(StoreError):  # then the bell is not heard either, and this comes again
            gone = await self.journal.read(erasure.erased_since, int(self.clock()) - DAY)
            await self._read_again([each.id for each in list(self._known.values()) if each.party.names_any(gone)])

    def _begin(self, chore: Coroutine[None, None, None]) -> None:
        """Do something that nobody waits for."""
        self._chores.add(task := asyncio.create_task(chore))
        task.add_done_callback(self._chores.discard)

    async def _look_at_pages_of(self, persons: frozenset[str]) -> None:
        """Something about some persons has changed elsewhere: close the pages of devices that were signed out."""
        with contextlib.suppress(StoreError):  # whoever comes back is looked at then
            for page in [each for each in self.connections if each.person in persons]:
                if not await self.persons.is_still_at(page.device, page.person):
                    page.dismiss(None)
            await self.order.refresh_here(*persons)

    def _people_at(self, place: str) -> People:
        """Who is at a place here: at a table, or in the lobby."""
        if place == presence.LOBBY:
            return self.people_in_lobby()
        table = self._known.get(place)
        return () if table is None else table.viewers.people()

    def _shown_places(self) -> list[str]:
        return [*self._known, presence.LOBBY]

    def _note_elsewhere(self, place: str) -> None:
        people = self.presence.elsewhere(place)
        if place == presence.LOBBY:
            self.on_ring(place)
        elif (table := self._known.get(place)) is not None:
            arrivals.note_elsewhere(table, people)

    @property
    def in_memory_count(self) -> int:
        """The number of tables in memory."""
        return len(self._known)

    @property
    def takes_visitors(self) -> bool:
        """Whether new pages should come to this server: it is not about to end, and can reach its database."""
        return not self.is_closing and not self.journal.is_cut_off

    def _send_away(self) -> None:
        """Close all pages, which come back to another server."""
        for connection in list(self.connections):
            connection.dismiss(None)

    async def drain(self, seconds: float) -> None:
        """Take no new pages, and send those that are open elsewhere, one after the other, so that they do not all come
        to the next server at the same moment."""
        self.is_closing = True
        pages = list(self.connections)
        random.shuffle(pages)
        for page in pages:
            page.dismiss(None)
            await asyncio.sleep(seconds / len(pages))
        if not pages:
            await asyncio.sleep(seconds)  # others send requests here until the proxy has noticed

    def _count_games(self) -> None:
        """Look for games that are over: for ratings and for conduct."""
        self.rated_games.look()
        self.conduct.look()

    def _forget_all(self) -> None:
        self.persons.forget_all()
        for table in list(self._known.values()):
            self._forget(table)


def _check_lesson(wanted: NewTable) -> None:
    if wanted.lesson not in lessons():
        raise Refusal(Message("There is no lesson {key}.", key=quoted(wanted.lesson)))
    if [choice.kind for choice in wanted.seats] != ["person", *["bot"] * (len(wanted.seats) - 1)]:
        raise Refusal(Message("The first seat of a lesson is a person's, the others are bots'."))


def _check_rated(wanted: NewTable, clock: Clock) -> None:
    """Refuse a rated table whose games would not be fair, or could not be rated."""
    if not can_rate():
        raise Refusal(
            Message("This server cannot rate games: its operator has not installed what it takes."), "unavailable"
        )
    if pool_of(clock.kind, len(wanted.seats)) is None:
        raise Refusal(Message("A rated game needs a clock: choose a live clock or one of days."))
    if sum(choice.kind == "person" for choice in wanted.seats) > 1:
        raise Refusal(Message("A rated game has one player at each device: invite the others."))
    setup = wanted.setup
    if wanted.lesson or setup.position is not None or setup.sections or setup.seed is not None:
        raise Refusal(
            Message("The setup of a rated game is left to chance: no position, seed or sections of your own.")
        )


def _seats(wanted: list[SeatChoice]) -> tuple[list[Seat], list[str]]:
    """The requested seats and the token of each; none for bots."""
    if not FEWEST_SEATS <= len(wanted) <= MOST_SEATS:
        raise Refusal(
            Message("{n} seats: expected {least} to {most}.", n=len(wanted), least=FEWEST_SEATS, most=MOST_SEATS)
        )
    asked = [choice.colour for choice in wanted if choice.colour is not None]
    if len(set(asked)) < len(asked) or any(not 0 <= colour < COLOURS for colour in asked):
        raise Refusal(
            Message(
                "The colours {colours}: expected different ones from 0 to {most}.", colours=str(asked), most=COLOURS - 1
            )
        )
    free = [colour for colour in range(COLOURS) if colour not in asked]
    seats, tokens = [], []
    for choice in wanted:
        colour = choice.colour if choice.colour is not None else free.pop(0)
        name = clean(choice.name, NAME_LENGTH)
        if choice.kind == "bot":
            check_level(choice.level)
            seats.append(Seat("", "bot", name, colour, choice.level))
            tokens.append("")
        else:
            token = new_token()
            seats.append(Seat(token_hash(token), choice.kind, name, colour))
            tokens.append(token)
    return seats, tokens
