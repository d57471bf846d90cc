"""Rulings on scoring (RULES 8): cards, red cards, tasks, castles and capitols."""

import pytest
from scenes import gold, legal, play_all, scene, tiles

from kingdom_builder.content import CARDS, TASKS
from kingdom_builder.hexes import NEAR, hex_names, parse_hex
from kingdom_builder.notation import play
from kingdom_builder.rules import State, scores


def standing(picture: str, own: str, b: str = "40:::", **fields: str) -> State:
    """A table on which A has these pieces."""
    number = 40 - (len(own.split(",")) if own else 0)
    return scene(picture, "3A/G/0/-", f"{number}:{own}::G", b, **fields)


# ---- 8.1 base cards --------------------------------------------------------------------------------------------------

WET = """
    G W M G G
     G W M G G
    G G G G 1
"""


@pytest.mark.parametrize(
    ("own", "options", "fishermen", "miners"),
    [
        ("a1", "-", 1, 0),
        ("b1", "-", 0, 1),
        ("c1", "-", 1, 0),
        ("b1,c1", "donationStrictNote", 0, 0),
        ("a1,d1", "donationStrictNote", 1, 1),
    ],
)
def test_ambiguity_12_pieces_on_water_and_mountain(own: str, options: str, fishermen: int, miners: int) -> None:
    """b1 stands on water beside a mountain, c1 on a mountain beside water."""
    state = standing(WET, own, locations="farm", options=options)
    assert (gold(state, "fishermen"), gold(state, "miners")) == (fishermen, miners)


def test_rule_8_1_water_under_a_piece_still_is_water() -> None:
    state = standing(WET, "a1,b1,b2", locations="lighthouse", ships="b1")
    assert gold(state, "fishermen") == 1


SPECIALS = """
    G K G N G I G 1 G
     G G G G G G G G G
"""


def test_ambiguity_19_silos_and_nomad_spaces_are_special_hexes() -> None:
    """One settlement between castle and nomad space, one between silo and location."""
    state = standing(SPECIALS, "c1,g1,a2", locations="farm")
    assert gold(state, "workers") == 3
    assert gold(state, "merchants") == 16
    state = standing("GGGG/GIGG/GGGG", "b1,c1,a2,c2,b3,c3", tasks="place-of-refuge")
    assert gold(state, "place-of-refuge") == 8


def test_ambiguity_20_adjacent_special_hexes_are_not_linked_by_themselves() -> None:
    state = standing("GKKG/GGGG", "a1")
    assert gold(state, "merchants") == 0


def test_rule_8_1_knights_count_one_row_only() -> None:
    assert gold(standing("GGGG/GGGG", "a1,c1,a2,b2"), "knights") == 4


def test_rule_8_1_merchants_count_two_areas_that_meet_once() -> None:
    """Two areas touch the castle d1; the location b1 and the location f1 are linked to it."""
    state = standing("G1GKG1G/GGGGGGG", "c1,e1", locations="farm")
    assert gold(state, "merchants") == 12


# ---- 8.2 red cards ---------------------------------------------------------------------------------------------------


def test_rule_8_2_families_only_the_mandatory_settlements() -> None:
    state = scene("GGGGG/CCC1C", "3A/G/2/-", "39:a1:d2:G", "40:::", locations="farm", cards="families", family="a1")
    play(state, "b1")
    assert gold(state, "families") == 0
    play(state, "c1")
    assert gold(state, "families") == 2
    state = scene("GGGGG/CCC1C", "3A/G/3/-", "40::d2:G", "40:::", locations="farm", cards="families")
    play_all(state, "farm:a1 b1 c1 d1")
    assert gold(state, "families") == 2, "b1, c1, d1"


def test_rule_8_2_families_not_with_an_extra_settlement_in_the_line() -> None:
    """The farm settlement b1 lies between a1 and c1, but is not part of the mandatory action."""
    state = scene("GGGG/CCC1", "3A/G/3/-", "40::d2:G", "40:::", locations="farm", cards="families")
    play_all(state, "farm:b1 a1 c1 d1")
    assert gold(state, "families") == 0


def test_rule_8_2_families_need_all_three() -> None:
    state = scene("GGGGG/CCC1C", "3A/G/3/-", "2:a1::G", "40:::", locations="farm", cards="families")
    play_all(state, "b1 c1")
    assert (gold(state, "families"), state.builds_left) == (0, 0)


def test_rule_8_2_families_are_forgotten_at_the_end_of_the_turn() -> None:
    state = scene("GGGGGGG/CCCCCCC", "3A/G/0/-", "37:a1,b1,d1::G", "40:::C", cards="families", family="a1,b1,d1")
    play_all(state, ". =G")
    assert "family" not in state.memory


SHEEP = """
    D D G G G
     D C C G 1
    G G G G 2
"""


def test_rule_8_2_shepherds_checked_after_each_build() -> None:
    state = scene(SHEEP, "3A/D/3/-", "40:::D", "40:::", locations="farm,oracle", cards="shepherds")
    play_all(state, "b1 a1")
    assert gold(state, "shepherds") == 0, "a2 is empty"
    play(state, "a2")
    assert gold(state, "shepherds") == 2, "no desert left beside a2; a1 and b1 are not looked at again"


def test_rule_8_2_shepherds_a_blocked_hex_is_still_empty() -> None:
    state = scene("DDGG/MMM1", "3A/D/1/-", "40:::D", "40:c1::", locations="barracks", warriors="c1", cards="shepherds")
    play(state, "a1")
    assert gold(state, "shepherds") == 0, "b1 is next to the warrior, but empty"


@pytest.mark.parametrize(
    ("location", "moves", "ambassadors", "rovers"),
    [
        ("farm", "farm:b1", 1, 1),
        ("barracks", "barracks:b1", 1, 1),
        ("wagon", "wagon:b1", 1, 1),
        ("paddock", "paddock:a1-b3", 0, 0),
        ("quarry", "quarry:b1,done", 0, 0),
    ],
)
def test_ambiguity_10_and_11_red_cards_for_builds_and_placed_meeples_not_for_moves(
    location: str, moves: str, ambassadors: int, rovers: int
) -> None:
    state = scene(
        "GGGGG/GGGG1/GGGGG",
        "3A/G/0/-",
        "39:a1:e2:G",
        "38:c1,c3::",
        locations=location,
        cards="ambassadors,rovers,shepherds",
    )
    play_all(state, f"{moves} .")
    assert (gold(state, "ambassadors"), gold(state, "rovers")) == (ambassadors, rovers)


def test_ambiguity_10_moving_a_wagon_is_not_building() -> None:
    state = scene(
        "GGGGG/GGGG1",
        "3A/G/0/-",
        "39:b1,a1:e2:G",
        "39:d1::",
        locations="wagon",
        wagons="b1",
        cards="ambassadors,rovers",
    )
    play_all(state, "wagon:b1-c1,done .")
    assert (gold(state, "ambassadors"), gold(state, "rovers")) == (0, 0)


def test_ambiguity_11_the_city_hall_pays_for_each_hex() -> None:
    """B stands to the right of it, on d1, d2 and d3, A itself on a1."""
    state = scene(
        "GGGGGG/GGGGGG/GGGGGG/GGGGG1",
        "3A/G/0/-",
        "39:a1:f4:G",
        "37:d1,d2,d3::",
        locations="city-hall",
        cards="ambassadors,shepherds,rovers",
    )
    play_all(state, "city-hall:b2 .")
    assert gold(state, "ambassadors") == 3, "c1, c2 and c3"
    assert gold(state, "rovers") == 1
    assert gold(state, "shepherds") == 2 * 4, "b1, c1, b2 and c2, looked at after all seven are down"


def test_rule_8_2_rovers_one_gold_per_section_and_turn() -> None:
    rows = "/".join(["G" * 20] * 20)
    state = scene(rows, "3A/G/3/-", "39:j10::G", "40:::C", cards="rovers")
    play_all(state, "j9 k10 j11 .")
    assert gold(state, "rovers") == 3


def test_rule_8_2_red_cards_are_not_paid_again_at_the_end() -> None:
    state = scene("GGGGG/GGGGG", "3A/G/0/-", "37:a1,b1,c1::G", "39:d1::", cards="families,ambassadors", families="2,0")
    assert scores(state) == [2, 0]


# ---- 8.3 Harvest cards -----------------------------------------------------------------------------------------------


def test_rule_8_3_rangers_exactly_one() -> None:
    assert gold(standing("GGG/GGG/GGG", "a1,b2,c2"), "rangers") == 2


def test_rule_8_3_travellers_corners_once() -> None:
    assert gold(standing("GGG/GGG/GGG", "a1,b2,c2"), "travellers") == 2


def test_rule_8_3_chainers_exactly_two_neighbours() -> None:
    """In a line of four b1 and c1; with b2 below, b1 has three neighbours, c1 has b1 and d1."""
    assert gold(standing("GGGGG/GGGGG", "a1,b1,c1,d1"), "chainers") == 2
    assert gold(standing("GGGGG/GGGGG", "a1,b1,c1,d1,b2"), "chainers") == 1


def test_ambiguity_21_mayors_anywhere_in_the_row_and_automatic() -> None:
    state = scene("GGGGGGG/CCCCCCC", "3A/G/1/-", "20:a1,c1,g1::G", "40:::", cards="mayors")
    play(state, "d1")
    assert (gold(state, "mayors"), state.supply[0]) == (4, 18)


def test_ambiguity_22_the_marker_may_be_the_last_settlement() -> None:
    state = scene("GGGGGGG/CCCCCCC", "3A/G/3/-", "2:a1,b1,c1::G", "40:::", cards="mayors")
    play(state, "d1")
    assert (state.supply[0], state.ending, state.builds_left, legal(state)) == (0, True, 0, {"."})
    assert gold(state, "mayors") == 4


def test_rule_8_3_mayors_by_moves_and_meeples() -> None:
    state = scene(
        "GGGGGGG/GGGGGG1", "3A/G/0/-", "20:a1,b1,c1,d2:g2:G", "40:::", locations="wagon", wagons="d2", cards="mayors"
    )
    play(state, "wagon:d2-d1")
    assert (gold(state, "mayors"), state.supply[0]) == (4, 19), "on the way, at the first step"
    play_all(state, "d2 done")
    assert gold(state, "mayors") == 4, "it stays when the row is broken up"


def test_rule_8_3_mayors_during_a_resettlement_step() -> None:
    state = scene(
        "GGGGGGG/GGGGGGN", "3A/G/0/-", "20:a1,b1,c1,d2:g2:G", "40:::", nomads="g2:resettlement", cards="mayors"
    )
    play_all(state, "resettlement:d2-d1-d2,done")
    assert gold(state, "mayors") == 4


def test_rule_8_3_a_marker_counts_for_nothing_else() -> None:
    state = scene("GGGG/GGGG", "3A/G/0/-", "39:::G", "40:::", cards="mayors,discoverers", mayors="1,0")
    assert (gold(state, "mayors"), gold(state, "discoverers"), gold(state, "knights")) == (4, 0, 0)


# ---- 8.4 tasks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "pay"), [("a1,b1", 5), ("a1", 0), ("c1", 5), ("d1", 5), ("e1", 5), ("f1,g1", 0), ("h1", 0)]
)
def test_ambiguity_30_and_37_home_country_of_any_terrain(own: str, pay: int) -> None:
    """Desert a1-b1, water c1, mountain d1, farmland e1; the forest f1-g1-f2 has a third hex."""
    state = standing("DDWMATTG/GGGGGTGG", own, tasks="home-country")
    assert gold(state, "home-country") == pay


HALL = "b1,c1,a2,b2,c2,b3,c3"


def test_ambiguity_31_a_city_hall_alone_is_a_fortress() -> None:
    state = standing("GGGG/GGGG/GGGG/GGG1", HALL, locations="city-hall", city_halls=HALL, tasks="fortress")
    assert gold(state, "fortress") == 6
    assert gold(standing("GGGG/GGGG/GGGG", "b1,c1,a2,b2,c2,b3", tasks="fortress"), "fortress") == 0


@pytest.mark.parametrize(
    ("own", "pay"),
    [("c1,c2,d3,d4,e5,e6,f7", 7), ("c1,c2,d3,d4,e5,e6,g7", 0), ("g1,f2,f3,e4,e5,d6,d7", 7)],
)
def test_rule_8_4_road_on_either_diagonal(own: str, pay: int) -> None:
    assert gold(standing("/".join(["G" * 8] * 8), own, tasks="road"), "road") == pay


def test_rule_8_4_place_of_refuge_castle_and_nomad_space() -> None:
    ring = "b1,c1,a2,c2,b3,c3"
    for letter in "KNI":
        assert gold(standing(f"GGGG/G{letter}GG/GGGG", ring, tasks="place-of-refuge"), "place-of-refuge") == 8
    assert gold(standing("GGGG/GGGG/GGGG", ring, tasks="place-of-refuge"), "place-of-refuge") == 0


@pytest.mark.parametrize(
    ("own", "pay"),
    [
        ("a1,b1,c1,d1,e1,f1,h1", 9),
        ("a1,b1,c1,d1,e1,f1,h2", 0),
        ("a1,a2,a3,a4,a5,a6,a8", 9),
        ("h1,h2,h3,h4,h5,h6,h8", 9),
        ("a8,b8,c8,d8,e8,f8,g8", 9),
        ("a1,b1,c1,d1,a2,a3,a4", 0),
    ],
)
def test_rule_8_4_advance_seven_on_one_edge(own: str, pay: int) -> None:
    assert gold(standing("/".join(["G" * 8] * 8), own, tasks="advance"), "advance") == pay


@pytest.mark.parametrize(("own", "pay"), [("a1,h8", 10), ("a1,h1", 0), ("d1,a4,h4,d8", 10), ("d1,a4,h4", 0)])
def test_rule_8_4_compass_points_a_corner_serves_two(own: str, pay: int) -> None:
    assert gold(standing("/".join(["G" * 8] * 8), own, tasks="compass-points"), "compass-points") == pay


def test_rule_8_4_every_player_may_earn_a_task_once() -> None:
    state = standing("DGDGTGTGG/GGGGGGGGG", "a1,c1", "38:e1,g1::", tasks="home-country")
    assert scores(state) == [5, 5]


# ---- 8.5 always ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "castles"), [("-", 6), ("capitolReplacesCastle", 3)])
def test_ambiguity_28_capitol_and_the_castle_beneath_it(options: str, castles: int) -> None:
    state = standing("GGKGGGK/GGGGGGG", "b1,f1", capitols="c1", options=options)
    assert gold(state, "castles") == castles
    assert gold(state, "capitol") == 1, "f1 is three away"


def test_rule_8_5_capitols_pay_each_for_itself() -> None:
    state = standing("GGKGKGG/GGGGGGG", "d1", capitols="c1,e1")
    assert gold(state, "capitol") == 2


def test_rule_8_5_walls_and_scouts_score_nothing() -> None:
    state = standing("GKGG/GGG1", "", locations="quarry", walls="a1")
    assert scores(state) == [0, 0]
    assert tiles(state) == []


# ---- the city hall ---------------------------------------------------------------------------------------------------

TOWN = """
    G G W M K G G G
     G G G G G G G G
    1 G G G G G G W
     G G G G G 1 G G
    G G G G G G G G
"""


@pytest.mark.parametrize("key", [*CARDS, *TASKS, "castles"])
@pytest.mark.parametrize("centre", ["f2", "d3", "b4", "c3"])
def test_rule_0_the_city_hall_counts_as_seven_settlements(key: str, centre: str) -> None:
    """In every card and task it pays what seven settlements in its place would."""
    around_it = NEAR[parse_hex(centre)] | 1 << parse_hex(centre)
    board = standing(TOWN, "", locations="city-hall").setup.board
    assert not around_it & ~board.buildable
    hall = ",".join(hex_names(around_it))
    own = ",".join(dict.fromkeys(["h1", *hall.split(",")]))
    state = standing(TOWN, own, locations="city-hall", city_halls=hall)
    settlements = standing(TOWN, own, locations="city-hall")
    assert gold(state, key) == gold(settlements, key)


def test_rule_8_3_the_city_hall_marks_every_row_with_four() -> None:
    state = scene("GGGGG/GGGGG/GGGG1", "3A/G/0/-", "37:d1,e1,d2:e3:G", "40:::", locations="city-hall", cards="mayors")
    play(state, "city-hall:b2")
    assert (gold(state, "mayors"), state.supply[0]) == (8, 35), "rows 1 and 2"


def test_rule_6_1_a_piece_built_in_this_turn_may_be_moved() -> None:
    state = scene("GGGGG/C1CC2", "3A/G/0/-", "39:a1:b2,e2:G", "40:::", locations="farm,paddock")
    play_all(state, "farm:b1 paddock:b1-d1")
    assert legal(state) == {"."}
