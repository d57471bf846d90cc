"""The native core plays the same games in a batch as Python, and writes the same arrays, byte for byte."""

import copy
import os
import pickle
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kingdom_builder.content import ALL_SETS, first_game, random_setup
from kingdom_builder.encoding import tables
from kingdom_builder.learn import native_batch, vector
from kingdom_builder.learn.games import Games, Run
from kingdom_builder.learn.native_batch import NativeBatch
from kingdom_builder.learn.vector import SHAPES, KingdomBuilderVector, make_buffers
from kingdom_builder.native import _core
from kingdom_builder.native.randoms import NativeRandom
from kingdom_builder.native.setups import NativeSetup, native_setup
from kingdom_builder.notation import position_of
from kingdom_builder.rules import IllegalAction, Setup, State

IS_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
STEPS = 20_000 if IS_LONG else 700
"""A base game for two takes some 150 decisions of random players, others more."""

WRITTEN = [name for name in SHAPES if name != "action"]


class Pair:
    """A batch in each core, which are given the same actions and compared after each step."""

    def __init__(self, *arguments: Any, seed: int = 5, **options: Any) -> None:
        self.python = KingdomBuilderVector(*arguments, **options, copy=False, native=False)
        self.native = KingdomBuilderVector(*arguments, **options, copy=False)
        self.ended = 0
        self._rng = np.random.default_rng(seed)
        self.reset(seed)

    @property
    def masks(self) -> NDArray[np.int8]:
        return self.python._batch.arrays["action_mask"]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        one, other = (envs.reset(seed=seed, options=options)[1] for envs in (self.python, self.native))
        self._compare(one, other)

    def play(self, steps: int) -> None:
        """Random legal actions."""
        for _ in range(steps):
            self.step((self.masks * self._rng.random(self.masks.shape, np.float32)).argmax(1))

    def step(self, actions: NDArray[np.int64]) -> None:
        one, other = (envs.step(actions)[1:] for envs in (self.python, self.native))
        for mine, theirs in zip(one[:3], other[:3], strict=True):
            assert np.array_equal(mine, theirs)
        self._compare(one[3], other[3])
        self.ended += int(one[1].sum())

    def _compare(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> None:
        assert one.keys() == other.keys()
        assert all(np.array_equal(one[key], other[key]) for key in one)
        arrays, others = self.python._batch.arrays, self.native._batch.arrays
        for name in WRITTEN:
            assert arrays[name].tobytes() == others[name].tobytes(), name


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("sets", [("base",), ALL_SETS], ids=["base", "all"])
@pytest.mark.parametrize("gold", [False, True], ids=["", "gold"])
def test_both_cores_write_the_same(sets: tuple[str, ...], players: int, gold: bool) -> None:
    pair = Pair(4, players, sets, gold=gold, reward="lead")
    assert isinstance(pair.native._batch, NativeBatch)
    pair.play(STEPS)
    assert pair.ended > 3


@pytest.mark.parametrize("reward", ["victory", "gold", "rank"])
def test_both_cores_pay_the_same(reward: str) -> None:
    pair = Pair(8, 3, reward=reward)
    pair.play(300)
    assert pair.ended


def test_many_resets_change_nothing() -> None:
    pair = Pair(3, sets=("base", "nomads"))
    for seed in range(STEPS // 10):
        pair.play(seed % 4)
        pair.reset(None if seed % 3 else seed)


def test_a_reset_with_options_is_the_same_in_both_cores() -> None:
    pair = Pair(3)
    pair.reset(options={"setup": first_game(4)})
    pair.play(5)
    run = Run(random_setup(Random(3), 3, sets=ALL_SETS), Random(3))
    for _ in range(150):
        run.play(int(run.encoder.mask(run.state).argmax()))
    pair.reset(options={"position": position_of(run.state)})
    pair.play(100)
    hidden = "DDDD/D1DG/DDGG/CCCC(farm) fishermen - 2 C5D4F5G5T5 - 1A/D/3/- 40:::D 40:::?"
    pair.reset(3, options={"position": hidden})
    pair.play(100)


def test_a_finished_position_stays_as_it_is() -> None:
    run = Run(first_game(), Random(1))
    while not run.state.over:
        run.play(int(run.encoder.mask(run.state).argmax()))
    pair = Pair(2)
    pair.reset(options={"position": position_of(run.state)})
    for envs in (pair.python, pair.native):
        with pytest.raises(IllegalAction):
            envs.step(np.array([400, 400]))


def test_one_setup_for_all_games_is_the_same_in_both_cores() -> None:
    pair = Pair(4, games=Games(setup=first_game(3)))
    pair.play(300)
    assert pair.ended


def test_worker_processes_use_the_native_core_with_the_same_results() -> None:
    here = KingdomBuilderVector(5, 3, native=False)
    there = KingdomBuilderVector(5, 3, workers=2)
    try:
        one, other = here.reset(seed=1)[0], there.reset(seed=1)[0]
        for _ in range(100):
            assert all(one[name].tobytes() == other[name].tobytes() for name in one)
            actions = one["action_mask"].argmax(1)
            one, other = here.step(actions)[0], there.step(actions)[0]
    finally:
        there.close()


# ---- who plays -------------------------------------------------------------------------------------------------------


def test_python_plays_where_the_core_is_not_wanted_or_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(KingdomBuilderVector(1)._batch, NativeBatch)
    assert not isinstance(KingdomBuilderVector(1, native=False)._batch, NativeBatch)
    assert not isinstance(KingdomBuilderVector(1, opponents=["random"])._batch, NativeBatch)
    monkeypatch.setattr(vector, "is_on", lambda: False)
    assert not isinstance(KingdomBuilderVector(1)._batch, NativeBatch)


@pytest.mark.parametrize("every", [1, 2, 3])
def test_games_without_a_shape_are_played_in_python(monkeypatch: pytest.MonkeyPatch, every: int) -> None:
    asked = 0

    def sometimes(setup: Setup) -> NativeSetup | None:
        nonlocal asked
        asked += 1
        return native_setup(setup) if asked % every else None

    monkeypatch.setattr(native_batch, "native_setup", sometimes)
    pair = Pair(4, 2, ("base", "crossroads"), gold=True)
    pair.play(500)
    assert pair.ended > 8


def test_what_the_encoding_does_not_know_is_refused_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(first_game().cards[0]), "key", "made-up")
    errors = []
    for native in (False, True):
        with pytest.raises(ValueError, match="made-up: not in version 1 of the encoding") as refused:
            KingdomBuilderVector(2, games=Games(setup=first_game()), native=native).reset(seed=1)
        errors.append(str(refused.value))
    assert errors[0] == errors[1]


# ---- actions that are not legal --------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", [0, 407, 406, 449, 450, 10**12, -1, -(10**12)])
def test_an_illegal_action_raises_the_same_error(action: int) -> None:
    pair = Pair(3)
    pair.play(7)
    actions = pair.masks.argmax(1)
    while pair.masks.shape[1] > action >= 0 and pair.masks[0, action]:
        action += 1
    errors = []
    for envs in (pair.python, pair.native):
        with pytest.raises((IllegalAction, ValueError)) as refused:
            envs.step(np.array([action, *actions[1:]]))
        errors.append((refused.type, str(refused.value)))
    assert errors[0] == errors[1]
    pair.step(actions)
    pair.play(50)


def test_games_before_an_illegal_action_have_gone_on() -> None:
    pair = Pair(3)
    for _ in range(150):  # some of the games that go on end by that
        first = int(pair.masks[0].argmax())
        for envs in (pair.python, pair.native):
            with pytest.raises(ValueError, match="action 450: expected one that this setup has"):
                envs.step(np.array([first, 450, 450]))
        python, native = pair.python._batch, pair.native._batch
        assert isinstance(python, vector.Batch)
        assert isinstance(native, NativeBatch)
        python._write()
        native._write()
        assert all(python.arrays[name].tobytes() == native.arrays[name].tobytes() for name in WRITTEN)


def test_too_few_actions_are_an_error() -> None:
    envs = KingdomBuilderVector(3)
    envs.reset(seed=1)
    with pytest.raises(IndexError):
        envs.step(np.array([0]))


# ---- hidden cards ----------------------------------------------------------------------------------------------------


def dealt_differently(state: State) -> State:
    """The state with a card of each other seat exchanged for one of the draw pile."""
    other = state.copy()
    for seat, hand in enumerate(other.hands):
        different = other.deck.replace(hand[:1], "")
        if seat != state.player and hand and different:
            other.hands[seat] = "".join(sorted(different[0] + hand[1:]))
            other.deck = "".join(sorted(other.deck.replace(different[0], hand[0], 1)))
    return other


def test_no_array_shows_a_hidden_card() -> None:
    run = Run(random_setup(Random(8), 4, sets=ALL_SETS), Random(8))
    rng = np.random.default_rng(8)
    envs, others = KingdomBuilderVector(1, gold=True), KingdomBuilderVector(1, gold=True)
    changed = 0
    while not run.state.over:
        run.play(int(rng.choice(np.flatnonzero(run.encoder.mask(run.state)))))
        other = dealt_differently(run.state)
        seen = envs.reset(seed=1, options={"position": position_of(run.state)})[0]
        also = others.reset(seed=1, options={"position": position_of(other)})[0]
        assert all(seen[name].tobytes() == also[name].tobytes() for name in seen)
        changed += position_of(run.state) != position_of(other)
    assert changed > 100


# ---- mistakes that would be found ------------------------------------------------------------------------------------


def exchange(numbers: bytes, one: int, other: int) -> bytes:
    """The numbers with two of them exchanged."""
    changed = np.frombuffer(numbers, np.int32).copy()
    changed[[one, other]] = changed[[other, one]]
    return changed.tobytes()


def part_at(name: str) -> int:
    """Where the layout says where a part begins."""
    return 7 + len(_core.ENCODED_PLANES) + 3 * _core.ENCODED_PARTS.index(name)


def wrong_layouts() -> Iterator[tuple[str, Callable[[bytes], bytes]]]:
    planes = 7 + _core.ENCODED_PLANES.index("tiles_just_taken")
    choices = part_at("seat") + 3 * len(_core.ENCODED_PARTS)
    yield "deck and discard pile", lambda right: exchange(right, part_at("deck"), part_at("discard"))
    yield "ready and just taken", lambda right: exchange(right, part_at("ready"), part_at("just_taken"))
    yield "scale of the supply", lambda right: exchange(right, part_at("supply") + 2, part_at("held") + 2)
    yield "scouts and tiles just taken", lambda right: exchange(right, planes, planes + 1)
    yield "end and done", lambda right: exchange(right, choices, choices + 2)


@pytest.mark.parametrize(("mistake"), [pytest.param(wrong, id=name) for name, wrong in wrong_layouts()])
def test_a_mistake_in_the_layout_would_be_found(
    monkeypatch: pytest.MonkeyPatch, mistake: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(native_batch, "layout", lambda: mistake(tables.layout()))
    with pytest.raises((AssertionError, IllegalAction)):
        Pair(4).play(300)


def test_another_draw_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair(4)
    batch = pair.native._batch
    assert isinstance(batch, NativeBatch)
    batch._rngs[2].random()
    with pytest.raises(AssertionError):
        pair.play(300)


# ---- the core by itself ----------------------------------------------------------------------------------------------


def test_the_core_takes_arrays_of_the_right_size_only() -> None:
    arrays = [make_buffers(2)[name] for name in native_batch.BUFFERS]
    _core.Batch(tables.layout(), 2, *arrays)
    with pytest.raises(ValueError, match="array 0: expected 52800 bytes, not 35200"):
        _core.Batch(tables.layout(), 3, *arrays)
    with pytest.raises(ValueError, match="array 4: expected 2 bytes, not 36"):
        _core.Batch(tables.layout(), 2, *arrays[:4], np.zeros(36, np.int8))
    with pytest.raises(ValueError, match="0 games"):
        _core.Batch(tables.layout(), 0, *arrays)
    arrays[0].setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        _core.Batch(tables.layout(), 2, *arrays)


def test_bytes_that_say_nothing_are_refused() -> None:
    rng = Random(1)
    arrays = [make_buffers(1)[name] for name in native_batch.BUFFERS]
    setup = native_setup(random_setup(rng, 3, sets=ALL_SETS))
    assert setup
    batch = _core.Batch(tables.layout(), 1, *arrays)
    refused = 0
    for _ in range(20_000 if IS_LONG else 1000):
        for right in (tables.layout(), tables.tables_of(setup)):
            wrong = bytearray(right[: rng.choice([len(right), rng.randrange(1, len(right))])])
            for _ in range(rng.randrange(3)):
                wrong[rng.randrange(len(wrong))] = rng.choice([0, 1, 127, 255])
            try:
                if right == tables.layout():
                    _core.Batch(bytes(wrong), 1, *arrays)
                else:
                    batch.begin(0, setup, bytes(wrong), NativeRandom(1).core, True, None)
                batch.play(np.zeros(1, np.int64), 0)
                batch.write()
            except ValueError:
                refused += 1
    assert refused > 300


def test_the_core_has_no_game_that_was_not_begun() -> None:
    batch = _core.Batch(tables.layout(), 1, *[make_buffers(1)[name] for name in native_batch.BUFFERS])
    assert batch.play(np.zeros(1, np.int64), 0) == 0
    batch.write()
    for number in (0, 1, -1, 1 << 40):
        with pytest.raises(IndexError):
            batch.result(number)
    setup, other = native_setup(first_game()), native_setup(first_game())
    assert setup
    assert other
    with pytest.raises(ValueError, match="expected a state of this setup"):
        batch.begin(0, setup, tables.tables_of(setup), NativeRandom(1).core, False, _core.State(other))


# ---- random numbers --------------------------------------------------------------------------------------------------


def numbers_of(rng: Random) -> list[Any]:
    """Some of all that a generator can do."""
    deck = list(range(30))
    rng.shuffle(deck)
    bits = [rng.getrandbits(size) for size in (0, 1, 5, 32, 33, 64, 100, 1000)]
    return [deck, *bits, rng.random(), rng.sample(deck, 5), rng.gauss(), rng.randrange(10**20), rng.randbytes(7)]


@pytest.mark.parametrize("seed", [0, 7, -7, 10**40, 2.5, "5 63", b"bytes"])
def test_a_native_generator_gives_the_numbers_of_python(seed: Any) -> None:
    python, native = Random(seed), NativeRandom(seed)
    for _ in range(100):
        assert numbers_of(python) == numbers_of(native)
    assert python.getstate() == native.getstate()
    for copied in (copy.copy(native), pickle.loads(pickle.dumps(native))):
        assert numbers_of(copied) == numbers_of(_again(python))
    native.setstate(Random(3).getstate())
    assert numbers_of(native) == numbers_of(Random(3))
    native.seed(4)
    assert numbers_of(native) == numbers_of(Random(4))


def _again(rng: Random) -> Random:
    """A generator in the same state."""
    other = Random()
    other.setstate(rng.getstate())
    return other


def test_generators_without_a_seed_differ() -> None:
    assert NativeRandom().random() != NativeRandom().random()


def test_wrong_states_of_a_generator_are_refused() -> None:
    core = NativeRandom(1).core
    words = core.get_words()
    wrong: list[Any] = [(), words[:-1], (*words[:-1], 625), (1 << 32, *words[1:]), [*words]]
    for each in wrong:
        with pytest.raises(ValueError, match="not the state of a generator"):
            core.set_words(each)
    with pytest.raises(OverflowError):
        core.set_words((-1, *words[1:]))
    with pytest.raises(ValueError, match="expected 0 to"):
        core.getrandbits(-1)
    assert core.get_words() == words
