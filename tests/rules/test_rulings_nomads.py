"""Rulings on the locations of Nomads (RULES 6.2)."""

import pytest
from scenes import after, legal, scene, tiles, walls

from kingdom_builder.notation import play

# ---- Quarry ----------------------------------------------------------------------------------------------------------


def test_rule_6_2_quarry_on_the_terrain_of_the_card_next_to_an_own_piece() -> None:
    """b1 is own, e1 foreign: a wall on a1 or c1; not on d1, nor on the canyon."""
    state = scene("GGGGGG/CCCCC1", "3A/G/0/-", "39:b1:f2:G", "39:e1::", locations="quarry")
    assert after(state, "quarry") == {"a1", "c1"}
    assert after(state, "c1") == {"a1", "done"}, "a wall is no piece: d1 is not next to one"


def test_rule_6_2_quarry_next_to_scouts_and_meeples() -> None:
    state = scene("GGGGGG/CCCC21", "3A/G/0/-", "40:b1:f2:G", "40:::", locations="quarry,wagon", wagons="b1")
    assert after(state, "quarry") == {"a1", "c1"}


QUARRY = """
    G G G G G G G
     G G G G G G G
    G G G G G G G
     G G G G G G G
    G G G G G G 1
"""


@pytest.mark.parametrize(("standing", "still"), [(23, 2), (24, 1), (25, 0)])
def test_rule_6_2_quarry_25_walls_in_all(standing: int, still: int) -> None:
    places = [f"{letter}{row}" for row in (1, 2, 3, 4) for letter in "abcdefg"][:standing]
    state = scene(QUARRY, "3A/G/0/-", "39:c5:g5:G", "40:::", locations="quarry", walls=",".join(places))
    if not still:
        assert legal(state) == {"."}
        return
    play(state, "quarry")
    for _ in range(still):
        play(state, min(legal(state) - {"done"}))
    assert (legal(state), len(walls(state))) == ({"."}, standing + still)


# ---- Caravan ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "target"),
    [
        ("G G G G G G", "f1"),
        ("G G G G W G", "d1"),
        ("G G G G M G", "d1"),
        ("G G G G K G", "d1"),
        ("G C D F A G", "f1"),
    ],
)
def test_rule_6_2_caravan_slides_until_something_stops_it(row: str, target: str) -> None:
    state = scene(row + "/MM1MMM", "3A/G/0/-", "39:a1:c2:G", "40:::", locations="caravan")
    assert after(state, "caravan:a1") == {target}


def test_ambiguity_8_caravan_stops_before_pieces_walls_and_blocked_hexes() -> None:
    def stop(**fields: str) -> set[str]:
        b = "39:g1::" if "warriors" in fields else "40:::"
        state = scene("GGGGGGG/MM1MM23", "3A/G/0/-", "39:a1:c2:G", b, locations="caravan,barracks,quarry", **fields)
        return after(state, "caravan:a1")

    assert stop() == {"g1"}, "the edge"
    assert stop(warriors="g1") == {"e1"}, "f1 is blocked"
    assert stop(walls="d1") == {"c1"}
    foreign = scene("GGGGGGG/MM1MMMM", "3A/G/0/-", "39:a1:c2:G", "39:d1::", locations="caravan")
    assert after(foreign, "caravan:a1") == {"c1"}


def test_rule_6_2_caravan_takes_nothing_on_the_way() -> None:
    """From a1 to g1 it passes the farm on c2 and the nomad space on e2."""
    state = scene(
        "GGGGGGG/M1MMNM2",
        "3A/G/0/-",
        "39:a1:g2:G",
        "40:::",
        locations="farm,caravan",
        nomads="e2:sword",
    )
    play(state, "caravan:a1-g1")
    assert tiles(state) == ["caravan"]


def test_rule_6_2_caravan_needs_a_step_and_no_neighbour() -> None:
    state = scene("GMG/M1M", "3A/G/0/-", "39:a1:b2:G", "40:::", locations="caravan")
    assert legal(state) == {"."}


# ---- Village ---------------------------------------------------------------------------------------------------------


def test_rule_6_2_village_any_land_next_to_three_pieces_of_any_kind() -> None:
    """b2 is farmland between two settlements and a wagon."""
    state = scene(
        "GGGG/GAG1/GGG2", "3A/G/0/-", "38:b1,c1,a2:d2:G", "40:::G", locations="village,wagon", wagons="c1", deck="D3G3"
    )
    assert after(state, "village") == {"b2"}


def test_rule_6_2_village_on_land_only() -> None:
    state = scene("GGGG/GWG1/GGGG", "3A/G/0/-", "37:b1,c1,a2:d2:G", "40:::", locations="village")
    assert legal(state) == {"."}


def test_rule_6_2_quarry_not_without_pieces() -> None:
    assert legal(scene("GGGGGG/CCCCC1", "3A/G/0/-", "40::f2:G", "39:e1::", locations="quarry")) == {"."}
