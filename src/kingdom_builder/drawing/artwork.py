"""Artwork of the map: terrain textures and the drawings on special hexes, as SVG fragments.

A fragment is centred on (0, 0) of its hex, which is 42 wide and 48 high: nearly regular, and every corner falls on
whole numbers, so pictures stay small and there are no gaps between hexes. There are no gradients, patterns or clips:
they stop working if another picture on the page has the same ids and is hidden.
"""

from kingdom_builder.board.terrain import (
    CANYON,
    CASTLE,
    CAVE,
    DESERT,
    FARMLAND,
    FLOWERS,
    FOREST,
    GRASS,
    MOUNTAIN,
    NOMADS,
    SILO,
    WATER,
    Letter,
)
from kingdom_builder.drawing.palette import (
    BLADES,
    BLOSSOM_HEARTS,
    CANVAS,
    CANVAS_SHADE,
    CANYON_BAND,
    CASTLE_FLAG,
    CASTLE_TOWERS,
    CASTLE_WALL,
    CAVE_MOUTH,
    CAVE_RIM,
    CRACKS,
    CROWN_SHADES,
    CROWNS,
    DARK_WAVES,
    DUNE_SLOPES,
    DUNES,
    FIELD_STRIPS,
    FURROW_LINES,
    GOLD,
    GOLD_SHADE,
    GRASS_DOTS,
    GROUND,
    INK,
    LEAVES,
    LIGHT_STONE,
    LIGHT_WAVES,
    PAPER,
    PETAL_EDGES,
    PETALS,
    ROCK_LINES,
    ROCK_SHADES,
    SAND_GRAINS,
    SILO_SHADE,
    SILO_WALL,
    SPROUTS,
    STONE,
    STRATA,
    TILED_ROOF,
    TRUNKS,
    WHITE,
)

HALF_WIDTH, RADIUS, ROW_STEP = 21, 24, 36
HEX = "M0-24 21-12V12L0 24-21 12V-12z"
RIM = "M0-20.8 18.2-10.4V10.4L0 20.8-18.2 10.4V-10.4z"
RING = "M0-19 16.6-9.5V9.5L0 19-16.6 9.5V-9.5z"


def _at(mark: str, *spots: tuple[float, float]) -> str:
    """Path data with one mark, drawn by relative commands, at each spot."""
    return "".join(f"M{x:g} {y:g}{mark}" for x, y in spots)


def _pen(colour: str, width: float, data: str) -> str:
    """A path of rounded pen strokes."""
    style = f'stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<path fill="none" {style} d="{data}"/>'


def _shape(fill: str, data: str, width: float = 1, outline: str = INK) -> str:
    """A filled and outlined path."""
    return f'<path fill="{fill}" stroke="{outline}" stroke-width="{width:g}" stroke-linejoin="round" d="{data}"/>'


def _fill(colour: str, data: str) -> str:
    """A filled path without an outline."""
    return f'<path fill="{colour}" d="{data}"/>'


# Marks of the textures: path data that starts at the current point.
DOT = "h.1"
DISC = "M-10 0a10 10 0 1 0 20 0 10 10 0 1 0-20 0"
TUFT = "m-4.5-3q3.5 1 3.5 6m1 0v-8.5m1 8.5q0-5 3.5-6"
DUNE = "m-10 3q6-9 11-7 4 2 9 5"
DUNE_SLOPE = "m1-4q-4 4 0 8"
WAVE = "m-7 0q3.5-4.5 7 0t7 0"
CROWN = "m-1 6c-8 1-8-5-4.5-6.5-2-5 3-7.5 5.5-5 4-2.5 7.5 1 6 5 4 2 1.5 7.5-3.5 6.5z"
CROWN_SHADE = "m-1 6c5 1 11-.5 7-6.5 0 3.5-3 6-7 6.5z"
TRUNK = "m0 6v2.5"
BLOSSOM = (
    "c-3.4-2.2-2.9-5.2 0-5.2 2.9 0 3.4 3 0 5.2c1-3.9 4-4.4 4.9-1.6 .9 2.8-1.8 4.2-4.9 1.6"
    "c4-.2 5.4 2.5 3.1 4.2-2.3 1.7-4.5-.4-3.1-4.2c1.5 3.8-.7 5.9-3.1 4.2-2.3-1.7-1-4.4 3.1-4.2"
    "c-3.1 2.6-5.8 1.2-4.9-1.6 .9-2.8 3.9-2.3 4.9 1.6z"
)
SPROUT = "m-1.5-2q1.5 0 1.5 2q0-2 1.5-2"
LEAF = "q4-1 5 3q-4 1-5-3"

Spots = tuple[tuple[float, float], ...]


def _grass(tufts: Spots, dots: Spots) -> str:
    return _pen(BLADES, 1.2, _at(TUFT, *tufts)) + _pen(GRASS_DOTS, 1.6, _at(DOT, *dots))


def _forest(trees: Spots) -> str:
    trunks, crowns, shades = (_at(mark, *trees) for mark in (TRUNK, CROWN, CROWN_SHADE))
    return _pen(TRUNKS, 2, trunks) + _shape(CROWNS, crowns, 1, TRUNKS) + _fill(CROWN_SHADES, shades)


def _desert(dunes: Spots, dots: Spots) -> str:
    slopes = _pen(DUNE_SLOPES, 1, _at(DUNE_SLOPE, *dunes))
    return slopes + _pen(DUNES, 1.3, _at(DUNE, *dunes)) + _pen(SAND_GRAINS, 1.3, _at(DOT, *dots))


def _flowers(blossoms: Spots, leaves: Spots) -> str:
    petals = _shape(PETALS, _at(BLOSSOM, *blossoms), 0.8, PETAL_EDGES)
    return _fill(LEAVES, _at(LEAF, *leaves)) + petals + _pen(BLOSSOM_HEARTS, 2.6, _at(DOT, *blossoms))


def _water(light: Spots, dark: Spots) -> str:
    return _pen(LIGHT_WAVES, 1.4, _at(WAVE, *light)) + _pen(DARK_WAVES, 1.2, _at(WAVE, *dark))


def _mountain(peaks: str, shade: str, snow: str, lines: str) -> str:
    faces = _shape(LIGHT_STONE, peaks, 1.2, ROCK_LINES) + _fill(ROCK_SHADES, shade)
    return faces + _fill(WHITE, snow) + _pen(ROCK_LINES, 0.9, lines)


def _canyon(band: str, strata: str, cracks: str) -> str:
    return _fill(CANYON_BAND, band) + _pen(STRATA, 1.3, strata) + _pen(CRACKS, 1, cracks)


def _farmland(strips: str, furrows: str, sprouts: Spots) -> str:
    return _fill(FIELD_STRIPS, strips) + _pen(FURROW_LINES, 1.1, furrows) + _pen(SPROUTS, 1.4, _at(SPROUT, *sprouts))


FURROW_STRIPS = "M-21 12 21-12 10.5-18-21 0zM0 24-10.5 18 21 0V12z"
FURROWS = "M-20 11.4 20-11.4M-20-.6 9.5-17.4M-9.5 17.4 20 .6"
FURROW_SPROUTS = ((-10, 13), (-3, 9), (4, 5), (11, 1), (18, -3), (-15, -8), (-8, -12), (-1, -16))
PEAKS = "M-19 12-7-9-3.5-3 4-16 19 12z"
PEAKS_SHADE = "M4-16 19 12H8L5 2l2-5zM-7-9-3.5-3-6 3-4 12h-4l1-9-2-4z"
PEAKS_SNOW = "M4-16-.5-8.2 2-9.5 4-6.5 6-9 8.4-7.8zM-7-9-10-4l2-.5 1.5 1.5 1.5-1.5 1 .5-.5-2z"

# Canyon and farmland have only one variant: their lines continue from hex to hex.
TEXTURES: dict[Letter, tuple[str, ...]] = {
    GRASS: (
        _grass(((-9, -9), (7, -13), (10, 3), (-5, 6), (4, 16)), ((-14, 2), (0, -3), (-8, 14), (14, -6))),
        _grass(((0, -15), (-13, -3), (12, -4), (1, 4), (-7, 14), (11, 11)), ((-8, -11), (8, -9), (-2, -6))),
    ),
    CANYON: (
        _canyon(
            "M-21-6h5l3-2h7l4 4h7l3-3h6l3 1h4V3h-5l-3 2H4L1 3h-8l-3 2h-6l-3-2h-2z",
            "M-13-15h5l3 2h7l3-2h8M-21-6h5l3-2h7l4 4h7l3-3h6l3 1h4M-21 3h2l3 2h6l3-2h8l3 2h9l3-2h5"
            "M-19 12h4l3-2h8l3 3h8l3-2h7M-6 18.5h5l3-1h5",
            "M-12-5h5M7-4h6M-2 0h9M-18-1h5M-15 8h4M4 8h8M-5 16h7M-3-10h6M11-11h4",
        ),
    ),
    DESERT: (
        _desert(((-3, -9), (5, 5), (-6, 15)), ((-14, 0), (13, -8), (-9, 5), (8, 14), (15, 9))),
        _desert(((2, -13), (-7, 0), (7, 11)), ((-11, -9), (13, -3), (-13, 9), (-4, 11))),
    ),
    FLOWERS: (
        _flowers(((-8, -9), (9, -11), (2, 3), (-12, 8), (8, 11)), ((-1, -17), (-15, -2), (12, 0), (-3, 14))),
        _flowers(((1, -15), (-13, -4), (10, -2), (-3, 6), (6, 13)), ((-9, -12), (13, -11), (-1, -4), (-10, 12))),
    ),
    FOREST: (
        _forest(((1, -15), (-12, -7), (12, -6), (0, 1), (-12, 8), (11, 8), (0, 14))),
        _forest(((-6, -13), (7, -13), (-13, 1), (1, 0), (14, -1), (-6, 12), (8, 11))),
    ),
    FARMLAND: (_farmland(FURROW_STRIPS, FURROWS, FURROW_SPROUTS),),
    WATER: (
        _water(((-8, -9), (8, 3), (-5, 15)), ((7, -10), (-9, 2), (8, 14))),
        _water(((6, -13), (-9, 1), (7, 12)), ((-8, -8), (9, -2), (-4, 11))),
    ),
    MOUNTAIN: (_mountain(PEAKS, PEAKS_SHADE, PEAKS_SNOW, "M-13 9l3-6M-1 9l3-9"),),
}
"""What is drawn on the ground of each terrain, in one variant or in two that alternate."""
TEXTURES[CAVE] = TEXTURES[MOUNTAIN]

FIGURES: dict[Letter, str] = {
    CAVE: _shape(CAVE_MOUTH, "M-8 15V7C-8-4 8-4 8 7v8z", 2.2, CAVE_RIM) + _pen(CAVE_MOUTH, 1, "M-11 15.5h22"),
    CASTLE: (
        _shape(CASTLE_WALL, "M-7 12V-2h2v2h2.5v-2h5v2H5v-2h2v14z")
        + _shape(CASTLE_TOWERS, "M-13 12V-8h2v2.5h2V-8h2v2.5h2V-8h1.5v20zM4.5 12V-8H6v2.5h2V-8h2v2.5h2V-8h1.5v20z")
        + _shape(INK, "M-3 12V7.5C-3 3.5 3 3.5 3 7.5V12z")
        + _shape(CASTLE_FLAG, "M0-2v-13l7 2.5-7 2.5")
        + _pen(INK, 1.4, "M-9.5-2v3M9-2v3")
    ),
    NOMADS: (
        _shape(CANVAS, "M0-9 14 11H-14z")
        + _shape(CANVAS_SHADE, "M0-9 14 11H4z")
        + _shape(INK, "M-2-3 4 11H-6z")
        + _pen(INK, 1.3, "M-3-13 2-6M3-13-2-6M-14 11-17 13M14 11l3 2")
    ),
    SILO: (
        _shape(SILO_WALL, "M-7 12V-6h14v18z")
        + _fill(SILO_SHADE, "M2-5.5h4.5v17H2z")
        + _shape(TILED_ROOF, "M-8.5-6C-8-17 8-17 8.5-6z")
        + _pen(INK, 1, "M-7 0H7M-7 6H7M0-14v-3")
        + _shape(INK, "M-4.5 12V7.5h4V12z")
    ),
}
"""The drawings on special hexes. Location hexes have an icon instead."""


CAPITOL = (
    _fill(GROUND[CASTLE], RING)
    + f'<path d="{RIM}" fill="none" stroke="{GOLD}" stroke-width="3.4"/>'
    + _shape(CASTLE_FLAG, "M0-12v-7l7 2.2-7 2.3")
    + _shape(CASTLE_WALL, "M-9 13V-4H9V13z")
    + _shape(GOLD, "M-9.5-4C-9-14.5 9-14.5 9.5-4z")
    + _shape(CASTLE_TOWERS, "M-15.5 13V-3h7.5V13zM8 13V-3h7.5V13z")
    + _shape(TILED_ROOF, "M-17-2.5-11.7-13-6.5-2.5zM6.5-2.5 11.7-13 17-2.5z")
    + _shape(INK, "M-3.5 13V6C-3.5 1 3.5 1 3.5 6v7z")
    + _pen(INK, 1.4, "M-11.7 2v4M11.7 2v4M-5.5-1v2M5.5-1v2")
    + _pen(GOLD_SHADE, 1, "M-4-6.5q.5-4 2-5M4-6.5q-.5-4-2-5")
)
"""A castle with a capitol, drawn over the castle."""

THINGS: dict[str, str] = {
    "capitols": CAPITOL,
    "pieces": _shape(PAPER, DISC, 4.5, PAPER) + _shape(STONE, DISC, 1.3),
}
"""Things that nobody owns and that have no figure file; `pieces` is for any other kind without one."""
