"""Rulings on the locations of Crossroads (RULES 6.3)."""

import pytest
from scenes import after, cards_left, gold, legal, pieces, play_all, scene, tiles

from kingdom_builder.hexes import parse_hex
from kingdom_builder.notation import as_played_under, play, position_of, under_present_rules
from kingdom_builder.rules import State
from kingdom_builder.rules.state import CARD

# ---- Fort ------------------------------------------------------------------------------------------------------------

FORT = """
    G G G D D D
     C C C C 1 2
"""


def test_rule_6_3_fort_builds_on_the_drawn_terrain_and_keeps_the_played_card() -> None:
    state = scene(FORT, "3A/G/3/-", "39:a1:e2:G", "40:::C", locations="fort,bazaar")
    assert after(state, "fort") == {"=C", "=D", "=F", "=G", "=T"}
    assert after(state, "=D") == {"d1", "e1", "f1"}, "ambiguity 18: no refusing after the draw"
    play(state, "d1")
    assert (state.discard, state.card, state.builds_left) == ("D", "G", 3)
    assert cards_left(state, "D") == 3, "discarded, not removed"


def test_rule_6_3_fort_not_with_an_empty_supply_or_pile() -> None:
    assert legal(scene(FORT, "9A!/G/0/-", "0:a1:e2:G", "40:::C", locations="fort,bazaar")) == {"."}
    assert legal(scene(FORT, "9A/G/0/-", "9:a1:e2:G", "40:::C", locations="fort,bazaar", deck="-")) == {"."}


def test_rule_6_3_fort_discards_before_the_pile_is_missed() -> None:
    """The drawn card was the last of the pile: it becomes the pile itself."""
    state = scene(FORT, "3A/G/0/-", "39:a1:e2:G", "40:::C", locations="fort,bazaar", deck="D1")
    play_all(state, "fort =D d1")
    assert (state.deck, state.discard) == ("D", "")


# ---- Crossroads ------------------------------------------------------------------------------------------------------

CROSS = """
    G G G D D D G
     1 G G D 2 D N
    G G G C C C C
"""


def crossing(turn: str, a: str, b: str = "39:f1::T", **fields: str) -> State:
    return scene(CROSS, turn, a, b, locations="crossroads,bazaar", **fields)


@pytest.mark.parametrize(
    ("own", "held", "moves", "cards"),
    [
        ("c1", "", ".", 1),
        ("a1", "a2", ".", 2),
        ("a1,d1", "a2,e2", ".", 2),
    ],
)
def test_rule_6_3_crossroads_number_of_cards_drawn(own: str, held: str, moves: str, cards: int) -> None:
    state = crossing("3A/G/0/-", f"38:{own}:{held}:G")
    play_all(state, moves)
    for card in "CDF"[:cards]:
        assert state.player == 0
        play(state, f"={card}")
    assert (state.player, len(state.hands[0])) == (1, cards)


def test_rule_6_3_cards_held_are_kept_when_the_tile_is_lost() -> None:
    """B's Sword takes A's only piece at the Crossroads: A still chooses between its two cards, and draws one."""
    state = crossing("3B/D/0/-", "38:a1,c1:a2:CG", "39:f1:g2:D", nomads="g2:sword")
    play_all(state, "sword:a1 . =F")
    assert tiles(state) == []
    assert legal(state) == {"!C", "!G"}
    play_all(state, "!G b1 a1 b2 . =D")
    assert (state.player, state.hands[0]) == (1, "D")


def test_ambiguity_17_the_choice_is_fixed_and_made_at_the_first_need() -> None:
    state = crossing("3A/-/3/-", "39:a1:a2:CG")
    assert legal(state) == {"!C", "!G"}
    assert after(state, "!G") == {"b1"}
    assert "!C" not in legal(state)


@pytest.mark.parametrize(
    ("hand", "options", "choices"),
    [
        ("GG", "-", {"!G"}),
        ("GG", "equalCardsFree", {"!G", "!C", "!D"}),
        ("CG", "equalCardsFree", {"!G", "!C"}),
    ],
)
def test_option_equal_cards_free(hand: str, options: str, choices: set[str]) -> None:
    state = crossing("3A/-/3/-", f"39:a1:a2:{hand}", options=options)
    assert legal(state) == choices, "only terrain that is on the board"


def test_option_equal_cards_free_a_full_terrain_takes_one_of_the_cards_away() -> None:
    state = scene("GGGDM/1GGMM", "3A/-/3/-", "39:a1:a2:GG", "40:::T", locations="crossroads", options="equalCardsFree")
    play_all(state, "!D d1")
    assert (state.awaiting, state.hands[0]) == (CARD, "G")


# ---- Barracks --------------------------------------------------------------------------------------------------------

CAMP = """
    G G G G G G W
     1 G A G G G M
    2 3 G G G G G
"""


def camp(own: str, tile: str = "a2", supply: int = 38, **fields: str) -> State:
    return scene(
        CAMP, "3A/G/0/-", f"{supply}:{own}:{tile}:G", "40:::C", locations="barracks,wagon,lighthouse", **fields
    )


def test_rule_6_3_barracks_places_on_land_next_to_own_pieces() -> None:
    state = camp("f1,a1")
    assert after(state, "barracks") == {"e1", "e2", "f2", "b1"}, "not on water; a2 is a location"
    play(state, "e1")
    assert state.supply[0] == 38, "not from the supply"
    assert legal(state) == {"."}, "one thing per turn"


def test_rule_6_3_barracks_takes_back() -> None:
    state = camp("a1,c1,g3", warriors="c1,g3")
    assert after(state, "barracks") == {"c1", "g3"}, "no third warrior"
    play(state, "g3")
    assert pieces(state) == {"a1", "c1"}
    assert not state.blocked >> parse_hex("f3") & 1


def test_rule_6_3_barracks_the_other_players_warriors_are_his() -> None:
    state = scene(
        CAMP, "3A/G/0/-", "39:a1:a2:G", "40:d1,f3::C", locations="barracks,wagon,lighthouse", warriors="d1,f3"
    )
    assert after(state, "barracks") == {"b1"}, "A has both of its own in stock"


# ---- Wagon and Lighthouse --------------------------------------------------------------------------------------------


def test_rule_6_3_wagon_place_move_or_take_back() -> None:
    state = camp("f1,a1", "a3")
    assert after(state, "wagon") == {"e1", "e2", "f2", "b1"}
    assert after(state, "f2") == {"."}
    assert state.supply[0] == 38
    state = camp("f2,a1", "a3", wagons="f2")
    assert after(state, "wagon") == {"f2"}, "only one wagon"
    assert after(state, "f2") == {"e2", "f1", "g2", "f3", "g3", "other"}, "mountain, not water"
    assert after(state, "g2 g3 f3") == {"."}, "three steps"
    state = camp("f2,a1", "a3", wagons="f2")
    assert after(state, "wagon:f2,other") == {"."}
    assert pieces(state) == {"a1"}


def test_rule_6_3_wagon_steps_need_no_neighbours_and_no_blocked_hex() -> None:
    state = scene(
        CAMP, "3A/G/0/-", "39:b1,a1:a3:G", "40:d2::C", locations="barracks,wagon,lighthouse", wagons="b1", warriors="d2"
    )
    assert after(state, "wagon:b1") == {"c1", "b2", "other"}
    assert after(state, "b2") == {"b1", "c1", "c3", "done"}, "c2 is next to the warrior"


def test_rule_6_3_ship_place_move_or_take_back() -> None:
    picture = "GWWWWWG/1GGGGMG/GGGGGGG"

    def harbour(own: str, **fields: str) -> State:
        return scene(picture, "3A/G/0/-", f"39:{own}:a2:G", "40:::C", locations="lighthouse", **fields)

    assert after(harbour("a1"), "lighthouse") == {"b1"}
    state = harbour("a1,b1", ships="b1")
    assert after(state, "lighthouse:b1") == {"c1", "other"}
    assert after(state, "c1 d1") == {"c1", "e1", "done"}
    assert after(state, "e1") == {"."}
    assert after(harbour("a1,b1", ships="b1"), "lighthouse:b1,other") == {"."}


def test_rule_6_3_meeples_never_trigger_the_end() -> None:
    state = scene(CAMP, "8A/G/3/-", "1:a1:a2:G", "40:::C", locations="barracks,wagon,lighthouse")
    play(state, "barracks:b1")
    assert (state.supply[0], state.ending) == (1, False)


# ---- City hall -------------------------------------------------------------------------------------------------------

TOWN = """
    G C D F G G G
     G A T G W G G
    G G G G G G G
     1 G G G G G 2
"""


def town(own: str, tile: str = "a4", **fields: str) -> State:
    return scene(TOWN, "3A/G/0/-", f"39:{own}:{tile}:G", "40:::C", locations="city-hall,bazaar", **fields)


def test_ambiguity_32_and_37_city_hall_over_mixed_terrain_and_farmland() -> None:
    """c2 takes in desert, flower field, farmland, forest and grass."""
    assert after(town("b1"), "city-hall") == {"c2", "c3"}, "none on the edge, none far from b1"


def test_rule_6_3_city_hall_not_over_water() -> None:
    assert after(town("e1"), "city-hall") == {"c2", "d3"}, "d2 and e3 touch the lake"


def test_rule_6_3_city_hall_no_free_choice() -> None:
    assert legal(town("g1")) == {"."}, "no seven free hexes touch g1"


def test_rule_6_3_city_hall_stays_and_is_spent_for_ever() -> None:
    hall = "c1,d1,b2,c2,d2,c3,d3"
    state = town(f"a1,{hall}", "a4,g4", city_halls=hall)
    assert legal(state) == {"."}, "neither a second hall nor a move"
    assert "bazaar" not in legal(state), "nor by the Bazaar in a later turn, in which the tile is not used"


MEADOW = """
    G G G G G G G G G
     1 G G G G G G G G
    G G G G G G G G G
     G G G G G G G G G
    G G G G G G G G 2
     G G G G G G G 3 G
"""


def meadow(own: str = "a1", tiles: str = "a2,i5", **fields: str) -> State:
    """A city hall on a2, a Bazaar on i5, and a Paddock on h6."""
    cards = fields.pop("cards", "-")
    supply = 40 - len(own.split(","))
    return scene(
        MEADOW,
        "3A/G/0/-",
        f"{supply}:{own}:{tiles}:G",
        "40:::C",
        locations="city-hall,bazaar,paddock",
        cards=cards,
        **fields,
    )


def test_rule_10_27a_the_bazaar_relocates_the_city_hall_of_this_turn() -> None:
    """RULES 6.4 and 10.27a: it is taken up and placed elsewhere, next to another piece."""
    state = meadow("a1,e1")
    play(state, "city-hall:c2")
    assert pieces(state) == {"a1", "e1", "c1", "d1", "b2", "c2", "d2", "c3", "d3"}
    assert after(state, "bazaar") == {"city-hall"}
    assert after(state, "city-hall") == {"d3", "e3", "f2", "f3"}, "not c2 again; c4 would touch nothing but itself"
    play(state, "f2")
    assert pieces(state) == {"a1", "e1", "f1", "g1", "e2", "f2", "g2", "f3", "g3"}
    assert legal(state) == {"."}


def test_rule_10_27a_the_city_hall_may_overlap_its_old_place() -> None:
    state = meadow("a1,e1")
    play_all(state, "city-hall:c2 bazaar:city-hall,d3")
    assert pieces(state) == {"a1", "e1", "c2", "d2", "c3", "d3", "e3", "c4", "d4"}


def test_rule_10_27a_the_switch_keeps_it_in_place() -> None:
    state = meadow("a1,e1", options="cityHallStays")
    play(state, "city-hall:c2")
    assert legal(state) == {"."}


def test_rule_10_27a_not_after_the_turn_and_not_without_its_tile() -> None:
    hall = "c1,d1,b2,c2,d2,c3,d3"
    assert "bazaar" in legal(meadow(f"a1,e1,{hall}", "a2*,i5", city_halls=hall))
    assert "bazaar" not in legal(meadow(f"a1,e1,{hall}", "a2,i5", city_halls=hall))
    assert "bazaar" not in legal(meadow(f"a1,e1,{hall}", "a2-,i5", city_halls=hall))


def test_rule_10_27a_tiles_are_lost_and_taken_as_with_any_move() -> None:
    """The tile of h5 is taken with the city hall beside it, and lost with it when nothing else touches h5."""
    state = scene(
        "GGGGGGGGG/1GGGGGGGG/GGGGGGGGG/GGGGGGGGG/GGGGGGG3G/GGGGGGGG2/GGGGGGGGG",
        "3A/G/0/-",
        "38:a1,d4:a2,i6:G",
        "40:::C",
        locations="city-hall,bazaar,paddock",
    )
    play(state, "city-hall:f5")
    assert tiles(state) == ["bazaar", "city-hall", "paddock"]
    play(state, "bazaar:city-hall,c2")
    assert tiles(state) == ["bazaar", "city-hall"]


def test_rule_10_27a_mayors_look_at_the_rows_and_red_cards_do_not_pay_again() -> None:
    """RULES 8.2 and 8.3: relocating is moving. Rovers and Ambassadors paid for the placing only."""
    state = scene(
        MEADOW,
        "3A/G/0/-",
        "36:a1,e1,h3,i3:a2,i5:G",
        "39:c4::C",
        locations="city-hall,bazaar,paddock",
        cards="mayors,ambassadors,rovers",
    )
    play(state, "city-hall:c2")
    assert (gold(state, "ambassadors"), state.of_seat("mayors", 0)) == (2, 0b101), "rows 1 and 3"
    supply = state.supply[0]
    play(state, "bazaar:city-hall,f2")
    assert gold(state, "ambassadors") == 2
    assert state.supply[0] == supply
    play(state, ".")
    assert gold(state, "rovers") == 1


def test_rule_10_27a_a_relocated_city_hall_marks_a_row() -> None:
    state = meadow("a1,e1,f4,g4,h4", cards="mayors")
    play(state, "city-hall:c2")
    assert state.of_seat("mayors", 0) == 1, "a1, c1, d1, e1"
    play(state, "bazaar:city-hall,d3")
    assert state.of_seat("mayors", 0) == 0b1001, "row 4 too: c4, d4, f4, g4, h4"


def test_a_stored_game_goes_on_with_a_city_hall_that_stays() -> None:
    line = position_of(meadow())
    assert as_played_under(line, 2).split()[2] == "cityHallStays"
    assert as_played_under(line, 3) == line
    without = line.replace("(city-hall,bazaar,", "(city-hall,farm,")
    assert as_played_under(without, 2) == without, "no Bazaar, no difference"
    chosen = line.replace(" - - ", " - cityHallStays ", 1)
    assert under_present_rules(chosen) == chosen, "people can choose it"


def test_rule_6_3_city_hall_only_one_even_with_room_for_another() -> None:
    hall = "b1,c1,a2,b2,c2,b3,c3"
    meadow = "/".join(["G" * 8] * 5)[:-1] + "1"
    state = scene(meadow, "3A/G/0/-", f"40:{hall}:h5:G", "40:::C", locations="city-hall", city_halls=hall)
    assert legal(state) == {"."}
    other = scene(meadow, "3B/G/0/-", f"40:{hall}::", "39:e1:h5:G", locations="city-hall", city_halls=hall)
    assert "f2" in after(other, "city-hall"), "B has one of its own"


def test_rule_6_3_city_hall_costs_no_settlement() -> None:
    state = town("b1")
    play(state, "city-hall:c2")
    assert state.supply[0] == 39
    assert len(pieces(state)) == 8


@pytest.mark.parametrize("mover", ["paddock", "caravan", "palisade", "barn"])
def test_rule_6_1_city_hall_hexes_are_never_moved(mover: str) -> None:
    hall = "c1,d1,b2,c2,d2,c3,d3"
    state = scene(TOWN, "3A/G/0/-", f"39:a1,{hall}:g4:G", "40:::C", locations=f"city-hall,{mover}", city_halls=hall)
    if mover in legal(state):
        assert after(state, mover) == {"a1"}
