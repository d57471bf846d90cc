"""Rulings on building (RULES 4) and on the order of a turn (RULES 3): a small map, a sentence, an expectation."""

import pytest
from scenes import after, cards_left, gold, legal, pieces, play_all, scene, walls

from kingdom_builder.notation import play
from kingdom_builder.rules.state import CARD

# ---- 4.1 the build predicate -----------------------------------------------------------------------------------------


def test_rule_4_1_1_only_empty_hexes() -> None:
    """b1 has an own piece, c1 a foreign one, d1 a wall, e1 a scout: only f1 is left."""
    state = scene(
        "GGGGGG/CCC1C2",
        "3A/G/3/-",
        "39:b1:d2*,f2*:G",
        "38:a1,c1::",
        locations="quarry,scout-cabin",
        walls="d1",
        scouts="e1",
    )
    assert legal(state) == {"f1"}


def test_rule_4_1_2_not_next_to_a_warrior() -> None:
    state = scene("GGGGG/CCCC1", "3A/G/3/-", "39:a1::G", "40:c1::", locations="barracks", warriors="c1")
    assert legal(state) == {"e1"}, "b1 and d1 are blocked, so nothing free touches a1"


@pytest.mark.parametrize(("card", "hexes"), [("G", {"a1"}), ("C", {"b1"}), ("D", {"c1"}), ("F", {"d1"}), ("T", {"e1"})])
def test_rule_4_1_3_the_terrain_of_the_card_only(card: str, hexes: set[str]) -> None:
    """Water, mountain, farmland, castle, silo and nomad space are never built on by a card."""
    state = scene("GCDFTWMVAKIN", f"3A/{card}/3/-", f"40:::{card}", "40:::")
    assert legal(state) == hexes


RULE_3 = [
    ("oracle", "G", "oracle"),
    ("farm", "G", "farm"),
    ("oasis", "D", "oasis"),
    ("garden", "F", "garden"),
    ("foresters-lodge", "T", "foresters-lodge"),
    ("monastery", "C", "monastery"),
    ("fort", "F", "fort =F"),
    ("cathedral", "G", "cathedral"),
    ("wagon", "M", "wagon"),
    ("lighthouse", "W", "lighthouse"),
    ("barn", "G", "barn:f3"),
    ("harbor", "W", "harbor:f3"),
]


def by_adjacency(location: str, terrain: str, moves: str, own: str) -> set[str]:
    """The choices on two hexes of a terrain, b1 near a1 and e1 far away; the rest cannot be used."""
    rest = "M" if terrain == "W" else "W"
    corner = "G" if terrain == "W" else rest
    picture = f"{rest}{terrain}{rest}{rest}{terrain}{rest}/{rest * 6}/{rest * 6}/{rest * 3}1{rest}{corner}"
    fields = {"cathedral": "1,0"} if location == "cathedral" else {}
    state = scene(
        picture, "3A/G/0/-", f"38:{own}:d4:G", "40:::", locations=location, options="redrawOnlyForMandatory", **fields
    )
    return after(state, moves) - {"other"}


@pytest.mark.parametrize(("location", "terrain", "moves"), RULE_3)
def test_rule_4_1_4_next_to_own_pieces_if_possible(location: str, terrain: str, moves: str) -> None:
    assert by_adjacency(location, terrain, moves, "a1,f3") == {"b1"}


@pytest.mark.parametrize(("location", "terrain", "moves"), RULE_3)
def test_rule_4_1_4_else_anywhere(location: str, terrain: str, moves: str) -> None:
    assert by_adjacency(location, terrain, moves, "a3,f3") == {"b1", "e1"}


FEATURES = """
    G G W G G W G
     G G G G G G G
    1 G G G G G G
     G G G G G G G
    G M G G K G G
     G G G G G G G
"""
"""Water on c1 and f1, a mountain on b5, a castle on e5."""


@pytest.mark.parametrize(
    ("location", "own", "near", "far"),
    [
        ("water-mill", "d2", {"d1", "e1", "c2", "e2"}, {"b1", "d1", "e1", "g1", "b2", "c2", "e2", "f2"}),
        ("mountain-station", "c4", {"b4", "c5"}, {"a4", "b4", "a5", "c5", "a6", "b6"}),
        ("university", "d3", {"d4"}, {"a2", "b3", "a4", "d4", "e4", "d5", "f5", "d6", "e6"}),
    ],
)
def test_rule_4_1_4_areas_defined_by_neighbours(location: str, own: str, near: set[str], far: set[str]) -> None:
    state = scene(FEATURES, "3A/G/0/-", f"39:{own}:a3:G", "40:::", locations=location)
    assert after(state, location) == near
    state = scene(FEATURES, "3A/G/0/-", "40::a3:G", "40:::", locations=location)
    assert after(state, location) == far


@pytest.mark.parametrize("location", ["tavern", "village", "quarry", "city-hall", "scout-cabin", "palisade"])
def test_rule_4_1_4_fixed_conditions_have_no_else_anywhere(location: str) -> None:
    """The only piece stands on an island in a lake: plenty of grass, but not next to it."""
    state = scene(
        """
        M M M M G G G
         M G M M G G G
        M M M M G G G
         1 G M M G G G
        """,
        "3A/G/0/-",
        "39:b2:a4:G",
        "39:a1::",
        "34:b1,c1,a2,c2,b3,c3::" if location == "scout-cabin" else "40:::",
        locations=location,
    )
    assert legal(state) == {"."}


def test_rule_4_1_4_the_farm_action_has_no_else_anywhere() -> None:
    assert "farm-action" not in legal(scene("GGGAA", "3A/G/3/-", "39:a1::G", "40:::"))
    assert "farm-action" in legal(scene("GGGAA", "3A/G/3/-", "39:c1::G", "40:::"))


# ---- 4.2 what counts as an own piece ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "location", "place"), [("wagons", "wagon", "b1"), ("ships", "lighthouse", "d2"), ("", "farm", "b1")]
)
def test_rule_4_2_wagon_and_ship_support_builds(kind: str, location: str, place: str) -> None:
    fields = {kind: place} if kind else {}
    state = scene("GGGGGG/MMMWM1", "3A/G/3/-", f"39:{place}::G", "40:::", locations=location, **fields)
    assert legal(state) == ({"a1", "c1"} if place == "b1" else {"d1", "e1"})


def test_rule_4_2_the_city_hall_supports_builds() -> None:
    state = scene(
        "GGGGGG/GGGGGG/GGGGGG/MMMMM1",
        "3A/G/3/-",
        "40:b1,c1,a2,b2,c2,b3,c3::G",
        "40:::",
        locations="city-hall",
        city_halls="b1,c1,a2,b2,c2,b3,c3",
    )
    assert legal(state) == {"a1", "d1", "d2", "a3", "d3"}


def test_rule_4_2_a_warrior_never_opens_a_hex() -> None:
    """A has only a warrior: everything next to it is blocked, so A is free to build anywhere else."""
    state = scene("GGGGGG/MMMMM1", "3A/G/3/-", "40:c1::G", "40:::", locations="barracks", warriors="c1")
    assert legal(state) == {"a1", "e1", "f1"}


def test_rule_4_2_scouts_count_in_the_owners_turn_only() -> None:
    state = scene("GGGGGGG/GGGGGG1", "3A/G/0/-", "39:a1:g2:G", "39:g1::G", locations="scout-cabin")
    play_all(state, "scout-cabin:b1,c1")
    assert state.scouts
    play_all(state, ". =G")
    assert not state.scouts
    assert legal(state) == {"f1", "f2"}


def test_rule_4_2_scouts_open_hexes() -> None:
    state = scene("GGGGGGG/CCCCCC1", "3A/G/3/-", "39:a1:g2:G", "40:::", locations="scout-cabin")
    play_all(state, "scout-cabin:b1,c1")
    assert legal(state) == {"d1"}


def test_rule_4_2_walls_do_not_support() -> None:
    state = scene("GGGGGGG/CCCCCC1", "3A/G/3/-", "39:b2::G", "40:::", locations="quarry", walls="b1,c1")
    assert legal(state) == {"a1", "d1", "e1", "f1", "g1"}


def test_rule_4_2_the_hex_left_by_a_barn_counts_as_empty() -> None:
    """Only a1 itself, once lifted, touches b1: d1 is not a target, and going back is not offered."""
    state = scene("GGMG/C1CC", "3A/G/0/-", "38:a1,b1:b2:G", "40:::", locations="barn")
    assert legal(state) == {"."}


def test_rule_4_2_a_lifted_piece_does_not_support_itself() -> None:
    """d1 touches only c1, the piece that moves: the target is b1, next to a1."""
    state = scene("CGCG/C1CC", "3A/G/0/-", "38:a1,c1:b2:G", "40:::", locations="barn")
    assert after(state, "barn:c1") == {"b1"}


# ---- 4.3 replacing the card ------------------------------------------------------------------------------------------


def test_rule_4_3_between_mandatory_builds() -> None:
    state = scene("DDGGG/CCCCC", "3A/D/3/-", "40:::D", "40:::", deck="C5D4F5G5T5")
    play_all(state, "a1 b1")
    assert (state.awaiting, state.builds_left) == (CARD, 1)
    assert cards_left(state, "D") == 4, "out of the game, not discarded"
    play(state, "=F")
    assert state.awaiting == CARD, "there is no flower field: repeatedly"
    assert cards_left(state, "F") == 4
    assert after(state, "=G") == {"c1"}, "the rest of the builds use the new terrain"


def test_rule_4_3_a_wall_on_the_last_hex() -> None:
    state = scene("GDDG/C1CC", "3A/D/3/-", "38:a1,c2:b2:D", "40:::", locations="quarry")
    play(state, "quarry:b1,c1")
    assert state.awaiting == CARD
    assert walls(state) == {"b1", "c1"}


def test_rule_4_3_a_scout_on_the_last_hex() -> None:
    state = scene("GDCG/C1CC", "3A/D/3/-", "39:a1:b2:D", "40:::", locations="scout-cabin")
    play(state, "scout-cabin:b1")
    assert state.awaiting == CARD


def test_rule_4_3_no_card_left_voids_the_rest() -> None:
    state = scene("DDGG/CCCC", "3A/D/3/-", "40:::D", "40:::", deck="-")
    play_all(state, "a1")
    assert after(state, "b1") == {"."}


def test_rule_4_3_discards_are_shuffled_before_the_pile_is_missed() -> None:
    state = scene("DDGG/CCCC", "3A/D/3/-", "40:::D", "40:::", deck="F1", discard="GG")
    play_all(state, "a1 b1 =F")
    assert (state.awaiting, state.deck) == (CARD, "GG")


OPEN = """
    D D G G G
     1 C C C 2
    C C C C C
"""


def test_rule_4_3_crossroads_a_useless_card_cannot_be_chosen() -> None:
    state = scene(OPEN, "3A/-/3/-", "39:a3:a2:DF", "39:e3::", locations="crossroads,farm")
    assert legal(state) == {"!D"}, "there is no flower field"


def test_rule_4_3_crossroads_an_extra_action_may_come_before_the_choice() -> None:
    state = scene(OPEN, "3A/-/3/-", "39:a3:a2,e2:DG", "39:e3::", locations="crossroads,farm")
    assert legal(state) == {"!D", "!G", "farm"}
    assert after(state, "farm:c1") == {"!D", "!G"}


def test_rule_4_3_crossroads_all_held_cards_useless() -> None:
    """A's Farm takes the last grass while A may still choose between grass and flower field."""
    state = scene("DDGM/1CC2", "3A/-/3/-", "39:b2:a2,d2:FG", "40:::", locations="crossroads,farm", deck="C5D5F4G4T5")
    play(state, "farm:c1")
    assert (state.awaiting, state.hands[0]) == (CARD, "")
    assert (cards_left(state, "F"), cards_left(state, "G")) == (4, 4), "both leave the game"
    play(state, "=T")
    assert state.awaiting == CARD, "single cards, until one fits"
    play(state, "=D")
    assert (state.card, state.hands[0]) == ("D", "D")
    assert legal(state) == {"b1"}, "the only desert next to c1"


def test_rule_4_3_crossroads_the_chosen_card_becomes_useless() -> None:
    state = scene(OPEN, "3A/-/3/-", "39:a3:a2:DG", "39:e3::", locations="crossroads,farm", deck="C5D4F5G4T5")
    play_all(state, "!D a1 b1")
    assert (state.awaiting, state.hands[0]) == (CARD, "G"), "the other card does not step in"
    play(state, "=C")
    assert (state.card, state.hands[0]) == ("C", "CG")
    play_all(state, f"{min(legal(state))} . =F")
    assert sorted(state.discard) == ["C", "G"], "both are discarded at the end"
    assert cards_left(state, "D") == 4


# ---- 4.4 warriors ----------------------------------------------------------------------------------------------------

FIELD = """
    G G G G G G G
     G G G G G G G
    G G G G G G G
     G G G G G G G
    1 G G G G G 2
"""
"""A warrior on d3 blocks c2, d2, c3, e3, c4 and d4."""

BLOCKED = {"c2", "d2", "c3", "e3", "c4", "d4"}


@pytest.mark.parametrize("owner", ["own", "foreign"])
@pytest.mark.parametrize("location", ["farm", "barracks", "wagon", "quarry", "scout-cabin", "village", "watchtower"])
def test_rule_4_4_warriors_block_whatever_is_put(location: str, owner: str) -> None:
    """A surrounds the warrior from outside: b2, e2, b3, f3, b4, e4, c1, d1, e1, c5, d5 and e5."""
    ring = "b2,e2,b3,f3,b4,e4,c1,d1,e1,c5,d5,e5"
    a, b = (f"28:{ring},d3:a5:G", "39:g1::") if owner == "own" else (f"28:{ring}:a5:G", "39:d3,g1::")
    two = "" if location == "barracks" else ",barracks"
    state = scene(FIELD.replace("2", "2" if two else "G"), "3A/G/3/-", a, b, locations=location + two, warriors="d3")
    assert not legal(state) & BLOCKED
    if location in legal(state):
        play(state, location)
    assert not legal(state) & BLOCKED


def test_rule_4_4_the_city_hall_needs_seven_unblocked_hexes() -> None:
    quiet = scene(FIELD, "3A/G/0/-", "39:e1:a5:G", "40:::", locations="city-hall,barracks")
    assert after(quiet, "city-hall") == {"c2", "f2", "d3", "e3", "f3"}
    state = scene(FIELD, "3A/G/0/-", "39:e1:a5:G", "40:d4::", locations="city-hall,barracks", warriors="d4")
    assert after(state, "city-hall") == {"f2"}, "the only seven without d3, e3, c4 and e4"


def test_rule_4_4_water_and_mountains_are_blocked_too() -> None:
    picture = """
        G W G M G
         1 W G M 2
        G W G M 3
    """
    a = "40:b2,d2:a2,e2:G"
    locations, fields = "lighthouse,wagon,barracks", {"ships": "b2", "wagons": "d2"}
    open_water = scene(picture, "3A/G/0/-", a, "40:::", locations=locations, ships="b2", wagons="d2")
    assert after(open_water, "lighthouse:b2") == {"b1", "b3", "other"}
    state = scene(picture, "3A/G/0/-", a, "40:c1::", locations=locations, warriors="c1", **fields)
    assert after(state, "lighthouse:b2") == {"b3", "other"}, "b1 is next to the warrior"
    assert after(state, "b3 wagon:d2") == {"d3", "e1", "other"}, "neither d1 nor c2"


def test_rule_4_4_the_outpost_does_not_lift_the_block() -> None:
    state = scene(
        "GGGGGGG/CCCCC1N", "3A/G/3/-", "39:a1:g2:G", "40:d1::", locations="barracks", warriors="d1", nomads="g2:outpost"
    )
    assert after(state, "outpost") == {"b1", "f1", "g1"}


def test_rule_4_4_pieces_beside_a_warrior_stay_score_support_and_keep_tiles() -> None:
    """c1 stands next to the warrior on d1: it counts on its line and keeps the farm."""
    state = scene("GGGGG/G1GG2", "3A/G/3/-", "38:c1,b1:b2:G", "40:d1::", locations="farm,barracks", warriors="d1")
    assert gold(state, "knights") == 4
    assert legal(state) == {"a1", "a2", "farm"}


def test_rule_4_4_a_paddock_may_jump_across() -> None:
    state = scene("GGGGG/M1MM2", "3A/G/0/-", "39:a1:b2:G", "40:b1::", locations="paddock,barracks", warriors="b1")
    assert legal(state) == {"."}, "c1 is next to the warrior"
    state = scene("GGGGG/M1MM2", "3A/G/0/-", "39:b1:b2:G", "40:e1::", locations="paddock,barracks", warriors="e1")
    assert legal(state) == {"."}, "d1 is next to the warrior"
    state = scene("GGGGGGG/M1MMMM2", "3A/G/0/-", "39:b1:b2:G", "40:g1::", locations="paddock,barracks", warriors="g1")
    assert after(state, "paddock:b1") == {"d1"}


def test_rule_4_4_a_lifted_warrior_does_not_block() -> None:
    """A's own warrior takes a step to a hex that only it blocks."""
    state = scene(
        "GGGG/M1MN", "3A/G/0/-", "40:b1:d2:G", "40:::", locations="barracks", warriors="b1", nomads="d2:resettlement"
    )
    assert after(state, "resettlement:b1") == {"a1", "c1"}
    assert after(state, "c1") == {"b1", "d1", "done"}, "and another, back or on"
    assert pieces(state) == {"c1"}


def test_rule_4_4_taking_a_warrior_back_frees_its_neighbours() -> None:
    state = scene("GGGGG/MMMM1", "3A/G/3/-", "39:a1,c1:e2:G", "40:::", locations="barracks", warriors="c1")
    assert legal(state) == {"e1", "barracks"}
    assert after(state, "barracks:c1") == {"b1"}


# ---- 4.5 walls -------------------------------------------------------------------------------------------------------


def test_rule_4_5_walls_score_nothing_and_are_nobodys() -> None:
    state = scene("GGGGG/GGGG1", "3A/G/3/-", "39:b1::G", "39:e1::", locations="quarry", walls="c1", cards="ambassadors")
    assert [gold(state, key) for key in ("discoverers", "hermits", "knights")] == [1, 1, 2]
    play(state, "b2")
    assert gold(state, "ambassadors") == 0


def test_rule_4_5_a_walled_hex_is_not_empty_for_shepherds() -> None:
    state = scene("DGD/MM1", "3A/D/3/-", "40:::D", "40:::", locations="quarry", cards="shepherds")
    play(state, "a1")
    assert gold(state, "shepherds") == 2
    state = scene("DDM/MM1", "3A/D/1/-", "40:::D", "40:::", locations="quarry", cards="shepherds", walls="b1")
    play(state, "a1")
    assert gold(state, "shepherds") == 2


def test_rule_4_5_a_wall_spoils_the_home_country() -> None:
    state = scene("DDGG/MMM1", "3A/G/0/-", "39:a1::G", "40:::", locations="quarry", walls="b1", tasks="home-country")
    assert gold(state, "home-country") == 0


# ---- 4.6 supply ------------------------------------------------------------------------------------------------------


def test_rule_4_6_supply_0_leaves_what_builds_no_settlement() -> None:
    """Moves, walls, the Sword, meeples, the city hall, scouts and caves stay possible; building does not."""
    picture = """
        G G G G G G G G V
         1 2 3 4 5 6 7 8 G
        G G G G G G G G N
         G G G G G G A G N
        G G G G G G G G G
    """
    state = scene(
        picture,
        "9A!/G/0/-",
        "0:g3,i2,g5:a2,b2,c2,d2,e2,f2,g2,h2,i3,i4:G",
        "39:a5::",
        locations="paddock,quarry,barracks,city-hall,scout-cabin,oracle,fort,cathedral",
        nomads="i3:sword,i4:donation-grass",
        cathedral="2,0",
    )
    assert legal(state) == {
        *("paddock", "quarry", "barracks", "city-hall", "scout-cabin", "cathedral", "sword", "cave-move", "."),
    }, "neither Oracle, Fort, donation nor the farm action"
    assert after(state, "cathedral") == {"other"}, "one more number, but nothing to build with"


def test_rule_4_6_a_returned_warrior_may_be_used_again() -> None:
    state = scene(
        "GGGGGGG/MMMM12G", "3A/G/0/-", "39:a1,c1,e1:e2,f2:G", "40:::", locations="barracks,bazaar", warriors="c1,e1"
    )
    play_all(state, "barracks:c1 bazaar:barracks")
    assert legal(state) == {"b1", "e1"}, "one is in stock again, and b1 touches a1"


# ---- 3 the turn ------------------------------------------------------------------------------------------------------


def test_rule_3_no_end_of_turn_while_a_build_is_possible() -> None:
    state = scene("GGGGG/CCCCC", "3A/G/3/-", "39:a1::G", "40:::")
    assert "." not in legal(state)
    assert "." not in after(state, "b1")
    assert "." not in after(state, "c1")
    assert after(state, "d1") == {"."}


def test_rule_3_extra_actions_that_empty_the_supply_void_the_mandatory_action() -> None:
    state = scene("GGGGG/CC1CN", "8A/G/3/-", "2:a1:e2:G", "40:::", locations="farm", nomads="e2:donation-grass")
    play_all(state, "donation-grass:b1,c1")
    assert (state.builds_left, state.ending, legal(state)) == (0, True, {"."})


def test_rule_3_reshuffle_at_the_moment_the_pile_is_empty() -> None:
    state = scene("GGGGG/CCCCC", "3A/G/0/-", "37:a1::G", "40:::C", deck="D1", discard="FF")
    play_all(state, ". =D")
    assert (state.deck, state.discard) == ("FFG", ""), "ambiguity 35: not only when a card is needed"
