"""The actions that draw a card at once, after which nothing can be taken back."""

import pytest
from playing import SET_CHOICES, SMALL, Case, game
from scenes import scene

from kingdom_builder.hexes import bits
from kingdom_builder.notation import action_text
from kingdom_builder.rules import END, State, drawing_actions


def drawing(state: State) -> list[str]:
    return [action_text(state.setup, action) for action in bits(drawing_actions(state))]


def test_the_fort_draws_and_its_repetition_draws() -> None:
    state = scene(
        "1 G G G G / D D D D G / G G G G 2",
        "4A/D/3/-",
        "37:b1,b2,d3:a1,e3:D",
        "38:e1::T",
        locations="fort,bazaar",
    )
    assert drawing(state) == ["fort"]
    used = scene(
        "1 G G G G / D D D D G / G G G G 2",
        "4A/D/0/bazaar",
        "37:b1,b2,d3:a1*,e3*:D",
        "38:e1::T",
        locations="fort,bazaar",
    )
    assert drawing(used) == ["fort"]


def test_the_last_hex_of_a_card_draws_another_one() -> None:
    state = scene("D G G / G G D / G G G", "4A/D/3/-", "38:b1,b3::D", "40:::T")
    assert drawing(state) == []
    state.apply(next(iter(bits(state.legal()))))
    assert drawing(state) == [action_text(state.setup, action) for action in bits(state.legal())]


def test_the_end_of_the_turn_is_not_listed() -> None:
    state = scene("D G G / G G D / G G G", "4A/D/0/-", "38:b1,b3::D", "40:::T")
    assert state.legal() >> END & 1
    assert drawing(state) == []


@pytest.mark.parametrize("sets", SET_CHOICES, ids="+".join)
@pytest.mark.parametrize("board", [SMALL, "printed"])
def test_they_are_those_after_which_a_draw_is_due(sets: tuple[str, ...], board: str) -> None:
    found = 0
    for step in game(Case(2, board, 1, sets=sets)):
        state = step.before
        expected = 0
        if not state.awaiting:
            for action in bits(state.legal() & ~(1 << END)):
                trial = state.copy()
                trial.apply(action)
                expected |= bool(trial.awaiting) << action
        assert drawing_actions(state) == expected
        found += bool(expected)
    assert found or board != SMALL
