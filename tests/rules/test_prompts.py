"""Prompts count what is left, and agree with what is refused."""

from typing import Any

import pytest
from scenes import play_all, scene

from kingdom_builder.hexes import parse_hex
from kingdom_builder.message import Message
from kingdom_builder.notation import play
from kingdom_builder.rules import State
from kingdom_builder.rules.reasons import prompt


def prompts(state: State, moves: str) -> list[str]:
    """What is said before each of these moves."""
    said = []
    for move in moves.split():
        said.append(str(prompt(state)))
        play(state, move)
    return said


def why(state: State, h: str) -> Message | None:
    return state.why_not(parse_hex(h))


def donation(supply: int, grass: str = "GGGG") -> State:
    return scene(
        f"N D D D / D D D D / {' '.join(grass)}",
        "4A/D/0/donation-grass*3",
        f"{supply}:b1:a1*:D",
        "38:d1::T",
        nomads="a1:donation-grass",
    )


def test_a_donation_counts_down() -> None:
    assert prompts(donation(37), "a3 b3 c3") == [
        "Donation: grass: build 3 on grass.",
        "Donation: grass: build 2 more on grass.",
        "Donation: grass: build 1 more on grass.",
    ]


@pytest.mark.parametrize(("supply", "grass"), [(2, "GGGG"), (37, "GGDD")])
def test_a_donation_promises_no_more_than_supply_and_hexes_allow(supply: int, grass: str) -> None:
    assert prompts(donation(supply, grass), "a3 b3") == [
        "Donation: grass: build 2 on grass.",
        "Donation: grass: build 1 more on grass.",
    ]


def quarry(desert: str = "DDDD", **fields: str) -> State:
    return scene(
        f"1 G G G / {' '.join(desert)} / G G G G",
        "4A/D/0/quarry*2",
        "36:b1,b3,c3,d3:a1*:D",
        "38:d1::T",
        locations="quarry",
        **fields,
    )


def test_a_quarry_counts_its_walls_and_says_that_one_may_stop() -> None:
    assert prompts(quarry(), "b2 c2") == [
        "Quarry: put up to 2 walls on the terrain of your card, next to your settlements.",
        "Quarry: put one more wall on the terrain of your card, next to your settlements, or stop.",
    ]
    assert "up to 1 wall on" in str(prompt(quarry("GDGG")))


def test_a_scout_cabin_counts_its_scouts_and_says_that_one_may_stop() -> None:
    cabin = scene(
        "1 G G G / D D D D / G G G G", "4A/D/0/scout-cabin*2", "39:b1:a1*:D", "38:d1::T", locations="scout-cabin"
    )
    assert prompts(cabin, "b2 b3") == [
        "Scout cabin: put up to two scouts next to your own pieces.",
        "Scout cabin: put one more scout next to your own pieces, or stop.",
    ]


def resettlement() -> State:
    return scene(
        "N G G G G G / G G G G G G / G G G G G G",
        "4A/G/0/resettlement*4",
        "37:b1,e1,f1:a1*:G",
        "39:f3::T",
        nomads="a1:resettlement",
    )


def test_resettlement_names_the_other_settlement_where_its_prompt_does() -> None:
    state = resettlement()
    play_all(state, "b1 b2")
    assert str(prompt(state)) == "Resettlement: 3 steps left, from b2 or with another settlement."
    reason = str(why(state, "e2"))
    assert reason == ("Resettlement: step to free land next to b2, or choose another settlement and step from there.")
    assert why(state, "e1") is None
    play_all(state, "e1 e2")
    assert "next to e2" in str(why(state, "a3"))


def test_resettlement_does_not_deny_a_piece_its_step() -> None:
    """Before the first step the chosen piece moves: others could step too, so the reason is another one."""
    state = resettlement()
    play_all(state, "b1")
    assert str(why(state, "e1")) == "Resettlement: the piece on b1 takes the first step."
    assert str(why(state, "b1")) == "Resettlement: b1 is where the piece stands."
    assert str(why(state, "e3")) == "Resettlement: step to free land next to b1."


def test_the_number_of_a_cathedral_is_that_of_its_seat() -> None:
    fields: dict[str, Any] = {"cathedral": "0,3"}
    state = scene("1 G G G / D D D D / G G G G", "4A/D/0/-", "39:d1::D", "38:b1:a1:T", locations="cathedral", **fields)
    (tile,) = state.setup.actions
    assert [tile.number(state, seat) for seat in (0, 1)] == [0, 3]
