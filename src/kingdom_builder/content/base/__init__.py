"""The base game."""

from kingdom_builder.content.base.cards import ALWAYS, CARDS
from kingdom_builder.content.base.locations import LOCATIONS
from kingdom_builder.content.box import Box

BASE = Box("base", "Kingdom Builder", LOCATIONS, CARDS, always=ALWAYS)
