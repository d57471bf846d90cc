"""Every component, by key."""

from kingdom_builder.content.base import BASE
from kingdom_builder.content.box import Box
from kingdom_builder.content.crossroads import CROSSROADS
from kingdom_builder.content.harvest import HARVEST
from kingdom_builder.content.nomads import NOMADS
from kingdom_builder.content.queenies import CAPITOL, CAVES
from kingdom_builder.rules import Card, Component, ExtraAction, Location, NomadTile, PieceKind
from kingdom_builder.rules.pieces import Scout, Settlement, Wall, in_order
from kingdom_builder.rules.setup import OPTIONS as TURN_OPTIONS

BOXES: dict[str, Box] = {box.key: box for box in (BASE, NOMADS, CROSSROADS, HARVEST, CAPITOL, CAVES)}

LOCATIONS: dict[str, Location] = {location.key: location for box in BOXES.values() for location in box.locations}
CARDS: dict[str, Card] = {card.key: card for box in BOXES.values() for card in box.cards}
TASKS: dict[str, Card] = {task.key: task for box in BOXES.values() for task in box.tasks}
NOMAD_TILES: dict[str, NomadTile] = {tile.key: tile for box in BOXES.values() for tile in box.nomad_tiles}
ALWAYS: tuple[Component, ...] = tuple(component for box in BOXES.values() for component in box.always)

COMPONENTS: tuple[Component, ...] = (
    *LOCATIONS.values(),
    *CARDS.values(),
    *TASKS.values(),
    *NOMAD_TILES.values(),
    *ALWAYS,
)

OPTIONS: dict[str, str] = dict(TURN_OPTIONS)
"""Rulings that tables disagree on, each with what it means (RULES 10)."""
for _component in COMPONENTS:
    OPTIONS |= _component.options


def piece_kinds() -> dict[str, type[PieceKind]]:
    """The kinds of pieces by key, settlements first: those of the general rules, then those of the boxes."""
    components = [each for box in BOXES.values() for each in (*box.locations, *box.nomad_tiles, *box.always)]
    brought = {each.piece for each in components if isinstance(each, ExtraAction) and each.piece}
    kinds: list[type[PieceKind]] = [Settlement, *in_order({Wall, Scout} | brought)]
    return {kind.key: kind for kind in kinds}
