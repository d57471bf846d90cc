"""Clocks at tables: what is left follows from the log, and no time without the server costs anybody anything."""

import os
import time
from pathlib import Path
from random import Random

import pytest

from kingdom_builder.server import entries
from kingdom_builder.server.clocks import NORMAL, Clock
from kingdom_builder.server.journal import Loaded, StoreError
from kingdom_builder.server.table import Table
from kingdom_builder.server.timekeeper import GRACE_SECONDS, SIGN_SECONDS, excuse, notice_time
from server.client import Client, Json, Server
from server.conftest import Start
from server.hand_clock import HandClock
from server.inside import World, run, world
from server.test_company import Meeting, done, meet, pass_time, rows
from server.test_persons import logged

DOWN_SECONDS = float(os.environ.get("DOWN_SECONDS", "3"))
"""How long the real server of these tests is dead; `make faults` has 60."""

DAYS = Clock("days", 3_600, 7_200)


def lefts(table: Table, now: int) -> list[int]:
    assert table.clocks is not None
    return [table.clocks.times.left(seat, now) for seat in range(len(table.party.seats))]


async def restored(inside: World, table: Table) -> Table:
    """The table as another server would read it from the log."""
    return await Table.restore(table.id, inside.tables.journal, await inside.tables.journal.load(table.id))


async def something(meeting: Meeting, table: Table, rng: Random) -> None:
    """Something that happens at a table: mostly a move."""
    seat = rng.randrange(len(meeting.pages))
    page = meeting.pages[seat]
    what = rng.random()
    if what < 0.5 and not table.party.is_paused and not table.bot_in_turn():
        acting = meeting.pages[table.game.player]
        move = rng.choice(table.game.legal_moves())
        await acting.ask(type="play", version=table.version, move=move)
    elif what < 0.6:
        await page.ask(type="undo", version=table.version, whole_turn=rng.random() < 0.5)
    elif what < 0.7:
        await page.ask(type="consent", to=rng.choice(["pause", "resume"]))
    elif what < 0.75:
        await page.ask(type="say", text="Hello", seat=seat)
    elif what < 0.8:
        now = round(meeting.clock.milliseconds)
        await excuse(table, [(now - rng.randrange(20_000), now + rng.randrange(5_000))])
    elif what < 0.9:
        await page.ask(type="take-back", seat=seat)
    else:
        await notice_time(table)
    await page.sync()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("control", [NORMAL, DAYS, Clock("live", 60, 5)], ids=str)
def test_what_is_left_is_the_same_for_whoever_reads_the_log(control: Clock, seed: int) -> None:
    """At any moment: after moves, undo, pauses, timeouts, gaps, bots that stand in, and a clock that was set back."""

    async def test() -> None:
        rng, clock = Random(seed), HandClock()
        async with world(Random(seed), clock, bot_pause=1000) as inside:
            meeting = await meet(inside, clock, rng.choice([2, 3]), control, rated=rng.random() < 0.5)
            table = await meeting.table()
            scale = 40 if control.kind == "live" else 2_000
            for _ in range(60):
                clock.move(rng.expovariate(1 / scale) if rng.random() > 0.05 else -scale)
                await something(meeting, table, rng)
                again = await restored(inside, table)
                assert again.clocks is not None
                assert table.clocks is not None
                assert again.clocks.times == table.clocks.times
                assert (again.clocks.left_at, again.clocks.took) == (table.clocks.left_at, table.clocks.took)
                assert len(table.clocks.left_at) == len(table.clocks.took) == len(table.game.plies) + 1
                now = clock.milliseconds + rng.randrange(10_000)
                assert lefts(again, now) == lefts(table, now)

    run(test())


def test_the_replay_has_the_times_of_the_turns() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(Random(1), clock) as inside:
            meeting = await meet(inside, clock)
            table = await meeting.table()
            for seconds in (100, 7, 3):
                clock.move(seconds)
                await done(meeting.pages[0], type="play", version=table.version, move=table.game.legal_moves()[0])
            replay = (await inside.http.get("/api/table/replay", params={"table": meeting.id})).json()
            assert len(replay["frames"]) == len(replay["clock"]) == len(replay["took"])
            assert [each for each in replay["took"] if each] == [100_000, 7_000, 3_000]
            assert replay["clock"][-1] == 190_000

    run(test())


def test_a_table_that_cannot_be_read_stops_no_clock_of_others() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(Random(1), clock) as inside:
            bad = await meet(inside, clock)
            clock.move(1)
            good = await meet(inside, clock)
            table = await good.table()
            await inside.tables.projector.flush()
            for page in bad.pages:
                await page.close()
            inside.tables._forget(await bad.table())
            load = inside.tables.journal.load

            async def unreadable(table: str, after: int = 0) -> Loaded:
                if table == bad.id:
                    raise StoreError("The server cannot read this table now: the disk does not answer.")
                return await load(table, after)

            inside.tables.journal.load = unreadable  # type: ignore[method-assign]
            await pass_time(inside, clock, 320)
            assert table.clocks is not None
            assert table.clocks.is_out(0)
            inside.tables.journal.load = load  # type: ignore[method-assign]
            await pass_time(inside, clock, 10)
            clocks = (await bad.table()).clocks
            assert clocks is not None
            assert clocks.is_out(0)

    run(test())


def test_nobody_plays_with_clocks_before_they_have_taken_their_seat() -> None:
    """The clocks of all stand still while a seat is free."""

    async def test() -> None:
        clock = HandClock()
        async with world(Random(1), clock) as inside:
            wanted = {
                "seats": [{"kind": "open"}, {"kind": "person"}],
                "clock": {"kind": "live", "start": 300, "add": 5},
            }
            made = (await inside.http.post("/api/tables", json=wanted)).json()
            page, table = await inside.page(made["seats"][0]), await inside.table(made)
            move = table.game.legal_moves()[0]
            assert await page.refused(type="play", version=table.version, move=move) == "illegal"
            await done(page, type="join", seat=0, name="Ann", colour=0)
            clock.move(10)
            await done(page, type="play", version=table.version, move=move)
            assert lefts(table, clock.milliseconds)[0] == 290_000

    run(test())


def test_an_undo_gives_no_time_back() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(Random(1), clock) as inside:
            meeting = await meet(inside, clock)
            table = await meeting.table()
            clock.move(100)
            await done(meeting.pages[0], type="play", version=table.version, move=table.game.legal_moves()[0])
            clock.move(50)
            await done(meeting.pages[0], type="undo", version=table.version)
            assert lefts(table, clock.milliseconds)[0] == 150_000

    run(test())


def test_a_server_that_stands_still_costs_nobody_anything() -> None:
    """Nor does a clock of the machine that jumps forward."""

    async def test() -> None:
        clock = HandClock()
        async with world(Random(1), clock) as inside:
            meeting = await meet(inside, clock)
            table = await meeting.table()
            await pass_time(inside, clock, 20)
            clock.move(3600)
            await inside.tables.timekeeper.beat()
            assert lefts(table, clock.milliseconds)[0] == 280_000
            assert lefts(table, clock.milliseconds + 1000 * int(GRACE_SECONDS))[0] == 280_000
            assert lefts(table, clock.milliseconds + 1000 * int(GRACE_SECONDS) + 7000)[0] == 273_000
            for _ in range(3):
                await inside.tables.timekeeper.beat()
            assert sum(isinstance(entry, entries.Excused) for entry in await logged(inside, table.id)) == 1

    run(test())


@pytest.mark.parametrize("control", [NORMAL, DAYS], ids=str)
def test_the_time_without_a_server_costs_nobody_anything(tmp_path: Path, control: Clock) -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(Random(1), clock, data=tmp_path) as inside:
            meeting = await meet(inside, clock, control=control)
            await pass_time(inside, clock, 20)
            before = lefts(await meeting.table(), clock.milliseconds)
            deadline = [row[14] for row in await rows(inside, "games")]
        clock.move(5_000)
        for _ in range(2):  # the second start finds nothing new to excuse but its own gap
            async with world(Random(1), clock, data=tmp_path) as inside:
                await inside.tables.timekeeper.open()
                assert [row[14] > deadline[0] for row in await rows(inside, "games")] == [True]
                table, _ = await inside.tables.find([], "test", table=meeting.id)
                assert lefts(table, clock.milliseconds) == before
                gaps = inside.tables.timekeeper.gaps
                assert table.clocks is not None
                assert table.clocks.unexcused(gaps, clock.milliseconds) is None

    run(test())


def test_a_table_whose_log_cannot_be_read_does_not_stop_the_clocks_of_others(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(Random(1), clock) as inside:
            broken, sound = await meet(inside, clock), await meet(inside, clock)
            await inside.tables.projector.flush()
            for meeting in (broken, sound):
                for page in meeting.pages:
                    await page.close()
            inside.tables._forget_all()
            inside.tables._tables.clear()
            await inside.tables.journal.append(broken.id, 9, 99, b"nonsense", inside.tables.journal.generation)
            await pass_time(inside, clock, 310)
            table, _ = await inside.tables.find([], "test", table=sound.id)
            assert any(notice.kind == "time-up" for notice in table.party.notices)

    run(test())


# ---- a real server ---------------------------------------------------------------------------------------------------


def make_table(server: Server) -> Json:
    with server.http() as http:
        seats = [{"kind": "person"}, {"kind": "person"}]
        clock = {"kind": "live", "start": 600, "add": 0}
        answer = http.post("/api/tables", json={"seats": seats, "clock": clock})
    assert answer.status_code == 200, answer.text
    made: Json = answer.json()
    return made


def clock_at(server: Server, *tokens: str) -> Json:
    with Client(server, *tokens) as page:
        found: Json = page.messages[0]["clock"]
        return found


def left_of(clock: Json) -> float:
    """The milliseconds that the running seat has left."""
    return float(clock["left"][clock["running"]] - max(0, clock["now"] - clock["since"]))


def test_a_server_that_is_killed_costs_nobody_time(start: Start) -> None:
    server = start()
    made = make_table(server)
    began = time.time()
    time.sleep(SIGN_SECONDS + 1.5)  # it has said that it runs
    before = left_of(clock_at(server, *made["seats"]))
    server.kill()
    time.sleep(DOWN_SECONDS)
    server = start()
    after = left_of(clock_at(server, *made["seats"]))
    assert after >= before - 200, "the time since the last sign of life is excused as well"
    assert after <= 600_000
    assert time.time() - began > DOWN_SECONDS
