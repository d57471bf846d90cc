"""The library against a second implementation: geometry in full. the other files here compare the rules."""

import random
from collections import Counter

import pytest
from base_box import LOCATIONS

from kingdom_builder import hexes
from kingdom_builder.board import Board
from kingdom_builder.content import ALL_SETS, BOXES, random_setup, sections_of
from kingdom_builder.hexes import AREA, BIT, NEAR, TWO_AWAY, bits, hex_at, row_col
from kingdom_builder.notation import parse_position
from reference import position as reference
from reference.bridge import WHOLE, hexset, places


def some_places(rng: random.Random) -> set[reference.Place]:
    """Part of the board: sparse, half full or dense."""
    return set(rng.sample(WHOLE, rng.choice([1, 10, 80, 200, 320])))


# ---- geometry --------------------------------------------------------------------------------------------------------


def test_six_neighbours_lie_in_six_directions() -> None:
    """The second implementation agrees with itself: the table of neighbours and the steps are two tellings."""
    for place in WHOLE:
        ahead = {reference.step(place, direction) for direction in reference.DIRECTIONS}
        assert ahead == reference.neighbours(place)
        for direction, opposite in reference.OPPOSITE.items():
            assert reference.step(reference.step(place, direction), opposite) == place


def test_neighbours_of_every_hex() -> None:
    for place in WHOLE:
        assert places(NEAR[hex_at(*place)]) == reference.neighbours(place) & set(WHOLE)


def test_two_steps_in_a_straight_line_from_every_hex() -> None:
    for place in WHOLE:
        twice = {reference.step(reference.step(place, way), way) for way in reference.DIRECTIONS}
        assert places(TWO_AWAY[hex_at(*place)]) == twice & set(WHOLE)


def test_directions_of_every_hex() -> None:
    shifts = dict(zip(("E", "W", "SE", "SW", "NW", "NE"), hexes.DIRECTIONS, strict=True))
    for place in WHOLE:
        for direction, shift in shifts.items():
            ahead = reference.step(place, direction)
            if ahead in WHOLE:
                assert hex_at(*place) + shift == hex_at(*ahead)
            else:
                assert not 0 <= hex_at(*place) + shift < hexes.SIZE or not AREA & BIT[hex_at(*place) + shift]


def test_names_count_columns_by_letter_and_rows_from_one() -> None:
    for row, col in WHOLE:
        assert hexes.hex_name(hex_at(row, col)) == "abcdefghijklmnopqrst"[col] + str(row + 1)


@pytest.mark.parametrize("seed", range(40))
def test_sets_of_hexes(seed: int) -> None:
    rng = random.Random(seed)
    some = some_places(rng)
    x = hexset(some)
    assert places(hexes.around(x) & AREA) == {n for place in some for n in reference.neighbours(place)} & set(WHOLE)
    assert {frozenset(places(area)) for area in hexes.areas(x)} == {frozenset(a) for a in reference.areas(some)}
    assert places(hexes.turned(x)) == {(19 - row, 19 - col) for row, col in some}
    assert [row_col(h) for h in bits(x)] == sorted(some)
    assert [hexes.nth(x, k) for k in range(len(some))] == bits(x)
    place = rng.choice(WHOLE)
    for radius in range(4):
        assert places(hexes.within(BIT[hex_at(*place)], radius)) == reference.within(place, radius) & set(WHOLE)


@pytest.mark.parametrize("height", [1, 2, 3, 9, 10, 11, 19, 20])
@pytest.mark.parametrize("width", [1, 2, 3, 9, 10, 11, 19, 20])
def test_edge_rows_and_sectors_of_a_map(height: int, width: int) -> None:
    map_ = ("G" * width,) * height
    board = Board(map_)
    everywhere = reference.on_map(map_)
    assert places(board.hexes) == everywhere
    assert places(board.edge) == reference.on_edge(map_)
    for row, line in enumerate(board.rows):
        assert places(line) == {place for place in everywhere if place[0] == row}
    for here, quadrant in zip(reference.SECTORS, board.sectors, strict=True):
        assert places(quadrant) == {place for place in everywhere if reference.sector(place) == here}


def test_three_in_a_row_in_every_place_and_direction() -> None:
    """Alone on a meadow, three settlements in a row let the Tavern build on both ends, never round the border."""
    state = parse_position(f"{'/'.join(['G' * 20] * 20)} - - - C5D5F5G4T5 - 1A/G/0/- 37:::G 40:::")
    for place in WHOLE:
        for direction in ("E", "SE", "SW"):
            three = [place, reference.step(place, direction)]
            three.append(reference.step(three[1], direction))
            before = reference.step(place, reference.OPPOSITE[direction])
            behind = reference.step(three[2], direction)
            if set(three) <= set(WHOLE):
                line = state.copy()
                line.own[0] = hexset(set(three))
                line.free ^= line.own[0]
                assert places(LOCATIONS["tavern"].legal(line)) == {before, behind} & set(WHOLE)


def test_sections_are_what_the_rules_say() -> None:
    """RULES 1.1 and 1.6: castles and locations of each section, no two special hexes closer than three steps."""
    for key, section in sections_of(["base"]).items():
        printed = Counter("".join(section.rows))
        assert (printed["1"], printed["K"]) == ((1, 2) if key in ("oracle", "harbor") else (2, 1))
        special = [p for p in reference.on_map(section.rows) if section.rows[p[0]][p[1]] in reference.SPECIAL]
        assert all(reference.within(place, 2) & set(special) == {place} for place in special)
        assert not reference.on_edge(section.rows) & set(special)


@pytest.mark.parametrize("seed", range(20))
def test_boards_are_four_sections_perhaps_turned(seed: int) -> None:
    board = random_setup(random.Random(seed)).board
    for row, col in WHOLE:
        place = board.placed[row // 10 * 2 + col // 10]
        inside = (9 - row % 10, 9 - col % 10) if place.turned else (row % 10, col % 10)
        letter = place.section.rows[inside[0]][inside[1]]
        if letter in reference.DIGITS:
            key = place.section.locations[int(letter) - 1]
            assert (hex_at(row, col), key) in board.locations
        else:
            assert board.letter(hex_at(row, col)) == letter


# ---- setups (RULES 2) ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_random_setups_of_all_boxes_lay_out_what_the_rules_say(seed: int) -> None:
    setup = random_setup(random.Random(seed), 2 + seed % 4, sets=ALL_SETS)
    board = setup.board
    in_sector = dict(zip(reference.SECTORS, [place.section for place in board.placed], strict=True))
    crossroads = [section for section in in_sector.values() if section.expansion == "crossroads"]
    assert len({task.key for task in setup.tasks}) == len(setup.tasks) == len(crossroads)
    assert len({card.key for card in setup.cards}) == 3
    spaces = reference.printed(board.map, "N")
    assert {row_col(h) for h in setup.nomads} == spaces
    for key, count in Counter(tile.key for tile in setup.nomads.values()).items():
        assert count <= (1 if key.startswith("donation") else 2)
    with_capitol = [here for here, section in in_sector.items() if section.key in ("oracle", "harbor")]
    assert sorted(reference.sector(place) for place in places(setup.capitols)) == sorted(with_capitol)
    assert places(setup.capitols) <= reference.printed(board.map, "K")
    special = reference.printed(board.map, reference.SPECIAL)
    remote = {rock for rock in reference.printed(board.map, "MV") if not reference.within(rock, 2) & special}
    caves = reference.printed(board.map, "V")
    assert caves <= remote
    assert sorted(map(reference.sector, caves)) == sorted({reference.sector(rock) for rock in remote})


def test_every_nomad_tile_and_card_is_in_its_box_as_often_as_the_rules_say() -> None:
    """RULES 1.2, 1.3, 1.4 and 2.4."""
    tiles = Counter(tile.key for tile in BOXES["nomads"].nomad_tiles)
    assert len([key for key, count in tiles.items() if key.startswith("donation") and count == 1]) == 7
    assert tiles["resettlement"] == tiles["outpost"] == tiles["sword"] == tiles["treasure"] == 2
    assert tiles.total() == 15
    cards = {key: len(box.cards) for key, box in BOXES.items()}
    assert cards == {"base": 10, "nomads": 3, "crossroads": 0, "harvest": 6, "capitol": 0, "caves": 0}
    assert {key: len(box.locations) for key, box in BOXES.items() if box.locations} == {
        "base": 8,
        "nomads": 4,
        "crossroads": 8,
        "harvest": 8,
    }
    assert len(BOXES["crossroads"].tasks) == 6
