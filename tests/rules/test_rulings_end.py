"""Rulings on the end of the game and the silo phase (RULES 9)."""

import pytest
from scenes import after, gold, legal, pieces, play_all, scene

from kingdom_builder.notation import play
from kingdom_builder.rules import State, scores, winners

# ---- the last round --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("turn", "over"), [("9A!/G/0/-", False), ("9B!/G/0/-", False), ("9C!/G/0/-", True)])
def test_rule_9_2_the_round_is_completed(turn: str, over: bool) -> None:
    hands = ["G" if seat == turn[1] else "" for seat in "ABC"]
    seats = [f"{5 if seat else 0}:{'abc'[seat]}1::{hand}" for seat, hand in enumerate(hands)]
    state = scene("GGG/GGG", turn, *seats)
    play(state, ".")
    assert state.over == over


def test_rule_9_1_an_empty_supply_triggers_the_end_for_good() -> None:
    state = scene("GGGG/1GGG", "9A/G/1/-", "1:b1::G", "5:d1::", locations="barracks")
    play(state, "c1")
    assert state.ending
    state = scene("GGGG/1GGG", "9A/G/0/-", "1:b1:a2:G", "5:d2::", locations="barracks")
    play(state, "barracks:a1")
    assert not state.ending, "meeples do not matter"


def test_rule_9_5_ties_share_the_victory() -> None:
    state = scene("GGGG/GGGG", "9B!/G/0/-", "0:a1::", "5:b2::G", cards="discoverers")
    play(state, ".")
    assert (state.over, scores(state), winners(state)) == (True, [1, 1], [0, 1])


# ---- silos -----------------------------------------------------------------------------------------------------------

PLAIN = """
    G G G G G G G G
     G I G G G I G G
    G G G G G G G G
     G G G G W M A G
"""
"""The silo b2 touches b1, c1, a2, c2, b3 and c3; the silo f2 touches f1, g1, e2, g2, f3 and g3."""


def silo(a: str, b: str = "0:::G", options: str = "-", picture: str = PLAIN, **fields: str) -> State:
    """The last turn is over."""
    state = scene(picture, "9B!/G/0/-", a, b, options=options, **fields)
    play(state, ".")
    return state


def test_rule_9_3_no_silo_touched_no_silo_phase() -> None:
    assert silo("5:d1::").over


def test_rule_9_3_players_in_turn_order_each_all_at_once() -> None:
    state = silo("9:b1,f1::", "9:g3::G")
    assert state.player == 0
    play(state, ".")
    assert (state.player, state.over) == (0, False), "A touches two silos"
    play(state, ".")
    assert (state.player, state.over) == (1, False)
    play(state, ".")
    assert state.over


def test_rule_9_3_three_for_each_silo_by_building_or_by_moving() -> None:
    state = silo("9:b1,f1::")
    play_all(state, "a1 a2 a3")
    assert (state.supply[0], state.over) == (6, False)
    play_all(state, "f1 c1 a1 d1")
    assert legal(state) == pieces(state) - {"a1"} | {"."}, "the second silo is used for moving"


def test_rule_9_3_no_mixing() -> None:
    assert not after(silo("9:b1::"), "a1") & {"b1"}
    state = silo("9:b1,c1::")
    play_all(state, "b1 d1")
    assert legal(state) == {"c1", "d1", "."}


def test_rule_9_3_on_land_next_to_another_own_piece() -> None:
    """From g3: e4 is water, f4 a mountain; g4 is farmland."""
    state = silo("9:g3::")
    assert legal(state) == {"g2", "f3", "h3", "g4", "."}, "a lonely piece cannot move: it needs another"


def test_rule_9_3_no_else_anywhere_and_warriors_block() -> None:
    picture = PLAIN.replace("I G G\n", "I G 1\n")
    state = silo("9:g3::", "0:h4::G", picture=picture, locations="barracks", warriors="h4")
    assert legal(state) == {"g2", "f3", "."}, "h3 and g4 are next to the warrior"


@pytest.mark.parametrize(("options", "movable"), [("-", {"b1", "d1", "c1"}), ("meeplesOnlyByOwnAction", {"b1", "c1"})])
def test_ambiguity_5_meeples_in_the_silo_phase(options: str, movable: set[str]) -> None:
    picture = PLAIN.replace("I G G\n", "I G 1\n")
    state = silo("9:b1,c1,d1::", picture=picture, locations="wagon", wagons="d1", options=options)
    assert legal(state) & pieces(state) == movable


def test_rule_9_3_an_empty_supply_only_moves() -> None:
    state = silo("0:b1,c1::", "5:::G")
    assert legal(state) == {"b1", "c1", "."}


BRIDGE = """
    G G G G G G G
     G I G I G G G
    G G G G G G G
"""
"""c2 lies between the two silos b2 and d2."""


@pytest.mark.parametrize(("options", "second"), [("-", True), ("siloLive", False)])
def test_ambiguity_23_the_right_to_a_silo_is_fixed_at_the_start(options: str, second: bool) -> None:
    """A touches both silos with c2 alone and moves it away with the first."""
    state = silo("9:c2,a2,a3::", picture=BRIDGE, options=options)
    play_all(state, "c2 a1 .")
    assert state.over != second


@pytest.mark.parametrize(("options", "second"), [("-", False), ("siloLive", True)])
def test_ambiguity_23_no_right_is_won_on_the_way(options: str, second: bool) -> None:
    """A touches only b2 at first, and builds c2 next to d2 as well."""
    state = silo("9:b1::", picture=BRIDGE, options=options)
    play_all(state, "c1 c2 .")
    assert state.over != second


def test_ambiguity_24_red_cards_pay_nothing_in_the_silo_phase() -> None:
    state = silo("9:b1::", "5:c2::G", picture=BRIDGE, cards="ambassadors,rovers,shepherds")
    play_all(state, "c1 .")
    assert [gold(state, key) for key in ("ambassadors", "rovers", "shepherds")] == [0, 0, 0]


def test_ambiguity_24_mayors_mark_in_the_silo_phase() -> None:
    state = silo("9:b1,c1,d1::", picture=BRIDGE, cards="mayors")
    play(state, "a1")
    assert (gold(state, "mayors"), state.supply[0]) == (4, 7)


def test_ambiguity_24_a_treasure_pays_in_the_silo_phase() -> None:
    state = silo("9:b1::", picture="GGGG/GIGN/GGGG", nomads="d2:treasure")
    play_all(state, "c1 d1")
    assert scores(state)[0] == 3


def test_rule_9_3_location_tiles_taken_here_have_no_use() -> None:
    state = silo("9:b1::", picture="GGGG/GIG1/GGGG", locations="farm")
    play_all(state, "c1 d1")
    assert not legal(state) & {"farm"}
