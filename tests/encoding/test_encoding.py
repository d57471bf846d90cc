"""Arrays for networks: nothing is lost, nothing hidden is shown, and numbers mean the same in every setup."""

import hashlib
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from kingdom_builder.content import ALL_SETS, BOXES, COMPONENTS, OPTIONS, make_setup, random_setup
from kingdom_builder.encoding import (
    ACTIONS,
    EXTRA_ACTIONS,
    GOALS,
    PLANES,
    VECTOR_SIZE,
    VERSION,
    Encoder,
    VersionMismatch,
    check_version,
    decode,
    spaces,
)
from kingdom_builder.hexes import bits
from kingdom_builder.players.random import random_action
from kingdom_builder.rules import Card, ExtraAction, Observation, Setup, State, determinize, observe
from kingdom_builder.rules.chance import drive
from kingdom_builder.rules.components import BY_SEAT, HEXES, NUMBER
from kingdom_builder.rules.setup import CHOSEN_CARD, WALLS
from kingdom_builder.rules.versions import KEPT_RULINGS

MIXES = [("base",), ALL_SETS, *[(key,) if BOXES[key].cards else ("base", key) for key in BOXES]]


def states(setup: Setup, seed: int) -> Iterator[State]:
    """Every state of a random game, before a decision."""
    rng = Random(seed)
    state = State(setup)
    for _ in drive(state, lambda state: random_action(state, rng.random), rng.random):
        if not state.awaiting:
            yield state


def in_order(setup: Setup) -> Setup:
    """The same setup with cards and tasks in the order of the catalogue."""
    return make_setup(
        setup.board,
        sorted((card.key for card in setup.cards), key=GOALS.index),
        setup.players,
        setup.options,
        tasks=sorted((task.key for task in setup.tasks), key=GOALS.index),
        nomads={h: tile.key for h, tile in setup.nomads.items()},
        capitols=setup.capitols,
    )


def some_setup(seed: int, players: int, sets: tuple[str, ...]) -> Setup:
    return in_order(random_setup(Random(seed), players, sets=sets))


def as_seen(state: State, seat: int) -> Observation:
    """What a seat sees, without what means nothing."""
    seen = observe(state, seat)
    seen.discard = "".join(sorted(seen.discard))
    usable, ready = seen.held[seen.player] & ~seen.just_taken, 0
    for of_kind in seen.setup.kind_tiles:
        last_first = sorted(bits(usable & of_kind), reverse=True)
        ready |= sum(1 << tile for tile in last_first[: (seen.ready & of_kind).bit_count()])
    seen.ready = ready
    return seen


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("sets", MIXES, ids="+".join)
def test_an_observation_is_read_back_as_it_was(sets: tuple[str, ...], players: int) -> None:
    setup = some_setup(players, players, sets)
    encoder = Encoder(setup)
    for step, state in enumerate(states(setup, players)):
        if step % 7 == 0:
            seat = step % players
            assert decode(encoder.observation(state, seat)) == as_seen(state, seat)


def test_the_end_of_a_game_is_read_back_as_it_was() -> None:
    setup = some_setup(1, 3, ALL_SETS)
    *_, last = states(setup, 1)
    assert last.over or not last.awaiting
    rng = Random(1)
    for _ in drive(last, lambda state: random_action(state, rng.random), rng.random):
        pass
    assert decode(Encoder(setup).observation(last, 2)) == as_seen(last, 2)


@pytest.mark.parametrize("sets", [("base",), ALL_SETS], ids="+".join)
def test_states_that_differ_in_hidden_cards_only_are_equal_arrays(sets: tuple[str, ...]) -> None:
    setup = some_setup(3, 3, sets)
    encoder = Encoder(setup, gold=True)
    rng = Random(5)
    differed = 0
    for step, state in enumerate(states(setup, 5)):
        if step % 5:
            continue
        for seat in range(3):
            twin = determinize(observe(state, seat), rng)
            differed += twin.hands != state.hands
            for name, array in encoder.observation(state, seat).items():
                assert array.tobytes() == encoder.observation(twin, seat)[name].tobytes(), name
    assert differed > 20


def test_it_does_not_matter_whether_hidden_cards_are_hidden_in_the_state() -> None:
    setup = some_setup(4, 4, ALL_SETS)
    encoder = Encoder(setup)
    for step, state in enumerate(states(setup, 2)):
        if step % 20 == 0:
            for name, array in encoder.observation(state, state.player).items():
                assert (
                    array.tobytes() == encoder.observation(observe(state, state.player), state.player)[name].tobytes()
                )


def test_a_map_turned_by_180_degrees_is_turned_planes() -> None:
    setup = some_setup(6, 2, ("base",))
    board = setup.board
    rows = [row[::-1] for row in board.map[::-1]]
    turned = make_setup(type(board)(rows, board.location_keys), [card.key for card in setup.cards], 2)
    here, there = Encoder(setup), Encoder(turned)
    state, twin = State(setup), State(turned)
    rng = Random(8)
    decided = 0
    for action in drive(state, lambda state: random_action(state, rng.random), rng.random):
        if action < spaces.HEXES or action in here._numbers_of:
            number = here.number(action)
            decided += 1
            twin.apply(there.action(399 - number if number < spaces.HEXES else number))
        else:
            twin.apply(action)  # a draw
        for seat in range(2):
            assert np.array_equal(here.planes(state, seat)[:, ::-1, ::-1], there.planes(twin, seat))
            assert np.array_equal(here.vector(state, seat), there.vector(twin, seat))
    assert decided > 100


def test_masks_are_the_legal_actions_under_common_numbers() -> None:
    setup = some_setup(9, 5, ALL_SETS)
    encoder = Encoder(setup)
    for state in states(setup, 9):
        mask = encoder.mask(state)
        assert [encoder.action(int(number)) for number in np.flatnonzero(mask)] == sorted(
            bits(state.legal()), key=encoder.number
        )
        others = [seat for seat in range(5) if seat != state.player]
        assert not encoder.observation(state, others[0])["action_mask"].any()


def test_every_component_has_its_place() -> None:
    """A new component is appended to spaces.json, and the version rises."""
    extra = [each.key for each in COMPONENTS if isinstance(each, ExtraAction)]
    assert sorted(EXTRA_ACTIONS) == sorted(set(extra))
    assert sorted(spaces.SCORING) == sorted({each.key for each in COMPONENTS if isinstance(each, Card)})
    assert sorted(spaces.OPTIONS) == sorted([*OPTIONS, *KEPT_RULINGS])
    fields = {WALLS: HEXES, CHOSEN_CARD: NUMBER}
    for component in COMPONENTS:
        fields |= component.fields
    for how, places in ((HEXES, spaces.HEX_FIELDS), (NUMBER, spaces.NUMBER_FIELDS), (BY_SEAT, spaces.SEAT_FIELDS)):
        assert sorted(places) == sorted(field for field, written in fields.items() if written == how)
    assert set(GOALS) <= set(spaces.SCORING)


def test_the_spaces_are_what_was_published() -> None:
    assert (VERSION, ACTIONS, len(PLANES), VECTOR_SIZE) == (1, 450, 44, 676)
    named = [EXTRA_ACTIONS, GOALS, PLANES, [tuple(part) for part in spaces.PARTS]]
    assert hashlib.sha256(repr(named).encode()).hexdigest()[:16] == "92ea6bc5585ba52c"


def test_games_are_encoded_as_they_were_when_this_version_was_published() -> None:
    digest = hashlib.sha256()
    for players, sets in ((2, ("base",)), (4, ALL_SETS), (5, ("base", "nomads", "crossroads"))):
        setup = some_setup(players, players, sets)
        encoder = Encoder(setup, gold=True)
        for step, state in enumerate(states(setup, players)):
            if step % 10 == 0:
                for name, array in sorted(encoder.observation(state, state.player).items()):
                    digest.update(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes())
    assert digest.hexdigest()[:16] == "3d44c5f860c02920"


def test_another_version_is_refused() -> None:
    check_version(VERSION, "it")
    with pytest.raises(VersionMismatch, match=r"net.onnx is made for version 0 .* expected version 1"):
        check_version(0, "net.onnx")


def test_an_action_that_the_setup_does_not_have_is_refused() -> None:
    encoder = Encoder(some_setup(1, 2, ("base",)))
    with pytest.raises(ValueError, match="action 449: expected one that this setup has"):
        encoder.action(449)
