"""Tables where a lesson is taught: the script decides the cards and the others' turns, and asks for the learner's."""

from typing import Any

import pytest
from lessons.playing import UNDO, Moment, line

from kingdom_builder.lessons import LEARNER, Lesson, lessons
from server.client import Client, Json, Server
from server.conftest import Start

LESSONS = list(lessons().values())
TUTORIAL = lessons()["tutorial"]
SEATS: list[Json] = [{"kind": "person"}, {"kind": "bot", "level": "greedy"}]


def ask_for(server: Server, lesson: str, seats: list[Json]) -> Any:
    with server.http() as http:
        return http.post("/api/tables", json={"seats": seats, "lesson": lesson})


def open_lesson(server: Server, lesson: Lesson) -> Json:
    answer = ask_for(server, lesson.key, SEATS)
    assert answer.status_code == 200, answer.text
    made: Json = answer.json()
    return made


def go_on(client: Client, here: Moment) -> None:
    """Do the first thing that the lesson asks for, or wait for the others."""
    way = here.ways_on()[0]
    if way == UNDO:
        client.do("undo", version=client.version)
    elif here.game.player == LEARNER:
        client.play(way)
    else:
        while client.view["ply"] <= len(here.game.plies):
            client.receive()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_a_table_teaches_what_the_script_says(server: Server, lesson: Lesson) -> None:
    """The same moments, draws and replies as the engine alone, wherever the table can be looked at."""
    made = open_lesson(server, lesson)
    with Client(server, made["seats"][0]) as client:
        for here in line(lesson):
            if here.game.player == LEARNER or here.game.over:
                while client.view["ply"] < len(here.game.plies):
                    client.receive()
                place = here.place()
                assert client.view["ply"] == len(here.game.plies)
                assert client.view["pieces"] == here.sight().view["pieces"]
                assert client.view["hands"] == here.sight().view["hands"]
                assert client.view["lesson"] == {
                    "key": lesson.key,
                    "step": place.step,
                    "begun": place.begun,
                    "next": place.next,
                    "arguments": {hole: list(argument) for hole, argument in place.arguments.items()},
                }
            if here.ways_on():
                go_on(client, here)


def test_other_legal_moves_are_refused_with_what_is_wanted(server: Server) -> None:
    made = open_lesson(server, TUTORIAL)
    with Client(server, made["seats"][0]) as client:
        answer = client.ask(type="play", version=client.version, move="a3")
        assert answer["refusal"]["code"] == "lesson"
        assert answer["refusal"]["message"]["text"] == "You may do that, but the lesson goes on at c4."
        assert client.refused(type="play", version=client.version, move="a3") == "lesson"
        assert client.refused(type="play", version=client.version, move="a1") == "illegal"
        assert client.refused(type="hint") == "forbidden"
        assert client.view["lesson"]["next"] == ["c4"]


def test_a_restart_comes_back_to_the_same_step_everywhere(start: Start) -> None:
    server = start()
    made = open_lesson(server, TUTORIAL)
    pages = []  # kept, so that no two have the same ids of commands
    for here in line(TUTORIAL):
        if here.game.player != LEARNER:
            continue
        with Client(server, made["seats"][0]) as client:
            while client.view["ply"] < len(here.game.plies):
                client.receive()
            before = client.view["lesson"]
            pages.append(client)
            if here.progress.step % 5 == 0 or here.progress.has_begun:
                client.leave()
                server.kill()
                server = start()
        with Client(server, made["seats"][0]) as client:
            assert client.view["lesson"] == before
            pages.append(client)
            if here.ways_on():
                go_on(client, here)


def test_the_whole_turn_taken_back_does_not_count_as_the_undo_that_is_asked_for(server: Server) -> None:
    made = open_lesson(server, TUTORIAL)
    with Client(server, made["seats"][0]) as client:
        client.play("c4")
        client.play("c3")
        undo = next(number for number, step in enumerate(TUTORIAL.steps) if step.kind == "undo")
        assert client.view["lesson"]["step"] == undo
        client.do("undo", version=client.version, whole_turn=True)
        assert client.view["lesson"]["next"] == ["c4"]


def test_a_lesson_has_no_rematch(server: Server) -> None:
    made = open_lesson(server, TUTORIAL)
    with Client(server, made["seats"][0], made["host"]) as client:
        assert client.refused(type="rematch", same_board=True) == "illegal"


@pytest.mark.parametrize(
    ("lesson", "seats", "words"),
    [
        ("chess", SEATS, "There is no lesson 'chess'."),
        ("x" * 5000, SEATS, "There is no lesson"),
        ("tutorial", SEATS[::-1], "The first seat of a lesson is a person's"),
        ("tutorial", [SEATS[0], SEATS[0]], "The first seat of a lesson is a person's"),
        ("tutorial", [], "The first seat of a lesson is a person's"),
        ("tutorial", [*SEATS, SEATS[1]], "3 seats: expected 2"),
    ],
)
def test_what_cannot_be_taught_is_refused(server: Server, lesson: str, seats: list[Json], words: str) -> None:
    answer = ask_for(server, lesson, seats)
    assert answer.status_code == 400
    assert answer.json()["message"]["text"].startswith(words)
    assert len(answer.text) < 1000


def test_other_tables_have_no_lesson(server: Server) -> None:
    made = server.make_table()
    with Client(server, made["seats"][0]) as client:
        assert client.view["lesson"] is None


def test_the_list_of_lessons_does_not_say_what_to_play(server: Server) -> None:
    with server.http() as http:
        listed = http.get("/api/lessons").json()
    assert [lesson["key"] for lesson in listed] == list(lessons())
    for info, lesson in zip(listed, LESSONS, strict=True):
        assert [step["key"] for step in info["steps"]] == [step.key for step in lesson.steps]
        assert set(info["steps"][0]) == {"key", "kind", "point", "hexes", "card"}
