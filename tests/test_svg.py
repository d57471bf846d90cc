"""Pictures: what is on the board is on the picture, once, and can be told apart without colour."""

import re
from itertools import combinations
from math import cbrt
from xml.etree import ElementTree

import pytest

from kingdom_builder.artwork import FIGURES, GROUND, HOUSES, TEXTURES
from kingdom_builder.board import Board, PlacedSection, printed_sections
from kingdom_builder.board.terrain import LAND, MOUNTAIN, NAMES, WATER
from kingdom_builder.hexes import BIT, at, hexset
from kingdom_builder.svg import Picture, centre, draw

SVG = "{http://www.w3.org/2000/svg}"
TERRAINS = (*LAND, WATER, MOUNTAIN)

EVERY_LETTER = Board(["GCDFTA", "WMVKNI", "1GGGG2"], ["oracle", "foresters-lodge"])


def first_game() -> Board:
    sections = printed_sections()
    return Board.of_sections([PlacedSection(sections[key]) for key in ("tavern", "paddock", "oasis", "farm")])


def layer(picture: str, name: str) -> list[ElementTree.Element]:
    """The elements of one layer of the picture; empty if the layer is missing."""
    group = ElementTree.fromstring(picture).find(f"{SVG}g[@class='kb-{name}']")
    return [] if group is None else list(group)


def places(picture: str, name: str) -> set[tuple[str | None, str | None]]:
    return {(use.get("x"), use.get("y")) for use in layer(picture, name)}


def lightness(colour: str) -> float:
    """CIE L* of a #rrggbb colour, 0 to 100."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 116 * cbrt(0.2126 * red + 0.7152 * green + 0.0722 * blue) - 16


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 20), (20, 1), (2, 2), (7, 3), (11, 11), (20, 20)])
def test_every_size_is_well_formed_and_has_one_use_per_hex(height: int, width: int) -> None:
    board = Board(["G" * width] * height)
    picture = draw(board)
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert len(layer(picture, "ground")) == len(places(picture, "ground")) == height * width


def test_everything_lies_inside_the_view() -> None:
    for board in (Board(["G"]), Board(["GG"]), Board(["G", "G"]), first_game()):
        for coordinates in (True, False):
            picture = draw(board, coordinates=coordinates)
            view = ElementTree.fromstring(picture).get("viewBox", "").split()
            left, top, width, height = map(int, view)
            for use in layer(picture, "ground"):
                x, y = int(use.get("x", "")), int(use.get("y", ""))
                assert left < x - 21 < x + 21 < left + width
                assert top < y - 24 < y + 24 < top + height


def test_a_full_board_is_compact() -> None:
    board = first_game()
    picture = draw(board, pieces=[board.hexes], highlight=board.buildable, last=board.buildable)
    assert len(picture) < 150_000


def test_every_letter_is_drawn() -> None:
    picture = draw(EVERY_LETTER)
    drawn = {re.sub(r"#kb-(.)\d", r"\1", use.get("href", "")) for use in layer(picture, "ground")}
    assert drawn == {*NAMES, "1"}


def test_every_reference_has_its_definition_and_every_id_our_prefix() -> None:
    hexes = EVERY_LETTER.buildable
    picture = draw(EVERY_LETTER, pieces=[hexes] * 5, highlight=hexes, last=hexes)
    elements = list(ElementTree.fromstring(picture).iter())
    ids = [element.attrib["id"] for element in elements if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    assert all(identity.startswith("kb-") for identity in ids)
    references = {element.attrib["href"] for element in elements if "href" in element.attrib}
    assert references <= {f"#{identity}" for identity in ids}


def test_every_terrain_has_its_own_colour_and_texture() -> None:
    assert len({GROUND[letter] for letter in TERRAINS}) == len(TERRAINS)
    variants = [variant for letter in TERRAINS for variant in TEXTURES[letter]]
    assert all(variants)
    assert len(variants) == len(set(variants))


def test_terrains_differ_in_greyscale() -> None:
    for one, other in combinations(TERRAINS, 2):
        assert abs(lightness(GROUND[one]) - lightness(GROUND[other])) > 3, (one, other)


def test_special_hexes_have_their_own_figures() -> None:
    assert set(FIGURES) == set("KNIV")
    assert len(set(FIGURES.values())) == len(FIGURES)
    for letter, figure in FIGURES.items():
        assert figure in draw(Board([letter]))


def test_seats_differ_in_shape_not_only_in_colour() -> None:
    for one, other in combinations(HOUSES, 2):
        assert one.roof_colour != other.roof_colour
        assert one.roof != other.roof
        assert one.mark != other.mark


def test_pieces_stand_on_their_hexes() -> None:
    board = first_game()
    seats = [hexset([at(0, 1), at(1, 1)]), 0, hexset([at(19, 19)])]
    picture = draw(board, pieces=seats)
    assert places(picture, "seat-1-hexes") == {("63", "24"), ("84", "60")}
    assert layer(picture, "seat-2-hexes") == []
    assert [use.get("href") for use in layer(picture, "seat-3-hexes")] == ["#kb-seat-3"]


def test_highlights_and_last_pieces_are_marked() -> None:
    board = first_game()
    last = hexset([at(3, 4), at(3, 5)])
    picture = draw(board, highlight=board.terrain["D"], last=last)
    assert len(layer(picture, "highlight-hexes")) == board.terrain["D"].bit_count() > 0
    assert places(picture, "last-hexes") == {(str(x), str(y)) for x, y in (centre(at(3, 4)), centre(at(3, 5)))}
    assert layer(draw(board), "highlight-hexes") == layer(draw(board), "last-hexes") == []


def test_hexes_outside_the_map_are_refused() -> None:
    board = Board(["GG"])
    with pytest.raises(ValueError, match="seat-2 holds hexes outside the map"):
        draw(board, pieces=[BIT[at(0, 0)], BIT[at(0, 2)]])
    with pytest.raises(ValueError, match="highlight holds hexes outside"):
        draw(board, highlight=BIT[at(1, 0)])
    with pytest.raises(ValueError, match="6 seats: expected at most 5"):
        draw(board, pieces=[0] * 6)


def test_coordinates_stand_on_all_four_sides_or_not_at_all() -> None:
    board = Board(["GGG", "GGG"])
    texts = [label.text for label in layer(draw(board), "coordinates")]
    assert sorted(map(str, texts)) == sorted("aabbcc1122")
    assert layer(draw(board, coordinates=False), "coordinates") == []


def test_column_letters_stand_over_the_hexes_of_the_outer_rows() -> None:
    board = Board(["G", "G"])
    columns = [label.get("x") for label in layer(draw(board), "coordinates") if label.text == "a"]
    assert columns == [str(centre(at(0, 0))[0]), str(centre(at(1, 0))[0])]


def test_stock_is_shown_by_full_and_hollow_pips() -> None:
    location = EVERY_LETTER.locations[0][0]

    def pips(left: int) -> list[str | None]:
        drawn = layer(draw(EVERY_LETTER, stock={location: left}), "locations")[0]
        return [pip.get("fill") for pip in drawn.iter(f"{SVG}circle")]

    hollow, full = pips(0)[0], pips(2)[0]
    assert hollow != full
    assert (pips(0), pips(1), pips(2)) == ([hollow] * 2, [full, hollow], [full] * 2)
    assert "<circle" not in draw(EVERY_LETTER)


def test_locations_show_their_icon_or_else_their_first_letters() -> None:
    icon = '<path d="M1 1h22"/>'
    with_icon, without = layer(draw(EVERY_LETTER, icons={"oracle": icon}), "locations")
    assert with_icon.find(f"{SVG}g/{SVG}path[@d='M1 1h22']") is not None
    assert without.findtext(f"{SVG}text") == "Fo"


def test_odd_location_names_are_escaped() -> None:
    picture = draw(Board(["1"], ["<&>"]))
    assert layer(picture, "locations")[0].findtext(f"{SVG}title") == "<&>"


def test_lines_between_hexes() -> None:
    def kinds(*rows: str) -> set[str]:
        return set(re.findall(r'class="kb-(soft|strong|coast|seam)"', draw(Board(rows))))

    assert kinds("G") == set()
    assert kinds("GG") == kinds("MV") == {"soft"}
    assert kinds("GC") == {"strong"}
    assert kinds("GW") == {"coast"}
    assert kinds("G" * 10) == {"soft"}
    assert kinds("G" * 11) == {"soft", "seam"}
    assert kinds(*"G" * 11) == {"soft", "seam"}


def test_every_side_is_drawn_once() -> None:
    picture = draw(Board(["GC", "WG"]))
    sides: dict[str, int] = {}
    for element in ElementTree.fromstring(picture).findall(f"{SVG}path"):
        sides[element.get("class", "")] = element.get("d", "").count("M")
    assert sum(sides.values()) == 4 * 6 - 5  # five pairs of neighbours share a side


def test_the_picture_scales_with_the_hexes() -> None:
    small, large = (ElementTree.fromstring(draw(Board(["GG"]), hex_size=size)) for size in (24, 48))
    assert small.get("viewBox") == large.get("viewBox")
    assert float(large.get("width", "")) == 2 * float(small.get("width", ""))


def test_the_picture_has_a_title_for_those_who_cannot_see_it() -> None:
    root = ElementTree.fromstring(draw(EVERY_LETTER, pieces=[EVERY_LETTER.buildable]))
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == "Kingdom Builder map, 6 by 3 hexes; seat 1: 10 settlements"


def test_the_same_board_gives_the_same_picture() -> None:
    assert draw(first_game(), pieces=[1, 2]) == draw(first_game(), pieces=[1, 2])


def test_nothing_refers_to_the_outside() -> None:
    picture = draw(first_game(), pieces=[1], highlight=2)
    assert picture.count("http") == 1
    assert 'xmlns="http://www.w3.org/2000/svg"' in picture
    assert not re.search(r'href="[^#]|url\(|@import|<script|<image', picture)


def test_notebooks_show_the_picture() -> None:
    picture = draw(Board(["G"]))
    assert isinstance(picture, Picture)
    assert picture._repr_svg_() == picture
