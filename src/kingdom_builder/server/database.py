"""The database file with the logs of the tables: checking, opening and migrating it."""

import contextlib
import json
import os
import sqlite3
import zlib
from pathlib import Path
from typing import IO

from kingdom_builder.server.schema import RELATIONS, statements
from kingdom_builder.server.store import StoreError as StoreError
from kingdom_builder.server.words import without_words

DATABASE, LOCK = "games.sqlite", "server.lock"

FORMAT = 4
"""The number of the current format, kept as `user_version`. Format 0 had no checksums and no times, format 1 no results
of daily games, format 2 no persons, and names and chat in the entries, format 3 neither accounts nor a lobby."""

FIRST_WITH_CHECKSUMS = 1
FIRST_WITH_WORDS = 3

OLD_COLUMNS = {
    0: {"tables": "id created", "entries": "id version body"},
    1: {"tables": "id created", "entries": "id version format at ran crc body", "clock": "at ran notes"},
    2: {
        "tables": "id created",
        "entries": "id version format at ran crc body",
        "clock": "at ran notes",
        "daily": "date id name gold at",
    },
    3: {
        "tables": "id created",
        "entries": "id version format at ran crc body",
        "clock": "at ran notes",
        "daily": "date id name gold at",
        "words": "id version number person text",
        "persons": "id created seen name look member merged deleted role language",
        "devices": "secret_hash person created seen label",
        "games": "id game version created changed clock pool rated open players over round seat person deadline remind",
        "players": "id game seat person name level colour gold rank left",
        "ratings": "person pool mu sigma games at",
        "rated": "id game seat person pool before_mu before_sigma mu sigma at",
    },
}
"""What the older formats look like, so that a database of another program is not taken for ours.

Times are whole seconds. `at` is when an entry was stored, by the machine's clock; `ran` is how long servers had run on
this folder by then, which no wrong clock can change (see expiry.py). `clock` has the last known values of both, and a
number that makes every update different: SQLite does not write a row that has not changed."""

COLUMNS = {**OLD_COLUMNS, FORMAT: {each.name: each.column_names() for each in RELATIONS}}

SECTIONS_SCHEMA = "CREATE TABLE sections (text BLOB NOT NULL)"
"""A backup also has this table, if the folder had its own sections: the text of their file."""


UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What a damaged file leads to: also names in it, or in the message about it, that are not text any more."""


class FolderInUse(StoreError):
    """Another server keeps its games in the folder."""

    def __init__(self, sentence: str, place: tuple[str, int] | None) -> None:
        super().__init__(sentence)
        self.place = place
        """The host and port where that server listens, if it has said so."""


def checksum(table: str, version: int, number: int, body: bytes) -> int:
    """The checksum of an entry, including its table, version and format, so that no entry passes for another."""
    return zlib.crc32(body, zlib.crc32(f"{table} {version} {number}".encode()))


def open_database(folder: Path | None, patience: float) -> sqlite3.Connection:
    """The database of a folder, in the current format; without a folder, a database in memory.

    Raises StoreError, and leaves a file that cannot be used unchanged. The caller has locked the folder, unless the
    database is known to have the current format.
    """
    path: Path | str = ":memory:" if folder is None else folder / DATABASE
    old = -1 if folder is None else look(folder / DATABASE)
    modified = max((_modified(each) for each in files(Path(path))), default=0.0)
    database = None
    try:
        database = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
        (mode,) = database.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode == "delete":
            raise sqlite3.OperationalError("its disk fails, or is of a kind that SQLite cannot use safely")
        database.execute("PRAGMA synchronous = FULL")  # so that an acknowledged move survives even a power cut
        if old < FORMAT:
            _migrate(database, old, modified)
        database.execute("SELECT count(*) FROM tables").fetchone()  # this creates the files
    except UNREADABLE as error:
        if database is not None:
            database.close()
        raise StoreError(f"The database {path} cannot be opened: {error}.") from None
    return database


def files(path: Path) -> tuple[Path, Path]:
    """The files of a database: the main file and those with data that was not yet moved into it."""
    return path, path.with_name(path.name + "-wal")


def look(path: Path) -> int:
    """The format number of a database; -1 if there is no database. Raises StoreError if it is not one of ours.

    It changes nothing and creates no file.
    """
    try:
        if not path.exists() or path.stat().st_size == 0:
            return -1
        path.open("rb").close()
    except OSError as error:
        raise StoreError(f"The database {path} cannot be opened: {error.strerror}.") from None
    index = path.with_name(path.name + "-shm")
    was_open = index.exists()
    if path.with_name(path.name + "-journal").exists():
        how = "mode=rw"  # a transaction cut off by a power failure must be undone before anything can be read
    elif files(path)[1].exists():
        how = "mode=ro"
    else:
        how = "immutable=1"  # only a database that nobody has open can be read without the index file
    try:
        with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?{how}", uri=True)) as database:
            return _format_of(database, path)
    except UNREADABLE as error:
        raise StoreError(f"{path} cannot be read as a database: {error}.") from None
    finally:
        if how == "mode=ro" and not was_open:
            index.unlink(missing_ok=True)


def _format_of(database: sqlite3.Connection, path: Path) -> int:
    version = int(database.execute("PRAGMA user_version").fetchone()[0])
    if version > FORMAT:
        raise StoreError(
            f"{path} was written by a newer version of this program (format {version}, expected at most {FORMAT}):"
            " it was left as it is; use the newer version."
        )
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    if not names and version == 0:
        return -1
    query = "SELECT name FROM pragma_table_info(?) ORDER BY cid"
    found = {name: " ".join(column for (column,) in database.execute(query, (name,))) for name in names}
    if found.pop("sections", "text") != "text" or found != COLUMNS.get(version):
        raise StoreError(f"{path} is a database of another program: it was left as it is; choose another folder.")
    return version


def _migrate(database: sqlite3.Connection, old: int, modified: float) -> None:
    """Migrate a database to the current format, all or nothing.

    Format 0 did not store when a table was last used: the time of the last change of the files is used instead.
    """
    database.create_function("checksum", 4, checksum, deterministic=True)
    database.execute("BEGIN IMMEDIATE")
    try:
        if old == 0:
            database.execute("ALTER TABLE tables RENAME TO old_tables")
            database.execute("ALTER TABLE entries RENAME TO old_entries")
        present = OLD_COLUMNS[old] if old > 0 else {}
        for statement in statements(each for each in RELATIONS if each.name not in present):
            database.execute(statement)
        if "clock" not in present:
            database.execute("INSERT INTO clock VALUES (0, 0, 0)")
        if old == 0:
            database.execute("INSERT INTO tables SELECT id, created FROM old_tables")
            database.execute(
                "INSERT INTO entries SELECT id, version, 1, CAST(max(?, coalesce(created, 0)) AS INTEGER), 0,"
                " checksum(id, version, 1, CAST(body AS BLOB)), CAST(body AS BLOB)"
                " FROM old_entries LEFT JOIN old_tables USING (id)",
                (modified,),
            )
            database.execute("DROP TABLE old_entries")
            database.execute("DROP TABLE old_tables")
        if 0 <= old < FIRST_WITH_WORDS:
            _move_words(database)
        database.execute(f"PRAGMA user_version = {FORMAT}")
        database.execute("COMMIT")
    except sqlite3.Error:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def _move_words(database: sqlite3.Connection) -> None:
    """Move names and chat out of the entries, which keep their format; damaged entries stay as they are."""
    changed, words = [], []
    query = "SELECT id, version, format, crc, CAST(body AS BLOB) FROM entries"
    for table, version, number, crc, body in database.execute(query):
        if checksum(table, version, number, body) == crc and (found := without_words(body)):
            shorter, texts = found
            changed.append((shorter, checksum(table, version, number, shorter), table, version))
            words += [(table, version, place, "", text) for place, text in enumerate(texts) if text]
    database.executemany("UPDATE entries SET body = ?, crc = ? WHERE id = ? AND version = ?", changed)
    database.executemany("INSERT INTO words VALUES (?, ?, ?, ?, ?)", words)


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def lock(folder: Path) -> "IO[str]":
    """Keep other servers out of the folder until this is closed or the process ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = (folder / LOCK).open("a+")
    except OSError as error:
        raise StoreError(f"The folder {folder} cannot be used: {error.strerror}.") from None
    try:
        import fcntl
    except ImportError:
        return held  # not on Windows: there the database itself refuses entries that already exist
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        place = _place_in(held)
        held.close()
        sentence = f"The games in {folder} are in use by another server: choose another folder."
        raise FolderInUse(sentence, place) from None
    with contextlib.suppress(OSError):
        held.truncate(0)  # the last server's place
    return held


def write_place(held: "IO[str]", host: str, port: int) -> None:
    """Write into the lock where its server listens, for those who find the folder in use."""
    with contextlib.suppress(OSError):  # it is a help only: a full disk must not stop the server
        held.truncate(0)
        held.write(json.dumps([host, port]))
        held.flush()


def _place_in(held: "IO[str]") -> tuple[str, int] | None:
    try:
        held.seek(0)
        match json.loads(held.read(1_000)):
            case [str(host), int(port)]:
                return host, port
    except (OSError, ValueError):
        pass
    return None


def sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a power cut."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
