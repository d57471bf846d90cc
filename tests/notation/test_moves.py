"""Actions and moves as text."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from playing import BASE, PRINTED, SMALL, Case, check_place, game, mutated, play_on, sample, snapshot

from kingdom_builder.content import ALL_SETS, first_game
from kingdom_builder.hexes import ALL, SIZE, hex_name, parse_hex
from kingdom_builder.notation import (
    IllegalMove,
    NotationError,
    action_text,
    join_moves,
    legal_texts,
    parse_move,
    parse_position,
    play,
    position_of,
)
from kingdom_builder.rules import CHOOSING, DONE, DRAWING, END, OTHER, USE, State

# Seat A, card grass, has a paddock and a farm ready before its mandatory action; seat B has nothing.
LINE = "GGGGG/G1GDG/GGGGG/GCG2G(paddock,farm) - - 11 C5D5F5G3T5 - 2A/G/3/- 38:a1,c4:b2,d4:G 40:::G"


def before_the_mandatory_action() -> State:
    return parse_position(LINE)


# ---- single actions --------------------------------------------------------------------------------------------------


def test_every_kind_of_action_has_its_text() -> None:
    setup = before_the_mandatory_action().setup
    assert action_text(setup, parse_hex("k7")) == "k7"
    assert action_text(setup, END) == "."
    assert [action_text(setup, DRAWING[card]) for card in "CDFGT"] == ["=C", "=D", "=F", "=G", "=T"]
    assert [action_text(setup, USE), action_text(setup, USE + 1)] == ["paddock", "farm"]


def test_every_action_reads_back_as_itself() -> None:
    setup = first_game()
    choices = [*CHOOSING.values(), DONE, OTHER]
    for action in [*ALL, END, *DRAWING.values(), *choices, *range(USE, USE + len(setup.actions))]:
        assert parse_move(setup, action_text(setup, action)) == [action]


def test_legal_texts_are_the_legal_actions_in_order() -> None:
    assert legal_texts(before_the_mandatory_action()) == ["b1", "a2", "c3", "d3", "paddock", "farm"]
    assert legal_texts(State(first_game())) == ["=C", "=D", "=F", "=G", "=T"]


# ---- moves of several steps ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("c1", ["c1"]),
        ("paddock:a1-c1", ["paddock", "a1", "c1"]),
        ("paddock:a1,c1", ["paddock", "a1", "c1"]),
        ("farm:b1", ["farm", "b1"]),
        (".", ["."]),
        ("=T", ["=T"]),
    ],
)
def test_a_move_is_read_as_its_actions(text: str, actions: list[str]) -> None:
    setup = before_the_mandatory_action().setup
    assert [action_text(setup, action) for action in parse_move(setup, text)] == actions


def test_playing_a_move_carries_out_its_steps() -> None:
    state = before_the_mandatory_action()
    setup = state.setup
    assert play(state, "paddock:a1-c1") == parse_move(setup, "paddock:a1-c1")
    assert state.own[0] == 1 << parse_hex("c1") | 1 << parse_hex("c4")
    assert play(state, "farm:d1") == [USE + 1, parse_hex("d1")]
    assert play(state, "e1") == [parse_hex("e1")]
    assert state.builds_left == 2


def test_a_move_in_progress_is_finished_by_a_hex() -> None:
    state = before_the_mandatory_action()
    play(state, "paddock")
    assert state.acting is not None
    play(state, "a1")
    assert state.source == parse_hex("a1")
    play(state, "c1")
    joined = before_the_mandatory_action()
    play(joined, "paddock:a1-c1")
    assert state == joined


def test_moves_are_joined_step_by_step_and_draws_stand_alone() -> None:
    start = before_the_mandatory_action()
    texts = ["paddock:a1-c1", "farm:d1", "e1", "e2", "e3", ".", "=C", "a1"]
    actions = [action for text in texts for action in parse_move(start.setup, text)]
    assert join_moves(start, actions) == texts
    assert join_moves(start, iter(actions)) == texts
    assert join_moves(start, []) == []
    assert join_moves(start, actions[:2]) == ["paddock:a1"]
    assert join_moves(start, actions[:1]) == ["paddock"]
    assert start == before_the_mandatory_action()


def test_joining_from_the_middle_of_a_move_begins_with_its_next_step() -> None:
    state = before_the_mandatory_action()
    play(state, "paddock:a1")
    moves = join_moves(state, [parse_hex("c1"), parse_hex("d1")])
    assert moves == ["c1", "d1"]
    for move in moves:
        play(state, move)


@pytest.mark.parametrize(
    "case",
    [
        Case(players, board, 4, (), sets)
        for players in (2, 3, 5)
        for board in (PRINTED, SMALL)
        for sets in (BASE, ALL_SETS)
    ],
    ids=str,
)
def test_joined_moves_of_random_games_read_back(case: Case) -> None:
    steps = game(case)
    actions = [step.action for step in steps]
    moves = join_moves(steps[0].before, actions)
    assert [action for move in moves for action in parse_move(steps[0].before.setup, move)] == actions


# Seat A has every kind of step before it: two cards, a wagon, a quarry, a fort, an outpost and a resettlement.
MANY = (
    "GGGGGG/G1GGGG/GG2GNG/GGGGGG/G3NGGA(wagon,quarry,fort) - - 11100 C4D5F5G3T5 - 4A/-/3/- "
    "36:a1,b1,c1,d1,e4:b2,c3,b5,e3,c5:CG 39:f1::G nomads=e3:outpost,c5:resettlement wagons=e4"
)


@pytest.mark.parametrize(
    ("moves", "joined"),
    [
        ("!G a2 a3 b3", ["!G", "a2", "a3", "b3"]),
        ("wagon e4 other", ["wagon:e4,other"]),
        ("wagon e4 f4 f3 done", ["wagon:e4-f4-f3,done"]),
        ("wagon e4 f3 f2 e2", ["wagon:e4-f3-f2-e2"]),
        ("!G quarry e1 done", ["!G", "quarry:e1,done"]),
        ("!G quarry e1 a2", ["!G", "quarry:e1,a2"]),
        ("resettlement a1 a2 b1 done", ["resettlement:a1-a2,b1,done"]),
        ("resettlement d1 e1 e2 a1 a2 a3", ["resettlement:d1-e1-e2,a1-a2-a3"]),
        ("fort =G e1", ["fort", "=G", "e1"]),
        ("fort =G outpost f3", ["fort", "=G", "outpost", "f3"]),
        ("!G outpost d4 e5 d5", ["!G", "outpost", "d4", "e5", "d5"]),
        ("farm-action f5", ["farm-action:f5"]),
    ],
)
def test_steps_of_the_other_boxes_are_joined_and_read_back(moves: str, joined: list[str]) -> None:
    start = parse_position(MANY)
    state = start.copy()
    actions = [action for move in moves.split() for action in play(state, move)]
    assert join_moves(start, actions) == joined
    assert [action for move in joined for action in parse_move(start.setup, move)] == actions
    again = start.copy()
    for move in joined:
        play(again, move)
    assert again == state


def test_the_silo_phase_is_written_seat_by_seat() -> None:
    start = parse_position("GGGGG/GGIGG/GGGGG - - - C5D5F5G3T5 - 3B!/G/0/- 38:c1,d1::G 38:a2,b2::G")
    state = start.copy()
    actions = [action for move in (".", "e1", ".", "a1", ".") for action in play(state, move)]
    assert state.over
    moves = join_moves(start, actions)
    assert moves[0] == "."
    assert len(moves) >= 3


# ---- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("", 0, "'' is not an action: expected a hex such as k7, '.', '=C' or one of paddock, farm"),
        ("k21", 0, "'k21' is not an action"),
        ("K7", 0, "'K7' is not an action"),
        (" k7", 0, "' k7' is not an action"),
        ("tavern", 0, "'tavern' is not an action"),
        ("Farm", 0, "'Farm' is not an action"),
        ("..", 0, "'..' is not an action"),
        ("a1-", 0, "'a1-' is not an action"),
        ("=", 1, "'=' is not a card: expected '=' and one of C, D, F, G, T"),
        ("=X", 1, "'=X' is not a card"),
        ("=CC", 1, "'=CC' is not a card"),
        ("=W", 1, "'=W' is not a card"),
        ("farm:", 5, "'' is not an action"),
        (":b1", 0, "'' is not an action"),
        ("farm::b1", 5, "'' is not an action"),
        ("farm:z1", 5, "'z1' is not an action"),
        ("shop:b1", 0, "'shop' is not an action"),
        ("paddock:a1-", 8, "'a1-' is not an action"),
        ("paddock:-c1", 8, "'' is not an action"),
        ("paddock:a1--c1", 8, "'a1-' is not an action"),
        ("paddock:a1-c99", 11, "'c99' is not an action"),
        ("paddock:a1,,c1", 11, "'' is not an action"),
        ("paddock:a1-c1,=Q", 15, "'=Q' is not a card"),
        ("!", 1, "'!' is not a card: expected '!' and one of C, D, F, G, T"),
        ("!W", 1, "'!W' is not a card"),
        ("!CC", 1, "'!CC' is not a card"),
        ("Done", 0, "'Done' is not an action"),
        ("others", 0, "'others' is not an action"),
        ("paddock:a1-c1,do", 14, "'do' is not an action"),
    ],
)
def test_what_is_not_a_move_is_pointed_at(text: str, offset: int, message: str) -> None:
    state = before_the_mandatory_action()
    readers: list[Callable[[], object]] = [lambda: parse_move(state.setup, text), lambda: play(state, text)]
    for read in readers:
        with pytest.raises(NotationError) as error:
            read()
        assert type(error.value) is NotationError
        assert message in error.value.reason
        assert (error.value.offset, error.value.column) == (offset, offset + 1)
        assert error.value.text == text
        check_place(error.value, text)
    assert state == before_the_mandatory_action()


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("a1", 0, "a1: a1 is occupied by you: one piece a hex."),
        ("t20", 0, "t20: t20 is not on this board."),
        (".", 0, ".: First build 3 settlements on grass."),
        ("=C", 0, "=C: No card is to be drawn now."),
        ("paddock:b1-c1", 8, "b1: Paddock: choose one of your own pieces, b1 has none."),
        ("paddock:a1-b1", 11, "b1: Paddock: move to land two hexes away"),
        ("farm:d2", 5, "d2: d2 is desert, but Farm: build on grass."),
        ("farm:b1-b3", 8, "b3: b3 does not touch your settlements"),
        ("farm:b1,farm", 8, "farm: The Farm has been used in this turn."),
    ],
)
def test_an_illegal_move_is_pointed_at_and_changes_nothing(text: str, offset: int, message: str) -> None:
    state = before_the_mandatory_action()
    untouched = snapshot(state)
    with pytest.raises(IllegalMove) as error:
        play(state, text)
    assert message in error.value.reason
    assert error.value.offset == offset
    check_place(error.value, text)
    assert {**snapshot(state), "_legal": None} == {**untouched, "_legal": None}


def test_an_illegal_move_is_a_notation_error_and_both_are_value_errors() -> None:
    assert issubclass(IllegalMove, NotationError)
    assert issubclass(NotationError, ValueError)


# ---- mutations -------------------------------------------------------------------------------------------------------

TEXTS = [
    "k7",
    "t20",
    ".",
    "=C",
    "paddock:a1-c1",
    "farm:b1",
    "paddock",
    "farm",
    "!G",
    "wagon:e4-f4,done",
    "done",
    "other",
]


@settings(max_examples=400, deadline=None, database=None)
@given(st.one_of(mutated(TEXTS), st.text(max_size=12), st.sampled_from(TEXTS)), st.integers(0, 13))
@example("", 0)
@example(":", 0)
@example("\n", 0)
def test_any_text_is_played_or_refused_with_a_place(text: str, number: int) -> None:
    states = [
        before_the_mandatory_action(),
        parse_position(MANY),
        *sample(Case(3, SMALL, 2), 5),
        *sample(Case(3, SMALL, 2, (), ALL_SETS), 5),
    ]
    state = states[number % len(states)].copy()
    untouched = position_of(state)
    try:
        actions = play(state, text)
    except NotationError as error:
        check_place(error, text)
        assert position_of(state) == untouched
        return
    assert actions == parse_move(state.setup, text)
    assert all(0 <= action < USE + SIZE for action in actions)
    again = parse_position(untouched)
    for action in actions:
        again.apply(action)
    assert again == state


def test_names_of_hexes_in_moves_are_those_of_the_board() -> None:
    for step in play_on(before_the_mandatory_action(), Random(1)):
        if step.action < SIZE:
            assert action_text(step.before.setup, step.action) == hex_name(step.action)


def test_builds_are_not_joined() -> None:
    """Who writes a1-c1 means a move, not two builds."""
    state = before_the_mandatory_action()
    untouched = state.copy()
    with pytest.raises(NotationError, match="does not begin an action with several steps") as error:
        play(state, "b1-a2")
    assert error.value.offset == 2
    assert state == untouched
