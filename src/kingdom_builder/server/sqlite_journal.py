"""The journal in a SQLite database: one writer thread, many entries in one commit.

Every table in memory knows the generation in which it was loaded. The generation is raised whenever the disk may hold
something else: after a failure that leaves it unclear what was stored, or when another program has written to the
database. Entries of an older generation are refused, so that no log gets gaps or two ends.
"""

import asyncio
import contextlib
import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from kingdom_builder.server.database import DATABASE as DATABASE
from kingdom_builder.server.database import StoreError, checksum, files, lock, open_database, write_place
from kingdom_builder.server.expiry import Expiry, Now, expire, time_run
from kingdom_builder.server.journal import (
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
from kingdom_builder.server.store import Doubt, Sql, Steps, carry_out, execute

MOST_AT_ONCE = 500
"""The most entries in one commit."""

GATHERING_SECONDS = 0.003
"""If several entries came last time, how long to wait for more, so that fewer commits are needed."""

NOTING_SECONDS = 3600.0
"""How often the time that the server has run is stored if nothing else is."""

NEXT_TRY_SECONDS = 1.0
"""After a failure the database is opened again at most once in this time; health is also checked this often."""

REASONS = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_BUSY": "the database is locked by another program",
    "SQLITE_LOCKED": "the database is locked by another program",
    "SQLITE_READONLY": "the database cannot be written",
    "SQLITE_CANTOPEN": "the database cannot be opened",
    "SQLITE_IOERR": "the disk does not answer",
    "SQLITE_CORRUPT": "the database is damaged",
    "SQLITE_NOTADB": "the database is damaged",
    "SQLITE_CONSTRAINT_PRIMARYKEY": OVERTAKEN,
}
MISSING = "the file of the database was deleted or moved away; put it back or start the server again"
UNKNOWN = "The disk has failed: it is not known whether this was stored. Look again before you repeat it."

LOCKED = ("SQLITE_BUSY", "SQLITE_LOCKED")
NOT_STORED = (*LOCKED, "SQLITE_FULL", "SQLITE_READONLY")
"""Errors after which it is certain that a commit was not made."""


Work = Callable[[sqlite3.Connection], Any]
Write = Append | Work


Place = list[tuple[int, int] | None]
"""The identity of each file of the database; None for a missing one."""


Job = tuple["asyncio.Future[Any]", Write, bool]
"""The future of whoever waits, the task, and whether the task writes."""


class _InDoubt(Exception):
    """A commit has failed in a way that leaves it unclear whether it was made."""


class SqliteJournal(Journal):
    """A journal in a SQLite database of this server alone."""

    def __init__(
        self,
        folder: Path | None,
        patience: float = 3,
        clock: Callable[[], float] = time.time,
        stopwatch: Callable[[], float] | None = None,
    ) -> None:
        """Without a folder everything is only in memory. The stopwatch is a clock that nobody can set."""
        super().__init__()
        self._folder = folder
        self._files = [] if folder is None else [str(file) for file in files(folder / DATABASE)]
        self._patience = patience
        self._clock = clock
        self._stopwatch = stopwatch or _stopwatch
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._reads: deque[Job] = deque()
        self._is_busy = self._is_closing = self._is_in_doubt = False
        self._told = self.generation
        self._data_version = 0
        self._opened: Place = []
        self._next_try = self._checked = 0.0
        self._check: asyncio.Future[None] | None = None
        self._ran, self._began = 0.0, self._stopwatch()
        self._lock = lock(folder) if folder is not None else None
        self._database: sqlite3.Connection | None = None
        try:
            self._open()
        except StoreError:
            if self._lock is not None:
                self._lock.close()
            raise
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    # ---- what it is asked for ------------------------------------------------------------------------------------

    def write_place(self, host: str, port: int) -> None:
        if self._lock is not None:
            write_place(self._lock, host, port)

    async def open(self) -> None:
        """It is open already: a server that cannot read its games does not even start."""

    async def create(self, table: str, format: int, body: bytes, rows: Sequence[Sql] = ()) -> int:  # noqa: A002
        return int(await self._ask(Append(table, 1, format, body, None, tuple(rows))))

    async def append(
        self,
        table: str,
        version: int,
        format: int,  # noqa: A002 (the word for it everywhere)
        body: bytes,
        generation: int,
        rows: Sequence[Sql] = (),
    ) -> None:
        await self._ask(Append(table, version, format, body, generation, tuple(rows)))

    async def read(self, work: Callable[P, Steps[R]], *arguments: P.args, **named: P.kwargs) -> R:
        result: R = await self._ask(lambda database: carry_out(database, work, *arguments, **named), writes=False)
        return result

    async def write(self, work: Callable[P, Steps[R]], *arguments: P.args, **named: P.kwargs) -> R:
        result: R = await self._ask(lambda database: carry_out(database, work, *arguments, **named))
        return result

    async def load(self, table: str, after: int = 0) -> Loaded:
        query = "SELECT version, format, crc, CAST(body AS BLOB) FROM entries WHERE id = ? AND version > ?"
        typed = "SELECT version, number, text FROM words WHERE id = ? AND version > ?"

        def work(database: sqlite3.Connection) -> Loaded:
            texts: dict[int, dict[int, str]] = {}
            for version, number, text in database.execute(typed, (table, after)):
                texts.setdefault(version, {})[number] = text
            entries = [
                StoredEntry(
                    version, number, body, checksum(table, version, number, body) == crc, texts.get(version, NO_TEXTS)
                )
                for version, number, crc, body in database.execute(f"{query} ORDER BY version", (table, after))
            ]
            return Loaded(self.generation, entries)

        loaded: Loaded = await self._ask(work, writes=False)
        return loaded

    async def check(self) -> None:
        now = time.monotonic()
        if self._check is None or (self._check.done() and now >= self._checked + NEXT_TRY_SECONDS):
            self._checked = now
            self._check = self._ask(self._note)
            self._check.add_done_callback(lambda check: check.cancelled() or check.exception())
        await asyncio.shield(self._check)

    async def expire(self, keep_days: float, *, most: float | None = 0.05, trust_clock: bool = False) -> Expiry:
        def work(database: sqlite3.Connection) -> Expiry:
            now = Now(self._clock(), self._time_run())
            expiry = carry_out(database, expire, keep_days, most, now, trust_clock=trust_clock)
            self.generation += expiry.removed > 0
            return expiry

        expiry: Expiry = await self._ask(work)
        return expiry

    async def aclose(self) -> None:
        self.close()

    def close(self) -> None:
        """Finish the current work and close the database."""
        self._jobs.put(None)
        self._thread.join()
        self._let_go()
        if self._lock is not None:
            self._lock.close()

    # ---- the only server -----------------------------------------------------------------------------------------

    async def claim(self, what: str, seconds: float) -> bool:
        return True

    async def release(self, what: str) -> None:
        return

    def ring(self, topic: str, names: Collection[str] = ()) -> None:
        return

    async def versions(self, tables: Collection[str]) -> dict[str, int]:
        return {}

    def _ask(self, task: Write, writes: bool = True) -> "asyncio.Future[Any]":
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._jobs.put((done, task, writes))
        return done

    # ---- the thread ----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        """Carry out jobs: all waiting writes, then one read, so that many reads do not delay a write."""
        while not self._is_closing or self._reads:
            if writes := self._next_writes():
                self._tell(writes, self._commit([task for _, task, _ in writes]))
            elif self._reads:
                read = self._reads.popleft()
                self._tell([read], [self._look(read[1])])
            if self._stopwatch() > self._noted + NOTING_SECONDS:
                self._commit([self._note])
        self._commit([self._note])

    def _next_writes(self) -> list[Job]:
        """The waiting writes. Sorts new jobs into writes and reads, and waits for a job if there is nothing to do."""
        writes: list[Job] = []
        with contextlib.suppress(Empty):
            job = self._jobs.get_nowait() if self._reads or self._is_closing else self._jobs.get(timeout=NOTING_SECONDS)
            if self._is_busy and not self._reads:
                time.sleep(GATHERING_SECONDS)
            while True:
                if job is None:
                    self._is_closing = True
                elif job[2]:
                    writes.append(job)
                else:
                    self._reads.append(job)
                if len(writes) == MOST_AT_ONCE:
                    break
                job = self._jobs.get_nowait()
        self._is_busy = len(writes) > 1
        return writes

    def _tell(self, jobs: list[Job], results: list[object]) -> None:
        """Deliver the results, after reporting a new generation if there is one."""
        is_reset, self._told = self._told != self.generation, self.generation

        def tell() -> None:
            try:
                if is_reset:
                    self.on_reset()
            finally:
                for (done, _, _), result in zip(jobs, results, strict=True):
                    if done.done():
                        continue
                    if isinstance(result, StoreError):
                        done.set_exception(result)
                        done.exception()  # otherwise it is logged if whoever asked has left
                    else:
                        done.set_result(result)

        with contextlib.suppress(RuntimeError):  # the server has stopped: nobody is waiting
            jobs[0][0].get_loop().call_soon_threadsafe(tell)

    def _look(self, task: Write) -> object:
        """The result of a task that only reads: reading works even while writing is not possible."""
        assert not isinstance(task, Append)
        try:
            database = self._usable(for_writing=False)
            database.execute("BEGIN")
            try:
                self._notice_others(database)
                return task(database)
            finally:
                _roll_back(database)
        except Exception as error:  # whatever it is, the thread has to live on
            return _explained(error, READING)

    def _commit(self, tasks: list[Write]) -> list[object]:
        """The result of each task, or the error that kept it from being done."""
        try:
            return self._transact(self._usable(), tasks)
        except _InDoubt as error:
            return self._settle(tasks, str(error))
        except Exception as error:  # whatever it is, the thread has to live on
            # With a locked database, trying each task separately would wait just as long for each of them.
            is_about_all = isinstance(error, StoreError) and not isinstance(error, Conflict)
            if len(tasks) == 1 or is_about_all or _code(error).startswith(LOCKED):
                return [_explained(error, STORING) for _ in tasks]
        return [result for task in tasks for result in self._commit([task])]

    def _transact(self, database: sqlite3.Connection, tasks: list[Write]) -> list[object]:
        database.execute("BEGIN IMMEDIATE")
        try:
            self._notice_others(database)
            results = self._carry_out(database, tasks)
        except Exception as error:
            if _roll_back(database):
                raise
            raise _InDoubt(_reason(error)) from None
        try:
            database.execute("COMMIT")
        except sqlite3.Error as error:
            if _code(error).startswith(NOT_STORED) and _roll_back(database):
                raise
            raise _InDoubt(_reason(error)) from None
        if self._place() != self._opened:
            raise _InDoubt(MISSING)
        self._noted = self._stopwatch()
        if any(not isinstance(task, Append) or task.generation is None for task in tasks):
            with contextlib.suppress(sqlite3.Error):  # it is stored, whatever happens next
                self.tables = _count(database)
        return results

    def _carry_out(self, database: sqlite3.Connection, tasks: list[Write]) -> list[object]:
        results: list[object] = [None if isinstance(task, Append) else task(database) for task in tasks]
        generation, at, ran = self.generation, int(self._clock()), int(self._time_run())
        rows = []
        for index, task in enumerate(tasks):
            if not isinstance(task, Append):
                continue
            table, version, number, body, loaded, others = task
            if loaded is None:
                database.execute("INSERT INTO tables VALUES (?, ?)", (table, at))
            elif loaded != generation:
                results[index] = StoreError(STORING.format(OUT_OF_DATE))
                continue
            rows.append((table, version, number, at, ran, checksum(table, version, number, body), body))
            results[index] = generation
            for row in others:
                execute(database, row)
        database.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        return results

    def _time_run(self) -> float:
        """The seconds that servers have run on this folder."""
        return self._ran + self._stopwatch() - self._began

    def _note(self, database: sqlite3.Connection) -> None:
        """Store the time."""
        now = (int(self._clock()), int(self._time_run()))
        database.execute("UPDATE clock SET at = ?, ran = ?, notes = notes + 1", now)

    # ---- doubts --------------------------------------------------------------------------------------------------

    def _notice_others(self, database: sqlite3.Connection) -> None:
        """Raise the generation if another program has written to the database. Call it in a transaction."""
        data_version = _data_version(database)
        if data_version != self._data_version:
            self.generation += 1
            self._learn(database)

    def _place(self) -> Place:
        return [_identity(path) for path in self._files]

    def _usable(self, *, for_writing: bool = True) -> sqlite3.Connection:
        """The database that is in the folder now, once it is certain what is stored. Raises StoreError."""
        place = self._place()
        is_open = self._database is not None and place == self._opened
        if self._database is not None and is_open and not self._is_in_doubt:
            return self._database
        if self._database is not None and place[0] is None:
            if for_writing:
                raise StoreError(STORING.format(MISSING))
            return self._database  # while it is open, it can still be read
        now = time.monotonic()
        if now < self._next_try:
            raise StoreError(STORING.format("the disk has just failed"))
        self._next_try = now + NEXT_TRY_SECONDS
        if not is_open:
            self._let_go()
            self._is_in_doubt = True
            self.generation += 1
            self._open()
        assert self._database is not None
        self._make_certain(self._database)
        return self._database

    def _settle(self, tasks: list[Write], reason: str) -> list[object]:
        """The results of tasks whose commit has failed, according to the disk."""
        self.generation += 1
        try:
            if reason == MISSING and self._place()[0] is None:
                return [Doubt(UNKNOWN) for _ in tasks]  # it stays open: nothing else is left of it
            self._is_in_doubt = True
            self._next_try = 0
            database = self._usable()
            return [self._outcome(database, task, reason) for task in tasks]
        except Exception:
            return [Doubt(UNKNOWN) for _ in tasks]

    def _outcome(self, database: sqlite3.Connection, task: Write, reason: str) -> object:
        if not isinstance(task, Append):
            return Doubt(UNKNOWN)
        query = "SELECT format, body FROM entries WHERE id = ? AND version = ?"
        is_stored = database.execute(query, (task.table, task.version)).fetchone() == (task.format, task.body)
        return self.generation if is_stored else StoreError(STORING.format(reason))

    def _make_certain(self, database: sqlite3.Connection) -> None:
        """Make it certain what is stored on the disk. Raises StoreError if that does not work yet.

        After a failed sync the system may believe that something is on the disk when it is not. Everything that this
        connection knows to be stored is in the write-ahead log and was synced. It is moved into the main file, and the
        write-ahead log is emptied, with everything that was refused. Once the next commit has been synced, none of
        that can come back.
        """
        try:
            _roll_back(database)
            busy, _, _ = database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise StoreError(STORING.format(REASONS["SQLITE_BUSY"]))
            self._note(database)
        except sqlite3.Error as error:
            raise _explained(error, STORING) from None
        self._is_in_doubt = False
        self.generation += 1

    def _open(self) -> None:
        """Open the database. Raises StoreError."""
        database = open_database(self._folder, self._patience)
        try:
            # What an earlier server failed to sync may be readable, but not on the disk.
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            if not _code(error).startswith(NOT_STORED):
                database.close()
                raise StoreError(f"The database cannot be opened: {_reason(error)}.") from None
        try:
            self._learn(database)
        except sqlite3.Error as error:
            database.close()
            raise StoreError(f"The database cannot be read: {_reason(error)}.") from None
        self._noted = self._stopwatch()
        self._database, self._opened = database, self._place()

    def _learn(self, database: sqlite3.Connection) -> None:
        """Read the number of tables and the times from the database."""
        self._data_version = _data_version(database)
        self.tables = _count(database)
        self._ran, self._began = max(carry_out(database, time_run), self._time_run()), self._stopwatch()

    def _let_go(self) -> None:
        """Close the database, and leave no file that could damage another database that is in its place by now."""
        database, self._database = self._database, None
        if database is None:
            return
        place = self._place()
        is_replaced = place[:1] not in ([None], self._opened[:1])
        with contextlib.suppress(sqlite3.Error):
            if is_replaced:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with contextlib.suppress(sqlite3.Error):
            database.close()
        if is_replaced and place[1] == self._opened[1]:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._files[1])


def _stopwatch() -> float:
    """Seconds by a clock that nobody can set; if possible, one that runs on while the machine sleeps."""
    boot_time = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot_time is None else time.clock_gettime(boot_time)


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _data_version(database: sqlite3.Connection) -> int:
    """A number that changes whenever another connection has written."""
    return int(database.execute("PRAGMA data_version").fetchone()[0])


def _count(database: sqlite3.Connection) -> int:
    return int(database.execute("SELECT count(*) FROM tables").fetchone()[0])


def _roll_back(database: sqlite3.Connection) -> bool:
    """Roll back a transaction; returns whether that worked."""
    with contextlib.suppress(sqlite3.Error):
        if database.in_transaction:
            database.execute("ROLLBACK")
    return not database.in_transaction


def _code(error: Exception) -> str:
    """SQLite's name of an error."""
    return getattr(error, "sqlite_errorname", None) or ""


def _reason(error: Exception) -> str:
    return next((text for name, text in REASONS.items() if _code(error).startswith(name)), str(error))


def _explained(error: Exception, what: str) -> StoreError:
    if isinstance(error, StoreError):
        return type(error)(*error.args)
    kind = Conflict if _code(error) == "SQLITE_CONSTRAINT_PRIMARYKEY" else StoreError
    return kind(what.format(_reason(error)))
