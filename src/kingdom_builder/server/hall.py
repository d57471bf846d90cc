"""All tables of a server: made, found by their keys, kept in memory while they are looked at."""

import asyncio
import contextlib
import secrets
import time
from random import Random, SystemRandom

from kingdom_builder.notation import position_of
from kingdom_builder.server import entries
from kingdom_builder.server.advice import Adviser
from kingdom_builder.server.bots import Bots
from kingdom_builder.server.entries import Chair
from kingdom_builder.server.journal import Journal
from kingdom_builder.server.messages import NAME_LENGTH, NewTable, SeatChoice, TableMade
from kingdom_builder.server.refusal import Refusal
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.setups import deal, start_of
from kingdom_builder.server.table import COLOURS, Keys, Table, check_level, clean, hashed, new_secret
from kingdom_builder.server.workers import Workers

SEATS = (2, 5)
UNKNOWN_KEY = "This link does not lead to a table here: ask for a new one."
DAY = 86_400.0
SWEEP_SECONDS = 60.0


class Hall:
    """The tables, with the journal, the bots and the adviser that they share."""

    def __init__(self, settings: Settings, rng: Random | None = None) -> None:
        """`rng` draws the cards of all games; by default nobody can foresee them."""
        self.settings = settings
        self.journal = Journal(settings.data, settings.database_patience)
        self.workers = Workers(settings.bot_workers)
        self.bots = Bots(self.workers, settings.bot_pause)
        self.adviser = Adviser(self.workers)
        self.connections = 0
        self._rng = rng or SystemRandom()
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}

    async def open(self) -> None:
        """To be called before the first table is asked for."""
        await self.journal.remove_before(time.time() - self.settings.keep_days * DAY)

    async def close(self) -> None:
        self.bots.close()
        self.workers.close()
        self.journal.close()

    async def make(self, wanted: NewTable) -> TableMade:
        """A new table. Raises Refusal, StoreError, or ValueError for a setup that cannot be."""
        if await self.journal.count() >= self.settings.max_tables:
            raise Refusal("full", "This server has as many tables as it can keep: try again another day.")
        chairs, seats = _chairs(wanted.seats)
        start, seed = start_of(wanted.setup, len(chairs))
        if wanted.shuffle:
            SystemRandom().shuffle(chairs)
        identity = secrets.token_hex(6)
        host, watch = new_secret(), new_secret()
        opened = entries.Opened(
            created=time.time(),
            host=hashed(host),
            watch=hashed(watch),
            chairs=chairs,
            choice=wanted.setup,
            seed=seed,
            start=position_of(start),
            moves=deal(start, self._rng),
        )
        await self.journal.create(identity, opened.created, entries.encode(opened))
        self._keep(Table(identity, self.journal, opened, self._rng))
        tokens = [f"{identity}.{secret}" if secret else "" for secret in seats]
        return TableMade(identity, f"{identity}.{host}", f"{identity}.{watch}", tokens)

    async def find(self, tokens: list[str]) -> tuple[Table, Keys]:
        """The table that these keys belong to, and what is known of them there. Raises Refusal."""
        identities = {token.partition(".")[0] for token in tokens}
        if len(identities) != 1:
            raise Refusal("unknown-key", UNKNOWN_KEY)
        table = await self._load(identities.pop())
        keys = frozenset(hashed(token.partition(".")[2]) for token in tokens)
        known = frozenset(key for key in keys if table.knows(key))
        if not known:
            raise Refusal("unknown-key", UNKNOWN_KEY)
        return table, known

    async def sweep(self) -> None:
        """Take tables that nobody looks at out of the memory, for ever."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            limit = time.monotonic() - self.settings.idle_minutes * 60
            for table in list(self._tables.values()):
                if not table.viewers and table.touched < limit and not self.bots.is_busy(table):
                    del self._tables[table.id]

    async def _load(self, identity: str) -> Table:
        if identity in self._tables:
            return self._tables[identity]
        if identity not in self._loading:
            self._loading[identity] = asyncio.create_task(self._restore(identity))
        try:
            return await asyncio.shield(self._loading[identity])
        finally:
            with contextlib.suppress(KeyError):
                if self._loading[identity].done():
                    del self._loading[identity]

    async def _restore(self, identity: str) -> Table:
        bodies = await self.journal.load(identity)
        if not bodies:
            raise Refusal("unknown-key", UNKNOWN_KEY)
        return self._keep(Table.restore(identity, self.journal, bodies, self._rng))

    def _keep(self, table: Table) -> Table:
        table.on_change = self.bots.watch
        self._tables[table.id] = table
        return table


def _chairs(seats: list[SeatChoice]) -> tuple[list[Chair], list[str]]:
    """The chairs that are asked for, and the secret of each; none for bots."""
    least, most = SEATS
    if not least <= len(seats) <= most:
        raise Refusal("malformed", f"{len(seats)} seats: expected {least} to {most}.")
    asked = [seat.colour for seat in seats if seat.colour is not None]
    if len(set(asked)) < len(asked) or any(not 0 <= colour < COLOURS for colour in asked):
        raise Refusal("malformed", f"The colours {asked}: expected different ones from 0 to {COLOURS - 1}.")
    free = [colour for colour in range(COLOURS) if colour not in asked]
    chairs, secret_keys = [], []
    for seat in seats:
        colour = seat.colour if seat.colour is not None else free.pop(0)
        name = clean(seat.name, NAME_LENGTH)
        if seat.kind == "bot":
            check_level(seat.level)
            chairs.append(Chair("", "bot", name, colour, seat.level))
            secret_keys.append("")
        else:
            secret = new_secret()
            chairs.append(Chair(hashed(secret), seat.kind, name, colour))
            secret_keys.append(secret)
    return chairs, secret_keys
