"""The icon files: one for each component, and nothing else."""

import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from kingdom_builder.content import COMPONENTS
from kingdom_builder.rules import Component
from kingdom_builder.rules.pictures import CONTENT

ICONS = {file.stem: file for file in (CONTENT / "icons").iterdir()}


def test_every_component_has_its_icon_file_and_every_file_its_component() -> None:
    assert ICONS.keys() == {printed.key for printed in COMPONENTS}
    assert {file.suffix for file in ICONS.values()} == {".svg"}


@pytest.mark.parametrize("key", sorted(ICONS))
def test_an_icon_file_is_a_picture_by_itself(key: str) -> None:
    text = ICONS[key].read_text("utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("viewBox") == "0 0 24 24"
    assert len(root)
    assert not re.search(r"href|url\(|<script|<image|<style|\bid=", text)


def test_the_icon_of_a_component_is_what_is_inside_its_file() -> None:
    for printed in COMPONENTS:
        text = ICONS[printed.key].read_text("utf-8").replace("\n", "")
        assert printed.icon
        assert text.endswith(f'height="32">{printed.icon}</svg>')


def test_a_component_without_a_file_has_no_icon() -> None:
    class Mill(Component):
        key = "mill"

    assert Mill().icon == ""


def test_no_icon_is_read_before_something_is_drawn() -> None:
    program = """
import sys

def watch(event, arguments):
    if event == "open" and str(arguments[0]).endswith(".svg"):
        sys.exit(f"{arguments[0]} was read")

sys.addaudithook(watch)
import kingdom_builder as kb
import kingdom_builder.cli.main
game = kb.Game.first(seed=1)
for _ in range(20):
    game.play(game.legal_moves()[0])
print(kb.position_of(game.state), game.scores())
print("drawn")
kb.picture(game.state)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "drawn" in done.stdout, done.stderr
    assert "was read" in done.stderr, "the program would notice"
