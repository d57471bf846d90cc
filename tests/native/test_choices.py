"""What bots and hints choose with the native core: the same as in Python."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from kingdom_builder import native
from kingdom_builder.board import Board
from kingdom_builder.content import first_game, make_setup
from kingdom_builder.notation import parse_record
from kingdom_builder.players import LEVELS, cores, find_hints, hints, make_player
from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.rules import Observation, State, observe, random_draw

RECORDS = sorted((Path(__file__).parents[1] / "golden").glob("*.kbr"))
NAMES = [f"{key}:300n" if level.budget else key for key, level in LEVELS.items() if key != "random"]


def decisions(paths: list[Path]) -> list[Observation]:
    """What a seat sees when it decides, once in each game, from early to late."""
    found = []
    for number, path in enumerate(paths):
        states = parse_record(path.read_text("utf-8")).game().states()
        states = [state for state in states if not state.awaiting and not state.over]
        state = states[number * len(states) // len(paths)]
        found.append(observe(state, state.player))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_chooses_the_same_in_both_cores(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    positions = decisions(RECORDS[NAMES.index(name) % 3 :: 3])

    def choices() -> list[int]:
        return [make_player(name, number).choose(seen) for number, seen in enumerate(positions)]

    with monkeypatch.context() as in_python:
        in_python.setattr(native, "core", None)
        expected = choices()
    for slow in ("TurnSearch", "greedy_step", "rollout_after"):
        monkeypatch.setattr(cores, slow, None)
    assert choices() == expected


def test_hints_are_the_same_in_both_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "SECONDS", 1000)
    monkeypatch.setattr(hints, "POSITIONS", 300)
    positions = decisions(RECORDS[::12])
    in_core = [find_hints(seen) for seen in positions]
    monkeypatch.setattr(native, "core", None)
    assert [find_hints(seen) for seen in positions] == in_core


def after_the_draws(state: State) -> State:
    while state.awaiting:
        state.apply(random_draw(state, Random(1).random))
    return state


def test_a_map_with_more_castles_than_the_core_has_room_for_is_judged_in_python() -> None:
    """128 of them fit into its evaluation."""
    state = after_the_draws(State(make_setup(Board(["KGKCKDKFKT" * 2] * 20), ["knights"])))
    assert cores.native_of(Evaluator(state.setup)) is None
    assert make_player("hard:20n", 1).choose(observe(state, 0)) in range(448)


def test_a_game_where_nobody_can_do_anything_is_refused_and_not_played_on() -> None:
    """A state made by hand: settlements are to be built, and nowhere is a free hex."""
    state = after_the_draws(State(first_game()))
    state.free = 0
    for core in (native.core, None):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(native, "core", core)
            play_out = cores.play_out_of(observe(state, 0), Evaluator(state.setup))
            for greedy_turns in (0, 1):
                with pytest.raises(ValueError, match=r"nobody can do anything|no action -1|First build 3"):
                    play_out([], greedy_turns, 0.5)


LITTLE_MEMORY = """
import resource
from kingdom_builder.content import first_game
from kingdom_builder.native.setups import of_setup
from kingdom_builder.native.states import NativeState
from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.native import NativeEvaluator

setup = of_setup(first_game())
state = NativeState.new(setup)
while state.is_drawing:
    state.apply(state.choose(0.5))
evaluator = NativeEvaluator(Evaluator(setup.setup), setup)
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used, used))
for ask in (lambda: evaluator.greedy_step(state, 2, 6), lambda: evaluator.rollout(state, [], 1, 0.5)):
    try:
        ask()
    except MemoryError:
        print("no memory")
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux says how much memory a process has")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="the sanitizers need memory themselves")
def test_a_search_without_memory_is_an_exception() -> None:
    done = subprocess.run([sys.executable, "-c", LITTLE_MEMORY], capture_output=True, text=True, check=True)
    assert done.stdout == "no memory\n" * 2
