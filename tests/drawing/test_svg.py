"""Pictures: what is on the board is on the picture, once, and can be distinguished without colour."""

import re
from itertools import combinations
from math import cbrt
from xml.etree import ElementTree

import pytest

from kingdom_builder.board import Board, PlacedSection, printed_sections
from kingdom_builder.board.terrain import LAND, MOUNTAIN, NAMES, WATER
from kingdom_builder.content import make_setup, piece_kinds
from kingdom_builder.drawing.artwork import FIGURES, TEXTURES, THINGS
from kingdom_builder.drawing.figures import HOUSES
from kingdom_builder.drawing.palette import GROUND
from kingdom_builder.drawing.svg import Picture, centre, draw, picture
from kingdom_builder.hexes import BIT, NEAR, HexSet, hex_at, hexset, parse_hex
from kingdom_builder.rules import State
from kingdom_builder.rules.pictures import CONTENT

SVG = "{http://www.w3.org/2000/svg}"
TERRAINS = (*LAND, WATER, MOUNTAIN)

FIGURE_FILES = {file.stem: file for file in sorted((CONTENT / "figures").iterdir())}
OWNED = {key for key, kind in piece_kinds().items() if kind.owned}

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


def spots(*names: str) -> HexSet:
    return hexset(map(parse_hex, names))


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
    five = [hexes] * 5
    picture = draw(
        EVERY_LETTER,
        pieces=five,
        figures=dict.fromkeys((*[key for key, kind in piece_kinds().items() if kind.owned], "dragons"), five),
        things=dict.fromkeys(
            (*THINGS, *[key for key, kind in piece_kinds().items() if not kind.owned], "ruins"), hexes
        ),
        flags=[1] * 5,
        highlight=hexes,
        last=hexes,
    )
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
        assert one.colours.roof != other.colours.roof
        assert one.roof != other.roof
        assert one.mark != other.mark
        assert one.emblem != other.emblem


def test_pieces_stand_on_their_hexes() -> None:
    board = first_game()
    seats = [hexset([hex_at(0, 1), hex_at(1, 1)]), 0, hexset([hex_at(19, 19)])]
    picture = draw(board, pieces=seats)
    assert places(picture, "settlement-1-hexes") == {("63", "24"), ("84", "60")}
    assert layer(picture, "settlement-2-hexes") == []
    assert [use.get("href") for use in layer(picture, "settlement-3-hexes")] == ["#kb-settlement-3"]


@pytest.mark.parametrize("kind", ["warriors", "wagons", "ships", "scouts"])
def test_figures_stand_on_their_hexes(kind: str) -> None:
    picture = draw(first_game(), figures={kind: [0, spots("b1", "b2")]})
    assert places(picture, f"{kind}-2-hexes") == {("63", "24"), ("84", "60")}
    assert layer(picture, f"{kind}-1-hexes") == []
    assert HOUSES[1].colours.roof in picture
    assert HOUSES[1].emblem in picture


def shapes(figure: str) -> list[str]:
    return re.findall(r' d="([^"]*)"', figure)


def test_kinds_of_figures_differ_in_shape() -> None:
    for one, other in combinations(FIGURE_FILES.values(), 2):
        assert shapes(one.read_text("utf-8"))[0] != shapes(other.read_text("utf-8"))[0], (one, other)


def test_every_figure_file_is_that_of_a_kind_of_piece() -> None:
    kinds = piece_kinds().values()
    assert FIGURE_FILES.keys() == {kind.key for kind in kinds if kind.sign} | {
        kind.whole for kind in kinds if kind.whole
    }


@pytest.mark.parametrize("key", sorted(FIGURE_FILES))
def test_a_figure_file_is_a_picture_by_itself(key: str) -> None:
    text = FIGURE_FILES[key].read_text("utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox")
    assert len(root) == len(text.splitlines()) - 2
    if key in OWNED:
        assert HOUSES[0].colours.roof in text
        assert text.count(HOUSES[0].emblem) == 1


@pytest.mark.parametrize("key", sorted(OWNED))
def test_a_figure_has_the_colours_and_the_emblem_of_its_seat_alone(key: str) -> None:
    for seat, house in enumerate(HOUSES):
        drawn = draw(Board(["G"]), figures={key: [0] * seat + [spots("a1")]})
        for other in HOUSES:
            assert (f'fill="{other.colours.roof}"' in drawn) == (other is house)
            assert (f'd="{other.emblem}"' in drawn) == (other is house and key != "settlement")


def test_kinds_without_a_drawing_are_discs() -> None:
    board = Board(["GGGG"])
    picture = draw(board, figures={"dragons": [spots("a1")], "elephants": [spots("b1")]}, things={"ruins": spots("c1")})
    assert places(picture, "pieces-1-hexes") == {("21", "24"), ("63", "24")}
    assert places(picture, "pieces-hexes") == {("105", "24")}


def test_a_city_hall_is_one_building_over_its_seven_hexes() -> None:
    board = Board(["GGGG"] * 4)
    middle = parse_hex("b2")
    hall = layer(draw(board, figures={"city-halls": [NEAR[middle] | BIT[middle]]}), "city-halls-1-hexes")
    assert [(use.get("href"), use.get("x"), use.get("y")) for use in hall] == [("#kb-city-hall-1", "84", "60")]


def test_hexes_that_make_no_whole_city_hall_are_towers() -> None:
    towers = layer(draw(Board(["GGGG"]), figures={"city-halls": [spots("a1", "c1")]}), "city-halls-1-hexes")
    assert [use.get("href") for use in towers] == ["#kb-city-halls-1"] * 2


def test_walls_and_capitols_belong_to_nobody() -> None:
    board = Board(["GGKK"])
    picture = draw(board, things={"walls": spots("b1"), "capitols": spots("d1")})
    assert places(picture, "walls-hexes") == {("63", "24")}
    assert places(picture, "capitols-hexes") == {("147", "24")}


def test_nomad_tiles_lie_on_their_spaces() -> None:
    board = Board(["NGN"])
    tiles = {parse_hex("a1"): "sword", parse_hex("c1"): "outpost"}
    with_icon, without = layer(draw(board, nomads=tiles, icons={"sword": '<path d="M1 1h22"/>'}), "nomads")
    assert with_icon.find(f"{SVG}g/{SVG}path[@d='M1 1h22']") is not None
    assert [tile.findtext(f"{SVG}title") for tile in (with_icon, without)] == ["sword", "outpost"]
    assert without.findtext(f"{SVG}text") == "Ou"
    assert layer(draw(board), "nomads") == []


def test_marked_rows_carry_a_flag_in_the_gap_at_their_end() -> None:
    flags = layer(draw(Board(["GG", "GG", "GG"]), flags=[0b001, 0, 0b110]), "flags")
    assert [(flag.get("href"), flag.get("x"), flag.get("y")) for flag in flags] == [
        ("#kb-flags-1", "94", "24"),
        ("#kb-flags-3", "10", "60"),
        ("#kb-flags-3", "94", "96"),
    ]
    assert layer(draw(Board(["GG"]), flags=[0, 0]), "flags") == []


def test_highlights_and_last_pieces_are_marked() -> None:
    board = first_game()
    last = hexset([hex_at(3, 4), hex_at(3, 5)])
    picture = draw(board, highlight=board.terrain["D"], last=last)
    assert len(layer(picture, "highlight-hexes")) == board.terrain["D"].bit_count() > 0
    assert places(picture, "last-hexes") == {(str(x), str(y)) for x, y in (centre(hex_at(3, 4)), centre(hex_at(3, 5)))}
    assert layer(draw(board), "highlight-hexes") == layer(draw(board), "last-hexes") == []


def test_hexes_outside_the_map_are_refused() -> None:
    board = Board(["GG"])
    with pytest.raises(ValueError, match="settlement-2 holds hexes outside the map"):
        draw(board, pieces=[BIT[hex_at(0, 0)], BIT[hex_at(0, 2)]])
    with pytest.raises(ValueError, match="highlight holds hexes outside"):
        draw(board, highlight=BIT[hex_at(1, 0)])
    with pytest.raises(ValueError, match="ships-1 holds hexes outside"):
        draw(board, figures={"ships": [BIT[hex_at(1, 0)]]})
    with pytest.raises(ValueError, match="walls holds hexes outside"):
        draw(board, things={"walls": BIT[hex_at(1, 0)]})
    with pytest.raises(ValueError, match="6 seats: expected at most 5"):
        draw(board, pieces=[0] * 6)
    with pytest.raises(ValueError, match="6 seats: expected at most 5"):
        draw(board, figures={"ships": [0] * 6})


def test_coordinates_stand_on_all_four_sides_or_not_at_all() -> None:
    board = Board(["GGG", "GGG"])
    texts = [label.text for label in layer(draw(board), "coordinates")]
    assert sorted(map(str, texts)) == sorted("aabbcc1122")
    assert layer(draw(board, coordinates=False), "coordinates") == []


def test_column_letters_stand_over_the_hexes_of_the_outer_rows() -> None:
    board = Board(["G", "G"])
    columns = [label.get("x") for label in layer(draw(board), "coordinates") if label.text == "a"]
    assert columns == [str(centre(hex_at(0, 0))[0]), str(centre(hex_at(1, 0))[0])]


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


def test_the_title_names_the_other_pieces() -> None:
    figures = {"warriors": [0, spots("b1")], "city-halls": [spots("c1", "d1")]}
    root = ElementTree.fromstring(draw(Board(["GGGG"]), pieces=[spots("a1"), 0], figures=figures))
    assert root[0].text == (
        "Kingdom Builder map, 4 by 1 hexes; seat 1: 1 settlements, city halls on 2 hexes; "
        "seat 2: 0 settlements, warriors on 1 hexes"
    )


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


def everything() -> State:
    """A state with every kind of thing on the board, put there by hand."""
    board = Board(
        ["GGGGGGK", "GGGGGGK", "GGGGGWN", "MGGG1WN", "AAAIVGG", "2G3G4GG"],
        ["lighthouse", "barracks", "wagon", "city-hall"],
    )
    nomads = {parse_hex("g3"): "sword", parse_hex("g4"): "outpost"}
    state = State(make_setup(board, ["mayors"], nomads=nomads, capitols=spots("g2")))
    city_hall = NEAR[parse_hex("b2")] | BIT[parse_hex("b2")]
    state.memory = {
        "city-halls": city_hall,
        "warriors": spots("e1"),
        "wagons": spots("a4"),
        "ships": spots("f3"),
        "walls": spots("f1"),
        "mayors": 0b100 | 0b10 << 32,
    }
    state.special_pieces = city_hall | spots("e1", "a4", "f3")
    state.own = [city_hall | spots("e1", "d3"), spots("a4", "f3", "f2")]
    state.scouts = spots("d4")
    state.player = 1
    state.tiles_left[0] = 1
    state.tiles_left[state.setup.tile_hex.index(parse_hex("g4"))] = 0
    return state


def test_everything_of_a_state_is_on_its_picture() -> None:
    drawn = picture(everything())

    def at_hex(name: str) -> tuple[str, str]:
        x, y = centre(parse_hex(name))
        return str(x), str(y)

    for name, where in {
        "settlement-1": ["d3"],
        "settlement-2": ["f2"],
        "city-halls-1": ["b2"],
        "warriors-1": ["e1"],
        "wagons-2": ["a4"],
        "ships-2": ["f3"],
        "scouts-2": ["d4"],
        "scouts-1": [],
        "walls": ["f1"],
        "capitols": ["g2"],
    }.items():
        assert places(drawn, f"{name}-hexes") == set(map(at_hex, where)), name
    assert [tile.findtext(f"{SVG}title") for tile in layer(drawn, "nomads")] == ["sword"]
    locations = [location.findtext(f"{SVG}title") for location in layer(drawn, "locations")]
    assert locations == ["lighthouse, 1 left", "barracks, 2 left", "wagon, 2 left", "city-hall, 2 left"]
    assert [flag.get("href") for flag in layer(drawn, "flags")] == ["#kb-flags-1", "#kb-flags-2"]


def test_the_picture_of_a_new_game_has_no_pieces() -> None:
    drawn = picture(State(everything().setup))
    assert len(layer(drawn, "nomads")) == 2
    assert not re.search(r"(seat|warriors|wagons|ships|scouts|city-halls|walls|pieces)-", drawn)
