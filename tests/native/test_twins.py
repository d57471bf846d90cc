"""The native core against Python: random games in both at once, compared after every action."""

import random
from collections import Counter
from functools import cache

import pytest
from playing import SMALL, Case, drawn_board, drawn_setup
from reference.test_positions_twice import scattered
from twins import IS_LONG, STARTS, Twins, any_action, game, play_twins

from kingdom_builder.content import ALL_SETS, BOXES
from kingdom_builder.hexes import bits
from kingdom_builder.native.setups import MOST_TILES, NoShape, native_setup, of_setup
from kingdom_builder.native.states import NativeState
from kingdom_builder.rules import Moving, State, scores

CHUNKS, GAMES = (100, 1000) if IS_LONG else (8, 105)


@cache
def games(chunk: int) -> Counter[str]:
    """What came up in some of the games."""
    return sum([game(number) for number in range(chunk * GAMES, (chunk + 1) * GAMES)], Counter[str]())


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_games_are_the_same_in_both_cores(chunk: int) -> None:
    seen = games(chunk)
    assert seen["games"] + seen["too many tiles"] == GAMES
    assert {start.__name__ for start in STARTS} <= seen.keys()


def test_the_games_show_every_extra_action_and_whatever_is_rare() -> None:
    seen = games(0) + games(1) + games(2)
    components = [component for box in BOXES.values() for component in (*box.locations, *box.nomad_tiles)]
    keys = {component.key for component in components if not component.passive and not component.lifts_adjacency}
    assert keys - {"treasure"} <= seen.keys()
    assert {"silo", "farm-action", "cave-move"} <= seen.keys()
    rare = ["replaced card", "drawn for an action", "lifted adjacency", "choice of a card", "blocked"]
    assert all(seen[what] >= 20 for what in [*rare, "moved piece of another kind"])


def test_a_map_with_more_tiles_than_the_core_has_room_for_is_played_in_python(caplog: pytest.LogCaptureFixture) -> None:
    rng = random.Random(1)
    board = drawn_board(rng, 12, 12, ["base"], ["farm", "tower", "barn"])
    rows = [row.translate(str.maketrans("GCDF", "1231")) for row in board.map]
    many = type(board)(rows, list(board.location_keys))
    setup = drawn_setup(rng, many, Case(3, SMALL))
    assert len(setup.tile_hex) > MOST_TILES
    with pytest.raises(NoShape, match="more tiles"):
        NativeState.new(setup)
    assert native_setup(setup) is None
    (line,) = caplog.messages
    assert line == "This setup is played in Python: it has more tiles or fields than the core has room for."


def test_a_map_with_just_as_many_tiles_as_the_core_has_room_for_is_played_there() -> None:
    rng = random.Random(2)
    board = drawn_board(rng, 12, 12, ["base"], ["farm", "tower", "barn"])
    rows = [list(row.replace("1", "G").replace("2", "G").replace("3", "G")) for row in board.map]
    for place in rng.sample(range(144), MOST_TILES):
        rows[place // 12][place % 12] = rng.choice("123")
    full = type(board)(["".join(row) for row in rows], ["farm", "tower", "barn"])
    setup = drawn_setup(rng, full, Case(4, SMALL))
    assert len(setup.tile_hex) == MOST_TILES
    play_twins(State(setup), rng, any_action)


# ---- positions of chance ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2000 if IS_LONG else 60))
def test_every_step_of_every_action_is_the_same_on_positions_of_chance(seed: int) -> None:
    """Pieces thrown on a map, and whatever could be done on it if it were in progress; gold of all seats."""
    rng = random.Random(f"native {seed}")
    state = scattered(rng)
    while len(state.setup.tile_hex) > MOST_TILES:
        state = scattered(rng)
    state.memory = {field: value for field, value in state.memory.items() if field in state.setup.fields}
    native = of_setup(state.setup)
    assert NativeState.of(state, native).scores() == scores(state)
    for action in state.setup.actions:
        for lifted in (False, True):
            trial = state.copy()
            trial.acting, trial.adjacency_lifted, trial._legal = action, lifted, None
            sources = bits(state.own[state.player]) if isinstance(action, Moving) else []
            sources += bits(state.special_pieces & state.own[state.player])
            for source in [None, *rng.sample(sources, min(len(sources), 8))]:
                trial.source = source
                trial.steps = rng.randint(1, 3) if action.key != "sword" else (1 << state.setup.players) - 1
                trial._legal = None
                Twins(trial, native).compare()


def test_a_state_goes_back_and_forth_at_any_time() -> None:
    """The same game, with a new state in the core before every action."""
    rng = random.Random(7)
    case = Case(3, SMALL, 7, (), ALL_SETS)
    state = State(drawn_setup(rng, drawn_board(rng, 8, 8, ALL_SETS), case))
    native = of_setup(state.setup)
    while not state.over:
        twin = NativeState.of(state, native)
        assert twin.owner is native
        assert twin.setup is state.setup
        copy = twin.copy()
        action = any_action(state, rng)
        twin.apply(action)
        assert copy == NativeState.of(state, native) != twin, "a copy goes its own way"
        state.apply(action)
        assert twin.to_state() == state
        assert twin.copy() == twin
