"""Several servers with one database: any of them serves any table."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any

import pytest

from kingdom_builder.notation import position_of
from kingdom_builder.server import looking, persons, presence
from kingdom_builder.server.persons import COOKIE
from server.inside import PATIENCE, World, run
from server.postgres_server import PostgresServer, listening
from server.test_lobby import come
from server.test_persons import visit


@asynccontextmanager
async def cluster(postgres: PostgresServer, count: int = 2, **settings: Any) -> AsyncIterator[list[World]]:
    """Some servers with the same, new database."""
    address = await postgres.new_database()
    async with AsyncExitStack() as stack:
        nodes = [
            await stack.enter_async_context(World(Random(number), database=address, **settings))
            for number in range(count)
        ]
        await listening(*(node.tables.journal for node in nodes))
        yield nodes


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that happens soon."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.01)


def test_what_is_played_at_one_server_is_seen_at_the_other(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with cluster(postgres) as (first, second):
            made = await first.make()
            ann, ben = await first.page(made["seats"][0]), await second.page(made["seats"][1])
            here, there = await first.table(made), await second.table(made)
            rng = Random(5)
            for _ in range(40):
                page, table = (ann, here) if here.game.player == 0 else (ben, there)
                keys = frozenset(table.party.seats[table.game.player].token_hash.split())
                move = rng.choice(looking.view(table, keys).legal)
                answer = await page.ask(type="play", move=move, version=table.version)
                assert answer["type"] == "done", answer
                await until(lambda: here.version == there.version)
            assert position_of(here.game.state) == position_of(there.game.state)
            await ben.ask(type="say", text="hello")
            await until(lambda: here.party.chat == there.party.chat and len(here.party.chat) == 1)

    run(test())


def test_a_command_that_came_too_late_is_decided_again(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with cluster(postgres) as (first, second):
            made = await first.make()
            pages = [await node.page(*made["seats"]) for node in (first, second)]
            tables = [await node.table(made) for node in (first, second)]
            for node in (first, second):
                node.tables.journal.on_ring = lambda topic, names: None  # the bell is lost
            lines = [
                page.ask(type="say", seat=0, text=f"{n}", id=f"{n} {where}")
                for n in range(10)
                for where, page in enumerate(pages)
            ]
            assert {answer["type"] for answer in await asyncio.gather(*lines)} == {"done"}

            async def compared() -> None:
                for node in (first, second):
                    await node.tables.following.compare()
                    await node.tables.following.finish()

            for turn in range(8):
                await compared()
                move, version = tables[0].game.legal_moves()[0], tables[0].version
                answers = await asyncio.gather(
                    *[
                        page.ask(type="play", move=move, version=version, id=f"turn {turn} {where}")
                        for where, page in enumerate(pages)
                    ]
                )
                (done,) = [answer for answer in answers if answer["type"] == "done"]
                assert done["version"] == version + 1
                (refused,) = [answer for answer in answers if answer["type"] == "refused"]
                assert refused["refusal"]["code"] == "stale", "it was thought of for another position"
            await compared()
            assert tables[0].version == tables[1].version
            assert position_of(tables[0].game.state) == position_of(tables[1].game.state)
            assert sorted(line.text for line in tables[0].party.chat) == sorted(
                f"{n}" for n in range(10) for _ in pages
            )

    run(test())


def test_a_command_that_is_sent_again_to_another_server_is_done_once(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with cluster(postgres) as (first, second):
            made = await first.make()
            here, there = await first.page(*made["seats"]), await second.page(*made["seats"])
            second.tables.journal.on_ring = lambda topic, names: None
            answers = [await page.ask(type="say", seat=0, text="once", id="the same") for page in (here, there)]
            assert [answer["type"] for answer in answers] == ["done", "done"]
            assert answers[0]["version"] == answers[1]["version"]
            assert len((await second.table(made)).party.chat) == 1

    run(test())


def test_a_page_that_comes_to_a_server_which_is_behind_is_not_shown_the_past(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with cluster(postgres) as (first, second):
            made = await first.make()
            behind = await second.page(*made["seats"])
            second.tables.journal.on_ring = lambda topic, names: None  # the bell is lost
            page = await first.page(*made["seats"])
            done = await page.ask(type="say", seat=0, text="said at the first server")
            again = await second.page(*made["seats"], version=done["version"], game=1)
            assert (await second.table(made)).version == done["version"]
            assert json.loads(again.received[0])["version"] == done["version"]
            await until(lambda: any("said at the first server" in text for text in behind.received))

    run(test())


def test_people_at_another_server_are_shown_as_present(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with cluster(postgres) as (first, second):
            made = await first.make()
            ann = await first.page(made["seats"][0])
            here = await first.table(made)
            ben = await second.page(made["seats"][1])
            there = await second.table(made)

            async def exchanged() -> None:
                for node in (first, second, first):
                    node.tables.presence.heard([made["id"]])
                    await node.tables.presence.exchange()

            await exchanged()
            for table in (here, there):
                assert [seat.connected for seat in looking.table_view(table, frozenset()).seats] == [True, True]
            await ben.close()
            await exchanged()
            assert [seat.connected for seat in looking.table_view(here, frozenset()).seats] == [True, False]
            await ann.close()
            await exchanged()
            assert not there.viewers.elsewhere

    run(test())


def test_a_turn_is_not_announced_to_somebody_who_looks_at_it_at_another_server(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with cluster(postgres) as (first, second):
            made = await first.make()
            cookie, me = await visit(second)
            page = await second.page(made["seats"][1], cookie=cookie)
            await second.tables.presence.exchange()
            seen = (await first.tables.presence.look([made["id"]]))[made["id"]]
            assert [(each.person, each.is_visible) for each in seen] == [(me["id"], True)]
            await page.ask(type="visible", on=False)
            await second.tables.presence.exchange()
            seen = (await first.tables.presence.look([made["id"]]))[made["id"]]
            assert [each.is_visible for each in seen] == [False]

    run(test())


def test_what_a_dead_server_said_of_its_people_runs_out(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "KEPT_SECONDS", 3)

    async def test() -> None:
        async with cluster(postgres) as (first, second):
            made = await first.make()
            await second.page(made["seats"][1])
            await second.tables.presence.exchange()
            assert (await first.tables.presence.look([made["id"]]))[made["id"]]
            async with asyncio.timeout(PATIENCE):
                while (await first.tables.presence.look([made["id"]]))[made["id"]]:
                    await asyncio.sleep(0.1)

    run(test())


def test_strangers_at_two_servers_find_each_other_once(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with cluster(postgres) as (first, second):
            guests = [await come(node) for node in (first, second) * 2]
            for node in (first, second, first):
                node.tables.presence.heard(["lobby"])
                await node.tables.presence.exchange()
            for guest in guests:
                assert (await guest.seek())["type"] == "done"
            async with asyncio.timeout(PATIENCE):
                found = [(await guest.until_paired())["table"] for guest in guests]
            assert len(set(found)) == 2
            assert {found.count(table) for table in found} == {2}
            assert first.tables.journal.tables + second.tables.journal.tables == 2

    run(test())


def test_two_servers_that_pair_at_the_same_moment_seat_nobody_twice(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with cluster(postgres) as (first, second):

            async def always(what: str, seconds: float) -> bool:
                return True

            for node in (first, second):
                node.tables.journal.claim = always  # type: ignore[method-assign]
            guests = [await come(node) for node in (first, second) * 3]
            for node in (first, second, first):
                node.tables.presence.heard(["lobby"])
                await node.tables.presence.exchange()
            await asyncio.gather(*[guest.seek() for guest in guests])
            async with asyncio.timeout(PATIENCE):
                found = [(await guest.until_paired())["table"] for guest in guests]
            assert {found.count(table) for table in found} == {2}

    run(test())


def test_a_table_that_was_opened_at_another_server_is_listed(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with cluster(postgres) as (first, second):
            guest = await come(first)
            seats = [{"kind": "open"}] * 2
            cookie, _ = await visit(second)
            second.http.cookies.set(COOKIE, cookie)
            answer = await second.http.post("/api/tables", json={"seats": seats, "setup": {}, "open": True})
            table = answer.json()["id"]
            async with asyncio.timeout(PATIENCE):
                while table not in guest.look().tables:
                    await asyncio.sleep(0.05)

    run(test())


def test_a_bot_moves_once_though_two_servers_think_for_it(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with cluster(postgres) as (first, second):
            seats = [{"kind": "person"}, {"kind": "bot", "level": "random"}]
            made = (await first.http.post("/api/tables", json={"seats": seats, "setup": {"board": "first"}})).json()
            pages = [await node.page(made["seats"][0]) for node in (first, second)]
            tables = [await node.table(made) for node in (first, second)]
            rng = Random(3)
            async with asyncio.timeout(PATIENCE):
                for _ in range(12):
                    while tables[0].game.player != 0:
                        await asyncio.sleep(0.01)
                    move = rng.choice(tables[0].game.legal_moves())
                    await pages[0].ask(type="play", move=move, version=tables[0].version)
                await until(lambda: tables[0].game.player == 0 and tables[0].version == tables[1].version)
            _, entries = await first.tables.journal.load(made["id"])
            assert [entry.version for entry in entries] == list(range(1, tables[0].version + 1))
            assert position_of(tables[0].game.state) == position_of(tables[1].game.state)

    run(test())


def test_somebody_who_signs_out_elsewhere_is_not_known_here_any_more(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with cluster(postgres) as (first, second):
            cookie, _ = await visit(first)
            assert (await second.tables.persons.at_device(cookie)) is not None
            page = await second.page((await second.make())["watch"], cookie=cookie)
            first.http.cookies.clear()
            first.http.cookies.set(COOKIE, cookie)
            answer = await first.http.post("/api/me/sign-out", json={"confirmed": True})
            assert answer.status_code == 200, answer.text
            async with asyncio.timeout(PATIENCE):
                while page.closed is None:
                    await asyncio.sleep(0.01)
            assert await second.tables.persons.at_device(cookie) is None

    run(test())


def test_a_server_that_missed_a_ring_lets_no_device_in_that_was_signed_out(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with cluster(postgres) as (first, second):
            cookie, _ = await visit(first)
            made = await second.make()
            page = await second.page(made["seats"][0], cookie=cookie)

            async def me() -> int:
                return (await second.http.get("/api/me", headers={"cookie": f"{COOKIE}={cookie}"})).status_code

            assert await me() == 200
            first.tables.journal.ring = lambda topic, names=(): None  # type: ignore[method-assign]
            headers = {"cookie": f"{COOKIE}={cookie}"}
            left = await first.http.post("/api/me/sign-out", json={"confirmed": True}, headers=headers)
            assert left.status_code == 200
            assert page.closed is None
            assert await me() == 200  # for as long as a ring may take
            monkeypatch.setattr(persons, "KNOWN_SECONDS", 0.0)
            assert await me() == 401
            second.tables.journal.on_unheard()
            await until(lambda: page.closed is not None)

    run(test())


def test_a_server_that_missed_a_ring_shows_nobody_who_was_deleted(postgres: PostgresServer) -> None:
    async def test() -> None:
        async with cluster(postgres) as (first, second):
            cookie, _ = await visit(first)
            made = await second.make()
            ann, ben = await second.page(made["seats"][0], cookie=cookie), await second.page(made["seats"][1])
            await ann.ask(type="say", text="my secret", seat=0)
            table = await second.table(made)
            assert table.party.chat
            first.tables.journal.ring = lambda topic, names=(): None  # type: ignore[method-assign]
            headers = {"cookie": f"{COOKIE}={cookie}"}
            gone = await first.http.request("DELETE", "/api/me", json={"confirmed": True}, headers=headers)
            assert gone.status_code == 200
            assert second.tables.at_hand(made["id"]) is table
            second.tables.journal.on_unheard()
            await until(lambda: ben.closed is not None)
            assert not (await second.table(made)).party.chat

    run(test())


def test_a_character_that_the_database_cannot_store_is_refused_and_not_taken_for_trouble(
    postgres: PostgresServer,
) -> None:
    async def test() -> None:
        async with cluster(postgres, 1) as (inside,):
            cookie, _ = await visit(inside)
            headers = {"cookie": f"{COOKIE}={cookie}"}
            for method, path, body in (
                ("POST", "/api/me/blocks", {"person": "a\0"}),
                ("GET", "/api/persons/%00", None),
                ("GET", "/api/table/replay?table=%00", None),
            ):
                answer = await inside.http.request(method, path, json=body, headers=headers)
                assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), path
            page = await inside.stranger()
            page.say(json.dumps({"type": "hello", "tokens": ["a\0.b"]}))
            refused = await page.until(lambda message: message["type"] == "refused")
            assert refused["refusal"]["code"] == "malformed"

    run(test())


def test_a_search_outlives_the_server_that_pairs(postgres: PostgresServer) -> None:
    """The next one knows from long ago that somebody left its lobby, who looks for a game at another server since."""

    async def test() -> None:
        async with cluster(postgres) as (first, second):
            pairing = first

            def claims(node: World) -> Callable[[str, float], Coroutine[Any, Any, bool]]:
                async def claim(what: str, seconds: float) -> bool:
                    return node is pairing

                return claim

            for node in (first, second):
                node.tables.journal.claim = claims(node)  # type: ignore[method-assign,assignment]
            lobby = second.app.state.lobby
            guest, _ = await come(second), await come(second)
            await guest.page.close()
            lobby._left[guest.person] -= 3_600
            await lobby.wave()
            again = await come(first, guest.cookie, guest.person)
            assert (await again.seek())["type"] == "done"
            pairing = second
            await again.page.close()
            await first.tables.presence.exchange()
            await lobby.wave()
            assert [each.person for each in lobby._seeks.values()] == [guest.person]

    run(test())
