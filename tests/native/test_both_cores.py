"""The native core against what is written down: golden records, the examples of the rules, numbers of positions."""

import os
import re
import subprocess
import sys
from itertools import repeat
from pathlib import Path
from random import Random

import pytest
from playing import SET_CHOICES, SMALL, Case, sample
from twins import IS_LONG, Twins

from kingdom_builder.content import ALL_SETS, first_game, random_setup
from kingdom_builder.native.states import NativeState, random_of
from kingdom_builder.notation import parse_record, score_text
from kingdom_builder.players import random_action, random_rollout
from kingdom_builder.rules import Setup, State, perft, random_draw, scores

TESTS = Path(__file__).parents[1]
RECORDS = sorted((TESTS / "golden").glob("*.kbr"))
RULES = ["test_examples.py", *sorted(path.name for path in (TESTS / "rules").glob("test_rulings_*.py"))]
MORE = [
    "rules/test_contract.py",
    "rules/test_endings.py",
    "rules/test_exhaustion.py",
    "reference",
    "content",
    "notation",
]


# ---- what is written down --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_golden_record_is_the_same_game_in_the_native_core(path: Path) -> None:
    record = parse_record(path.read_text("utf-8"))
    twins = Twins(record.start)
    for action in record.actions():
        twins.compare()
        twins.apply(action)
    twins.compare()
    final = twins.native.to_state()
    assert final.over
    assert score_text(final) == record.tags["Score"]


def played_twice(*paths: str) -> tuple[int, int]:
    """Run tests with every action played in both cores; how many were compared, and how many the core refused."""
    python_path = os.pathsep.join([str(TESTS / "native"), os.environ.get("PYTHONPATH", "")])
    options = ["-p", "both_cores", "-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:doctest", "-o", "addopts="]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options, *paths],
        cwd=TESTS,
        env={**os.environ, "PYTHONPATH": python_path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    said = re.search(r"both cores: (\d+) compared, (\d+) refused", done.stdout)
    assert said
    return int(said[1]), int(said[2])


def test_the_worked_examples_and_all_rulings_hold_in_both_cores() -> None:
    compared, refused = played_twice(*[f"rules/{name}" for name in RULES])
    assert compared > 500
    assert refused < compared / 100


@pytest.mark.skipif(not IS_LONG, reason="takes minutes")
@pytest.mark.parametrize("path", MORE)
def test_other_tests_of_the_rules_hold_in_both_cores(path: str) -> None:
    compared, refused = played_twice(path)
    assert compared > refused


# ---- numbers of positions --------------------------------------------------------------------------------------------


def test_positions_of_the_first_game_are_counted_as_in_the_docs() -> None:
    twin = NativeState.new(first_game())
    assert [twin.perft(depth) for depth in range(6)] == [1, 5, 25, 1420, 4110, 16360]


@pytest.mark.parametrize("sets", [("base",), *SET_CHOICES], ids="+".join)
def test_both_cores_count_the_same_positions(sets: tuple[str, ...]) -> None:
    for state in sample(Case(3, SMALL, 11, (), sets), 12):
        twin = NativeState.of(state)
        for depth in range(3):
            assert twin.perft(depth) == perft(state, depth)
        assert twin == NativeState.of(state), "counting changes nothing"


def test_a_depth_is_a_number_from_0_to_10() -> None:
    twin = NativeState.new(first_game())
    for depth in (-1, 11, 10**30):
        with pytest.raises((ValueError, OverflowError)):
            twin.perft(depth)
    with pytest.raises(TypeError):
        twin.perft("1")  # type: ignore[arg-type]  # on purpose


# ---- random numbers --------------------------------------------------------------------------------------------------

SEEDS: list[int | float | str | bytes] = [
    0,
    1,
    -1,
    True,
    2**32 - 1,
    2**32,
    -(2**64),
    10**400,
    1 << 100_000,
    0.0,
    1.5,
    -2.75,
    1e300,
    float("inf"),
    "",
    "a",
    "Käse ☃",
    "long" * 3000,
    b"",
    b"bytes",
]


@pytest.mark.parametrize("number", range(len(SEEDS)))
def test_a_seed_gives_the_numbers_of_python(number: int) -> None:
    native, python = random_of(SEEDS[number]), Random(SEEDS[number])
    assert [native.random() for _ in range(1500)] == [python.random() for _ in range(1500)]


def test_many_seeds_give_the_numbers_of_python() -> None:
    rng = Random("seeds")
    for _ in range(300):
        seeds: list[int | float | str] = [
            rng.getrandbits(rng.randint(1, 200)),
            rng.uniform(-1e9, 1e9),
            str(rng.random()),
        ]
        seed = rng.choice(seeds)
        native, python = random_of(seed), Random(seed)
        assert [native.random() for _ in range(3)] == [python.random() for _ in range(3)]


@pytest.mark.parametrize("seed", [None, (1, 2), [3]], ids=repr)
def test_what_python_takes_for_no_seed_is_none_here_either(seed: object) -> None:
    with pytest.raises(TypeError, match="a seed of type"):
        random_of(seed)


def setups() -> list[Setup]:
    rng = Random("rollouts")
    return [random_setup(rng, 2 + n % 4, sets=("base",) if n % 2 else ALL_SETS) for n in range(16)]


def test_a_random_game_inside_the_core_is_the_one_that_python_plays() -> None:
    for seed, setup in enumerate(setups()):
        state, twin = State(setup), NativeState.new(setup)
        python, native = Random(seed), random_of(seed)
        random_rollout(state, python.random)
        assert twin.random_rollout(native) > 100
        assert twin.to_state() == state
        assert twin.scores() == scores(state)
        assert native.random() == python.random(), "as many numbers were used"
        assert twin.random_rollout(native) == 0


def test_a_random_game_goes_on_from_anywhere() -> None:
    for number, state in enumerate(sample(Case(3, SMALL, 5, (), ALL_SETS), 40)):
        twin = NativeState.of(state)
        random_rollout(state := state.copy(), Random(number).random)
        twin.random_rollout(random_of(number))
        assert twin.to_state() == state


def test_a_number_chooses_what_it_chooses_in_python() -> None:
    rng = Random("choose")
    for setup in setups()[:6]:
        twins = Twins(State(setup))
        while not twins.python.over:
            number = rng.random()
            chooses = random_draw if twins.python.awaiting else random_action
            action = chooses(twins.python, repeat(number).__next__)
            assert twins.native.choose(number) == action
            twins.apply(action)
        with pytest.raises(ValueError, match="over"):
            twins.native.choose(0.5)
        for number in (-0.1, 1.0, float("nan")):
            with pytest.raises(ValueError, match="from 0 to below 1"):
                twins.native.choose(number)


def test_a_position_in_which_nobody_can_do_anything_is_not_played_on() -> None:
    state = State(first_game())
    state.awaiting = None
    state.acting = state.setup.actions[0]
    state.supply = [0, 0]
    twin = NativeState.of(state)
    assert twin.legal() == state.legal() == 0
    with pytest.raises(ValueError, match="nobody can do anything"):
        twin.random_rollout(random_of(1))
    with pytest.raises(TypeError):
        twin.random_rollout(Random(1))  # type: ignore[arg-type]  # on purpose
