"""Reports to the operator: by those who were there, with what everybody there could see."""

from pathlib import Path
from random import Random

import pytest

from kingdom_builder.server import entries, reports
from kingdom_builder.server.entries import Seat
from kingdom_builder.server.messages import CHAT_LENGTH, ChatLine, ReportView
from kingdom_builder.server.reports import MOST_BYTES, find_report, list_reports, read_snapshot, snapshot_of
from server.inside import Dealer, Json, World, dealers, run, world
from server.strangers import Somebody, change, meet, open_table
from server.test_secrets import forge, legal, with_id

__all__ = ["dealers"]


async def send(who: Somebody, table: str, *tokens: str, **report: object) -> tuple[int, str]:
    """Send a report; the status and the code of the refusal."""
    body = {"table": table, "reason": "insult", **report}
    headers = {"Authorization": f"Bearer {','.join(tokens)}"} if tokens else {}
    answer = await who.ask("POST", "/api/reports", body, **headers)
    return answer.status_code, "" if answer.status_code == 200 else answer.json()["code"]


async def only_report(inside: World) -> ReportView:
    (line,) = await inside.tables.journal.read(list_reports)
    found = await inside.tables.journal.read(find_report, line.id, 0)
    assert found is not None
    return found


def test_a_report_has_the_record_and_the_chat_of_that_moment() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside, "Ann"), await meet(inside, "Bob", member=True)
            table = await open_table(inside, ann, bob)
            page = await bob.page(table)
            await page.ask(type="say", text="you are bad", seat=1)
            assert await send(ann, table, seat=1, text="  He was\u202e rude. ") == (200, "")
            await page.ask(type="say", text="later", seat=1)
            found = await only_report(inside)
            line, snapshot = found.report, found.snapshot
            assert (line.by, line.by_name, line.person, line.name) == (ann.id, "Ann", bob.id, "P1")
            assert (line.table, line.seat, line.reason, line.text) == (table, 1, "insult", "He was rude.")
            assert [(each.text, each.person) for each in snapshot.chat] == [("you are bad", bob.id)]
            assert (snapshot.game, snapshot.over, snapshot.names) == (1, False, ["P0", "P1"])

    run(test())


def test_a_report_of_a_game_that_was_given_up_knows_that_it_is_over() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside), await meet(inside)
            table = await open_table(inside, ann, bob)
            assert (await (await bob.page(table)).ask(type="leave"))["type"] == "done"
            assert await send(ann, table, seat=1) == (200, "")
            snapshot = (await only_report(inside)).snapshot
            assert snapshot.over
            assert "?" not in snapshot.position.split(" - ")[-1], "a game that is over has no secrets"

    run(test())


def test_only_those_who_were_at_a_table_report_what_happened_there() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob, cleo = await meet(inside), await meet(inside), await meet(inside)
            table = await open_table(inside, ann, bob)
            mine = await inside.make()
            assert await send(cleo, table, seat=1) == (400, "forbidden")
            assert await send(cleo, table, f"{table}.made-up", seat=1) == (400, "forbidden")
            assert await send(cleo, table, mine["seats"][0], seat=1) == (400, "forbidden")
            assert await send(cleo, mine["id"], seat=1) == (400, "forbidden")
            assert await send(cleo, "0123456789ab", seat=1) == (400, "forbidden")
            assert await send(cleo, "' OR 1=1 --", seat=1) == (400, "forbidden")
            page = await cleo.page(table)  # whoever looks on is there
            assert await send(cleo, table, seat=1) == (200, "")
            await page.close()
            assert await send(cleo, mine["id"], mine["watch"], seat=1) == (200, "")

    run(test())


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"seat": 0, "person": "x"},
        {"seat": 7},
        {"seat": -1},
        {"seat": 2},
        {"seat": 3},
        {"person": "nobody"},
        {"seat": 1, "reason": "because"},
        {"seat": 1, "text": "x" * 1001},
        {"person": "x" * 41},
        {"seat": 1, "table": "x" * 41},
        {"seat": 0},
    ],
)
def test_a_report_that_makes_no_sense_is_refused(wrong: Json) -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside), await meet(inside)
            table = await open_table(inside, ann, bob, bots=2)
            (await inside.tables.find([], "test", table=table))[0].party.seats[3] = Seat("", "open", "", 3)
            answer = await ann.ask("POST", "/api/reports", {"table": table, "reason": "insult", **wrong})
            assert answer.status_code in (400, 404, 422)
            assert await inside.tables.journal.read(list_reports) == []

    run(test())


def test_each_reports_a_player_of_a_table_once() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob, cleo = await meet(inside), await meet(inside), await meet(inside)
            table = await open_table(inside, ann, bob, cleo)
            assert await send(ann, table, seat=1) == (200, "")
            assert await send(ann, table, seat=1, reason="spam") == (409, "done")
            assert await send(ann, table, person=bob.id) == (409, "done")
            assert await send(ann, table, seat=2) == (200, "")
            assert await send(cleo, table, seat=1) == (200, "")
            assert len(await inside.tables.journal.read(list_reports)) == 3

    run(test())


def test_a_watcher_who_spoke_can_be_reported() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob, wes = await meet(inside), await meet(inside), await meet(inside)
            table = await open_table(inside, ann, bob)
            page = await wes.page(table)
            assert await send(ann, table, person=wes.id) == (404, "unknown-key")
            await page.ask(type="say", phrase="bye", name="Wes")
            assert await send(ann, table, person=wes.id) == (200, "")
            assert (await only_report(inside)).report.name == "Wes"

    run(test())


def test_a_flood_of_reports_is_refused_by_person_and_by_address(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with world(reports_per_day=2) as inside:
            people = [await meet(inside) for _ in range(5)]
            table = await open_table(inside, *people)
            sent = [await send(people[0], table, seat=seat) for seat in (1, 2, 3)]
            assert [status for status, _ in sent] == [200, 200, 429]
            others = [await send(each, table, seat=0) for each in people[1:]]
            assert [status for status, _ in others] == [200] * 4
            assert (await send(people[1], table, seat=2))[0] == 429  # there were six from this address
        monkeypatch.setattr(reports, "MOST_OPEN", 1)
        async with world() as inside:
            ann, bob, cleo = [await meet(inside) for _ in range(3)]
            table = await open_table(inside, ann, bob, cleo)
            assert await send(ann, table, seat=1) == (200, "")
            assert await send(ann, table, seat=2) == (503, "full")

    run(test())


def test_a_report_survives_its_table_and_goes_after_its_time() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside), await meet(inside)
            table = await open_table(inside, ann, bob)
            await send(ann, table, seat=1)
            await inside.tables.journal.expire(-1, most=None, trust_clock=True)
            assert inside.tables.journal.tables == 0
            found = await only_report(inside)
            assert found.snapshot.position
            at = found.report.at
            await inside.tables.journal.write(reports.remove_old, 180, at + 179 * 86_400)
            assert await inside.tables.journal.read(list_reports) != []
            await inside.tables.journal.write(reports.remove_old, 180, at + 181 * 86_400)
            assert await inside.tables.journal.read(list_reports) == []

    run(test())


def test_old_reports_are_removed_by_the_server_itself(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            ann, bob = await meet(inside), await meet(inside)
            await send(ann, await open_table(inside, ann, bob), seat=1)
            await change(inside, "UPDATE reports SET at = at - 181 * 86400")
            async with inside.app.router.lifespan_context(inside.app):
                for _ in range(100):
                    if not await inside.tables.journal.read(list_reports):
                        return
            raise AssertionError("still there")

    run(test())


def test_what_is_attached_is_bounded() -> None:
    async def test() -> None:
        async with world() as inside:
            ann, bob = await meet(inside), await meet(inside)
            found, _ = await inside.tables.find([], "test", table=await open_table(inside, ann, bob))
            text = "\N{CROWN}" * CHAT_LENGTH
            found.party.chat.extend(ChatLine(number, "watcher", "Wes", text) for number in range(100))
            snapshot = read_snapshot(snapshot_of(found, "x" * 10))
            assert 30 < len(snapshot.chat) * 1200 / 1000 < MOST_BYTES / 1000
            assert snapshot.chat[-1].version == 99

    run(test())


# ---- secrets ---------------------------------------------------------------------------------------------------------


async def attached(inside: World, made: Json, bodies: list[bytes]) -> list[bytes]:
    """What the players of a copied table attach to their reports."""
    journal = inside.tables.journal
    generation = await journal.create(made["id"], entries.FORMAT, bodies[0])
    for version, body in enumerate(bodies[1:], 2):
        await journal.append(made["id"], version, entries.FORMAT, body, generation)
    for seat, token in enumerate(made["seats"]):
        assert await send(await meet(inside), made["id"], token, seat=1 - seat) == (200, "")
    rows = await change(inside, "SELECT snapshot FROM reports WHERE place = ? ORDER BY seat", made["id"])
    return [packed for (packed,) in rows]


@pytest.mark.usefixtures("dealers")
@pytest.mark.parametrize("sets", [["base"], ["base", "crossroads"]])
def test_a_report_of_a_running_game_does_not_depend_on_a_hidden_card(sets: list[str]) -> None:
    """Two servers hold the same table but for one hidden card: what a player attaches to a report is the same."""

    async def test() -> None:
        rng = Random(repr(sets))
        loose: Json = {"reports_per_day": 10**6, "persons_per_day": 10**6}
        async with world(Dealer(1)) as main, world(Dealer(2), **loose) as left, world(Dealer(2), **loose) as right:
            made = await main.make(2, sets=sets, seed="1")
            table = await main.table(made)
            page = await main.page(*made["seats"])
            compared = records = 0
            while not table.game.over:
                bodies = [stored.body for stored in (await main.tables.journal.load(made["id"])).entries]
                forged = forge(bodies, table, rng) if compared < 6 else None
                if forged is not None:
                    copy = with_id(made, f"{len(bodies):012x}")
                    one, other = await attached(left, copy, bodies), await attached(right, copy, forged[1])
                    assert one == other
                    records += bool(read_snapshot(one[0]).record)
                    compared += 1
                await page.ask(type="play", version=table.version, move=rng.choice(legal(table)))
            assert compared >= 5
            assert records > 0
            reporter = await meet(main)
            assert await send(reporter, made["id"], made["seats"][0], seat=1) == (200, "")
            assert "?" not in (await only_report(main)).snapshot.position  # a game that is over has no secrets

    run(test())
