"""Nomads: four sections, nomad tiles, three cards that pay during the game."""

from kingdom_builder.content.box import Box
from kingdom_builder.content.nomads.cards import CARDS
from kingdom_builder.content.nomads.locations import LOCATIONS
from kingdom_builder.content.nomads.tiles import ALWAYS, TILES, lay_out

NOMADS = Box("nomads", "Nomads", LOCATIONS, CARDS, nomad_tiles=TILES, always=ALWAYS, prepare=lay_out)
