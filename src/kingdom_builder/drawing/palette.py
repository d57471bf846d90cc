"""The palette: every colour of maps, pieces, charts and the terminal."""

from typing import NamedTuple

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

INK = "#3b2a14"
PAPER = "#f6ecd4"
WHITE = "#fff"
GOLD = "#e3a81c"
SILVER = "#b9c1cb"
HIGHLIGHT = "#fff36b"
GRID = "#d8c9a4"
"""The lines of charts."""

# ---- the map ---------------------------------------------------------------------------------------------------------

LOCATION = "1"
"""The letter of all locations in tables by letter: the ground is the same, only the icon differs."""

GROUND: dict[Letter, str] = {
    FOREST: "#4f7548",
    CANYON: "#b56b47",
    MOUNTAIN: "#98948f",
    CAVE: "#98948f",
    WATER: "#7fabc7",
    GRASS: "#aec86c",
    FLOWERS: "#eec6d5",
    FARMLAND: "#cfae58",
    DESERT: "#f7e9b4",
    CASTLE: "#ebe7dd",
    NOMADS: "#ebe7dd",
    SILO: "#ebe7dd",
    LOCATION: "#fdf3d6",
}
"""Ground colours. Terrains also differ in lightness, so that they can be distinguished in greyscale."""

RIMS: dict[Letter, str] = {CASTLE: SILVER, NOMADS: SILVER, SILO: SILVER, LOCATION: GOLD}
"""The colour of the rim inside special hexes."""

SURF = "#f3f8f4"
"""Along the coast."""

BLADES, GRASS_DOTS = "#5e8230", "#7fa043"
CROWNS, CROWN_SHADES, TRUNKS = "#7ba165", "#365a34", "#22371f"
DUNES, DUNE_SLOPES, SAND_GRAINS = "#b98f3e", "#d9b868", "#cba657"
PETALS, PETAL_EDGES, BLOSSOM_HEARTS, LEAVES = "#fff8fb", "#b9588a", "#e0a100", "#8aa85e"
LIGHT_WAVES, DARK_WAVES = "#d4e8f1", "#4d84a6"
ROCK_LINES, ROCK_SHADES = "#4b4744", "#7a7571"
CANYON_BAND, STRATA, CRACKS = "#d29268", "#74391f", "#8d4c2e"
FIELD_STRIPS, FURROW_LINES, SPROUTS = "#ecdda0", "#8f7226", "#6c8030"
CAVE_MOUTH, CAVE_RIM = "#1d1713", "#e9e3d8"
CASTLE_WALL, CASTLE_TOWERS, CASTLE_FLAG = "#cfc9bd", "#e6e1d6", "#c0392b"
CANVAS, CANVAS_SHADE = "#d8b98a", "#b98d56"
SILO_WALL, SILO_SHADE = "#cdb07a", "#a5834c"
TILED_ROOF = "#9c4a32"
GOLD_SHADE = "#8a5f0a"
LIGHT_STONE, STONE = "#c9c5be", "#a9a59e"

# ---- the pieces ------------------------------------------------------------------------------------------------------

OUTLINE = "#241a10"
WOOD = "#8a6a3a"
COURT_GROUND, COURT_LINES = "#d8c59c", "#b9a272"


class SeatColours(NamedTuple):
    """The colours of a seat's house, which its other pieces share."""

    roof: str
    front: str
    side: str
    emblem: str
    terminal: str
    """Behind letters in a terminal; darker than the roof where the letters would not stand out."""
    letters: str
    """The letters on it."""


SEATS: tuple[SeatColours, ...] = (
    SeatColours("#1f63b8", "#e6eef8", "#a8c0e0", WHITE, "#1f55c4", "#ffffff"),
    SeatColours("#f08a1c", "#fff0d9", "#efc695", OUTLINE, "#d9570b", "#ffffff"),
    SeatColours("#38332f", "#cfcac4", "#948d86", WHITE, "#3a3a3a", "#ffffff"),
    SeatColours("#ffffff", "#fffdf6", "#e2dac8", OUTLINE, "#f4f4f4", "#000000"),
    SeatColours("#c4242c", "#fbe4df", "#e0a49c", WHITE, "#c3122f", "#ffffff"),
)
"""The colours of the seats, in seat order."""

TERMINAL_UNOWNED, TERMINAL_UNOWNED_LETTERS = "#5a5651", "#ffffff"
"""In a terminal, pieces that nobody owns."""
