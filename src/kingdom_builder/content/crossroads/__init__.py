"""Crossroads: four sections with two locations each, warriors, wagons, ships, city halls, task cards."""

from kingdom_builder.content.box import Box
from kingdom_builder.content.crossroads.locations import LOCATIONS
from kingdom_builder.content.crossroads.tasks import TASKS, reveal

CROSSROADS = Box("crossroads", "Crossroads", LOCATIONS, tasks=TASKS, prepare=reveal)
