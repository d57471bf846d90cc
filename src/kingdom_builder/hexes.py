"""Geometry: hexes, and sets of hexes as Python ints.

The playing area is at most 20 rows of 20 pointy-topped hexes; odd rows are shifted half a hex to the right.
A hex is a small int, its bit number `row * 23 - row // 2 + col`; a set of hexes is an int with those bits set.
Subtracting `row // 2` skews the board into axial coordinates, so that each of the six directions is one constant
shift in every row. The stride of 23 leaves two or three unused bits between rows: a step or a two-step jump off the
end of a row lands in that padding, never on another row.

A hex is written as column letter and row number from the top: `a1` is top left, `t20` bottom right.
"""

from collections.abc import Iterable
from functools import lru_cache

Hex = int
HexSet = int

ROWS = COLS = 20
STRIDE = 23

E, W, SE, SW, NW, NE = DIRECTIONS = (1, -1, STRIDE, STRIDE - 1, -STRIDE, 1 - STRIDE)
AXES = (E, SE, SW)
"""One direction of each of the three straight lines through a hex."""

_LETTERS = "abcdefghijklmnopqrst"


def hex_at(row: int, col: int) -> Hex:
    """The hex in this row and column, both counted from 0 at the top left."""
    return row * STRIDE - row // 2 + col


ALL: tuple[Hex, ...] = tuple(hex_at(row, col) for row in range(ROWS) for col in range(COLS))
"""Every hex of the 20 x 20 area, row by row."""

SIZE = ALL[-1] + 1
"""All bit numbers of hexes are below this."""

BIT: tuple[HexSet, ...] = tuple(1 << i for i in range(SIZE))
ROW: tuple[HexSet, ...] = tuple(sum(BIT[hex_at(row, col)] for col in range(COLS)) for row in range(ROWS))
AREA: HexSet = sum(ROW)
"""The set of all hexes of the 20 x 20 area."""

_ROW_COL = {hex_at(row, col): (row, col) for row in range(ROWS) for col in range(COLS)}
_NAME = {h: f"{_LETTERS[col]}{row + 1}" for h, (row, col) in _ROW_COL.items()}
_HEX = {name: h for h, name in _NAME.items()}


def row_col(h: Hex) -> tuple[int, int]:
    """Row and column of a hex, counted from 0 at the top left."""
    return _ROW_COL[h]


def hex_name(h: Hex) -> str:
    """The name of a hex, `a1` to `t20`."""
    return _NAME[h]


def parse_hex(text: str) -> Hex:
    """The hex of this name.

    >>> parse_hex("a1"), parse_hex("t20")
    (0, 447)
    """
    try:
        return _HEX[text]
    except KeyError:
        raise ValueError(f"{text!r} is not a hex: expected a1 to t20") from None


def hexset(hexes: Iterable[Hex]) -> HexSet:
    """The set of these hexes."""
    out = 0
    for h in hexes:
        out |= BIT[h]
    return out


def bits(x: HexSet) -> list[Hex]:
    """The bit numbers in a set, ascending: for hexes, row by row from the top left."""
    out = []
    while x:
        low = x & -x
        out.append(low.bit_length() - 1)
        x ^= low
    return out


def hex_names(x: HexSet) -> list[str]:
    """The names of the hexes of a set, row by row from the top left."""
    return [_NAME[h] for h in bits(x)]


def nth(x: int, k: int) -> int:
    """The k-th lowest bit number in a set, counted from 0."""
    base = 0
    while k > 7:  # far up: narrow it down by halves
        half = x.bit_length() >> 1
        low = x & (1 << half) - 1
        count = low.bit_count()
        if k < count:
            x = low
        else:
            x >>= half
            base += half
            k -= count
    while k:  # near: drop the lowest bits
        x &= x - 1
        k -= 1
    return base + (x & -x).bit_length() - 1


def around(x: HexSet) -> HexSet:
    """Every hex next to a hex of x. The result may hold hexes of x and padding bits: intersect it."""
    e, w = x << 1, x >> 1
    return e | w | (x | w) << STRIDE | (x | e) >> STRIDE


NEAR: tuple[HexSet, ...] = tuple(around(b) & AREA if b & AREA else 0 for b in BIT)
"""The neighbours of each hex within the 20 x 20 area."""


def two_away(x: HexSet) -> HexSet:
    """Every hex exactly two steps in a straight line from a hex of x. Intersect the result, as for `around`."""
    rows = x >> 1 | x << 1
    return x >> 2 | x << 2 | rows << 2 * STRIDE - 1 | rows >> 2 * STRIDE - 1


TWO_AWAY: tuple[HexSet, ...] = tuple(two_away(b) & AREA if b & AREA else 0 for b in BIT)
"""The hexes two steps in a straight line from each hex."""


def neighbour_counts(x: HexSet) -> tuple[HexSet, HexSet, HexSet]:
    """How many neighbours in x each hex has, as the binary digits of the number: ones, twos and fours.

    Intersect them, as for `around`.
    """
    ones = twos = fours = 0
    for direction in DIRECTIONS:
        more = x << direction if direction > 0 else x >> -direction
        carry = ones & more
        ones ^= more
        fours |= twos & carry
        twos ^= carry
    return ones, twos, fours


def surrounded(x: HexSet) -> HexSet:
    """The hexes with six neighbours, all of them in x."""
    inner = x << E & x >> E
    inner &= x << SE & x >> SE
    return inner & x << SW & x >> SW


def runs(x: HexSet, axis: int, length: int) -> HexSet:
    """The first hex, from the top left, of every straight run of that length in x along an axis."""
    for _ in range(length - 1):
        x &= x >> axis
    return x


def within(x: HexSet, distance: int) -> HexSet:
    """Every hex at most this many steps from a hex of x."""
    for _ in range(distance):
        x |= around(x) & AREA
    return x


@lru_cache(maxsize=4096)
def areas(x: HexSet) -> tuple[HexSet, ...]:
    """The connected parts of a set. Cached: several cards ask for the same pieces."""
    out = []
    while x:
        area = 0
        edge = x & -x
        while edge:
            area |= edge
            x ^= edge
            edge = around(edge) & x
        out.append(area)
    return tuple(out)


def supported_moves(pieces: HexSet, land: HexSet) -> HexSet:
    """The pieces that can be lifted and still leave a hex of the land next to one of the others.

    At most one piece fails: one that is the only neighbour of the first such hex.
    """
    beside = around(pieces) & land
    if not beside:
        return 0
    supporters = NEAR[(beside & -beside).bit_length() - 1] & pieces
    if supporters & supporters - 1 or beside & around(pieces ^ supporters):
        return pieces
    return pieces ^ supporters


def turned(x: HexSet) -> HexSet:
    """The set after turning the whole 20 x 20 area by 180 degrees."""
    return hexset(ALL[-1] - h for h in bits(x))
