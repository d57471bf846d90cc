"""Rulings on the nomad tiles (RULES 7)."""

import pytest
from scenes import after, gold, legal, pieces, play_all, scene, tiles

from kingdom_builder.content.nomads import NOMADS
from kingdom_builder.notation import play
from kingdom_builder.rules import State, scores
from kingdom_builder.rules.reasons import prompt

# ---- claiming nomad tiles --------------------------------------------------------------------------------------------

STEPPE = """
    G G G G G G G
     G N G G G N G
    G G G G G G G
     G G G G G G 1
"""


def test_rule_7_a_moved_piece_claims_the_tile_and_it_is_gone_for_others() -> None:
    state = scene(STEPPE, "3A/G/0/-", "39:e2:g4:G", "39:e4::G", locations="paddock", nomads="b2:sword,f2:outpost")
    play(state, "paddock:e2-c2")
    assert tiles(state) == ["paddock", "sword"]
    play_all(state, ". =G d4 c4 c3")
    assert pieces(state, 1) >= {"c3"}
    assert tiles(state, 1) == [], "there was one tile only, and it is never refilled"


def test_rule_7_several_tiles_at_once() -> None:
    state = scene(STEPPE, "3A/G/3/-", "40:::G", "40:::", locations="paddock", nomads="b2:sword,f2:outpost")
    play_all(state, "c2 d2 e2")
    assert tiles(state) == ["outpost", "sword"]


def test_rule_7_usable_in_the_next_round_only() -> None:
    state = scene(STEPPE, "3A/G/1/-", "39:c1::G", "39:g3::G", locations="oracle", nomads="b2:sword,f2:outpost")
    assert after(state, "b1") == {"."}
    play_all(state, ". =G")
    assert tiles(state) == ["sword"]
    play_all(state, "f4 e4 d4 . =G")
    assert (state.round, state.player) == (4, 0)
    assert "sword" in legal(state)
    play_all(state, "a1 a2 a3 .")
    assert tiles(state) == []


def test_rule_7_setup_has_fifteen_tiles() -> None:
    keys = [tile.key for tile in NOMADS.nomad_tiles]
    assert len(keys) == 15
    assert sum(key.startswith("donation-") for key in keys) == 7
    assert [keys.count(key) for key in ("resettlement", "outpost", "sword", "treasure")] == [2, 2, 2, 2]
    assert len({key for key in keys if key.startswith("donation-")}) == 7


# ---- Donation --------------------------------------------------------------------------------------------------------


def donation(terrain: str, picture: str, supply: int = 39, own: str = "a1") -> State:
    return scene(picture, "3A/G/0/-", f"{supply}:{own}:a3:G", "40:::", nomads=f"a3:donation-{terrain}")


@pytest.mark.parametrize(
    ("terrain", "letter"),
    [
        ("grass", "G"),
        ("canyon", "C"),
        ("desert", "D"),
        ("flowers", "F"),
        ("forest", "T"),
        ("water", "W"),
        ("mountain", "M"),
    ],
)
def test_rule_7_donation_of_each_terrain_builds_all_three(terrain: str, letter: str) -> None:
    other = "C" if letter == "G" else "G"
    state = donation(terrain, f"{other}{letter * 4}K/{other * 6}/N{other * 5}")
    play(state, f"donation-{terrain}")
    assert after(state, "b1") == {"c1"}, "no stopping, one by one"
    assert after(state, "c1") == {"d1"}
    assert "." in after(state, "d1")
    assert state.supply[0] == 36


def test_rule_7_donation_counts_caves_as_mountains() -> None:
    state = donation("mountain", "GVMG/GGGG/NGGG")
    play(state, "donation-mountain:b1,c1")
    assert state.acting is None, "stopped for lack of hexes"
    assert state.supply[0] == 37


def test_rule_7_donation_stops_for_lack_of_settlements() -> None:
    state = donation("grass", "GGGGG/MMMMM/NMMMM", supply=2)
    play(state, "donation-grass:b1,c1")
    assert (state.acting, state.supply[0], state.ending) == (None, 0, True)


def test_rule_7_donation_is_impossible_without_hexes() -> None:
    state = donation("desert", "GGGG/GGGG/NGGG")
    assert legal(state) == {"."}


def test_rule_7_nothing_in_between_but_an_outpost() -> None:
    state = scene(
        "GGGGGG/CCC1CC/NNCCCC",
        "3A/G/0/-",
        "39:a1:d2,a3,b3:G",
        "40:::",
        locations="farm",
        nomads="a3:donation-grass,b3:outpost",
    )
    assert after(state, "donation-grass:b1") == {"c1", "outpost"}
    assert after(state, "outpost") == {"c1", "d1", "e1", "f1"}
    assert after(state, "f1") == {"c1", "e1"}
    assert "farm" in after(state, "c1")


# ---- Resettlement ----------------------------------------------------------------------------------------------------


def resettlement(picture: str, own: str, **fields: str) -> State:
    count = len(own.split(","))
    state = scene(
        picture,
        "3A/G/0/-",
        f"{40 - count}:{own}:a3:G",
        "40:::",
        nomads="a3:resettlement",
        **{"locations": "", **fields},
    )
    play(state, "resettlement")
    return state


def test_rule_7_resettlement_at_least_one_step_and_at_most_four() -> None:
    state = resettlement("GGGGGGG/MMMMMMM/NMMMMMM", "a1")
    assert legal(state) == {"a1"}
    assert after(state, "a1") == {"b1"}, "no stopping before the first step"
    assert "done" in after(state, "b1")
    assert after(state, "c1 d1 e1") == {"."}


def test_resettlement_says_how_many_steps_are_left() -> None:
    state = resettlement("GGGGGGG/MMMMMMM/NMMMMMM", "a1")
    play_all(state, "a1 b1 c1")
    assert str(prompt(state)) == "Resettlement: 2 steps left, from c1 or with another settlement."
    play_all(state, "d1")
    assert str(prompt(state)) == "Resettlement: 1 step left, from d1 or with another settlement."


def test_ambiguity_41_resettlement_mixes_pieces() -> None:
    state = resettlement("GGGGGGG/MMMMMMM/NMMMMMM", "a1,g1")
    play_all(state, "a1 b1 g1 f1 b1 c1 f1 e1")
    assert (pieces(state), state.acting) == ({"c1", "e1"}, None)


def test_rule_7_resettlement_over_land_only() -> None:
    state = resettlement("GAWGGGG/MGMMMMM/NMMMMMM", "b1,d1")
    assert after(state, "b1") == {"a1", "b2"}, "neither water nor mountain; farmland under it is land"
    state = resettlement("GAWGGGG/MGMMMMM/NMMMMMM", "a1")
    assert after(state, "a1") == {"b1"}


def test_rule_7_resettlement_takes_tiles_on_the_way() -> None:
    """Ambiguity 13: from a1 over c1, where a nomad tile lies nearby, to e1."""
    state = scene(
        "GGGGGGG/MMNMMM1/NMMMMMM",
        "3A/G/0/-",
        "39:a1:a3:G",
        "40:::",
        locations="farm",
        nomads="c2:sword,a3:resettlement",
        stock="210",
    )
    play(state, "resettlement:a1-b1-c1-d1-e1")
    assert tiles(state) == ["resettlement", "sword"]


# ---- Outpost ---------------------------------------------------------------------------------------------------------

OUTPOST = """
    G G G G G G G
     M M M W M M M
    N M 1 W M M 2
"""


@pytest.mark.parametrize("builds", [3, 2, 1])
def test_rule_7_outpost_for_any_mandatory_build(builds: int) -> None:
    state = scene(OUTPOST, f"3A/G/{builds}/-", "39:a1:a3:G", "40:::", locations="farm,oracle", nomads="a3:outpost")
    assert legal(state) == {"b1", "outpost"}
    assert after(state, "outpost") == {"b1", "c1", "d1", "e1", "f1", "g1"}
    play(state, "g1")
    assert "outpost" not in legal(state), "for one build"
    assert (legal(state) & {"b1", "c1", "d1", "e1", "f1"}) == ({"b1", "f1"} if builds > 1 else set())


@pytest.mark.parametrize(
    ("location", "moves", "near", "far"),
    [
        ("farm", "farm", "b1", "g1"),
        ("oracle", "oracle", "b1", "g1"),
        ("tower", "tower", "b1", "g1"),
        ("cathedral", "cathedral", "b1", "g1"),
        ("barracks", "barracks", "b1", "g1"),
        ("wagon", "wagon", "b1", "g2"),
        ("fort", "fort =G", "b1", "g1"),
        ("mountain-station", "mountain-station", "b1", "g1"),
    ],
)
def test_ambiguity_9_outpost_for_extra_builds_and_meeples(location: str, moves: str, near: str, far: str) -> None:
    fields = {"cathedral": "1,0"} if location == "cathedral" else {}
    state = scene(
        OUTPOST,
        "3A/G/0/-",
        "39:a1:c3,a3:G",
        "40:::",
        locations=f"{location},oasis",
        nomads="a3:outpost",
        **fields,
    )
    play_all(state, moves)
    assert {near, "outpost"} <= legal(state)
    assert far not in legal(state)
    play(state, "outpost")
    assert far in legal(state)
    assert not legal(state) & {"outpost", "other"}
    assert after(state, far) == {"."}


def test_ambiguity_9_outpost_for_a_ship() -> None:
    state = scene(
        "GWGGW/MMMMM/NM1MM", "3A/G/0/-", "39:a1:a3,c3:G", "40:::", locations="lighthouse", nomads="a3:outpost"
    )
    assert after(state, "lighthouse") == {"b1", "outpost"}
    assert after(state, "outpost") == {"b1", "e1"}


@pytest.mark.parametrize(
    ("location", "own", "fields"),
    [
        ("tavern", "a1,b1,c1", {}),
        ("village", "a1,b1,c1", {}),
        ("quarry", "a1", {}),
        ("city-hall", "a1", {}),
        ("scout-cabin", "a1", {}),
        ("paddock", "a1", {}),
        ("caravan", "a1", {}),
        ("palisade", "a1,b1", {}),
        ("barn", "a1,b1", {}),
        ("harbor", "a1,d1", {}),
        ("wagon", "a1,b1", {"wagons": "b1"}),
        ("lighthouse", "a1,d2", {"ships": "d2"}),
    ],
)
def test_ambiguity_9_no_outpost_for_fixed_conditions_walls_and_moves(
    location: str, own: str, fields: dict[str, str]
) -> None:
    picture = """
        G G G G G G G
         G G G W G G G
        N G 1 W G G W
    """
    state = scene(picture, "3A/G/0/-", f"36:{own}:c3,a3:G", "40:::", locations=location, nomads="a3:outpost", **fields)
    assert "outpost" not in legal(state)
    if location in legal(state):
        play(state, location)
        assert "outpost" not in legal(state)
        play(state, min(legal(state)))
        assert "outpost" not in legal(state)


def test_rule_7_no_outpost_for_the_farm_action() -> None:
    state = scene("GAGGA/MMMMM/NMMMM", "3A/G/0/-", "39:a1:a3:G", "40:::", nomads="a3:outpost")
    assert after(state, "farm-action") == {"b1"}


@pytest.mark.parametrize(("location", "source", "far"), [("barn", "a1", "f1"), ("harbor", "a1", "g3")])
def test_option_outpost_for_moves(location: str, source: str, far: str) -> None:
    picture = """
        C C G D D G D
         D W D D D D D
        N D 1 D D D W
    """

    def begin(options: str) -> State:
        state = scene(
            picture, "3A/G/0/-", "38:a1,b1:c3,a3:G", "40:::", locations=location, nomads="a3:outpost", options=options
        )
        play_all(state, f"{location} {source}")
        return state

    assert "outpost" not in legal(begin("-"))
    state = begin("outpostForMoves")
    assert far not in legal(state)
    assert far in after(state, "outpost")
    assert after(state, far) == {"."}


def test_option_outpost_for_moves_gives_a_tied_piece_a_target() -> None:
    """Under `outpostForMoves` the Barn could bring a1 to e1 by the Outpost; without it a1 is tied to its own hex."""
    state = scene(
        "DDCCD/CC1CC/NCCCC",
        "3A/D/0/-",
        "38:a1,b1:a3,c2:D",
        "40:::",
        locations="barn",
        nomads="a3:outpost",
        options="outpostForMoves",
    )
    assert "barn" in legal(state)


# ---- Sword -----------------------------------------------------------------------------------------------------------

WAR = """
    G G G G G G W
     G G G G G G W
    N G 1 2 3 4 W
"""


def war(*seats: str, turn: str = "3A/G/0/-", options: str = "-", **fields: str) -> State:
    return scene(
        WAR,
        turn,
        *seats,
        locations="barracks,wagon,lighthouse,city-hall",
        nomads="a3:sword",
        options=options,
        **fields,
    )


def test_rule_7_sword_one_piece_of_each_other_player() -> None:
    state = war("39:a1:a3:G", "38:b1,c1::", "39:e1::")
    assert after(state, "sword") == {"b1", "c1"}
    assert after(state, "c1") == {"e1"}, "nobody can be spared"
    assert after(state, "e1") == {"."}
    assert state.supply == [39, 39, 40]
    assert pieces(state) == {"a1"}


def test_rule_7_sword_goes_round_from_the_left() -> None:
    state = war("38:b1,c1::", "39:a1:a3:G", "39:e1::", turn="3B/G/0/-")
    assert after(state, "sword") == {"e1"}
    assert after(state, "e1") == {"b1", "c1"}


def test_rule_7_sword_needs_somebody() -> None:
    assert legal(war("39:a1:a3:G", "40:::")) == {"."}


def test_ambiguity_15_sword_takes_meeples_not_the_city_hall() -> None:
    picture = "GGGGGGW/GGGGGGW/NGGG12W/GGG34GW"
    hall = "c1,d1,b2,c2,d2,c3,d3"
    state = scene(
        picture,
        "3A/G/0/-",
        "39:a1:a3:G",
        f"39:{hall},f1,g1,f2,b4::",
        locations="barracks,wagon,lighthouse,city-hall",
        nomads="a3:sword",
        city_halls=hall,
        warriors="b4",
        ships="g1",
        wagons="f2",
    )
    assert after(state, "sword") == {"f1", "g1", "f2", "b4"}
    play(state, "b4")
    assert state.supply[1] == 39, "a warrior goes back to its stock"
    assert state.blocked == 0, "and blocks nothing more"


def test_ambiguity_15_a_player_with_a_city_hall_only_is_skipped() -> None:
    hall = "c1,d1,b2,c2,d2,c3,d3"
    state = scene(
        "GGGGGG/GGGGGG/NGGG1G",
        "3A/G/0/-",
        "39:a1:a3:G",
        f"40:{hall}::",
        locations="city-hall",
        nomads="a3:sword",
        city_halls=hall,
    )
    assert legal(state) == {"."}


@pytest.mark.parametrize(("options", "over"), [("-", True), ("swordCancelsEnd", False)])
def test_ambiguity_16_sword_after_the_end_was_triggered(options: str, over: bool) -> None:
    state = war("0:a1,b1::G", "39:e1:a3:G", turn="9B!/G/0/-", options=options)
    play_all(state, "sword:a1 .")
    assert (state.over, state.ending) == (over, over)


def test_option_sword_cancels_end_and_the_settlement_is_used_again() -> None:
    state = war("0:a1,b1::G", "39:e1:a3:G", turn="9B!/G/0/-", options="swordCancelsEnd")
    play_all(state, "sword:a1 . =G a1")
    assert (state.round, state.supply[0], state.ending) == (10, 0, True), "the end is near again"


def test_ambiguity_16_sword_does_not_cancel_another_players_end() -> None:
    state = war("0:a1,b1::", "0:c1::", "39:e1:a3:G", turn="9C!/G/0/-", options="swordCancelsEnd")
    play(state, "sword:a1")
    assert state.ending, "B's supply is still empty"


# ---- Treasure --------------------------------------------------------------------------------------------------------


def test_rule_7_treasure_pays_at_once_and_is_gone() -> None:
    state = scene(STEPPE, "3A/G/0/-", "39:e2:g4:G", "39:e4::", locations="paddock", nomads="b2:treasure,f2:treasure")
    play(state, "paddock:e2-c2")
    assert (scores(state), tiles(state), state.tiles_left) == ([3, 0], ["paddock"], [1, 0, 1])
    assert gold(state, "treasures") == 3
