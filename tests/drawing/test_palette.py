"""One palette: no other module has a colour of its own."""

import re
from pathlib import Path

import kingdom_builder
from kingdom_builder.drawing import palette

SOURCE = Path(kingdom_builder.__file__).parent
COLOUR = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b")
NAMED_COLOUR = re.compile(r"(?:color|bgcolor|fill|stroke)=['\"](?!none\b|\{)[a-z]+['\"]")


def test_colours_are_written_in_the_palette_alone() -> None:
    for path in sorted(SOURCE.rglob("*.py")):
        source = path.read_text("utf-8")
        if path != Path(palette.__file__):
            assert not COLOUR.findall(source), path
        assert not NAMED_COLOUR.findall(source), path
