"""The pieces of the seats: houses and other figures in the colours of each seat.

Like the rest of the artwork they are centred on (0, 0) of a hex. The figure of a kind of piece is a file,
`content/figures/<key>.svg`. If seats own the kind, the file shows the colours and the emblem of the first seat, which
are replaced for other seats. `definitions` gives the SVG elements that a picture refers to by their ids.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from kingdom_builder.drawing.artwork import DISC, HEX
from kingdom_builder.drawing.palette import COURT_GROUND, COURT_LINES, OUTLINE, PAPER, SEATS, WOOD, SeatColours
from kingdom_builder.rules.pictures import elements_of
from kingdom_builder.rules.pieces import Settlement

FLAGS, PLAIN = "flags", "pieces"
"""The drawings of row markers, and of kinds of pieces that have no figure."""


class House(NamedTuple):
    """A settlement seen from the front left. The colours and the outline of the roof identify the seat."""

    colours: SeatColours
    front: str
    side: str
    roof: str
    mark: str
    """The window or door on the front."""
    emblem: str
    """The mark in small, centred on (0, 0): it identifies the seat on its other pieces."""
    fold: str = ""
    """The lines where the roof bends."""


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

FILLED_PATH = re.compile(r'<path d="([^"]*)" fill="(?!none)[^"]*"/>')


def _emblem_path(house: House) -> str:
    return f'd="{house.emblem}" fill="none" stroke="{house.colours.emblem}"'


def _emblem(house: House, x: float, y: float, scale: float) -> str:
    """The emblem of a seat as a part of a figure."""
    return f'<path transform="translate({x:g} {y:g}) scale({scale:g})" {_emblem_path(house)} stroke-linecap="round"/>'


STYLE = f'stroke="{OUTLINE}" stroke-width="1.3" stroke-linejoin="round"'

FLAG = (
    f'<path d="M-7.5 11V-12H-6V11z" fill="{WOOD}"/><path d="M-6-12H8L5-6.5 8-1H-6z" fill="{SEATS[0].roof}"/>'
    + _emblem(HOUSES[0], -0.5, -6.5, 1.2)
)
"""The marker of a row."""

DISC_FIGURE = f'<path d="{DISC}" fill="{SEATS[0].roof}"/>' + _emblem(HOUSES[0], 0, 0, 1.6)
"""A piece of a kind that has no figure."""

COURT = ((-21, -36), (21, -36), (-42, 0), (0, 0), (42, 0), (-21, 36), (21, 36))
"""The centres of the hexes of a piece that covers seven, relative to the middle one."""

COURT_WALL = "M-21-36H21L42 0 21 36H-21L-42 0z"


def drawn_as(key: str) -> str:
    """The name of the drawing of a kind of piece: its key, or the plain disc if it has no figure."""
    return key if key == Settlement.key or elements_of("figures", key) else PLAIN


def definitions(drawing: str, seat: int, whole: str = "") -> Iterator[str]:
    """A drawing in the colours of a seat, as elements with ids; seats count from 1.

    `whole` is the figure of a piece over seven hexes, if the drawing is that of one of them.
    """
    house = HOUSES[seat - 1]
    yield f'<g id="kb-{drawing}-{seat}" transform="scale(1.15)" {STYLE}>{_drawn(drawing, house)}</g>'
    if whole:
        yield f'<g id="kb-{whole}-{seat}" {STYLE}>{"".join(_court(drawing, seat, whole))}</g>'


def _drawn(drawing: str, house: House) -> str:
    if drawing == Settlement.key:
        return _settlement(house)
    return _figure({FLAGS: FLAG, PLAIN: DISC_FIGURE}.get(drawing) or elements_of("figures", drawing), house)


def _settlement(house: House) -> str:
    colours = house.colours
    parts = (
        (house.side, colours.side),
        (house.front, colours.front),
        (house.mark, "none"),
        (house.roof, colours.roof),
        (house.fold, "none"),
    )
    return _on_edge("".join(f'<path d="{data}" fill="{fill}"/>' for data, fill in parts if data))


def _figure(elements: str, house: House) -> str:
    """A figure of the first seat in the colours of another."""
    first = HOUSES[0]
    elements = elements.replace(_emblem_path(first), _emblem_path(house))
    for old, new in zip(first.colours[:3], house.colours[:3], strict=True):
        elements = elements.replace(f'fill="{old}"', f'fill="{new}"')
    return _on_edge(elements)


def _on_edge(elements: str) -> str:
    """Elements with a light edge around their filled paths, so that they stand out from dark terrain."""
    edge = "".join(FILLED_PATH.findall(elements))
    return f'<path d="{edge}" fill="{PAPER}" stroke="{PAPER}" stroke-width="4.5"/>{elements}'


def _court(drawing: str, seat: int, whole: str) -> Iterator[str]:
    """Seven hexes as one building: a court and its wall, the drawing at six corners, the whole figure in the middle."""
    house = HOUSES[seat - 1]
    court = "".join(f'<path transform="translate({x} {y})" d="{HEX}"/>' for x, y in COURT)
    for colour, width in ((PAPER, 8), (OUTLINE, 5.4), (house.colours.roof, 4)):
        yield f'<g stroke="{colour}" stroke-width="{width:g}">{court}</g>'
    yield f'<g fill="{COURT_GROUND}" stroke="{COURT_LINES}" stroke-width="1">{court}</g>'
    for colour, width in ((OUTLINE, 7), (house.colours.side, 4.6)):
        yield f'<path d="{COURT_WALL}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'
    for x, y in COURT:
        yield f'<use href="#kb-{drawing}-{seat}" x="{x}" y="{y}"/>' if x or y else _drawn(whole, house)
