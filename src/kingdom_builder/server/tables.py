"""All tables of a server: making them, finding them by token, and keeping them in memory while somebody looks."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from datetime import date
from random import Random, SystemRandom
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from kingdom_builder.daily import OPPONENT, PERSON, PLAYERS, Daily
from kingdom_builder.lessons import lessons
from kingdom_builder.message import Message, Refusal, quoted
from kingdom_builder.notation import board_text, position_of
from kingdom_builder.rules import RULES_VERSION, Deal, State, at_random
from kingdom_builder.server import entries, words
from kingdom_builder.server.bots import Bots
from kingdom_builder.server.entries import Seat
from kingdom_builder.server.hints import Hints
from kingdom_builder.server.journal import Journal
from kingdom_builder.server.memory import give_back_memory
from kingdom_builder.server.messages import NAME_LENGTH, NewTable, SeatChoice, SetupChoice, TableMade
from kingdom_builder.server.names import clean
from kingdom_builder.server.pacing import Turns
from kingdom_builder.server.people import COLOURS, check_level
from kingdom_builder.server.persons import Person, Persons
from kingdom_builder.server.projector import Projector, inserts, listed
from kingdom_builder.server.rated_games import RatedGames
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.setups import FEWEST_SEATS, MOST_SEATS, dealt, start_of
from kingdom_builder.server.table import Table
from kingdom_builder.server.tokens import new_token, token_hash
from kingdom_builder.server.visitors import Visitors
from kingdom_builder.server.workers import Workers

if TYPE_CHECKING:
    from kingdom_builder.server.connection import Connection

SWEEP_SECONDS = 5.0
MOST_IDLE_ACTIONS = 20_000
"""The most actions in memory of tables that nobody looks at; each takes about a kilobyte."""

IDLE_TABLE = 50
"""The memory of a table besides its actions, counted in actions."""

DESK_WORKERS = 1

log = logging.getLogger(__name__)


class Tables:
    """The tables, with the journal, the bots and the hints that they share."""

    def __init__(self, settings: Settings, rng: Random | None = None, clock: Callable[[], float] = time.time) -> None:
        """`rng` draws the cards of all games; by default nobody can predict them. Raises ValueError, StoreError."""
        self.settings = settings
        self.visitors = Visitors(settings)
        self.journal = Journal(settings.data, settings.database_patience)
        self.journal.on_reset = self._forget_all
        self.clock = clock
        """The wall clock, in seconds."""
        self.persons = Persons(self.journal, clock)
        self.projector = Projector(self.journal)
        self.rated_games = RatedGames(self.journal)
        self.projector.on_over = self.rated_games.look
        self.thinkers = Workers(settings.bot_workers)
        self.desk = Workers(DESK_WORKERS)
        """The workers for requests: replays, previews, pictures."""
        self.bots = Bots(self.thinkers, settings.bot_pause, settings.bot_rest)
        self.hints = Hints(self.thinkers)
        self.connections: set[Connection] = set()
        self.turns = Turns()
        """For the long work when somebody arrives."""
        self.is_closing = False
        self._rng = rng or SystemRandom()
        self._tables: dict[str, Table] = {}
        """The tables that stay in memory even if nobody looks at them."""
        self._known: WeakValueDictionary[str, Table] = WeakValueDictionary()
        """All tables in memory, including those that somebody looks at or is about to: a table must not exist twice."""
        self._loading: dict[str, asyncio.Task[Table]] = {}

    async def open(self) -> None:
        """Call this before the first table is needed."""
        days = self.settings.keep_days
        expiry = await self.journal.expire(days)
        if expiry.refusal:
            log.warning("%s", expiry.refusal)
        if expiry.removed or expiry.left:
            text = "Removed %d tables that nobody has used for %d days; %d more are as old (kb tables expire)"
            log.warning(text, expiry.removed, days, expiry.left)

    async def close(self) -> None:
        self.is_closing = True
        self.bots.close()
        await self.projector.close()
        await self.rated_games.close()
        self.thinkers.close()
        self.desk.close()
        self.journal.close()

    async def make(self, wanted: NewTable) -> TableMade:
        """A new table. Raises Refusal, StoreError, or ValueError for an impossible setup."""
        if wanted.lesson:
            _check_lesson(wanted)
            wanted.setup = SetupChoice(position=lessons()[wanted.lesson].position)
        seats, tokens = _seats(wanted.seats)
        start, seed = start_of(wanted.setup, len(seats), self.settings.sections)
        deal = at_random(self._rng.random)
        return await self._open(seats, tokens, wanted.setup, start, seed, deal, lesson=wanted.lesson)

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
    ) -> TableMade:
        """Store a new table with these seats, whose first game begins from a state."""
        if self.journal.tables >= self.settings.max_tables:
            raise Refusal(Message("This server has as many tables as it can keep: try again another day."), "full")
        identity = secrets.token_hex(6)
        host, watch = new_token(), new_token()
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
        )
        body, texts = entries.encode(opened)
        table = Table(identity, self.journal, self.journal.generation, opened, self._rng)
        rows = [*words.rows_of(identity, 1, opened.person, texts), *inserts(listed(table))]
        table.generation = await self.journal.create(identity, entries.FORMAT, body, rows)
        if table.generation == self.journal.generation:  # otherwise it is read again before it is used
            self._keep(table)
        links = [f"{identity}.{token}" if token else "" for token in tokens]
        return TableMade(identity, f"{identity}.{host}", f"{identity}.{watch}", links)

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

    def _idle(self) -> list[Table]:
        """The tables where nothing happens, longest idle first."""
        idle = [table for table in self._tables.values() if not table.viewers and not self.bots.is_busy(table)]
        return sorted(idle, key=lambda table: table.touched)

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
        return self._keep(table)

    def _keep(self, table: Table) -> Table:
        table.on_change = self.bots.watch
        table.on_stored = self.projector.mark
        table.on_ended = self.projector.mark
        table.on_lost = self._forget
        table.clock = self.clock
        table.sections = self.settings.sections
        self._tables[table.id] = self._known[table.id] = table
        if len(self._tables) % 20 == 0:
            self._make_room()
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

    def _forget_all(self) -> None:
        for table in list(self._known.values()):
            self._forget(table)


def _check_lesson(wanted: NewTable) -> None:
    if wanted.lesson not in lessons():
        raise Refusal(Message("There is no lesson {key}.", key=quoted(wanted.lesson)))
    if [choice.kind for choice in wanted.seats] != ["person", *["bot"] * (len(wanted.seats) - 1)]:
        raise Refusal(Message("The first seat of a lesson is a person's, the others are bots'."))


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
