"""Where the logs of the tables are kept: SQLite, one writer thread, many entries in one commit."""

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, TypeVar

MOST_AT_ONCE = 500
"""Entries in one commit."""

GATHERING_SECONDS = 0.003
"""When several entries came last time, others are waited for, so that fewer commits are needed."""

DATABASE, LOCK = "games.sqlite", "server.lock"

SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (id TEXT PRIMARY KEY, created REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries (
    id TEXT NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (id, version)
) WITHOUT ROWID;
"""


class StoreError(Exception):
    """Something could not be stored or read; the sentence tells why."""


T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]
Job = tuple[Work[Any], "asyncio.Future[Any]", bool]
"""What to do, who waits for it, and whether it writes."""


class Journal:
    """The database. Its methods return when what they store is on the disk."""

    def __init__(self, folder: Path | None, patience: float = 3) -> None:
        """Without a folder everything is kept in memory only."""
        self._is_busy = False
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._lock = _lock(folder) if folder is not None else None
        path = ":memory:" if folder is None else folder / DATABASE
        try:
            self._database = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")  # an acknowledged move survives a power cut too
            self._database.executescript(SCHEMA)
        except sqlite3.Error as error:
            raise StoreError(f"The database {path} cannot be opened: {error}.") from None
        self._thread = threading.Thread(target=self._write, name="journal", daemon=True)
        self._thread.start()

    async def create(self, table: str, created: float, body: bytes) -> None:
        """Store a new table with its first entry, which has version 1."""

        def work(database: sqlite3.Connection) -> None:
            database.execute("INSERT INTO tables VALUES (?, ?)", (table, created))
            database.execute("INSERT INTO entries VALUES (?, 1, ?)", (table, body))

        await self._do(work)

    async def append(self, table: str, version: int, body: bytes) -> None:
        """Store an entry. The version has to be new."""
        await self._do(
            lambda database: database.execute("INSERT INTO entries VALUES (?, ?, ?)", (table, version, body))
        )

    async def load(self, table: str) -> list[bytes]:
        """All entries of a table; none if there is no such table."""
        query = "SELECT body FROM entries WHERE id = ? ORDER BY version"
        return await self._do(lambda database: [body for (body,) in database.execute(query, (table,))], writes=False)

    async def count(self) -> int:
        """How many tables there are."""
        query = "SELECT count(*) FROM tables"
        return await self._do(lambda database: int(database.execute(query).fetchone()[0]), writes=False)

    async def remove_before(self, created: float) -> None:
        """Remove the tables that are older than this."""

        def work(database: sqlite3.Connection) -> None:
            old = "SELECT id FROM tables WHERE created < ?"
            database.execute(f"DELETE FROM entries WHERE id IN ({old})", (created,))
            database.execute("DELETE FROM tables WHERE created < ?", (created,))

        await self._do(work)

    def close(self) -> None:
        """Finish what is under way and let go of the database."""
        self._jobs.put(None)
        self._thread.join()
        self._database.close()
        if self._lock is not None:
            self._lock.close()

    async def _do(self, work: Work[T], *, writes: bool = True) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put((work, done, writes))
        return await done

    def _write(self) -> None:
        while jobs := list(self._next_jobs()):
            written = iter(self._commit([work for work, _, writes in jobs if writes]))
            results = [next(written) if writes else self._look(work) for work, _, writes in jobs]
            waiting = [done for _, done, _ in jobs]
            with contextlib.suppress(RuntimeError):  # the server has stopped: nobody waits any more
                waiting[0].get_loop().call_soon_threadsafe(_resolve, waiting, results)

    def _next_jobs(self) -> Iterator[Job]:
        """What waits, at least one; nothing at the end."""
        job = self._jobs.get()
        if self._is_busy:
            time.sleep(GATHERING_SECONDS)
        taken = 0
        while job is not None:
            yield job
            taken += 1
            if taken == MOST_AT_ONCE or self._jobs.empty():
                self._is_busy = taken > 1
                return
            job = self._jobs.get()
        if taken:
            self._jobs.put(None)

    def _look(self, work: Work[Any]) -> object:
        """The result of something that only reads: it goes on while others may not write."""
        try:
            return work(self._database)
        except Exception as error:
            return _explained(error)

    def _commit(self, works: list[Work[Any]]) -> list[object]:
        """The result of each work, or the error that kept it from being done."""
        if not works:
            return []
        try:
            return self._transact(works)
        except Exception as error:  # whatever it is, the thread has to live on
            if len(works) == 1 or _is_locked(error):  # each on its own would wait for the lock as long again
                return [_explained(error) for _ in works]
        return [result for work in works for result in self._commit([work])]

    def _transact(self, works: list[Work[Any]]) -> list[object]:
        database = self._database
        try:
            database.execute("BEGIN IMMEDIATE")
            results: list[object] = [work(database) for work in works]
            database.execute("COMMIT")
        except Exception:
            if database.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    database.execute("ROLLBACK")
            raise
        return results


def _resolve(futures: "list[asyncio.Future[Any]]", results: list[object]) -> None:
    for future, result in zip(futures, results, strict=True):
        if future.done():
            continue
        if isinstance(result, StoreError):
            future.set_exception(result)
        else:
            future.set_result(result)


def _is_locked(error: Exception) -> bool:
    return (getattr(error, "sqlite_errorname", "") or "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def _explained(error: Exception) -> StoreError:
    why = {
        "SQLITE_FULL": "the disk is full",
        "SQLITE_BUSY": "the database is locked by another program",
        "SQLITE_LOCKED": "the database is locked by another program",
        "SQLITE_READONLY": "the database cannot be written",
        "SQLITE_IOERR": "the disk does not answer",
        "SQLITE_CONSTRAINT_PRIMARYKEY": "another server has written to this table",
    }
    code = getattr(error, "sqlite_errorname", "") or ""
    reason = next((text for name, text in why.items() if code.startswith(name)), str(error))
    return StoreError(f"The server cannot store anything now: {reason}. Nothing was changed; try again later.")


def _lock(folder: Path) -> "IO[str]":
    """Keep other servers out of the folder, until this process ends in whatever way."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("w")
    except OSError as error:
        raise StoreError(f"The folder {folder} cannot be used: {error.strerror}.") from None
    try:
        import fcntl
    except ImportError:
        return lock  # not on Windows: the database itself refuses entries that exist already
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise StoreError(f"The games in {folder} are in use by another server: choose another folder.") from None
    return lock
