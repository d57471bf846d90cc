"""The journal: the logs of all tables, and the rows beside them, in some database.

The primary key of an entry is its table and version. Whoever appends a version that somebody else has stored first gets
a Conflict, reads what is new, and decides again. So any server may serve any table: which one does is a question of
speed, not of safety. Other servers are told of what is stored by a bell, which may be lost; the log is not.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, ParamSpec, TypeVar

from kingdom_builder.server.expiry import Expiry
from kingdom_builder.server.store import Conflict as Conflict
from kingdom_builder.server.store import Doubt as Doubt
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.store import StoreError as StoreError

STORING = "The server cannot store anything now: {}. Nothing was changed; try again later."
READING = "The server cannot read this table now: {}. Try again later."
OUT_OF_DATE = "another program has changed the database, or the disk has failed, and this table is being read again"
OVERTAKEN = "another server has written to this table"

LOG_TOPIC = "log"
"""The topic of rings about logs; names are tables with their versions, such as `0a1b2c 17`."""

NO_TEXTS: Mapping[int, str] = {}

R = TypeVar("R")
P = ParamSpec("P")


class StoredEntry(NamedTuple):
    """An entry as it was found on the disk."""

    version: int
    format: int
    body: bytes
    intact: bool
    """Whether its checksum is right."""
    texts: Mapping[int, str] = NO_TEXTS
    """What people typed in it, by number; what was deleted is missing."""


class Loaded(NamedTuple):
    """The entries of a table by version; none if there is no such table."""

    generation: int
    entries: list[StoredEntry]


class Append(NamedTuple):
    """An entry to store; the first one of a table needs no generation."""

    table: str
    version: int
    format: int
    body: bytes
    generation: int | None
    rows: tuple[Sql, ...] = ()
    """What is stored with the entry: both, or none of it."""


class Journal(ABC):
    """The database of all tables. Methods that store something return when it is on the disk."""

    is_shared = False
    """Whether other servers may write to it at the same time."""

    def __init__(self) -> None:
        self.node = ""
        """The name of this server among those that share the journal."""
        self.generation = 1
        """A number that is raised whenever tables in memory may differ from what is stored."""
        self.tables = 0
        """The number of tables, or nearly so where other servers make tables too."""
        self.on_reset: Callable[[], None] = lambda: None
        """Called after the generation was raised."""
        self.on_ring: Callable[[str, Sequence[str]], None] = lambda topic, names: None
        """Called when another server rings: with a topic, and the names of what has changed."""
        self.on_unheard: Callable[[], None] = lambda: None
        """Called when rings may have been missed: everything in memory has to be compared with the log."""
        self.on_cut_off: Callable[[], None] = lambda: None
        """Called when `is_cut_off` becomes true."""

    @property
    def conflicts(self) -> int:
        """How many entries came too late."""
        return 0

    @property
    def times_deaf(self) -> int:
        """How often the bell of the other servers was lost."""
        return 0

    @property
    def is_cut_off(self) -> bool:
        """Whether the database was not reached, or other servers not heard, for so long that nobody should be served
        from here."""
        return False

    @abstractmethod
    async def open(self) -> None:
        """Call this first, in the event loop. Raises StoreError."""

    @abstractmethod
    async def create(self, table: str, format: int, body: bytes, rows: Sequence[Sql] = ()) -> int:  # noqa: A002
        """Store a new table with its first entry, which has version 1; returns the generation of the table.

        Raises Conflict, and stores nothing, if one of the rows must change something and does not.
        """

    @abstractmethod
    async def append(
        self,
        table: str,
        version: int,
        format: int,  # noqa: A002 (the word for it everywhere)
        body: bytes,
        generation: int,
        rows: Sequence[Sql] = (),
    ) -> None:
        """Store an entry of a table that was loaded in this generation. Raises Conflict if the version is taken."""

    @abstractmethod
    async def read(self, work: Callable[P, Steps[R]], *arguments: P.args, **named: P.kwargs) -> R:
        """The result of some work that only reads."""

    @abstractmethod
    async def write(self, work: Callable[P, Steps[R]], *arguments: P.args, **named: P.kwargs) -> R:
        """The result of some work, once what it changed is on the disk. It is all or nothing."""

    @abstractmethod
    async def load(self, table: str, after: int = 0) -> Loaded:
        """All entries of a table after a version."""

    @abstractmethod
    async def check(self) -> None:
        """Check that writing works, or raise StoreError. It can be called often: it writes at most once a second."""

    @abstractmethod
    async def expire(self, keep_days: float, *, most: float | None = 0.05, trust_clock: bool = False) -> Expiry:
        """Remove tables that were not used for this long, at most this share of all; see expiry.py."""

    @abstractmethod
    async def aclose(self) -> None:
        """Finish the current work and let go of the database."""

    # ---- what only matters where several servers share the journal -------------------------------------------------

    @abstractmethod
    def write_place(self, host: str, port: int) -> None:
        """Note where this server listens, for those who find the games in use."""

    @abstractmethod
    async def claim(self, what: str, seconds: float) -> bool:
        """Whether this server may do some work for so long. It only saves others the work, and protects nothing."""

    @abstractmethod
    async def release(self, what: str) -> None:
        """Give up a claim before its time."""

    @abstractmethod
    def ring(self, topic: str, names: Collection[str] = ()) -> None:
        """Tell the other servers that something has changed, soon and without a promise."""

    @abstractmethod
    async def versions(self, tables: Collection[str]) -> dict[str, int]:
        """The last versions of those tables that exist."""
