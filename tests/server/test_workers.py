"""Processes that compute: whose work comes next, what it may take, and what becomes of it when somebody leaves."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvloop
from processes import is_running, wait_for

from kingdom_builder.message import Refusal
from kingdom_builder.notation import NotationError
from kingdom_builder.server import desk
from kingdom_builder.server import workers as module
from kingdom_builder.server.fairness import HALF_LIFE, Usage
from kingdom_builder.server.workers import Asker, TooLong, WorkerDied, Workers
from server import chores

ANN, BOB = Asker("ann", "table"), Asker("bob", "table")
PATIENCE = 60.0

Test = Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture(params=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Test:
    """Runs a coroutine in one of the loops that a server may have."""
    factory = uvloop.new_event_loop if request.param == "uvloop" else asyncio.new_event_loop

    def run(test: Coroutine[Any, Any, None]) -> None:
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(test)

    return run


@asynccontextmanager
async def some(count: int = 1, most_waiting: int = 8) -> AsyncIterator[Workers]:
    workers = Workers(count, most_waiting)
    try:
        yield workers
    finally:
        workers.close()


async def begun(mark: Path) -> int:
    """Waits until some work has begun; its process."""
    while not mark.exists() or not mark.read_text():
        await asyncio.sleep(0.005)
    return int(mark.read_text())


# ---- work ------------------------------------------------------------------------------------------------------------


def test_work_is_done_in_another_process(run: Test) -> None:
    async def test() -> None:
        async with some() as workers:
            assert await workers.run(ANN, chores.double, 21, seconds=9) == 42
            first = await workers.run(ANN, chores.process, seconds=9)
            assert first != os.getpid()
            assert await workers.run(BOB, chores.process, seconds=9) == first
            assert await workers.run(BOB, len, "x" * 5_000_000, seconds=9) == 5_000_000
            assert len(await workers.run(BOB, bytes, 5_000_000, seconds=9)) == 5_000_000
            assert await workers.run(BOB, chores.niceness, seconds=9) >= os.nice(0) + 1
            assert await workers.run(BOB, chores.chatter, seconds=9) == "done"

    run(test())


def test_what_work_raises_is_raised(run: Test) -> None:
    async def test() -> None:
        async with some() as workers:
            with pytest.raises(NotationError) as unreadable:
                await workers.run(ANN, chores.unreadable, seconds=9)
            assert (unreadable.value.offset, unreadable.value.line) == (3, 2)
            with pytest.raises(Refusal) as refusal:
                await workers.run(ANN, chores.refused, seconds=9)
            assert (refusal.value.code, str(refusal.value)) == ("hidden", "That is hidden.")
            with pytest.raises(RuntimeError, match="cannot be sent"):
                await workers.run(ANN, chores.unpicklable, seconds=9)
            assert await workers.run(ANN, chores.double, 1, seconds=9) == 2

    run(test())


def test_there_are_as_many_processes_as_there_should_be(run: Test) -> None:
    async def test() -> None:
        async with some(2) as workers:
            found = await asyncio.gather(*[workers.run(ANN, chores.process, seconds=9) for _ in range(8)])
            assert len(set(found)) == 2

    run(test())


def test_a_process_that_dies_costs_one_piece_of_work(run: Test) -> None:
    async def test() -> None:
        async with some() as workers:
            with pytest.raises(WorkerDied):
                await workers.run(ANN, chores.die, seconds=9)
            assert await workers.run(ANN, chores.double, 1, seconds=9) == 2
            os.kill(await workers.run(ANN, chores.process, seconds=9), signal.SIGKILL)
            with pytest.raises(WorkerDied):
                await workers.run(ANN, chores.double, 1, seconds=9)
            assert await workers.run(ANN, chores.double, 1, seconds=9) == 2

    run(test())


def test_work_that_takes_too_long_is_stopped(run: Test, tmp_path: Path) -> None:
    async def test() -> None:
        async with some() as workers:
            mark = tmp_path / "mark"
            with pytest.raises(TooLong):
                await workers.run(ANN, chores.busy, PATIENCE, str(mark), seconds=0.5)
            process = await begun(mark)
            assert await workers.run(ANN, chores.process, seconds=9) != process
            wait_for(lambda: not is_running(process))

    run(test())


def test_the_time_until_its_turn_does_not_count(run: Test) -> None:
    async def test() -> None:
        async with some() as workers:
            first = asyncio.create_task(workers.run(ANN, chores.busy, 1.0, seconds=9))
            await asyncio.sleep(0)
            assert await workers.run(BOB, chores.double, 1, seconds=0.9) == 2
            assert first.done()
            await first

    run(test())


def test_the_end_of_the_server_ends_everything(run: Test, tmp_path: Path) -> None:
    async def test() -> None:
        workers = Workers(1)
        mark = tmp_path / "mark"
        doing = asyncio.create_task(workers.run(ANN, chores.busy, PATIENCE, str(mark), seconds=PATIENCE))
        waiting = asyncio.create_task(workers.run(ANN, chores.double, 1, seconds=9))
        process = await begun(mark)
        workers.close()
        assert not is_running(process)
        results = await asyncio.gather(doing, waiting, return_exceptions=True)
        assert [type(result) for result in results] == [WorkerDied, WorkerDied]
        with pytest.raises(WorkerDied):
            await workers.run(ANN, chores.double, 1, seconds=9)

    run(test())


SERVER = """
import asyncio
from kingdom_builder.server.workers import Asker, Workers
from server import chores
asyncio.run(Workers(1).run(Asker("", ""), chores.busy, 600, {mark!r}, seconds=600))
"""


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_that_computes_ends_with_a_server_that_is_killed(tmp_path: Path, sign: int) -> None:
    mark = tmp_path / "mark"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    server = subprocess.Popen([sys.executable, "-c", SERVER.format(mark=str(mark))], env=environment)
    wait_for(lambda: mark.exists() and bool(mark.read_text()))
    process = int(mark.read_text())
    assert os.getsid(process) != os.getsid(server.pid), "Ctrl+C at the terminal is for the server"
    server.send_signal(sign)
    server.wait()
    wait_for(lambda: not is_running(process))


# ---- who leaves ------------------------------------------------------------------------------------------------------


def test_the_work_of_somebody_who_leaves_is_stopped(run: Test, tmp_path: Path) -> None:
    async def test() -> None:
        async with some() as workers:
            mark = tmp_path / "mark"
            doing = asyncio.create_task(workers.run(ANN, chores.busy, PATIENCE, str(mark), seconds=PATIENCE))
            process = await begun(mark)
            doing.cancel()
            assert await workers.run(BOB, chores.double, 1, seconds=9) == 2
            wait_for(lambda: not is_running(process))
            assert doing.cancelled()
            now = asyncio.get_running_loop().time()
            used = workers._queue._by_visitor.of("ann", now)
            assert used > 0.5 * (module.GRACE + module.START_SECONDS), "a new process is not for nothing"

    run(test())


def test_the_last_moments_of_work_cost_no_process_when_its_asker_leaves(
    run: Test, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GRACE", PATIENCE)

    async def test() -> None:
        async with some() as workers:
            mark = tmp_path / "mark"
            doing = asyncio.create_task(workers.run(ANN, chores.busy, 0.2, str(mark), seconds=PATIENCE))
            process = await begun(mark)
            doing.cancel()
            await asyncio.wait([doing])
            assert doing.cancelled()
            assert await workers.run(BOB, chores.process, seconds=9) == process

    run(test())


def test_work_that_nobody_waits_for_has_no_more_time_than_it_had(
    run: Test, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GRACE", 10 * PATIENCE)

    async def test() -> None:
        async with some() as workers:
            mark = tmp_path / "mark"
            doing = asyncio.create_task(workers.run(ANN, chores.busy, 10 * PATIENCE, str(mark), seconds=0.5))
            process = await begun(mark)
            doing.cancel()
            assert await workers.run(BOB, chores.process, seconds=9) != process

    run(test())


def test_nothing_is_logged_of_work_that_fails_when_its_asker_has_left(
    run: Test, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        async with some() as workers:
            mark = tmp_path / "mark"
            doing = asyncio.create_task(workers.run(ANN, chores.busy, PATIENCE, str(mark), seconds=PATIENCE))
            process = await begun(mark)
            doing.cancel()
            await asyncio.wait([doing])
            os.kill(process, signal.SIGKILL)
            assert await workers.run(BOB, chores.double, 1, seconds=9) == 2

    run(test())
    gc.collect()
    assert not caplog.records


def test_work_does_not_wait_for_a_new_process_while_another_is_ready(
    run: Test, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with some(2) as workers:
            await asyncio.gather(*[workers.run(ANN, chores.process, seconds=9) for _ in range(2)])
            monkeypatch.setattr(desk, "prepare", chores.oversleep)
            with pytest.raises(TooLong):
                await workers.run(ANN, chores.busy, PATIENCE, seconds=0.1)
            assert await workers.run(BOB, chores.double, 1, seconds=9) == 2

    run(test())


def test_work_that_waits_is_not_begun_when_its_asker_leaves(run: Test, tmp_path: Path) -> None:
    async def test() -> None:
        async with some() as workers:
            await workers.run(ANN, chores.double, 1, seconds=9)
            doing = asyncio.create_task(workers.run(ANN, chores.busy, 0.2, seconds=9))
            leaving = [
                asyncio.create_task(workers.run(BOB, chores.busy, PATIENCE, str(tmp_path / str(each)), seconds=9))
                for each in range(3)
            ]
            await asyncio.sleep(0)
            for each in leaving:
                each.cancel()
            await asyncio.wait([doing, *leaving])
            assert await workers.run(ANN, chores.double, 1, seconds=9) == 2
            assert not list(tmp_path.iterdir())
            assert not workers._queue._waiting
            assert not workers._queue._running

    run(test())


def test_one_who_leaves_at_the_moment_of_their_turn_takes_no_process_along(run: Test) -> None:
    async def test() -> None:
        async with some() as workers:
            for _ in range(5):
                leaving = asyncio.create_task(workers.run(ANN, chores.double, 1, seconds=9))
                for _ in range(3):
                    await asyncio.sleep(0)
                leaving.cancel()
                await asyncio.wait([leaving])
                assert await workers.run(BOB, chores.double, 1, seconds=9) == 2
                assert not workers._queue._running

    run(test())


# ---- whose turn it is ------------------------------------------------------------------------------------------------


class Order:
    """Notes in which order work is done."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.done: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    def ask(self, asker: Asker, seconds: float, times: int = 1) -> None:
        self.tasks += [asyncio.create_task(self._ask(asker, seconds)) for _ in range(times)]

    async def _ask(self, asker: Asker, seconds: float) -> None:
        await self.workers.run(asker, chores.busy, seconds, seconds=9, patient=True)
        self.done.append(f"{asker.visitor} {asker.table}")


def test_fifteen_tables_of_one_visitor_do_not_delay_another(run: Test) -> None:
    async def test() -> None:
        async with some() as workers:
            order = Order(workers)
            for table in range(15):
                order.ask(Asker("ann", str(table)), 0.1)
            while len(order.done) < 2:
                await asyncio.sleep(0.005)
            order.ask(BOB, 0.001, times=3)
            await asyncio.gather(*order.tasks)
            assert order.done[2:7].count("bob table") == 3

    run(test())


def test_one_table_of_a_visitor_does_not_starve_another(run: Test) -> None:
    async def test() -> None:
        async with some() as workers:
            order = Order(workers)
            order.ask(Asker("ann", "slow"), 0.1, times=10)
            order.ask(Asker("ann", "quick"), 0.001, times=10)
            await asyncio.gather(*order.tasks)
            assert order.done.index("ann slow") <= 1
            assert order.done[:13].count("ann quick") == 10

    run(test())


def test_too_much_work_of_one_visitor_is_refused_and_that_of_others_is_not(run: Test) -> None:
    async def test() -> None:
        async with some(most_waiting=3) as workers:
            order = Order(workers)
            order.ask(ANN, 0.3, times=4)
            await asyncio.sleep(0)
            with pytest.raises(Refusal) as refusal:
                await workers.run(ANN, chores.double, 1, seconds=9)
            assert refusal.value.code == "busy"
            assert await workers.run(BOB, chores.double, 1, seconds=9) == 2
            assert await workers.run(ANN, chores.double, 1, seconds=9, patient=True) == 2
            await asyncio.gather(*order.tasks)

    run(test())


def test_what_was_used_is_forgotten_by_and_by() -> None:
    usage = Usage()
    now = 1000.0
    usage.add("ann", 8.0, now)
    assert usage.of("ann", now + 3 * HALF_LIFE) == pytest.approx(1.0)
    assert usage.of("bob", now) == 0
    for visitor in range(100_000):
        now += 0.1
        usage.add(visitor, 0.02, now)
        assert len(usage) < 2_000
