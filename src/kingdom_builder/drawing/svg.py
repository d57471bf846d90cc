"""Pictures: `picture` draws a state, `draw` a board and the pieces on it, as one SVG document."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from kingdom_builder.board import Board
from kingdom_builder.board.sections import SIDE
from kingdom_builder.board.terrain import CAVE, DIGITS, MOUNTAIN, WATER, Letter
from kingdom_builder.content import piece_kinds
from kingdom_builder.drawing.artwork import (
    FIGURES,
    HALF_WIDTH,
    HEX,
    RADIUS,
    RIM,
    RING,
    ROW_STEP,
    TEXTURES,
    THINGS,
)
from kingdom_builder.drawing.figures import FLAGS, HOUSES, PLAIN, definitions, drawn_as
from kingdom_builder.drawing.palette import GROUND, HIGHLIGHT, INK, LOCATION, PAPER, RIMS, SURF, WHITE
from kingdom_builder.hexes import NE, NEAR, NW, SE, SW, E, Hex, HexSet, W, bits, row_col
from kingdom_builder.rules import State
from kingdom_builder.rules.pictures import elements_of
from kingdom_builder.rules.pieces import Settlement, pieces_of

SIDES: dict[int, tuple[int, int, int, int]] = {
    E: (21, -12, 0, 24),
    SE: (21, 12, -21, 12),
    SW: (0, 24, -21, -12),
    W: (-21, 12, 0, -24),
    NW: (-21, -12, 21, -12),
    NE: (0, -24, 21, 12),
}
"""The side of a hex in each direction: where it starts, relative to the centre, and how it runs."""

SOFT, STRONG, COAST, SEAM, OUTLINE = "soft", "strong", "coast", "seam", "outline"

STROKES: tuple[tuple[str, str, float, float], ...] = (
    (STRONG, INK, 6, 0.13),
    (COAST, SURF, 5, 0.55),
    (SOFT, INK, 0.9, 0.28),
    (STRONG, INK, 1.9, 0.85),
    (COAST, INK, 1.9, 0.85),
    (OUTLINE, INK, 3.4, 1),
    (SEAM, INK, 5, 0.9),
    (SEAM, PAPER, 1.6, 0.9),
)
"""How the sides of hexes are inked, from the lowest layer up: kind, colour, width, opacity."""

PLAIN_MARGIN = 12
"""The margin around the map, without coordinates."""

Owned = dict[tuple[str, int], HexSet]
"""Where the pieces of each kind and seat stand. Seats count from 1; seats without pieces are left out."""


class Picture(str):
    """An SVG document; notebooks show it as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)


def draw(
    board: Board,
    *,
    pieces: Sequence[HexSet] = (),
    figures: Mapping[str, Sequence[HexSet]] = {},
    things: Mapping[str, HexSet] = {},
    stock: Mapping[Hex, int] = {},
    nomads: Mapping[Hex, str] = {},
    flags: Sequence[int] = (),
    icons: Mapping[str, str] = {},
    highlight: HexSet = 0,
    last: HexSet = 0,
    coordinates: bool = True,
    hex_size: float = 24,
) -> Picture:
    """The board as a picture.

    `pieces` holds the settlements of each seat, `figures` its other pieces by their kind, `things` what belongs to
    nobody by its kind; `stock` the tiles left at locations; `nomads` the keys of the tiles on nomad spaces; `flags`
    the rows marked by each seat, as bits; `icons` an SVG fragment of 24 x 24 for the keys of locations and tiles;
    `highlight` the legal hexes; `last` the hexes of the last placed pieces; `hex_size` is the distance from the
    centre of a hex to its corner, in pixels. A kind without a drawing is drawn as a disc.
    """
    for seats in (pieces, *figures.values(), flags):
        if len(seats) > len(HOUSES):
            raise ValueError(f"pieces of {len(seats)} seats: expected at most {len(HOUSES)}")
    owned = _owned(pieces, figures)
    lying = _lying(things)
    on_hexes = {f"{key}-{seat}": hexes for (key, seat), hexes in owned.items()}
    for name, hexes in {**on_hexes, **lying, "highlight": highlight, "last": last}.items():
        if hexes & ~board.hexes:
            size = f"{board.height} rows of {board.width}"
            raise ValueError(f"{name} holds hexes outside the map: expected hexes of its {size}")
    wholes = _whole_figures()
    margin = 34 if coordinates else PLAIN_MARGIN
    letters = {_ground_letter(letter) for row in board.map for letter in row}
    layers = [
        _title(board, len(pieces), owned, highlight),
        "\n".join(["<defs>", *_definitions(letters, owned, lying, flags, highlight, last), "</defs>"]),
        _paper(board, margin),
        _ground(board),
        *_sides(board),
        _locations(board, stock, icons),
        _nomads(nomads, icons),
        *(_marks(key, hexes) for key, hexes in lying.items()),
        *(_wholes(key, seat, hexes, wholes[key]) for (key, seat), hexes in owned.items() if key in wholes),
        _marks("highlight", highlight),
        _marks("last", last),
        *(_marks(f"{key}-{seat}", hexes) for (key, seat), hexes in owned.items() if key not in wholes),
        _flags(board, flags),
        _coordinates(board) if coordinates else "",
    ]
    return Picture("\n".join([_opening(board, margin, hex_size), *filter(None, layers), "</svg>", ""]))


def picture(
    state: State,
    *,
    highlight: HexSet = 0,
    last: HexSet = 0,
    coordinates: bool = True,
    colours: Sequence[int] | None = None,
) -> Picture:
    """A state as a picture: the board with everything on it; `colours` are those of the seats, by default in order."""
    setup = state.setup
    order = range(setup.players) if colours is None else colours

    def coloured(by_seat: Sequence[int]) -> list[int]:
        """What the seats have, in the places of their colours."""
        places = [0] * (max(order) + 1)
        for colour, each in zip(order, by_seat, strict=True):
            places[colour] = each
        return places

    standing = pieces_of(state)
    left = {h: tiles for h, tiles in zip(setup.tile_hex, state.tiles_left, strict=True) if h is not None}
    return draw(
        setup.board,
        pieces=coloured(standing.pop(Settlement)),
        figures={kind.key: coloured(hexes) for kind, hexes in standing.items() if kind.owned},
        things={
            "capitols": setup.capitols,
            **{kind.key: hexes for kind, (hexes, *_) in standing.items() if not kind.owned},
        },
        stock=left,
        nomads={h: tile.key for h, tile in setup.nomads.items() if left[h]},
        flags=coloured([rows_marked(state, seat) for seat in range(setup.players)]),
        icons={action.key: action.icon for action in setup.actions if action.icon},
        highlight=highlight,
        last=last,
        coordinates=coordinates,
    )


def whole_artwork() -> str:
    """The definitions of everything that a picture may use, for pages that draw on a map themselves."""
    kinds = [kind for kind in piece_kinds().values() if drawn_as(kind.key) != PLAIN]
    drawings = [*(kind.key for kind in kinds if kind.owned), PLAIN]
    owned = {(drawing, seat): 1 for drawing in drawings for seat in range(1, len(HOUSES) + 1)}
    things = [*(kind.key for kind in kinds if not kind.owned), *THINGS]
    return "\n".join(_definitions(GROUND, owned, things, [1] * len(HOUSES), 1, 1))


def map_layers(board: Board, icons: Mapping[str, str], capitols: HexSet = 0) -> str:
    """The unchanging part of a map, as elements that use the artwork of `definitions`."""
    lying = _marks("capitols", capitols)
    layers = (_paper(board, PLAIN_MARGIN), _ground(board), *_sides(board), _locations(board, {}, icons), lying)
    return "\n".join(filter(None, layers))


def _owned(pieces: Sequence[HexSet], figures: Mapping[str, Sequence[HexSet]]) -> Owned:
    """The pieces of the seats, in drawing order."""
    owned: Owned = {}
    for key, seats in ((Settlement.key, pieces), *figures.items()):
        drawn = drawn_as(key)
        for seat, hexes in enumerate(seats, 1):
            if hexes:
                owned[drawn, seat] = owned.get((drawn, seat), 0) | hexes
    return owned


def _lying(things: Mapping[str, HexSet]) -> dict[str, HexSet]:
    """Things that nobody owns, by the drawing of their kind."""
    lying: dict[str, HexSet] = {}
    for key, hexes in things.items():
        drawn = key if key in THINGS else drawn_as(key)
        if hexes:
            lying[drawn] = lying.get(drawn, 0) | hexes
    return lying


def rows_marked(state: State, seat: int) -> int:
    """The rows that a seat has marked, as a set of row numbers."""
    rows = 0
    for component in state.setup.components:
        rows |= component.rows_marked(state, seat)
    return rows


def centre(h: Hex) -> tuple[int, int]:
    """The centre of a hex in the units of the picture."""
    row, col = row_col(h)
    return HALF_WIDTH * (2 * col + 1 + row % 2), RADIUS + ROW_STEP * row


def _extent(board: Board) -> tuple[int, int]:
    """Width and height of the map without its margin."""
    return HALF_WIDTH * (2 * board.width + (board.height > 1)), 2 * RADIUS + ROW_STEP * (board.height - 1)


def size_of(board: Board, margin: int) -> tuple[int, int]:
    """Width and height of a picture of the usual size."""
    width, height = _extent(board)
    return width + 2 * margin, height + 2 * margin


def _opening(board: Board, margin: int, hex_size: float) -> str:
    width, height = size_of(board, margin)
    scale = hex_size / RADIUS
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{_number(width * scale)}"'
        f' height="{_number(height * scale)}" viewBox="{-margin} {-margin} {width} {height}">'
    )


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _title(board: Board, seats: int, owned: Owned, highlight: HexSet) -> str:
    """The content of the picture in words."""
    words = [f"Kingdom Builder map, {board.width} by {board.height} hexes"]
    words += [f"section {key} is a stand-in for the printed map" for key in board.stand_ins]
    for seat in sorted({*range(1, seats + 1), *(owner for _, owner in owned)}):
        settlements = owned.get((Settlement.key, seat), 0).bit_count()
        others = [
            f", {key.replace('-', ' ')} on {hexes.bit_count()} hexes"
            for (key, owner), hexes in owned.items()
            if owner == seat and key != Settlement.key
        ]
        words.append(f"seat {seat}: {settlements} settlements{''.join(others)}")
    if highlight:
        words.append(f"{highlight.bit_count()} hexes highlighted")
    return f"<title>{'; '.join(words)}</title>"


def _definitions(
    letters: Iterable[Letter],
    owned: Owned,
    things: Iterable[str],
    flags: Sequence[int],
    highlight: HexSet,
    last: HexSet,
) -> Iterator[str]:
    """The artwork of the letters, pieces and marks in the picture."""
    for letter in sorted(letters):
        yield from _tiles(letter)
    for key in things:
        yield f'<g id="kb-{key}">{THINGS.get(key) or elements_of("figures", key)}</g>'
    wholes = _whole_figures()
    for key, seat in owned:
        yield from definitions(key, seat, wholes.get(key, ""))
    for seat, rows in enumerate(flags, 1):
        if rows:
            yield from definitions(FLAGS, seat)
    if highlight:
        yield (
            f'<g id="kb-highlight"><path d="{RING}" fill="{WHITE}" fill-opacity=".3" stroke="{INK}" stroke-width="5"/>'
            f'<path d="{RING}" fill="none" stroke="{HIGHLIGHT}" stroke-width="3"/></g>'
        )
    if last:
        yield (
            f'<g id="kb-last" fill="none"><circle r="18.5" cy="-1" stroke="{INK}" stroke-width="3"/>'
            f'<circle r="18.5" cy="-1" stroke="{WHITE}" stroke-width="1.6"/></g>'
        )


def _ground_letter(letter: Letter) -> Letter:
    return LOCATION if letter in DIGITS else letter


def _tiles(letter: Letter) -> Iterator[str]:
    """The definitions of a whole hex of this letter, one for each variant of its texture."""
    colour = GROUND[letter]
    # The ground overlaps its neighbours by half a unit: otherwise the paper shows through as hairlines.
    ground = f'<path d="{HEX}" fill="{colour}" stroke="{colour}"/>'
    rim = ""
    if letter in RIMS:
        rim = (
            f'<path d="{RIM}" fill="none" stroke="{INK}" stroke-width="5"/>'
            f'<path d="{RIM}" fill="none" stroke="{RIMS[letter]}" stroke-width="3.4"/>'
        )
    for variant, texture in enumerate(TEXTURES.get(letter, ("",))):
        yield f'<g id="kb-{letter}{variant}">{ground}{texture}{FIGURES.get(letter, "")}{rim}</g>'


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
    for h in bits(board.hexes):
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
    for h in bits(board.hexes):
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
    """The kind of the side between two hexes of the map."""
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


def _nomads(nomads: Mapping[Hex, str], icons: Mapping[str, str]) -> str:
    """The tiles on nomad spaces; once its tile is gone, the tent of a space shows."""
    parts = []
    for h, key in nomads.items():
        x, y = centre(h)
        picture = f'<g transform="translate(-12 -12)">{icons[key]}</g>' if key in icons else _initials(key)
        tile = f'<path d="{RING}" fill="{GROUND[LOCATION]}" stroke="{INK}" stroke-width="1.2"/>'
        parts.append(f'<g transform="translate({x} {y})"><title>{escape(key)}</title>{tile}{picture}</g>')
    return _group("nomads", parts) if parts else ""


def _initials(key: str) -> str:
    """The first two letters of a key: one letter would not distinguish oasis from oracle."""
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
    """The drawing with this name on each hex of a set."""
    return _group(f"{name}-hexes", (_use(f"kb-{name}", h) for h in bits(hexes))) if hexes else ""


def _whole_figures() -> dict[str, str]:
    """The figures of pieces that cover seven hexes, by the keys of their kinds."""
    return {key: kind.whole for key, kind in piece_kinds().items() if kind.whole}


def _wholes(key: str, seat: int, hexes: HexSet, whole: str) -> str:
    """The whole piece where all seven hexes are there, and its figure for one hex on each hex left over."""
    uses = []
    for h in bits(hexes):
        if NEAR[h].bit_count() == 6 and not NEAR[h] & ~hexes:
            uses.append(_use(f"kb-{whole}-{seat}", h))
            hexes &= ~(NEAR[h] | 1 << h)
    uses += [_use(f"kb-{key}-{seat}", h) for h in bits(hexes)]
    return _group(f"{key}-{seat}-hexes", uses)


def _flags(board: Board, flags: Sequence[int]) -> str:
    """A flag in the gap at the end of each marked row: odd rows begin half a hex later, even rows end earlier."""
    uses = []
    for seat, rows in enumerate(flags, 1):
        for row in range(board.height):
            if rows >> row & 1:
                x = HALF_WIDTH // 2 if row % 2 else HALF_WIDTH * 2 * board.width + HALF_WIDTH // 2
                uses.append(f'<use href="#kb-{FLAGS}-{seat}" x="{x}" y="{RADIUS + ROW_STEP * row}"/>')
    return _group(FLAGS, uses) if uses else ""


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
