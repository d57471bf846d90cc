"""A world that breaks: a database, servers, tables with people and bots, and faults."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit
from zlib import crc32

import httpx
from server.postgres_server import PostgresServer

from faults.checker import Verdict, check_table
from faults.memory import Json, Memory
from faults.mischief import Mischief, Plan
from faults.nodes import Launcher, Node
from faults.page import Habits, Page, Seated
from faults.proxy import Link
from faults.report import Report, Times
from kingdom_builder.server.postgres_journal import PostgresJournal

PROMISED_SECONDS = 10.0
"""How long it may take after the last fault until every table goes on."""

SETTLING_SECONDS = 40.0
"""After how long a table that does not go on never will."""

SEATS = (
    ("person", "person"),
    ("person", "greedy"),
    ("person", "random", "person"),
    ("person", "person", "person", "person"),
    ("person", "greedy", "random"),
)
CLOCK = {"kind": "live", "start": 60, "add": 10}


@dataclass
class Shape:
    """What a world is like."""

    nodes: int = 3
    tables: int = 50
    affinity: float = 0.5
    """The share of tables whose pages all go to the same server, as long as it is ready."""
    bug: str = ""
    seed: int = 1
    seats: tuple[tuple[str, ...], ...] = SEATS
    habits: Habits = field(default_factory=Habits)
    plan: Plan = field(default_factory=Plan)
    promised: float = PROMISED_SECONDS
    settling: float = SETTLING_SECONDS


def play(shape: Shape, postgres: PostgresServer) -> Report:
    """Let people play in a new database while things break, and compare what they saw with the logs."""
    with TemporaryDirectory(prefix="kb-faults-") as folder:
        return asyncio.run(_play(shape, postgres, Path(folder)))


async def _play(shape: Shape, postgres: PostgresServer, folder: Path) -> Report:
    database = await postgres.new_database()
    async with open_world(shape, postgres, database, folder) as world:
        await world.begin()
        await world.mischief.run()
        await world.settle()
        await world.come_to_rest()
        verdicts = await world.check(database)
        return world.report(verdicts)


@asynccontextmanager
async def open_world(shape: Shape, postgres: PostgresServer, database: str, folder: Path) -> AsyncIterator["World"]:
    launcher = Launcher(shape.bug)
    try:
        async with AsyncExitStack() as stack:
            links = [await stack.enter_async_context(Link(postgres.socket)) for _ in range(shape.nodes)]
            nodes = []
            for number, link in enumerate(links):
                address = f"postgresql://postgres@127.0.0.1:{link.port}{urlsplit(database).path}"
                nodes.append(await stack.enter_async_context(Node(number, launcher, address, folder)))
            world = World(shape, nodes, Mischief(shape.plan, nodes, links, postgres, Random(shape.seed)), folder)
            world.database = database
            stack.push_async_callback(world.close)
            yield world
    finally:
        launcher.close()


class World:
    """What runs, and who plays."""

    def __init__(self, shape: Shape, nodes: list[Node], mischief: Mischief, folder: Path) -> None:
        self.shape = shape
        self.nodes = nodes
        self.mischief = mischief
        self.database = ""
        self.pages: list[Page] = []
        self.tables: list[Seated] = []
        self._folder = folder
        self._rng = Random(shape.seed)
        self._playing: list[asyncio.Task[None]] = []
        self._began = 0.0
        self._recovery: dict[str, float] = {}
        self._violations: list[str] = []

    async def begin(self) -> None:
        """Make the tables, and let people sit down."""
        for node in self.nodes:
            await node.ready()
        ids = (f"c{number}" for number in itertools.count(1))
        async with httpx.AsyncClient(timeout=30, trust_env=False) as http:
            for number in range(self.shape.tables):
                await self._make_table(http, number, ids)
        self._began = time.monotonic()
        self._playing = [asyncio.create_task(page.run()) for page in self.pages]
        await asyncio.sleep(1)

    async def _make_table(self, http: httpx.AsyncClient, number: int, ids: Iterator[str]) -> None:
        kinds = self.shape.seats[number % len(self.shape.seats)]
        seats = [{"kind": "person"} if kind == "person" else {"kind": "bot", "level": kind} for kind in kinds]
        node = self.nodes[number % len(self.nodes)]
        order = {"seats": seats, "setup": {}, "clock": CLOCK if number % 3 else {"kind": "none", "start": 0, "add": 0}}
        answer = await http.post(f"http://127.0.0.1:{node.port}/api/tables", json=order)
        assert answer.status_code == 200, answer.text
        made: Json = answer.json()
        table = Seated(made["id"], Memory(self._folder / f"{made['id']}.gz"))
        self.tables.append(table)
        first, *others = [token for token in made["seats"] if token]
        sharing = others[:1] if number % 10 == 9 else []  # two people at one device
        groups = [[first, made["host"], *sharing], *[[token] for token in others[len(sharing) :]]]
        if number % 4 == 0:
            groups.append([made["watch"]])
        for tokens in groups:
            rng = Random(self._rng.random())
            count = len(self.pages)
            choose, habits = self._chooser(number, rng), self.shape.habits
            self.pages.append(Page(count, table, tokens, choose, rng, ids, habits, reads_differences=count % 2 == 1))

    def _chooser(self, number: int, rng: Random) -> "_Chooser":
        return _Chooser(self.nodes, rng, has_affinity=number % 100 < 100 * self.shape.affinity)

    async def settle(self) -> None:
        """Wait until every table goes on after the last fault."""
        stored = await self._stored()
        over_at = self.mischief.over_at
        until = over_at + self.shape.settling
        while time.monotonic() < until:
            for table in self.tables:
                if table.id not in self._recovery and table.version > stored[table.id]:
                    later = [at for at, version in table.heard if version > stored[table.id]]
                    self._recovery[table.id] = max(0.0, later[0] - over_at)
            if len(self._recovery) == len(self.tables):
                break
            await asyncio.sleep(0.05)
        for table in self.tables:
            took = self._recovery.get(table.id)
            if took is None:
                self._violations.append(
                    f"table {table.id}: it did not go on in {self.shape.settling:.0f} s after the last fault"
                    f" (version {stored[table.id]}, heard of {table.version})"
                )
            elif took > self.shape.promised:
                self._violations.append(f"table {table.id}: it went on {took:.1f} s after the last fault")

    async def come_to_rest(self) -> None:
        """Let people stop, and wait until all of them have seen the end of the log."""
        for page in self.pages:
            page.is_playing = False
        until = time.monotonic() + self.shape.settling
        while True:
            stored = await self._stored()
            behind = [page for page in self.pages if page.is_waiting or page.version < stored[page.table.id]]
            if not behind or time.monotonic() > until:
                break
            await asyncio.sleep(0.3)
        for page in behind:
            self._violations.append(
                f"table {page.table.id}: page {page.number} has {'an unanswered command and ' * page.is_waiting}"
                f"version {page.version}, but the log has {stored[page.table.id]}"
            )
        await self._leave()

    async def _stored(self) -> dict[str, int]:
        """The last version of each table in its log."""
        import asyncpg

        connection = await asyncpg.connect(self.database, timeout=30)
        try:
            rows = await connection.fetch("SELECT id, max(version) FROM entries GROUP BY id")
        finally:
            await connection.close()
        return {row[0]: row[1] for row in rows}

    async def check(self, database: str) -> list[Verdict]:
        """Compare what everybody saw with the logs."""
        journal = PostgresJournal(database)
        await journal.open()
        try:
            logs = [await journal.load(table.id) for table in self.tables]
        finally:
            await journal.aclose()
        pages = {table.id: [page for page in self.pages if page.table is table] for table in self.tables}
        return [
            await check_table(journal, table.id, log, pages[table.id], iter(table.memory))
            for table, log in zip(self.tables, logs, strict=True)
        ]

    def report(self, verdicts: list[Verdict]) -> Report:
        commands = [sent for page in self.pages for sent in page.sent]
        gaps = [
            later - earlier
            for table in self.tables
            for (earlier, _), (later, _) in itertools.pairwise(table.heard)
            if earlier < self.mischief.over_at
        ]
        lost = [why for page in self.pages for why in page.lost]
        turned_away = [
            f"page {page.number} was turned away: {page.turned_away}" for page in self.pages if page.turned_away
        ]
        nonsense = [f"page {page.number} cannot read {each}" for page in self.pages for each in page.nonsense]
        return Report(
            seconds=self.mischief.over_at - self._began,
            nodes=len(self.nodes),
            tables=len(self.tables),
            pages=len(self.pages),
            faults=self.mischief.did,
            commands=commands,
            connections=sum(page.connections for page in self.pages),
            lost=lost,
            gaps=Times.of([page.longest_gap for page in self.pages if page.longest_gap is not None]),
            differences=sum(page.differences for page in self.pages),
            starts=sum(node.starts for node in self.nodes),
            conflicts=sum(node.conflicts for node in self.nodes),
            entries=sum(verdict.entries for verdict in verdicts),
            messages=sum(verdict.messages for verdict in verdicts),
            late=sum(verdict.late for verdict in verdicts),
            recovery=Times.of(list(self._recovery.values())),
            standstill=Times.of(gaps),
            violations=[
                *self._violations,
                *turned_away,
                *nonsense,
                *(each for one in verdicts for each in one.violations),
            ],
            complaints=[
                line
                for node in self.nodes
                if node.output.exists()
                for line in node.output.read_text(errors="replace").splitlines()
            ],
        )

    async def _leave(self) -> None:
        for task in self._playing:
            task.cancel()
        results = await asyncio.gather(*self._playing, return_exceptions=True)
        self._playing = []
        for table in self.tables:
            table.memory.close()
        for result in results:
            if isinstance(result, Exception):
                raise result

    async def close(self) -> None:
        for task in self._playing:
            task.cancel()
        await asyncio.gather(*self._playing, return_exceptions=True)


class _Chooser:
    """Sends pages to servers, as a proxy in front of them does: to those that are ready, if any is."""

    def __init__(self, nodes: list[Node], rng: Random, *, has_affinity: bool) -> None:
        self._nodes = nodes
        self._rng = rng
        self._has_affinity = has_affinity

    def __call__(self, table: str, attempts: int) -> int:
        ready = [node for node in self._nodes if node.is_ready] or self._nodes
        if self._has_affinity and attempts <= 1:
            return min(ready, key=lambda node: crc32(f"{table} {node.number}".encode())).port
        return self._rng.choice(ready).port
