"""Copies of all tables and of the server's own sections, made and put back while a server may be running."""

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from kingdom_builder.server.database import (
    DATABASE,
    FIRST_WITH_CHECKSUMS,
    FORMAT,
    SECTIONS_SCHEMA,
    StoreError,
    checksum,
    files,
    lock,
    look,
    open_database,
    sync_folder,
)
from kingdom_builder.server.expiry import time_run
from kingdom_builder.server.schema import CLOCK, RELATIONS
from kingdom_builder.server.settings import OWN_SECTIONS
from kingdom_builder.server.store import carry_out

PATIENCE = 30.0
"""Seconds to wait for a server that is writing."""

SLACK = 7_200
"""A server stores every hour how long it has run. Restored tables count as used now, not at the time of the backup."""


class Copied(NamedTuple):
    """What was copied into a backup, or put back from one."""

    tables: int
    """The number of tables."""
    sections: bool
    """Whether own sections were among it."""
    kept: tuple[Path, ...] = ()
    """Where that is kept which was there before."""


def backup(folder: Path, file: Path) -> Copied:
    """Copy the tables and own sections of a folder into a new file. Raises StoreError."""
    source = folder / DATABASE
    if look(source) < 0:
        raise StoreError(f"There are no games in {folder}: nothing was copied.")
    if file.exists():
        raise StoreError(f"{file} is there already: choose another name.")
    sections = _own_sections(folder)
    try:
        with contextlib.closing(connect(source, "ro")) as database:
            tables = _copy(database, file, lambda made: _put_sections(made, sections))
            return Copied(tables, sections is not None)
    except sqlite3.Error as error:
        raise StoreError(f"The games in {folder} cannot be copied to {file}: {error}.") from None
    except OSError as error:
        raise StoreError(f"{file} cannot be written: {error.strerror}.") from None


def restore(folder: Path, file: Path) -> Copied:
    """Replace the tables of a folder with those of a backup, all at once, then its own sections. Raises StoreError.

    A backup without own sections leaves those of the folder as they are.
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
                sections = _sections_in(new)
                kept = _replace(database, new, folder)
    except sqlite3.Error as error:
        raise StoreError(f"{file} cannot be put back into {folder}: {error}. Nothing was changed.") from None
    except OSError as error:
        raise StoreError(f"{file} cannot be put back into {folder}: {error.strerror}. Nothing was changed.") from None
    others = _replace_sections(folder, sections) if sections is not None else None
    return Copied(tables, sections is not None, tuple(path for path in (kept, others) if path is not None))


def check_format(folder: Path) -> None:
    """Raise StoreError if a folder has no games, or has them in an old format."""
    found = look(folder / DATABASE)
    if found < 0:
        raise StoreError(f"There are no games in {folder}.")
    if found < FORMAT:
        raise StoreError(f"The games in {folder} are in an old format: start kb serve once, which changes it.")


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


def _own_sections(folder: Path) -> bytes | None:
    """The text of a folder's own sections, if it has any. Raises StoreError."""
    path = folder / OWN_SECTIONS
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}.") from None


def _put_sections(copy: sqlite3.Connection, text: bytes | None) -> None:
    """Put own sections into a backup, or none: somebody may have made a backup the database of the folder."""
    copy.execute("DROP TABLE IF EXISTS sections")
    if text is not None:
        copy.execute(SECTIONS_SCHEMA)
        copy.execute("INSERT INTO sections VALUES (?)", (text,))


def _sections_in(copy: sqlite3.Connection) -> bytes | None:
    if not copy.execute("SELECT 1 FROM sqlite_master WHERE name = 'sections'").fetchone():
        return None
    found = copy.execute("SELECT text FROM sections").fetchone()
    return bytes(found[0]) if found else None


def _replace_sections(folder: Path, text: bytes) -> Path | None:
    """Write the own sections of a folder; returns where those from before are kept, if there were others."""
    before, kept = _own_sections(folder), None
    try:
        if before is not None and before != text:
            kept = _free_name(folder, "sections-before-restore-{}.kbm")
            _write(kept, before)
        _write(folder / OWN_SECTIONS, text)
    except OSError as error:
        raise StoreError(
            f"The tables were put back, but {folder / OWN_SECTIONS} cannot be written: {error.strerror}."
        ) from None
    return kept


def _write(file: Path, text: bytes) -> None:
    """Write a file at once: a power cut leaves the old text or the new one."""
    part = file.with_name(file.name + ".part")
    part.write_bytes(text)
    _sync(part)
    os.replace(part, file)
    sync_folder(file.parent)


def _sync(file: Path) -> None:
    descriptor = os.open(file, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _copy(
    database: sqlite3.Connection,
    file: Path,
    change: Callable[[sqlite3.Connection], None] | None = None,
    *,
    whole: bool = True,
) -> int:
    """Write a database into a new file, which is on the disk when this returns; returns the number of tables.

    `change` is done to the copy. With `whole`, a damaged database raises StoreError.
    """
    part = file.with_name(file.name + ".part")
    part.unlink(missing_ok=True)
    try:
        with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as made:
            database.backup(made)
            made.execute("PRAGMA journal_mode = DELETE")  # one file
            tables = _check(made) if whole else 0
            if change is not None:
                change(made)
        _sync(part)
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
    if database.execute("PRAGMA user_version").fetchone() >= (FIRST_WITH_CHECKSUMS,):
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
            kept = _free_name(folder, "games-before-restore-{}.sqlite")
            with contextlib.closing(connect(folder / DATABASE, "ro")) as reader:
                _copy(reader, kept, whole=False)
        for relation in RELATIONS:
            if relation != CLOCK:
                database.execute(f"DELETE FROM main.{relation.name}")
                database.execute(f"INSERT INTO main.{relation.name} SELECT * FROM new.{relation.name}")
        database.execute("UPDATE main.entries SET ran = ?", (carry_out(database, time_run) + SLACK,))
        database.execute("COMMIT")
    except sqlite3.Error as error:
        if database.in_transaction:
            database.execute("ROLLBACK")
        if kept is None or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
            raise
        # The existing database is damaged: it is overwritten page by page.
        database.execute("DETACH new")
        new.execute("UPDATE entries SET ran = ?", (carry_out(new, time_run) + SLACK,))
        new.backup(database)
    return kept


def _free_name(folder: Path, name: str) -> Path:
    number = 1
    while (path := folder / name.format(number)).exists():
        number += 1
    return path
