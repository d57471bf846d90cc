"""The pieces of the seats: houses and other figures, drawn in the colours of each seat.

Like the rest of the artwork they are centred on (0, 0) of a hex. `definitions` gives the SVG elements that a picture
refers to by their ids.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kingdom_builder.drawing.artwork import DISC, HEX
from kingdom_builder.drawing.palette import COURT_GROUND, COURT_LINES, INK, OUTLINE, PAPER, SEATS, WOOD, SeatColours

SETTLEMENT, CITY_HALLS, SCOUTS, FLAGS, PLAIN = "settlement", "city-halls", "scouts", "flags", "pieces"
"""Kinds that are drawn in their own way; the last stands for kinds without a drawing of their own."""


class House(NamedTuple):
    """A settlement seen from the front left. Colours tell the seat, and so does the outline of the roof."""

    colours: SeatColours
    front: str
    side: str
    roof: str
    mark: str
    """Window or door on the front."""
    emblem: str
    """The mark in small, centred on (0, 0): the sign of the seat on its other pieces."""
    fold: str = ""
    """Where the roof bends."""


HOUSES: tuple[House, ...] = (
    House(  # saddle roof, round window
        SEATS[0],
        "M-11 8V-1L-5.5-9 0 2V11z",
        "M0 2 11-2V7L0 11z",
        "M-5.5-11 5.5-15 12.5-2 1 2.5zM-5.5-11-12.5.3-11.5 1.5-5.5-8z",
        "M-7.5.5a2 2.2 0 1 0 4 .5 2 2.2 0 1 0-4-.5",
        "M-2.3 0a2.3 2.3 0 1 0 4.6 0 2.3 2.3 0 1 0-4.6 0",
    ),
    House(  # barn roof, crossed door
        SEATS[1],
        "M-11 8V0L-9.5-6-5.5-9-1.5-4 0 2V11z",
        "M0 2 11-2V7L0 11z",
        "M-5.5-11 5.5-15 10.5-9.5 12.5-1.5 1 2.5-.7-5zM-5.5-11-10.5-6.5-12.5.5-11.5 1-9-5.5-5.5-8.5z",
        "M-8.5 8.7V2l5 1.3V10zM-8.5 2l5 8M-3.5 3.3-8.5 8.7",
        "M-2.2-2.4 2.2 2.4M2.2-2.4-2.2 2.4",
        "M-.7-5 10.5-9.5",
    ),
    House(  # stepped gable, two slits
        SEATS[2],
        "M-12 8V-3l2.5.7V-7l2.5.7v-4.5l3.5 1v4.5l2.5.7V-.2L.5.3V11z",
        "M0 2 11-2V7L0 11z",
        "M-3.5-9.8 6-13.5 12.5-2 .5 2.3V.3L-1-.2v-4.4l-2.5-.7z",
        "M-8-1v5M-4 0v5",
        "M-1.6-2.5v5M1.6-2.5v5",
    ),
    House(  # round roof, arched door
        SEATS[3],
        "M-11 8V-2C-11-12 0-9.5 0 2V11z",
        "M0 2 11-2V7L0 11z",
        "M-12.5-1C-12-9-8.5-11.5-5-10.5L6-14.5C11-13 12.5-7 12.5-1.5L1 2.5C.5-9-10.5-12.5-11-1z",
        "M-8 9V4.5C-8 1.5-3.5 2.5-3.5 5.5V10z",
        "M-2.3 2.6V0a2.3 2.3 0 0 1 4.6 0v2.6z",
    ),
    House(  # tent roof, tall, diamond
        SEATS[4],
        "M-8 8V-3L0 2V11z",
        "M0 2 8-3V8L0 11z",
        "M0-17-10.5-2 0 3 10.5-2z",
        "M-4 1.5-2 5-4 8-6 4.5z",
        "M0-3 2.4 0 0 3-2.4 0z",
        "M0-17V3",
    ),
)
"""The houses of the seats, in seat order."""

ROOF, FRONT, SHADE, NONE = "roof", "front", "shade", "none"
"""Fills in the colours of a seat: those of the roof, the front and the side of its house; and no fill."""

STEEL = "#dfe3e8"
STYLE = f'stroke="{OUTLINE}" stroke-width="1.3" stroke-linejoin="round"'


class Piece(NamedTuple):
    """A piece in the colours of a seat, that is no settlement."""

    parts: tuple[tuple[str, str], ...]
    """Fill and path data, from back to front."""
    emblem: tuple[float, float, float]
    """Where the emblem of the seat is, and how large."""


PIECES: dict[str, Piece] = {
    "warriors": Piece(  # shield and spear
        (
            (WOOD, "M-13.5 13.2 8.2-11.2 9.8-9.8-11.9 14.6z"),
            (STEEL, "M14.5-17 12.5-8.5 9.5-7 6.5-9.7 7.5-12.7z"),
            (ROOF, "M-10-9.5Q-4-8.5 0-11.5 4-8.5 10-9.5 11.5 8 0 14.5-11.5 8-10-9.5z"),
            (NONE, "M-7.2-6.5Q-3-6 0-8 3-6 7.2-6.5 8 6 0 11-8 6-7.2-6.5z"),
        ),
        (0, 1, 1.6),
    ),
    "wagons": Piece(  # canvas, box, two wheels
        (
            (ROOF, "M-11 3C-17-6-12-13-7-12Q0-10 7-12C12-13 17-6 11 3z"),
            (NONE, "M-6-11.5Q-9-4-6 3M6-11.5Q9-4 6 3"),
            (SHADE, "M-14 2H14L12 8H-12z"),
            (FRONT, "M-12.5 9.5a4.5 4.5 0 1 0 9 0 4.5 4.5 0 1 0-9 0M3.5 9.5a4.5 4.5 0 1 0 9 0 4.5 4.5 0 1 0-9 0"),
            (NONE, "M-8 5v9M-12.5 9.5h9M8 5v9M3.5 9.5h9"),
        ),
        (0, -4, 1.4),
    ),
    "ships": Piece(  # mainsail, jib, hull
        (
            (WOOD, "M-1.5 7V-17H.5V7z"),
            (ROOF, "M.5-15Q13-11 12 4H.5z"),
            (FRONT, "M-2-12Q-11-6-12 4H-2z"),
            (SHADE, "M-14.5 5.5H14.5Q12 14 6 14H-6Q-13 13-14.5 5.5z"),
            (NONE, "M-10 9.5H10"),
        ),
        (6, -3, 1.3),
    ),
    SCOUTS: Piece(  # one with a pennant
        (
            (WOOD, "M5.5 13V-15H7V13z"),
            (ROOF, "M7-15 15-11.5 7-8z"),
            (ROOF, "M-9 13Q-9-1-3.5-1T2.5 13z"),
            (FRONT, "M-7.5-4.5a4 4 0 1 0 8 0 4 4 0 1 0-8 0"),
            (SHADE, "M-9.5-5.5Q-3.5-8 2.5-5.5L-.5-7Q-3.5-14-6.5-7z"),
        ),
        (-3.4, 7, 0.9),
    ),
    CITY_HALLS: Piece(  # a tower of the wall around the hall
        (
            (FRONT, "M-6 11V-4H6V11Q0 14-6 11z"),
            (SHADE, "M1 12.5V-4H6V11Q4 12.5 1 12.5z"),
            (ROOF, "M-8.5-3 0-16 8.5-3Q0 1-8.5-3z"),
        ),
        (0, -5, 0.8),
    ),
    PLAIN: Piece(((ROOF, DISC),), (0, 0, 1.6)),
}
"""Pieces by their kind; `pieces` is for kinds without a drawing of their own."""

FLAG = Piece(((WOOD, "M-7.5 11V-12H-6V11z"), (ROOF, "M-6-12H8L5-6.5 8-1H-6z")), (-0.5, -6.5, 1.2))
"""What marks a row."""

CITY_HALL = Piece(
    (
        (FRONT, "M-25 17V-5H25V17z"),
        (SHADE, "M-25 12H25V17H-25z"),
        (ROOF, "M-29-5-21-19H21L29-5z"),
        (FRONT, "M-9 17V-24H9V17z"),
        (ROOF, "M-12-23 0-42 12-23z"),
        (INK, "M-20 0h4v6h-4zM-13.5 0h1v6h-1zM16 0h4v6h-4zM12.5 0h1v6h-1z"),
        (INK, "M-4 17V11C-4 6 4 6 4 11V17z"),
        (ROOF, "M-5.5-20H5.5V-4L0 0-5.5-4z"),
        ("#d8d2c4", "M-28 17H28V21H-28z"),
    ),
    (0, -12, 1.5),
)
"""The hall itself, in the middle of its seven hexes."""

COURT = ((-21, -36), (21, -36), (-42, 0), (0, 0), (42, 0), (-21, 36), (21, 36))
"""The centres of the seven hexes of a city hall, seen from the middle one."""

COURT_WALL = "M-21-36H21L42 0 21 36H-21L-42 0z"


def definitions(key: str, seat: int) -> Iterator[str]:
    """The piece of a kind, or the flag, of a seat, as elements with ids; seats count from 1."""
    house = HOUSES[seat - 1]
    drawing = _settlement(house) if key == SETTLEMENT else _piece(house, FLAG if key == FLAGS else PIECES[key])
    yield f'<g id="kb-{key}-{seat}" transform="scale(1.15)" {STYLE}>{drawing}</g>'
    if key == CITY_HALLS:
        yield f'<g id="kb-city-hall-{seat}" {STYLE}>{"".join(_city_hall(seat))}</g>'


def _settlement(house: House) -> str:
    parts = ((SHADE, house.side), (FRONT, house.front), (NONE, house.mark), (ROOF, house.roof), (NONE, house.fold))
    return _parts(house, parts)


def _piece(house: House, piece: Piece) -> str:
    x, y, scale = piece.emblem
    return (
        f'{_parts(house, piece.parts)}<path transform="translate({x:g} {y:g}) scale({scale:g})" d="{house.emblem}"'
        f' fill="none" stroke="{house.colours.emblem}" stroke-linecap="round"/>'
    )


def _parts(house: House, parts: Iterable[tuple[str, str]]) -> str:
    """Parts in the colours of a seat, on a light edge that sets them off from dark terrain."""
    colours = {ROOF: house.colours.roof, FRONT: house.colours.front, SHADE: house.colours.side}
    drawn = [(fill, data) for fill, data in parts if data]
    edge = "".join(data for fill, data in drawn if fill != NONE)
    paths = [f'<path d="{data}" fill="{colours.get(fill, fill)}"/>' for fill, data in drawn]
    return f'<path d="{edge}" fill="{PAPER}" stroke="{PAPER}" stroke-width="4.5"/>{"".join(paths)}'


def _city_hall(seat: int) -> Iterator[str]:
    """The seven hexes of a city hall: a court behind a wall with six towers, and the hall in its middle."""
    house = HOUSES[seat - 1]
    court = "".join(f'<path transform="translate({x} {y})" d="{HEX}"/>' for x, y in COURT)
    for colour, width in ((PAPER, 8), (OUTLINE, 5.4), (house.colours.roof, 4)):
        yield f'<g stroke="{colour}" stroke-width="{width:g}">{court}</g>'
    yield f'<g fill="{COURT_GROUND}" stroke="{COURT_LINES}" stroke-width="1">{court}</g>'
    for colour, width in ((OUTLINE, 7), (house.colours.side, 4.6)):
        yield f'<path d="{COURT_WALL}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'
    for x, y in COURT:
        yield f'<use href="#kb-{CITY_HALLS}-{seat}" x="{x}" y="{y}"/>' if x or y else _piece(house, CITY_HALL)
