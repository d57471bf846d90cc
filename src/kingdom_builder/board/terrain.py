"""The letters of the map: one for each terrain and each kind of special hex."""

from kingdom_builder.message import Name

Letter = str
Terrain = str
"""One of the five letters that have terrain cards."""

GRASS, CANYON, DESERT, FLOWERS, FOREST, FARMLAND = "GCDFTA"
WATER, MOUNTAIN, CAVE = "WMV"
CASTLE, NOMADS, SILO = "KNI"
DIGITS = "123456789"
"""Location hexes: the first, second, ... location that the map names."""

CARDS: tuple[Terrain, ...] = ("C", "D", "F", "G", "T")
"""The terrains of the terrain cards, in alphabetical order of their letters."""

LAND: tuple[Letter, ...] = (*CARDS, FARMLAND)
"""Buildable land (RULES 0)."""

NAMES: dict[Letter, str] = {
    GRASS: "grass",
    CANYON: "canyon",
    DESERT: "desert",
    FLOWERS: "flower field",
    FOREST: "forest",
    FARMLAND: "farmland",
    WATER: "water",
    MOUNTAIN: "mountain",
    CAVE: "cave",
    CASTLE: "castle",
    NOMADS: "nomad space",
    SILO: "silo",
}

SPECIAL: dict[Letter, str] = {DIGITS[0]: "location", **{letter: NAMES[letter] for letter in (CASTLE, NOMADS, SILO)}}
"""The kinds of special hexes (RULES 0) in words; the first digit stands for all locations."""


def terrain_name(letter: Letter) -> Name:
    """A terrain or kind of special hex in a message."""
    return Name("terrain", letter, NAMES[letter])
