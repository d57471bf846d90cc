"""What is worked out in other processes: the same as here, and nothing but plain values on the way."""

import asyncio
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from kingdom_builder.content import ALL_SETS, random_setup
from kingdom_builder.message import Refusal
from kingdom_builder.notation import NotationError, as_played_under, parse_position, parse_record, play, position_of
from kingdom_builder.players import LEVELS, guard, make_player
from kingdom_builder.rules import EVERYTHING, State, observe, random_draw
from kingdom_builder.server import desk
from kingdom_builder.server import transcript as transcript_module
from kingdom_builder.server.messages import Replay, SetupChoice
from kingdom_builder.server.transcript import Transcript
from kingdom_builder.server.views import frames
from kingdom_builder.server.workers import Asker, Workers
from server import chores

GOLDEN = Path(__file__).parents[1] / "golden"
RECORD = (GOLDEN / "all-20.kbr").read_text("utf-8")
SOME = "GGGG/1GDD(fort) lords - 2 C5D4F5G4T5 - 1A/G/3/- 40:::G 40:::D"


def transcript(perspective: int | None = EVERYTHING, actions: int = 10_000) -> Transcript:
    record = parse_record(RECORD)
    seats = range(record.start.setup.players)
    told = list(record.actions()[:actions])
    names = [f"Player {seat}" for seat in seats]
    return Transcript(position_of(record.start), told, names, [*seats], perspective, {"Place": "here"}, hints=False)


def test_a_worker_works_out_what_the_server_would() -> None:
    async def test() -> None:
        workers = Workers(1)
        asker = Asker("", "")
        try:
            works: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
                (desk.replay_of_record, (RECORD,)),
                (desk.replay_of_position, (SOME,)),
                (desk.replay_of_transcript, (transcript(),)),
                (desk.record_of_transcript, (transcript(),)),
                (desk.scores, (SOME,)),
                (desk.picture_of, (SOME, "legal", True)),
                (desk.preview, (SetupChoice(seed="7"), 3, {})),
                (desk.bot_turn, ("hard:50n", SOME, "seed")),
                (desk.hints, (SOME,)),
                (desk.forecasts, ([SOME, SOME],)),
            ]
            for work, arguments in works:
                assert await workers.run(asker, work, *arguments, seconds=60) == work(*arguments)
            with pytest.raises(NotationError) as error:
                await workers.run(asker, desk.replay_of_position, SOME.replace("lords", "ladies"), seconds=60)
            assert error.value.offset == SOME.index("lords")
            secret = Transcript(SOME, [], ["A", "B"], [0, 1], None)
            with pytest.raises(Refusal) as refusal:
                await workers.run(asker, desk.record_of_transcript, secret, seconds=60)
            assert refusal.value.code == "hidden"
            loaded = await workers.run(asker, chores.modules, seconds=60)
            of_coverage = {"sqlite3"} if "coverage" in loaded else set()  # where it keeps what it measures
            too_much = {"fastapi", "asyncio", "sqlite3", "uvicorn", "importlib.metadata", "importlib.resources"}
            assert not (too_much - of_coverage) & set(loaded), "a process has to start quickly"
        finally:
            workers.close()

    asyncio.run(test())


def test_a_transcript_is_the_same_in_another_process() -> None:
    for perspective in (EVERYTHING, None, 0):
        here = transcript(perspective, 100)
        assert pickle.loads(pickle.dumps(here)).replay() == here.replay()


def test_a_replay_has_the_frames_of_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    for perspective in (EVERYTHING, 1):
        told = transcript(perspective, 200)
        shown = msgspec.json.decode(told.replay(), type=Replay)
        assert shown.frames == list(frames(told.game(), perspective))
    size = len(desk.replay_of_record(RECORD))
    assert size < transcript_module.MOST_BYTES / 5
    monkeypatch.setattr(transcript_module, "MOST_BYTES", size // 2)
    with pytest.raises(ValueError, match="expected a shorter game"):
        desk.replay_of_record(RECORD)


def test_a_record_and_a_position_are_replayed_with_their_names() -> None:
    replay = json.loads(desk.replay_of_record(RECORD.replace("\n\n", '\n[NameA "Ann"]\n\n', 1)))
    assert replay["names"][0] == "Ann"
    assert replay["names"][1] == ""
    assert len(replay["frames"]) == len(parse_record(RECORD).actions()) + 1
    replay = json.loads(desk.replay_of_position(SOME))
    assert [frame["position"] for frame in replay["frames"]] == [position_of(parse_position(SOME))]
    with pytest.raises(ValueError, match="is not a hex"):
        desk.picture_of(SOME, "a1,zz")


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_plays_until_the_end_of_its_turn_or_a_draw(level: str) -> None:
    rng = Random(1)
    state = State(random_setup(rng, 3, sets=ALL_SETS))
    turns = 0
    while not state.over and turns < 12:
        if state.awaiting:
            state.apply(random_draw(state, rng.random))
            continue
        quick = f"{level}:50n" if level in ("hard", "expert") else level
        for move in desk.bot_turn(quick, position_of(observe(state, state.player)), "seed").moves:
            play(state, move)
        turns += 1


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_has_a_turn_in_an_endless_game(level: str) -> None:
    line = "DDDDDDDD/DDDDDDDD/D1DDDDDD/DDDDDDDD(paddock) - - 1 C5D4F5G5T4 - 1A/D/0/- 0:a1,d4:b3:D 0:h1::T"
    assert desk.bot_turn(level, as_played_under(line, 1), "seed").moves[-1] == "."


def test_a_bot_that_goes_round_in_circles_is_brought_out_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fickle:
        """Chooses another piece to move again and again."""

        def choose(self, seen: State) -> int:
            return next(h for h in (0, 2) if seen.legal() >> h & 1)

    players = {"fickle": Fickle(), "greedy": Fickle(), "random": make_player("random", 1)}
    monkeypatch.setattr(guard, "make_player", lambda level, *_: players[level])
    line = "GGG/GGN - - 0 C5D5F5G4T5 - 1A/G/0/resettlement>a1*3 9:a1,c1:c2:G 9::: nomads=c2:resettlement"
    moves, fault = desk.bot_turn("fickle", line, "seed")
    assert moves[: 2 * desk.LONG_TURN] == ["c1", "a1"] * desk.LONG_TURN
    assert len(moves) < desk.MOST_OF_A_TURN
    assert fault == "did not end its turn in 100 actions"


def test_a_bot_that_fails_has_its_turn_played_by_a_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def choose(self, seen: State) -> int:
            raise ZeroDivisionError("no reason")

    players = {"broken": Broken(), "greedy": Broken(), "random": make_player("random", 1)}
    monkeypatch.setattr(guard, "make_player", lambda level, *_: players[level])
    moves, fault = desk.bot_turn("broken", SOME, "seed")
    assert moves
    assert fault == "failed with ZeroDivisionError: no reason"
