"""Hints and judgements: for whom, from what they may see, and never in the way of the game."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import httpx
import pytest

from kingdom_builder.message import Refusal
from kingdom_builder.notation import parse_position, parse_record, play, position_of
from kingdom_builder.players.analysis import analyse_turn, decided_turns
from kingdom_builder.rules import scores
from kingdom_builder.server import deciding, hints, looking
from kingdom_builder.server.fairness import MOST_WAITING
from kingdom_builder.server.messages import MOST_MOVES, MOST_POSITIONS
from kingdom_builder.server.workers import Asker, WorkerDied, Workers
from server.client import Client, Server, play_on
from server.conftest import Start
from server.inside import Json, Page, World, run, world
from server.test_trouble import workers_of

GOLDEN = Path(__file__).parents[1] / "golden"

CROWD = "Much that you asked for is not done yet: try again in a moment."
TWIN = "GGGGDDFF/CCCCTTTT/G1GGDDFF/CCCCTTTT(fort) lords - 1 {pile} DDDDT 3A/G/3/- 39:a3:b3:G 40:::{hand}"
TWINS = [TWIN.format(pile=pile, hand=hand) for pile, hand in (("C5F5G4T4", "D"), ("C5D1F4G4T4", "F"))]
"""The same position but for the hidden card of the second seat."""


class Doing(Workers):
    """Workers that do something else."""

    def __init__(self, something: Callable[[], Any]) -> None:
        super().__init__(1)
        self.something = something
        self.asked = 0
        """Questions that are not answered yet."""

    async def run(self, asker: Asker, work: Any, *arguments: Any, **_: Any) -> Any:
        self.asked += 1
        try:
            return await self.something()
        finally:
            self.asked -= 1


async def never() -> None:
    await asyncio.Event().wait()


async def alone(inside: World, something: Callable[[], Any]) -> tuple[Page, Json]:
    """Somebody who plays all seats, at a server whose workers do something else."""
    inside.tables.hints._workers = Doing(something)
    made = await inside.make(2)
    return await inside.page(*made["seats"]), made


# ---- hints at a table ------------------------------------------------------------------------------------------------


def test_only_whoever_asked_gets_the_hint(server: Server) -> None:
    made = server.make_table(["person", "greedy"], board="first")
    with Client(server, made["seats"][0]) as asker, Client(server, made["watch"]) as watcher:
        answer = asker.ask(type="hint")
        assert answer["type"] == "hints"
        assert answer["version"] == asker.version
        assert 1 <= len(answer["hints"]) <= 3
        for each in answer["hints"]:
            assert each["move"] == each["turn"][0] in asker.view["legal"]
            assert each["gold"] > 0
            assert each["reasons"]
        watcher.sync()
        assert not [message for message in watcher.messages if message["type"] == "hints"]
        for move in answer["hints"][0]["turn"]:
            asker.play(move)


def test_a_hint_does_not_depend_on_hidden_cards(server: Server) -> None:
    answers = []
    for position in TWINS:
        made = server.make_table(["person", "greedy"], position=position)
        with Client(server, made["seats"][0]) as asker:
            assert asker.view["hands"] == ["G", "?"]
            answers.append(asker.ask(type="hint", id="hint")["hints"])
    assert answers[0] == answers[1]
    assert answers[0]


def test_what_a_hint_is_worked_out_from_hides_the_cards_of_others() -> None:
    async def test() -> None:
        async with world() as inside:
            positions = []
            for position in TWINS:
                made = await inside.make(2, position=position)
                table = await inside.table(made)
                keys = frozenset(chair.token_hash for chair in table.party.seats)
                positions.append(deciding.position_for_hint(table, keys))
            assert positions[0] == positions[1]
            assert " 40:::?" in positions[0]

    run(test())


def test_people_at_one_device_may_have_hints_and_people_at_several_may_not(server: Server) -> None:
    made = server.make_table(["person", "person", "greedy"], board="first")
    with Client(server, *made["seats"][:2]) as together, Client(server, made["seats"][0]) as single:
        assert together.table["hints"]
        assert together.ask(type="hint")["type"] == "hints"
        assert not single.table["hints"]
        assert single.refused(type="hint") == "forbidden"
    made = server.make_table(["person", "open"], board="first")
    with Client(server, made["seats"][0]) as waiting:
        assert not waiting.table["hints"]
        answer = waiting.ask(type="hint")
        assert answer["refusal"]["message"]["text"] == "There are no hints where people play at other devices."


def test_watchers_and_those_who_are_not_in_turn_get_no_hint(start: Start) -> None:
    server = start(bot_pause=30)
    made = server.make_table(["greedy", "person"], board="first")
    with Client(server, made["seats"][1]) as player, Client(server, made["watch"]) as watcher:
        assert player.refused(type="hint") == "forbidden"
        assert not watcher.table["hints"]
        assert watcher.refused(type="hint") == "forbidden"
    with Client(server, made["host"]) as host:
        assert host.refused(type="hint") == "forbidden"


def test_a_game_that_is_over_has_no_hints_but_is_judged(server: Server) -> None:
    made = server.make_table(["person", "random"], board="first")
    with Client(server, made["seats"][0]) as client:
        play_on([client], Random(1))
        assert client.refused(type="hint") == "illegal"
    with server.http(made["watch"]) as http:
        replay = http.get("/api/table/replay").json()
        assert replay["hints"]
        last = replay["frames"][-1]
        judged = judge(http, [frame["position"] for frame in replay["frames"][-3:]])
        assert judged[-1] == [sum(gold) for gold in last["view"]["gold"]]


def test_a_second_hint_has_to_wait_for_the_first() -> None:
    async def test() -> None:
        async with world() as inside:
            done = asyncio.Event()

            async def wait() -> list[object]:
                await done.wait()
                return []

            page, _ = await alone(inside, wait)
            first = page.send(type="hint")
            assert await page.refused(type="hint") == "busy"
            done.set()
            assert (await page.until(lambda message: message.get("id") == first))["type"] == "hints"
            assert (await page.ask(type="hint"))["type"] == "hints"

    run(test())


def test_the_game_goes_on_while_a_hint_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "PATIENCE", 0.2)

    async def test() -> None:
        async with world() as inside:
            page, made = await alone(inside, never)
            table = await inside.table(made)
            hint = page.send(type="hint")
            legal = looking.view(table, frozenset(chair.token_hash for chair in table.party.seats)).legal
            assert (await page.ask(type="play", version=table.version, move=legal[0]))["type"] == "done"
            assert hint not in str(page.messages())
            answer = await page.until(lambda message: message.get("id") == hint)
            assert (answer["refusal"]["code"], answer["refusal"]["message"]["text"][-1]) == ("busy", ".")

    run(test())


def test_who_leaves_does_not_leave_a_question_behind() -> None:
    async def test() -> None:
        async with world() as inside:
            page, _ = await alone(inside, never)
            workers = inside.tables.hints._workers
            assert isinstance(workers, Doing)
            page.send(type="hint")
            await page.sync()
            assert workers.asked == 1
            await page.close()
            inside.pages.remove(page)
            await asyncio.sleep(0)
            assert workers.asked == 0

    run(test())


def test_no_more_questions_of_one_visitor_at_once_than_leave_room_for_others() -> None:
    async def test() -> None:
        async with world() as inside:
            workers = inside.tables.hints._workers
            stranger = Asker("stranger", "advice")
            jam = asyncio.create_task(workers.run(Asker("jam", ""), sleep, 60, seconds=60))
            asked = [asyncio.create_task(inside.tables.hints.hints(stranger, TWINS[0])) for _ in range(MOST_WAITING)]
            await asyncio.sleep(0)
            with pytest.raises(Refusal, match=CROWD) as refusal:
                await inside.tables.hints.hints(stranger, TWINS[0])
            assert refusal.value.code == "busy"
            other = asyncio.create_task(inside.tables.hints.hints(Asker("other", "advice"), TWINS[0]))
            await asyncio.sleep(0)
            assert not other.done()
            for each in [jam, other, *asked]:
                each.cancel()
            await asyncio.gather(jam, other, *asked, return_exceptions=True)

    run(test())


def test_others_come_in_between_when_many_positions_are_judged() -> None:
    async def test() -> None:
        asked: list[int] = []

        class Counting(Doing):
            async def run(self, asker: Asker, work: Any, *arguments: Any, **_: Any) -> Any:
                asked.append(len(arguments[0]))
                return [[0.0, 0.0]] * len(arguments[0])

        asked_for = hints.Hints(Counting(never))
        judged = await asked_for.forecasts(Asker("", ""), [TWINS[0]] * MOST_POSITIONS)
        assert len(judged) == sum(asked) == MOST_POSITIONS
        assert max(asked) <= MOST_POSITIONS / 10

    run(test())


def test_the_death_of_a_worker_is_reported_in_a_sentence() -> None:
    async def die() -> None:
        raise WorkerDied

    async def test() -> None:
        async with world() as inside:
            page, _ = await alone(inside, die)
            answer = await page.ask(type="hint")
            assert (answer["type"], answer["refusal"]["code"]) == ("refused", "busy")
            assert answer["refusal"]["message"]["text"] == "The answer could not be worked out: try again."

    run(test())


def test_a_worker_that_dies_costs_one_hint(start: Start) -> None:
    server = start()
    made = server.make_table(["person", "greedy"], board="first")
    with Client(server, made["seats"][0]) as client:
        assert client.ask(type="hint")["type"] == "hints"
        for pid in workers_of(server):
            os.kill(pid, 9)
        answer = client.ask(type="hint")
        assert answer["type"] == "hints" or answer["refusal"]["code"] == "busy"
        assert client.ask(type="hint")["type"] == "hints"
    assert "Traceback" not in server.log()


# ---- judgements ------------------------------------------------------------------------------------------------------


def judge(http: httpx.Client, positions: list[str]) -> list[list[float]]:
    answer = http.post("/api/forecasts", json={"positions": positions})
    assert answer.status_code == 200, answer.text
    judged: list[list[float]] = answer.json()
    return judged


@pytest.mark.parametrize("name", ["00", "all-20"])
def test_a_record_is_judged_turn_by_turn(server: Server, name: str) -> None:
    text = (GOLDEN / f"{name}.kbr").read_text("utf-8")
    record = parse_record(text)
    with server.http() as http:
        replay = http.post("/api/records", json={"text": text}).json()
        assert replay["hints"]
        positions = [frame["position"] for frame in replay["frames"] if (frame["line"] or {}).get("move") == "."]
        judged = judge(http, [*positions, replay["frames"][-1]["position"]])
    assert len(judged) == len(positions) + 1
    assert {len(gold) for gold in judged} == {record.start.setup.players}
    assert judged[-1] == scores(record.game(draws=False).state)


OVER = "GGGG/GGN1(farm) - - 10 C5D5F5G4T4 T 2B!/-/0/# 0:a1,d1:d2,c2:G 40::: nomads=c2:outpost"


def test_once_a_game_is_over_nothing_more_is_expected(server: Server) -> None:
    """Not even of a tile that was never used."""
    with server.http() as http:
        assert judge(http, [OVER]) == [[0, 0]]
        assert http.post("/api/hints", json={"position": OVER}).json() == []


def test_what_was_played_and_what_is_suggested_are_judged_by_the_same_measure(server: Server) -> None:
    """The gold of a suggestion is what is expected in the position before its turn is ended."""
    text = (GOLDEN / "00.kbr").read_text("utf-8")
    with server.http() as http:
        frames = http.post("/api/records", json={"text": text}).json()["frames"]
        views = [(frame["view"], frame["position"]) for frame in frames]
        position = next(position for view, position in views if view["builds_left"] == 3 and view["card"])
        best = http.post("/api/hints", json={"position": position}).json()[0]
        assert best["turn"][-1] == "."
        state = parse_position(position)
        for move in best["turn"][:-1]:
            play(state, move)
        assert judge(http, [position_of(state)])[0][state.player] == best["gold"]


def test_a_running_game_is_judged_by_what_the_reader_sees(server: Server) -> None:
    answers = []
    for position in TWINS:
        made = server.make_table(["person", "greedy"], position=position)
        with server.http(made["seats"][0]) as http:
            replay = http.get("/api/table/replay").json()
            assert replay["hints"]
            seen = replay["frames"][-1]["position"]
            assert " 40:::?" in seen
            suggested = http.post("/api/hints", json={"position": seen}).json()
            answers.append((seen, suggested, judge(http, [seen])))
    assert answers[0] == answers[1]
    assert answers[0][1]


def test_a_running_game_with_people_elsewhere_is_not_for_advice(server: Server) -> None:
    made = server.make_table(["person", "person"], board="first")
    for tokens, offered in ((made["seats"], True), (made["seats"][:1], False), ([made["watch"]], False)):
        with server.http(*tokens) as http:
            assert http.get("/api/table/replay").json()["hints"] is offered


def test_questions_that_cannot_be_read_are_refused_and_harm_nobody(server: Server) -> None:
    with server.http() as http:
        answer = http.post("/api/hints", json={"position": "nonsense"})
        assert (answer.status_code, answer.json()["code"]) == (400, "unreadable")
        assert answer.json()["offset"] is not None
        answer = http.post("/api/forecasts", json={"positions": [TWINS[0], "nonsense"]})
        assert (answer.status_code, answer.json()["code"]) == (400, "unreadable")
        answer = http.post("/api/forecasts", json={"positions": [TWINS[0]] * (MOST_POSITIONS + 1)})
        assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
        assert judge(http, []) == []


def test_a_turn_is_analysed_and_better_moves_can_be_played(server: Server) -> None:
    """The turns of a random game lose gold; the answer for each is what the library finds."""
    text = (GOLDEN / "00.kbr").read_text("utf-8")
    game = parse_record(text).game(draws=False)
    turns = decided_turns(game)
    with server.http() as http:
        frames = http.post("/api/records", json={"text": text}).json()["frames"]
        for turn in turns[2:5]:
            moves = [frame["line"]["move"] for frame in frames[turn.begin + 1 : turn.end + 1]]
            found = http.post("/api/analysis", json={"position": frames[turn.begin]["position"], "moves": moves}).json()
            known = analyse_turn(game.state_at(turn.begin), game.actions()[turn.begin : turn.end], turn.begin)
            assert (found["lost"], found["mistake"]) == (known.lost, known.mistake)
            assert known.better
            assert turn.begin + found["ply"] == known.better.ply
            assert found["moves"] == list(known.better.moves)
            assert [each["message"]["text"] for each in found["happenings"]] == [
                str(each.message) for each in known.better.events
            ]
            assert found["reasons"]


SOME_TURN = "GGGG/GGGG/GGGG - - - C4D5F5G4T4 - 3A/G/3/- 40:::G 40:::T"


@pytest.mark.parametrize(
    ("position", "moves", "status", "code"),
    [
        ("nonsense", ["."], 400, "unreadable"),
        (SOME_TURN, ["a9"], 400, "illegal"),
        (SOME_TURN, ["a1", "a2", "b1", ".", "=D", "c1"], 400, "malformed"),
        (SOME_TURN.replace(":::T", ":::?"), ["a1"], 400, "malformed"),
        (SOME_TURN, ["a1"] * (MOST_MOVES + 1), 422, "malformed"),
    ],
)
def test_a_turn_that_cannot_be_analysed_is_refused(
    server: Server, position: str, moves: list[str], status: int, code: str
) -> None:
    with server.http() as http:
        answer = http.post("/api/analysis", json={"position": position, "moves": moves})
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.json()
