"""The board: a map of up to 20 x 20 hexes and the sets of hexes that never change during a game."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property, lru_cache
from typing import NamedTuple

from kingdom_builder.board.files import printed_sections
from kingdom_builder.board.sections import SIDE, STAND_IN, Section
from kingdom_builder.board.terrain import (
    CASTLE,
    CAVE,
    DIGITS,
    LAND,
    MOUNTAIN,
    NAMES,
    NOMADS,
    SILO,
    SPECIAL,
    WATER,
    Letter,
)
from kingdom_builder.hexes import BIT, COLS, ROW, ROWS, Hex, HexSet, areas, around, bits, hex_at, hexset, row_col
from kingdom_builder.message import Message, Refusal, quoted

_TERRAINS = (*LAND, WATER, MOUNTAIN)
_KINDS = (*_TERRAINS, CAVE, CASTLE, NOMADS, SILO)
_MOUNTAIN = _KINDS.index(MOUNTAIN)
_KNOWN = {DIGITS[:n]: frozenset({*NAMES, *DIGITS[:n]}) for n in range(len(DIGITS) + 1)}
"""The letters that a map may have, by the digits of its locations."""
_NORTH = sum(ROW[:SIDE])
_COLUMN = tuple(hexset(hex_at(row, col) for row in range(ROWS)) for col in range(COLS))
_WEST = sum(_COLUMN[:SIDE])


class PlacedSection(NamedTuple):
    """A section in one of the four sectors of the board, possibly turned by 180 degrees."""

    section: Section
    turned: bool = False

    @property
    def rows(self) -> tuple[str, ...]:
        return self.section.turned() if self.turned else self.section.rows

    def __str__(self) -> str:
        return self.section.key + "'" * self.turned


class Board:
    """A map, and everything that follows from it alone.

    `Board.of_sections` assembles four sections; `Board(rows, locations)` takes a drawn map of any size up to
    20 x 20, whose digits stand for the locations, in order.
    """

    def __init__(
        self, rows: Sequence[str], locations: Sequence[str] = (), placed: Sequence[PlacedSection] = ()
    ) -> None:
        _check_size(rows)
        letters = _hexes_by_letter(_quarters_of(rows))
        _check_rows(rows, locations, letters.keys())
        self._lay_out(_Part.of(rows, letters, locations), locations, placed)

    def _lay_out(self, whole: "_Part", locations: Sequence[str], placed: Sequence[PlacedSection]) -> None:
        self.map = whole.rows
        self.location_keys = tuple(locations)
        self.placed = tuple(placed)
        self.height, self.width = len(self.map), len(self.map[0])

        self.terrain: dict[str, HexSet] = dict(zip(_TERRAINS, whole.sets, strict=False))
        """Hexes by terrain letter. Caves are mountains."""
        *_, self.water, self.mountains, self.caves, self.castles, self.nomad_spaces, self.silos, located = whole.sets
        self.special = self.castles | self.nomad_spaces | self.silos | located
        self.hexes = sum(self.terrain.values()) | self.special
        self.buildable: HexSet = self.hexes ^ (self.water | self.mountains | self.special)
        self.locations = whole.locations
        """Every location hex, row by row, with the key of its location."""

    @classmethod
    def of_sections(cls, places: Sequence[PlacedSection]) -> "Board":
        """Four sections, in the order top left, top right, bottom left, bottom right."""
        if len(places) != 4:
            raise Refusal(Message("{n} {n:section|sections}: expected 4", n=len(places)))
        locations = [key for place in places for key in place.section.locations]
        if len(locations) > len(DIGITS):
            raise Refusal(
                Message("{n} locations in four sections: expected at most {most}", n=len(locations), most=len(DIGITS))
            )
        nw, ne, sw, se = places
        north = _half_of(nw, ne, 0, 0)
        south = _half_of(sw, se, SIDE, len(nw.section.locations) + len(ne.section.locations))
        whole = _joined(north, south, north.rows + south.rows, north.locations + south.locations)
        _check_rows(whole.rows, locations, whole.letters)
        board = cls.__new__(cls)
        board._lay_out(whole, locations, places)
        return board

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (self.map, self.location_keys, self.placed) == (other.map, other.location_keys, other.placed)

    def __hash__(self) -> int:
        return hash((self.map, self.location_keys))

    def __repr__(self) -> str:
        """Text that recreates the board: by the names of printed sections, else by the map."""
        if self.is_printed:
            text = f"board_of({'/'.join(map(str, self.placed))!r})"
            return text if not self.caves else f"{text}.with_caves({self.caves:#x})"
        placed = f", {list(self.placed)!r}" if self.placed else ""
        return f"Board({list(self.map)!r}, {list(self.location_keys)!r}{placed})"

    @property
    def is_printed(self) -> bool:
        """Whether the board is made of printed sections, so that their keys say it all."""
        printed = printed_sections()
        return bool(self.placed) and all(printed.get(place.section.key) == place.section for place in self.placed)

    def with_caves(self, caves: HexSet) -> "Board":
        """The same board with a cave on each of these mountains."""
        rows = list(self.map)
        for h in bits(caves & self.hexes):
            row, col = row_col(h)
            rows[row] = rows[row][:col] + CAVE + rows[row][col + 1 :]
        return Board(rows, self.location_keys, self.placed)

    def letter(self, h: Hex) -> str:
        """The letter on this hex."""
        row, col = row_col(h)
        return self.map[row][col]

    @cached_property
    def rows(self) -> tuple[HexSet, ...]:
        """The rows, from the top."""
        return tuple(ROW[row] & self.hexes for row in range(self.height))

    @cached_property
    def sectors(self) -> tuple[HexSet, ...]:
        """The four sectors of 10 x 10 hexes; on a small map some are empty."""
        quadrants = (_NORTH & _WEST, _NORTH & ~_WEST, ~_NORTH & _WEST, ~_NORTH & ~_WEST)
        return tuple(quadrant & self.hexes for quadrant in quadrants)

    @cached_property
    def edge(self) -> HexSet:
        """The hexes on the rim of the map."""
        top, bottom, left, right = self.edges
        return top | bottom | left | right

    @cached_property
    def edges(self) -> tuple[HexSet, HexSet, HexSet, HexSet]:
        """The top, bottom, left and right rim; a corner hex belongs to two."""
        above = (1 << hex_at(self.height, 0)) - 1
        top, bottom = ROW[0] & self.hexes, ROW[self.height - 1] & self.hexes
        return top, bottom, _COLUMN[0] & above, _COLUMN[self.width - 1] & above

    @cached_property
    def terrain_areas(self) -> tuple[HexSet, ...]:
        """The connected areas of one terrain: land, water and mountains."""
        return tuple(area for hexes in self.terrain.values() for area in areas(hexes))

    @cached_property
    def buildable_edge(self) -> HexSet:
        """The buildable hexes on the rim of the map."""
        return self.edge & self.buildable

    @cached_property
    def beside_water(self) -> HexSet:
        """The hexes next to water."""
        return around(self.water) & self.hexes

    @cached_property
    def beside_mountains(self) -> HexSet:
        """The hexes next to a mountain or cave."""
        return around(self.mountains) & self.hexes

    @cached_property
    def beside_caves(self) -> HexSet:
        """The hexes next to a cave."""
        return around(self.caves) & self.hexes

    @cached_property
    def special_kinds(self) -> list[Letter]:
        """The kinds of special hexes on the board, as letters of `SPECIAL`."""
        letters = {DIGITS[0] if letter in DIGITS else letter for row in self.map for letter in row}
        return [letter for letter in SPECIAL if letter in letters]

    @cached_property
    def beside_special(self) -> HexSet:
        """The hexes next to a location, castle, nomad space or silo."""
        return around(self.special) & self.hexes

    @property
    def stand_ins(self) -> list[str]:
        """The sections whose printed layout we do not know, so that one of ours stands in for it."""
        return [place.section.key for place in self.placed if place.section.standing == STAND_IN]


def _quarters_of(rows: Sequence[str]) -> Iterator[tuple[tuple[str, ...], Hex]]:
    """The quarters of a map, each with its first hex."""
    for top in range(0, len(rows), SIDE):
        for left in range(0, len(rows[0]), SIDE):
            yield tuple([row[left : left + SIDE] for row in rows[top : top + SIDE]]), hex_at(top, left)


class _Part(NamedTuple):
    """A map or a half of one."""

    rows: tuple[str, ...]
    letters: Set[str]
    sets: tuple[HexSet, ...]
    """The hexes of each terrain, the caves once more, those of each kind of special hex, and the locations."""
    locations: tuple[tuple[Hex, str], ...]
    """Every location hex, row by row, with the key of its location."""

    @classmethod
    def of(
        cls, rows: Iterable[str], letters: Mapping[str, HexSet], locations: Iterable[str], first: int = 0
    ) -> "_Part":
        """From the hexes of each letter; `first` is the number of the first of the locations."""
        sets = [letters.get(letter, 0) for letter in _KINDS]
        sets[_MOUNTAIN] |= letters.get(CAVE, 0)
        named = zip(DIGITS[first:], locations, strict=False)
        spots = sorted([(h, key) for digit, key in named for h in bits(letters.get(digit, 0))])
        return cls(tuple(rows), letters.keys(), (*sets, hexset([h for h, _ in spots])), tuple(spots))


@lru_cache(maxsize=4096)
def _half_of(west: PlacedSection, east: PlacedSection, top: int, first: int) -> _Part:
    """Two sections side by side, from the row `top` of the board on, whose first location has the number `first`.

    Cached: boards share halves.
    """
    left = _quarter_of(west, top, 0, first)
    right = _quarter_of(east, top, SIDE, first + len(west.section.locations))
    rows = tuple([a + b for a, b in zip(left.rows, right.rows, strict=True)])
    return _joined(left, right, rows, tuple(sorted(left.locations + right.locations)))


@lru_cache(maxsize=4096)
def _quarter_of(place: PlacedSection, top: int, left: int, first: int) -> _Part:
    """A section, from this row and column on, whose first location has the number `first`. Cached as well."""
    locations = place.section.locations
    digits = {ord(DIGITS[i]): DIGITS[first + i] for i in range(len(locations))}
    rows = tuple([row.translate(digits) for row in place.rows])
    return _Part.of(rows, _hexes_of_quarter(rows, hex_at(top, left)), locations, first)


def _joined(one: _Part, other: _Part, rows: tuple[str, ...], locations: tuple[tuple[Hex, str], ...]) -> _Part:
    """Two parts as one, which has these rows and locations."""
    sets = tuple([a | b for a, b in zip(one.sets, other.sets, strict=True)])
    return _Part(rows, one.letters | other.letters, sets, locations)


def _hexes_by_letter(quarters: Iterable[tuple[tuple[str, ...], Hex]]) -> dict[str, HexSet]:
    """The hexes of a map by their letter, for every letter on it."""
    found: dict[str, HexSet] = {}
    for rows, corner in quarters:
        for letter, hexes in _hexes_of_quarter(rows, corner).items():
            found[letter] = found.get(letter, 0) | hexes
    return found


@lru_cache(maxsize=4096)
def _hexes_of_quarter(rows: tuple[str, ...], corner: Hex) -> dict[str, HexSet]:
    """The hexes of a quarter of a map by their letter. Cached: boards share sections."""
    found: dict[str, HexSet] = {}
    for row, letters in enumerate(rows):
        for h, letter in enumerate(letters, corner + hex_at(row, 0)):
            found[letter] = found.get(letter, 0) | BIT[h]
    return found


def _check_size(rows: Sequence[str]) -> None:
    if not 1 <= len(rows) <= ROWS or not 1 <= len(rows[0]) <= COLS:
        raise Refusal(
            Message(
                "a map of {n} {n:row|rows}: expected 1 to {rows} rows of 1 to {columns} hexes",
                n=len(rows),
                rows=ROWS,
                columns=COLS,
            )
        )


def _check_rows(rows: Sequence[str], locations: Sequence[str], letters: Set[str]) -> None:
    """Raise a Refusal about the first row that is not as long as the others or has an unknown letter."""
    digits = DIGITS[: len(locations)]
    if letters <= _KNOWN[digits] and len(set(map(len, rows))) == 1:
        return
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise Refusal(
                Message(
                    "map row {row} has {n} {n:hex|hexes}: expected {expected} as in row 1",
                    row=number,
                    n=len(row),
                    expected=len(rows[0]),
                )
            )
        for letter in row:
            if letter not in NAMES and letter not in digits:
                raise Refusal(Message("map row {row}: unknown letter {letter}", row=number, letter=quoted(letter)))
