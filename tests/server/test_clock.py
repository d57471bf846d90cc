"""Whatever the clock does, no table is removed that was used within the time for which tables are kept."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingdom_builder.server.expiry import DAY, Expiry
from kingdom_builder.server.sqlite_journal import SqliteJournal
from server.inside import run

KEEP = 180.0
NOW = 1_800_000_000.0

Use = tuple[str, int]
"""What happens: use a table, let days pass, set the clock wrong by some days, start again, expire."""
steps = st.lists(
    st.one_of(
        st.tuples(st.just("use"), st.integers(0, 5)),
        st.tuples(st.just("pass"), st.integers(0, 400)),
        st.tuples(st.just("set"), st.one_of(st.just(0), st.integers(-3650, 3650), st.integers(-400, 400))),
        st.tuples(st.just("restart"), st.integers(0, 400)),
        st.tuples(st.just("expire"), st.integers(0, 1)),
    ),
    max_size=40,
)


class Machine:
    """A machine whose clock can be set, with a journal; it knows the real time."""

    def __init__(self, folder: Path) -> None:
        self.real = NOW
        self.wrong_by = 0.0
        self.used: dict[str, float] = {}
        """When each table was really used last."""
        self._folder = folder
        self._booted = 0.0
        self.journal: SqliteJournal

    def start(self) -> None:
        """Start the server, as if the machine had been started too."""
        self._booted = self.real - 100
        self.journal = SqliteJournal(
            self._folder, clock=lambda: self.real + self.wrong_by, stopwatch=lambda: self.real - self._booted
        )

    def restart(self, days_later: float = 0) -> None:
        self.journal.close()
        self.real += days_later * DAY
        self.start()

    async def use(self, table: str) -> None:
        generation, entries = await self.journal.load(table)
        if entries:
            await self.journal.append(table, len(entries) + 1, 1, b"", generation)
        else:
            await self.journal.create(table, 1, b"")
        self.used[table] = self.real

    async def expire(self, **options: Any) -> Expiry:
        """Expire, and see that only tables are gone that were not used for long."""
        expiry = await self.journal.expire(KEEP, **options)
        for table, used in list(self.used.items()):
            if not (await self.journal.load(table)).entries:
                assert self.real - used > KEEP * DAY, f"{table} was used {(self.real - used) / DAY} days ago"
                del self.used[table]
        return expiry


@contextlib.asynccontextmanager
async def machine(folder: Path) -> AsyncIterator[Machine]:
    made = Machine(folder)
    made.start()
    try:
        yield made
    finally:
        made.journal.close()


@settings(deadline=None)
@given(steps)
def test_no_clock_removes_a_table_that_was_used_lately(steps: list[Use]) -> None:
    async def test() -> None:
        with tempfile.TemporaryDirectory() as folder:
            async with machine(Path(folder)) as made:
                for what, number in steps:
                    match what:
                        case "use":
                            await made.use(str(number))
                        case "pass":
                            made.real += number * DAY
                        case "set":
                            made.wrong_by = number * DAY
                        case "restart":
                            made.restart(number)
                        case "expire":
                            await made.expire(most=None if number else 0.05)

    run(test())


@pytest.mark.parametrize("days", [-3650, -365, -181, -1, 1, 100, 170, 181, 365, 3650])
@pytest.mark.parametrize("when", ["at the start", "while running"])
def test_a_clock_that_is_set_removes_nothing(tmp_path: Path, days: int, when: str) -> None:
    """Tables were used 0 to 175 days before; the clock is wrong for a while, then right again."""

    async def test() -> None:
        async with machine(tmp_path) as made:
            for number in range(8):
                await made.use(str(number))
                made.real += 25 * DAY
            made.used = {table: used for table, used in made.used.items() if made.real - used < KEEP * DAY}
            for wrong_by in (days, days / 2, 0):
                if when == "at the start":
                    made.restart()
                made.wrong_by = wrong_by * DAY
                if when == "at the start":
                    made.restart()
                await made.expire(most=None)
                await made.use("7")
                await made.expire(most=None)
            assert len(made.used) == 7

    run(test())


def refused(tmp_path: Path, days: float) -> str:
    async def test() -> str:
        async with machine(tmp_path) as made:
            await made.use("table")
            made.wrong_by = days * DAY
            made.restart()
            return (await made.expire()).refusal

    return asyncio.run(test())


def test_a_clock_that_cannot_be_right_is_reported(tmp_path: Path) -> None:
    expected = "The clock of this machine says that {}: no tables are removed (see kb tables expire --help)."
    assert refused(tmp_path / "1", 181) == expected.format("no table was used for 181 days")
    assert refused(tmp_path / "2", -2) == expected.format("a table was used 2 days from now")
    assert refused(tmp_path / "3", 170) == ""
    assert refused(tmp_path / "4", -0.9) == ""


def test_tables_that_nobody_uses_go_a_few_at_a_time(tmp_path: Path) -> None:
    async def test() -> None:
        async with machine(tmp_path) as made:
            for number in range(100):
                await made.use(f"{number:03}")
                made.real += 60
            made.real += 150 * DAY
            for number in range(50, 100):
                await made.use(f"{number:03}")
            made.real += 31 * DAY
            before = made.journal.generation
            assert await made.expire() == (5, 45, "")
            assert sorted(made.used) == [f"{number:03}" for number in range(5, 100)], "the oldest ones went"
            assert made.journal.tables == 95
            assert made.journal.generation > before
            made.restart()
            assert await made.expire() == (4, 41, "")
            assert await made.expire(most=None) == (41, 0, "")
            assert await made.expire() == (0, 0, "")
            assert len(made.used) == made.journal.tables == 50

    run(test())


def test_one_table_may_always_go(tmp_path: Path) -> None:
    async def test() -> None:
        async with machine(tmp_path) as made:
            await made.use("old")
            made.real += 181 * DAY
            await made.use("new")
            assert await made.expire() == (1, 0, "")
            assert set(made.used) == {"new"}

    run(test())


def test_a_table_made_long_ago_and_played_at_today_stays(tmp_path: Path) -> None:
    async def test() -> None:
        async with machine(tmp_path) as made:
            await made.use("table")
            made.real += 181 * DAY
            await made.use("table")
            made.restart()
            assert await made.expire(most=None) == (0, 0, "")
            assert set(made.used) == {"table"}

    run(test())


def test_days_without_a_server_count_only_for_who_trusts_the_clock(tmp_path: Path) -> None:
    async def test() -> None:
        async with machine(tmp_path) as made:
            await made.use("old")
            made.restart(days_later=181)
            await made.use("new")
            assert await made.expire(most=None) == (0, 0, "")
            assert await made.expire(most=None, trust_clock=True) == (1, 0, "")
            assert set(made.used) == {"new"}

    run(test())


def test_time_goes_on_from_what_was_written_down(tmp_path: Path) -> None:
    """A hundred starts of two days each are two hundred days, also if nothing is played."""

    async def test() -> None:
        async with machine(tmp_path) as made:
            await made.use("old")
            for _ in range(100):
                made.real += 2 * DAY
                made.restart()
            await made.use("new")
            assert await made.expire() == (1, 0, "")

    run(test())
