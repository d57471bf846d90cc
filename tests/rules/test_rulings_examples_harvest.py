"""The worked examples of the rules reference (RULES 11) that concern Harvest and Capitol, each as a test."""

import pytest
from scenes import EXAMPLES, after, example, expected, gold, legal, places, play_all, scene

from kingdom_builder.hexes import hex_at, hex_name
from kingdom_builder.notation import legal_texts, play, position_of
from kingdom_builder.rules import State, scores

# ---- Harvest and Capitol ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("location", "hexes"),
    [("water-mill", "(2,4)"), ("mountain-station", "(3,3)"), ("university", "(1,2) (3,2)")],
)
def test_x55_water_mill_mountain_station_university(location: str, hexes: str) -> None:
    assert after(example("X55", "3A/D/0/-", location, "c3"), location) == places(hexes)


def test_x56_watchtower() -> None:
    assert after(example("X56", "3A/D/0/-", "watchtower", "c3"), "watchtower") == expected("X56")


def test_x58_farm_action() -> None:
    state = example("X58", "3A/G/3/-")
    assert legal(state) == {"a1", "a2", "farm-action"}, "grass only for the card"
    assert after(state, "farm-action") == places("(0,2) (1,1)")
    assert "farm-action" not in after(state, "b2"), "once per round"


def test_x58_no_farmland_neighbour() -> None:
    state = scene("\n".join(EXAMPLES["X58"]["board"]), "3A/G/3/-", "39:a3::G", "40:::")
    assert "farm-action" not in legal(state)


def test_x60_cathedral() -> None:
    picture = """
        G G G G G G
         G 1 G G G G
        G G G G C C
         C C C C C C
    """
    state = scene(picture, "3A/G/3/-", "40:::G", "39:f4::C", locations="cathedral")
    play_all(state, "a1 a2 a3")
    assert state.of_seat("cathedral", 0) == 1, "one at once"
    assert legal(state) == {"."}
    state = scene(picture, "4A/G/3/-", "39:a2:b2:G", "40:::C", locations="cathedral", cathedral="1,0")
    play(state, "cathedral:other")
    assert state.of_seat("cathedral", 0) == 2
    state = scene(picture, "6A/G/0/-", "39:a2:b2:G", "40:::C", locations="cathedral", cathedral="3,0")
    assert after(state, "cathedral") == {"a1", "b1", "a3", "b3", "other"}
    play_all(state, "b1 c1")
    assert "e1" not in legal(state), "each under the adjacency rule"
    assert after(state, "d1") == {"."}
    assert (state.of_seat("cathedral", 0), state.supply[0]) == (0, 36)


def test_x61_bazaar() -> None:
    state = scene(
        """
        G G A G G G V
         G 1 G G 2 G G
        G G G G G G N
        """,
        "3A/G/3/-",
        "37:b1,f1,f2:b2,e2,g3:G",
        "40:::C",
        locations="oracle,bazaar",
        nomads="g3:donation-grass",
    )
    play_all(state, "oracle:a1 farm-action:c1 cave-move:f1-g2 donation-grass:a2,c2,c3 d1 d2 d3")
    assert legal(state) == {"bazaar", "."}
    assert after(state, "bazaar") == {"oracle"}
    play(state, "oracle")
    assert after(state, legal_texts(state)[0]) == {"."}


def silo() -> State:
    """The table of X63: the last turn, of B, is over; A has five settlements left."""
    board = "\n".join(EXAMPLES["X63"]["board"])
    own = ",".join(hex_name(hex_at(*place)) for place, _, _ in EXAMPLES["X63"]["pieces"])
    state = scene(board, "9B!/G/0/-", f"5:{own}::", "0:::G")
    play(state, ".")
    assert (state.player, state.over) == (0, False)
    return state


def test_x63_silo_phase_building() -> None:
    state = silo()
    assert legal(state) == {"c1", "d1", "f4"} | {"b1", "b2", "e1", "d2", "e4", "f3"} | {"."}, "move or build"
    assert after(state, "b1") == {"a1", "a2", "b2", "e1", "d2", "e4", "f3", "."}, "no mix"
    play_all(state, "a1 a2")
    assert (state.over, state.supply[0]) == (True, 2), "up to three"


def test_x63_silo_phase_moving() -> None:
    """c1 and d1 touch the silo; both move away, and the right stays."""
    state = silo()
    assert after(state, "c1") == {"e1", "d2", "e4", "f3"}, "lifted, then placed next to another"
    assert after(state, "f3") == {"d1", "f3", "f4", "."}, "no mix"
    assert after(state, "d1 e3") == {"e3", "f3", "f4", "."}
    play_all(state, "f4 f2")
    assert state.over


def test_x68_rangers() -> None:
    state = example("X68", "3A/G/0/-")
    assert gold(state, "rangers") == 4


def test_x80_travellers() -> None:
    assert gold(example("X80", "3A/G/0/-"), "travellers") == 3


def test_x82_homesteaders() -> None:
    rows = ["".join("G" for _ in range(20))] * 20
    twelve = [f"{letter}{row}" for row in (1, 2) for letter in "abcdef"]
    nine = [f"{letter}{row}" for row in (1, 2, 3) for letter in "klm"]
    three = ["a11", "b11", "c11"]
    state = scene("\n".join(rows), "3A/G/0/-", f"16:{','.join(twelve + nine + three)}::G", "40:::")
    assert gold(state, "homesteaders") == 12


SEVENTH = "\n".join(["GGGGGGGG"] * 8)


def test_x83_mayors() -> None:
    state = scene(SEVENTH, "5A/G/3/-", "20:a7::G", "20:e1::C", cards="mayors")
    play_all(state, "b7 c7")
    assert state.supply[0] == 18
    play(state, "d7")
    assert (state.supply[0], gold(state, "mayors")) == (16, 4)
    assert position_of(state).endswith("mayors=64,0")


def test_x83_the_row_belongs_to_the_first() -> None:
    state = scene(SEVENTH, "6B/G/1/-", "20:a1::", "20:e7,f7,g7::G", cards="mayors", mayors="64,0")
    play(state, "h7")
    assert (gold(state, "mayors", 0), gold(state, "mayors", 1), state.supply[1]) == (4, 0, 19)


def test_x84_mayors_with_an_empty_supply() -> None:
    state = scene(SEVENTH, "5A/G/1/-", "1:a7,b7,c7::G", "20:e1::C", cards="mayors")
    play(state, "d7")
    assert (state.supply[0], gold(state, "mayors"), state.ending) == (0, 0, True)


def test_x85_rovers() -> None:
    rows = ["G" * 20] * 9 + ["G" * 8 + "1" + "G" * 11] + ["G" * 20] * 10
    state = scene("\n".join(rows), "5A/G/3/-", "39:i9:i10:G", "40:::C", locations="paddock", cards="rovers")
    play_all(state, "j9 j10 k10 paddock:j10-i12")
    assert gold(state, "rovers") == 0, "paid at the end of the turn"
    play(state, ".")
    assert gold(state, "rovers") == 2, "moving is not building"


def test_x90_capitol() -> None:
    state = example("X90", "3A/G/0/-", capitols="d3")
    assert gold(state, "capitol") == 4, "a3 is three hexes away"
    assert gold(state, "castles") == 3
    assert scores(state) == [7, 0]
