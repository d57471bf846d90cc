"""The figures of the rules pages can be drawn, in every language."""

import json
from pathlib import Path
from typing import Any

import pytest

from kingdom_builder.content import BOXES, COMPONENTS
from kingdom_builder.hexes import parse_hex
from kingdom_builder.notation import parse_position

PAGES = sorted((Path(__file__).parents[2] / "web" / "src" / "i18n").glob("*/rules.json"))


def figures() -> list[Any]:
    """Each figure with the language in front, as parameters of a test."""
    return [
        pytest.param(block["position"], block["highlight"], id=f"{file.parent.name}-{topic['key']}-{number}")
        for file in PAGES
        for topic in json.loads(file.read_text("utf-8"))
        for number, block in enumerate(topic["blocks"])
        if block["kind"] == "figure"
    ]


@pytest.mark.parametrize(("position", "highlight"), figures())
def test_a_figure_of_the_rules_can_be_drawn(position: str, highlight: str | list[str]) -> None:
    board = parse_position(position).setup.board
    for h in [] if highlight == "legal" else highlight:
        assert board.hexes >> parse_hex(h) & 1


def test_the_rules_have_figures() -> None:
    assert len(figures()) > len(PAGES) > 0


PRINTED = {"locations": "locations", "cards": "cards", "tasks": "tasks", "nomads": "nomad_tiles", "pieces": "always"}
"""The parts of a box by their names in the rules pages."""


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.parent.name)
def test_every_component_has_one_entry_in_the_rules(file: Path) -> None:
    """The card that explains a component leads there."""
    blocks = [block for topic in json.loads(file.read_text("utf-8")) for block in topic["blocks"]]
    shown = [
        {component.key for component in getattr(BOXES[block["set"]], PRINTED[block["what"]])}
        for block in blocks
        if block["kind"] == "printed"
    ]
    assert sorted(key for keys in shown for key in keys) == sorted({component.key for component in COMPONENTS})
