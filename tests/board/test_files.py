"""Map files: sections and boards as text, read as they were written, with one clear sentence for whatever is wrong."""

import pickle
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom_builder.board import (
    Board,
    DrawnMap,
    MapError,
    MapFile,
    Section,
    load_maps,
    parse_maps,
    printed_sections,
)
from kingdom_builder.board.files import LONGEST, errors_in
from kingdom_builder.board.sections import STANDINGS
from kingdom_builder.board.terrain import DIGITS, NAMES
from kingdom_builder.content import BOXES, LOCATIONS, board_of, random_setup, sections_of
from kingdom_builder.content.maps import EMPTY, MOST_PROBLEMS, inspect_map, parse_checked
from kingdom_builder.message import Refusal
from kingdom_builder.notation import parse_position, position_of
from kingdom_builder.rules import State

LETTERS = "".join(NAMES)


@st.composite
def rows_and_locations(draw: st.DrawFn, height: int, width: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A map of this size on which every location that it names has a hex."""
    hexes = height * width
    keys = draw(st.lists(st.sampled_from(sorted(LOCATIONS)), max_size=min(hexes, len(DIGITS))))
    letters = draw(st.lists(st.sampled_from(LETTERS + DIGITS[: len(keys)]), min_size=hexes, max_size=hexes))
    places = draw(st.permutations(range(hexes)))
    for place, digit in zip(places, DIGITS[: len(keys)], strict=False):
        letters[place] = digit
    return tuple("".join(letters[row * width : (row + 1) * width]) for row in range(height)), tuple(keys)


@st.composite
def sections(draw: st.DrawFn) -> Section:
    rows, keys = draw(rows_and_locations(10, 10))
    key = draw(st.from_regex(r"[a-z0-9][a-z0-9-]{0,39}", fullmatch=True))
    box = draw(st.sampled_from([*BOXES, "own", "a box of mine"]))
    return Section(key, keys, box, draw(st.sampled_from(STANDINGS)), rows)


@st.composite
def boards(draw: st.DrawFn) -> DrawnMap:
    rows, keys = draw(rows_and_locations(draw(st.integers(1, 20)), draw(st.integers(1, 20))))
    printable = st.characters(exclude_categories=("C", "Z"), exclude_characters="|", include_characters=" ")
    name = draw(st.text(printable, min_size=1, max_size=40).map(str.strip).filter(bool))
    return DrawnMap(name, keys, rows)


files = st.builds(
    MapFile,
    st.lists(sections(), max_size=3).map(lambda found: {section.key: section for section in found}),
    st.lists(boards(), max_size=2).map(lambda found: {board.name: board for board in found}),
).filter(lambda file: bool(file.maps))


@given(files)
def test_what_is_written_is_read(file: MapFile) -> None:
    assert parse_maps(str(file)) == file
    assert parse_checked(str(file)) == file
    for drawn in file.maps:
        assert Board(drawn.rows, drawn.locations).map == drawn.rows


def test_the_printed_sections_survive_being_written() -> None:
    assert parse_maps(str(MapFile(printed_sections()))).sections == printed_sections()


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    for error in errors_in(text, 5):
        assert error.line >= 1
        assert error.column >= 1
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
        with pytest.raises(MapError):
            parse_maps(text)
    assert len(inspect_map(text).problems) <= MOST_PROBLEMS


SLIPS = st.sampled_from([*"GCDX1239.#|:;, \n\t\0é'", "##", "\r\n", "# ", "kingdom-builder-maps 1\n"])


@given(files, st.lists(st.tuples(st.floats(0, 1), SLIPS, st.integers(0, 12)), min_size=1, max_size=4))
def test_slips_are_refused_or_read_as_another_map(file: MapFile, slips: list[tuple[float, str, int]]) -> None:
    text = str(file)
    for place, inserted, cut in slips:
        at = int(place * len(text))
        text = text[:at] + inserted + text[at + cut :]
    try:
        read = parse_maps(text)
    except Refusal:
        seen = inspect_map(text)
        assert any(problem.stops for problem in seen.problems)
        assert seen.found is None
    else:
        assert parse_maps(str(read)) == read
        assert errors_in(text, 1) == []


BOARD = "kingdom-builder-maps 1\n\n## Isles | farm\nGG1\nDDD\n"
MALFORMED = {
    "a newer version": ("kingdom-builder-maps 2\n" + BOARD, 1, "a map file of version '2': expected version 1"),
    "no version": ("kingdom-builder-maps\n" + BOARD, 1, "a map file of version ''"),
    "a board without a name": (BOARD.replace("Isles", ""), 3, "expected '## name | locations'"),
    "three fields": (BOARD.replace("| farm", "| farm | x"), 3, "expected '## name | locations'"),
    "a long name": (BOARD.replace("Isles", "I" * 41), 3, "expected 1 to 40 characters"),
    "a name with a control character": (BOARD.replace("Isles", "Is\aes"), 3, "expected 1 to 40 characters"),
    "a section with a bad name": ("# Ä: farm | own | own\n" + "GGGGGGGGG1\n" * 10, 1, "name 'Ä': expected"),
    "ten locations": (BOARD.replace("farm", ",".join(["farm"] * 10)), 3, "expected 1 to 9 names"),
    "a location that cannot be a key": (BOARD.replace("farm", "fårm"), 3, "location 'fårm': expected a name of a-z"),
    "rows of different length": (BOARD.replace("DDD", "DD"), 5, "2 hexes in row 'DD': expected 3"),
    "a row that is too long": (BOARD.replace("DDD", "D" * 21), 5, "21 hexes in row 2: expected 1 to 20"),
    "too many rows": (BOARD + "DDD\n" * 19, 3, "21 rows in board 'Isles': expected 1 to 20"),
    "no rows": ("## Isles", 1, "0 rows in board 'Isles': expected 1 to 20"),
    "the same name twice": (BOARD + BOARD.partition("\n\n")[2], 6, "a second board 'Isles': expected every name once"),
    "too long": ("; " + "x" * LONGEST, 1, f"expected at most {LONGEST}"),
}


@pytest.mark.parametrize("what", list(MALFORMED))
def test_a_malformed_board_is_refused_with_its_place(what: str, tmp_path: Path) -> None:
    text, line, message = MALFORMED[what]
    path = tmp_path / "mine.kbm"
    path.write_text(text, "utf-8")
    with pytest.raises(MapError, match=re.escape(f"{path}, line {line}: ")) as error:
        load_maps(path)
    assert message in str(error.value)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.kbm"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MapError, match="expected a map file in UTF-8"):
        load_maps(path)


def test_a_section_may_have_a_name_and_no_location() -> None:
    rows = "GGGGGGGGGG\n" * 10
    found = parse_maps(f"# my isle: | own | own\n{rows}\n# other: farm | own | own\n{rows.replace('GG', 'G1', 1)}")
    assert {key: section.locations for key, section in found.sections.items()} == {"my-isle": (), "other": ("farm",)}


def problems(text: str) -> list[str]:
    return [str(problem.message) for problem in inspect_map(text).problems]


def test_a_problem_has_its_place_on_the_map() -> None:
    seen = inspect_map("## x | farm\n  GGX\nG3G\n")
    places = [(problem.line, problem.row, problem.column) for problem in seen.problems]
    assert places == [(2, 1, 3), (3, 2, 2), (1, None, None)]
    assert seen.found is None
    assert {count.letter: count.n for count in seen.counts}["G"] == 4


def test_an_unfinished_map_says_how_much_is_missing() -> None:
    seen = inspect_map(f"## x\nGG{EMPTY}\n{EMPTY}{EMPTY}G\n")
    [problem] = seen.problems
    assert str(problem.message) == "3 hexes are still empty"
    assert (problem.row, problem.column, problem.stops) == (1, 3, True)


def test_a_map_that_can_be_played_on_may_be_doubtful() -> None:
    seen = inspect_map("## x\nGGDDFF\nCCCCCC")
    assert seen.found is not None
    assert [str(problem.message) for problem in seen.problems] == [
        "no forest: its terrain cards are replaced when drawn",
        "12 hexes to build on: two players have 80 settlements",
    ]
    assert problems("## x\nWWM") == ["no land of any terrain card: nobody could build"]
    assert problems("## x | farn\nG1")[0].startswith("unknown location 'farn'")
    assert problems("## x\nG\n## y\nG")[0] == "2 maps in one text: expected one at a time"
    assert "16 nomad spaces: there are tiles for 15" in problems(f"## x\n{'N' * 16}G")


def test_a_typed_in_section_is_compared_with_what_is_known_of_the_printed_one() -> None:
    stand_in = printed_sections()["cathedral"]
    text = "\n".join(["# cathedral, watchtower | harvest | own", *stand_in.rows])
    assert problems(text) == []
    assert problems(text.replace("I", "G")) == ["silo: the printed section has 1 of them"]
    assert problems(text.replace("watchtower", "palisade")) == ["the printed section has Cathedral and Watchtower"]
    tower = "\n".join(["# tower | base | own", *printed_sections()["tower"].rows])
    assert problems(tower) == []
    assert problems(tower.replace("TTTTMM", "TTTTMT")) == ["this takes the place of the printed section 'tower'"]


@pytest.mark.parametrize("key", list(printed_sections()))
def test_printed_sections_are_within_their_own_range(key: str) -> None:
    section = printed_sections()[key]
    seen = inspect_map(str(MapFile({key: section})))
    assert seen.found == section
    assert sum(count.n for count in seen.counts) == 100
    if section.standing != "stand-in":
        assert [count for count in seen.counts if not count.least <= count.n <= count.most] == []


def test_an_own_section_without_castles_has_no_capitol() -> None:
    bare = Section("oracle", ("oracle",), "base", "own", ("GCDFTGCDF1", *["GCDFTGCDFT"] * 9))
    sets = ["base", "capitol"]
    board = board_of("oracle/farm/oasis/tower", {**printed_sections(), "oracle": bare})
    assert random_setup(Random(1), sets=sets, board=board).capitols == 0
    assert random_setup(Random(1), sets=sets, board=board_of("oracle/farm/oasis/tower")).capitols


def test_own_sections_join_those_of_the_boxes() -> None:
    typed_in = replace(printed_sections()["bazaar"], standing="own")
    mine = replace(typed_in, key="mine", expansion="a box of mine")
    own = {"bazaar": typed_in, "mine": mine}
    assert sections_of(["base"], own) == sections_of(["base"])
    assert sections_of(["harvest"], own) == sections_of(["harvest"]) | {"bazaar": typed_in}
    assert sections_of(["harvest", "own"], own)["mine"] == mine


def test_a_position_carries_a_map_that_is_not_printed() -> None:
    typed_in = replace(printed_sections()["bazaar"], standing="own")
    board = board_of("bazaar'/farm/oasis/tower", {**printed_sections(), "bazaar": typed_in})
    state = State(random_setup(Random(3), board=board, sets=["base", "harvest", "caves", "capitol", "nomads"]))
    line = position_of(state)
    again = parse_position(line)
    assert position_of(again) == line
    assert again.setup.board.map == state.setup.board.map
    assert not again.setup.board.placed
