"""Rulings on the locations of Harvest, the farm action (RULES 6.4) and the caves (RULES 6.5)."""

import pytest
from scenes import after, gold, legal, pieces, play_all, scene, tiles, walls

from kingdom_builder.hexes import hex_names
from kingdom_builder.notation import play
from kingdom_builder.rules import State

# ---- builds ----------------------------------------------------------------------------------------------------------

LAND = """
    G G G G G G G
     G W G A G V G
    G G G G I G N
     1 G K G G G 2
"""


def land(location: str, own: str, b: str = "40:::", tile: str = "a4", **fields: str) -> State:
    locations = f"{location},barracks" if location != "barracks" else "barracks,farm"
    return scene(LAND, "3A/G/0/-", f"39:{own}:{tile}:G", b, locations=locations, **fields)


def test_rule_6_4_water_mill_beside_water_occupied_or_not() -> None:
    state = land("water-mill", "a1", "39:b2::")
    assert after(state, "water-mill") == {"b1", "a2"}


def test_rule_6_4_mountain_station_beside_a_cave() -> None:
    assert after(land("mountain-station", "g1"), "mountain-station") == {"f1", "g2"}


def test_rule_6_4_watchtower_beside_foreign_pieces_of_any_kind_not_walls() -> None:
    state = scene(
        LAND,
        "3A/G/0/-",
        "39:a1:a4:G",
        "40:c3::",
        locations="watchtower,wagon",
        wagons="c3",
    )
    assert after(state, "watchtower") == {"c2", "b3", "d3", "b4"}, "beside the wagon; b2 is water, c4 a castle"


def test_rule_6_4_watchtower_is_useless_beside_walls() -> None:
    state = scene(LAND, "3A/G/0/-", "39:a1:a4:G", "40:::", locations="watchtower,quarry", walls="c3")
    assert legal(state) == {"."}


def test_rule_6_4_university_beside_every_special_hex() -> None:
    """Location a4 and g4, castle c4, silo e3, nomad space g3; also on the farmland d2."""
    state = scene(LAND, "3A/G/0/-", "40::a4:G", "40:::", locations="university,farm")
    expected = {"a3", "b3", "b4", "c3", "d3", "d4", "d2", "e2", "f3", "e4", "f4", "g2"}
    assert after(state, "university") == expected


# ---- Palisade --------------------------------------------------------------------------------------------------------


def test_rule_6_4_palisade_stays_with_its_area() -> None:
    """a1 and b1 are one area, g1 another: a1 goes next to b1, g1 cannot move."""
    state = scene("GGGGGGG/MMMMMM1", "3A/G/0/-", "37:a1,b1,g1:g2:G", "40:::", locations="palisade")
    assert after(state, "palisade") == {"a1"}, "b1 has no other place next to a1"
    assert after(state, "a1") == {"c1"}


def test_ambiguity_42_palisade_any_part_of_a_split_area() -> None:
    """Lifting c1 splits a1-b1 from d1-e1: next to either part will do."""
    state = scene("MGGGGGG/MMMMMM1", "3A/G/0/-", "36:c1,d1,e1,b1:g2:G", "40:::", locations="palisade")
    assert after(state, "palisade:c1") == {"f1"}
    state = scene("GGGGGGG/MMMMMM1", "3A/G/0/-", "36:c1,d1,e1,b1:g2:G", "40:::", locations="palisade")
    assert after(state, "palisade:c1") == {"a1", "f1"}


def test_rule_6_4_palisade_beside_scouts() -> None:
    state = scene(
        "GGGGGGG/MMMMM21", "3A/G/0/-", "39:a1:g2,f2*:G", "40:::", locations="palisade,scout-cabin", scouts="b1"
    )
    assert after(state, "palisade:a1") == {"c1"}


# ---- Scout cabin -----------------------------------------------------------------------------------------------------

HILLS = """
    G W G G G G G
     M G G A G G 1
    G G G G G G G
     2 G G G G G N
"""


def hills(location: str = "tavern", own: str = "a1", builds: int = 0, **fields: str) -> State:
    number = 40 - len(own.split(","))
    return scene(
        HILLS, f"3A/G/{builds}/-", f"{number}:{own}:g2,a4:G", "40:::C", locations=f"scout-cabin,{location}", **fields
    )


def test_ambiguity_25_scouts_one_or_two_in_a_chain_on_water_and_mountain() -> None:
    state = hills()
    assert after(state, "scout-cabin") == {"b1", "a2"}, "water and mountain"
    assert after(state, "b1") == {"c1", "a2", "b2", "done"}, "next to the first scout too"
    assert after(hills(), "scout-cabin:b1,done") == {"."}, "one is enough"


def test_rule_6_4_scouts_occupy_and_leave_at_the_end_of_the_turn() -> None:
    state = hills(own="c1", builds=3)
    play(state, "scout-cabin:d1,e1")
    assert not legal(state) & {"d1", "e1"}
    play_all(state, "f1 g1 c2 . =C")
    assert not state.scouts


def test_rule_6_4_scouts_count_for_the_tavern() -> None:
    state = hills("tavern", "c3")
    play(state, "scout-cabin:d3,e3")
    assert after(state, "tavern") == {"b3", "f3"}


def test_rule_6_4_scouts_count_for_the_village() -> None:
    state = hills("village", "b3")
    play(state, "scout-cabin:b2,c3")
    assert "village" not in legal(state), "no hex touches all three"
    state = hills("village", "b3")
    play(state, "scout-cabin:c3,c2")
    assert after(state, "village") == {"b2"}


def test_rule_6_4_scouts_count_for_quarry_and_farm_action() -> None:
    state = hills("quarry", "a3")
    play(state, "scout-cabin:b3,c3")
    assert "d3" in after(state, "quarry")
    state = hills("quarry", "b3")
    assert "farm-action" not in legal(state)
    play(state, "scout-cabin:c3,c2")
    assert after(state, "farm-action") == {"d2"}


def test_rule_6_4_scouts_are_not_moved() -> None:
    state = hills("paddock", "c3")
    play(state, "scout-cabin:d3,e3")
    assert after(state, "paddock") == {"c3"}


def test_rule_6_4_scouts_score_nothing() -> None:
    """Three settlements on row 3 and two scouts make no mayor; scouts rove, meet and herd nobody."""
    state = hills(own="b3,c3,d3", cards="mayors,rovers,ambassadors")
    play(state, "scout-cabin:e3,f3")
    assert gold(state, "mayors") == 0
    play(state, ".")
    assert (gold(state, "rovers"), gold(state, "mayors"), gold(state, "discoverers")) == (0, 0, 1)


def test_ambiguity_25_a_scouts_hex_counts_as_empty_for_shepherds() -> None:
    state = scene("DDM/MM1", "3A/D/1/-", "40::c2*:D", "40:::", locations="scout-cabin", cards="shepherds", scouts="b1")
    play(state, "a1")
    assert gold(state, "shepherds") == 0


# ---- Cathedral -------------------------------------------------------------------------------------------------------


def cathedral(numbers: int, supply: int = 38, options: str = "-", tile: str = "g2", own: str = "a1") -> State:
    return scene(
        "GGGGGGG/CCCCC21",
        "3A/G/0/-",
        f"{supply}:{own}:{tile}:G",
        "40:::C",
        locations="cathedral,bazaar",
        cathedral=f"{numbers},0",
        options=options,
    )


def test_rule_6_4_cathedral_spends_as_many_as_one_likes() -> None:
    state = cathedral(3)
    assert after(state, "cathedral") == {"b1", "other"}
    assert after(state, "b1") == {"c1", "done"}, "one by one, rule 3 each"
    assert after(state, "done") == {"."}
    assert state.of_seat("cathedral", 0) == 2


def test_rule_6_4_cathedral_builds_no_more_than_there_are_numbers() -> None:
    state = cathedral(2)
    assert after(state, "cathedral:b1,c1") == {"."}
    assert state.of_seat("cathedral", 0) == 0


def test_rule_6_4_cathedral_is_limited_by_the_supply() -> None:
    state = cathedral(3, supply=1)
    assert after(state, "cathedral:b1") == {"."}
    assert (state.of_seat("cathedral", 0), state.ending) == (2, True)


def test_ambiguity_26_cathedral_has_no_cap() -> None:
    state = cathedral(99)
    play(state, "cathedral:other")
    assert state.of_seat("cathedral", 0) == 100


def test_rule_6_4_the_counter_goes_with_the_tile() -> None:
    state = scene(
        "GGGGGGG/CC1C2CG",
        "3A/G/0/-",
        "39:d1:c2,e2:G",
        "40:::C",
        locations="cathedral,paddock",
        cathedral="4,2",
    )
    play(state, "paddock:d1-f1")
    assert [state.of_seat("cathedral", seat) for seat in (0, 1)] == [0, 2]
    assert tiles(state) == ["paddock"]


# ---- Bazaar ----------------------------------------------------------------------------------------------------------

MARKET = """
    G G G G G W W G
     G G G G G M V G
    1 G D F T C G 2
     G G G A G G G N
"""
REPEATABLE = [
    *("oracle", "farm", "oasis", "tower", "tavern", "barn", "harbor", "paddock"),
    *("quarry", "caravan", "village", "garden"),
    *("foresters-lodge", "monastery", "fort", "barracks", "wagon", "lighthouse"),
    *("water-mill", "mountain-station", "watchtower", "university", "palisade", "scout-cabin"),
]


def market(location: str, mark: str, tile: str = "h3", **fields: str) -> State:
    """A line of three settlements, and two more in the corner; a piece of B."""
    return scene(
        MARKET,
        "3A/G/0/-",
        f"34:b1,c1,d1,b2,b3,e4:a3{mark},{tile}:G",
        "39:g4::",
        locations=f"{location},bazaar",
        **fields,
    )


@pytest.mark.parametrize("location", REPEATABLE)
def test_rule_6_4_bazaar_repeats_what_was_used(location: str) -> None:
    state = market(location, "*")
    assert after(state, "bazaar") == {location}
    play(state, location)
    assert state.acting is not None
    assert state.acting.key == location


@pytest.mark.parametrize("location", REPEATABLE)
@pytest.mark.parametrize("mark", ["", "+", "-"])
def test_ambiguity_27_bazaar_not_before_the_use_and_not_without_the_tile(location: str, mark: str) -> None:
    """Not used yet, taken in this turn, or lost."""
    assert "bazaar" not in legal(market(location, mark))


def test_rule_6_4_bazaar_once_a_turn_and_never_itself() -> None:
    state = market("farm", "*")
    play_all(state, "bazaar:farm,e1")
    assert legal(state) == {"farm-action", "."}
    assert "bazaar" not in legal(market("farm", "*", tile="h3*"))


def test_rule_6_4_bazaar_second_quarry() -> None:
    state = market("quarry", "")
    play_all(state, "quarry:a1,e1 bazaar:quarry,a2,c2")
    assert walls(state) == {"a1", "e1", "a2", "c2"}


def test_rule_6_4_bazaar_moves_the_wagon_just_placed() -> None:
    state = market("wagon", "")
    play_all(state, "wagon:e1 bazaar:wagon,e1-e2,done")
    assert "e2" in pieces(state)


def test_rule_6_4_bazaar_relocates_the_scouts() -> None:
    state = market("scout-cabin", "")
    play_all(state, "scout-cabin:a1,a2 bazaar:scout-cabin,e1,done")
    assert hex_names(state.scouts) == ["e1"], "never more than two"


def test_rule_6_4_bazaar_draws_for_the_fort_again() -> None:
    state = market("fort", "")
    play_all(state, "fort =G e1 bazaar:fort =F")
    assert legal(state) == {"d3"}


@pytest.mark.parametrize(("options", "choices"), [("-", {"b1"}), ("bazaarCathedralGain", {"b1", "other"})])
def test_ambiguity_26_bazaar_and_cathedral(options: str, choices: set[str]) -> None:
    state = cathedral(2, tile="g2,f2", own="a1", options=options)
    play(state, "cathedral:other")
    assert after(state, "bazaar:cathedral") == choices


@pytest.mark.parametrize(("options", "possible"), [("-", False), ("bazaarCathedralGain", True)])
def test_ambiguity_26_bazaar_and_a_spent_cathedral(options: str, possible: bool) -> None:
    state = cathedral(1, tile="g2,f2", own="a1", options=options)
    play(state, "cathedral:b1")
    assert ("bazaar" in legal(state)) == possible


def test_rule_6_4_bazaar_no_nomad_tile_farm_action_or_cave_move() -> None:
    state = market("farm", "", tile="h3,h4*,farm-action*,cave-move*", nomads="h4:donation-grass")
    assert "bazaar" not in legal(state)


def test_rule_6_4_the_bazaar_repeats_the_crossroads() -> None:
    """ "Crossroads tile: draws one more card for the next turn": three cards in all."""
    state = scene("GGGDDDG/1GGD2DG/GGGCCCC", "3A/G/0/-", "38:a1,d1:a2,e2:G", "40:::T", locations="crossroads,bazaar")
    assert "bazaar" in legal(state)
    play_all(state, "bazaar:crossroads .")
    for card in "CDF":
        assert state.player == 0
        play(state, f"={card}")
    assert (state.player, state.hands[0]) == (1, "CDF")


def test_rule_6_the_bazaar_begins_no_scouts_that_cannot_be_placed() -> None:
    """ "If the legal set is empty the action cannot be started": without the scouts nothing free is next to a1."""
    state = scene(
        "GGGGG/GMMMM/M123M",
        "3A/G/0/-",
        "39:a1,a2:b3*,c3,d3*:G",
        "40:::",
        locations="scout-cabin,bazaar,barracks",
        scouts="b1,c1",
        warriors="a2",
    )
    assert after(state, "bazaar") == {"barracks"}, "the warrior on a2 blocks b1, where the first scout stands"


def test_rule_6_4_the_bazaar_may_lift_scouts_that_fill_all_room() -> None:
    """ "Repeating may relocate them, also the scouts": both hexes next to a1 are free once the scouts are lifted."""
    state = scene("GGK/GK1/K2G", "3A/G/0/-", "39:a1:c2*,b3:G", "40:::", locations="scout-cabin,bazaar", scouts="b1,a2")
    assert "bazaar" in legal(state)
    play(state, "bazaar:scout-cabin,b1")


# ---- farm action -----------------------------------------------------------------------------------------------------


def test_ambiguity_39_farm_action_before_or_after_the_mandatory_action() -> None:
    state = scene("GGGGG/AAAAA", "3A/G/3/-", "39:a1::G", "40:::")
    assert "farm-action" in legal(state)
    assert "farm-action" not in after(state, "b1")
    assert "farm-action" not in after(state, "c1")
    assert after(state, "d1") == {"farm-action", "."}


def test_rule_6_4_farmland_not_by_card_donation_or_farm_tile() -> None:
    state = scene("GGA/GAG/1GN", "3A/G/3/-", "39:b1:a3,c3:G", "40:::", locations="farm", nomads="c3:donation-grass")
    farmland = {"c1", "b2"}
    assert not legal(state) & farmland
    assert not after(state.copy(), "farm") & farmland
    assert not after(state, "donation-grass") & farmland


def test_ambiguity_37_farmland_is_land_for_everything_else() -> None:
    def choices(location: str, moves: str, own: str = "a1") -> set[str]:
        state = scene("GAAAA/AAAAA/GMM1M", "3A/G/0/-", f"37:{own}:d3:G", "40:::", locations=location)
        return after(state, moves)

    assert choices("tower", "tower") == {"b1", "a2"}
    assert choices("barracks", "barracks") == {"b1", "a2"}
    assert choices("wagon", "wagon") == {"b1", "a2"}
    assert choices("paddock", "paddock:a1") == {"c1"}
    assert choices("caravan", "caravan:a1") == {"e1", "a2"}
    assert choices("tavern", "tavern", "a1,b1,c1") == {"d1"}
    assert choices("village", "village", "b1,c1,a2") == {"b2"}
    assert choices("palisade", "palisade:a1", "a1,b1") == {"c1", "a2", "b2"}


# ---- caves -----------------------------------------------------------------------------------------------------------

CAVES = """
    G G V G G V A
     G G G G G G W
    G M G G 1 G N
"""


def caves(own: str, builds: int = 0, **fields: str) -> State:
    number = 40 - len(own.split(","))
    return scene(CAVES, f"3A/G/{builds}/-", f"{number}:{own}::G", "40:::", locations="wagon", **fields)


def test_rule_6_5_from_beside_a_cave_to_beside_any_cave() -> None:
    state = caves("b1,a1")
    assert after(state, "cave-move") == {"b1"}
    assert after(state, "b1") == {"d1", "b2", "c2", "e1", "g1", "e2", "f2"}, "the same cave, the other, farmland"


def test_rule_6_5_once_a_turn_and_not_between_the_builds() -> None:
    state = caves("b1", builds=3)
    assert "cave-move" in legal(state)
    assert "cave-move" not in after(state, "a1")
    assert "cave-move" not in after(state, "a2")
    assert "cave-move" in after(state, min(legal(state)))
    assert "cave-move" not in after(state, "cave-move:b1-g1")


def test_rule_6_5_a_piece_on_a_cave_is_not_beside_it() -> None:
    assert "cave-move" not in legal(caves("c1"))
    state = scene("GGVVG/GGGGG", "3A/G/0/-", "39:c1::G", "40:::")
    assert after(state, "cave-move") == {"c1"}, "it is beside the other one"


def test_rule_6_5_meeples_go_too_but_not_under_the_switch() -> None:
    assert after(caves("b1", wagons="b1"), "cave-move") == {"b1"}
    assert legal(caves("a1", wagons="a1")) == {"."}, "a1 is not beside a cave"
    assert legal(caves("b1", wagons="b1", options="meeplesOnlyByOwnAction")) == {"."}


def test_rule_6_5_a_cave_is_a_mountain() -> None:
    state = caves("b1,c1")
    assert gold(state, "miners") == 1, "b1 beside it, not c1 on it"
