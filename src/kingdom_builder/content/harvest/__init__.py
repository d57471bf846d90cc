"""Harvest: four sections with farmland, silos and two locations each, scouts, number tiles, six cards."""

from kingdom_builder.content.box import Box
from kingdom_builder.content.harvest.cards import CARDS
from kingdom_builder.content.harvest.farmland import FarmAction, Silo
from kingdom_builder.content.harvest.locations import LOCATIONS

HARVEST = Box("harvest", "Harvest", LOCATIONS, CARDS, always=(FarmAction(), Silo()))
