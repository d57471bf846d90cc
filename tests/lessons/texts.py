"""The texts of lessons as the page shows them, in every language."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from kingdom_builder.lessons import Lesson
from kingdom_builder.server.catalogue import catalogue
from kingdom_builder.server.messages import LessonPlace

I18N = Path(__file__).parents[2] / "web" / "src" / "i18n"
LANGUAGES = sorted(path.parent.name for path in I18N.glob("*/language.json"))
HOLE = re.compile(r"\{(\w+)\}")


@cache
def _file(language: str, name: str) -> dict[str, Any]:
    path = I18N / language / name
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def template(language: str, lesson: Lesson, part: str) -> str:
    """The text of a step, or `title` or `about`, with its holes."""
    return str(_file(language, "parts/lessons.json")[f"lessons.{lesson.key}.{part}"])


def words(language: str, lesson: Lesson, part: str, place: LessonPlace) -> str:
    """The text of a step as it stands on the page at a moment. Raises LookupError for a hole that nothing fills."""
    table = _file(language, "table.json")
    filled = {"undo": table["game.undo"], "end": table["game.endTurn"]}
    filled |= {hole: _name(language, *argument) for hole, argument in place.arguments.items()}  # type: ignore[arg-type]  # a tagged tuple
    return HOLE.sub(lambda hole: filled[hole[1]], template(language, lesson, part))


def _name(language: str, kind: str, value: str | int) -> str:
    if kind == "number":
        return str(value)
    group = {"component": "components", "terrain": "terrains", "piece": "pieces"}[kind]
    own = _file(language, "names.json").get(group, {}).get(value)
    if own is None:
        return _english()[kind][str(value)]
    return str(own["name"] if isinstance(own, dict) else own)


@cache
def _english() -> dict[str, dict[str, str]]:
    everything = catalogue()
    return {
        "component": {each.key: each.name for each in everything.components},
        "piece": {each.key: each.name for each in everything.pieces},
        "terrain": everything.terrain,
    }
