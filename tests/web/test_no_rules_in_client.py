"""The page and the server work for any component: neither knows a card, location, piece or terrain by name."""

import re
from pathlib import Path

import pytest
from component_words import MEANS_SOMETHING_ELSE, SOURCE, words, words_of_code

from kingdom_builder.board.terrain import NAMES
from kingdom_builder.content import COMPONENTS, piece_kinds

WEB = Path(__file__).parents[2] / "web" / "src"

ARTWORK = {WEB / "board" / "artwork.ts", WEB / "pages" / "artwork.ts"}
"""Drawings of the catalogue by their ids, and the position that the start page shows."""

OF_THE_RULES = {"settlement": "the piece that the rules themselves build, whatever is in play"}
"""What the server knows as the rules do."""


def keys() -> set[str]:
    """The keys of all components and kinds of pieces, and the names of terrains."""
    found = {component.key for component in COMPONENTS} | set(piece_kinds())
    return (found | {name.replace(" ", "-") for name in NAMES.values()}) - set(MEANS_SOMETHING_ELSE)


def files_of_page() -> list[Path]:
    return [path for path in sorted(WEB.rglob("*")) if path.suffix in {".ts", ".svelte"} and path not in ARTWORK]


def code_of_page(text: str) -> str:
    """The code and markup of a file: comments and style sheets are for people and for looks."""
    return re.sub(r"/\*.*?\*/|<!--.*?-->|<style>.*?</style>|(?<![:\w])//[^\n]*", " ", text, flags=re.DOTALL)


def name_of(path: Path) -> str:
    return path.relative_to(WEB if path.is_relative_to(WEB) else SOURCE).as_posix()


def test_the_search_finds_keys_in_code_and_markup_only() -> None:
    source = """
        // the oasis
        const path = "https://tower.example"; /** A tavern. */
        if (key === "scout-cabin" || isHarbor) show(`game.knights`);
        <p class="paddock">barn</p> <!-- quarry -->
        <style>.garden { color: red }</style>
    """
    found = words(code_of_page(source))
    assert {"scout-cabin", "harbor", "knights", "paddock", "barn", "tower"} <= found
    assert not {"oasis", "tavern", "quarry", "garden"} & found
    assert len(keys()) > 70
    assert {"paddock", "wagons", "flower-field", "grass"} <= keys()


@pytest.mark.parametrize("path", files_of_page(), ids=name_of)
def test_no_file_of_the_page_knows_a_component(path: Path) -> None:
    assert words(code_of_page(path.read_text("utf-8"))) & keys() == set()


@pytest.mark.parametrize("path", sorted((SOURCE / "server").glob("*.py")), ids=name_of)
def test_no_module_of_the_server_knows_a_component(path: Path) -> None:
    assert words_of_code(path.read_text("utf-8")) & keys() - set(OF_THE_RULES) == set()
