"""The journal in a PostgreSQL database that several servers share.

Safety is the primary key of the entries, (table, version): of two servers that append the same version, one is told of
the conflict. One task gathers the entries of a server and stores them in one commit, with one ring for the other
servers. After a lost connection an entry is stored again under the same key: whether the first attempt went through or
not, it is there once, and it is known which of both.
"""

import asyncio
import contextlib
import logging
import random
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, TypeAlias

import asyncpg

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server import postgres
from kingdom_builder.server.database import checksum
from kingdom_builder.server.doorbell import CHANNEL, Doorbell, rings
from kingdom_builder.server.expiry import Expiry, Now, expire, time_run
from kingdom_builder.server.journal import (
    LOG_TOPIC,
    NO_TEXTS,
    OUT_OF_DATE,
    OVERTAKEN,
    READING,
    STORING,
    Append,
    Conflict,
    Journal,
    Loaded,
    P,
    R,
    StoredEntry,
)
from kingdom_builder.server.postgres import COMMAND_SECONDS, CONNECT_SECONDS, RACES, REFUSED, UNKNOWN, UNREACHABLE
from kingdom_builder.server.schema import LEASES
from kingdom_builder.server.store import Doubt, Row, Sql, Steps, StoreError

if TYPE_CHECKING:
    Pool: TypeAlias = asyncpg.Pool[asyncpg.Record]

MOST_AT_ONCE = 250
"""The most entries in one commit: their names fit into one ring."""

CONNECTIONS = 6
"""The most connections for reading and for everything that is not an entry."""

TRIES = 12
"""How often work is done that comes into the way of other work."""

CHECK_SECONDS = 1.0
COUNT_SECONDS = 60.0
"""How often the number of tables is counted."""

NEXT_TRY_SECONDS = 0.2

UNWRITABLE = asyncpg.CharacterNotInRepertoireError
"""What the database says of a text with the character 0."""

STORE = f"""
WITH stored AS (
  INSERT INTO entries (id, version, format, at, ran, crc, body)
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bytea[])
  ON CONFLICT DO NOTHING RETURNING id, version
), rung AS (
  SELECT pg_notify('{CHANNEL}', $8 || string_agg(id || ' ' || version, ',')) AS sent FROM stored HAVING count(*) > 0
)
SELECT id, version, (SELECT count(*) FROM rung) FROM stored
"""

LOAD = """
SELECT entries.version, format, crc, body, number, text FROM entries
LEFT JOIN words ON words.id = entries.id AND words.version = entries.version
WHERE entries.id = $1 AND entries.version > $2 ORDER BY entries.version
"""

NOW = "EXTRACT(EPOCH FROM clock_timestamp())::double precision"
"""The time of the database, which is the same for all servers."""

CLAIM = f"""
INSERT INTO {LEASES.name} (what, node, until) VALUES ($1, $2, {NOW} + $3)
ON CONFLICT (what) DO UPDATE SET node = excluded.node, until = excluded.until
WHERE leases.until < {NOW} OR leases.node = excluded.node RETURNING 1
"""

log = logging.getLogger(__name__)


class PostgresJournal(Journal):
    """A journal that several servers share."""

    is_shared = True

    def __init__(self, address: str, patience: float = 3, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        self.node = secrets.token_hex(4)
        self._conflicts = 0
        self._address = address
        self._patience = patience
        self._clock = clock
        self._waiting: asyncio.Queue[tuple[asyncio.Future[int], Append]] = asyncio.Queue()
        self._storing = asyncio.Lock()
        """Held while a batch of entries is stored."""
        self._pool: Pool | None = None
        self._writer: postgres.Connection | None = None
        self._bell = Doorbell(address, self.node, self._notify)
        self._rung: dict[str, dict[str, None]] = {}
        self._ringing: asyncio.Task[None] | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._ran, self._began = 0.0, time.monotonic()
        self._checked = 0.0
        self._check: asyncio.Future[None] | None = None

    async def open(self) -> None:
        try:
            self._writer = await postgres.connect(self._address, f"kingdom-builder {self.node} log")
            try:
                await postgres.set_up(self._writer)
            except StoreError:  # it is another one's database, and nobody closes this journal
                await self._writer.close()
                raise
            self._pool = await asyncpg.create_pool(
                self._address,
                min_size=0,  # else asyncpg complains at length whenever the database is away
                max_size=CONNECTIONS,
                timeout=CONNECT_SECONDS,
                command_timeout=COMMAND_SECONDS,
                init=postgres.prepare,
                server_settings={"application_name": f"kingdom-builder {self.node}", "timezone": "UTC"},
            )
        except (*UNREACHABLE, *REFUSED) as error:
            where = postgres.shown(self._address)
            raise StoreError(f"The database {where} cannot be used: {postgres.reason(error)}.") from None
        self._ran, self._began = float(await self.read(time_run)), time.monotonic()
        await self._count()
        self._bell.on_ring = lambda topic, names: self.on_ring(topic, names)
        self._bell.on_unheard = lambda: self.on_unheard()
        self._bell.on_cut_off = lambda: self.on_cut_off()
        self._bell.open()
        self._tasks = [asyncio.create_task(self._write_on()), asyncio.create_task(self._count_on())]

    @property
    def conflicts(self) -> int:
        return self._conflicts

    @property
    def times_deaf(self) -> int:
        return self._bell.times_deaf

    @property
    def is_cut_off(self) -> bool:
        return self._bell.is_cut_off

    async def aclose(self) -> None:
        while not self._waiting.empty():
            await asyncio.sleep(NEXT_TRY_SECONDS / 10)
        async with self._storing:  # the last batch is not cut off: somebody waits for its answer
            for task in self._tasks:
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._bell.close()
        if self._ringing is not None:
            await self._ringing
        if self._pool is not None:
            with contextlib.suppress(*UNREACHABLE, *REFUSED):
                await self._pool.execute(f"DELETE FROM {LEASES.name} WHERE node = $1", self.node)
            self._pool.terminate()
        if self._writer is not None:
            self._writer.terminate()

    # ---- entries -------------------------------------------------------------------------------------------------

    async def create(self, table: str, format: int, body: bytes, rows: Sequence[Sql] = ()) -> int:  # noqa: A002
        entry = Append(table, 1, format, body, None)

        def work() -> Steps[None]:
            at, ran, crc = self._stamp(entry)
            yield Sql("INSERT INTO tables (id, created) VALUES (?, ?)", (table, at))
            yield Sql(
                "INSERT INTO entries (id, version, format, at, ran, crc, body) VALUES (?, 1, ?, ?, ?, ?, ?)",
                (table, format, at, ran, crc, body),
            )
            for row in rows:  # noqa: UP028 (they are not sent any rows)
                yield row

        await self.write(work)
        self.tables += 1
        self.ring(LOG_TOPIC, [f"{table} 1"])
        return self.generation

    async def append(
        self,
        table: str,
        version: int,
        format: int,  # noqa: A002 (the word for it everywhere)
        body: bytes,
        generation: int,
        rows: Sequence[Sql] = (),
    ) -> None:
        if generation != self.generation:
            raise StoreError(STORING.format(OUT_OF_DATE))
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((done, Append(table, version, format, body, generation, tuple(rows))))
        await done

    def _stamp(self, entry: Append) -> tuple[int, int, int]:
        """What is stored with an entry: the time, how long servers have run, and its checksum."""
        return int(self._clock()), int(self._time_run()), checksum(entry.table, entry.version, entry.format, entry.body)

    def _time_run(self) -> float:
        return self._ran + time.monotonic() - self._began

    async def _write_on(self) -> None:
        """Store what waits, all of it in one commit."""
        while True:
            batch = [await self._waiting.get()]
            while len(batch) < MOST_AT_ONCE and not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            async with self._storing:
                outcomes = await self._store_some([entry for _, entry in batch])
            for (done, _), outcome in zip(batch, outcomes, strict=True):
                if done.done():
                    continue
                if isinstance(outcome, StoreError):
                    done.set_exception(outcome)
                    done.exception()  # otherwise it is logged if whoever asked has left
                else:
                    done.set_result(self.generation)

    async def _store_some(self, batch: Sequence[Append]) -> list[StoreError | None]:
        """The same as `_store_all`, whatever goes wrong: others wait behind this batch."""
        try:
            return await self._store_all(batch)
        except Exception:
            log.exception("Entries could not be stored")
            return [Doubt(UNKNOWN) for _ in batch]

    async def _store_all(self, batch: Sequence[Append]) -> list[StoreError | None]:
        """What became of each entry: None if it is stored."""
        until = time.monotonic() + self._patience
        is_repeated = False
        while True:
            try:
                writer = await self._usable_writer()
            except (*UNREACHABLE, *REFUSED) as error:
                if time.monotonic() > until:
                    return [_refusal(error, in_doubt=is_repeated) for _ in batch]
                await asyncio.sleep(NEXT_TRY_SECONDS)
                continue
            try:
                return await self._outcomes(writer, batch, is_repeated=is_repeated)
            except UNREACHABLE:
                writer.terminate()
                is_repeated = True
            except (*REFUSED, Conflict) as error:
                if len(batch) > 1:
                    return [outcome for entry in batch for outcome in await self._store_all([entry])]
                return [error if isinstance(error, Conflict) else _refusal(error)]

    async def _usable_writer(self) -> "postgres.Connection":
        if self._writer is None or self._writer.is_closed():
            self._writer = await postgres.connect(self._address, f"kingdom-builder {self.node} log")
        return self._writer

    async def _outcomes(
        self, writer: "postgres.Connection", batch: Sequence[Append], *, is_repeated: bool
    ) -> list[StoreError | None]:
        stamps = [self._stamp(entry) for entry in batch]
        values = (
            [entry.table for entry in batch],
            [entry.version for entry in batch],
            [entry.format for entry in batch],
            *map(list, zip(*stamps, strict=True)),
            [entry.body for entry in batch],
            f"{self.node} {LOG_TOPIC} ",
        )
        if not any(entry.rows for entry in batch):
            stored = {(table, version) for table, version, _ in await writer.fetch(STORE, *values)}
        else:
            async with writer.transaction():
                stored = {(table, version) for table, version, _ in await writer.fetch(STORE, *values)}
                for row in [row for entry in batch if entry[:2] in stored for row in entry.rows]:
                    await postgres.execute(writer, row)
        outcomes: list[StoreError | None] = []
        for entry in batch:
            is_stored = entry[:2] in stored or (is_repeated and await _is_there(writer, entry))
            outcomes.append(None if is_stored else Conflict(STORING.format(OVERTAKEN)))
            self._conflicts += not is_stored
        return outcomes

    async def load(self, table: str, after: int = 0) -> Loaded:
        try:
            rows = await self._connected().fetch(LOAD, table, after)
        except UNWRITABLE:
            raise _unwritable() from None
        except (*UNREACHABLE, *REFUSED) as error:
            raise StoreError(READING.format(postgres.reason(error))) from None
        entries: dict[int, StoredEntry] = {}
        texts: dict[int, dict[int, str]] = {}
        for version, number, crc, body, place, text in rows:
            if version not in entries:
                is_intact = checksum(table, version, number, body) == crc
                texts[version] = {}
                known = NO_TEXTS if place is None else texts[version]
                entries[version] = StoredEntry(version, number, body, is_intact, known)
            if place is not None:
                texts[version][place] = text
        return Loaded(self.generation, list(entries.values()))

    async def versions(self, tables: Collection[str]) -> dict[str, int]:
        query = "SELECT id, max(version) FROM entries WHERE id = ANY($1::text[]) GROUP BY id"
        try:
            return dict([tuple(row) for row in await self._connected().fetch(query, list(tables))])
        except (*UNREACHABLE, *REFUSED) as error:
            raise StoreError(READING.format(postgres.reason(error))) from None

    # ---- other work ----------------------------------------------------------------------------------------------

    async def read(self, work: Callable[P, Steps[R]], *arguments: P.args, **named: P.kwargs) -> R:
        try:
            async with (
                self._connected().acquire(timeout=CONNECT_SECONDS) as connection,
                postgres.transaction(connection, writes=False),
            ):
                return await postgres.carry_out(connection, work, *arguments, **named)
        except UNWRITABLE:
            raise _unwritable() from None
        except (*UNREACHABLE, *REFUSED) as error:
            raise StoreError(READING.format(postgres.reason(error))) from None

    async def write(self, work: Callable[P, Steps[R]], *arguments: P.args, **named: P.kwargs) -> R:
        for attempt in range(TRIES):
            try:
                async with (
                    self._connected().acquire(timeout=CONNECT_SECONDS) as connection,
                    postgres.transaction(connection, writes=True),
                ):
                    return await postgres.carry_out(connection, work, *arguments, **named)
            except UNWRITABLE:
                raise _unwritable() from None
            except RACES:
                await asyncio.sleep(random.uniform(0, 0.005) * 2 ** min(attempt, 6))
            except asyncpg.UniqueViolationError:
                if attempt:  # at first it may be work at the same moment, which is seen the next time
                    raise Conflict(STORING.format(OVERTAKEN)) from None
            except (*UNREACHABLE, *REFUSED) as error:
                raise _refusal(error) from None
        raise StoreError(STORING.format("too much is changed at the same time"))

    async def fetch(self, query: str, *values: object) -> list[Row]:
        """The rows of a single statement in the words of PostgreSQL, done when it returns."""
        try:
            return [tuple(row) for row in await self._connected().fetch(query, *values)]
        except (*UNREACHABLE, *REFUSED) as error:
            raise _refusal(error) from None

    async def check(self) -> None:
        now = time.monotonic()
        if self._check is None or (self._check.done() and now >= self._checked + CHECK_SECONDS):
            self._checked = now
            self._check = asyncio.ensure_future(self._note())
            self._check.add_done_callback(lambda check: check.cancelled() or check.exception())
        await asyncio.shield(self._check)

    async def _note(self) -> None:
        """Store the time. Several servers may do so; the latest one counts."""
        query = "UPDATE clock SET at = greatest(at, $1), ran = greatest(ran, $2), notes = notes + 1"
        try:
            await self._connected().execute(query, int(self._clock()), int(self._time_run()))
        except (*UNREACHABLE, *REFUSED) as error:
            raise _refusal(error) from None

    async def expire(self, keep_days: float, *, most: float | None = 0.05, trust_clock: bool = False) -> Expiry:
        now = Now(self._clock(), self._time_run())
        expiry = await self.write(expire, keep_days, most, now, trust_clock=trust_clock)
        await self._count()
        return expiry

    async def _count(self) -> None:
        with contextlib.suppress(*UNREACHABLE, *REFUSED):
            self.tables = int(await self._connected().fetchval("SELECT count(*) FROM tables"))

    async def _count_on(self) -> None:
        while True:
            await asyncio.sleep(COUNT_SECONDS)
            await self._count()

    def _connected(self) -> "Pool":
        if self._pool is None:
            raise StoreError(STORING.format("the database is not open"))
        return self._pool

    # ---- the other servers ---------------------------------------------------------------------------------------

    def write_place(self, host: str, port: int) -> None:
        return

    async def claim(self, what: str, seconds: float) -> bool:
        try:
            return bool(await self._connected().fetch(CLAIM, what, self.node, float(seconds)))
        except (*UNREACHABLE, *REFUSED) as error:
            raise _refusal(error) from None

    async def release(self, what: str) -> None:
        with contextlib.suppress(*UNREACHABLE, *REFUSED):
            query = f"DELETE FROM {LEASES.name} WHERE what = $1 AND node = $2"
            await self._connected().execute(query, what, self.node)

    def ring(self, topic: str, names: Collection[str] = ()) -> None:
        self._rung.setdefault(topic, {}).update(dict.fromkeys(names))
        if self._ringing is None:
            self._ringing = asyncio.create_task(self._ring_all())

    async def _ring_all(self) -> None:
        """Send everything that is to be rung, until nothing is left."""
        try:
            while self._rung:
                rung, self._rung = self._rung, {}
                with contextlib.suppress(*UNREACHABLE, *REFUSED, StoreError):  # others look at the log themselves
                    for topic, names in rung.items():
                        for text in rings(self.node, topic, list(names)):
                            await self._notify(text)
        finally:
            self._ringing = None

    async def _notify(self, text: str) -> None:
        await self._connected().execute("SELECT pg_notify($1, $2)", CHANNEL, text)


async def _is_there(writer: "postgres.Connection", entry: Append) -> bool:
    """Whether an entry was stored by an attempt whose answer was lost."""
    query = "SELECT format, body FROM entries WHERE id = $1 AND version = $2"
    found = await writer.fetchrow(query, entry.table, entry.version)
    return found is not None and tuple(found) == (entry.format, entry.body)


def _unwritable() -> Refusal:
    """Nobody types such a character, but programs send it; it is nobody's number or name."""
    return Refusal(Message("There is a character in this that cannot be kept: leave it out."))


def _refusal(error: BaseException, *, in_doubt: bool = False) -> StoreError:
    return Doubt(UNKNOWN) if in_doubt else StoreError(STORING.format(postgres.reason(error)))
