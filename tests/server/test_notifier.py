"""The worker of the outbox: messages arrive where people want them, whatever the other side does."""

import asyncio
import json
import logging
import time
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingdom_builder.server import outbox, senders
from kingdom_builder.server.clocks import ONE_DAY
from kingdom_builder.server.delivery.mail import MailSettings
from kingdom_builder.server.delivery.outcome import Outcome
from kingdom_builder.server.delivery.push import Subscription
from kingdom_builder.server.delivery.webhook import send_webhook
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.notices import Notice
from kingdom_builder.server.notifier import FIRST_RETRY, LEASE, LONGEST_PAUSE, MOST_TRIES, PLACES
from kingdom_builder.server.persons import DAY
from kingdom_builder.server.table import Table
from kingdom_builder.server.tokens import token_hash
from kingdom_builder.server.ways import add_browser, chosen
from server.inside import Page, World, run, world
from server.mail_server import MailServer
from server.push_service import PushService
from server.receiver import Receiver, http_answer
from server.telling import (
    DELAY,
    Recorder,
    Sent,
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
    take_mail,
    take_pushes,
    take_webhooks,
    tell,
)

log = logging.getLogger(__name__)

ADDRESS = "https://kb.example.org"


class Others(NamedTuple):
    """Servers of others on the loopback."""

    push: PushService
    hook: Receiver
    mail: MailServer

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "address": ADDRESS,
            "push_contact": "mailto:operator@example.org",
            "push_allow": (self.push.origin,),
            "webhook_allow": (self.hook.origin,),
            "mail": MailSettings("127.0.0.1", self.mail.port, "plain", "Kingdom Builder <kb@example.org>"),
        }

    @property
    def is_silent(self) -> bool:
        return self.push.is_empty and self.hook.is_empty and self.mail.is_empty


@pytest.fixture
def others() -> Iterator[Others]:
    with PushService() as push, Receiver() as hook, MailServer() as mail:
        yield Others(push, hook, mail)


async def reach_everywhere(inside: World, person: Somebody, others: Others) -> None:
    """Let a person be told in all ways."""
    browser = Subscription(others.push.endpoint, others.push.browser.p256dh, others.push.browser.auth)
    device = token_hash(person.cookie)
    await inside.tables.journal.write(add_browser, person.id, browser, device, "", "", 1)
    await take_webhooks(inside, person, f"{others.hook.origin}/hook")
    await take_mail(inside, person)


async def ways_of(inside: World, person: Somebody) -> list[str]:
    return sorted(each.way for each in await inside.tables.journal.read(chosen, person.id))


async def until_turn_of(inside: World, table: Table, people: list[Somebody], person: Somebody) -> None:
    if in_turn(table, people) != person:
        await play_turn(inside, table, people)
    await inside.tables.projector.flush()


# ---- a game of days --------------------------------------------------------------------------------------------------


def test_a_game_of_days_tells_its_player_by_push_webhook_and_mail(others: Others, tmp_path: Path) -> None:
    clock = Time()

    async def turn_arrives(kind: str, table: Table) -> None:
        push = await asyncio.to_thread(others.push.next_push)
        said = json.loads(push.payload)
        assert (said["url"], said["tag"]) == (f"/#/table/{table.id}", table.id)
        assert said["title"] == {"turn": "It is your turn", "reminder": "Your time is running out"}[kind]
        assert "Bob" in said["body"]
        line = json.loads((await asyncio.to_thread(others.hook.next)).body)
        assert line["url"] == f"{ADDRESS}/#/table/{table.id}"
        assert line["content"].endswith(line["url"])
        assert "Bob" in line["content"]
        mail = (await asyncio.to_thread(others.mail.next)).message
        assert mail["subject"] == said["title"]
        assert line["url"] in mail.get_content()
        assert mail["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
        assert others.push.complaints == []

    async def test() -> None:
        async with world(data=tmp_path, mail_pause=0, **others.settings) as inside:
            set_clock(inside, clock)
            ann, _ = people = [await somebody(inside, name) for name in ("Ann", "Bob")]
            await reach_everywhere(inside, ann, others)
            table = await table_of(inside, *people, clock=ONE_DAY)
            for _ in range(2):
                await until_turn_of(inside, table, people, ann)
                await send(inside)
                assert others.is_silent
                clock.pass_by(DELAY)
                await send(inside)
                await turn_arrives("turn", table)
                await send(inside)
                assert others.is_silent
                await play_turn(inside, table, people)

            # None while she looks at the table.
            await until_turn_of(inside, table, people, ann)
            began = clock.now
            page = await look(inside, table, ann)
            clock.pass_by(DELAY)
            await send(inside)
            assert others.is_silent
            await page.close()

        # A reminder when 80 % of the time is gone, also after a restart.
        async with world(data=tmp_path, mail_pause=0, **others.settings) as inside:
            set_clock(inside, clock)
            await take_mail(inside, ann)
            clock.now = began + DAY * 8 // 10 - 1
            await send(inside)
            assert others.is_silent
            clock.pass_by(1)
            await send(inside)
            await turn_arrives("reminder", table)

            # None after she has played.
            table = await found(inside, table.id)
            await play_turn(inside, table, people)
            await tell(inside)
            clock.pass_by(DAY)
            await send(inside)
            assert others.is_silent

    run(test())


def test_a_game_without_a_clock_reminds_its_player_a_day_after_the_turn_began(others: Others) -> None:
    clock = Time()

    async def test() -> None:
        async with world(mail_pause=0, **others.settings) as inside:
            set_clock(inside, clock)
            ann, _ = people = [await somebody(inside, name) for name in ("Ann", "Bob")]
            await reach_everywhere(inside, ann, others)
            table = await table_of(inside, *people)
            await until_turn_of(inside, table, people, ann)
            page = await look(inside, table, ann)
            clock.pass_by(DELAY)
            await send(inside)
            await page.close()
            clock.pass_by(DAY - DELAY - 1)
            await send(inside)
            assert others.is_silent
            clock.pass_by(1)
            await send(inside)
            said = json.loads((await asyncio.to_thread(others.push.next_push)).payload)
            assert said["title"] == "It is still your turn"
            assert "Bob" in json.loads((await asyncio.to_thread(others.hook.next)).body)["content"]
            assert (await asyncio.to_thread(others.mail.next)).message["subject"] == said["title"]

    run(test())


def test_the_worker_runs_by_itself_and_is_woken_by_moves(others: Others) -> None:
    async def test() -> None:
        async with world(notice_delay=0, **others.settings) as inside:
            ann, _ = people = [await somebody(inside, name) for name in ("Ann", "Bob")]
            await reach_everywhere(inside, ann, others)
            working = asyncio.create_task(inside.tables.notifier.run())
            table = await table_of(inside, *people)
            if in_turn(table, people) != ann:
                await play_turn(inside, table, people)
            push = await asyncio.to_thread(others.push.next_push)
            assert b"Bob" in push.payload
            await play_turn(inside, table, people)
            await play_turn(inside, table, people)
            again = await asyncio.to_thread(others.push.next_push)
            assert again.payload == push.payload
            working.cancel()
            await asyncio.wait([working])

    run(test())


def test_people_are_told_in_their_language() -> None:
    async def test() -> None:
        clock = Time()
        async with world() as inside:
            set_clock(inside, clock)
            people = [await somebody(inside, name) for name in ("Ann", "Bob")]
            recorder = Recorder(inside)
            table = await table_of(inside, *people)
            person = in_turn(table, people)
            await take_pushes(inside, person)
            inside.http.cookies.set("kb", person.cookie)
            answer = await inside.http.put("/api/me/notifications", json={"language": "fr"})
            assert answer.status_code == 200
            await set_reminder(inside, table, None)
            clock.pass_by(DELAY)
            await tell(inside)
            assert [each.language for each in recorder.sent] == ["fr"]

    run(test())


# ---- mail in one -----------------------------------------------------------------------------------------------------


def test_several_turns_come_in_one_mail_and_only_one_an_hour(others: Others) -> None:
    async def test() -> None:
        clock = Time()
        async with world(**others.settings) as inside:
            set_clock(inside, clock)
            ann, bob, cleo = [await somebody(inside, name) for name in ("Ann", "Bob", "Cleo")]
            await take_mail(inside, ann)
            tables = [await table_of(inside, ann, other) for other in (bob, cleo)]
            for table, other in zip(tables, (bob, cleo), strict=True):
                await until_turn_of(inside, table, [ann, other], ann)
            clock.pass_by(DELAY)
            await send(inside)
            mail = (await asyncio.to_thread(others.mail.next)).message
            text = mail.get_content()
            assert all(f"{ADDRESS}/#/table/{table.id}" in text for table in tables)
            assert mail["subject"] == "2 messages about your games"
            for table, other in zip(tables, (bob, cleo), strict=True):
                await play_turn(inside, table, [ann, other])
                await play_turn(inside, table, [ann, other])
                await tell(inside)
            clock.pass_by(DELAY)
            await send(inside)
            assert others.mail.is_empty
            await play_turn(inside, tables[0], [ann, bob])
            await tell(inside)
            clock.pass_by(3600)
            await send(inside)
            mail = (await asyncio.to_thread(others.mail.next)).message
            assert "Cleo" in mail.get_content()
            assert "Bob" not in mail.get_content()
            await send(inside)
            assert others.mail.is_empty

            # The link in it ends the mails, without signing in.
            link = mail["list-unsubscribe"].strip("<>").removeprefix(ADDRESS)
            inside.http.cookies.clear()
            asked = await inside.http.get(link)
            assert (asked.status_code, asked.headers["location"][:15]) == (303, "/#/unsubscribe/")
            assert await ways_of(inside, ann) == ["mail"]  # programs follow links too
            ended = await inside.http.post(link, data={"List-Unsubscribe": "One-Click"})
            assert ended.status_code == 204
            assert await ways_of(inside, ann) == []
            wrong = f"{link[:-1]}{'0' if link[-1] != '0' else '1'}"
            assert (await inside.http.post(wrong)).status_code == 404

    run(test())


# ---- when the other side fails ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [404, 410])
def test_addresses_that_are_gone_are_forgotten(others: Others, status: int) -> None:
    async def test() -> None:
        clock = Time()
        others.hook.answer = others.push.answer = http_answer(status)
        others.mail.replies["RCPT"] = "550 5.1.1 nobody"
        async with world(**others.settings) as inside:
            set_clock(inside, clock)
            ann, _ = people = [await somebody(inside, name) for name in ("Ann", "Bob")]
            await reach_everywhere(inside, ann, others)
            table = await table_of(inside, *people)
            await until_turn_of(inside, table, people, ann)
            clock.pass_by(DELAY)
            await send(inside)
            assert await ways_of(inside, ann) == []
            assert {state for (state,) in await rows(inside, "state")} == {"dropped"}

    run(test())


def test_a_message_is_tried_again_later_and_later_and_then_given_up() -> None:
    async def test() -> None:
        clock = Time()
        async with world() as inside:
            set_clock(inside, clock)
            ann, _ = people = [await somebody(inside, name) for name in ("Ann", "Bob")]
            await take_pushes(inside, ann)
            recorder = Recorder(inside)
            recorder.outcome = lambda sent: Outcome("retry", "status 503")
            table = await table_of(inside, *people)
            await until_turn_of(inside, table, people, ann)
            attempts: list[float] = []
            clock.pass_by(DELAY)
            while len(await rows(inside, "state")) and (await rows(inside, "state"))[0] == ("waiting",):
                await send(inside)
                attempts += [clock.now] * len(recorder.take())
                clock.pass_by(10)
            assert len(attempts) == MOST_TRIES
            gaps = [after - before for before, after in pairwise(attempts)]
            assert gaps[0] >= FIRST_RETRY * 0.75
            assert all(gap >= FIRST_RETRY * 2**number * 0.75 for number, gap in enumerate(gaps))
            assert sum(gaps) < 6 * 3600
            assert await rows(inside, "state") == [("failed",)]

    run(test())


def test_retries_end_when_the_turn_is_played_and_wait_as_long_as_asked() -> None:
    async def test() -> None:
        clock = Time()
        async with world() as inside:
            set_clock(inside, clock)
            ann, _ = people = [await somebody(inside, name) for name in ("Ann", "Bob")]
            await take_pushes(inside, ann)
            recorder = Recorder(inside)
            recorder.outcome = lambda sent: Outcome("retry", "status 429", 900.0)
            table = await table_of(inside, *people)
            await until_turn_of(inside, table, people, ann)
            clock.pass_by(DELAY)
            await send(inside)
            clock.pass_by(899)
            await send(inside)
            assert len(recorder.take()) == 1
            clock.pass_by(1)
            await send(inside)
            assert len(recorder.take()) == 1
            await play_turn(inside, table, people)
            await tell(inside)
            clock.pass_by(DAY)
            await send(inside)
            assert recorder.take() == []

    run(test())


def test_somebody_who_sends_too_much_to_a_host_keeps_it_from_nobody_else() -> None:
    async def test() -> None:
        clock = Time()
        async with world() as inside:
            set_clock(inside, clock)
            recorder = Recorder(inside)
            recorder.outcome = lambda sent: (
                Outcome("retry", "status 429") if "loud" in sent.to else Outcome("delivered")
            )
            loud, ann = await somebody(inside, "Loud"), await somebody(inside, "Ann")
            await take_webhooks(inside, loud, "https://shared.test/loud")
            await take_webhooks(inside, ann, "https://shared.test/ann")
            await table_of(inside, loud, ann)
            for _ in range(40):
                await tell(inside)
                clock.pass_by(60)
            assert sum("loud" in each.to for each in recorder.sent) >= 3
            await table_of(inside, ann, loud)
            for _ in range(8):
                clock.pass_by(DELAY)
                await tell(inside)
            assert sum("ann" in each.to for each in recorder.sent) == 1

    run(test())


def test_a_host_that_does_not_answer_is_left_alone_and_others_are_served() -> None:
    async def test() -> None:
        clock = Time()
        async with world() as inside:
            set_clock(inside, clock)
            recorder = Recorder(inside)
            recorder.outcome = lambda sent: Outcome("retry" if "silent" in sent.to else "delivered", "no answer")
            crowd = [await somebody(inside, f"P{number}") for number in range(10)]
            happy = await somebody(inside, "Ann")
            for number, each in enumerate(crowd):
                await take_webhooks(inside, each, f"https://silent.test/{number}")
                await table_of(inside, each, happy)
            clock.pass_by(1)
            await take_webhooks(inside, happy)
            await table_of(inside, happy, crowd[0])
            clock.pass_by(DELAY)
            for _ in range(12):
                await tell(inside)
                clock.pass_by(2)
            assert sum("silent" in each.to for each in recorder.sent) <= 4
            assert sum("silent" not in each.to for each in recorder.sent) == 1
            recorder.outcome = lambda sent: Outcome("delivered")
            recorder.take()
            for _ in range(100):
                await tell(inside)
                clock.pass_by(10)
            assert len(recorder.take()) == len(crowd)

    run(test())


def test_a_hanging_endpoint_delays_no_move_and_no_other_message(
    others: Others, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(senders, "send_webhook", partial(send_webhook, patience=60))  # longer than the whole test

    async def acknowledged(page: Page, table: Table, moves: int) -> list[float]:
        seconds = []
        for number in range(moves):
            before = time.perf_counter()
            await play(page, table, Random(number))
            seconds.append(time.perf_counter() - before)
            await asyncio.sleep(0.02)
        return sorted(seconds)

    async def test() -> None:
        others.hook.answer = None
        async with world(notice_delay=0, **others.settings) as inside:
            ann, bob, cleo = [await somebody(inside, name) for name in ("Ann", "Bob", "Cleo")]
            first, second = [await table_of(inside, cleo, cleo) for _ in range(2)]  # one page for both seats
            page, other = [await look(inside, table, cleo) for table in (first, second)]
            working = asyncio.create_task(inside.tables.notifier.run())
            quiet = await acknowledged(page, first, 50)
            for each in (ann, bob):
                await take_webhooks(inside, each, f"{others.hook.origin}/{each.name}")
            for _ in range(20):
                await table_of(inside, ann, bob)
            await asyncio.to_thread(others.hook.next)
            browser = Subscription(others.push.endpoint, others.push.browser.p256dh, others.push.browser.auth)
            await inside.tables.journal.write(add_browser, cleo.id, browser, token_hash(cleo.cookie), "", "", 1)
            await table_of(inside, cleo, ann)
            busy = await acknowledged(other, second, 50)
            await asyncio.to_thread(others.push.next_push)
            assert "webhook" in inside.tables.notifier._sending.values(), "it hangs still"
            log.info("acknowledged in %.4f s (p95), with a hanging webhook in %.4f s", quiet[-3], busy[-3])
            assert busy[-3] < max(3 * quiet[-3], 1)
            working.cancel()
            await asyncio.wait([working])

    run(test())


def test_no_more_are_on_their_way_than_there_are_places() -> None:
    async def test() -> None:
        clock = Time()
        async with world() as inside:
            set_clock(inside, clock)
            recorder = Recorder(inside)
            gate, under_way, most = asyncio.Event(), 0, 0

            async def push(subscription: Subscription, language: str, notice: Notice) -> Outcome:
                nonlocal under_way, most
                under_way += 1
                most = max(most, under_way)
                await gate.wait()
                under_way -= 1
                return Outcome("delivered")

            recorder.push = push  # type: ignore[method-assign]
            host = await somebody(inside, "Host")
            for number in range(PLACES["push"] + 5):
                guest = await somebody(inside, f"P{number}")
                await take_pushes(inside, guest)
                await table_of(inside, guest, host)
            clock.pass_by(DELAY)
            for _ in range(3):
                await inside.tables.notifier.tick()
                await asyncio.sleep(0)
            assert under_way == PLACES["push"]
            gate.set()
            await send(inside)
            await send(inside)
            assert most == PLACES["push"]
            assert {state for (state,) in await rows(inside, "state")} == {"sent"}

    run(test())


# ---- claims ----------------------------------------------------------------------------------------------------------


def test_a_claimed_row_is_sent_by_nobody_else_until_the_claim_ends(tmp_path: Path) -> None:
    """A server that dies between sending and noting it sends again: better twice than never."""

    async def test() -> None:
        clock = Time()
        async with world(data=tmp_path) as inside:
            set_clock(inside, clock)
            ann, _ = people = [await somebody(inside, name) for name in ("Ann", "Bob")]
            await take_pushes(inside, ann)
            recorder = Recorder(inside)
            table = await table_of(inside, *people)
            await until_turn_of(inside, table, people, ann)
            clock.pass_by(DELAY)
            now = int(clock.now)
            (row,) = await inside.tables.journal.read(outbox.due_rows, "push", now, 10)
            first = await inside.tables.journal.write(outbox.claim, [row.key], [], now, now + LEASE)
            second = await inside.tables.journal.write(outbox.claim, [row.key], [], now, now + LEASE)
            assert (first, second) == ([row.key], [])
            await send(inside)
            assert recorder.take() == []
        async with world(data=tmp_path) as inside:  # the first one has died
            set_clock(inside, clock)
            recorder = Recorder(inside)
            await send(inside)
            assert recorder.take() == []
            clock.pass_by(LEASE)
            await send(inside)
            assert recorder.take() == [("push", "turn")]

    run(test())


def test_a_disk_that_fails_after_sending_does_not_make_it_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        clock = Time()
        async with world() as inside:
            set_clock(inside, clock)
            ann, _ = people = [await somebody(inside, name) for name in ("Ann", "Bob")]
            await take_pushes(inside, ann)
            recorder = Recorder(inside)
            table = await table_of(inside, *people)
            await until_turn_of(inside, table, people, ann)
            clock.pass_by(DELAY)
            journal = inside.tables.journal
            write = journal.write

            async def fails(work: Any, *arguments: Any) -> Any:
                if work.__name__ == "_settle":
                    raise StoreError("the disk is full")
                return await write(work, *arguments)

            monkeypatch.setattr(journal, "write", fails)
            await inside.tables.notifier.tick()
            await inside.tables.notifier.finish()
            assert len(recorder.take()) == 1
            monkeypatch.undo()
            clock.pass_by(DAY - DELAY - 1)
            await send(inside)
            assert recorder.take() == []
            assert await rows(inside, "state") == [("sent",)]

    run(test())


# ---- whatever happens ------------------------------------------------------------------------------------------------


class Evening:
    """Two people of whom everything is told, and what happens to them at random."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.rng, self.clock = folder, Random(seed), Time()
        self.told: set[tuple[str, str, str, int]] = set()
        self.turns: list[str] = []
        """Who has ended a turn, as the test has seen it."""
        self.pages: dict[str, Page] = {}
        self.hidden: set[str] = set()
        self.inside: World
        self.people: list[Somebody] = []
        self.table: Table
        self.is_kind = False
        """Whether everything that is sent arrives."""
        self.wrong: list[str] = []
        """What was wrong with messages; the worker goes on whatever a sender raises."""

    async def begin(self) -> None:
        self._open()
        self.people = [await somebody(self.inside, name) for name in ("Ann", "Bob")]
        for each in self.people:
            await take_pushes(self.inside, each)
            await take_webhooks(self.inside, each)
        self.table = await table_of(self.inside, *self.people, clock=ONE_DAY)

    def _open(self) -> None:
        self.inside = World(data=self.folder)
        set_clock(self.inside, self.clock)
        recorder = Recorder(self.inside)
        recorder.outcome = self._check

    def _check(self, sent: Sent) -> Outcome:
        """Every message is of a turn that waits, for somebody who does not see the table, and the first of its kind."""
        if sent.notice.kind == "over":
            return Outcome("delivered" if self.table.game.over else "refused")
        person = in_turn(self.table, self.people)
        if self.table.game.over or not sent.to.endswith(person.name):
            self.wrong.append("the turn does not wait")
        if person.name in self.pages and person.name not in self.hidden:
            self.wrong.append("they see the table")
        if not self.is_kind and self.rng.random() < 0.2:
            return Outcome("retry", "status 503")
        turn = (person.name, sent.way, sent.notice.kind, len(self.turns))
        if turn in self.told:
            self.wrong.append("twice")
        self.told.add(turn)
        return Outcome("delivered")

    async def do(self, what: str) -> None:
        person = in_turn(self.table, self.people)
        match what:
            case "come":
                other = self.rng.choice(self.people)
                if other.name not in self.pages:
                    self.pages[other.name] = await look(self.inside, self.table, other)
                    self.hidden.discard(other.name)
            case "go" if self.pages:
                name = self.rng.choice(sorted(self.pages))
                await self.pages.pop(name).close()
            case "hide" if self.pages:
                name = self.rng.choice(sorted(self.pages))
                await self.pages[name].ask(type="visible", on=False)
                self.hidden.add(name)
            case "move" | "turn" | "undo":
                page = self.pages.get(person.name)
                mine = page or await look(self.inside, self.table, person)
                if what == "undo":
                    await mine.ask(type="undo", version=self.table.version)
                elif what == "move":
                    await play(mine, self.table, self.rng)
                else:
                    while not self.table.game.over and in_turn(self.table, self.people) == person:
                        await play(mine, self.table, self.rng)
                if self.table.game.over or in_turn(self.table, self.people) != person:
                    self.turns.append(person.name)
                if page is None:
                    await mine.close()
            case "wait":
                self.clock.pass_by(self.rng.choice([1, 3, 6, 60, 4000]))
            case "flush":
                await self.inside.tables.projector.flush()
            case "remind":
                remind = int(self.clock.now) + self.rng.choice([0, 10, 1000])
                await self.inside.tables.projector.flush()
                await set_reminder(self.inside, self.table, self.rng.choice([remind, None]))
            case "tell":
                await self.inside.tables.projector.flush()
                self.clock.pass_by(DELAY)
                await self.inside.tables.notifier.tick()
                await self.inside.tables.notifier.finish()
            case "send":
                await self.inside.tables.notifier.tick()
                await self.inside.tables.notifier.finish()
            case "restart" | "crash":
                if what == "crash":
                    self.inside.tables.projector._changed.clear()
                await self.close()
                self._open()
                await self.inside.tables.projector.catch_up()
                self.table = await found(self.inside, self.table.id)

    async def close(self) -> None:
        assert self.wrong == []
        self.pages.clear()
        self.hidden.clear()
        await self.inside.__aexit__()


HAPPENINGS = [
    "come",
    "go",
    "hide",
    "move",
    "turn",
    "turn",
    "undo",
    "wait",
    "wait",
    "flush",
    "remind",
    "send",
    "send",
    "tell",
    "tell",
]


@settings(max_examples=8, deadline=None)
@given(st.lists(st.sampled_from([*HAPPENINGS, "restart", "crash"]), min_size=10, max_size=40), st.integers(0, 10**6))
def test_at_most_one_message_of_a_turn_in_each_way_and_only_while_it_waits(
    tmp_path_factory: pytest.TempPathFactory, happenings: list[str], seed: int
) -> None:
    async def test() -> None:
        evening = Evening(tmp_path_factory.mktemp("evening"), seed)
        await evening.begin()
        try:
            for what in happenings:
                if evening.table.game.over:
                    break
                await evening.do(what)
        finally:
            await evening.close()

    run(test())


@pytest.mark.parametrize("seed", range(3))
def test_after_a_long_evening_whoever_is_in_turn_is_told(tmp_path: Path, seed: int) -> None:
    """The property above says nothing if nobody is ever told."""

    async def test() -> None:
        evening = Evening(tmp_path, seed)
        await evening.begin()
        for _ in range(60):
            await evening.do(evening.rng.choice([*HAPPENINGS, "go", "go"]))
        while evening.pages:
            await evening.do("go")
        evening.is_kind = True
        for _ in range(2):
            evening.clock.pass_by(2 * LONGEST_PAUSE)  # until no host is left alone any more
            waits = next(each for each in evening.people if each != in_turn(evening.table, evening.people))
            await evening.do("turn")
            await evening.do("tell")
            for way in ("push", "webhook"):
                assert (waits.name, way, "turn", len(evening.turns)) in evening.told
        await evening.close()

    run(test())
