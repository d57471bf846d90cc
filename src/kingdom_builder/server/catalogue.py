"""What is in the boxes, for the wire."""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import msgspec

from kingdom_builder.board import Section, printed_sections
from kingdom_builder.board.sections import OWN, STAND_IN
from kingdom_builder.board.terrain import NAMES, SPECIAL
from kingdom_builder.content import BOXES, OPTIONS, piece_kinds
from kingdom_builder.content.box import Box
from kingdom_builder.drawing.figures import drawn_as
from kingdom_builder.drawing.palette import SEATS
from kingdom_builder.drawing.svg import whole_artwork
from kingdom_builder.lessons import lessons
from kingdom_builder.players import LEVELS
from kingdom_builder.rules import Card, Component
from kingdom_builder.server import messages
from kingdom_builder.server.clocks import DAYS_ADD, DAYS_BANK, LIVE_ADD, LIVE_START, PRESETS
from kingdom_builder.server.messages import Catalogue, ComponentInfo
from kingdom_builder.server.ratings import can_rate
from kingdom_builder.server.setups import CARDS, FEWEST_SEATS, MOST_SEATS

FIRST_LEVEL = "easy"
"""The bot to meet for somebody who just wants to play."""


@cache
def catalogue() -> Catalogue:
    """Everything that is the same for all games."""
    from importlib.metadata import version  # the processes that compute do not need it, and start the sooner

    return Catalogue(
        protocol=messages.PROTOCOL,
        version=version("kingdom-builder"),
        sets=[messages.BoxInfo(box.key, box.name) for box in BOXES.values()],
        components=[info for box in BOXES.values() for info in _components(box)],
        pieces=[
            messages.PieceInfo(
                kind.key,
                kind.name,
                kind.owned,
                f"kb-{drawn_as(kind.key)}",
                f"kb-{kind.whole}" if kind.whole else None,
                kind.text,
            )
            for kind in piece_kinds().values()
        ],
        sections=[section_info(section) for section in printed_sections().values()],
        options=[messages.OptionInfo(key, text) for key, text in OPTIONS.items()],
        levels=[messages.LevelInfo(level.key, level.text, level.name, level.likes) for level in LEVELS.values()],
        clocks=[messages.ClockInfo(key, clock.kind, clock.start, clock.add) for key, clock in PRESETS.items()],
        limits=messages.Limits(FEWEST_SEATS, MOST_SEATS, CARDS, FIRST_LEVEL, can_rate(), _clock_limits()),
        terrain=NAMES,
        special=SPECIAL,
        artwork=whole_artwork(),
        colours=[seat.roof for seat in SEATS],
    )


def _clock_limits() -> dict[str, messages.ClockLimits]:
    return {
        "live": messages.ClockLimits(list(LIVE_START), list(LIVE_ADD)),
        "days": messages.ClockLimits(list(DAYS_BANK), list(DAYS_ADD)),
    }


@cache
def lesson_infos() -> list[messages.LessonInfo]:
    """All lessons, without the moves that they ask for."""
    return [
        messages.LessonInfo(
            lesson.key,
            lesson.box,
            [messages.StepInfo(step.key, step.kind, step.point, list(step.hexes), step.card) for step in lesson.steps],
        )
        for lesson in lessons().values()
    ]


class Encoded(NamedTuple):
    """The catalogue as it is sent."""

    tag: str
    zipped: bytes


def encoded_catalogue(own: Mapping[str, Section]) -> Encoded:
    """The catalogue of a server with these sections of its own in JSON, zipped, with a tag that changes with it."""
    sections = [section_info(section) for section in {**printed_sections(), **own}.values()]
    text = msgspec.json.encode(replace(catalogue(), sections=sections))
    return Encoded(f'"{hashlib.sha256(text).hexdigest()[:16]}"', gzip.compress(text, 6, mtime=0))


def section_info(section: Section) -> messages.SectionInfo:
    """A section, for the wire."""
    return messages.SectionInfo(
        section.key,
        section.expansion if section.expansion in BOXES else OWN,
        section.standing == STAND_IN,
        list(section.locations),
        list(section.rows),
    )


def _components(box: Box) -> list[ComponentInfo]:
    found: dict[str, ComponentInfo] = {}

    def add(kind: messages.ComponentKind, component: Component) -> None:
        excluded_by = component.excluded_by if isinstance(component, Card) else None
        found[component.key] = ComponentInfo(
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
