"""Coming back: after a break, a reload or a restart everything goes on where it was."""

from random import Random

import pytest

from kingdom_builder.content import ALL_SETS
from server.client import Client, Json, Server
from server.conftest import Start


def come_back(server: Server, old: Client, *tokens: str) -> Client:
    """A page that still knows what it saw before the break."""
    new = Client(server, *tokens, version=old.version, game=old.game)
    new.lines = old.lines
    return new


def random_command(client: Client, rng: Random) -> Json:
    if client.view["undo"] and rng.random() < 0.3:
        return {"type": "undo", "version": client.version, "whole_turn": rng.random() < 0.4}
    return {"type": "play", "version": client.version, "move": rng.choice(client.view["legal"])}


@pytest.mark.parametrize("seed", range(3))
def test_who_comes_back_gets_exactly_what_was_missed(server: Server, seed: int) -> None:
    rng = Random(seed)
    made = server.make_table(["person", "person"], sets=list(ALL_SETS), seed=str(seed))
    with Client(server, *made["seats"]) as players, Client(server, made["seats"][1]) as staying:
        for _ in range(12):
            with Client(server, made["seats"][1]) as leaving:
                for _ in range(rng.randrange(6)):
                    players.do(**told(random_command(players, rng)))
                leaving.reach(players.version)
                leaving.sync()
            before = list(leaving.lines)
            for number in range(rng.randrange(12)):
                if number % 4 == 3:
                    players.do("say", text="x", seat=0)
                else:
                    players.do(**told(random_command(players, rng)))
            staying.reach(players.version)
            with come_back(server, leaving, made["seats"][1]) as back:
                update = next(message for message in back.messages if message["type"] == "update")
                assert update["version"] == staying.version
                assert back.lines == staying.lines
                assert back.view == staying.view
                back.sync()
                assert leaving.chat + back.chat == staying.chat
                kept = update["since"]
                assert staying.lines[:kept] == before[:kept]
                if before == staying.lines[: len(before)] and kept < len(before):
                    # Undone and done again alike: the lines were missed all the same.
                    assert staying.lines[kept:] == update["lines"]
                elif kept < min(len(before), len(staying.lines)):
                    assert before[kept:] != staying.lines[kept : len(before)]


def told(command: Json) -> Json:
    return {"kind": command.pop("type"), **command}


def test_nothing_missed_is_an_empty_update(server: Server) -> None:
    made = server.make_table()
    with Client(server, made["seats"][0]) as client:
        client.play(client.view["legal"][0])
    with come_back(server, client, made["seats"][0]) as back:
        assert back.messages[0]["type"] == "update"
        assert back.messages[0]["lines"] == []
        assert back.messages[0]["since"] == len(client.lines)
        assert back.view == client.view


def test_who_comes_back_to_another_game_gets_all_of_it(server: Server) -> None:
    made = server.make_table()
    with Client(server, *made["seats"], made["host"]) as client:
        rng = Random(1)
        while not client.view["over"]:
            client.play(rng.choice(client.view["legal"]))
        old = (client.version, client.game)
        client.do("rematch")
        with Client(server, made["watch"], version=old[0], game=old[1]) as back:
            assert back.messages[0]["type"] == "welcome"
            assert back.game == 2
            assert len(back.lines) == 2


def test_a_restart_changes_nothing_that_anybody_sees(start: Start) -> None:
    rng = Random(1)
    server = start()
    made = server.make_table(["person", "open", "person"], sets=list(ALL_SETS))
    tokens = {"seats": made["seats"][:2], "third": made["seats"][2:], "host": [made["host"]], "watch": [made["watch"]]}
    with Client(server, *made["seats"]) as players, Client(server, made["host"]) as host:
        players.do("join", seat=1, name="Bob \N{HIBISCUS}", colour=4)
        host.do("say", text="Hello", name="Host")
        for _ in range(40):
            players.do(**told(random_command(players, rng)))
    seen = {}
    for viewer, each in tokens.items():
        with Client(server, *each) as client, server.http(*each) as http:
            seen[viewer] = (
                client.messages[0],
                http.get("/api/table/replay").json(),
                http.get("/api/table/record").text,
            )
    server.kill()
    server = start()
    for viewer, each in tokens.items():
        with Client(server, *each) as client, server.http(*each) as http:
            again = (client.messages[0], http.get("/api/table/replay").json(), http.get("/api/table/record").text)
            assert _without_absence(again) == _without_absence(seen[viewer])


def _without_absence(seen: tuple[Json, Json, str]) -> tuple[Json, Json, str]:
    """What somebody sees but for how long the others are away, which begins again with a restart."""
    welcome, replay, record = seen
    seats = [{**seat, "away": None} for seat in welcome["table"]["seats"]]
    return {**welcome, "table": {**welcome["table"], "seats": seats}}, replay, record


def test_a_repeated_command_is_done_once_also_after_a_restart(start: Start) -> None:
    server = start()
    made = server.make_table()
    commands: list[tuple[Json, Json]] = []
    with Client(server, made["seats"][0], made["host"]) as client:
        for command in (
            {"type": "say", "id": "1", "text": "Hello"},
            {"type": "join", "id": "2", "seat": 0, "name": "Ann", "colour": 3},
            {"type": "play", "id": "3", "version": client.version, "move": client.view["legal"][0]},
        ):
            commands.append((command, client.ask(**command)))
            assert commands[-1][1]["type"] == "done"
            client.sync()
        undo = {"type": "undo", "id": "4", "version": client.version}
        commands.append((undo, client.ask(**undo)))
    server.kill()
    server = start()
    with Client(server, made["seats"][0], made["host"]) as client:
        before = (client.version, client.lines, client.view, client.table)
        for command, done in commands:
            assert client.ask(**command) == done
        client.sync()
        assert (client.version, client.lines, client.view, client.table) == before
        assert client.ask(type="play", id="5", version=client.version, move=client.view["legal"][0])["type"] == "done"


def test_the_ids_of_earlier_commands_are_remembered_when_the_keys_differ(server: Server) -> None:
    """A page that shows one key more, as a host's does after a reload, is still the same player."""
    made = server.make_table()
    seat = made["seats"][0]
    with Client(server, seat) as client:
        command = {"type": "say", "id": "1", "text": "Hello", "seat": 0}
        assert client.ask(**command)["type"] == "done"
    with Client(server, seat, made["host"], made["seats"][1]) as client:
        client.ask(**command)
        client.sync()
        assert [line["text"] for line in client.chat] == ["Hello"]


def test_two_tabs_of_a_seat_stay_in_step(server: Server) -> None:
    made = server.make_table(["person", "random"])
    rng = Random(1)
    with Client(server, made["seats"][0]) as one, Client(server, made["seats"][0]) as two:
        for _ in range(60):
            while not one.in_turn and not one.view["over"]:
                one.receive()
            two.reach(one.version)
            one.sync()
            two.sync()
            if one.version != two.version:
                continue
            assert (one.view, one.lines) == (two.view, two.lines)
            first, second = rng.sample([one, two], 2)
            command = random_command(first, rng)
            assert first.ask(**command)["type"] == "done"
            assert second.ask(type="play", version=second.version, move=".")["type"] in ("refused", "done")
            one.sync()
            two.sync()
