"""Pictures: `picture` renders a state, `draw` a board and what stands on it, as one SVG document."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from kingdom_builder.artwork import (
    FIGURES,
    GROUND,
    HALF_WIDTH,
    HEX,
    HOUSES,
    INK,
    LOCATION,
    PAPER,
    RADIUS,
    RIM,
    RIMS,
    RING,
    ROW_STEP,
    TEXTURES,
    House,
)
from kingdom_builder.board import Board
from kingdom_builder.board.sections import SIDE
from kingdom_builder.board.terrain import CAVE, DIGITS, MOUNTAIN, WATER, Letter
from kingdom_builder.hexes import NE, NW, SE, SW, E, Hex, HexSet, W, members, row_col
from kingdom_builder.rules import State

SIDES: dict[int, tuple[int, int, int, int]] = {
    E: (21, -12, 0, 24),
    SE: (21, 12, -21, 12),
    SW: (0, 24, -21, -12),
    W: (-21, 12, 0, -24),
    NW: (-21, -12, 21, -12),
    NE: (0, -24, 21, 12),
}
"""The side of a hex towards each direction: where it starts, from the centre, and how it runs."""

SOFT, STRONG, COAST, SEAM, OUTLINE = "soft", "strong", "coast", "seam", "outline"

STROKES: tuple[tuple[str, str, float, float], ...] = (
    (STRONG, INK, 6, 0.13),
    (COAST, "#f3f8f4", 5, 0.55),
    (SOFT, INK, 0.9, 0.28),
    (STRONG, INK, 1.9, 0.85),
    (COAST, INK, 1.9, 0.85),
    (OUTLINE, INK, 3.4, 1),
    (SEAM, INK, 5, 0.9),
    (SEAM, PAPER, 1.6, 0.9),
)
"""How the sides of hexes are inked, from the lowest layer up: kind, colour, width, opacity."""


class Picture(str):
    """An SVG document; notebooks show it as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)


def draw(
    board: Board,
    *,
    pieces: Sequence[HexSet] = (),
    stock: Mapping[Hex, int] = {},
    icons: Mapping[str, str] = {},
    highlight: HexSet = 0,
    last: HexSet = 0,
    coordinates: bool = True,
    hex_size: float = 24,
) -> Picture:
    """The board as a picture.

    `pieces` holds the settlements of each seat; `stock` the tiles left at locations; `icons` an SVG fragment of
    24 x 24 for each location key; `highlight` the legal hexes; `last` the hexes of the last placed pieces;
    `hex_size` is the distance from the centre of a hex to its corner, in pixels.
    """
    if len(pieces) > len(HOUSES):
        raise ValueError(f"pieces of {len(pieces)} seats: expected at most {len(HOUSES)}")
    seats = {f"seat-{seat}": hexes for seat, hexes in enumerate(pieces, 1)}
    for name, hexes in {**seats, "highlight": highlight, "last": last}.items():
        if hexes & ~board.hexes:
            size = f"{board.height} rows of {board.width}"
            raise ValueError(f"{name} holds hexes outside the map: expected hexes of its {size}")
    margin = 34 if coordinates else 12
    layers = [
        _title(board, pieces, highlight),
        _definitions(board, pieces, highlight, last),
        _paper(board, margin),
        _ground(board),
        *_sides(board),
        _locations(board, stock, icons),
        _marks("highlight", highlight),
        _marks("last", last),
        *(_marks(seat, hexes) for seat, hexes in seats.items()),
        _coordinates(board) if coordinates else "",
    ]
    return Picture("\n".join([_opening(board, margin, hex_size), *filter(None, layers), "</svg>", ""]))


def picture(state: State, *, highlight: HexSet = 0, last: HexSet = 0, coordinates: bool = True) -> Picture:
    """A state as a picture: the board with its pieces and the tiles left at the locations."""
    board = state.setup.board
    return draw(
        board,
        pieces=state.own,
        stock={h: left for (h, _), left in zip(board.locations, state.stock, strict=True)},
        icons={location.key: location.icon for location in state.setup.locations},
        highlight=highlight,
        last=last,
        coordinates=coordinates,
    )


def centre(h: Hex) -> tuple[int, int]:
    """The centre of a hex in the units of the picture."""
    row, col = row_col(h)
    return HALF_WIDTH * (2 * col + 1 + row % 2), RADIUS + ROW_STEP * row


def _extent(board: Board) -> tuple[int, int]:
    """Width and height of the map without its margin."""
    return HALF_WIDTH * (2 * board.width + (board.height > 1)), 2 * RADIUS + ROW_STEP * (board.height - 1)


def _opening(board: Board, margin: int, hex_size: float) -> str:
    width, height = (length + 2 * margin for length in _extent(board))
    scale = hex_size / RADIUS
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{_number(width * scale)}"'
        f' height="{_number(height * scale)}" viewBox="{-margin} {-margin} {width} {height}">'
    )


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _title(board: Board, pieces: Sequence[HexSet], highlight: HexSet) -> str:
    """What the picture shows, in words."""
    words = [f"Kingdom Builder map, {board.width} by {board.height} hexes"]
    words += [f"seat {seat}: {hexes.bit_count()} settlements" for seat, hexes in enumerate(pieces, 1)]
    if highlight:
        words.append(f"{highlight.bit_count()} hexes highlighted")
    return f"<title>{'; '.join(words)}</title>"


def _definitions(board: Board, pieces: Sequence[HexSet], highlight: HexSet, last: HexSet) -> str:
    """The artwork of the letters, seats and marks that occur on the picture."""
    letters = sorted({_ground_letter(letter) for row in board.map for letter in row})
    parts = [fragment for letter in letters for fragment in _tiles(letter)]
    parts += [_house(seat, HOUSES[seat - 1]) for seat, hexes in enumerate(pieces, 1) if hexes]
    if highlight:
        parts.append(
            f'<g id="kb-highlight"><path d="{RING}" fill="#fff" fill-opacity=".3" stroke="{INK}" stroke-width="5"/>'
            f'<path d="{RING}" fill="none" stroke="#fff36b" stroke-width="3"/></g>'
        )
    if last:
        parts.append(
            f'<g id="kb-last" fill="none"><circle r="18.5" cy="-1" stroke="{INK}" stroke-width="3"/>'
            '<circle r="18.5" cy="-1" stroke="#fff" stroke-width="1.6"/></g>'
        )
    return "\n".join(["<defs>", *parts, "</defs>"])


def _ground_letter(letter: Letter) -> Letter:
    return LOCATION if letter in DIGITS else letter


def _tiles(letter: Letter) -> Iterator[str]:
    """The definitions of a whole hex of this letter, one for each variant of its texture."""
    colour = GROUND[letter]
    # The ground overlaps its neighbours by half a unit: otherwise the paper shines through as hairlines.
    ground = f'<path d="{HEX}" fill="{colour}" stroke="{colour}"/>'
    rim = ""
    if letter in RIMS:
        rim = (
            f'<path d="{RIM}" fill="none" stroke="{INK}" stroke-width="5"/>'
            f'<path d="{RIM}" fill="none" stroke="{RIMS[letter]}" stroke-width="3.4"/>'
        )
    for variant, texture in enumerate(TEXTURES.get(letter, ("",))):
        yield f'<g id="kb-{letter}{variant}">{ground}{texture}{FIGURES.get(letter, "")}{rim}</g>'


def _house(seat: int, house: House) -> str:
    """The definition of a seat's settlement, on a light edge that sets it off from dark terrain."""
    return (
        f'<g id="kb-seat-{seat}" transform="scale(1.15)" stroke="#241a10" stroke-width="1.3" stroke-linejoin="round">'
        f'<path d="{house.front}{house.side}{house.roof}" fill="{PAPER}" stroke="{PAPER}" stroke-width="4.5"/>'
        f'<path d="{house.side}" fill="{house.side_colour}"/><path d="{house.front}" fill="{house.front_colour}"/>'
        f'<path d="{house.mark}" fill="none"/><path d="{house.roof}" fill="{house.roof_colour}"/>'
        f'<path d="{house.fold}" fill="none"/></g>'
    )


def _paper(board: Board, margin: int) -> str:
    """The sheet that the map is printed on, with a double frame."""
    width, height = _extent(board)

    def frame(gap: float, style: str) -> str:
        x = gap - margin
        return f'<rect x="{x:g}" y="{x:g}" width="{width - 2 * x:g}" height="{height - 2 * x:g}" {style}/>'

    return (
        frame(0, f'rx="8" fill="{PAPER}"')
        + frame(2.5, f'rx="6" fill="none" stroke="{INK}" stroke-width="1.6"')
        + frame(5, f'rx="4" fill="none" stroke="{INK}" stroke-width=".6"')
    )


def _ground(board: Board) -> str:
    uses = []
    for h in members(board.hexes):
        letter = _ground_letter(board.letter(h))
        row, col = row_col(h)
        variant = (3 * row + 5 * col + row * col) % 7 % len(TEXTURES.get(letter, ("",)))
        uses.append(_use(f"kb-{letter}{variant}", h))
    return _group("ground", uses)


def _use(identity: str, h: Hex) -> str:
    x, y = centre(h)
    return f'<use href="#{identity}" x="{x}" y="{y}"/>'


def _group(name: str, parts: Iterable[str], attributes: str = "") -> str:
    return "\n".join([f'<g class="kb-{name}"{attributes}>', *parts, "</g>"])


def _sides(board: Board) -> Iterator[str]:
    """The lines between hexes, layer by layer."""
    data: dict[str, list[str]] = {SOFT: [], STRONG: [], COAST: [], SEAM: [], OUTLINE: []}
    for h in members(board.hexes):
        for direction in SIDES:
            beyond = h + direction
            inside = beyond >= 0 and board.hexes >> beyond & 1
            if inside and beyond < h:
                continue  # drawn from the other hex
            kind = _kind(board, h, beyond) if inside else OUTLINE
            data[kind].append(_side(h, direction))
    for kind, colour, width, opacity in STROKES:
        if data[kind]:
            yield (
                f'<path class="kb-{kind}" fill="none" stroke="{colour}" stroke-width="{width:g}"'
                f' stroke-opacity="{opacity:g}" stroke-linecap="round" d="{"".join(data[kind])}"/>'
            )


def _kind(board: Board, h: Hex, beyond: Hex) -> str:
    """What the side between two hexes of the map is."""
    sections = [(row // SIDE, col // SIDE) for row, col in (row_col(h), row_col(beyond))]
    terrains = {MOUNTAIN if (letter := board.letter(each)) == CAVE else letter for each in (h, beyond)}
    if sections[0] != sections[1]:
        return SEAM
    if len(terrains) == 1:
        return SOFT
    return COAST if WATER in terrains else STRONG


def _side(h: Hex, direction: int) -> str:
    """Path data of one side, bent a little as if drawn by hand."""
    x, y = centre(h)
    start_x, start_y, run_x, run_y = SIDES[direction]
    x, y = x + start_x, y + start_y
    bend = (x * 7 + y * 11 + x * y // 9) % 4 - 1.5
    middle_x, middle_y = (run_x / 2, run_y / 2 + bend) if run_x else (bend, run_y / 2)
    return f"M{x} {y}q{middle_x:g} {middle_y:g} {run_x} {run_y}"


def _locations(board: Board, stock: Mapping[Hex, int], icons: Mapping[str, str]) -> str:
    parts = []
    for h, key in board.locations:
        x, y = centre(h)
        left = stock.get(h)
        tip = f"{key}, {left} left" if left is not None else key
        picture = f'<g transform="translate(-11 -15) scale(.92)">{icons[key]}</g>' if key in icons else _initials(key)
        pips = _pips(left) if left is not None else ""
        parts.append(f'<g transform="translate({x} {y})"><title>{escape(tip)}</title>{picture}{pips}</g>')
    return _group("locations", parts) if parts else ""


def _initials(key: str) -> str:
    """The first two letters of a location: one would not tell oasis from oracle."""
    style = f'font-family="sans-serif" font-weight="bold" font-size="15" text-anchor="middle" fill="{INK}"'
    return f'<text y="3" {style}>{escape(key[:2].capitalize())}</text>'


def _pips(left: int) -> str:
    """A full pip for each tile left, a hollow one for each tile gone."""
    pips = max(left, 2)
    return "".join(
        f'<circle cx="{7 * i - 3.5 * (pips - 1):g}" cy="12" r="2.4" fill="{INK if i < left else PAPER}"'
        f' stroke="{INK}" stroke-width="1"/>'
        for i in range(pips)
    )


def _marks(name: str, hexes: HexSet) -> str:
    """The drawing of this name on each hex of a set."""
    return _group(f"{name}-hexes", (_use(f"kb-{name}", h) for h in members(hexes))) if hexes else ""


def _coordinates(board: Board) -> str:
    """Column letters above and below the map, row numbers left and right of it."""
    width, height = _extent(board)
    labels = []
    for col in range(board.width):
        letter = chr(ord("a") + col)
        for row, y in ((0, -11), (board.height - 1, height + 20)):
            labels.append((HALF_WIDTH * (2 * col + 1 + row % 2), y, letter))
    for row in range(board.height):
        for x in (-15, width + 15):
            labels.append((x, RADIUS + ROW_STEP * row + 4, str(row + 1)))
    style = f' font-family="sans-serif" font-size="12" text-anchor="middle" fill="{INK}"'
    return _group("coordinates", (f'<text x="{x}" y="{y}">{text}</text>' for x, y, text in labels), style)
