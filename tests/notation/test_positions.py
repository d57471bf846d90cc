"""Positions as text: what is written is read back, and what is wrong is pointed at."""

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from playing import PRINTED, SMALL, WIDE, Case, check_place, mutated, play_on, sample

from kingdom_builder.board import Board, PlacedSection, Section
from kingdom_builder.content import ALL_SETS, first_game, make_setup
from kingdom_builder.hexes import hex_name, hex_names
from kingdom_builder.notation import NotationError, board_text, parse_position, position_of
from kingdom_builder.rules import DRAWING, END, Observation, State, observe
from kingdom_builder.rules.state import ACTION, CARD, HAND

# A has used one oasis tile and has a fresh farm tile; B has lost an oasis tile.
LINE = (
    "GDDGG/G1DDG/GGD2G/CCFTT(oasis,farm) lords,knights lordsNeedPresence 01 C3D3F5G4T4 CC"
    " 4A/D/2/- 37:c1,a1,e2:b2*,d3+:D 38:a2,c2:b2-:G"
)


def field(number: int) -> str:
    return LINE.split(" ")[number]


def start_of_field(number: int) -> int:
    return len(" ".join([*LINE.split(" ")[:number], ""]))


def with_field(number: int, text: str) -> str:
    fields = LINE.split(" ")
    return " ".join([*fields[:number], text, *fields[number + 1 :]])


BOARD, CARDS, OPTIONS, STOCK, DECK, DISCARD, TURN, SEAT_A, SEAT_B = range(9)


# ---- what a line says ------------------------------------------------------------------------------------------------


def test_a_line_says_everything_about_a_state() -> None:
    state = parse_position(LINE)
    setup = state.setup
    assert setup.board.map == ("GDDGG", "G1DDG", "GGD2G", "CCFTT")
    assert [card.key for card in setup.cards] == ["lords", "knights"]
    assert setup.options == {"lordsNeedPresence"}
    assert setup.players == 2
    assert state.tiles_left == [0, 1]
    assert state.deck == "CCCDDDFFFFFGGGGTTTT"
    assert state.discard == "CC"
    assert (state.round, state.player, state.card, state.builds_left) == (4, 0, "D", 2)
    assert (state.ending, state.over, state.awaiting, state.acting) == (False, False, None, None)
    assert [hex_names(own) for own in state.own] == [["a1", "c1", "e2"], ["a2", "c2"]]
    assert state.supply == [37, 38]
    assert (state.taken, state.held) == ([0b11, 0b01], [0b11, 0])
    assert (state.ready, state.just_taken) == (0, 0b10)
    assert state.hands == ["D", "G"]
    assert hex_names(state.legal()) == ["b1", "d2"]
    assert type(state) is State


def test_pieces_are_written_row_by_row_and_options_in_order() -> None:
    assert position_of(parse_position(LINE)) == LINE.replace("c1,a1,e2", "a1,c1,e2")
    setup = make_setup(Board(["GG"]), ["workers"], 2, ["redrawOnlyForMandatory", "lordsNeedPresence"])
    line = position_of(State(setup))
    assert line == "GG workers lordsNeedPresence,redrawOnlyForMandatory - C5D5F5G5T5 - 0A/-/0/= 40::: 40:::"


def test_the_first_game_begins_with_dealing() -> None:
    line = "tavern/paddock/oasis/farm fishermen,knights,merchants - 22222222 C5D5F5G5T5 - 0A/-/0/= 40::: 40:::"
    assert position_of(State(first_game())) == line
    assert parse_position(line) == State(first_game())


def test_spaces_around_the_fields_do_not_matter() -> None:
    assert parse_position("  " + LINE.replace(" ", "   ") + " \n") == parse_position(LINE)


@pytest.mark.parametrize(
    ("turn", "seat", "expected"),
    [
        ("4A/D/0/-", "37:a1,c1,e2:b2*,d3+:D", (None, None, None)),
        ("4A!/D/0/-", "37:a1,c1,e2:b2*,d3+:D", (None, None, None)),
        ("4A/=/2/-", "37:a1,c1,e2:b2*,d3+:", (CARD, None, None)),
        ("4A/-/0/=", "37:a1,c1,e2:b2,d3:", (HAND, None, None)),
        ("4B/G/3/-", "37:a1,c1,e2:b2,d3:D", (None, None, None)),
        ("4A/D/0/oasis", "37:a1,c1,e2:b2*,d3+:D", (None, "oasis", None)),
    ],
)
def test_the_turn_says_what_is_going_on(turn: str, seat: str, expected: tuple[str | None, str | None, None]) -> None:
    line = LINE.replace(field(TURN), turn).replace(field(SEAT_A), seat)
    state = parse_position(line)
    assert (state.awaiting, state.acting and state.acting.key, state.source) == expected
    assert state.ending == ("!" in turn)
    assert state.player == "AB".index(turn[1])
    assert position_of(state) == line


def test_a_lifted_piece_and_the_end_of_the_game_are_written() -> None:
    lifted = "GGG/G1G/GGG(paddock) - - 1 C5D5F5G4T5 - 2A/G/0/paddock>a1 39:a1:b2*:G 40:::"
    state = parse_position(lifted)
    assert state.source is not None
    assert hex_names(1 << state.source) == ["a1"]
    assert position_of(state) == lifted
    over = "GGG/G1G/GGG(paddock) - - 1 C5D5F5G4T4 - 20B!/G/0/# 39:a1:b2:T 40:::G"
    assert parse_position(over).over
    assert position_of(parse_position(over)) == over


def test_an_observation_is_the_same_line_with_question_marks() -> None:
    state = parse_position(LINE)
    for seat, hands in ((0, "D?"), (1, "DG"), (None, "D?")):
        line = position_of(observe(state, seat))
        seen = parse_position(line)
        assert "".join(seen.hands) == hands
        assert isinstance(seen, Observation) == ("?" in hands)
        assert position_of(seen) == line
    assert "G5" in position_of(observe(state, 0))


@pytest.mark.parametrize("case", [Case(players, board, 9) for players in (2, 5) for board in (PRINTED, SMALL)], ids=str)
def test_positions_from_random_games_round_trip(case: Case) -> None:
    for state in sample(case, 50):
        line = position_of(state)
        assert "\n" not in line
        assert position_of(parse_position(line)) == line


def test_sections_of_ones_own_are_written_as_a_map() -> None:
    rows = ("1" + "G" * 9, *["C" * 10] * 9)
    own = [PlacedSection(Section(key, (key,), "own", "single", rows)) for key in ("farm", "oasis", "tower", "barn")]
    board = Board.of_sections(own)
    text = board_text(board)
    assert text.startswith("1GGGGGGGGG2GGGGGGGGG/CCCC")
    assert text.endswith("(farm,oasis,tower,barn)")
    state = State(make_setup(board, []))
    assert parse_position(position_of(state)) == state


def test_sections_are_written_with_a_mark_if_turned() -> None:
    line = "barn'/harbor/oracle'/tower - - 222222 C5D5F5G5T5 - 0A/-/0/= 40::: 40:::"
    state = parse_position(line)
    assert [str(place) for place in state.setup.board.placed] == ["barn'", "harbor", "oracle'", "tower"]
    assert position_of(state) == line


# ---- errors ----------------------------------------------------------------------------------------------------------

# What is put in place of a field, where in that field the error is, and a piece of what is said.
WRONG: list[tuple[int, str, int, str]] = [
    # board
    (BOARD, "shop/farm/oasis/tower", 0, "unknown section 'shop': expected one of oracle"),
    (BOARD, "farm/oasis'/tawern/tower", 12, "unknown section 'tawern'"),
    (BOARD, "farm/oasis/tower/farm'", 17, "section 'farm' stands here twice"),
    (BOARD, "farm/oasis/tower/Quarry", 17, "unknown section 'Quarry'"),
    (BOARD, "farm/oasis/tower", 16, "3 sections: expected 4"),
    (BOARD, "farm", 4, "1 section: expected 4"),
    (BOARD, "GDDGG/G1DDG/GGX2G/CCFTT(oasis,farm)", 14, "unknown letter 'X' in the map: expected one of GCDFTA"),
    (BOARD, "GDDGG/G1DDG/GGD3G/CCFTT(oasis,farm)", 15, "unknown letter '3' in the map"),
    (BOARD, "GDDGG/G1DD/GGD2G/CCFTT(oasis,farm)", 6, "4 hexes in this row: expected 5 as in the first"),
    (BOARD, "GDDGG//GGDG(oasis)", 6, "0 hexes in a row: expected 1 to 20"),
    (BOARD, "GDDGG/" + "G" * 21, 6, "21 hexes in a row: expected 1 to 20"),
    (BOARD, "/".join(["GG"] * 21), 0, "a map of 21 rows: expected 1 to 20"),
    (BOARD, "(oasis)", 0, "a map of 0 rows: expected 1 to 20"),
    (BOARD, "GD1(oasis", 9, "the list of locations is not closed: expected ')'"),
    (BOARD, "GD1(oasis,shop)", 10, "unknown location 'shop': expected one of oracle"),
    (BOARD, "GD1(oasis,)", 10, "unknown location ''"),
    # cards and options
    (CARDS, "lords,spies", 6, "unknown card 'spies': expected one of fishermen"),
    (CARDS, "lords,knights,lords", 14, "'lords' stands here twice"),
    (CARDS, "lords,,knights", 6, "unknown card ''"),
    (OPTIONS, "lordsNeedPresence,tea", 18, "unknown option 'tea': expected one of redrawOnly"),
    # tiles on the board
    (STOCK, "03", 1, "'3' tiles: expected 0 to 2"),
    (STOCK, "x1", 0, "'x' tiles: expected 0 to 2"),
    (STOCK, "0", 0, "tiles of 1 place: expected 2"),
    (STOCK, "012", 0, "tiles of 3 places: expected 2"),
    (STOCK, "-", 0, "tiles of 0 places: expected 2"),
    # piles
    (DECK, "C3D3F5G4T4C1", 10, "'C' in the draw pile: expected each of C, D, F, G, T once at most"),
    (DECK, "C4X3", 2, "'X' in the draw pile"),
    (DECK, "C4D0", 3, "0 cards: expected 1 to 5"),
    (DECK, "C4D6", 3, "6 cards: expected 1 to 5"),
    (DECK, "C4D", 2, "expected cards and their numbers, such as C5D4, or '-'"),
    (DECK, "C4d3", 2, "expected cards and their numbers"),
    (DECK, "4C", 0, "expected cards and their numbers"),
    (DECK, "C5D3F5G4T4", 0, "7 canyon cards in piles and hands: expected 5 at most"),
    (DISCARD, "CXC", 1, "'X' in the discard pile: expected C, D, F, G, T or '-'"),
    (DISCARD, "C2", 1, "'2' in the discard pile"),
    # turn
    (TURN, "4A/D/2", 0, "3 parts of the turn: expected round and seat, card, builds left, step"),
    (TURN, "4A/D/2/-/-", 0, "5 parts of the turn"),
    (TURN, "A/D/2/-", 0, "'A': expected the round and a seat from A to B, such as 3A"),
    (TURN, "4C/D/2/-", 0, "'4C': expected the round and a seat from A to B"),
    (TURN, "4F/D/2/-", 0, "'4F': expected the round and a seat"),
    (TURN, "04A/D/2/-", 0, "'04A': expected the round and a seat"),
    (TURN, "4A?/D/2/-", 0, "'4A?': expected the round and a seat"),
    (TURN, "4A/X/2/-", 3, "card 'X': expected C, D, F, G, T, '-' for none or '=' while it is drawn"),
    (TURN, "4A//2/-", 3, "card ''"),
    (TURN, "4A/D/4/-", 5, "'4' settlements to build: expected 0 to 3"),
    (TURN, "4A/D//-", 5, "'' settlements to build"),
    (TURN, "4A/=/2/=", 7, "a card is drawn already: expected '-' or an action in progress"),
    (TURN, "4A/=/2/#", 7, "a card is drawn already"),
    (TURN, "0A/D/2/-", 7, "round 0 is for dealing the first cards: expected '='"),
    (TURN, "4A/D/0/shop", 7, "unknown step 'shop': expected '-', '=', '#' or one of oasis, farm"),
    (TURN, "4A/D/0/harbor", 7, "unknown step 'harbor'"),
    (TURN, "4A/D/0/oasis>z9", 13, "'z9' is not a hex: expected a1 to t20"),
    (TURN, "4A/D/0/oasis>f1", 13, "f1 is not on this board"),
    (TURN, "4A/D/0/oasis>a2", 13, "a2 is the piece to move: expected a hex with a piece of the seat in turn"),
    # seats
    (SEAT_A, "37:a1,c1,e2:b2*,d3+", 0, "3 parts of a seat: expected supply:pieces:tiles:hand"),
    (SEAT_B, "38:a2,c2:b2-:G:", 0, "5 parts of a seat"),
    (SEAT_A, "41:a1,c1,e2:b2*,d3+:D", 0, "supply '41': expected 0 to 40"),
    (SEAT_A, "3x:a1,c1,e2:b2*,d3+:D", 0, "supply '3x': expected 0 to 40"),
    (SEAT_A, "37:a1,c0,e2:b2*,d3+:D", 6, "'c0' is not a hex: expected a1 to t20"),
    (SEAT_A, "37:a1,,e2:b2*,d3+:D", 6, "'' is not a hex"),
    (SEAT_A, "37:a1,c1,f2:b2*,d3+:D", 9, "f2 is not on this board"),
    (SEAT_A, "37:a1,b2,e2:b2*,d3+:D", 6, "b2 (Oasis location) cannot take a piece: expected a hex that is free"),
    (SEAT_A, "37:a1,a1,e2:b2*,d3+:D", 6, "a1 (grass) cannot take a piece"),
    (SEAT_B, "38:a2,c1:b2-:G", 6, "c1 (desert) cannot take a piece"),
    (SEAT_A, "37:a1,c1,e2:b3*,d3+:D", 12, "'b3' has no tile: expected a location or nomad tile that the seat took"),
    (SEAT_A, "37:a1,c1,e2:b9*,d3+:D", 12, "'b9' has no tile"),
    (SEAT_A, "37:a1,c1,e2:bb*,d3+:D", 12, "'bb' has no tile"),
    (SEAT_A, "37:a1,c1,e2:b2*,b2+:D", 16, "the tile of b2 stands here twice: expected each once"),
    (SEAT_B, "38:a2,c2:b2*:G", 11, "mark '*' on a tile: expected it only for the seat in turn"),
    (SEAT_B, "38:a2,c2:b2+:G", 11, "mark '+' on a tile"),
    (SEAT_B, "38:a2,c2:b2-:X", 13, "'X' in a hand: expected C, D, F, G, T or '?'"),
    (SEAT_B, "38:a2,c2:b2-:TG", 13, "hand 'TG': expected 'GT', in the order of the letters"),
    (SEAT_A, "37:a1,c1,e2:b2*,d3+:G", 20, "hand 'G' of the seat in turn: expected its card in play, 'D'"),
    (SEAT_A, "37:a1,c1,e2:b2*,d3+:", 20, "hand '' of the seat in turn"),
    (SEAT_A, "0:a1,c1,e2:b2*,d3+:D", start_of_field(TURN) - start_of_field(SEAT_A), "from an empty supply"),
]


@pytest.mark.parametrize(("number", "text", "offset", "message"), WRONG)
def test_an_error_points_at_the_character_that_is_wrong(number: int, text: str, offset: int, message: str) -> None:
    line = with_field(number, text)
    with pytest.raises(NotationError) as error:
        parse_position(line)
    assert message in error.value.reason
    assert error.value.offset == start_of_field(number) + offset
    assert error.value.column == error.value.offset + 1
    assert error.value.line == 1
    assert error.value.text == line
    assert str(error.value) == f"column {error.value.column}: {error.value.reason}"
    assert error.value.pointer == line + "\n" + " " * error.value.offset + "^"


@pytest.mark.parametrize("count", [0, 1, 8, 13])
def test_a_line_with_the_wrong_number_of_fields_is_pointed_at_its_end(count: int) -> None:
    line = " ".join([*LINE.split(" "), *["40:::"] * 4][:count])
    with pytest.raises(NotationError, match=f"{count} fields?: expected board, cards, options") as error:
        parse_position(line)
    assert error.value.offset == len(line)


@pytest.mark.parametrize(
    ("line", "number", "message"),
    [
        ("GG - - - - - 3A/=/2/- 40::: 40:::", DECK, "a card is to be drawn from an empty pile"),
        ("GG - - - - - 3A/-/0/= 40::: 40:::", DECK, "a card is to be drawn from an empty pile"),
        ("GG - - - G1 - 3A/G/3/- 40:::G 40:::? 40:::?", DECK, "fewer cards than hidden hands"),
        ("GG - - - C5 - 3A/D/3/- 40:::D 40:::", TURN, "the card allows no hex: expected a card with a free hex"),
        ("GG - - - C5 - 3A/-/3/- 40::: 40:::", TURN, "settlements to build without a card"),
        ("G1(tavern) - - 2 C5 - 3A/-/0/tavern 40::: 40:::", TURN, "the action in progress allows no hex"),
    ],
)
def test_a_position_that_cannot_be_played_is_refused(line: str, number: int, message: str) -> None:
    with pytest.raises(NotationError, match=message) as error:
        parse_position(line)
    assert error.value.offset == len(" ".join([*line.split(" ")[:number], ""]))


def test_builds_left_without_a_card_are_refused_even_with_a_tile_to_use() -> None:
    """A state that no game comes to, in which nothing could say why a hex is not legal."""
    line = "GGG/G1G/GGG(farm) - - 1 C5D5F5G5T5 - 3A/-/3/- 39:a1:b2: 40:::"
    with pytest.raises(NotationError) as error:
        parse_position(line)
    assert error.value.offset >= line.index("3A")


def test_the_pointer_shows_the_line_whatever_blanks_stand_in_it() -> None:
    for blank in "\x0b\x0c\x1c\x85\u2028\r":
        line = with_field(CARDS, f"spies{blank}x")
        with pytest.raises(NotationError) as error:
            parse_position(line)
        assert error.value.pointer == line + "\n" + " " * start_of_field(CARDS) + "^"


def test_numbers_without_end_are_errors_like_any_other() -> None:
    with pytest.raises(NotationError):
        parse_position(with_field(DECK, "C" + "9" * 5000))
    with pytest.raises(NotationError):
        parse_position(with_field(TURN, "9" * 5000 + "A/D/2/-"))
    with pytest.raises(NotationError):
        parse_position(with_field(SEAT_A, "9" * 5000 + ":::"))


# ---- the fields of the other boxes -----------------------------------------------------------------------------------

# All at once. A has two cards and has chosen one, an outpost ready, walls around, a warrior, a wagon and a city hall.
FULL = (
    "GGGGGGGG/G1GGGGNG/GGGGGGG3/4GKGWW2G/GGGGWWVG/CCCGGGNG/CCCAAGGI(quarry,cathedral,crossroads,barracks)"
    " families,mayors siloLive 122110 C4D4F4G3T4 - 5A/G/3/- 27:a1,b1,c1,d1,f2,h5,b5,c5,a6,c6,a7,b7,b6:b2,g6:GT"
    " 36:f1,g1,h1,d4:g4:C tasks=road,advance nomads=g2:sword,g6:outpost capitols=c4 cathedral=0,2 chosen=1"
    " families=2,0 mayors=1,0 walls=c2,d2 warriors=h5"
)


def test_a_line_says_everything_about_the_other_boxes() -> None:
    state = parse_position(FULL)
    setup = state.setup
    assert [task.key for task in setup.tasks] == ["road", "advance"]
    assert {hex_name(h): tile.key for h, tile in setup.nomads.items()} == {"g2": "sword", "g6": "outpost"}
    assert hex_names(setup.capitols) == ["c4"]
    assert [action.key for action in setup.actions] == [
        "quarry",
        "crossroads",
        "barracks",
        "cathedral",
        "sword",
        "outpost",
        "farm-action",
        "cave-move",
    ]
    assert state.tiles_left == [1, 2, 2, 1, 1, 0, 0, 0]
    assert hex_names(state.memory["walls"]) == ["c2", "d2"]
    assert hex_names(state.special_pieces) == hex_names(state.memory["warriors"]) == ["h5"]
    assert not state.free & (state.memory["walls"] | state.blocked)
    assert {"g5", "h4", "h6"} <= set(hex_names(state.blocked))
    assert [state.of_seat("cathedral", seat) for seat in (0, 1)] == [0, 2]
    assert [state.of_seat("families", seat) for seat in (0, 1)] == [2, 0]
    assert [state.of_seat("mayors", seat) for seat in (0, 1)] == [1, 0]
    assert (state.hands, state.card, state.choice_is_open()) == (["GT", "C"], "G", False)
    assert state.ready == 0b11100001
    assert position_of(state) == FULL.replace("27:a1,b1,c1,d1,f2,h5,b5,c5,a6,c6,a7,b7,b6", ROW_BY_ROW)


ROW_BY_ROW = "27:a1,b1,c1,d1,f2,b5,c5,h5,a6,b6,c6,a7,b7"


def test_the_order_of_further_fields_does_not_matter() -> None:
    head, tail = FULL.split(" ")[:9], FULL.split(" ")[9:]
    for turn in range(len(tail)):
        line = " ".join([*head, *tail[turn:], *tail[:turn]])
        assert parse_position(line) == parse_position(FULL)


SMALL_LINE = "GGGGG/G1GWG/GGGGG/GGN2V({}) - - 11 C4D4F4G3T4 - 3A{} 38:a1,d3:{}:G 38:e1,e3::G{}"


@pytest.mark.parametrize(
    ("step", "keys", "more", "expected"),
    [
        ("/G/3/wagon>a1*3", "wagon,farm", " wagons=a1", ("wagon", "a1", 3, None, False)),
        ("/G/0/wagon>a1*1", "wagon,farm", " wagons=a1", ("wagon", "a1", 1, None, False)),
        ("/G/0/fort=", "fort,farm", "", ("fort", None, 0, ACTION, False)),
        ("/G/0/fort", "fort,farm", " fort=4", ("fort", None, 0, None, False)),
        ("/G/0~/fort", "fort,farm", " fort=4", ("fort", None, 0, None, True)),
        ("/G/2~/-", "fort,farm", "", (None, None, 0, None, True)),
        ("/G/0/quarry*1", "quarry,farm", " walls=b1", ("quarry", None, 1, None, False)),
        ("/=/0/quarry*1", "quarry,farm", " walls=b1", ("quarry", None, 1, CARD, False)),
        ("/G/0/scout-cabin*1", "scout-cabin,farm", " scouts=b1", ("scout-cabin", None, 1, None, False)),
        ("/G/0/city-hall", "city-hall,farm", "", None),
        ("!/-/0/silo*3", "wagon,farm", " silos=a2", None),
    ],
)
def test_steps_of_the_other_boxes_are_written_and_read(
    step: str, keys: str, more: str, expected: tuple[str | None, str | None, int, str | None, bool] | None
) -> None:
    line = SMALL_LINE.format(keys, step, "b2*,d4", more)
    if "~" in line:
        line = (
            line.replace(" 11 ", " 110 ").replace("b2*,d4:", "b2*,d4,c4*:").replace("e3::G", "e3::G nomads=c4:outpost")
        )
    if "/=/" in line:
        line = line.replace("b2*,d4:G 38", "b2*,d4: 38")
    if expected is None:
        with pytest.raises(NotationError):
            parse_position(line)
        return
    state = parse_position(line)
    source = None if state.source is None else hex_name(state.source)
    assert (state.acting and state.acting.key, source, state.steps, state.awaiting, state.adjacency_lifted) == expected
    assert position_of(state) == line
    assert state.legal()


def test_several_cards_to_draw_are_written() -> None:
    line = SMALL_LINE.format("crossroads,farm", "/-/0/=2", "b2,d4", "")
    line = line.replace("b2,d4:G", "b2,d4:")
    state = parse_position(line)
    assert (state.awaiting, state.steps) == (HAND, 2)
    assert position_of(state) == line
    state.apply(DRAWING["C"])
    assert (state.awaiting, state.steps, state.hands[0]) == (HAND, 1, "C")
    state.apply(DRAWING["T"])
    assert (state.player, state.hands[0]) == (1, "CT")


def test_standing_actions_are_written_only_when_they_are_used() -> None:
    line = "GAV/GGG - - - C4D4F4G3T4 - 3A/G/3/- 39:a1:{}:G 40:::G"
    fresh, used = parse_position(line.format("")), parse_position(line.format("farm-action*"))
    assert fresh.ready == 0b11
    assert used.ready == 0b10
    assert position_of(fresh) == line.format("")
    assert position_of(used) == line.format("farm-action*")
    assert fresh.held == used.held == [0b11, 0b11]


def test_caves_on_printed_sections_are_a_field_of_their_own() -> None:
    line = "tower/paddock/tavern/barn - - 22222222 C5D5F5G5T5 - 0A/-/0/= 40::: 40:::"
    board = parse_position(line).setup.board
    cave = hex_names(board.mountains)[0]
    state = parse_position(f"{line} caves={cave}")
    assert hex_names(state.setup.board.caves) == [cave]
    assert position_of(state) == f"{line} caves={cave}"
    assert [action.key for action in state.setup.actions][-1] == "cave-move"


def wrong_field(field: str, was: str = "", line: str = FULL) -> tuple[str, int]:
    """The line with a further field put in place of another, or behind the others, and where it stands then."""
    fields = line.split(" ")
    if was:
        index = next(i for i, text in enumerate(fields) if text.startswith(was + "="))
        fields[index] = field
    else:
        index = len(fields)
        fields.append(field)
    return " ".join(fields), len(" ".join([*fields[:index], ""]))


WRONG_FURTHER: list[tuple[str, str, int, str]] = [
    ("tasks", "tasks=road,chess", 11, "unknown task 'chess': expected one of home-country"),
    ("tasks", "tasks=road,road", 11, "'road' stands here twice"),
    ("tasks", "tasks=", 0, "expected at most five seats, then fields such as walls=k7"),
    ("tasks", "tasks", 0, "expected at most five seats, then fields such as walls=k7"),
    ("tasks", "=road", 0, "expected at most five seats"),
    ("tasks", "walls=h1", -1, "'walls=c2,d2': expected at most five seats, then fields such as walls=k7, each once"),
    ("nomads", "nomads=g2:sword,g6:tent", 19, "unknown nomad tile 'tent': expected one of donation-grass"),
    ("nomads", "nomads=g2:sword,g6", 18, "unknown nomad tile ''"),
    ("nomads", "nomads=g2:sword,g2:outpost", 16, "a nomad tile on g2: expected a nomad space without one"),
    ("nomads", "nomads=a2:sword,g6:outpost", 7, "a nomad tile on a2: expected a nomad space"),
    ("nomads", "nomads=z2:sword,g6:outpost", 7, "'z2' is not a hex"),
    ("capitols", "capitols=c3", 9, "a capitol on c3: expected a castle"),
    ("capitols", "capitols=c4,t20", 12, "t20 is not on this board"),
    ("", "caves=g5", 0, "caves beside a map: expected the letter V on the map instead"),
    ("", "scouts=a1", 7, "scouts on a1: expected a free hex"),
    ("", "scouts=c2", 7, "scouts on c2: expected a free hex"),
    ("", "rain=a1", 0, "unknown field 'rain': expected one of tasks, nomads, capitols, caves, scouts"),
    ("", "wagons=a1", 0, "unknown field 'wagons'"),
    ("walls", "walls=c2,b2", 9, "walls on b2: expected a free hex"),
    ("walls", "walls=c2,a1", 9, "walls on a1: expected a free hex"),
    ("walls", "walls=c2,c2", 9, "walls on c2: expected a free hex"),
    ("walls", "walls=c2,,d2", 9, "'' is not a hex"),
    ("walls", "walls=i9", 6, "i9 is not on this board"),
    ("cathedral", "cathedral=0", 10, "1 number: expected one for each seat"),
    ("cathedral", "cathedral=0,1,2", 10, "3 numbers: expected one for each seat"),
    ("cathedral", "cathedral=0,x", 12, "'x': expected a number"),
    ("cathedral", "cathedral=0,-1", 12, "'-1': expected a number"),
    ("cathedral", "cathedral=0,1234567890", 12, "'1234567890': expected a number"),
    ("families", "families=2,", 11, "'': expected a number"),
]


@pytest.mark.parametrize(("was", "text", "offset", "message"), WRONG_FURTHER)
def test_an_error_in_a_further_field_is_pointed_at(was: str, text: str, offset: int, message: str) -> None:
    line, start = wrong_field(text, was)
    with pytest.raises(NotationError) as error:
        parse_position(line)
    assert message in error.value.reason
    if offset >= 0:
        assert error.value.offset == start + offset
    check_place(error.value, line)


@pytest.mark.parametrize(
    ("line", "at", "message"),
    [
        (
            FULL.replace(" 122110 ", " 12211 "),
            "12211 ",
            "tiles of 5 places: expected 6, a digit for each location and nomad",
        ),
        (FULL.replace(" 122110 ", " 122120 "), "20 ", "'2' tiles: expected 0 to 1"),
        (FULL.replace(":GT ", ":TG "), "TG ", "hand 'TG': expected 'GT', in the order of the letters"),
        (FULL.replace(":GT ", ":CT "), "CT ", "hand 'CT' of the seat in turn: expected its card in play, 'G'"),
        (FULL.replace("5A/G/3/-", "5A/G/3!/-"), "3!/", "'3!' settlements to build: expected 0 to 3, perhaps with '~'"),
        (FULL.replace("5A/G/3/-", "5A/G/3/sword*"), "sword*", "unknown step 'sword*'"),
        (FULL.replace("5A/G/3/-", "5A/G/3/=1"), "=1", "unknown step '=1'"),
        (
            FULL.replace("5A/G/3/-", "5A/G/3/village"),
            "village",
            "unknown step 'village': expected '-', '=', '#' or one of",
        ),
        (FULL.replace("b2,g6:", "b2,g6,farm-action:"), "farm-action", "expected it once, with '*'"),
        (FULL.replace("b2,g6:", "b2,g6,cave-move*,cave-move*:"), "cave-move*:", "expected it once, with '*'"),
        (FULL.replace("b2,g6:", "b2,c4:"), "c4:", "'c4' has no tile: expected a location or nomad tile"),
        (FULL.replace("g4:C", "g4,farm-action*:C"), "*:C", "mark '*' on a tile: expected it only for the seat in turn"),
        (FULL.replace("chosen=1", "chosen=1,0"), "1,0 fam", "2 numbers: expected one"),
        (
            FULL.replace("warriors=h5", "warriors=h6"),
            "h6",
            "warriors on h6: expected a hex on which a seat has a piece",
        ),
    ],
)
def test_errors_of_the_other_boxes_elsewhere_in_the_line_are_pointed_at(line: str, at: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_position(line)
    assert message in error.value.reason
    assert line[error.value.offset :].startswith(at)
    check_place(error.value, line)


# Lines that no game comes to: they are refused, or harmless.
ODD = {
    "a step of the silo without silos": "GIG/GGG - - - C5D5F5G4T4 - 4B!/-/0/silo*3 39:a1:: 39:c1::",
    "a sword against seats that are not there": (
        "GNG/GGG - - 0 C5D5F5G4T4 - 4A/G/0/sword*6 39:a1:b1*:G 39:c1::T nomads=b1:sword"
    ),
    "several cards without a crossroads": "GGC/GGG - - - C4D5F5G4T4 - 4A/-/3/- 39:a1::CG 39:b1::T",
    "scouts without a scout cabin": "GGC/GGG - - - C4D5F5G4T4 - 4A/G/0/- 39:a1::G 39:b1::T scouts=c2",
    "scouts after the turn": "GGC/G1G(scout-cabin) - - 1 C4D5F5G4T4 - 4A/-/0/= 39:a1:b2: 39:b1::T scouts=c2",
    "a tile ready in the silo phase": "GIG/G1G(farm) - - 0 C5D5F5G4T4 - 4A!/-/0/silo*3 39:a1:b2: 39:c1:b2: silos=b1",
}


NO_DRAW = "GVG/GGG - - - C5D5F5G4T5 - 3A/G/0/cave-move>a1= 39:a1:cave-move*:G 40:::"
"""An action that never draws a card waits for one."""


@pytest.mark.parametrize(
    "line",
    [
        *[pytest.param(line, id=what) for what, line in ODD.items()],
        pytest.param(NO_DRAW, id="a draw for a move"),
    ],
)
def test_a_line_that_is_read_can_be_played_on_and_saved_again(line: str) -> None:
    try:
        state = parse_position(line)
    except NotationError:
        return
    for seed in range(3):
        for step in play_on(state, Random(seed)):
            assert parse_position(position_of(step.after)) == step.after


# ---- mutations -------------------------------------------------------------------------------------------------------

LINES = [
    LINE,
    "GGG/G1G/GGG(paddock) - - 1 C5D5F5G4T5 - 2A/G/0/paddock>a1 39:a1:b2*:G 40:::",
    "GGG/G1G/GGG(barn) - redrawOnlyForMandatory 1 C5D5F5G4T4 - 20C!/G/0/# 39:a1:b2-:T 40::: 40:::G",
    *(position_of(state) for case in (Case(2, PRINTED, 3), Case(4, SMALL, 3)) for state in sample(case, 4)),
    *(position_of(observe(state, 1)) for state in sample(Case(3, SMALL, 3), 3) if not state.over),
    FULL,
    *(position_of(state) for board in (PRINTED, SMALL, WIDE) for state in sample(Case(3, board, 3, (), ALL_SETS), 5)),
    *(position_of(observe(state, 1)) for state in sample(Case(2, SMALL, 4, (), ALL_SETS), 3) if not state.over),
]


@settings(max_examples=1200, deadline=None, database=None)
@given(mutated(LINES))
@example("")
@example(" ")
@example("\n")
@example("-")
def test_a_mutated_line_is_read_or_refused_with_a_place(line: str) -> None:
    try:
        state = parse_position(line)
    except NotationError as error:
        check_place(error, line)
        return
    written = position_of(state)
    again = parse_position(written)
    assert again == state
    assert type(again) is type(state)
    assert again.legal() == state.legal()
    assert position_of(again) == written
    for action in (0, END):
        assert str(state.why_not(action)) != ""


@settings(max_examples=300, deadline=None, database=None)
@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_position(text)
    assert 0 <= error.value.offset <= len(text)


@settings(max_examples=150, deadline=None, database=None)
@given(mutated(LINES), st.integers(0, 2**32))
def test_a_mutated_line_that_is_read_can_be_played_to_the_end_or_says_why_not(line: str, seed: int) -> None:
    """Whatever can be loaded must not break later: a server loads what people type."""
    try:
        state = parse_position(line)
    except NotationError:
        return
    if isinstance(state, Observation):
        return
    for step in play_on(state, Random(seed)):
        assert step.after.legal() or step.after.over
