"""Bad input: what Python refuses does not reach the native core, and nothing that does reach it makes it crash."""

import re
import struct
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_positions import odd_position
from playing import PRINTED, SET_CHOICES, SMALL, Case, game, mutated, sample, start_of
from twins import IS_LONG, Twins, any_action

from kingdom_builder.content import ALL_SETS, first_game
from kingdom_builder.native import _core
from kingdom_builder.native.setups import NativeSetup, NoShape, native_setup, of_setup
from kingdom_builder.native.states import NativeState
from kingdom_builder.notation import NotationError, parse_position, parse_stored_position, position_of
from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.native import NativeEvaluator
from kingdom_builder.rules import USE, Action, IllegalAction, Observation, State, observe, random_draw

# ---- positions -------------------------------------------------------------------------------------------------------

CASES = [Case(2 + number % 4, SMALL, number, (), sets) for number, sets in enumerate([("base",), *SET_CHOICES])]
LINES = [
    *[position_of(state) for case in CASES for state in sample(case, 6)],
    *[position_of(state) for state in sample(Case(3, PRINTED, 3, (), ALL_SETS), 6)],
    *[position_of(observe(state, 1)) for state in sample(Case(3, SMALL, 3), 3) if not state.over],
]


def play_a_while(state: State, rng: Random, most: int) -> bool:
    """Play a state on in both cores, with illegal actions now and then; False if the core refuses the state."""
    try:
        twins = Twins(state)
    except (NoShape, ValueError):
        return False
    for _ in range(most):
        twins.compare()
        python = twins.python
        if isinstance(state, Observation) or python.over or not python.legal():
            break
        if rng.random() < 0.2:
            try_illegal(twins, rng.randrange(-2, 600))
        twins.apply(random_draw(python, rng.random) if python.awaiting else any_action(python, rng))
    return True


def try_illegal(twins: Twins, action: Action) -> None:
    """Both cores refuse an illegal action in the same words, and change nothing."""
    if action >= 0 and twins.python.legal() >> action & 1:
        return
    before = twins.native.write()
    with pytest.raises(IllegalAction) as refused:
        twins.python.apply(action)
    with pytest.raises(IllegalAction, match=f"^{re.escape(str(refused.value))}$") as said:
        twins.native.apply(action)
    assert type(said.value) is type(refused.value)
    assert said.value.args == refused.value.args
    assert twins.native.write() == before


@settings(max_examples=20_000 if IS_LONG else 400, deadline=None, database=None)
@given(mutated(LINES), st.integers(0, 2**32))
def test_a_mutated_line_is_refused_or_played_alike(line: str, seed: int) -> None:
    try:
        state = parse_position(line)
    except NotationError:
        return
    play_a_while(state, Random(seed), 12)


def test_every_position_that_is_read_is_played_alike() -> None:
    """Odd ones, most of which no game comes to: all that Python accepts fit into the core."""
    rng = Random("odd positions in both cores")
    read = 0
    for _ in range(100_000 if IS_LONG else 2_000):
        try:
            state = parse_position(odd_position(rng))
        except NotationError:
            continue
        read += 1
        has_core = native_setup(state.setup) is not None
        assert play_a_while(state, rng, 60) == has_core
    assert read > 100


def test_every_stored_position_is_played_alike_or_refused() -> None:
    """Stored games may have begun from positions that are refused now."""
    rng = Random("stored positions in both cores")
    played = refused = 0
    for _ in range(50_000 if IS_LONG else 1_000):
        try:
            state = parse_stored_position(odd_position(rng))
        except NotationError:
            continue
        if play_a_while(state, rng, 40):
            played += 1
        else:
            refused += 1
    assert played > 50 * refused


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_illegal_action_is_refused_in_the_same_words(case: Case) -> None:
    for state in sample(case, 6):
        twins = Twins(state)
        for action in (*range(-2, 601, 1 if IS_LONG else 7), *range(440, 520), 10**9, -(10**9)):
            try_illegal(twins, action)
        twins.compare()


@pytest.mark.parametrize("action", [None, "a1", 1.5, b"1"], ids=repr)
def test_what_is_not_a_number_is_no_action(action: object) -> None:
    state = start_of(CASES[0])
    twin = NativeState.of(state)
    with pytest.raises(TypeError):
        state.apply(action)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(TypeError):
        twin.apply(action)  # type: ignore[arg-type]  # on purpose
    assert twin.to_state() == state


def test_a_state_by_hand_is_converted_exactly_or_not_at_all() -> None:
    """Fields set to values that make no sense."""
    rng = Random("by hand")
    states = [state for case in CASES for state in sample(case, 4)]
    values: dict[str, list[object]] = {
        "round": [-1, 10**6, 2**40],
        "player": [-1, 5],
        "steps": [-1, 10**7, 2**40],
        "builds_left": [-1, 4, 1000],
        "source": [-2, 448, 10**6],
        "deck": ["?", "GC", "CX", "C" * 41],
        "discard": ["?", "X", "G" * 40, "G" * 300],
        "card": ["?", "X"],
        "awaiting": ["hand", "card", "action", None],
        "ready": [1 << 70, -1],
        "just_taken": [1 << 63],
        "free": [-1, 1 << 449, 1 << 419],
        "scouts": [-1, 1 << 600],
        "own": [[-1] * 5, [1 << 500] * 5, []],
        "near": [[0]],
        "hands": [["CCX"] * 5, ["GC"] * 5, ["C" * 300] * 5, []],
        "supply": [[-1] * 5, [10**5] * 5, [1]],
        "taken": [[1 << 64] * 5, [1 << 63] * 5],
        "held": [[-1] * 5],
        "tiles_left": [[], [256] * 99, [-1]],
        "memory": [
            {"chosen": -1},
            {"chosen": 2**31},
            {"rain": 1},
            {"walls": 1 << 460},
            {"walls": -1},
            {"chosen": 2**29},
        ],
        "acting": list(first_game().actions),
    }
    converted = 0
    for _ in range(3000):
        state = rng.choice(states).copy()
        for field in rng.sample([*values], rng.randint(1, 2)):
            setattr(state, field, rng.choice(values[field]))
        try:
            twin = NativeState.of(state)
        except (NoShape, ValueError):
            continue
        assert twin.to_state() == state, position_of(state)
        use(twin, rng, 20)
        converted += 1
    assert converted > 100


def test_a_state_of_another_setup_is_refused() -> None:
    native = of_setup(first_game())
    assert NativeState.of(State(first_game()), native)
    for other in (first_game(3), first_game(2, ["lordsNeedPresence"]), start_of(CASES[2]).setup):
        with pytest.raises(ValueError, match="another setup"):
            NativeState.of(State(other), native)


# ---- bytes -----------------------------------------------------------------------------------------------------------

ODD_NUMBERS = (-1, 0, 1, 2, 5, 7, 8, 20, 21, 47, 48, 49, 63, 64, 255, 447, 448, 1000, 10_000, 2**31 - 1, -(2**31))
ROUNDS = 50_000 if IS_LONG else 1_500


def spoiled(rng: Random, valid: bytes) -> bytes:
    """Bytes with some numbers or bits replaced, or a piece missing or added."""
    text = bytearray(valid)
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(max(1, len(text) - 8))
        match rng.randrange(8):
            case 0:
                text[at] = rng.randrange(256)
            case 1:
                text[at] ^= 1 << rng.randrange(8)
            case 2:
                del text[at : at + rng.choice([1, 4, 56])]
            case 3:
                text[at:at] = rng.randbytes(rng.choice([1, 4, 56]))
            case _:
                text[at // 4 * 4 : at // 4 * 4 + 4] = struct.pack("<i", rng.choice(ODD_NUMBERS))
    return bytes(text)


def written(native: NativeSetup, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """The bytes that a setup is read from."""
    seen: list[bytes] = []

    class Listening(NativeSetup):
        __slots__ = ()

        def __new__(cls, description: bytes, /) -> "Listening":
            seen.append(description)
            return super().__new__(cls, description)

    with monkeypatch.context() as patched:
        patched.setattr("kingdom_builder.native.setups.NativeSetup", Listening)
        of_setup(native.setup)
    return seen[0]


def use(state: _core.State, rng: Random, most: int) -> None:
    """Whatever can be done with a state that makes no sense must be harmless."""
    for _ in range(most):
        state.scores()
        state.write()
        count = state.count()
        assert count == state.legal().bit_count()
        if not count:
            assert not state.try_action(rng.randrange(-1, 512))
            return
        if count < 40 and rng.random() < 0.05:
            state.perft(2)
        action = state.choose(rng.random())
        state.copy().try_action(rng.randrange(512))
        assert state.try_action(action)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_spoiled_setup_is_refused_or_harmless(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(f"setup {case}")
    states = [of.write() for of in map(NativeState.of, sample(case, 20))]
    valid = written(of_setup(start_of(case).setup), monkeypatch)
    accepted = 0
    for _ in range(ROUNDS // 8):
        try:
            setup = _core.Setup(spoiled(rng, valid))
        except ValueError:
            continue
        accepted += 1
        use(_core.State(setup), rng, 60)
        for state in rng.sample(states, 2):
            with suppress(ValueError):
                use(_core.State(setup, state), rng, 30)
    assert accepted > ROUNDS // 80


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_spoiled_state_is_refused_or_harmless(case: Case) -> None:
    rng = Random(f"state {case}")
    setup = of_setup(game(case)[0].before.setup)
    states = [NativeState.of(state, setup).write() for state in sample(case, 20)]
    accepted = 0
    for _ in range(ROUNDS // 4):
        try:
            state = NativeState(setup, spoiled(rng, rng.choice(states)))
        except ValueError:
            continue
        accepted += 1
        assert NativeState(setup, state.write()) == state
        use(state, rng, 60)
    assert accepted > ROUNDS // 40


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_spoiled_state_is_harmless_to_evaluation_search_and_rollouts(case: Case) -> None:
    rng = Random(f"evaluated {case}")
    setup = of_setup(game(case)[0].before.setup)
    evaluator = NativeEvaluator(Evaluator(setup.setup), setup)
    states = [NativeState.of(state, setup).write() for state in sample(case, 20)]
    for number in range(ROUNDS // 2):
        with suppress(ValueError):
            state = NativeState(setup, spoiled(rng, rng.choice(states)))
            evaluator.worth(state, number % setup.setup.players)
            evaluator.greedy_step(state, 2, 6)
            evaluator.rollout(state, [], number % 3, number)


def test_garbage_is_neither_a_setup_nor_a_state() -> None:
    rng = Random("garbage")
    setup = of_setup(first_game())
    size = len(NativeState.new(setup).write())
    for _ in range(ROUNDS):
        length = rng.choice([0, 1, 3, 4, 100, size - 1, size + 1, rng.randrange(5000)])
        garbage = rng.randbytes(length) if rng.random() < 0.5 else bytes(length)
        with pytest.raises(ValueError, match="not a setup"):
            _core.Setup(garbage)
        with pytest.raises(ValueError, match="not a state"):
            _core.State(setup, garbage)


def test_a_seed_is_made_of_whole_digits() -> None:
    for length in range(20):
        if length % 4:
            with pytest.raises(ValueError, match="whole 32-bit digits"):
                _core.Random(bytes(length))
        else:
            assert 0 <= _core.Random(bytes(length)).random() < 1


@pytest.mark.parametrize("wrong", [None, 1, "text", [], object], ids=str)
def test_what_is_not_bytes_is_refused(wrong: object) -> None:
    setup = of_setup(first_game())
    for kind in (_core.Setup, _core.Random, _core.State):
        with pytest.raises(TypeError):
            kind(wrong)  # type: ignore[arg-type]  # on purpose
        with pytest.raises(TypeError):
            kind()  # type: ignore[call-arg]  # on purpose
    with pytest.raises(TypeError):
        _core.State(setup, wrong)  # type: ignore[arg-type]  # on purpose


def test_a_setup_lives_as_long_as_its_states() -> None:
    states = [NativeState.new(first_game()) for _ in range(50)]
    copies = [state.copy() for state in states]
    del states
    for copy in copies:
        assert copy.perft(2) == 25
        assert copy.setup == first_game()


def test_uses_are_numbered_as_in_the_setup() -> None:
    setup = of_setup(first_game())
    assert [USE + kind for kind in range(len(setup.setup.actions))] == [464, 465, 466, 467]
