"""Wrong, hostile or unlucky input: each gets a clear answer, and nothing changes."""

import json
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from kingdom_builder.notation import position_of
from kingdom_builder.server import looking
from kingdom_builder.server.table import Table
from server.client import Client, Server
from server.conftest import Start
from server.inside import Json, Page, World, run, world


class Scene:
    """A table in the middle of a game, with a page for each kind of visitor."""

    def __init__(self, inside: World, made: Json) -> None:
        self.world = inside
        self.made = made
        self.table: Table
        self.first: Page
        self.second: Page
        self.host: Page
        self.watcher: Page

    @classmethod
    async def of(cls, inside: World) -> "Scene":
        scene = cls(inside, await inside.make(2))
        scene.table = await inside.table(scene.made)
        scene.first, scene.second = [await inside.page(token) for token in scene.made["seats"]]
        scene.host = await inside.page(scene.made["host"])
        scene.watcher = await inside.page(scene.made["watch"])
        for _ in range(2):
            answer = await scene.first.ask(type="play", version=scene.table.version, move=scene.legal()[0])
            assert answer["type"] == "done"
        await scene.settle()
        return scene

    def legal(self) -> list[str]:
        return looking.view(self.table, frozenset(chair.token_hash for chair in self.table.party.seats)).legal

    async def settle(self) -> None:
        for page in (self.first, self.second, self.host, self.watcher):
            await page.sync()
            page.messages()

    async def whole(self) -> tuple[object, ...]:
        """Everything that must not change."""
        table = self.table
        log = await self.world.tables.journal.load(table.id)
        return (
            table.version,
            table.changed,
            table.game,
            position_of(table.game.state),
            len(table.game.plies),
            table.party.seats[:],
            log,
        )

    async def refuse(self, page: Page, frame: str | bytes | Json) -> Json:
        """The refusal of a frame that has changed nothing and that nobody else has heard of."""
        before = await self.whole()
        others = {
            each: len(each.received) for each in (self.first, self.second, self.host, self.watcher) if each != page
        }
        page.messages()
        page.say(json.dumps({"id": "x", **frame}) if isinstance(frame, dict) else frame)
        answer = await page.next()
        assert answer["type"] == "refused", answer
        assert answer["refusal"]["message"]["text"].endswith("."), answer
        assert len(answer["refusal"]["message"]["text"]) < 1000
        if isinstance(frame, dict) and answer["refusal"]["code"] != "malformed":
            assert answer["id"] == frame.get("id", "x")
        for each in others:
            await each.sync()
            assert len(each.received) == others[each] + 1
        assert await self.whole() == before
        return answer


async def code_of(page: str, frame: Any) -> str:
    async with world() as inside:
        scene = await Scene.of(inside)
        if isinstance(frame, dict) and frame.get("version") == "now":
            frame = {**frame, "version": scene.table.version}
        if isinstance(frame, dict) and frame.get("move") == "legal":
            frame = {**frame, "move": scene.legal()[0]}
        answer = await scene.refuse(getattr(scene, page), frame)
        code: str = answer["refusal"]["code"]
        return code


def refused_with(page: str, frame: Any) -> str:
    found: list[str] = []

    async def test() -> None:
        found.append(await code_of(page, frame))

    run(test())
    return found[0]


PLAY = {"type": "play", "version": "now", "move": "legal"}


@pytest.mark.parametrize(
    ("page", "frame", "code"),
    [
        ("second", PLAY, "forbidden"),
        ("second", {"type": "undo", "version": "now"}, "forbidden"),
        ("watcher", PLAY, "forbidden"),
        ("watcher", {"type": "undo", "version": "now"}, "forbidden"),
        ("watcher", {"type": "join", "seat": 0, "name": "x", "colour": 4}, "forbidden"),
        ("watcher", {"type": "say", "text": "x", "seat": 0}, "forbidden"),
        ("host", PLAY, "forbidden"),
        ("host", {"type": "join", "seat": 0, "name": "x", "colour": 4}, "forbidden"),
        ("second", {"type": "join", "seat": 0, "name": "x", "colour": 4}, "forbidden"),
        ("second", {"type": "say", "text": "x", "seat": 0}, "forbidden"),
        ("first", {"type": "reseat", "seat": 1, "level": "random"}, "forbidden"),
        ("first", {"type": "reseat", "seat": 0}, "forbidden"),
        ("watcher", {"type": "reseat", "seat": 1}, "forbidden"),
        ("first", {"type": "rematch"}, "forbidden"),
        ("watcher", {"type": "rematch"}, "forbidden"),
        ("host", {"type": "rematch"}, "illegal"),
        ("host", {"type": "reseat", "seat": 2}, "malformed"),
        ("host", {"type": "take-back", "seat": 2}, "malformed"),
        ("first", {"type": "look", "seat": 1}, "forbidden"),
        ("watcher", {"type": "look", "seat": 0}, "forbidden"),
        ("first", {"type": "look", "seat": 9}, "malformed"),
        ("host", {"type": "take-back", "seat": 1}, "forbidden"),
        ("first", {"type": "take-back", "seat": 0}, "forbidden"),
        ("watcher", {"type": "take-back", "seat": 1}, "forbidden"),
        ("host", {"type": "reseat", "seat": -1}, "malformed"),
        ("host", {"type": "reseat", "seat": 10**40, "level": "random"}, "malformed"),
        ("host", {"type": "reseat", "seat": 0, "level": "genius"}, "malformed"),
        ("host", {"type": "reseat", "seat": 0, "level": "hard:100s"}, "malformed"),
        ("host", {"type": "reseat", "seat": 0, "level": "x" * 900}, "malformed"),
        ("first", {**PLAY, "version": 1}, "stale"),
        ("first", {**PLAY, "version": 0}, "stale"),
        ("first", {**PLAY, "version": -1}, "stale"),
        ("first", {**PLAY, "version": 4}, "stale"),
        ("first", {**PLAY, "version": 10**300}, "stale"),
        ("first", {"type": "undo", "version": 2}, "stale"),
        ("first", {**PLAY, "move": ""}, "illegal"),
        ("first", {**PLAY, "move": "."}, "illegal"),
        ("first", {**PLAY, "move": "z99"}, "illegal"),
        ("first", {**PLAY, "move": "a1 a2"}, "illegal"),
        ("first", {**PLAY, "move": "=C"}, "illegal"),
        ("first", {**PLAY, "move": "!C"}, "illegal"),
        ("first", {**PLAY, "move": "castle:a1"}, "illegal"),
        ("first", {**PLAY, "move": "paddock:a1-a3"}, "illegal"),
        ("first", {**PLAY, "move": "\x00\n\u202e"}, "illegal"),
        ("first", {**PLAY, "move": ":".join(["a1"] * 400)}, "illegal"),
        ("first", {"type": "hello", "tokens": []}, "malformed"),
        ("first", "", "malformed"),
        ("first", "{", "malformed"),
        ("first", "null", "malformed"),
        ("first", "[]", "malformed"),
        ("first", "42", "malformed"),
        ("first", '"hello"', "malformed"),
        ("first", "NaN", "malformed"),
        ("first", "{}", "malformed"),
        ("first", '{"type": "nothing", "id": "1"}', "malformed"),
        ("first", '{"type": 1, "id": "1"}', "malformed"),
        ("first", '{"type": "ping"}', "malformed"),
        ("first", '{"type": "ping", "id": 1}', "malformed"),
        ("first", '{"type": "ping", "id": null}', "malformed"),
        ("first", '{"type": "ping", "id": "1", "extra": 1}', "malformed"),
        ("first", '{"type": "ping", "id": "1"} {"type": "ping", "id": "2"}', "malformed"),
        ("first", '{"type": "ping", "id": "\\ud800"}', "malformed"),
        ("first", '{"type": "say", "id": "1", "text": "\\udfff x"}', "malformed"),
        ("first", '{"type": "say", "id": "1", "text": "\ud800"}', "malformed"),
        ("first", '{"type": "play", "id": "1", "version": 1.5, "move": "."}', "malformed"),
        ("first", '{"type": "play", "id": "1", "version": "3", "move": "."}', "malformed"),
        ("first", '{"type": "play", "id": "1", "version": 1e400, "move": "."}', "malformed"),
        ("first", '{"type": "play", "id": "1", "version": true, "move": "."}', "malformed"),
        ("first", '{"type": "undo", "id": "1", "version": 3, "whole_turn": 1}', "malformed"),
        ("first", '{"type": "say", "id": "1", "text": ["x"]}', "malformed"),
        ("first", "[" * 4000, "malformed"),
        ("first", '{"type": "ping", "id": ' + "[" * 4000, "malformed"),
        ("first", '{"type": ' * 400, "malformed"),
        ("first", '{"type": "say", "id": "1", "text": "' + "x" * 5000 + '"}', "too-large"),
        ("first", "x" * 60_000, "too-large"),
    ],
)
def test_a_wrong_command_is_refused_and_changes_nothing(page: str, frame: Any, code: str) -> None:
    assert refused_with(page, frame) == code


def test_a_message_in_many_bytes_is_measured_in_bytes() -> None:
    """What the refusal says, and what `max_message` promises: bytes, not characters."""
    ping = {"type": "ping", "id": "\N{HIBISCUS}" * 1500}
    assert refused_with("watcher", json.dumps(ping, ensure_ascii=False)) == "too-large"


def test_a_stale_command_is_answered_with_how_things_are() -> None:
    async def test() -> None:
        async with world() as inside:
            scene = await Scene.of(inside)
            await scene.refuse(scene.first, {**PLAY, "move": scene.legal()[0], "version": 1})
            update = await scene.first.next()
            assert update["type"] == "update"
            assert update["version"] == scene.table.version
            assert update["view"]["ply"] == len(scene.table.game.plies)
            answer = await scene.first.ask(type="play", version=update["version"], move=update["view"]["legal"][0])
            assert answer["type"] == "done"

    run(test())


def test_a_repeated_command_is_done_once_whoever_sends_it_again() -> None:
    async def test() -> None:
        async with world() as inside:
            scene = await Scene.of(inside)
            frame = json.dumps({"type": "play", "id": "mine", "version": scene.table.version, "move": scene.legal()[0]})
            for _ in range(3):
                scene.first.say(frame)
            answers = [await scene.first.until(lambda message: message["type"] == "done") for _ in range(3)]
            assert answers == [answers[0]] * 3
            again = await inside.page(scene.made["seats"][0])
            again.messages()
            again.say(frame)
            assert await again.next() == answers[0]
            assert answers[0]["version"] == scene.table.version

    run(test())


def test_the_same_id_of_another_visitor_is_another_command() -> None:
    async def test() -> None:
        async with world() as inside:
            scene = await Scene.of(inside)
            for page in (scene.first, scene.second, scene.host, scene.watcher):
                assert (await page.ask(type="say", id="1", text=str(id(page))))["type"] == "done"
            assert len(scene.table.party.chat) == 4

    run(test())


# ---- the first message -----------------------------------------------------------------------------------------------


async def turned_away(page: Page) -> Json:
    """The refusal with which a connection is closed."""
    answer = await page.next()
    assert answer["type"] == "refused", answer
    await page.ended()
    assert page.closed in (1008, 1013)
    return answer


async def frames_of_strangers(inside: World) -> list[tuple[Any, str]]:
    made, other = await inside.make(), await inside.make()
    good = made["seats"][0]

    def hello(*tokens: Any, **more: Any) -> str:
        return json.dumps({"type": "hello", "tokens": tokens, **more})

    return [
        (hello(), "unknown-key"),
        (hello(*[good] * 9), "malformed"),
        (hello(*["x"] * 500), "malformed"),
        (hello(1), "malformed"),
        (hello(""), "unknown-key"),
        (hello("."), "unknown-key"),
        (hello(made["id"]), "unknown-key"),
        (hello(made["id"] + "."), "unknown-key"),
        (hello(good[:-1]), "unknown-key"),
        (hello(good + "x"), "unknown-key"),
        (hello(good.upper()), "unknown-key"),
        (hello("'; DROP TABLE entries; --.x"), "unknown-key"),
        (hello("\x00.\x00"), "unknown-key"),
        (hello("nothing.nothing"), "unknown-key"),
        (hello("x" * 3000 + ".x"), "unknown-key"),
        (hello(good, other["seats"][0]), "unknown-key"),
        (hello(good, other["watch"]), "unknown-key"),
        (hello(good, protocol=0), "protocol"),
        (hello(good, protocol=1), "protocol"),
        (hello(good, protocol="1"), "malformed"),
        (hello(good, version="1"), "malformed"),
        ('{"type": "hello", "tokens": ["\\ud800.x"]}', "malformed"),
        ('{"type": "hello", "tokens": ["\ud800.x"]}', "malformed"),
        ('{"type": "ping", "id": "1"}', "malformed"),
        ('{"type": "play", "id": "1", "version": 1, "move": "a1"}', "malformed"),
        ("", "malformed"),
        ("x" * 5000, "too-large"),
        (b"\x00\xff", "malformed"),
        (b'{"type": "hello"}', "malformed"),
    ]


def test_a_stranger_is_turned_away() -> None:
    async def test() -> None:
        async with world() as inside:
            for frame, code in await frames_of_strangers(inside):
                page = await inside.stranger()
                page.say(frame)
                assert (await turned_away(page))["refusal"]["code"] == code, frame
            assert not inside.tables.connections

    run(test())


def test_a_wrong_key_among_right_ones_opens_nothing_more() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await inside.make()
            page = await inside.page(made["seats"][0], made["id"] + ".guess")
            table = page.messages()[0]["table"]
            assert table["yours"] == [0]
            assert not table["host"]

    run(test())


def test_any_version_of_a_visitor_who_comes_back_is_answered() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await inside.make()
            for version in (-(10**30), -1, 0, 1, 2, 10**9, 10**30):
                for game in (-1, 0, 1, 2, 10**30):
                    page = await inside.page(made["watch"], version=version, game=game)
                    assert page.messages()[0]["type"] == ("update" if (version, game) == (1, 1) else "welcome")

    run(test())


def test_silence_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kingdom_builder.server.connection.GREETING_SECONDS", 0.01)

    async def test() -> None:
        async with world() as inside:
            page = await inside.stranger()
            assert (await turned_away(page))["refusal"]["code"] == "malformed"

    run(test())


def test_a_binary_message_ends_the_connection() -> None:
    async def test() -> None:
        async with world() as inside:
            scene = await Scene.of(inside)
            before = await scene.whole()
            scene.first.messages()
            scene.first.say(b'{"type": "ping", "id": "1"}')
            assert (await turned_away(scene.first))["refusal"]["code"] == "malformed"
            assert await scene.whole() == before
            assert len(scene.table.viewers) == 3

    run(test())


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "http://test.evil.example",
        "http://[",
        "",
        "test",
        "https://test:444",
        "http://a@test",
    ],
)
def test_a_page_of_somebody_else_gets_nothing(origin: str) -> None:
    async def test() -> None:
        async with world() as inside:
            page = await inside.stranger(origin=origin)
            await page.ended()
            assert not page.accepted
            assert page.received == []
            assert not inside.tables.connections

    run(test())


def test_our_own_page_is_let_in() -> None:
    async def test() -> None:
        async with world() as inside:
            page = await inside.stranger(origin="http://test")
            assert not page.task.done()

    run(test())


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_a_flood_is_slowed_down_and_then_cut_off() -> None:
    async def test() -> None:
        async with world(messages_per_second=1) as inside:
            made = await inside.make()
            page = await inside.stranger()
            page.say(json.dumps({"type": "hello", "tokens": [made["seats"][0]]}))
            for number in range(200):
                page.say(json.dumps({"type": "say", "id": str(number), "text": str(number)}))
            await page.ended()
            assert page.closed == 1008
            messages = page.messages()
            done = [message for message in messages if message["type"] == "done"]
            refused = [message for message in messages if message["type"] == "refused"]
            assert 5 <= len(done) < 60
            assert {message["refusal"]["code"] for message in refused} == {"too-fast"}
            assert len(refused) >= 50
            table = await inside.table(made)
            assert [line.text for line in table.party.chat] == [message["id"] for message in done]

    run(test())


def test_a_refusal_of_a_flood_names_the_command() -> None:
    async def test() -> None:
        async with world(messages_per_second=1) as inside:
            made = await inside.make()
            page = await inside.page(made["watch"])
            for _ in range(20):
                page.send(type="ping")
            refused = await page.until(lambda message: message["type"] == "refused")
            assert refused["refusal"]["code"] == "too-fast"

    run(test())


def test_too_many_connections() -> None:
    async def test() -> None:
        async with world(max_connections=3) as inside:
            made = await inside.make()
            pages = [await inside.page(made["watch"]) for _ in range(2)] + [await inside.stranger()]
            late = await inside.stranger()
            assert (await turned_away(late))["refusal"]["code"] == "full"
            await pages[0].close()
            welcome = await inside.page(made["watch"])
            assert welcome.messages()[0]["type"] == "welcome"

    run(test())


def test_too_many_connections_to_one_table() -> None:
    async def test() -> None:
        async with world(max_connections_per_table=2) as inside:
            made, other = await inside.make(), await inside.make()
            pages = [await inside.page(made["watch"]) for _ in range(2)]
            late = await inside.page(made["watch"])
            assert (await turned_away(late))["refusal"]["code"] == "full"
            assert (await inside.page(other["watch"])).messages()[0]["type"] == "welcome"
            await pages[0].close()
            assert (await inside.page(made["watch"])).messages()[0]["type"] == "welcome"

    run(test())


def test_too_many_tables() -> None:
    async def test() -> None:
        async with world(max_tables=2) as inside:
            for _ in range(2):
                await inside.make()
            answer = await inside.http.post("/api/tables", json={"seats": [{"kind": "person"}] * 2})
            assert (answer.status_code, answer.json()["code"]) == (503, "full")

    run(test())


def test_too_many_tables_a_minute() -> None:
    async def test() -> None:
        async with world(tables_per_minute=2) as inside:
            for _ in range(2):
                await inside.make()
            answer = await inside.http.post("/api/tables", json={"seats": [{"kind": "person"}] * 2})
            assert (answer.status_code, answer.json()["code"]) == (429, "too-fast")
            assert inside.tables.journal.tables == 2

    run(test())


# ---- over the network ------------------------------------------------------------------------------------------------


def test_a_frame_beyond_all_limits_closes_the_connection(server: Server) -> None:
    made = server.make_table()
    with Client(server, made["seats"][0]) as client, Client(server, made["seats"][1]) as other:
        client.socket.send("x" * 70_000)
        assert client.closed() == 1009
        other.sync()


def test_a_binary_frame_over_the_network(server: Server) -> None:
    made = server.make_table()
    with Client(server, made["seats"][0]) as client:
        client.socket.send(b"\x00")
        assert client.receive()["refusal"]["code"] == "malformed"
        assert client.closed() == 1008


def test_a_page_of_somebody_else_over_the_network(server: Server) -> None:
    address = server.socket_address
    for origin in ("http://evil.example", "http://["):
        with pytest.raises(InvalidStatus) as refused, connect(address, origin=Origin(origin), proxy=None):
            pass
        assert refused.value.response.status_code == 403
    with connect(address, origin=Origin(server.address.rstrip("/")), proxy=None):
        pass


def test_a_flood_does_not_hold_up_others(start: Start) -> None:
    server = start(messages_per_second=5)
    made = server.make_table()
    with Client(server, made["seats"][1]) as flooding, Client(server, made["seats"][0]) as client:
        with suppress(ConnectionClosed):  # a quick server hangs up before the last of them
            for _ in range(150):
                flooding.send(type="scores", id="1")
        client.play(client.view["legal"][0])
        assert flooding.closed() == 1008
    assert server.log() == ""
