"""The outbox: who is told of which turn, once, and who is not."""

import secrets
from itertools import count
from pathlib import Path
from random import Random

import pytest

from kingdom_builder.server.clocks import NO_CLOCK, NORMAL, ONE_DAY, Clock
from kingdom_builder.server.delivery.outcome import Outcome
from kingdom_builder.server.notices import LANGUAGES, Notice, mail_texts, push_payload, webhook_line
from kingdom_builder.server.outbox import KEPT_DAYS, sweep
from kingdom_builder.server.persons import DAY
from kingdom_builder.server.store import Row, Sql, Steps
from server.inside import World, run, world
from server.telling import (
    DELAY,
    Recorder,
    Somebody,
    Time,
    found,
    in_turn,
    look,
    play,
    play_turn,
    rows,
    send,
    set_clock,
    set_reminder,
    somebody,
    table_of,
    take_pushes,
    take_webhooks,
    tell,
)


async def two(inside: World, clock: Time) -> tuple[list[Somebody], Recorder]:
    """Two people who take pushes."""
    set_clock(inside, clock)
    people = [await somebody(inside, name) for name in ("Ann", "Bob")]
    for each in people:
        await take_pushes(inside, each)
    return people, Recorder(inside)


async def kinds(inside: World) -> set[str]:
    """The kinds of all rows, whatever became of them."""

    def ask() -> Steps[list[Row]]:
        return (yield Sql("SELECT DISTINCT kind FROM outbox"))

    return {kind for (kind,) in await inside.tables.journal.read(ask)}


def test_whoever_is_in_turn_is_told_once_after_some_seconds() -> None:
    async def test() -> None:
        clock = Time()
        async with world() as inside:
            people, recorder = await two(inside, clock)
            table = await table_of(inside, *people)
            await tell(inside)
            assert recorder.take() == []
            clock.pass_by(DELAY)
            await tell(inside)
            first = in_turn(table, people)
            ((way, endpoint, notice, _),) = recorder.sent
            other = next(each.name for each in people if each != first)
            expected = Notice("turn", table.id, (other,))
            assert (way, endpoint, notice) == ("push", f"https://push.test/{first.name}", expected)
            recorder.take()
            for _ in range(3):
                clock.pass_by(DELAY)
                await tell(inside)
            assert recorder.take() == []
            await play_turn(inside, table, people)
            await tell(inside)
            clock.pass_by(DELAY)
            await tell(inside)
            assert [each.to for each in recorder.sent] == [f"https://push.test/{other}"]

    run(test())


def test_several_moves_and_undo_in_a_turn_tell_nobody_again() -> None:
    async def test() -> None:
        clock = Time()
        async with world() as inside:
            people, recorder = await two(inside, clock)
            table = await table_of(inside, *people)
            clock.pass_by(DELAY)
            await tell(inside)
            assert len(recorder.take()) == 1
            page = await look(inside, table, in_turn(table, people))
            await play(page, table, Random(1))
            await page.close()
            await tell(inside)
            clock.pass_by(DELAY)
            await tell(inside)
            assert recorder.take() == []  # they have begun the turn, and gone away again
            page = await look(inside, table, in_turn(table, people))
            answer = await page.ask(type="undo", version=table.version)
            assert answer["type"] == "done"
            await page.close()
            for _ in range(3):
                clock.pass_by(DELAY)
                await tell(inside)
            assert recorder.take() == []

    run(test())


def test_nobody_is_told_who_sees_the_table_and_whoever_has_it_in_the_background_is() -> None:
    async def test() -> None:
        clock = Time()
        async with world() as inside:
            people, recorder = await two(inside, clock)
            table = await table_of(inside, *people)
            page = await look(inside, table, in_turn(table, people))
            clock.pass_by(DELAY)
            await tell(inside)
            await page.close()
            clock.pass_by(DAY - DELAY - 1)
            await tell(inside)
            assert recorder.take() == []  # they have seen it

            await play_turn(inside, table, people)
            page = await look(inside, table, in_turn(table, people))
            assert (await page.ask(type="visible", on=False))["type"] == "done"
            await tell(inside)
            clock.pass_by(DELAY)
            await tell(inside)
            assert recorder.take() == [("push", "turn")]
            await page.close()

            await play_turn(inside, table, people)
            page = await look(inside, table, in_turn(table, people), visible=False)
            await tell(inside)
            clock.pass_by(DELAY)
            await tell(inside)
            assert recorder.take() == [("push", "turn")]

    run(test())


def test_that_another_player_looks_does_not_matter() -> None:
    async def test() -> None:
        clock = Time()
        async with world() as inside:
            people, recorder = await two(inside, clock)
            table = await table_of(inside, *people)
            await look(inside, table, next(each for each in people if each != in_turn(table, people)))
            clock.pass_by(DELAY)
            await tell(inside)
            assert recorder.take() == [("push", "turn")]

    run(test())


def test_a_turn_that_was_played_is_not_told_of_even_before_the_list_says_so() -> None:
    async def test() -> None:
        clock = Time()
        async with world() as inside:
            people, recorder = await two(inside, clock)
            table = await table_of(inside, *people)
            await play_turn(inside, table, people)
            clock.pass_by(DELAY)
            await send(inside)
            assert recorder.take() == []
            await tell(inside)
            assert sorted(state for *_, state, _ in await rows(inside)) == ["dropped", "waiting"]

    run(test())


@pytest.mark.parametrize(("clock", "told"), [(NORMAL, False), (NO_CLOCK, True), (ONE_DAY, True)])
def test_live_games_tell_nobody(clock: Clock, told: bool) -> None:
    async def test() -> None:
        time = Time()
        async with world() as inside:
            people, recorder = await two(inside, time)
            await table_of(inside, *people, clock=clock)
            time.pass_by(DELAY)
            await tell(inside)
            assert bool(recorder.take()) == told

    run(test())


def test_games_without_other_people_tell_nobody() -> None:
    async def test() -> None:
        time = Time()
        async with world() as inside:
            (ann, bob), recorder = await two(inside, time)
            await table_of(inside, ann, "easy")
            await table_of(inside, ann, ann)

            def merge() -> Steps[None]:
                yield Sql("UPDATE persons SET merged = ? WHERE id = ?", (ann.id, bob.id))

            await inside.tables.journal.write(merge)
            await table_of(inside, ann, bob)  # who are the same
            time.pass_by(DELAY)
            await tell(inside)
            assert recorder.take() == []

    run(test())


def test_the_games_of_a_guest_are_those_of_the_person_they_turned_out_to_be() -> None:
    async def test() -> None:
        time = Time()
        async with world() as inside:
            (ann, bob), recorder = await two(inside, time)
            guest = await somebody(inside, "Ann")

            def merge() -> Steps[None]:
                yield Sql("UPDATE persons SET merged = ? WHERE id = ?", (ann.id, guest.id))

            await inside.tables.journal.write(merge)
            table = await table_of(inside, guest, bob)
            if in_turn(table, [guest, bob]) == bob:
                await play_turn(inside, table, [guest, bob])
                await tell(inside)
            time.pass_by(DELAY)
            await tell(inside)
            assert [each.to for each in recorder.sent] == ["https://push.test/Ann"]

    run(test())


def test_a_reminder_comes_once_and_only_while_the_turn_waits() -> None:
    async def test() -> None:
        time = Time()
        async with world() as inside:
            people, recorder = await two(inside, time)
            table = await table_of(inside, *people, clock=ONE_DAY)
            await set_reminder(inside, table, int(time.now) + 1000)
            time.pass_by(DELAY)
            await send(inside)
            assert recorder.take() == [("push", "turn")]
            await set_reminder(inside, table, int(time.now) + 2000)  # the players made a pause
            time.pass_by(1500)
            await send(inside)
            assert recorder.take() == []
            time.pass_by(500)
            await send(inside)
            assert recorder.take() == [("push", "reminder")]
            time.pass_by(DAY)
            await set_reminder(inside, table, int(time.now))
            await send(inside)
            assert recorder.take() == []

            await play_turn(inside, table, people)
            await set_reminder(inside, table, int(time.now) + 1000)
            await play_turn(inside, table, people)
            await set_reminder(inside, table, None)
            time.pass_by(1000)
            await send(inside)
            assert recorder.take() == [("push", "turn")]  # of the turn that waits now

    run(test())


def test_a_reminder_waits_while_the_clock_does_not_run() -> None:
    async def test() -> None:
        time = Time()
        async with world() as inside:
            people, recorder = await two(inside, time)
            table = await table_of(inside, *people, clock=ONE_DAY)
            await set_reminder(inside, table, int(time.now) + 1000)
            time.pass_by(DELAY)
            await send(inside)
            recorder.take()
            await set_reminder(inside, table, None)
            time.pass_by(2000)
            await send(inside)
            assert recorder.take() == []
            await set_reminder(inside, table, int(time.now) + 100)
            time.pass_by(100)
            await send(inside)
            assert recorder.take() == [("push", "reminder")]

    run(test())


def test_without_a_clock_a_turn_is_told_of_once_more_a_day_after_it_began() -> None:
    """Whoever had the table open when the turn was to be told, and left without a move, was told of it by nobody."""

    async def test() -> None:
        time = Time()
        async with world() as inside:
            people, recorder = await two(inside, time)
            table = await table_of(inside, *people)
            person = in_turn(table, people)
            page = await look(inside, table, person)
            await tell(inside)
            time.pass_by(DELAY)
            await tell(inside)
            time.pass_by(DAY // 2)
            await play(page, table, Random(1))  # in the middle of the turn: it is still the same
            await page.close()
            await tell(inside)
            time.pass_by(DAY // 2 - DELAY - 1)
            await tell(inside)
            assert recorder.take() == []
            time.pass_by(1)
            await tell(inside)
            assert [(each.to, each.notice.kind) for each in recorder.sent] == [
                (f"https://push.test/{person.name}", "still")
            ]
            recorder.take()
            for _ in range(5):  # once is enough
                time.pass_by(DAY)
                await tell(inside)
            assert recorder.take() == []

    run(test())


@pytest.mark.parametrize("clock", [NORMAL, ONE_DAY])
def test_games_with_a_clock_have_no_reminder_after_a_day(clock: Clock) -> None:
    async def test() -> None:
        time = Time()
        async with world() as inside:
            people, _ = await two(inside, time)
            await table_of(inside, *people, clock=clock)
            await inside.tables.projector.flush()
            assert "still" not in await kinds(inside)

    run(test())


def test_a_turn_that_was_played_has_no_reminder_nor_a_game_that_is_over() -> None:
    async def test() -> None:
        time = Time()
        async with world() as inside:
            people, recorder = await two(inside, time)
            table = await table_of(inside, *people)
            await tell(inside)
            await play_turn(inside, table, people)
            await tell(inside)
            time.pass_by(DAY - 1)
            await tell(inside)
            assert recorder.take() == [("push", "turn")]
            await play_turn(inside, table, people)
            time.pass_by(1)
            await send(inside)  # before the list says that the turn was played
            assert recorder.take() == []
            page = await look(inside, table, people[0])
            assert (await page.ask(type="leave"))["type"] == "done"
            await page.close()
            for _ in range(2):
                time.pass_by(DAY)
                await tell(inside)
            assert recorder.take() == []

    run(test())


def test_everybody_is_told_once_that_a_game_is_over_except_who_sees_it() -> None:
    async def test() -> None:
        time = Time()
        async with world() as inside:
            people, recorder = await two(inside, time)
            for each in people:
                await take_webhooks(inside, each)
            table = await table_of(inside, *people, clock=ONE_DAY)
            page = await look(inside, table, people[0])
            rng = Random(2)
            while not table.game.over:
                await play_turn(inside, table, people, rng)
            await tell(inside)
            time.pass_by(DELAY)
            await tell(inside)
            assert sorted(recorder.take()) == [("push", "over"), ("webhook", "over")]
            assert (await page.ask(type="say", text="", phrase="thanks"))["type"] == "done"
            time.pass_by(DELAY)
            await tell(inside)
            assert recorder.take() == []

    run(test())


def test_paired_people_are_told_unless_it_is_their_turn_which_they_are_told_as_well() -> None:
    async def test() -> None:
        time = Time()
        async with world() as inside:
            people, recorder = await two(inside, time)
            table = await table_of(inside, *people)
            for each in people:
                await inside.tables.notifier.notify_paired(each.id, table.id)
            time.pass_by(DELAY)
            await tell(inside)
            kinds = {each.to.rpartition("/")[2]: each.notice.kind for each in recorder.sent}
            first = in_turn(table, people).name
            assert kinds == {first: "turn", ({"Ann", "Bob"} - {first}).pop(): "paired"}

    run(test())


def test_nothing_is_lost_or_doubled_by_restarts(tmp_path: Path) -> None:
    async def test() -> None:
        time = Time()
        async with world(data=tmp_path) as inside:
            people, recorder = await two(inside, time)
            table = await table_of(inside, *people)
        async with world(data=tmp_path) as inside:  # before it was due
            set_clock(inside, time)
            recorder = Recorder(inside)
            time.pass_by(DELAY)
            await tell(inside)
            assert recorder.take() == [("push", "turn")]
            table = await found(inside, table.id)
            await play_turn(inside, table, people)
            inside.tables.projector._changed.clear()  # as if it had crashed
        async with world(data=tmp_path) as inside:
            set_clock(inside, time)
            recorder = Recorder(inside)
            await inside.tables.projector.catch_up()
            await send(inside)
            assert recorder.take() == []
            time.pass_by(DELAY)
            await send(inside)
            assert recorder.take() == [("push", "turn")]
        async with world(data=tmp_path) as inside:
            set_clock(inside, time)
            recorder = Recorder(inside)
            await inside.tables.projector.catch_up()
            time.pass_by(DAY - DELAY - 1)
            await send(inside)
            assert recorder.take() == []
            time.pass_by(1)
            await send(inside)
            assert recorder.take() == [("push", "still")]

    run(test())


def test_a_message_that_was_not_delivered_is_not_sent_in_a_later_turn(tmp_path: Path) -> None:
    async def test() -> None:
        time = Time()
        async with world(data=tmp_path) as inside:
            people, recorder = await two(inside, time)
            recorder.outcome = lambda sent: Outcome("retry", "status 503")
            table = await table_of(inside, *people)
            time.pass_by(DELAY)
            await tell(inside)
            assert len(recorder.take()) == 1
            for _ in people:
                await play_turn(inside, table, people)
                await tell(inside)
        async with world(data=tmp_path) as inside:  # which has no table in memory
            set_clock(inside, time)
            recorder = Recorder(inside)
            time.pass_by(DAY)  # the reminder is due as well: one message is enough
            await tell(inside)
            assert recorder.take() == [("push", "turn")]
            time.pass_by(DAY)
            await tell(inside)
            assert recorder.take() == []

    run(test())


def test_a_device_that_is_signed_out_is_not_told() -> None:
    async def test() -> None:
        time = Time()
        async with world() as inside:
            people, recorder = await two(inside, time)
            table = await table_of(inside, *people)
            person = in_turn(table, people)

            def sign_out() -> Steps[None]:
                yield Sql("DELETE FROM devices WHERE person = ?", (person.id,))

            await inside.tables.journal.write(sign_out)
            time.pass_by(DELAY)
            await tell(inside)
            assert recorder.take() == []

    run(test())


def test_done_rows_go_a_month_after_their_game() -> None:
    async def test() -> None:
        time = Time()
        async with world() as inside:
            people, _ = await two(inside, time)
            table = await table_of(inside, *people)
            time.pass_by(DELAY)
            await tell(inside)
            late = int(time.now) + (KEPT_DAYS + 1) * DAY
            await inside.tables.journal.write(sweep, late)
            assert len(await rows(inside)) == 1  # the turn waits: it must not be told of again

            def end() -> Steps[None]:
                yield Sql("UPDATE games SET over = 1 WHERE id = ?", (table.id,))

            await inside.tables.journal.write(end)
            await inside.tables.journal.write(sweep, late - 2 * DAY)
            assert len(await rows(inside)) == 1
            await inside.tables.journal.write(sweep, late)
            assert await rows(inside) == []

    run(test())


# ---- secrets ---------------------------------------------------------------------------------------------------------


def test_messages_are_the_same_bytes_whatever_cards_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twins: games that differ in hidden cards alone."""

    async def told(seed: int) -> tuple[str, bytes]:
        time, numbers = Time(), count(1)
        monkeypatch.setattr(secrets, "token_hex", lambda n: f"{next(numbers):0{2 * n}x}")
        async with World(Random(seed)) as inside:
            people, recorder = await two(inside, time)
            table = await table_of(inside, *people)
            time.pass_by(DELAY)
            await tell(inside)
            (sent,) = recorder.sent
            payloads = [push_payload(language, sent.notice) for language in LANGUAGES]
            line = webhook_line("en", sent.notice, "https://kb.test")
            mail = mail_texts("en", [sent.notice], "https://kb.test", "link")
            return repr(table.game.state.hands), repr((payloads, line, mail)).encode()

    async def test() -> None:
        seen = dict([await told(seed) for seed in range(12)])
        assert len(seen) > 2, "hands that differ"
        assert len(set(seen.values())) == 1

    run(test())
