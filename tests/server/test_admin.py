"""Operators: what they may do, that it takes effect at once, and that it is written down."""

from pathlib import Path

import pytest

from kingdom_builder.server.connection import RESTART
from kingdom_builder.server.measures import find_persons
from server.inside import Json, World, run, world
from server.strangers import Somebody, change, meet, open_table, said


async def operator(inside: World) -> Somebody:
    admin = await meet(inside, "Op", member=True)
    await change(inside, "UPDATE persons SET role = 'admin' WHERE id = ?", admin.id)
    inside.tables.persons.forget(admin.id)
    return admin


async def do(admin: Somebody, what: str, person: str, **more: object) -> Json:
    answer = await admin.ask("POST", "/api/admin/measures", {"what": what, "person": person, **more})
    assert answer.status_code == 200, answer.text
    view: Json = answer.json()
    return view


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/admin", None),
        ("GET", "/api/admin/reports/0123456789ab", None),
        ("POST", "/api/admin/measures", {"what": "grant", "person": "me"}),
    ],
)
def test_only_operators_get_in(method: str, path: str, body: Json | None) -> None:
    async def test() -> None:
        async with world() as inside:
            ann = await meet(inside, member=True)
            if body:
                body["person"] = ann.id
            answer = await ann.ask(method, path, body)
            assert (answer.status_code, answer.json()["code"]) == (403, "not-admin")
            inside.http.cookies.clear()
            assert (await inside.http.request(method, path, json=body)).status_code == 401
            assert (await ann.ask("GET", "/api/me")).json()["role"] == ""

    run(test())


def test_a_ban_takes_effect_at_an_open_page_and_can_be_lifted() -> None:
    async def test() -> None:
        async with world() as inside:
            admin, ann, bob = await operator(inside), await meet(inside, "Ann", member=True), await meet(inside)
            page = await ann.page(await open_table(inside, ann, bob))
            assert (await page.ask(type="say", text="one", seat=0))["type"] == "done"
            view = await do(admin, "ban", ann.id, days=3, why="rude")
            assert [(each["person"], each["name"], each["kind"], each["why"]) for each in view["bans"]] == [
                (ann.id, "Ann", "ban", "rude")
            ]
            assert await page.refused(type="say", text="two", seat=0) == "muted"
            view = await do(admin, "unban", ann.id)
            assert view["bans"] == []
            assert (await page.ask(type="say", text="three", seat=0))["type"] == "done"
            did = [(each["by"], each["what"], each["person"]) for each in view["measures"]]
            assert sorted(did) == sorted([(admin.id, "unban", ann.id), (admin.id, "ban", ann.id)])

    run(test())


def test_mutes_and_bans_end_by_themselves() -> None:
    async def test() -> None:
        async with world() as inside:
            now = [1_000_000.0]
            inside.tables.order._clock = lambda: now[0]
            inside.tables.clock = lambda: now[0]
            admin, ann, bob = await operator(inside), await meet(inside, member=True), await meet(inside)
            await do(admin, "mute", ann.id, days=1)
            page = await ann.page(await open_table(inside, ann, bob))
            assert await page.refused(type="say", text="one", seat=0) == "muted"
            now[0] += 86_401
            assert (await page.ask(type="say", text="one", seat=0))["type"] == "done"

    run(test())


def test_the_role_is_given_and_taken_and_nobody_takes_their_own() -> None:
    async def test() -> None:
        async with world() as inside:
            admin, ann = await operator(inside), await meet(inside)
            await do(admin, "grant", ann.id)
            assert (await ann.ask("GET", "/api/me")).json()["role"] == "admin"
            assert (await ann.ask("GET", "/api/admin")).status_code == 200
            await do(ann, "revoke", admin.id)
            assert (await admin.ask("GET", "/api/admin")).status_code == 403
            for what in ("revoke", "ban", "mute", "delete"):
                answer = await ann.ask("POST", "/api/admin/measures", {"what": what, "person": ann.id})
                assert answer.json()["code"] == "forbidden"

    run(test())


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"what": "praise", "person": "x"}, 422),
        ({"what": "ban", "person": "nobody"}, 404),
        ({"what": "close", "person": "nothing"}, 404),
        ({"what": "ban", "person": "x" * 41}, 422),
        ({"what": "ban", "person": "x", "why": "x" * 201}, 422),
        ({"what": "ban", "person": "x", "days": 0}, 400),
        ({"what": "ban", "person": "x", "days": 10**9}, 400),
    ],
)
def test_what_makes_no_sense_is_refused_and_not_written_down(wrong: Json, status: int) -> None:
    async def test() -> None:
        async with world() as inside:
            admin = await operator(inside)
            assert (await admin.ask("POST", "/api/admin/measures", wrong)).status_code == status
            assert (await admin.ask("GET", "/api/admin")).json()["measures"] == []

    run(test())


def test_an_emptied_name_is_gone_from_running_tables_too(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            admin, ann, bob = await operator(inside), await meet(inside, "Rude Name", member=True), await meet(inside)
            table = await open_table(inside, ann, bob)
            page = await ann.page(table)
            await page.ask(type="join", seat=0, name="Rude Name", colour=0)
            await page.ask(type="say", text="a line", seat=0)
            await inside.tables.projector.flush()
            await do(admin, "rename", ann.id)
            await page.ended()  # it comes back by itself
            again = await bob.page(table)
            assert "Rude Name" not in "".join(again.received)
            assert said(again) == ["a line"]
            assert (await ann.ask("GET", "/api/me")).json()["name"] == ""

    run(test())


def test_a_deleted_person_is_nobody_and_their_words_are_gone() -> None:
    async def test() -> None:
        async with world() as inside:
            admin, ann, bob = await operator(inside), await meet(inside, "Ann", member=True), await meet(inside)
            table = await open_table(inside, ann, bob)
            page = await ann.page(table)
            await page.ask(type="say", text="a line", seat=0)
            watching = await ann.page(await open_table(inside, bob, await meet(inside)))
            lobby = await ann.page("lobby")
            await do(admin, "mute", ann.id)
            await do(admin, "delete", ann.id)
            for each in (page, watching, lobby):
                await each.settle()
            assert (await ann.ask("GET", "/api/me")).status_code == 401
            assert (page.closed, watching.closed, lobby.closed) == (RESTART, RESTART, RESTART)
            assert (await bob.ask("GET", f"/api/persons/{ann.id}")).status_code == 404
            again = await bob.page(table)
            assert "a line" not in "".join(again.received)
            assert await change(inside, "SELECT * FROM bans") == []
            assert await inside.tables.journal.read(find_persons, ann.id) == []

    run(test())


def test_a_report_is_read_and_closed() -> None:
    async def test() -> None:
        async with world() as inside:
            admin, ann, bob = await operator(inside), await meet(inside, "Ann"), await meet(inside)
            table = await open_table(inside, ann, bob)
            await ann.ask("POST", "/api/reports", {"table": table, "seat": 1, "reason": "spam", "text": "Look."})
            (line,) = (await admin.ask("GET", "/api/admin")).json()["reports"]
            found = (await admin.ask("GET", f"/api/admin/reports/{line['id']}")).json()
            assert (found["report"], found["snapshot"]["names"]) == (line, ["P0", "P1"])
            view = await do(admin, "close", line["id"])
            assert view["reports"] == []
            assert len((await admin.ask("GET", "/api/admin?closed=true")).json()["reports"]) == 1

    run(test())
