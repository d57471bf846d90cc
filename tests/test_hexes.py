"""Sets of hexes as ints, against rows and columns counted by hand."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingdom_builder import hexes
from kingdom_builder.hexes import (
    ALL,
    AREA,
    AXES,
    BIT,
    COLS,
    DIRECTIONS,
    NEAR,
    ROW,
    ROWS,
    SIZE,
    STRIDE,
    TWO_AWAY,
    HexSet,
    areas,
    around,
    bits,
    hex_at,
    hex_name,
    hex_names,
    hexset,
    nth,
    parse_hex,
    row_col,
    turned,
    two_away,
    within,
)

Place = tuple[int, int]
EVERY_PLACE = [(row, col) for row in range(20) for col in range(20)]

places = st.sampled_from(EVERY_PLACE)
few_places = st.frozensets(places, max_size=12)
many_places = st.frozensets(places, max_size=400)
some_places = st.one_of(few_places, many_places, st.just(frozenset(EVERY_PLACE)))
examples = settings(max_examples=60, deadline=None, database=None)


# ---- the reference: RULES 0, word for word ---------------------------------------------------------------------------


def neighbours(place: Place) -> set[Place]:
    row, col = place
    if row % 2 == 0:
        found = {(row, col - 1), (row, col + 1), (row - 1, col - 1), (row - 1, col), (row + 1, col - 1), (row + 1, col)}
    else:
        found = {(row, col - 1), (row, col + 1), (row - 1, col), (row - 1, col + 1), (row + 1, col), (row + 1, col + 1)}
    return {(r, c) for r, c in found if 0 <= r < 20 and 0 <= c < 20}


def straight_two(place: Place) -> set[Place]:
    row, col = place
    found = {(row, col - 2), (row, col + 2), *((row + r, col + c) for r in (-2, 2) for c in (-1, 1))}
    return {(r, c) for r, c in found if 0 <= r < 20 and 0 <= c < 20}


def as_set(where: frozenset[Place] | set[Place]) -> HexSet:
    return hexset(hex_at(row, col) for row, col in where)


def as_places(x: HexSet) -> set[Place]:
    return {row_col(h) for h in bits(x)}


def reference_areas(where: frozenset[Place]) -> list[set[Place]]:
    left = set(where)
    found = []
    while left:
        edge = [left.pop()]
        area = set(edge)
        while edge:
            for place in neighbours(edge.pop()) & left:
                left.remove(place)
                area.add(place)
                edge.append(place)
        found.append(area)
    return found


# ---- numbers and names -----------------------------------------------------------------------------------------------


def test_the_area_is_20_rows_of_20_hexes() -> None:
    assert (ROWS, COLS, len(ALL)) == (20, 20, 400)
    assert AREA.bit_count() == 400
    assert AREA == hexset(ALL) == sum(ROW)
    assert len(set(ALL)) == 400
    assert list(ALL) == sorted(ALL)
    assert ALL[-1] == SIZE - 1
    assert [row.bit_count() for row in ROW] == [20] * 20
    assert all(BIT[h] == 1 << h for h in range(SIZE))


def test_corners_have_the_names_of_the_specification() -> None:
    assert [hex_name(hex_at(row, col)) for row, col in ((0, 0), (0, 19), (19, 0), (19, 19))] == [
        "a1",
        "t1",
        "a20",
        "t20",
    ]
    assert hex_name(hex_at(6, 10)) == "k7"


@examples
@given(places)
def test_names_and_places_round_trip(place: Place) -> None:
    h = hex_at(*place)
    assert row_col(h) == place
    assert parse_hex(hex_name(h)) == h
    assert hex_name(h) == "abcdefghijklmnopqrst"[place[1]] + str(place[0] + 1)


@pytest.mark.parametrize(
    "text", ["", "a", "1", "a0", "a21", "u1", "A1", "a01", "a1 ", " a1", "aa1", "1a", "t200", "a-1"]
)
def test_what_is_not_a_hex_name_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a1 to t20") as error:
        parse_hex(text)
    assert repr(text) in str(error.value)


@examples
@given(st.text(max_size=4))
def test_a_text_is_a_name_only_if_it_is_the_name_of_a_hex(text: str) -> None:
    try:
        h = parse_hex(text)
    except ValueError:
        return
    assert hex_name(h) == text


# ---- sets ------------------------------------------------------------------------------------------------------------


@examples
@given(some_places)
def test_members_are_ascending_and_row_by_row(where: frozenset[Place]) -> None:
    x = as_set(where)
    assert x.bit_count() == len(where)
    assert as_places(x) == where
    assert bits(x) == sorted(bits(x))
    assert [row_col(h) for h in bits(x)] == sorted(where)
    assert hex_names(x) == [hex_name(hex_at(row, col)) for row, col in sorted(where)]
    assert hexset(bits(x)) == x


@examples
@given(st.one_of(st.integers(1, 1 << 600), some_places.map(as_set).filter(bool)))
def test_nth_is_the_nth_member(x: int) -> None:
    listed = bits(x)
    assert [nth(x, k) for k in range(len(listed))] == listed


# ---- neighbours ------------------------------------------------------------------------------------------------------


def test_every_hex_has_the_neighbours_that_the_rules_list() -> None:
    for place in EVERY_PLACE:
        assert as_places(NEAR[hex_at(*place)]) == neighbours(place)
        assert as_places(around(BIT[hex_at(*place)]) & AREA) == neighbours(place)
        steps = {hex_at(*place) + direction for direction in DIRECTIONS}
        assert {row_col(h) for h in steps if 0 <= h < SIZE and AREA >> h & 1} == neighbours(place)


def test_directions_come_in_opposite_pairs_and_each_axis_is_one_of_them() -> None:
    assert sorted(DIRECTIONS) == sorted([*AXES, *(-axis for axis in AXES)])


def test_every_hex_has_its_hexes_two_steps_away_in_a_straight_line() -> None:
    for place in EVERY_PLACE:
        assert as_places(TWO_AWAY[hex_at(*place)]) == straight_two(place)
        jumps = {hex_at(*place) + 2 * direction for direction in DIRECTIONS}
        assert {row_col(h) for h in jumps if 0 <= h < SIZE and AREA >> h & 1} == straight_two(place)


def test_the_padding_has_no_neighbours() -> None:
    padding = [h for h in range(SIZE) if not AREA >> h & 1]
    assert len(padding) == SIZE - 400
    assert not any(NEAR[h] or TWO_AWAY[h] for h in padding)
    assert {hex_at(row + 1, 0) - hex_at(row, 19) - 1 for row in range(19)} == {2, 3}
    assert STRIDE == 23


@examples
@given(some_places)
def test_the_neighbours_of_a_set_are_those_of_its_hexes(where: frozenset[Place]) -> None:
    x = as_set(where)
    assert as_places(around(x) & AREA) == set().union(*map(neighbours, where))
    assert as_places(two_away(x) & AREA) == set().union(*map(straight_two, where))


@examples
@given(some_places, some_places)
def test_being_a_neighbour_is_mutual(here: frozenset[Place], there: frozenset[Place]) -> None:
    x, y = as_set(here), as_set(there)
    relations: list[Callable[[HexSet], HexSet]] = [around, two_away]
    for relation in relations:
        assert bool(relation(x) & y) == bool(relation(y) & x)
        assert relation(x | y) == relation(x) | relation(y)


@examples
@given(few_places, st.integers(0, 6))
def test_within_reaches_what_can_be_walked(where: frozenset[Place], distance: int) -> None:
    reached = set(where)
    for _ in range(distance):
        reached |= set().union(*map(neighbours, reached))
    assert as_places(within(as_set(where), distance)) == reached


def test_within_the_longest_way_is_everything() -> None:
    assert within(BIT[hex_at(0, 0)], 28) != AREA
    assert within(BIT[hex_at(0, 0)], 29) == AREA
    assert within(0, 5) == 0


# ---- areas -----------------------------------------------------------------------------------------------------------


@examples
@given(st.one_of(some_places, st.frozensets(places, min_size=120, max_size=220)))
def test_areas_are_the_connected_parts(where: frozenset[Place]) -> None:
    x = as_set(where)
    parts = areas(x)
    assert sum(parts) == x
    assert sum(part.bit_count() for part in parts) == x.bit_count()
    assert sorted(map(sorted, map(as_places, parts))) == sorted(map(sorted, reference_areas(where)))
    for part in parts:
        assert part
        assert not around(part) & (x ^ part)
        assert areas(part) == (part,)


def test_a_row_is_one_area_and_every_other_row_another() -> None:
    assert areas(AREA) == (AREA,)
    assert areas(0) == ()
    assert areas(sum(ROW[::2])) == ROW[::2]


# ---- turning ---------------------------------------------------------------------------------------------------------


@examples
@given(some_places)
def test_turning_twice_changes_nothing(where: frozenset[Place]) -> None:
    x = as_set(where)
    assert as_places(turned(x)) == {(19 - row, 19 - col) for row, col in where}
    assert turned(turned(x)) == x
    assert turned(x).bit_count() == x.bit_count()


@examples
@given(some_places)
def test_turning_keeps_neighbours_jumps_and_areas(where: frozenset[Place]) -> None:
    x = as_set(where)
    assert turned(around(x) & AREA) == around(turned(x)) & AREA
    assert turned(two_away(x) & AREA) == two_away(turned(x)) & AREA
    assert sorted(areas(turned(x))) == sorted(map(turned, areas(x)))


def test_turning_swaps_rows() -> None:
    assert [turned(row) for row in ROW] == list(reversed(ROW))
    assert turned(BIT[hexes.parse_hex("a1")]) == BIT[hexes.parse_hex("t20")]
