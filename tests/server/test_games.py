"""Whole games over real WebSockets: people, bots and watchers."""

import contextlib
from random import Random

import pytest

from kingdom_builder.content import ALL_SETS
from kingdom_builder.players import LEVELS
from server.client import Client, Json, Server, play_on

CASES = [(2, ["base"]), (3, list(ALL_SETS)), (4, list(ALL_SETS)), (5, ["base", "nomads", "harvest"])]


@pytest.mark.parametrize(("players", "sets"), CASES)
def test_people_play_a_game_to_the_end(server: Server, players: int, sets: list[str]) -> None:
    made = server.make_table(["person"] * players, sets=sets, seed="7")
    with contextlib.ExitStack() as stack:
        watcher = stack.enter_context(Client(server, made["watch"]))
        clients = [stack.enter_context(Client(server, token)) for token in made["seats"]]
        play_on([*clients, watcher], Random(players))
        for seat, client in enumerate(clients):
            assert client.view["over"]
            assert client.table["yours"] == [seat]
            assert client.view["winners"] == watcher.view["winners"] != []
            assert client.view["gold"] == watcher.view["gold"]
            assert [line["ply"] for line in client.lines] == list(range(1, client.view["ply"] + 1))
            assert [line["move"][:1] for line in client.lines] == [line["move"][:1] for line in watcher.lines]
            assert client.view["legal"] == []
            assert client.view["undo"] is False
            check_payment(client)
        check_replay(server, made, clients[0])


def check_payment(client: Client) -> None:
    lines = client.ask(type="scores")["lines"]
    totals = [0] * client.setup["players"]
    for line in lines:
        totals[line["seat"]] += line["gold"]
    assert totals == [sum(gold) for gold in client.view["gold"]]


def check_replay(server: Server, made: Json, client: Client) -> None:
    """The replay of the game, its record, and the positions in it all agree."""
    with server.http(made["watch"]) as http:
        replay = http.get("/api/table/replay").json()
        record = http.get("/api/table/record").text
        opened = http.post("/api/records", json={"text": record}).json()
        assert opened["frames"] == replay["frames"]
        assert opened["setup"] == replay["setup"] == client.setup
        assert opened["names"] == replay["names"]
        frames = replay["frames"]
        assert len(frames) == client.view["ply"] + 1
        assert [frame["view"]["ply"] for frame in frames] == list(range(len(frames)))
        assert [frame["line"]["ply"] for frame in frames[1:]] == list(range(1, len(frames)))
        assert "?" not in record
        assert frames[-1]["view"]["gold"] == client.view["gold"]
        for frame in frames[:: len(frames) // 5]:
            shown = http.post("/api/positions", json={"position": frame["position"]}).json()
            assert [each["position"] for each in shown["frames"]] == [frame["position"]]
            unknown = {"ply": 0, "last": []}  # to somebody who sees one moment only
            assert shown["frames"][0]["view"] == {**frame["view"], **unknown}


def test_bots_of_all_levels_play_with_a_person(server: Server) -> None:
    made = server.make_table(["person", *LEVELS][:5], board="first")
    with Client(server, made["seats"][0]) as client, Client(server, made["watch"]) as watcher:
        assert {seat["kind"] for seat in client.table["seats"]} == {"person", "bot"}
        play_on([client, watcher], Random(1), most=60)
        assert client.view["round"] > 2
        assert {line["seat"] for line in client.lines} == set(range(len(client.table["seats"])))


def test_bots_among_themselves_play_to_the_end(server: Server) -> None:
    made = server.make_table(["random", "greedy"])
    assert made["seats"] == ["", ""]
    with Client(server, made["watch"]) as watcher:
        play_on([watcher], Random(1))
        assert watcher.view["over"]


def test_a_bot_stands_in_for_a_player_who_comes_back(server: Server) -> None:
    """The seat keeps its name; its player looks on without a hand, and takes the seat back by the same link."""
    made = server.make_table(["person", "open"])
    token, host = made["seats"][1], made["host"]
    with (
        Client(server, made["seats"][0]) as first,
        Client(server, token) as second,
        Client(server, host) as manager,
    ):
        second.do("join", seat=1, name="Ben", colour=4)
        assert "?" not in second.view["hands"][1]
        done = manager.do("reseat", seat=1, level="random")
        assert done["token"] is None
        second.reach(done["version"])
        second.sync()
        assert second.view["hands"][1] == "?"
        assert second.table["yours"] == []
        assert second.table["stand_ins"] == [1]
        for refused in ({"type": "play", "version": second.version, "move": "a1"}, {"type": "undo", "version": 1}):
            assert second.refused(**refused) == "forbidden"
        first.reach(done["version"])
        first.sync()
        seat = first.table["seats"][1]
        assert (seat["name"], seat["kind"], seat["stands_in"]) == ("Ben", "bot", True)
        assert first.table["stand_ins"] == []
        assert first.refused(type="take-back", seat=1) == "forbidden"
        while first.in_turn:
            first.play(first.view["legal"][0])
        first.until(lambda message: message["type"] == "update" and message["view"]["player"] == 0)
        assert {line["seat"] for line in first.lines if line["turn"] == "1B"} == {1}
    with Client(server, made["seats"][0]) as first, Client(server, token) as second:
        second.do("take-back", seat=1)
        second.sync()
        assert second.table["yours"] == [1]
        assert second.table["stand_ins"] == []
        assert "?" not in second.view["hands"][1]
        seat = second.table["seats"][1]
        assert (seat["name"], seat["kind"], seat["stands_in"], seat["veiled"]) == ("Ben", "person", False, False)
        kinds = [(notice["kind"], notice["seat"], notice["name"]) for notice in second.table["notices"]]
        assert kinds == [("bot-took-over", 1, "Ben"), ("player-back", 1, "Ben")]
        first.sync()
        play_on([first, second], Random(2), most=20)


def test_a_seat_for_somebody_else_is_closed_to_its_last_player(server: Server) -> None:
    """The old token loses the seat and its view at once, also if a bot stood in before; the new link works."""
    made = server.make_table(["person", "open"])
    old, host = made["seats"][1], made["host"]
    with Client(server, made["seats"][0]) as first, Client(server, old) as second, Client(server, host) as manager:
        manager.do("reseat", seat=1, level="random")
        token = manager.do("reseat", seat=1)["token"]
        assert second.closed() == 1008
        assert second.messages[-1]["refusal"]["code"] == "void-key"
        with Client(server, token) as third:
            assert third.table["yours"] == [1]
            assert third.table["seats"][1]["kind"] == "open"
            third.do("join", seat=1, name="Carol", colour=4)
            assert third.table["seats"][1] == {
                "name": "Carol",
                "kind": "person",
                "colour": 4,
                "level": "",
                "connected": True,
                "veiled": True,
                "stands_in": False,
                "person": "",
                "away": None,
                "replaced_by": [],
            }
            assert third.view["hands"][1] == "?"
            first.sync()
            play_on([first, third], Random(2), most=20)
    with Client(server, old, greet=False) as stranger:
        stranger.send(type="hello", tokens=[old])
        assert stranger.receive()["refusal"]["code"] == "unknown-key"


def test_a_seat_in_turn_is_given_to_a_bot_in_the_middle_of_its_turn(server: Server) -> None:
    made = server.make_table(["person", "person"])
    with Client(server, made["seats"][0]) as first, Client(server, made["seats"][1], made["host"]) as second:
        first.play(first.view["legal"][0])
        second.do("reseat", seat=0, level="random")
        while not second.in_turn:
            second.receive()
        assert len([line for line in second.lines if line["turn"] == "1A" and line["seat"] == 0]) >= 4


def test_two_people_share_a_device_with_a_third_elsewhere(server: Server) -> None:
    made = server.make_table(["person", "person", "open"])
    with Client(server, *made["seats"][:2], made["host"]) as device, Client(server, made["seats"][2]) as friend:
        assert device.table["yours"] == [0, 1]
        assert device.table["host"]
        rng = Random(3)
        for _ in range(60):
            in_turn = device.view["player"]
            hidden = [seat for seat in range(3) if "?" in device.view["hands"][seat]]
            assert hidden == [seat for seat in range(3) if seat != in_turn]
            play_on([device, friend], rng, most=1)
        with server.http(made["seats"][0], made["seats"][1]) as http:
            assert http.get("/api/table/replay").status_code == 200


def test_watchers_are_counted_and_players_shown_as_connected(server: Server) -> None:
    made = server.make_table(["person", "open"])
    with Client(server, made["seats"][0]) as player:
        assert [seat["connected"] for seat in player.table["seats"]] == [True, False]
        assert player.table["watchers"] == 0
        with Client(server, made["watch"]), Client(server, made["seats"][1]):
            player.until(lambda message: message["type"] == "table" and message["table"]["seats"][1]["connected"])
            while player.table["watchers"] != 1:
                player.receive()
        while player.table["watchers"] or player.table["seats"][1]["connected"]:
            player.receive()
