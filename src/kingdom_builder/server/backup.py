"""Copies of all tables, made and put back while a server may be running."""

import contextlib
import os
import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory

from kingdom_builder.server.database import (
    DATABASE,
    FORMAT,
    StoreError,
    checksum,
    files,
    lock,
    look,
    open_database,
    sync_folder,
)
from kingdom_builder.server.expiry import time_run

PATIENCE = 30.0
"""Seconds to wait for a server that is writing."""

SLACK = 7_200
"""A server stores every hour how long it has run. Restored tables count as used now, not at the time of the backup."""


def backup(folder: Path, file: Path) -> int:
    """Copy the tables of a folder into a new file and return their number. Raises StoreError."""
    source = folder / DATABASE
    if look(source) < 0:
        raise StoreError(f"There are no games in {folder}: nothing was copied.")
    if file.exists():
        raise StoreError(f"{file} is there already: choose another name.")
    try:
        with contextlib.closing(connect(source, "ro")) as database:
            return _copy(database, file)
    except sqlite3.Error as error:
        raise StoreError(f"The games in {folder} cannot be copied to {file}: {error}.") from None
    except OSError as error:
        raise StoreError(f"{file} cannot be written: {error.strerror}.") from None


def restore(folder: Path, file: Path) -> tuple[int, Path | None]:
    """Replace the tables of a folder with those of a backup, all at once. Raises StoreError.

    Returns the number of tables, and where the tables from before are kept, if there were any.
    """
    try:
        if not file.is_file():
            raise StoreError(f"There is no file {file}.")
        if look(file) < 0:
            raise StoreError(f"{file} is empty: expected a file that kb backup has written.")
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix="restoring-") as beside:
            with contextlib.closing(connect(file, "ro")) as database:
                tables = _copy(database, Path(beside) / DATABASE)
            with (
                contextlib.closing(open_database(Path(beside), PATIENCE)) as new,
                contextlib.closing(open_for_change(folder)) as database,
            ):
                return tables, _replace(database, new, folder)
    except sqlite3.Error as error:
        raise StoreError(f"{file} cannot be put back into {folder}: {error}. Nothing was changed.") from None
    except OSError as error:
        raise StoreError(f"{file} cannot be put back into {folder}: {error.strerror}. Nothing was changed.") from None


def open_for_change(folder: Path) -> sqlite3.Connection:
    """The database of a folder. A server may be running, but not one that knows only another format."""
    if look(folder / DATABASE) < FORMAT:
        with lock(folder):
            return open_database(folder, PATIENCE)
    return open_database(folder, PATIENCE)


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection to an existing database. A file that nobody uses is read without creating files beside it."""
    how = f"mode={mode}"
    if mode == "ro" and not any(each.exists() for each in (files(path)[1], path.with_name(path.name + "-journal"))):
        how = "immutable=1"
    address = f"{path.resolve().as_uri()}?{how}"
    return sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)


def _copy(database: sqlite3.Connection, file: Path, *, whole: bool = True) -> int:
    """Write a database into a new file, which is on the disk when this returns; returns the number of tables.

    With `whole`, a damaged database raises StoreError.
    """
    part = file.with_name(file.name + ".part")
    part.unlink(missing_ok=True)
    try:
        with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as made:
            database.backup(made)
            made.execute("PRAGMA journal_mode = DELETE")  # one file
            tables = _check(made) if whole else 0
        descriptor = os.open(part, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(part, file)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(file.parent)
    return tables


def _check(database: sqlite3.Connection) -> int:
    """Check that a copy is complete; returns the number of tables in it."""
    (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(f"it is damaged ({found})")
    if database.execute("PRAGMA user_version").fetchone() == (FORMAT,):
        database.create_function("checksum", 4, checksum, deterministic=True)
        query = "SELECT id, version FROM entries WHERE crc <> checksum(id, version, format, CAST(body AS BLOB)) LIMIT 1"
        for table, version in database.execute(query):
            raise sqlite3.DatabaseError(f"entry {version} of table {table} is damaged")
    return int(database.execute("SELECT count(*) FROM tables").fetchone()[0])


def _replace(database: sqlite3.Connection, new: sqlite3.Connection, folder: Path) -> Path | None:
    """Write another database into one that may be in use, in one transaction; returns where the old one is kept."""
    (path,) = [path for _, name, path in new.execute("PRAGMA database_list") if name == "main"]
    database.execute("ATTACH ? AS new", (path,))
    kept = None
    try:
        database.execute("BEGIN IMMEDIATE")
        if database.execute("SELECT 1 FROM main.tables").fetchone():
            kept = _free_name(folder)
            with contextlib.closing(connect(folder / DATABASE, "ro")) as reader:
                _copy(reader, kept, whole=False)
        for table in ("entries", "tables"):
            database.execute(f"DELETE FROM main.{table}")
            database.execute(f"INSERT INTO main.{table} SELECT * FROM new.{table}")
        database.execute("UPDATE main.entries SET ran = ?", (time_run(database) + SLACK,))
        database.execute("COMMIT")
    except sqlite3.Error as error:
        if database.in_transaction:
            database.execute("ROLLBACK")
        if kept is None or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        # The existing database is damaged: it is overwritten page by page.
        database.execute("DETACH new")
        new.execute("UPDATE entries SET ran = ?", (time_run(new) + SLACK,))
        new.backup(database)
    return kept


def _free_name(folder: Path) -> Path:
    number = 1
    while (path := folder / f"games-before-restore-{number}.sqlite").exists():
        number += 1
    return path
