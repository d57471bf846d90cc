"""Sections, the boards made of them, drawn maps, and setups; above all what is said when they are wrong."""

import re
from collections import Counter
from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest
from base_box import CARDS as BASE_CARDS

from kingdom_builder.board import (
    Board,
    MapError,
    PlacedSection,
    Section,
    load_sections,
    parse_sections,
    printed_sections,
)
from kingdom_builder.content import (
    ALL_SETS,
    BOXES,
    CARDS,
    COMPONENTS,
    LOCATIONS,
    NOMAD_TILES,
    OPTIONS,
    TASKS,
    board_of,
    first_game,
    make_setup,
    random_setup,
    sections_of,
)
from kingdom_builder.hexes import AREA, bits, hex_at, hex_names, row_col, turned, within

BASE = ("oracle", "farm", "tavern", "tower", "harbor", "paddock", "barn", "oasis")

SECTION = """\
# farm, oasis | base | single
GGGGGGGGGG
GG1GGGGGGG
GGGGGGGGGG
DDDDDDDDDD
DDDDDDD2DD
DDDDDDDDDD
CCCCCCCCCC
CCCKCCCCCC
FFFFFFFFFF
TTTTTWWMMM
"""
LINES = SECTION.splitlines()


# ---- the printed sections --------------------------------------------------------------------------------------------


def test_the_twenty_printed_sections_are_those_of_five_boxes() -> None:
    sections = printed_sections()
    assert len(sections) == 20
    assert tuple(sections)[:8] == BASE
    assert Counter(section.expansion for section in sections.values()) == {
        "base": 8,
        "nomads": 4,
        "crossroads": 4,
        "harvest": 4,
    }
    assert all(key == section.key == section.locations[0] for key, section in sections.items())
    assert {section.standing for section in sections.values()} == {"verified", "single", "stand-in"}
    assert sections["lighthouse"].locations == ("lighthouse", "foresters-lodge")


@pytest.mark.parametrize("key", list(printed_sections()))
def test_a_printed_section_has_ten_rows_of_ten_hexes(key: str) -> None:
    section = printed_sections()[key]
    assert [len(row) for row in section.rows] == [10] * 10


def letters(section: Section) -> Counter[str]:
    return Counter("".join(section.rows))


@pytest.mark.parametrize("key", list(printed_sections()))
def test_locations_castles_nomad_spaces_and_silos_are_as_many_as_printed(key: str) -> None:
    """RULES 1.1 to 1.4."""
    section = printed_sections()[key]
    count = letters(section)
    special = (count["1"], count["2"], count["K"], count["N"], count["I"])
    if section.expansion == "base":
        assert special == ((1, 0, 2, 0, 0) if key in ("oracle", "harbor") else (2, 0, 1, 0, 0))
    elif section.expansion == "nomads":
        assert special == ((1, 0, 0, 3, 0) if key == "quarry" else (2, 0, 0, 1, 0))
    elif section.expansion == "crossroads":
        assert special == (1, 1, 1, 0, 0)
    else:
        assert special[:2] == (1, 1)
        assert special[4] == 1
        assert count["A"]


def test_the_base_game_has_28_tiles() -> None:
    hexes = sum(letters(section)["1"] for section in sections_of(["base"]).values())
    assert 2 * hexes == 28


@pytest.mark.parametrize("key", list(printed_sections()))
def test_no_special_hex_lies_on_a_border_and_any_two_are_three_apart(key: str) -> None:
    """RULES 1.6 says so of the sections whose printed layout is known."""
    section = printed_sections()[key]
    if section.standing == "stand-in":
        return
    board = Board(section.rows, section.locations)
    assert not board.special & board.edge
    for h in bits(board.special):
        assert within(1 << h, 2) & board.special == 1 << h


@pytest.mark.parametrize("key", list(printed_sections()))
def test_a_section_turned_twice_is_itself(key: str) -> None:
    section = printed_sections()[key]
    once = section.turned()
    assert once != section.rows
    assert once[0] == section.rows[9][::-1]
    again = Section(section.key, section.locations, section.expansion, section.standing, once)
    assert again.turned() == section.rows


# ---- boards of four sections -----------------------------------------------------------------------------------------


def test_every_section_lies_in_its_place_either_way_round() -> None:
    sections = printed_sections()
    keys = list(sections)
    for shift, turns in product(range(0, 20, 4), product((False, True), repeat=4)):
        four = [sections[key] for key in keys[shift : shift + 4]]
        board = Board.of_sections([PlacedSection(section, turn) for section, turn in zip(four, turns, strict=True)])
        assert (board.height, board.width) == (20, 20)
        for place, (section, turn) in enumerate(zip(four, turns, strict=True)):
            top, left = 10 * (place // 2), 10 * (place % 2)
            for row, col in product(range(10), repeat=2):
                printed = section.rows[9 - row][9 - col] if turn else section.rows[row][col]
                h = hex_at(top + row, left + col)
                if printed.isdigit():
                    assert (h, section.locations[int(printed) - 1]) in board.locations
                else:
                    assert board.letter(h) == printed
                assert board.sectors[place] >> h & 1


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("key", BASE)
def test_every_base_section_fits_in_every_place(key: str, place: int) -> None:
    others = [other for other in BASE if other != key][:3]
    for mark in ("", "'"):
        keys = [*others[:place], key + mark, *others[place:]]
        board = board_of("/".join(keys))
        assert [str(placed) for placed in board.placed] == keys
        own = [h for h, location in board.locations if location == key]
        assert len(own) == letters(printed_sections()[key])["1"]
        assert all(board.sectors[place] >> h & 1 for h in own)


def test_the_sets_of_a_board_divide_it() -> None:
    board = first_game().board
    land = list(board.terrain.values())
    assert sum(land) | board.special == board.hexes == AREA
    assert sum(x.bit_count() for x in land) + board.special.bit_count() == 400
    assert board.buildable == sum(board.terrain[letter] for letter in "CDFGTA")
    assert sum(board.sectors) == AREA
    assert [sector.bit_count() for sector in board.sectors] == [100] * 4
    assert sum(board.rows) == AREA
    assert board.edge.bit_count() == 76
    assert board.buildable_edge == board.edge & board.buildable
    assert board.castles.bit_count() == 4
    assert board.castles.bit_count() == 4
    assert len(board.locations) == 8


def test_turning_all_sections_and_swapping_them_turns_the_board() -> None:
    board = board_of("tavern/paddock'/oasis/farm'")
    other = board_of("farm/oasis'/paddock/tavern'")
    assert {key: turned(x) for key, x in board.terrain.items()} == other.terrain
    assert turned(board.special) == other.special
    assert [(bits(turned(1 << h))[0], key) for h, key in reversed(board.locations)] == list(other.locations)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("farm/oasis/tavern", "3 sections in 'farm/oasis/tavern': expected 4"),
        ("farm/oasis/tavern/tower/barn", "5 sections"),
        ("", "1 section"),
        ("farm/oasis/tavern/shop", "unknown section 'shop': expected one of oracle, farm"),
        ("farm/oasis/tavern/", "unknown section ''"),
        ("farm/oasis/tavern/tower''", 'unknown section "tower\'"'),
        ("farm/oasis/tavern/farm'", "expected four different ones"),
    ],
)
def test_a_board_that_cannot_be_laid_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        board_of(text)


def test_a_board_has_four_sections() -> None:
    with pytest.raises(ValueError, match="1 section: expected 4"):
        Board.of_sections([PlacedSection(printed_sections()["farm"])])


# ---- section files ---------------------------------------------------------------------------------------------------


def test_a_section_is_read_with_its_header_comments_and_blank_lines() -> None:
    text = "; mine\n\n" + SECTION.replace("DDDDDDDDDD\n", "  DDDDDDDDDD  \n; between\n", 1) + "\n"
    sections = parse_sections(text, "mine.txt")
    assert sections == parse_sections(SECTION, "mine.txt")
    section = sections["farm"]
    assert section.locations == ("farm", "oasis")
    assert (section.expansion, section.standing) == ("base", "single")
    assert section.rows == tuple(LINES[1:])


def test_printed_names_become_keys() -> None:
    text = SECTION.replace("# farm, oasis", "# City Hall , Forester's lodge")
    assert parse_sections(text, "f")["city-hall"].locations == ("city-hall", "foresters-lodge")


def changed(line: int, to: str) -> str:
    """The section with one line, counted from 1, replaced."""
    return "\n".join([*LINES[: line - 1], to, *LINES[line:]])


NO_SUCH_HEX = SECTION.replace("2", "D")
MALFORMED = {
    "empty file": ("", 1, "no section: expected a header such as '# farm | base | verified'"),
    "comments only": ("; nothing\n\n", 1, "no section"),
    "rows before the header": (
        "; x\nGGGGGGGGGG\n" + SECTION,
        2,
        "'GGGGGGGGGG' stands before the first header: expected",
    ),
    "header of two fields": (changed(1, "# farm, oasis | base"), 1, "expected '# locations | expansion | standing'"),
    "header of four fields": (changed(1, "# farm | base | single | x"), 1, "expected '# locations | expansion"),
    "empty header": (changed(1, "#"), 1, "expected '# locations | expansion | standing'"),
    "empty field": (changed(1, "# farm, oasis | | single"), 1, "expected '# locations | expansion | standing'"),
    "no location": (changed(1, "# , oasis | base | single"), 1, "expected 1 to 9 names, with commas between"),
    "too many locations": (changed(1, "# a,b,c,d,e,f,g,h,i,j | base | single"), 1, "expected 1 to 9 names"),
    "bad standing": (changed(1, "# farm, oasis | base | sure"), 1, "standing 'sure': expected one of verified, single"),
    "short row": (changed(3, "GG1GGGGGG"), 3, "9 hexes in row 'GG1GGGGGG': expected 10"),
    "long row": (changed(11, "TTTTTWWMMMM"), 11, "11 hexes in row 'TTTTTWWMMMM': expected 10"),
    "unknown letter": (changed(5, "DDDDXDDDDD"), 5, "unknown letter 'X' in column 5: expected GCDFTA"),
    "lower-case letter": (changed(5, "dDDDDDDDDD"), 5, "unknown letter 'd' in column 1"),
    "zero": (changed(5, "DDDDDDDDD0"), 5, "unknown letter '0' in column 10"),
    "digit of no location": (changed(5, "DD3DDDDDDD"), 5, "location 3 in column 3: the header names 2"),
    "location without a hex": (NO_SUCH_HEX, 1, "the header names 'oasis': expected a hex 2 in its rows, found none"),
    "nine rows": ("\n".join(LINES[:-1]), 1, "9 rows in section 'farm': expected 10"),
    "eleven rows": (SECTION + "TTTTTTTTTT\n", 1, "11 rows in section 'farm': expected 10"),
    "no rows": ("# farm | base | single", 1, "0 rows in section 'farm': expected 10"),
    "the same key twice": (SECTION + "\n" + SECTION, 13, "a second section 'farm': expected every key once"),
    "error in the second section": (
        SECTION + SECTION.replace("# farm", "# barn").replace("WWMMM", "WWMM?"),
        22,
        "unknown letter '?' in column 10",
    ),
}


@pytest.mark.parametrize("what", list(MALFORMED))
def test_a_malformed_section_file_is_refused_with_file_line_and_expectation(what: str, tmp_path: Path) -> None:
    text, line, message = MALFORMED[what]
    with pytest.raises(MapError) as error:
        parse_sections(text, "mine.txt")
    assert str(error.value).startswith(f"mine.txt, line {line}: ")
    assert message in str(error.value)
    path = tmp_path / "own.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(MapError, match=re.escape(f"{path}, line {line}: ")):
        load_sections(path)


def test_sections_of_ones_own_are_loaded_and_played(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    keys = ("farm", "tower", "oracle", "paddock")
    path.write_text("\n".join(SECTION.replace("# farm", f"# {key}") for key in keys), "utf-8")
    for sections in (load_sections(path), load_sections(str(path))):
        assert tuple(sections) == keys
        setup = random_setup(Random(1), 3, sections=sections)
        assert {place.section.key for place in setup.board.placed} == set(keys)
        assert {location.key for location in setup.actions} == {*keys, "oasis"}
        board = board_of("farm/tower'/oracle/paddock", sections)
        assert board.map[1][2] == "1"
    with pytest.raises(ValueError, match="unknown section 'barn': expected one of farm, tower, oracle, paddock"):
        board_of("farm/tower/oracle/barn", load_sections(path))


def test_a_file_that_is_not_there_is_an_error_of_the_file_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_sections(tmp_path / "none.txt")


def test_sections_with_many_locations_make_a_board_or_say_why_not() -> None:
    """Nine digits stand for the locations of a map: four sections may name more."""
    rows = ("123GGGGGGG", *["GGGGGGGGGG"] * 9)
    sections = [Section(key, (key, key + "b", key + "c"), "own", "single", rows) for key in "wxyz"]
    with pytest.raises(ValueError, match="locations"):
        Board.of_sections([PlacedSection(section) for section in sections])


# ---- drawn maps ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 20), (20, 1), (3, 7), (10, 10), (11, 12), (20, 20)])
def test_a_drawn_map_may_have_any_size_up_to_20_by_20(height: int, width: int) -> None:
    board = Board(["G" * width] * height)
    assert (board.height, board.width) == (height, width)
    assert board.hexes == board.buildable == board.terrain["G"]
    assert board.hexes.bit_count() == height * width
    assert hex_names(board.hexes) == [
        f"{'abcdefghijklmnopqrst'[col]}{row + 1}" for row in range(height) for col in range(width)
    ]
    inner = max(height - 2, 0) * max(width - 2, 0)
    assert board.edge.bit_count() == height * width - inner
    assert sum(board.sectors) == sum(board.rows) == board.hexes
    assert not board.placed


def test_every_letter_of_a_drawn_map_is_known() -> None:
    board = Board(["GCDFTA", "WMVKNI", "12GGG1"], ["farm", "oasis"])
    assert {letter: hex_names(x) for letter, x in board.terrain.items()} == {
        "C": ["b1"],
        "D": ["c1"],
        "F": ["d1"],
        "G": ["a1", "c3", "d3", "e3"],
        "T": ["e1"],
        "A": ["f1"],
        "W": ["a2"],
        "M": ["b2", "c2"],
    }
    assert hex_names(board.caves) == ["c2"]
    assert hex_names(board.castles) == ["d2"]
    assert hex_names(board.nomad_spaces) == ["e2"]
    assert hex_names(board.silos) == ["f2"]
    assert hex_names(board.special) == ["d2", "e2", "f2", "a3", "b3", "f3"]
    assert [(hex_names(1 << h)[0], key) for h, key in board.locations] == [
        ("a3", "farm"),
        ("b3", "oasis"),
        ("f3", "farm"),
    ]
    assert hex_names(board.beside_water) == ["a1", "b1", "b2", "a3", "b3"]
    assert hex_names(board.beside_mountains) == ["b1", "c1", "d1", "a2", "b2", "c2", "d2", "b3", "c3", "d3"]
    assert hex_names(board.castles) == ["d2"]
    setup = make_setup(board, [])
    assert [str(setup.ground(hex_at(1, col))) for col in range(6)] == [
        "water",
        "mountain",
        "cave",
        "castle",
        "nomad space",
        "silo",
    ]
    assert str(setup.ground(hex_at(2, 0))) == "Farm location"


@pytest.mark.parametrize(("height", "width"), [(1, 11), (9, 20), (11, 3), (12, 13), (20, 20)])
def test_every_hex_is_in_the_sets_of_its_letter(height: int, width: int) -> None:
    letters = "GCDFTAWMVKNI12"
    rows = ["".join(Random(f"{height} {row}").choices(letters, k=width)) for row in range(height)]
    board = Board(rows, ["farm", "oasis"])
    lying = {
        letter: {(row, col) for row in range(height) for col in range(width) if rows[row][col] == letter}
        for letter in letters
    }
    kinds = {
        "castles": "K",
        "nomad_spaces": "N",
        "silos": "I",
        "caves": "V",
        "mountains": "MV",
        "water": "W",
        "special": "KNI12",
        "buildable": "GCDFTA",
        "hexes": letters,
    }
    for name, of_kind in kinds.items():
        found = set(map(row_col, bits(getattr(board, name))))
        assert found == set().union(*(lying[letter] for letter in of_kind)), name
    for letter in "GCDFTA":
        assert set(map(row_col, bits(board.terrain[letter]))) == lying[letter]
    assert {key: {row_col(h) for h, found in board.locations if found == key} for key in ("farm", "oasis")} == {
        "farm": lying["1"],
        "oasis": lying["2"],
    }
    caves = board.mountains & within(board.water, 1)
    assert board.with_caves(caves | ~AREA & (1 << 500) - 1).caves == board.caves | caves


@pytest.mark.parametrize(
    ("rows", "locations", "message"),
    [
        ([], [], "a map of 0 rows: expected 1 to 20 rows of 1 to 20 hexes"),
        ([""], [], "expected 1 to 20 rows of 1 to 20 hexes"),
        (["G"] * 21, [], "a map of 21 rows: expected 1 to 20"),
        (["G" * 21], [], "expected 1 to 20 rows of 1 to 20 hexes"),
        (["GG", "G"], [], "map row 2 has 1 hex: expected 2 as in row 1"),
        (["GG", "GGG"], [], "map row 2 has 3 hexes: expected 2"),
        (["GG", "G "], [], "map row 2: unknown letter ' '"),
        (["Gx"], [], "map row 1: unknown letter 'x'"),
        (["G1"], [], "map row 1: unknown letter '1'"),
        (["G2"], ["farm"], "map row 1: unknown letter '2'"),
        (["G0"], ["farm"], "map row 1: unknown letter '0'"),
    ],
)
def test_a_malformed_drawn_map_is_refused(rows: list[str], locations: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Board(rows, locations)


# ---- setups ----------------------------------------------------------------------------------------------------------


def test_the_first_game_is_that_of_the_rulebook() -> None:
    setup = first_game(3)
    assert [str(place) for place in setup.board.placed] == ["tavern", "paddock", "oasis", "farm"]
    assert [card.key for card in setup.cards] == ["fishermen", "knights", "merchants"]
    assert [card.key for card in setup.scoring] == ["fishermen", "knights", "merchants", "castles"]
    assert setup.players == 3
    assert setup.options == frozenset()


def test_random_setups_draw_four_base_sections_either_way_round_and_three_cards() -> None:
    rng = Random(7)
    seen_sections: Counter[str] = Counter()
    seen_turned: Counter[bool] = Counter()
    seen_cards: Counter[str] = Counter()
    for _ in range(150):
        setup = random_setup(rng)
        assert setup.players == 2
        assert len({place.section.key for place in setup.board.placed}) == 4
        assert len({card.key for card in setup.cards}) == 3
        seen_sections.update(place.section.key for place in setup.board.placed)
        seen_turned.update(place.turned for place in setup.board.placed)
        seen_cards.update(card.key for card in setup.cards)
    assert set(seen_sections) == set(BASE)
    assert set(seen_cards) == set(BASE_CARDS)
    assert min(seen_turned[True], seen_turned[False]) > 200
    assert min(seen_sections.values()) > 40
    assert min(seen_cards.values()) > 20


def test_a_random_setup_follows_from_the_generator_alone() -> None:
    assert random_setup(Random(3), 4) == random_setup(Random(3), 4)
    assert hash(random_setup(Random(3), 4)) == hash(random_setup(Random(3), 4))
    assert random_setup(Random(3), 4) != random_setup(Random(4), 4)
    assert random_setup(Random(3), 4) != random_setup(Random(3), 3)
    assert random_setup(Random(3), 4) != random_setup(Random(3), 4, options=["lordsNeedPresence"])


def test_a_random_setup_keeps_what_is_given() -> None:
    board = board_of("farm/oasis'/tavern/tower")
    setup = random_setup(Random(1), 5, board=board, cards=["lords"], options=["excludeLords"])
    assert setup.board is board
    assert [card.key for card in setup.cards] == ["lords"]
    assert setup.players == 5


def test_lords_can_be_kept_out_of_random_setups() -> None:
    rng = Random(1)
    drawn = {card.key for _ in range(60) for card in random_setup(rng, options=["excludeLords"]).cards}
    assert drawn == set(BASE_CARDS) - {"lords"}


def test_a_random_board_needs_four_sections() -> None:
    three = dict(list(sections_of(["base"]).items())[:3])
    with pytest.raises(ValueError, match="3 sections to choose from: expected at least 4"):
        random_setup(Random(1), sections=three)


@pytest.mark.parametrize("players", [-1, 0, 1, 6])
def test_two_to_five_play(players: int) -> None:
    with pytest.raises(ValueError, match=f"{players} players: expected 2 to 5"):
        first_game(players)
    with pytest.raises(ValueError, match=f"{players} players: expected 2 to 5"):
        random_setup(Random(1), players)


def test_unknown_cards_options_and_locations_are_named_with_the_known_ones() -> None:
    board = Board(["GG1"], ["farm"])
    with pytest.raises(ValueError, match="unknown card 'spies': expected one of fishermen, merchants"):
        make_setup(board, ["lords", "spies"])
    with pytest.raises(ValueError, match="unknown option 'tea': expected one of redrawOnlyForMandatory"):
        make_setup(board, [], options=["tea"])
    with pytest.raises(ValueError, match="unknown location 'shop': expected one of oracle, farm"):
        make_setup(Board(["GG1"], ["shop"]), [])
    with pytest.raises(ValueError, match="lords, lords: expected each only once"):
        make_setup(board, ["lords", "lords"])
    with pytest.raises(ValueError, match="unknown task 'chess': expected one of home-country"):
        make_setup(board, [], tasks=["road", "chess"])
    with pytest.raises(ValueError, match="road, road: expected each only once"):
        make_setup(board, [], tasks=["road", "road"])
    with pytest.raises(ValueError, match="unknown nomad tile 'tent': expected one of donation-grass"):
        make_setup(Board(["GN"]), [], nomads={1: "tent"})
    with pytest.raises(ValueError, match="unknown set 'marshlands': expected one of base, nomads"):
        random_setup(Random(1), sets=["base", "marshlands"])
    with pytest.raises(ValueError, match="expected one with cards, such as base"):
        random_setup(Random(1), sets=["crossroads"])


def test_a_setup_can_be_made_from_generators() -> None:
    setup = make_setup(Board(["GG"]), (key for key in ("lords", "knights")), 2, (key for key in ["excludeLords"]))
    assert [card.key for card in setup.cards] == ["lords", "knights"]
    assert setup.options == {"excludeLords"}


# What RULES 1 says is in each box: locations, cards, tasks, nomad tiles.
CONTENTS = {
    "base": (8, 10, 0, 0),
    "nomads": (4, 3, 0, 15),
    "crossroads": (8, 0, 6, 0),
    "harvest": (8, 6, 0, 0),
    "capitol": (0, 0, 0, 0),
    "caves": (0, 0, 0, 0),
}


def test_every_box_holds_what_the_rulebook_lists() -> None:
    assert ALL_SETS == tuple(BOXES) == tuple(CONTENTS)
    for key, box in BOXES.items():
        counts = (len(box.locations), len(box.cards), len(box.tasks), len(box.nomad_tiles))
        assert (box.key, counts) == (key, CONTENTS[key])
        assert {location.key for location in box.locations} == {
            location for section in sections_of([key]).values() for location in section.locations
        }
    tiles = Counter(tile.key for tile in BOXES["nomads"].nomad_tiles)
    assert sorted(tiles.values()) == [1] * 7 + [2] * 4
    assert set(tiles) == set(NOMAD_TILES)


def test_everything_printed_has_a_key_name_and_sentence_of_its_own() -> None:
    assert len({item.key for item in COMPONENTS}) == len(COMPONENTS)
    assert len({item.text for item in COMPONENTS}) == len(COMPONENTS)
    for catalogue in (LOCATIONS, CARDS, TASKS, NOMAD_TILES):
        assert all(item.key == key for key, item in catalogue.items())
    for item in COMPONENTS:
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", item.key)
        assert item.name[0].isupper()
        assert item.text.endswith(".")
        assert repr(item) == f"<{type(item).__name__}>"
    for key in (*LOCATIONS, *CARDS, *TASKS):
        name = {**LOCATIONS, **CARDS, **TASKS}[key].name
        assert key == name.lower().replace("'", "").replace(" ", "-")
    assert len(OPTIONS) == 13
    assert all(sentence.endswith(".") for sentence in OPTIONS.values())


def test_no_two_printed_things_keep_the_same_field() -> None:
    """What they remember lies in one store: only shared on purpose may a field stand in two places."""
    fields = Counter(field for item in COMPONENTS for field in item.fields)
    assert [field for field, count in fields.items() if count > 1] == []


@pytest.mark.parametrize("sets", [("base", key) for key in ALL_SETS[1:]] + [ALL_SETS], ids="+".join)
def test_random_setups_lay_out_what_the_boxes_bring(sets: tuple[str, ...]) -> None:
    """RULES 2.1 to 2.8."""
    rng = Random("+".join(sets))
    cards: set[str] = set()
    pool = sections_of(sets)
    sections: set[str] = set()
    for _ in range(80):
        setup = random_setup(rng, 3, sets=sets)
        board = setup.board
        laid = [place.section for place in board.placed]
        sections |= {section.key for section in laid}
        cards |= {card.key for card in setup.cards}
        crossroads = sum(section.expansion == "crossroads" for section in laid)
        assert len({task.key for task in setup.tasks}) == len(setup.tasks) == crossroads
        assert set(setup.nomads) == set(bits(board.nomad_spaces))
        places = [2] * len(board.locations) + [1] * len(setup.nomads)
        assert setup.tiles_left == places + [0] * setup.standing.bit_count()
        counts = Counter(tile.key for tile in setup.nomads.values())
        assert not counts - Counter(tile.key for tile in BOXES["nomads"].nomad_tiles)
        with_capitol = [section.key in ("oracle", "harbor") for section in laid] if "capitol" in sets else [False] * 4
        assert [(setup.capitols & sector).bit_count() for sector in board.sectors] == list(map(int, with_capitol))
        assert not setup.capitols & ~board.castles
        possible = board.mountains & ~within(board.special, 2) if "caves" in sets else 0
        assert not board.caves & ~possible
        assert [(board.caves & sector).bit_count() for sector in board.sectors] == [
            int(bool(possible & sector)) for sector in board.sectors
        ]
        standing = {
            action.key for action, tiles in zip(setup.actions, setup.kind_tiles, strict=True) if tiles & setup.standing
        }
        assert standing == set(["farm-action"] * bool(board.terrain["A"]) + ["cave-move"] * bool(board.caves))
    assert sections == set(pool)
    assert cards == {card.key for key in sets for card in BOXES[key].cards}


def test_caves_can_be_tied_to_the_tavern_section() -> None:
    rng = Random(2)
    with_caves = set()
    for _ in range(40):
        board = random_setup(rng, sets=("base", "caves"), options=["cavesOnlyWithTavern"]).board
        with_caves.add(("tavern" in [place.section.key for place in board.placed], bool(board.caves)))
    assert with_caves == {(True, True), (False, False)}


def test_the_order_of_sections_makes_different_boards() -> None:
    boards = {board_of("/".join(keys)).map for keys in permutations(("farm", "oasis", "tavern", "tower"))}
    assert len(boards) == 24


@pytest.mark.parametrize("rows", [("GGGGG",) * 5, ("G" * 9,) * 10, ("G" * 10,) * 11])
def test_a_section_of_another_size_is_none(rows: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="section isle: expected 10 rows of 10 letters"):
        Section("isle", (), "own", "own", rows)
