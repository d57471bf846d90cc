"""Who plays on: free seats, players who are away, games that end early, pauses and rematches by consent."""

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kingdom_builder.server import entries, looking
from kingdom_builder.server.clocks import FAST, NORMAL, SLOW, Clock
from kingdom_builder.server.company import STAND_IN
from kingdom_builder.server.messages import SetupChoice
from kingdom_builder.server.store import Row, Sql, Steps, StoreError
from kingdom_builder.server.table import Table
from kingdom_builder.server.tables import Player
from kingdom_builder.server.timekeeper import notice_time
from server.hand_clock import HandClock
from server.inside import Json, Page, World, run, world
from server.test_persons import logged, visit

LIVE = {"kind": "live", "start": 300, "add": 30}


async def make(inside: World, kinds: list[str], **more: Any) -> Json:
    seats = [{"kind": kind} if kind in ("person", "open") else {"kind": "bot", "level": kind} for kind in kinds]
    answer = await inside.http.post("/api/tables", json={"seats": seats, **more})
    assert answer.status_code == 200, answer.text
    made: Json = answer.json()
    return made


async def table_of(page: Page) -> Json:
    """What a page knows of the table, once all news have come."""
    await asyncio.sleep(0)
    await page.sync()
    views = [message["table"] for message in page.everything() if "table" in message]
    latest: Json = views[-1]
    return latest


async def view_of(page: Page) -> Json:
    await page.sync()
    latest: Json = [message["view"] for message in page.everything() if "view" in message][-1]
    return latest


async def done(page: Page, **command: Any) -> Json:
    answer = await page.ask(**command)
    assert answer["type"] == "done", answer
    return answer


class Meeting:
    """People who were paired, each with a page of their own."""

    def __init__(self, inside: World, clock: HandClock, cookies: list[str], table: str) -> None:
        self.inside, self.clock, self.cookies, self.id = inside, clock, cookies, table
        self.pages: list[Page] = []

    async def open_page(self, seat: int) -> Page:
        return await self.inside.page(table=self.id, cookie=self.cookies[seat])

    async def make_member(self, seat: int) -> None:
        """Let somebody be able to sign in, and open their page anew."""
        await self.pages[seat].close()
        person = (await self.table()).party.seats[seat].person

        def work() -> Steps[None]:
            yield Sql("UPDATE persons SET member = 1 WHERE id = ?", (person,))

        await self.inside.tables.journal.write(work)
        self.inside.tables.persons.forget(person)
        self.pages[seat] = await self.open_page(seat)

    async def table(self) -> Table:
        table, _ = await self.inside.tables.find([], "test", table=self.id)
        return table

    async def play_turn(self, seat: int, rng: Random) -> None:
        """Random moves of a seat until its turn is over."""
        table = await self.table()
        while not table.over and table.game.player == seat:
            move = rng.choice(table.game.legal_moves())
            await done(self.pages[seat], type="play", version=table.version, move=move)

    async def play_to_end(self, rng: Random) -> None:
        table = await self.table()
        while not table.over:
            if table.bot_in_turn():
                await asyncio.sleep(0.01)
            else:
                await self.play_turn(table.game.player, rng)


async def pass_time(inside: World, clock: HandClock, seconds: float) -> None:
    """Let time pass at a server that runs all the time."""
    await inside.tables.projector.flush()
    while seconds > 0:
        clock.move(min(seconds, 5))
        seconds -= 5
        await inside.tables.timekeeper.beat()


async def away(meeting: Meeting, seat: int) -> int | None:
    """The moment from which on the others may go on without a seat."""
    table = await meeting.table()
    return looking.table_view(table, frozenset()).seats[seat].away


async def meet(
    inside: World, clock: HandClock, players: int = 2, control: Clock = NORMAL, *, rated: bool = True
) -> Meeting:
    """People without names, brought together at a table."""
    await inside.tables.timekeeper.open()
    people = [await visit(inside) for _ in range(players)]
    together = [Player(me["id"], "") for _, me in people]
    table = await inside.tables.make_for(together, SetupChoice(), control, rated=rated)
    meeting = Meeting(inside, clock, [cookie for cookie, _ in people], table)
    meeting.pages = [await meeting.open_page(seat) for seat in range(players)]
    return meeting


def all_rows(relation: str) -> Steps[list[Row]]:
    return (yield Sql(f"SELECT * FROM {relation}"))


async def rows(inside: World, relation: str) -> list[Row]:
    await inside.tables.projector.flush()
    return await inside.tables.journal.read(all_rows, relation)


# ---- free seats ------------------------------------------------------------------------------------------------------


def test_ids_that_others_may_have_too_give_nobody_the_seat_of_another() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await make(inside, ["person", "open", "open"])
            ann, ben = await inside.page(made["invite"]), await inside.page(made["invite"], client="ben")
            assert await ann.refused(type="sit", seat=1, name="Ann", id="1") == "malformed"
            cookies = [(await visit(inside))[0] for _ in range(2)]
            known = [await inside.page(made["invite"], cookie=cookie) for cookie in cookies]
            for seat, page in enumerate(known, 1):  # programs number their commands
                await done(page, type="sit", seat=seat, name="", id="1")
                assert (await table_of(page))["yours"] == [seat]
            await done(ben, type="say", text="first", name="Ben", id="2")
            await done(known[0], type="say", text="second", seat=1, id="2")
            table = await inside.table(made)
            assert [line.text for line in table.party.chat] == ["first", "second"]

    run(test())


def test_the_link_of_a_table_lets_people_choose_a_seat() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await make(inside, ["person", "open", "open"])
            host = await inside.page(made["host"], made["seats"][0])
            guest = await inside.page(made["invite"])
            assert (await table_of(guest))["free"] == [1, 2]
            assert (await table_of(host))["free"] == []
            answer = await done(guest, type="sit", seat=2, name="Ben", id="sit-3f9a71c04be2")
            assert (await table_of(guest))["yours"] == [2]
            assert (await table_of(guest))["seats"][2]["name"] == "Ben"
            again = await guest.ask(type="sit", seat=2, name="Ben", id="sit-3f9a71c04be2")
            assert again["token"] == answer["token"], "a repeated command gets the same token"
            back = await inside.page(made["invite"], client="back")  # that has not heard the answer
            assert (await back.ask(type="sit", seat=2, name="Ben", id="sit-3f9a71c04be2"))["token"] == answer["token"]
            await back.close()
            elsewhere = await inside.page(answer["token"])
            assert (await table_of(elsewhere))["yours"] == [2]
            late = await inside.page(made["invite"], client="late")
            assert await late.refused(type="sit", seat=2, name="Eve") == "taken"
            assert await late.refused(type="sit", seat=1, name="ben") == "taken"
            assert await late.refused(type="sit", seat=7, name="Eve") == "malformed"
            watcher = await inside.page(made["watch"])
            assert await watcher.refused(type="sit", seat=1, name="Eve") == "forbidden"
            assert "seat-taken" in [notice["kind"] for notice in (await table_of(host))["notices"]]

    run(test())


def test_whoever_sits_down_by_the_link_keeps_the_seat_from_whoever_has_its_own_link() -> None:
    """The host knows the links of single seats, and must not see the hand of somebody who chose the seat."""

    async def test() -> None:
        async with world() as inside:
            made = await make(inside, ["person", "open"])
            guest = await inside.page(made["invite"])
            await done(guest, type="sit", seat=1, name="Ben")
            stranger = await inside.stranger()
            stranger.say(json.dumps({"type": "hello", "tokens": [made["seats"][1]]}))
            await stranger.ended()
            assert stranger.everything()[-1]["refusal"]["code"] == "unknown-key"

    run(test())


def test_a_person_who_sits_down_needs_no_token_and_sees_the_hand_on_all_pages() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await make(inside, ["person", "open"], open=True)
            cookie, _ = await visit(inside)
            page = await inside.page(table=made["id"], cookie=cookie)
            second = await inside.page(table=made["id"], cookie=cookie)
            assert (await view_of(page))["hands"][1] == "?"
            assert (await done(page, type="sit", seat=1, name=""))["token"] is None
            for each in (page, second):
                assert (await table_of(each))["yours"] == [1]
                assert (await view_of(each))["hands"][1] in "CDFGT"
            assert await page.refused(type="sit", seat=0, name="") == "taken"
            back = await inside.page(table=made["id"], cookie=cookie)
            assert (await table_of(back))["yours"] == [1]

    run(test())


def test_an_open_table_seats_nobody_who_would_lose_the_seat_at_once() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await make(inside, ["person", "open", "open"], open=True)
            page = await inside.page(table=made["id"])
            assert (await table_of(page))["free"] == [1, 2]
            assert await page.refused(type="sit", seat=1, name="Eve") == "unknown-person"
            cookie, _ = await visit(inside)
            guest = await inside.page(table=made["id"], cookie=cookie)
            await done(guest, type="sit", seat=1, name="Eve")
            assert (await table_of(guest))["free"] == [], "one seat each among strangers"
            assert await guest.refused(type="sit", seat=2, name="Adam") == "taken"

    run(test())


def test_the_clocks_wait_until_all_seats_are_taken() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock) as inside:
            made = await make(inside, ["person", "open"], open=True, clock=LIVE)
            table = await inside.table(made)
            assert table.clocks is not None
            clock.move(1000)
            assert table.clocks.times.running is None
            cookie, _ = await visit(inside)
            await done(await inside.page(table=made["id"], cookie=cookie), type="sit", seat=1, name="")
            assert table.clocks.times.running == 0
            assert table.clocks.times.left(0, clock.milliseconds) == 300_000

    run(test())


# ---- those who are away ----------------------------------------------------------------------------------------------


def test_a_bot_plays_on_for_somebody_who_has_left_and_gives_the_seat_back() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(Random(5), clock) as inside:
            meeting = await meet(inside, clock)
            first, second = meeting.pages
            assert await first.refused(type="replace", seat=1) == "illegal"
            await second.close()
            assert await away(meeting, 1) == clock.milliseconds + 10_000, "the page was closed"
            clock.move(9)
            assert await first.refused(type="replace", seat=1) == "illegal"
            assert await first.refused(type="claim") == "illegal"
            clock.move(1)
            await done(first, type="replace", seat=1)
            seat = (await table_of(first))["seats"][1]
            assert (seat["level"], seat["stands_in"], seat["away"]) == (STAND_IN, True, None)
            back = await meeting.open_page(1)
            assert (await table_of(back))["stand_ins"] == [1]
            await done(back, type="take-back", seat=1)
            assert (await table_of(back))["yours"] == [1]
            seat = (await table_of(first))["seats"][1]
            assert (seat["level"], seat["kind"]) == ("", "person")

    run(test())


@pytest.mark.parametrize(
    ("control", "member", "seconds"),
    [
        (FAST, False, 15),
        (NORMAL, False, 30),
        (SLOW, False, 60),
        (FAST, True, 30),
        (NORMAL, True, 60),
        (SLOW, True, 120),
    ],
)
def test_those_whose_connection_is_lost_have_longer_than_those_who_closed_the_page_and_members_twice_as_long(
    control: Clock, member: bool, seconds: int
) -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock) as inside:
            meeting = await meet(inside, clock, control=control)
            if member:
                await meeting.make_member(1)
            meeting.pages[1].lose()
            await meeting.pages[1].ended()
            assert await away(meeting, 1) == clock.milliseconds + seconds * 1000
            await meeting.open_page(1)
            assert await away(meeting, 1) is None

    run(test())


def test_most_of_those_who_are_here_decide() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock) as inside:
            meeting = await meet(inside, clock, players=4)
            await meeting.pages[3].close()
            clock.move(10)
            await done(meeting.pages[0], type="replace", seat=3)
            assert (await table_of(meeting.pages[1]))["seats"][3]["replaced_by"] == [0]
            assert (await table_of(meeting.pages[1]))["seats"][3]["level"] == ""
            await done(meeting.pages[1], type="replace", seat=3)
            seat = (await table_of(meeting.pages[1]))["seats"][3]
            assert (seat["level"], seat["replaced_by"]) == (STAND_IN, [])

    run(test())


def test_players_by_link_go_on_without_a_clock_too_but_never_by_themselves() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock) as inside:
            made = await make(inside, ["person", "open"])
            host = await inside.page(made["seats"][0], made["host"])
            guest = await inside.page(made["invite"])
            await done(guest, type="sit", seat=1, name="Ben")
            await host.close()
            clock.move(59)
            assert await guest.refused(type="replace", seat=0) == "illegal"
            clock.move(1)
            await inside.tables.timekeeper.beat()
            assert (await table_of(guest))["seats"][0]["level"] == ""
            await done(guest, type="replace", seat=0)
            assert (await table_of(guest))["seats"][0]["stands_in"]

    run(test())


def test_in_a_game_of_days_nobody_has_to_be_here() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock) as inside:
            meeting = await meet(inside, clock, control=Clock("days", 0, 86_400))
            await meeting.pages[1].close()
            clock.move(50_000)
            assert (await table_of(meeting.pages[0]))["seats"][1]["away"] is None
            assert await meeting.pages[0].refused(type="replace", seat=1) == "illegal"

    run(test())


# ---- seats that nobody takes -----------------------------------------------------------------------------------------


async def sit(inside: World, table: str, seat: int, name: str) -> Page:
    """Somebody new takes a seat at an open table."""
    cookie, _ = await visit(inside)
    page = await inside.page(table=table, cookie=cookie)
    await done(page, type="sit", seat=seat, name=name)
    return page


def test_a_table_whose_host_has_left_and_whose_last_seat_stays_free_is_not_dead() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(Random(5), clock, bot_pause=1000) as inside:
            made = await make(inside, ["person", "open", "open"], open=True, clock=LIVE)
            host = await inside.page(made["host"], made["seats"][0])
            ben = await sit(inside, made["id"], 1, "Ben")
            await host.close()
            await inside.tables.timekeeper.open()
            await inside.tables.timekeeper.beat()
            await pass_time(inside, clock, 59)
            assert (await table_of(ben))["seats"][2]["level"] == ""
            assert await ben.refused(type="replace", seat=2) == "illegal"
            await pass_time(inside, clock, 1)
            assert (await table_of(ben))["seats"][2]["kind"] == "open", "never by itself"
            await done(ben, type="replace", seat=2)
            seat = (await table_of(ben))["seats"][2]
            assert (seat["kind"], seat["level"], seat["stands_in"]) == ("bot", STAND_IN, False)
            await done(ben, type="replace", seat=0)
            table = await inside.table(made)
            assert table.clocks is not None
            assert not table.clocks.times.stops, "the clocks run"

    run(test())


def test_whoever_sits_down_begins_the_wait_for_the_other_seats_anew() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock) as inside:
            made = await make(inside, ["open"] * 4, open=True, clock=LIVE)
            ann = await sit(inside, made["id"], 0, "Ann")
            clock.move(60)
            ben = await sit(inside, made["id"], 1, "Ben")
            assert (await table_of(ann))["seats"][3]["away"] == clock.milliseconds + 60_000
            assert await ann.refused(type="replace", seat=3) == "illegal"
            clock.move(60)
            await done(ann, type="replace", seat=3)
            assert (await table_of(ben))["seats"][3]["replaced_by"] == [0], "most of those who are here decide"
            cleo = await sit(inside, made["id"], 3, "Cleo")
            assert (await table_of(ann))["seats"][3]["replaced_by"] == [], "what was wanted of a free seat is forgotten"
            await cleo.close()
            clock.move(60)
            await done(ann, type="replace", seat=2)
            await done(ben, type="replace", seat=2)
            assert (await table_of(ben))["seats"][2]["level"] == STAND_IN

    run(test())


def test_friends_give_a_free_seat_to_a_bot_and_its_link_still_takes_it() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock, bot_pause=1000) as inside:
            made = await make(inside, ["person", "open", "open"])
            guest = await inside.page(made["invite"])
            await done(guest, type="sit", seat=1, name="Ben")
            late = await inside.page(made["seats"][2])
            clock.move(500)
            table = await inside.table(made)
            assert looking.table_view(table, frozenset()).seats[2].away is None, "somebody looks at the seat"
            assert await guest.refused(type="replace", seat=2) == "illegal"
            await late.close()
            await done(guest, type="replace", seat=2)
            assert (await table_of(guest))["seats"][2]["stands_in"]
            late = await inside.page(made["seats"][2])
            await done(late, type="take-back", seat=2)
            assert (await table_of(late))["yours"] == [2]
            watcher = await inside.page(made["watch"])
            assert await watcher.refused(type="replace", seat=0) == "forbidden"

    run(test())


def test_whoever_is_alone_at_a_table_plays_a_bot_and_claims_nothing() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock, bot_pause=1000) as inside:
            made = await make(inside, ["open", "open"], open=True, clock={"kind": "days", "start": 0, "add": 86_400})
            ann = await sit(inside, made["id"], 0, "Ann")
            clock.move(86_399)
            assert await ann.refused(type="replace", seat=1) == "illegal"
            clock.move(1)
            assert await ann.refused(type="claim") == "illegal"
            await done(ann, type="replace", seat=1)
            assert (await table_of(ann))["seats"][1]["level"] == STAND_IN

    run(test())


# ---- games that end early --------------------------------------------------------------------------------------------


def test_a_claimed_game_is_over_and_the_leaver_comes_last() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock) as inside:
            meeting = await meet(inside, clock)
            await meeting.play_turn(0, Random(1))
            await meeting.pages[0].close()
            clock.move(10)
            winner = meeting.pages[1]
            await done(winner, type="claim")
            view = await view_of(winner)
            assert (view["over"], view["winners"], view["legal"]) == (True, [1], [])
            assert (await table_of(winner))["ended"] == "claimed"
            assert await winner.refused(type="play", version=10**6, move=".") in ("stale", "illegal")
            assert await winner.refused(type="claim") == "illegal"
            ranks = [(row[2], row[8], row[9]) for row in sorted(await rows(inside, "players"), key=lambda row: row[2])]
            assert ranks == [(0, 2, 1), (1, 1, 0)]
            await inside.tables.rated_games.rate_all()
            after = {row[0]: row[2] for row in await rows(inside, "ratings")}
            assert len(after) == 2
            assert min(after.values()) < 25 < max(after.values())

    run(test())


def test_whoever_gives_up_a_game_of_two_loses_it_and_has_not_left() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock) as inside:
            meeting = await meet(inside, clock)
            await done(meeting.pages[0], type="leave")
            assert (await view_of(meeting.pages[1]))["winners"] == [1]
            ranks = [(row[2], row[8], row[9]) for row in sorted(await rows(inside, "players"), key=lambda row: row[2])]
            assert ranks == [(0, 2, 0), (1, 1, 0)]

    run(test())


def test_whoever_leaves_a_larger_game_is_replaced_by_a_bot() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock) as inside:
            meeting = await meet(inside, clock, players=3)
            await done(meeting.pages[0], type="leave")
            seat = (await table_of(meeting.pages[1]))["seats"][0]
            assert (seat["level"], seat["stands_in"]) == (STAND_IN, True)
            await done(meeting.pages[0], type="take-back", seat=0)
            assert (await table_of(meeting.pages[0]))["yours"] == [0]

    run(test())


# ---- what all have to want -------------------------------------------------------------------------------------------


def test_a_pause_and_its_end_take_all_players() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock) as inside:
            meeting = await meet(inside, clock)
            first, second = meeting.pages
            table = await meeting.table()
            assert table.clocks is not None
            assert await first.refused(type="consent", to="resume") == "illegal"
            await done(first, type="consent", to="pause")
            assert await first.refused(type="consent", to="pause") == "illegal"
            assert (await table_of(second))["consents"] == {"pause": [0]}
            await done(first, type="consent", to="pause", on=False)
            assert (await table_of(second))["consents"] == {}
            await done(first, type="consent", to="pause")
            await done(second, type="consent", to="pause")
            left = table.clocks.times.left(0, clock.milliseconds)
            clock.move(599)
            move = table.game.legal_moves()[0]
            assert await first.refused(type="play", version=table.version, move=move) == "illegal"
            assert not await notice_time(table)
            await done(second, type="consent", to="resume")
            await done(first, type="consent", to="resume")
            assert table.clocks.times.left(0, clock.milliseconds) == left
            await done(first, type="play", version=table.version, move=move)

    run(test())


@pytest.mark.parametrize(("control", "seconds"), [(NORMAL, 600), (Clock("days", 3_600, 86_400), 7 * 86_400)])
def test_one_player_ends_a_long_pause_alone(control: Clock, seconds: int) -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock) as inside:
            meeting = await meet(inside, clock, control=control)
            first, second = meeting.pages
            table = await meeting.table()
            assert table.clocks is not None
            assert (await table_of(first))["resumable"] is None
            await done(first, type="consent", to="pause")
            clock.move(5)  # it counts from the beginning of the pause, not from the first wish
            await done(second, type="consent", to="pause")
            left = table.clocks.times.left(0, clock.milliseconds)
            assert (await table_of(first))["resumable"] == clock.milliseconds + seconds * 1000
            clock.move(seconds - 1)
            await done(first, type="consent", to="resume")
            assert table.party.is_paused
            assert await first.refused(type="consent", to="resume") == "illegal"
            clock.move(1)
            await done(first, type="consent", to="resume")  # whoever said so before says it again
            assert not table.party.is_paused
            assert (await table_of(second))["resumable"] is None
            assert table.clocks.times.left(0, clock.milliseconds) == left
            assert [notice.kind for notice in table.party.notices] == ["paused", "resumed"]
            again = await Table.restore(table.id, inside.tables.journal, await inside.tables.journal.load(table.id))
            assert again.clocks is not None
            assert (again.party.is_paused, again.clocks.times) == (False, table.clocks.times)
            await done(first, type="play", version=table.version, move=table.game.legal_moves()[0])

    run(test())


def test_a_long_pause_does_not_make_other_wishes_come_true_alone() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock) as inside:
            meeting = await meet(inside, clock, 3)
            table = await meeting.table()
            for page in meeting.pages:
                await done(page, type="consent", to="pause")
            await done(meeting.pages[0], type="consent", to="resume")
            clock.move(600)
            await done(meeting.pages[0], type="consent", to="resume", on=False)
            assert table.party.is_paused
            await done(meeting.pages[1], type="consent", to="resume")
            assert not table.party.is_paused
            await done(meeting.pages[1], type="consent", to="pause")
            assert not table.party.is_paused, "a new pause takes all players, and its end too"

    run(test())


def test_a_log_from_before_long_pauses_ended_is_read_as_then() -> None:
    """One of two wants to go on a month later: that ended nothing then, and so it stays."""

    async def test() -> None:
        clock = HandClock()
        async with world(clock=clock) as inside:
            meeting = await meet(inside, clock)
            journal, table = inside.tables.journal, await meeting.table()
            version = table.version
            month = 30 * 86_400
            for to, seat, seconds in (("pause", 0, 0), ("pause", 1, 1), ("resume", 0, month), ("resume", 1, month + 9)):
                version += 1
                at = clock.milliseconds + seconds * 1000
                fields = {"type": "consented", "by": "x", "id": str(version), "to": to, "seats": [seat], "on": True}
                body = json.dumps({**fields, "at": at}).encode()
                await journal.append(table.id, version, entries.FORMAT, body, table.generation, [])
                again = await Table.restore(table.id, journal, await journal.load(table.id))
                assert again.trouble is None
                assert again.party.is_paused == (version - table.version in (2, 3))
                assert again.party.consents.get("resume", set()) == ({0} if version - table.version == 3 else set())

    run(test())


def test_a_rematch_takes_all_players_and_ratings_change_once() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(Random(3), clock) as inside:
            meeting = await meet(inside, clock)
            await meeting.play_to_end(Random(2))
            first, second = meeting.pages
            table = await meeting.table()
            assert await first.refused(type="rematch") == "forbidden"
            await done(first, type="consent", to="rematch")
            assert table.game_number == 1
            assert (await table_of(second))["consents"] == {"rematch": [0]}
            await done(second, type="consent", to="rematch")
            await second.sync()
            assert table.game_number == 2
            assert (await table_of(first))["yours"] == [1], "the seats moved up"
            assert table.clocks is not None
            assert table.clocks.times.left(0, clock.milliseconds) == 300_000
            await inside.tables.projector.flush()
            for _ in range(3):
                await inside.tables.rated_games.rate_all()
            assert sorted(row[4] for row in await rows(inside, "ratings")) == [1, 1], "one rated game each"

    run(test())


def test_a_rematch_that_cannot_be_stored_is_not_an_answer_to_whoever_wanted_it_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test() -> None:
        async with world(Random(3)) as inside:
            made = await make(inside, ["person", "person"])
            ann, ben = [await inside.page(token) for token in made["seats"]]
            table = await inside.table(made)
            await done(ben, type="leave")
            await done(ben, type="consent", to="rematch")
            append = inside.tables.journal.append
            stored: list[int] = []

            async def append_one(table: str, version: int, *more: Any) -> None:
                if stored:
                    raise StoreError("the disk is full")
                stored.append(version)
                await append(table, version, *more)

            monkeypatch.setattr(inside.tables.journal, "append", append_one)
            identity = ann.send(type="consent", to="rematch")
            assert (await table_of(ann))["consents"] == (await table_of(ben))["consents"] == {"rematch": [0, 1]}
            assert [each["type"] for each in ann.everything() if each.get("id") == identity] == ["done"]
            monkeypatch.setattr(inside.tables.journal, "append", append)
            assert table.game_number == 1
            await done(ann, type="consent", to="rematch", on=False)
            await done(ann, type="consent", to="rematch")
            await ann.sync()
            assert table.game_number == 2

    run(test())


def test_whoever_has_left_a_rated_game_has_no_seat_in_the_rematch() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(Random(3), clock) as inside:
            meeting = await meet(inside, clock)
            await meeting.pages[1].close()
            clock.move(10)
            await done(meeting.pages[0], type="replace", seat=1)
            await meeting.play_to_end(Random(2))
            await done(meeting.pages[0], type="consent", to="rematch")
            await meeting.pages[0].sync()
            table = await meeting.table()
            assert table.game_number == 2
            assert [seat.person != "" for seat in table.party.seats] == [False, True]

    run(test())


# ---- time ------------------------------------------------------------------------------------------------------------


def test_a_bot_plays_on_in_a_rated_game_when_the_time_is_up() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(Random(3), clock, bot_pause=1000) as inside:
            meeting = await meet(inside, clock)
            await pass_time(inside, clock, 300)
            seats = (await table_of(meeting.pages[1]))["seats"]
            assert (seats[0]["level"], seats[0]["stands_in"]) == (STAND_IN, True)
            await done(meeting.pages[0], type="take-back", seat=0)
            table = await meeting.table()
            assert table.clocks is not None
            assert table.clocks.times.running == 0

    run(test())


def test_where_nothing_is_at_stake_the_others_decide_when_the_time_is_up() -> None:
    async def test() -> None:
        clock = HandClock()
        async with world(Random(3), clock) as inside:
            meeting = await meet(inside, clock, rated=False)
            await pass_time(inside, clock, 299.5)
            assert (await table_of(meeting.pages[1]))["seats"][0]["away"] is None
            await pass_time(inside, clock, 0.5)
            seats = (await table_of(meeting.pages[1]))["seats"]
            assert (seats[0]["level"], seats[0]["away"]) == ("", clock.milliseconds)
            assert [notice["kind"] for notice in (await table_of(meeting.pages[1]))["notices"]] == ["time-up"]
            await meeting.play_turn(0, Random(1))
            assert (await table_of(meeting.pages[1]))["seats"][0]["away"] is None
            await meeting.play_turn(1, Random(1))
            table = await meeting.table()
            assert table.clocks is not None
            assert (table.clocks.times.running, table.clocks.times.left(0, clock.milliseconds)) == (0, 30_000)

    run(test())


def test_bots_finish_a_rated_game_that_everybody_has_left(tmp_path: Path) -> None:
    """Also after a restart: somebody waits for the result."""

    async def test() -> None:
        clock = HandClock()
        async with AsyncExitStack() as stack:
            inside = await stack.enter_async_context(world(Random(3), clock, data=tmp_path, bot_rest=0))
            meeting = await meet(inside, clock)
            await done(meeting.pages[0], type="play", version=1, move=(await view_of(meeting.pages[0]))["legal"][0])
            for page in meeting.pages:
                await page.close()
            for _ in range(2):
                await pass_time(inside, clock, 300)
                table = await meeting.table()
                while table.bot_in_turn():
                    await asyncio.sleep(0.05)
            assert table.over
            kinds = [type(entry) for entry in await logged(inside, meeting.id)]
            assert kinds.count(entries.TimedOut) == 2

    run(test())
