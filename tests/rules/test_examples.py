"""The worked examples of the rules reference (RULES 11) that concern the base game, each as a test.

`data/examples.json` holds all examples. Where an example has a board and pieces they are taken from there; the
others are played on small drawn maps. Player A of the examples is the first seat, B the second. The examples of the
expansions are in `test_rulings_examples.py` and `test_rulings_examples_harvest.py`.
"""

import re
from collections.abc import Sequence

import pytest
import test_rulings_examples
import test_rulings_examples_harvest
from reference.position import neighbours
from scenes import EXAMPLES, cards_left, expected, gold, legal, places, play_all, scene
from scenes import example as scene_of_example

from kingdom_builder.content import CARDS, first_game
from kingdom_builder.hexes import bits, hex_at, hex_name, hex_names, row_col
from kingdom_builder.notation import parse_position, play
from kingdom_builder.rules import State, scores, winners
from kingdom_builder.rules.state import CARD

DECK = "C4D4F4G4T4"
"""A draw pile without the cards in the hands of a table."""


def test_every_example_is_played() -> None:
    tests = [*globals(), *vars(test_rulings_examples), *vars(test_rulings_examples_harvest)]
    played = {match[1].upper() for test in tests if (match := re.match(r"test_(x\d\d)_", test))}
    assert played == set(EXAMPLES)


def example(
    key: str, card: str = "D", builds: int = 3, location: str = "farm", tile: str = "", options: str = "-"
) -> State:
    """The board and the pieces of an example, A to play; `tile` is what A owns, by the hex it came from."""
    return scene_of_example(key, f"3A/{card}/{builds}/-", location, tile, options=options)


def table(picture: str, location: str, turn: str, *seats: str, **fields: str) -> State:
    """A drawn map with one kind of location, a turn and seats as in a position; other fields have defaults."""
    return scene(picture, turn, *seats, locations=location, **{"deck": DECK, **fields})


# ---- building --------------------------------------------------------------------------------------------------------


def test_x01_first_build_of_the_game() -> None:
    assert legal(example("X01")) == expected("X01")
    assert len(expected("X01")) == 8


def test_x02_forced_next_to_an_own_settlement() -> None:
    assert legal(example("X02")) == expected("X02")


def test_x03_any_own_settlement_will_do() -> None:
    assert legal(example("X03")) == expected("X03")


def test_x04_nothing_adjacent_free_choice() -> None:
    state = example("X04")
    assert legal(state) == expected("X01"), "all eight desert hexes"
    play(state, hex_name(hex_at(4, 6)))
    assert legal(state) == places("(5,5) (5,6)")


def test_x06_redraw_at_the_start_of_the_turn() -> None:
    """B ends its turn; A holds desert, but all desert is occupied."""
    record = EXAMPLES["X06"]
    board = "/".join(record["board"]).replace("L", "1")
    mine = ",".join(hex_name(hex_at(*place)) for place, owner, _ in record["pieces"] if owner == "A")
    theirs = ",".join(hex_name(hex_at(*place)) for place, owner, _ in record["pieces"] if owner == "B")
    state = parse_position(f"{board}(farm) - - 2 {DECK} - 2B/G/0/- 39:{mine}::D 32:{theirs}::G")
    play(state, ".")
    assert cards_left(state, "D") == 5
    play(state, "=C")
    assert (state.player, state.awaiting) == (0, CARD), "before any choice"
    assert cards_left(state, "D") == 4, "the desert card leaves the game for good"
    play(state, "=F")
    assert (state.card, state.builds_left) == ("F", 3)
    assert legal(state) == expected("X06")


MEADOW = """
    G G G G G G
     G 1 G G G G
    G G G G G C
     G G G C C C
"""
"""The location b2 touches b1, c1, a2, c2, b3 and c3."""


def test_x08_fewer_than_three_settlements_left() -> None:
    state = table(MEADOW, "paddock", "9A/G/3/-", "2:b1:b2:G", "20:f4::C")
    play(state, "a1")
    assert legal(state) == {"a2", "c1"}
    play(state, "a2")
    assert (state.supply[0], state.builds_left, state.ending) == (0, 0, True), "exactly two are built"
    assert legal(state) == {"paddock", "."}, "moving is still possible"
    play_all(state, "paddock:b1-d1 .")
    assert not state.over


def test_x08_an_action_that_builds_cannot_be_started_with_an_empty_supply() -> None:
    state = table(MEADOW, "farm", "9A/G/3/-", "2:b1:b2:G", "20:f4::C")
    assert "farm" in legal(state)
    play_all(state, "a1 a2")
    assert legal(state) == {"."}


def test_x08_extra_actions_may_take_the_last_settlement_before_the_mandatory_action() -> None:
    state = table(MEADOW, "farm", "9A/G/3/-", "1:b1:b2:G", "20:f4::C")
    play(state, "farm:a1")
    assert (state.builds_left, state.ending) == (0, True)
    assert legal(state) == {"."}


def test_x09_no_extra_action_between_the_builds() -> None:
    state = table(MEADOW, "oracle", "3A/G/3/-", "39:b1:b2:G", "40:::C")
    assert legal(state) == {"a1", "a2", "c1", "oracle"}
    play(state, "a1")
    assert legal(state) == {"a2", "c1"}
    play(state, "a2")
    assert legal(state) == {"a3", "b3", "c1"}
    play(state, "a3")
    assert legal(state) == {"oracle", "."}


def test_x10_first_game_board_check() -> None:
    board = first_game().board
    flowers = {row_col(h) for h in bits(board.terrain["F"])}
    beside = {(row_col(h), key) for h, key in board.locations if neighbours(row_col(h)) & flowers}
    assert beside == {
        ((6, 2), "tavern"),
        ((2, 18), "paddock"),
        ((12, 7), "oasis"),
        ((11, 17), "farm"),
        ((15, 12), "farm"),
    }


LAST_DESERT = """
    D D D T T
     G 1 T G G
    G G G G G
"""


def test_x11_redraw_after_the_mandatory_action() -> None:
    state = table(LAST_DESERT, "oracle", "5A/D/1/-", "30:a1,b1:b2:D", "40:::C")
    assert legal(state) == {"c1"}, "only one desert hex is left for the third build"
    play(state, "c1")
    assert state.awaiting == CARD
    assert cards_left(state, "D") == 4
    play(state, "=T")
    assert legal(state) == {"oracle", "."}
    play(state, "oracle")
    assert legal(state) == {"d1", "c2"}


def test_x11_switch_redraw_only_for_mandatory() -> None:
    state = table(LAST_DESERT, "oracle", "5A/D/1/-", "30:a1,b1:b2:D", "40:::C", options="redrawOnlyForMandatory")
    play(state, "c1")
    assert cards_left(state, "D") == 5
    assert legal(state) == {"."}, "no redraw, and the Oracle is of no use"


# ---- location tiles --------------------------------------------------------------------------------------------------


def test_x13_gaining_a_tile() -> None:
    state = table(MEADOW, "farm", "1A/G/3/-", "40:::G", "40:::C")
    play(state, "a2")
    assert state.tiles_left == [1]
    assert state.held == [1, 0]
    play_all(state, "a1 a3")
    assert legal(state) == {"."}, "not in the turn in which it was taken"
    play_all(state, ". =G f3 f4 e4 . =C")
    assert (state.player, state.round) == (0, 2)
    assert "farm" in legal(state)


def test_x14_only_one_tile_per_location_hex() -> None:
    state = table(MEADOW, "farm", "2A/G/3/-", "39:a2:b2:G", "40:::C")
    play(state, "b3")
    assert state.tiles_left == [1]
    assert state.held == [1, 0]


def test_x15_empty_location() -> None:
    """b2, c2 and d2 link two farms whose tiles are gone."""
    state = table(
        """
        G 1 G 1 G
         G G G G G
        G G G G G
        """,
        "farm",
        "2A/G/3/-",
        "40:::G",
        "40:::C",
        stock="00",
    )
    play_all(state, "b2 c2 d2")
    assert state.held == [0, 0]
    assert state.tiles_left == [0, 0]
    assert gold(state, "workers") == 3, "b2 touches b1, c2 and d2 touch d1"
    assert gold(state, "merchants") == 8


def test_x16_losing_a_tile() -> None:
    state = table(MEADOW, "paddock", "2A/G/0/-", "39:c2:b2:G", "40:::C")
    play(state, "paddock:c2-e2")
    assert legal(state) == {"."}
    assert state.own[0] == 1 << hex_at(1, 4), "the move stands"
    assert state.held == [0, 0]
    assert state.tiles_left == [1], "the tile is not put back"


def test_x17_no_second_tile_after_a_loss() -> None:
    state = table(MEADOW, "paddock", "2A/G/0/-", "39:c2:b2:G", "40:::C")
    play_all(state, "paddock:c2-e2 . =G f3 f4 e4 . =C d2 c2 c3")
    assert state.own[0] >> hex_at(1, 2) & 1, "A is next to the location again"
    assert state.held == [0, 0]
    assert state.tiles_left == [1]


def test_x18_moving_between_two_hexes_of_the_same_location() -> None:
    state = table(MEADOW, "paddock", "2A/G/0/-", "39:a2:b2:G", "40:::C")
    play(state, "paddock:a2-c2")
    assert state.held == [1, 0]
    assert state.tiles_left == [1]


TWO_FARMS = """
    G G G G G G G
     G 1 C C 1 G G
    G G C C G G G
"""


def test_x19_twin_tiles() -> None:
    state = table(TWO_FARMS, "farm", "4A/C/3/-", "38:a2,f2:b2,e2:C", "40:::G")
    play_all(state, "farm:a1 c2 d2 c3")
    assert legal(state) == {"farm", "."}
    play(state, "farm:a3")
    assert legal(state) == {"."}
    assert state.supply[0] == 33


# ---- location actions ------------------------------------------------------------------------------------------------

TILE = hex_name(hex_at(2, 2))
"""The location on the board of X01."""


def use(state: State, location: str) -> set[str]:
    play(state, location)
    return legal(state)


def test_x21_tower_adjacent() -> None:
    assert use(example("X21", location="tower", tile=TILE), "tower") == expected("X21")


def test_x22_tower_not_adjacent() -> None:
    state = example("X22", location="tower", tile=TILE)
    assert use(state, "tower") == expected("X22")
    assert len(expected("X22")) == 19


def test_x23_tavern_horizontal_line() -> None:
    assert use(example("X23", location="tavern", tile=TILE), "tavern") == expected("X23")


def test_x25_tavern_needs_three() -> None:
    state = example("X25", builds=0, location="tavern", tile=TILE)
    assert legal(state) == {"."}


def test_x26_paddock() -> None:
    state = example("X26", location="paddock", tile=TILE)
    assert use(state, "paddock") == {hex_name(hex_at(2, 4))}
    play(state, hex_name(hex_at(2, 4)))
    assert legal(state) == expected("X26")


@pytest.mark.parametrize(("card", "targets"), [("D", expected("X01")), ("T", places("(5,1)"))])
def test_x29_barn_with_nothing_adjacent(card: str, targets: set[str]) -> None:
    state = example("X29", card, location="barn", tile=TILE)
    play_all(state, f"barn {hex_name(hex_at(0, 0))}")
    assert legal(state) == targets


# ---- scoring ---------------------------------------------------------------------------------------------------------


def test_x36_settlements_on_water_by_harbor() -> None:
    """The donation belongs to Nomads; settlements stand on water in the base game too, by the Harbor."""
    state = example("X36")
    assert (gold(state, "fishermen"), gold(state, "miners")) == (1, 2)


def test_x36_the_harbor_brings_them_there() -> None:
    """From e3 on land only f3 is water that touches the rest, so a second settlement must follow there."""
    state = table(
        """
        G G G G G W
         G 1 G G G W
        G G G G G W
         G G G G M W
        """,
        "harbor",
        "6A/G/0/-",
        "37:b1,d3,e3:b2:G",
        "40:::C",
    )
    assert use(state, "harbor") == {"b1", "d3", "e3"}
    play(state, "d3")
    assert legal(state) == {"f3"}, "(2,5), next to e3"
    play(state, "f3")
    assert gold(state, "fishermen") == 1, "e3, not f3"
    assert gold(state, "miners") == 2, "e3 and f3 both touch the mountain"


def test_x64_fishermen() -> None:
    pay, paying = CARDS["fishermen"].score(example("X64"), 0)
    assert pay == 3
    assert set(hex_names(paying)) == expected("X64")


def test_x65_miners() -> None:
    assert gold(example("X65"), "miners") == 4


@pytest.mark.parametrize(
    ("settlements", "pay"),
    [
        ("(1,2) (1,3) (1,4)", 8),
        ("(1,2) (1,3)", 0),
        ("(1,2) (1,3) (1,4) (2,1) (3,0)", 12),
    ],
)
def test_x66_merchants(settlements: str, pay: int) -> None:
    board = "/".join(EXAMPLES["X66"]["board"]).replace("L", "1")
    pieces = ",".join(sorted(places(settlements)))
    state = parse_position(f"{board}(farm) merchants - 22 {DECK} - 3A/G/3/- 35:{pieces}::G 40:::")
    assert gold(state, "merchants") == pay


def test_x66_all_pieces_of_the_example() -> None:
    assert gold(example("X66", "G"), "merchants") == 12


def test_x68_discoverers_and_hermits() -> None:
    state = example("X68", "G")
    assert (gold(state, "discoverers"), gold(state, "hermits")) == (3, 4)


def test_x69_citizens_round_down() -> None:
    assert gold(example("X69", "G"), "citizens") == 4


def test_x71_knights() -> None:
    assert gold(example("X71", "G"), "knights") == 6


CORNERS = ((0, 0), (0, 10), (10, 0), (10, 10))
"""The top left hex of each sector."""


def crowded(*players: Sequence[int], options: str = "-") -> State:
    """A meadow of 20 x 20 on which each player has these numbers of settlements in the four sectors."""
    room = {corner: [(corner[0] + i // 10, corner[1] + i % 10) for i in range(100)] for corner in CORNERS}
    seats = []
    for counts in players:
        pieces = [room[corner].pop() for corner, count in zip(CORNERS, counts, strict=True) for _ in range(count)]
        seats.append(f"{40 - len(pieces)}:{','.join(hex_name(hex_at(*place)) for place in pieces)}::")
    seats[0] += "G"
    board = "/".join(["G" * 20] * 20)
    end = "!" if any(seat.startswith("0:") for seat in seats) else ""
    return parse_position(f"{board} lords,farmers {options} - {DECK} - 9A{end}/G/0/- {' '.join(seats)}")


def test_x72_lords_rulebook_example() -> None:
    state = crowded((8, 0, 0, 0), (8, 0, 0, 0), (6, 0, 0, 0), (2, 0, 0, 0))
    assert [gold(state, "lords", seat) for seat in range(4)] == [12, 12, 6, 0]


@pytest.mark.parametrize(
    ("first", "second", "options", "pay"),
    [
        (5, 3, "-", [12, 6]),
        (4, 4, "-", [12, 12]),
        (5, 0, "-", [12, 6]),
        (5, 0, "lordsNeedPresence", [12, 0]),
        (0, 0, "-", [0, 0]),
        (0, 0, "lordsNeedPresence", [0, 0]),
    ],
)
@pytest.mark.parametrize("sector", range(4))
def test_x73_lords_two_players(first: int, second: int, options: str, pay: list[int], sector: int) -> None:
    here = [i == sector for i in range(4)]
    state = crowded([first * inside for inside in here], [second * inside for inside in here], options=options)
    assert [gold(state, "lords", seat) for seat in range(2)] == pay


def test_x74_farmers() -> None:
    state = crowded((10, 6, 6, 4), (20, 15, 5, 0))
    assert [gold(state, "farmers", seat) for seat in range(2)] == [12, 0]


def test_x75_castles() -> None:
    state = example("X75")
    assert gold(state, "castles") == 3
    assert scores(state) == [3, 0], "castles pay in every game"


def test_x94_base_pieces_on_water() -> None:
    """The meeples belong to Crossroads; a settlement on water next to a mountain pays Miners, not Fishermen."""
    state = parse_position(f"GGGG/GWMG/GWGG - - - {DECK} - 3A/G/3/- 36:b2,a1,c1,d1::G 40:::")
    assert gold(state, "knights") == 6, "three on the first line"
    assert gold(state, "miners") == 3, "b2 on water, and c1 and d1"
    assert gold(state, "fishermen") == 1, "c1 touches the water of b2, which stays water; a1 does not"


# ---- the end ---------------------------------------------------------------------------------------------------------


def test_x91_end_of_the_game() -> None:
    """Three players; the second builds its last settlement in round 12."""
    state = table(
        """
        G G G G G G
         G G G G G G
        1 G G C C C
         G G C C C C
        """,
        "farm",
        "12A/C/3/-",
        "20:::C",
        "1:a1::G",
        "20:::G",
        cards="discoverers",
        deck="C4D4F4G3T4",
    )
    play_all(state, "f3 f4 e4 . =C")
    assert not state.ending
    play(state, "b1")
    assert state.ending
    play_all(state, ". =C")
    assert (state.player, state.round, state.over) == (2, 12, False), "the third still plays"
    play_all(state, "f1 f2 e2")
    assert not state.over
    play(state, ".")
    assert state.over, "the first gets no further turn"
    assert legal(state) == set()
    assert scores(state) == [2, 1, 2]
    assert winners(state) == [0, 2], "equal totals share the victory"
