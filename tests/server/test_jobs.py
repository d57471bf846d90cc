"""Bots and hints that think elsewhere: jobs in the database, and programs that take them."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import msgspec
import pytest

from kingdom_builder.message import Refusal
from kingdom_builder.notation import NotationError, parse_position
from kingdom_builder.players.guard import STAND_INS
from kingdom_builder.server import desk, thinkers, works
from kingdom_builder.server.desk import BotTurn
from kingdom_builder.server.fairness import Asker
from kingdom_builder.server.jobs import CLAIM_SECONDS, JOBS_TOPIC, Job, JobBoard
from kingdom_builder.server.postgres_journal import PostgresJournal
from kingdom_builder.server.thinkers import NoThinkers, SharedThinkers, Unanswered
from kingdom_builder.server.worker_program import WorkerProgram
from kingdom_builder.server.workers import TooLong, WorkerDied, Workers
from server.inside import PATIENCE, Json, World, run, world
from server.postgres_server import PostgresServer
from server.test_hints import TWINS

ANN = Asker("ann", "table")
SEAT = "GGGGDDFF/CCCCTTTT/G1GGDDFF/CCCCTTTT(fort) lords - 1 C5D1F4G4T4 DDDDT 3A/G/3/- 39:a3:b3:G 40:::?"


@contextlib.asynccontextmanager
async def opened(address: str) -> AsyncIterator[PostgresJournal]:
    journal = PostgresJournal(address)
    await journal.open()
    try:
        yield journal
    finally:
        await journal.aclose()


@contextlib.asynccontextmanager
async def working(address: str, processes: int = 1) -> AsyncIterator[WorkerProgram]:
    """A program that thinks, ready."""
    async with opened(address) as journal:
        program = WorkerProgram(journal, processes)
        task = asyncio.create_task(program.run())
        try:
            async with asyncio.timeout(PATIENCE):
                while await JobBoard(journal).processes() < processes and not task.done():
                    await asyncio.sleep(0.05)
            yield program
        finally:
            task.cancel()
            await asyncio.wait([task])


@contextlib.asynccontextmanager
async def staying(board: JobBoard) -> AsyncIterator[None]:
    """Somebody who says that they are there, and does nothing."""

    async def stay() -> None:
        while True:
            await board.come(1)
            await asyncio.sleep(CLAIM_SECONDS / 4)

    await board.come(1)
    task = asyncio.create_task(stay())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def rows(journal: PostgresJournal, query: str) -> list[tuple[Any, ...]]:
    return await journal.fetch(query)


async def until_no_jobs(journal: PostgresJournal) -> None:
    async with asyncio.timeout(PATIENCE):
        while await rows(journal, "SELECT 1 FROM jobs"):
            await asyncio.sleep(0.05)


async def bots_at(node: World, level: str = "greedy", **setup: Any) -> Json:
    """A new table of two bots."""
    wanted = {"seats": [{"kind": "bot", "level": level}] * 2, "setup": setup}
    made: Json = (await node.http.post("/api/tables", json=wanted)).json()
    return made


async def play_some_moves(node: World, made: Json) -> list[str]:
    """Look at a table of bots until they have played some moves; its notices."""
    await node.page(made["watch"])
    table = await node.table(made)
    async with asyncio.timeout(PATIENCE):
        while len(table.game.plies) < 12:
            await asyncio.sleep(0.02)
    return [notice.kind for notice in table.party.notices]


# ---- what is sent ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("work", "arguments"),
    [
        (desk.bot_turn, ("greedy", SEAT, "seed")),
        (desk.hints, (SEAT,)),
        (desk.forecasts, ([SEAT, TWINS[0]],)),
        (desk.analysis, (TWINS[0], tuple(desk.bot_turn("greedy", TWINS[0], "1").moves[:1]))),
    ],
)
def test_work_comes_through_the_database_as_it_was(work: Any, arguments: tuple[Any, ...]) -> None:
    body = works.encode_arguments(arguments)
    read, same = works.read_call(works.name_of(work), body)
    assert (read, same) == (work, arguments)
    result = work(*arguments)
    assert works.result_of(work, works.encode_answer(result)) == result


@pytest.mark.parametrize("position", [TWINS[0].replace("lords", "ladies"), "nonsense"])
def test_what_work_refuses_is_refused_in_the_same_words(position: str) -> None:
    with pytest.raises(NotationError) as before:
        desk.hints(position)
    with pytest.raises(NotationError) as after:
        works.result_of(desk.hints, works.encode_error(before.value))
    for error in (before.value, after.value):
        assert str(error) == str(before.value)
        assert (error.code, error.offset, error.pointer) == (
            before.value.code,
            before.value.offset,
            before.value.pointer,
        )
    with pytest.raises(Refusal) as refused:
        desk.analysis(SEAT, ("a1",))
    with pytest.raises(Refusal, match="The position hides cards"):
        works.result_of(desk.analysis, works.encode_error(refused.value))


@pytest.mark.parametrize(
    ("error", "kind"), [(WorkerDied("x"), WorkerDied), (TooLong("x"), TooLong), (KeyError(), RuntimeError)]
)
def test_failures_come_back_as_failures(error: Exception, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        works.result_of(desk.hints, works.encode_error(error))


def test_nobody_runs_programs_through_the_database() -> None:
    for level in ("run:touch /tmp/x", "py:os:system", "expert:9h"):
        with pytest.raises(Refusal, match="There is no bot"):
            works.read_call("bot_turn", works.encode_arguments((level, SEAT, "")))
    with pytest.raises(KeyError):
        works.read_call("prepare", b"[]")
    for body in (b'["greedy", 1, ""]', b"[]", b"{}", b"\x80"):
        with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
            works.read_call("bot_turn", body)
    with pytest.raises(ValueError, match="no work for others"):
        works.name_of(desk.preview)


def test_jobs_are_bounded() -> None:
    with pytest.raises(works.TooLarge):
        works.encode_arguments(("x" * works.MOST_BYTES,))
    with pytest.raises(RuntimeError, match="too long"):
        works.result_of(desk.hints, works.encode_answer("x" * works.MOST_BYTES))


# ---- who does it -----------------------------------------------------------------------------------------------------


def test_programs_think_for_two_servers_without_processes(postgres: PostgresServer) -> None:
    async def test() -> None:
        address = await postgres.new_database()
        async with (
            working(address) as program,
            World(Random(1), database=address, bot_workers=0) as first,
            World(Random(2), database=address, bot_workers=0) as second,
        ):
            games = [await bots_at(node, board="first") for node in (first, second)]
            notices = await asyncio.gather(*map(play_some_moves, (first, second), games))
            assert notices == [[], []], "no stand-in had to play"
            assert program.answered >= 4
            answer = await first.http.post("/api/hints", json={"position": SEAT})
            assert answer.status_code == 200
            assert answer.json() == json.loads(msgspec.json.encode(desk.hints(SEAT)))
            wrong = await second.http.post("/api/hints", json={"position": "nonsense"})
            assert (wrong.status_code, wrong.json()["code"], wrong.json()["offset"]) == (400, "unreadable", 8)

    run(test())


def test_a_job_has_only_what_the_bot_may_see(postgres: PostgresServer) -> None:
    async def test() -> None:
        address = await postgres.new_database()
        async with opened(address) as journal, World(database=address, bot_workers=0) as node:
            await JobBoard(journal).come(1)  # somebody who does nothing
            asked = []
            for position in TWINS:
                made = await bots_at(node, position=position)
                page = await node.page(made["watch"])
                async with asyncio.timeout(PATIENCE):
                    while not (found := await rows(journal, "SELECT work, arguments FROM jobs")):
                        await asyncio.sleep(0.01)
                ((work, arguments),) = found
                level, seen, _ = msgspec.json.decode(arguments)
                asked.append((work, level, seen))
                node.tables.bots.forget(await node.table(made))
                await until_no_jobs(journal)
                await page.close()
                node.pages.remove(page)
            assert asked[0] == asked[1], "they differ in a hidden card alone"
            assert asked[0][2].endswith(" 40:::?")
            parse_position(asked[0][2])

    run(test())


def test_the_job_of_a_program_that_died_is_done_by_another(postgres: PostgresServer) -> None:
    async def test() -> None:
        address = await postgres.new_database()
        async with (
            opened(address) as dead,
            World(database=address, bot_workers=0) as node,
            staying(board := JobBoard(dead)),  # or nobody would wait for the other one, which may take long to start
        ):
            asking = asyncio.create_task(
                node.tables.thinkers.run(ANN, desk.bot_turn, "greedy", SEAT, "1", seconds=PATIENCE, patient=True)
            )
            taken: list[Job] = []
            async with asyncio.timeout(PATIENCE):
                while not (taken := await board.take(5)):
                    await asyncio.sleep(0.02)
            assert not await board.take(5), "nobody else has it meanwhile"
            async with working(address) as program:
                turn = await asking
                assert turn == desk.bot_turn("greedy", SEAT, "1")
                assert program.answered == 1
            await board.answer(taken[0].id, b"late")
            assert not await rows(dead, "SELECT 1 FROM jobs"), "the answer that nobody waits for is dropped"

    run(test())


def test_a_program_that_goes_leaves_its_jobs_to_others(postgres: PostgresServer) -> None:
    async def test() -> None:
        address = await postgres.new_database()
        async with opened(address) as journal:
            board = JobBoard(journal)
            async with working(address):
                await board.ask("slow", "bot_turn", works.encode_arguments(("expert", "!", "")), seconds=9, patience=9)
                await board.ask("job", "forecasts", works.encode_arguments(([SEAT] * 9,)), seconds=9, patience=9)
            assert await board.processes() == 0
            await board.ask("next", "hints", works.encode_arguments((SEAT,)), seconds=9, patience=9)
            assert "next" in {job.id for job in await board.take(9)}

    run(test())


@pytest.mark.parametrize("steps", range(6))
def test_a_program_ends_also_if_it_hears_of_work_at_that_moment(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(board: JobBoard, count: int) -> list[Job]:
        return []

    async def test() -> None:
        program = WorkerProgram(PostgresJournal(""), 1)
        taking = asyncio.create_task(program._take_on())
        await asyncio.sleep(0.01)
        program._heard(JOBS_TOPIC, [])
        for _ in range(steps):
            await asyncio.sleep(0)
        taking.cancel()
        await asyncio.wait([taking], timeout=2)
        assert taking.cancelled()

    monkeypatch.setattr(JobBoard, "take", nothing)
    run(test())


def test_work_that_nobody_waits_for_is_stopped_and_removed(postgres: PostgresServer) -> None:
    async def test() -> None:
        address = await postgres.new_database()
        async with opened(address) as journal, working(address) as program, World(database=address) as node:
            asking = asyncio.create_task(node.tables.thinkers.run(ANN, desk.hints, SEAT, seconds=9))
            async with asyncio.timeout(PATIENCE):
                while not program._doing and not asking.done():
                    await asyncio.sleep(0)
            asking.cancel()
            await asyncio.wait([asking])
            await until_no_jobs(journal)
            async with asyncio.timeout(PATIENCE):
                while program._doing:
                    await asyncio.sleep(0.02)
            board = JobBoard(journal)
            await board.ask("old", "hints", b"[]", seconds=1, patience=-1)
            assert not await board.take(9), "its time is over"
            await board.tidy()
            assert not await rows(journal, "SELECT 1 FROM jobs")

    run(test())


def test_programs_that_do_not_answer_are_not_waited_for(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinkers, "SLACK", 0.2)

    async def test() -> None:
        address = await postgres.new_database()
        async with opened(address) as journal, World(database=address, bot_workers=0) as node:
            board = JobBoard(journal)
            await board.come(1)
            shared = node.tables.thinkers
            assert isinstance(shared, SharedThinkers)
            with pytest.raises(Unanswered):
                await shared._elsewhere.run(ANN, desk.hints, SEAT, seconds=0.1)
            turn = await shared.run(ANN, desk.bot_turn, "greedy", SEAT, "1", seconds=0.1)
            assert turn == desk.bot_turn("greedy", SEAT, "1")
            began = asyncio.get_running_loop().time()
            await shared.run(ANN, desk.bot_turn, "greedy", SEAT, "1", seconds=600)
            assert asyncio.get_running_loop().time() - began < PATIENCE, "they are not asked again at once"
            await until_no_jobs(journal)

    run(test())


def test_who_waits_learns_that_all_programs_have_gone(postgres: PostgresServer) -> None:
    async def test() -> None:
        address = await postgres.new_database()
        async with opened(address) as journal, World(database=address, bot_workers=0) as node:
            await JobBoard(journal).come(1)
            began = asyncio.get_running_loop().time()
            turn = await node.tables.thinkers.run(ANN, desk.bot_turn, "greedy", SEAT, "1", seconds=600)
            assert isinstance(turn, BotTurn)
            assert asyncio.get_running_loop().time() - began < CLAIM_SECONDS + PATIENCE

    run(test())


@pytest.mark.parametrize("shared", [False, True])
def test_a_server_without_anybody_plays_greedy_and_gives_no_hints(shared: bool, postgres: PostgresServer) -> None:
    async def test() -> None:
        address = await postgres.new_database() if shared else ""
        async with world(bot_workers=0, database=address) as node:
            made = (
                await node.http.post("/api/tables", json={"seats": [{"kind": "bot", "level": "expert"}] * 2})
            ).json()
            assert await play_some_moves(node, made) == ["bot-failed", "bot-failed"], "people are told"
            answer = await node.http.post("/api/hints", json={"position": SEAT})
            assert (answer.status_code, answer.json()["message"]["text"]) == (
                503,
                "Nobody is there to work this out: this server gives no hints now.",
            )

    run(test())


def test_the_simplest_bots_need_no_stand_in() -> None:
    async def test() -> None:
        for level in STAND_INS:
            assert (await NoThinkers().run(ANN, desk.bot_turn, level, SEAT, "1", seconds=1)).moves

    run(test())


def test_without_programs_the_processes_of_the_server_think(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with World(database=await postgres.new_database()) as node:
            answer = await node.http.post("/api/hints", json={"position": SEAT})
            assert answer.status_code == 200
            shared = node.tables.thinkers
            assert isinstance(shared, SharedThinkers)
            assert isinstance(shared._own, Workers)
            assert len(shared._own._idle) == 1

    run(test())


def test_a_server_on_sqlite_has_its_own_processes() -> None:
    async def test() -> None:
        async with world(data=None) as node:
            if not node.tables.journal.is_shared:
                assert type(node.tables.thinkers) is Workers

    run(test())
