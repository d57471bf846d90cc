"""Every language of the page translates everything that the source says, and nothing else."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from message_templates import holes, templates

from kingdom_builder.server.catalogue import catalogue

I18N = Path(__file__).parents[2] / "web" / "src" / "i18n"
LANGUAGES = sorted(path.parent.name for path in I18N.glob("*/language.json") if path.parent.name != "en")

HOLE_IN_TRANSLATION = re.compile(r"\{(\w+)(?:\.\w+)?(?::[^{}]*)?\}")
"""A hole may ask for a grammatical form of what it holds, as in `{piece.accusative}`."""


def content(language: str, file: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((I18N / language / file).read_text("utf-8"))
    return found


def differences(expected: set[str], found: set[str]) -> dict[str, list[str]]:
    """What is missing and what is left over; empty if nothing is."""
    both = {"missing": sorted(expected - found), "left over": sorted(found - expected)}
    return {what: texts for what, texts in both.items() if texts}


def test_there_are_languages_and_templates() -> None:
    assert len(LANGUAGES) >= 2
    assert len(templates()) > 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated(language: str) -> None:
    assert differences(set(templates()), set(content(language, "messages.json"))) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_holes_of_its_template(language: str) -> None:
    wrong = {
        template: differences(holes(template), {hole[1] for hole in HOLE_IN_TRANSLATION.finditer(translation)})
        for template, translation in content(language, "messages.json").items()
    }
    assert {template: difference for template, difference in wrong.items() if difference} == {}


def names_of_the_catalogue() -> dict[str, set[str]]:
    """The keys of everything with a name, by their groups in `names.json`."""
    everything = catalogue()
    return {
        "components": {component.key for component in everything.components},
        "boxes": {box.key for box in everything.sets},
        "terrains": set(everything.terrain),
        "pieces": {kind.key for kind in everything.pieces},
        "options": {option.key for option in everything.options},
        "levels": {level.key for level in everything.levels},
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("group", names_of_the_catalogue())
def test_everything_has_a_name(language: str, group: str) -> None:
    names = content(language, "names.json")
    assert differences(names_of_the_catalogue()[group], set(names[group])) == {}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("group", ["components", "levels"])
def test_what_has_a_text_has_it_in_every_language(language: str, group: str) -> None:
    names = content(language, "names.json")[group]
    assert [key for key, entry in names.items() if not (entry.get("name") and entry.get("text"))] == []
