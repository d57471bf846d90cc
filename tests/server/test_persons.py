"""Persons: guests from the first visit on, known by a cookie, and their seats at tables."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from kingdom_builder.cli.main import main
from kingdom_builder.server import entries, people_benchmark
from kingdom_builder.server.connection import TRY_LATER
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.persons import COOKIE, Person
from kingdom_builder.server.tokens import person_key
from server.inside import Json, World, run, world


async def visit(inside: World) -> tuple[str, Json]:
    """Somebody new: the secret of their device, and who they are."""
    inside.http.cookies.clear()
    answer = await inside.http.post("/api/me", json={})
    assert answer.status_code == 200, answer.text
    inside.http.cookies.clear()
    return answer.cookies[COOKIE], answer.json()


async def logged(inside: World, table: str) -> list[entries.AnyEntry]:
    loaded = await inside.tables.journal.load(table)
    return [entries.read(stored, number) for number, stored in enumerate(loaded.entries, 1)]


def test_a_guest_is_made_once_and_known_again_after_a_restart(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            unknown = await inside.http.get("/api/me")
            assert (unknown.status_code, unknown.json()["code"]) == (401, "unknown-person")
            first = await inside.http.post("/api/me", json={})
            again = await inside.http.post("/api/me", json={})
            assert (first.json(), "set-cookie" in again.headers) == (again.json(), False)
            assert "httponly" in first.headers["set-cookie"].lower()
            assert "samesite=lax" in first.headers["set-cookie"].lower()
            secret = first.cookies[COOKIE]
        async with world(data=tmp_path) as inside:
            inside.http.cookies.set(COOKIE, secret)
            assert (await inside.http.get("/api/me")).json() == first.json()
        assert secret.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())

    run(test())


def test_a_made_up_cookie_is_nobody() -> None:
    async def test() -> None:
        async with world() as inside:
            inside.http.cookies.set(COOKIE, "made-up")
            assert (await inside.http.get("/api/me")).status_code == 401
            assert (await inside.tables.persons.at_device("")) is None

    run(test())


def test_an_address_makes_only_so_many_guests() -> None:
    async def test() -> None:
        async with world(persons_per_day=3) as inside:
            for _ in range(3):
                await visit(inside)
            inside.http.cookies.clear()
            refused = await inside.http.post("/api/me", json={})
            assert (refused.status_code, refused.json()["code"]) == (429, "too-fast")

    run(test())


def test_a_seat_that_is_bound_uses_up_no_id_of_its_player() -> None:
    """Programs number their commands from 1, as tables number what they write themselves."""

    async def test() -> None:
        async with world() as inside:
            made = await inside.make()
            cookie, _ = await visit(inside)
            page = await inside.page(made["seats"][0], cookie=cookie)
            table = await inside.table(made)
            for number in range(3):
                before = len(table.game.plies)
                move = table.game.legal_moves()[0]
                assert (await page.ask(type="play", id=str(number), version=table.version, move=move))["type"] == "done"
                assert len(table.game.plies) > before

    run(test())


@pytest.mark.parametrize(("origin", "status"), [("http://elsewhere", 403), ("http://test", 200), (None, 200)])
def test_pages_of_other_sites_change_nothing(origin: str | None, status: int) -> None:
    async def test() -> None:
        async with world() as inside:
            headers = {"Origin": origin} if origin else {}
            answer = await inside.http.post("/api/me", json={}, headers=headers)
            assert answer.status_code == status

    run(test())


def test_an_opened_seat_belongs_to_the_person_who_comes_back_without_its_link(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await inside.make()
            secret, me = await visit(inside)
            page = await inside.page(made["seats"][0], cookie=secret)
            await page.close()
            bound = [entry for entry in await logged(inside, made["id"]) if isinstance(entry, entries.Bound)]
            assert [(entry.seat, entry.person) for entry in bound] == [(0, me["id"])]
        async with world(data=tmp_path) as inside:
            back = await inside.page(table=made["id"], cookie=secret)
            (welcome,) = [each for each in back.messages() if each["type"] == "welcome"]
            assert welcome["table"]["yours"] == [0]
            move = welcome["view"]["legal"][0]
            answer = await back.ask(type="play", version=welcome["version"], move=move)
            assert answer["type"] == "done"
            played = (await logged(inside, made["id"]))[-1]
            assert isinstance(played, entries.Played)
            assert person_key(me["id"]) in played.by.split()
            assert played.at > 0

    run(test())


def test_others_do_not_get_in_without_a_link() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await inside.make()
            secret, _ = await visit(inside)
            for cookie in (secret, ""):
                page = await inside.stranger(table=made["id"], cookie=cookie)
                page.say('{"type": "hello", "tokens": []}')
                refused = await page.until(lambda message: message["type"] == "refused")
                assert refused["refusal"]["code"] == "unknown-key"

    run(test())


def test_what_people_typed_is_not_in_the_log(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await inside.make()
            page = await inside.page(made["seats"][0])
            await page.ask(type="join", seat=0, name="Unmistakable", colour=0)
            await page.ask(type="say", text="A sentence to find", seat=0)
            loaded = await inside.tables.journal.load(made["id"])
            bodies = b"".join(stored.body for stored in loaded.entries)
            assert b"Unmistakable" not in bodies
            assert b"sentence" not in bodies
            assert any("A sentence to find" in stored.texts.values() for stored in loaded.entries)

    run(test())


def test_a_guest_who_is_not_needed_any_more_is_forgotten_by_the_memory_alone() -> None:
    async def test() -> None:
        async with world() as inside:
            secret, me = await visit(inside)
            found: list[Person | None] = list(
                await asyncio.gather(*[inside.tables.persons.at_device(secret) for _ in range(3)])
            )
            inside.tables.persons.forget(me["id"])
            assert await inside.tables.persons.at_device(secret) == found[0]

    run(test())


def test_the_benchmark_measures_idle_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people_benchmark, "FIRST", 5)
    monkeypatch.setattr(people_benchmark, "SETTLING", 0)
    found = people_benchmark.benchmark(20)
    memory = found["memory_per_person_kb"]
    assert found["persons"] == 20
    assert memory is None or memory >= 0


@pytest.mark.parametrize(("memory", "status"), [(5.0, 0), (5.25, 1), (None, 0)])
def test_kb_bench_people_fails_if_a_person_takes_more_memory_than_promised(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], memory: float | None, status: int
) -> None:
    monkeypatch.setattr(people_benchmark, "benchmark", lambda persons: {"memory_per_person_kb": memory})
    with pytest.raises(SystemExit) as ended:
        main(["bench", "people", "--json"])
    assert ended.value.code == status
    missed = "kb bench: memory per person kb is 5.25, at most 5 is promised\n"
    assert capsys.readouterr().err == (missed if status else "")


def test_what_was_read_before_a_change_is_not_remembered_after_it() -> None:
    async def test() -> None:
        async with world() as inside:
            secret, me = await visit(inside)
            persons, journal = inside.tables.persons, inside.tables.journal
            persons.forget_all()
            read, late = journal.read, asyncio.Event()

            async def slow(*arguments: Any) -> Any:
                found = await read(*arguments)
                await late.wait()
                return found

            journal.read = slow  # type: ignore[method-assign,assignment]
            asking = asyncio.create_task(persons.at_device(secret))
            await asyncio.sleep(0.05)
            persons.forget(me["id"])
            late.set()
            assert await asking is not None
            assert not persons._known

    run(test())


@pytest.mark.parametrize("place", ["", "lobby"])
def test_a_page_that_comes_while_the_database_does_not_answer_is_told_to_try_again(place: str) -> None:
    async def test() -> None:
        async with world() as inside:
            made = await inside.make()
            secret, _ = await visit(inside)
            inside.tables.persons.forget_all()

            async def fail(*_: object) -> None:
                raise StoreError("The server cannot read this table now: the database does not answer.")

            read, inside.tables.journal.read = inside.tables.journal.read, fail  # type: ignore[method-assign,assignment]
            page = await inside.stranger(table=place or made["id"], cookie=secret)
            assert (page.accepted, page.closed) == (True, TRY_LATER)
            inside.tables.journal.read = read  # type: ignore[method-assign]

    run(test())
