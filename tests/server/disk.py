"""A disk for tests: it notes what SQLite does with its files, fails on request, and can lose its power.

It stands between SQLite and its own access to files (a VFS), in the library that Python uses.
"""

import _sqlite3
import contextlib
import ctypes
import sqlite3
from collections.abc import Callable, Iterator
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p, cast
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

OK, READ_ONLY, FULL, CANT_OPEN = 0, 8, 13, 14
CREATE, JOURNALS = 0x4, 0x800 | 0x80000
READ_FAILED, WRITE_FAILED, SYNC_FAILED = 266, 778, 1034
MAIN_FILE, WAL_FILE = ".sqlite", "-wal"
SECTOR = 512

Close = CFUNCTYPE(c_int, c_void_p)
Transfer = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
Sync = CFUNCTYPE(c_int, c_void_p, c_int)
# SQLite keeps the name that it is given: it must not become a string of Python's on the way.
Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, POINTER(c_int))
Delete = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)


class Methods(Structure):
    """What SQLite calls to use a file: sqlite3_io_methods."""

    _fields_ = [
        ("version", c_int),
        ("close", Close),
        ("read", Transfer),
        ("write", Transfer),
        ("truncate", Truncate),
        ("sync", Sync),
        *[(f"other{number}", c_void_p) for number in range(13)],
    ]


class File(Structure):
    """The beginning of an open file: sqlite3_file."""

    _fields_ = [("methods", POINTER(Methods))]


class Vfs(Structure):
    """What SQLite calls to find files: sqlite3_vfs."""

    _fields_ = [
        ("version", c_int),
        ("size_of_file", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", Open),
        ("delete", Delete),
        *[(f"other{number}", c_void_p) for number in range(12)],
    ]


class Operation(NamedTuple):
    """Something that was done to a file."""

    kind: str
    """write, truncate, sync, failed (a sync that failed), delete, or folder (the names of all files are synced)"""
    path: str
    offset: int = 0
    """Where it was written, or the new length."""
    data: bytes = b""


class Disk:
    """Every file that SQLite opens while this is in place."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        """What was done, in order."""
        self.trouble: Callable[[str, str], int] = lambda kind, path: OK
        """Asked before each read, write, truncate, sync and open: which error there is."""
        self._library = _library()
        self._paths: dict[int, str] = {}
        self._new: set[int] = set()
        """Files whose first sync is one of the folder too: SQLite does that with what it may have made."""
        self._originals: dict[int, Any] = {}
        self._replaced: dict[int, Methods] = {}
        self._default = cast(self._library.sqlite3_vfs_find(None), POINTER(Vfs))
        self._vfs = Vfs()
        ctypes.memmove(byref(self._vfs), self._default, ctypes.sizeof(Vfs))
        self._vfs.name = b"disk-for-tests"
        self._vfs.next = None
        self._vfs.open, self._vfs.delete = Open(self._open), Delete(self._delete)
        self._io = (
            Close(self._close),
            Transfer(self._read),
            Transfer(self._write),
            Truncate(self._truncate),
            Sync(self._sync),
        )

    def __enter__(self) -> "Disk":
        assert self._library.sqlite3_vfs_register(byref(self._vfs), 1) == OK
        return self

    def __exit__(self, *_: object) -> None:
        assert not self._paths, f"still open: {sorted(self._paths.values())}"
        assert self._library.sqlite3_vfs_unregister(byref(self._vfs)) == OK
        assert self._library.sqlite3_vfs_register(self._default, 1) == OK

    # ---- trouble

    def fail(self, kind: str, error: int, *, ending: str = "", first: int = 1, most: int = 10**9) -> None:
        """Let some operations of a kind fail, from the nth on, on files whose names end in this way."""
        seen = 0

        def trouble(what: str, path: str) -> int:
            nonlocal seen
            if what != kind or not path.endswith(ending):
                return OK
            seen += 1
            return error if first <= seen < first + most else OK

        self.trouble = trouble

    def mend(self) -> None:
        """No more failures."""
        self.trouble = lambda kind, path: OK

    def count(self, kind: str) -> int:
        return sum(operation.kind == kind for operation in self.operations)

    # ---- what SQLite calls

    def _open(self, vfs: int, name: int | None, file: int, flags: int, out: Any) -> int:
        path = ctypes.string_at(name).decode() if name else ""
        # Without methods SQLite does not close a file that could not be opened.
        cast(file, POINTER(File)).contents.methods = POINTER(Methods)()
        if error := self.trouble("open", path):
            return error
        result: int = self._default.contents.open(vfs, name, file, flags, out)
        opened = cast(file, POINTER(File)).contents
        if result == OK and opened.methods:
            address = cast(opened.methods, c_void_p).value
            assert address is not None
            if address not in self._replaced:
                methods = Methods()
                ctypes.memmove(byref(methods), opened.methods, ctypes.sizeof(Methods))
                methods.close, methods.read, methods.write, methods.truncate, methods.sync = self._io
                self._replaced[address] = methods
            self._paths[file], self._originals[file] = path, opened.methods.contents
            if flags & CREATE and flags & JOURNALS:
                self._new.add(file)
            opened.methods = ctypes.pointer(self._replaced[address])
        return result

    def _close(self, file: int) -> int:
        self._paths.pop(file)
        self._new.discard(file)
        return int(self._originals.pop(file).close(file))

    def _read(self, file: int, data: int, amount: int, offset: int) -> int:
        error = self.trouble("read", self._paths[file])
        return error or int(self._originals[file].read(file, data, amount, offset))

    def _write(self, file: int, data: int, amount: int, offset: int) -> int:
        if error := self.trouble("write", self._paths[file]):
            return error
        self.operations.append(Operation("write", self._paths[file], offset, ctypes.string_at(data, amount)))
        return int(self._originals[file].write(file, data, amount, offset))

    def _truncate(self, file: int, size: int) -> int:
        if error := self.trouble("truncate", self._paths[file]):
            return error
        self.operations.append(Operation("truncate", self._paths[file], size))
        return int(self._originals[file].truncate(file, size))

    def _sync(self, file: int, flags: int) -> int:
        if error := self.trouble("sync", self._paths[file]):
            self.operations.append(Operation("failed", self._paths[file]))
            return error
        result = int(self._originals[file].sync(file, flags))
        self.operations.append(Operation("sync", self._paths[file]))
        if file in self._new:
            self._new.remove(file)
            self.operations.append(Operation("folder", ""))
        return result

    def _delete(self, vfs: int, name: bytes, sync: int) -> int:
        self.operations.append(Operation("delete", name.decode()))
        if sync:
            self.operations.append(Operation("folder", ""))
        return int(self._default.contents.delete(vfs, name, sync))


def after_a_power_cut(operations: list[Operation], rng: Random) -> dict[str, bytes]:
    """What may be left of the files: all that was synced, and any sectors of what was written since then.

    After a sync that failed, the system takes what was written for synced, and does not write it again.
    """
    durable: dict[str, bytearray] = {}
    waiting: dict[str, list[Operation]] = {}
    luck = rng.choice((0.0, 0.1, 0.5, 0.9, 1.0))
    for operation in operations:
        if operation.kind == "sync":
            for each in waiting.pop(operation.path, []):
                _apply(durable, each)
        elif operation.kind == "folder":
            for path, some in waiting.items():
                if deleted := [number for number, each in enumerate(some) if each.kind == "delete"]:
                    durable.pop(path, None)
                    del some[: deleted[-1] + 1]
        elif operation.kind == "failed":
            _apply_some(durable, waiting.pop(operation.path, []), rng, luck)
        else:
            waiting.setdefault(operation.path, []).append(operation)
    for path in sorted(waiting):
        _apply_some(durable, waiting[path], rng, luck)
    return {path: bytes(content) for path, content in durable.items()}


def _apply_some(files: dict[str, bytearray], operations: list[Operation], rng: Random, luck: float) -> None:
    """Do some of what was not synced, each sector at random."""
    for operation in operations:
        if operation.kind == "write":
            for sector in _sectors(operation):
                if rng.random() < luck:
                    _apply(files, sector)
        elif rng.random() < 0.5:
            _apply(files, operation)


def _sectors(write: Operation) -> Iterator[Operation]:
    start, last = write.offset, write.offset + len(write.data)
    while start < last:
        end = min((start // SECTOR + 1) * SECTOR, last)
        yield Operation("write", write.path, start, write.data[start - write.offset : end - write.offset])
        start = end


def _apply(files: dict[str, bytearray], operation: Operation) -> None:
    if operation.kind == "delete":
        files.pop(operation.path, None)
        return
    content = files.setdefault(operation.path, bytearray())
    if operation.kind == "truncate":
        content[:] = content[: operation.offset].ljust(operation.offset, b"\0")
    else:
        end = operation.offset + len(operation.data)
        content.extend(bytes(max(0, end - len(content))))
        content[operation.offset : end] = operation.data


def put(files: dict[str, bytes], folder: Path) -> None:
    """Write files into a folder under their own names."""
    for path, content in files.items():
        (folder / Path(path).name).write_bytes(content)


def _library() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(_sqlite3.__file__)
        library.sqlite3_vfs_find.restype = c_void_p
        library.sqlite3_vfs_find.argtypes = [c_char_p]
        for function in (library.sqlite3_vfs_register, library.sqlite3_vfs_unregister):
            function.restype = c_int
    except (AttributeError, OSError) as error:
        pytest.fail(f"Faults of a disk need Python's sqlite3 module with a shared SQLite library: {error}.")
    return library


@contextlib.contextmanager
def disk() -> Iterator[Disk]:
    """A disk for the databases that are opened now."""
    assert sqlite3.sqlite_version_info >= (3, 7), "the layout of its structures is known from then on"
    with Disk() as made:
        yield made
