"""Rulings on location tiles (RULES 5) and on what may be moved (RULES 6.1)."""

import pytest
from scenes import after, legal, pieces, play_all, scene, tiles

from kingdom_builder.hexes import parse_hex
from kingdom_builder.notation import play

# ---- gaining ---------------------------------------------------------------------------------------------------------


def test_rule_5_1_a_tile_by_building_and_by_moving() -> None:
    """c2 touches the farm on b2; the paddock on f2 brings another piece there."""
    state = scene("GGGGGGG/G1GGG2G", "3A/G/0/-", "39:e2:f2:G", "40:::C", locations="farm,paddock")
    play(state, "paddock:e2-c2")
    assert tiles(state) == ["farm"]
    assert legal(state) == {"."}, "5.3: fresh"


def test_rule_5_1_nothing_from_an_empty_location() -> None:
    state = scene("GGGG/G1GG", "3A/G/3/-", "40:::G", "40:::C", locations="farm", stock="0")
    play(state, "b1")
    assert tiles(state) == []


def test_ambiguity_40_one_tile_from_each_location_beside_the_hex() -> None:
    state = scene("GGGGG/G1G2G", "3A/G/3/-", "40:::G", "40:::C", locations="farm,oracle")
    play(state, "c2")
    assert tiles(state) == ["farm", "oracle"]


def test_rule_5_2_never_again_from_a_hex_even_after_the_sword() -> None:
    state = scene("GGGGG/G1GGN", "3B/G/0/-", "39:c2:b2:G", "39:e1:e2:G", locations="farm", nomads="e2:sword")
    play_all(state, "sword:c2")
    assert (tiles(state), state.tiles_left[0]) == ([], 1), "ambiguity 14: lost by the Sword; 38: not put back"
    play_all(state, ". =G b1")
    assert (tiles(state), state.tiles_left[0]) == ([], 1)


def test_rule_5_3_fresh_until_the_next_turn() -> None:
    state = scene("GGGGG/G1GGG", "3A/G/2/-", "39:c2:b2+:G", "40:::C", locations="farm")
    assert after(state, "d2 e2") == {"."}


def test_rule_5_3_the_crossroads_tile_works_at_the_end_of_the_same_turn() -> None:
    state = scene("GGGGG/G1GGG", "3A/G/1/-", "40:::G", "40:::C", locations="crossroads")
    play_all(state, "b1 . =D")
    assert state.player == 0, "a second card"
    play(state, "=T")
    assert (state.player, state.hands[0]) == (1, "DT")


def test_rule_5_4_two_of_a_kind_each_once() -> None:
    state = scene("GGGGGG/G1GG1G", "3A/G/0/-", "38:a2,f2:b2,e2:G", "40:::C", locations="farm")
    assert after(state, "farm:a1") == {"farm", "."}
    assert after(state, "farm:b1") == {"."}


# ---- losing ----------------------------------------------------------------------------------------------------------

LAKE = """
    D D G G G W W
     D 1 G G G M W
    D D G 2 G V G
     G G G N G G G
"""
"""The farm is on b2, what moves the piece next to it on d3; the settlement on c2 leaves the farm."""


@pytest.mark.parametrize(
    ("location", "moves", "fields"),
    [
        ("barn", "barn:c2-e2", {}),
        ("harbor", "harbor:c2-f1", {}),
        ("paddock", "paddock:c2-e2", {}),
        ("caravan", "caravan:c2-d1", {}),
        ("palisade", "palisade:c2-e2", {}),
    ],
)
def test_rule_5_5_moves_lose_tiles_at_once(location: str, moves: str, fields: dict[str, str]) -> None:
    """Ambiguity 33: not at the end of the turn."""
    state = scene(LAKE, "3A/G/0/-", "37:c2,d2,e1:b2,d3:G", "40:::C", locations=f"farm,{location}", **fields)
    play(state, moves)
    assert "farm" not in tiles(state)


def test_rule_5_5_resettlement_checks_after_every_step() -> None:
    """Ambiguity 13: c2-d1-c2 loses the farm on the way, though the piece comes back."""
    state = scene(
        LAKE.replace("2", "G"), "3A/G/0/-", "39:c2:b2,d4:G", "40:::C", locations="farm", nomads="d4:resettlement"
    )
    play(state, "resettlement:c2-d1")
    assert tiles(state) == ["resettlement"]
    play_all(state, "c2 done")
    assert tiles(state) == ["resettlement"]


def test_rule_5_5_a_step_along_the_location_keeps_its_tile() -> None:
    state = scene(
        LAKE.replace("2", "G"), "3A/G/0/-", "39:c2:b2,d4:G", "40:::C", locations="farm", nomads="d4:resettlement"
    )
    play(state, "resettlement:c2-c3,done")
    assert "farm" in tiles(state)


def test_rule_5_5_a_cave_move_loses_tiles() -> None:
    state = scene("GGVGGVG/GGG1GGG", "3A/G/0/-", "39:d1:d2:G", "40:::C", locations="farm")
    play(state, "cave-move:d1-g1")
    assert tiles(state) == []


@pytest.mark.parametrize(
    ("location", "kind", "place", "moves"),
    [
        ("wagon", "wagons", "c2", "wagon:c2,other"),
        ("wagon", "wagons", "c2", "wagon:c2-d2,done"),
        ("lighthouse", "ships", "c3", "lighthouse:c3,other"),
        ("lighthouse", "ships", "c3", "lighthouse:c3-d3,done"),
        ("barracks", "warriors", "c2", "barracks:c2"),
    ],
)
def test_rule_5_5_a_meeple_moved_or_taken_back_loses_tiles(location: str, kind: str, place: str, moves: str) -> None:
    state = scene(
        "GGGGGG/G1GGG2/GGWWGG",
        "3A/G/0/-",
        f"39:{place},f1:b2,f2:G",
        "40:::",
        locations=f"farm,{location}",
        **{kind: place},
    )
    play(state, moves)
    assert tiles(state) == [location]


@pytest.mark.parametrize(("place", "left"), [("c2", ["oracle"]), ("e1", ["farm", "oracle"])])
def test_rule_5_5_the_sword_costs_tiles(place: str, left: list[str]) -> None:
    state = scene(LAKE, "3A/G/0/-", "40::d4:G", "37:c2,d2,e1:b2,d3:", locations="farm,oracle", nomads="d4:sword")
    play(state, f"sword:{place}")
    assert tiles(state, 1) == left


def test_rule_5_5_a_warrior_moved_by_a_paddock_loses_its_tile() -> None:
    state = scene(
        "GGGGGG/G1GGG2/GGGGG3",
        "3A/G/0/-",
        "40:c2:b2,f2:G",
        "40:::",
        locations="farm,paddock,barracks",
        warriors="c2",
    )
    play(state, "paddock:c2-e2")
    assert tiles(state) == ["barracks", "paddock"]


def test_rule_5_6_the_action_is_finished_even_if_its_own_tile_is_lost() -> None:
    """The wagon leaves the very location that moves it, and still has two steps."""
    state = scene("GGGGGG/G1GGGG", "3A/G/0/-", "40:c2:b2:G", "40:::", locations="wagon", wagons="c2")
    assert after(state, "wagon:c2-d2") == {"c2", "e2", "d1", "e1", "done"}
    assert tiles(state) == []
    assert after(state, "e2 f2") == {"."}
    assert pieces(state) == {"f2"}


TWINS = """
    G G G G G G G
     G 1 G G G 1 G
    G G G G G G N
"""


def test_rule_5_7_the_used_one_of_two_equal_tiles_goes_first() -> None:
    """Ambiguity 34: the tile of b2 was used, the contact to f2 is lost; one tile is left, and it is used."""
    state = scene(TWINS, "3A/G/0/-", "38:a2,e2:b2*,f2,g3:G", "40:::", locations="farm", nomads="g3:resettlement")
    play(state, "resettlement:e2-d2,done")
    assert tiles(state) == ["farm", "resettlement"]
    assert legal(state) == {"farm", "."}, "the ready one is kept"


def test_rule_5_7_then_the_fresh_one() -> None:
    state = scene(TWINS, "3A/G/0/-", "38:a2,e2:b2+,f2,g3:G", "40:::", locations="farm", nomads="g3:resettlement")
    play(state, "resettlement:e2-d2,done")
    assert legal(state) == {"farm", "."}


def test_rule_5_7_used_before_fresh() -> None:
    state = scene(TWINS, "3A/G/0/-", "38:a2,e2:b2*,f2+,g3:G", "40:::", locations="farm", nomads="g3:resettlement")
    play(state, "resettlement:e2-d2,done")
    assert state.just_taken != 0
    assert legal(state) == {"."}


def test_rule_5_7_two_ready_ones_leave_one() -> None:
    state = scene(TWINS, "3A/G/0/-", "38:a2,e2:b2,f2,g3:G", "40:::", locations="farm", nomads="g3:resettlement")
    play(state, "resettlement:e2-d2,done")
    assert after(state, "farm:a1") == {"."}


# ---- which pieces ----------------------------------------------------------------------------------------------------

SHORE = """
    G W G G G G
     W 1 M G G 2
    G W M G G G
     G G G G N G
"""
"""The farm b2 touches b1 and a2 (water), c1 (grass), c2 (mountain), b3 (water) and c3 (mountain)."""


@pytest.mark.parametrize(
    ("location", "moves"),
    [
        ("harbor", "harbor:a1-a2"),
        ("barracks", "barracks:c1"),
        ("wagon", "wagon:c2"),
        ("lighthouse", "lighthouse:b1"),
    ],
)
def test_rule_5_8_pieces_that_gain_tiles(location: str, moves: str) -> None:
    own = "a1,a3" if location == "harbor" else "d1,a1"
    state = scene(SHORE, "3A/G/0/-", f"38:{own}:f2:G", "40:::", locations=f"farm,{location}")
    play(state, moves)
    assert "farm" in tiles(state)


@pytest.mark.parametrize(("terrain", "moves"), [("water", "b1,a2,b3"), ("mountain", "c2,c3")])
def test_rule_5_8_settlements_on_water_and_mountain_gain_tiles(terrain: str, moves: str) -> None:
    state = scene(SHORE, "3A/G/0/-", "38:a1,d1:e4:G", "40:::", locations="farm,oracle", nomads=f"e4:donation-{terrain}")
    play(state, f"donation-{terrain}:{moves}")
    assert "farm" in tiles(state)


def test_rule_5_8_city_hall_hexes_gain_and_keep_tiles() -> None:
    state = scene("GGGGGG/GGGG1G/GGGGGG/GGG2GG", "3A/G/0/-", "39:b1:d4:G", "40:::", locations="farm,city-hall")
    play(state, "city-hall:c2")
    assert pieces(state) == {"b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3"}
    assert tiles(state) == ["city-hall", "farm"]


def test_rule_5_8_scouts_gain_no_tiles() -> None:
    state = scene("GGGGGG/GG1GG2", "3A/G/0/-", "39:a1:f2:G", "40:::", locations="farm,scout-cabin")
    play(state, "scout-cabin:b1,b2")
    assert tiles(state) == ["scout-cabin"]


def test_rule_5_8_scouts_keep_no_tiles() -> None:
    """The scout on c1 touches the farm too, when the settlement leaves it."""
    state = scene(
        "GGGGGG/G1GG2N",
        "3A/G/0/-",
        "39:c2:b2,e2,f2:G",
        "40:::",
        locations="farm,scout-cabin",
        nomads="f2:resettlement",
    )
    play_all(state, "scout-cabin:c1,done resettlement:c2-d2,done")
    assert tiles(state) == ["resettlement", "scout-cabin"]


def test_rule_5_9_meeples_stay_without_their_tile_and_cannot_be_moved_by_it() -> None:
    """The settlement next to the wagon's location leaves; the wagon far away stays for good."""
    state = scene("GGGGGGG/G1GGG2G", "3A/G/0/-", "39:c2,g1:b2,f2:G", "40:::", locations="wagon,paddock", wagons="g1")
    assert after(state, "paddock:c2-e2") == {"."}
    assert pieces(state) == {"e2", "g1"}
    assert state.kind_of(parse_hex("g1")) is not None


def test_rule_5_10_leaving_the_nomad_space_costs_nothing() -> None:
    state = scene("GGGGGGG/GG1GGGN", "3A/G/0/-", "39:f2:c2,g2+:G", "40:::", locations="paddock", nomads="g2:sword")
    play(state, "paddock:f2-d2")
    assert tiles(state) == ["paddock", "sword"]


# ---- what may be moved (6.1) -----------------------------------------------------------------------------------------

PIECES = """
    G G G G G G G G G
     G G G W W G G G G
    G G G G W G G G G
     G G G G G G G G G
    1 2 3 4 G G G G G
"""
MOVERS = ["paddock", "barn", "harbor", "caravan", "palisade"]


@pytest.mark.parametrize("mover", MOVERS)
@pytest.mark.parametrize("options", ["-", "meeplesOnlyByOwnAction"])
def test_ambiguity_5_meeples_moved_by_other_actions(mover: str, options: str) -> None:
    """A warrior on h3, a wagon on b1 and a ship on d2, each beside own settlements."""
    state = scene(
        PIECES,
        "3A/G/0/-",
        "36:h3,i3,b1,a1,d2,d1,e1:a5:G",
        "40:::",
        locations=f"{mover},wagon,lighthouse,barracks",
        warriors="h3",
        wagons="b1",
        ships="d2",
        options=options,
    )
    play(state, mover)
    movable = legal(state) & {"h3", "b1", "d2"}
    if options == "meeplesOnlyByOwnAction":
        assert movable == set()
        assert legal(state), "settlements still move"
    elif mover == "harbor":
        assert movable == {"d2"}, "only the ship may stand on water"
    else:
        assert movable == {"h3", "b1"}, "a ship never on land"
