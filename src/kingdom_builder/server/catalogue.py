"""What is printed, for the wire."""

import gzip
import hashlib
from functools import cache
from importlib.metadata import version
from typing import NamedTuple

import msgspec

from kingdom_builder.board import printed_sections
from kingdom_builder.board.sections import STAND_IN
from kingdom_builder.board.terrain import NAMES
from kingdom_builder.content import BOXES, OPTIONS
from kingdom_builder.content.box import Box
from kingdom_builder.figures import HOUSES
from kingdom_builder.players import LEVELS
from kingdom_builder.rules import Card, Component
from kingdom_builder.server import messages
from kingdom_builder.server.messages import Catalogue, PrintedThing
from kingdom_builder.svg import whole_artwork


@cache
def catalogue() -> Catalogue:
    """Everything that is the same for all games."""
    return Catalogue(
        protocol=messages.PROTOCOL,
        version=version("kingdom-builder"),
        sets=[messages.BoxInfo(box.key, box.name) for box in BOXES.values()],
        printed=[thing for box in BOXES.values() for thing in _printed(box)],
        sections=[
            messages.SectionInfo(
                section.key,
                section.expansion,
                section.standing == STAND_IN,
                list(section.locations),
                list(section.rows),
            )
            for section in printed_sections().values()
        ],
        options=[messages.OptionInfo(key, text) for key, text in OPTIONS.items()],
        levels=[messages.LevelInfo(key, text) for key, text in LEVELS.items()],
        terrain=NAMES,
        artwork=whole_artwork(),
        colours=[house.roof_colour for house in HOUSES],
    )


class Encoded(NamedTuple):
    """The catalogue as it is sent."""

    tag: str
    zipped: bytes


@cache
def encoded_catalogue() -> Encoded:
    """The catalogue in JSON, zipped, with a tag that changes with its content."""
    text = msgspec.json.encode(catalogue())
    return Encoded(f'"{hashlib.sha256(text).hexdigest()[:16]}"', gzip.compress(text, 6, mtime=0))


def _printed(box: Box) -> list[PrintedThing]:
    found: dict[str, PrintedThing] = {}

    def add(kind: messages.PrintedKind, component: Component) -> None:
        excluded_by = component.excluded_by if isinstance(component, Card) else None
        found[component.key] = PrintedThing(
            component.key, kind, box.key, component.name, component.text, component.icon, excluded_by
        )

    for location in box.locations:
        add("location", location)
    for card in box.cards:
        add("card", card)
    for task in box.tasks:
        add("task", task)
    for tile in box.nomad_tiles:
        add("nomad", tile)
    for always in box.always:
        add("always", always)
    return list(found.values())
