"""The board: a map of up to 20 x 20 hexes and the sets of hexes that never change during a game."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

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
from kingdom_builder.hexes import BIT, COLS, ROW, ROWS, STRIDE, Hex, HexSet, areas, around, bits, hex_at, row_col
from kingdom_builder.message import Message, Refusal, quoted


@dataclass(frozen=True)
class PlacedSection:
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
        _check_map(rows, locations)
        self.map = tuple(rows)
        self.location_keys = tuple(locations)
        self.placed = tuple(placed)
        self.height, self.width = len(rows), len(rows[0])

        padded = [row + " " * (STRIDE - row_number % 2 - len(row)) for row_number, row in enumerate(rows)]
        reversed_map = "".join(padded)[::-1]

        def spread(letters: str) -> HexSet:
            """The set of hexes with one of these letters."""
            table = {ord(letter): "1" if letter in letters else "0" for letter in set(reversed_map)}
            return int(reversed_map.translate(table), 2)

        self.hexes = spread("".join(NAMES) + DIGITS)
        self.water = spread(WATER)
        self.mountains = spread(MOUNTAIN + CAVE)
        self.caves = spread(CAVE)
        self.castles = spread(CASTLE)
        self.nomad_spaces = spread(NOMADS)
        self.silos = spread(SILO)
        self.terrain: dict[str, HexSet] = {letter: spread(letter) for letter in LAND}
        self.terrain |= {WATER: self.water, MOUNTAIN: self.mountains}
        """Hexes by terrain letter. Caves are mountains."""

        locations_set = spread(DIGITS)
        self.special = self.castles | self.nomad_spaces | self.silos | locations_set
        self.buildable = self.hexes & ~(self.water | self.mountains | self.special)
        self.locations: tuple[tuple[Hex, str], ...] = tuple(
            (h, locations[int(self.letter(h)) - 1]) for h in bits(locations_set)
        )
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
        offset = 0
        blocks = []
        for place in places:
            digits = {ord(DIGITS[i]): DIGITS[i + offset] for i in range(len(place.section.locations))}
            blocks.append([row.translate(digits) for row in place.rows])
            offset += len(place.section.locations)
        nw, ne, sw, se = blocks
        rows = [west + east for west, east in zip(nw + sw, ne + se, strict=True)]
        return cls(rows, locations, places)

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
        rows = [
            "".join(CAVE if caves >> hex_at(row, col) & 1 else letter for col, letter in enumerate(letters))
            for row, letters in enumerate(self.map)
        ]
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
        west = sum(BIT[hex_at(row, col)] for row in range(ROWS) for col in range(SIDE))
        north = sum(ROW[:SIDE])
        quadrants = (north & west, north & ~west, ~north & west, ~north & ~west)
        return tuple(quadrant & self.hexes for quadrant in quadrants)

    @cached_property
    def edge(self) -> HexSet:
        """The hexes on the rim of the map."""
        top, bottom, left, right = self.edges
        return top | bottom | left | right

    @cached_property
    def edges(self) -> tuple[HexSet, HexSet, HexSet, HexSet]:
        """The top, bottom, left and right rim; a corner hex belongs to two."""
        left = sum(BIT[hex_at(row, 0)] for row in range(self.height))
        right = sum(BIT[hex_at(row, self.width - 1)] for row in range(self.height))
        return self.rows[0], self.rows[-1], left, right

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


def _check_map(rows: Sequence[str], locations: Sequence[str]) -> None:
    if not 1 <= len(rows) <= ROWS or not 1 <= len(rows[0]) <= COLS:
        raise Refusal(
            Message(
                "a map of {n} {n:row|rows}: expected 1 to {rows} rows of 1 to {columns} hexes",
                n=len(rows),
                rows=ROWS,
                columns=COLS,
            )
        )
    digits = DIGITS[: len(locations)]
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
