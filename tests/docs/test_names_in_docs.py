"""The files and names that the pages for maintainers mention exist."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "CONTRIBUTING.md",
    ROOT / "docs" / "architecture.md",
    ROOT / "docs" / "glossary.md",
    *sorted((ROOT / "docs" / "decisions").glob("*.md")),
]

FOLDERS = [ROOT, ROOT / "src" / "kingdom_builder", ROOT / "web" / "src"]
"""Where the path of a file may begin."""

PATH = re.compile(r"[\w./<>-]+(?:/|\.(?:py|ts|svelte|json|svg|txt|toml|md))")
NAME = re.compile(r"_?[A-Za-z]\w+(?:\.\w+)*")
"""A name, perhaps with the class or module that it belongs to: `Game.undo_limit`."""

ELSEWHERE = {"utils", "helpers", "manager", "common", "es", "vX.Y.Z"}
"""What must not exist, and examples of what could."""


@cache
def names_by_file() -> dict[Path, set[str]]:
    """The names in the code of every file, and the keys and codes in its strings; comments and docstrings left out."""
    found = {}
    for folder in ("src", "tests", "tools"):
        for path in (ROOT / folder).rglob("*.py"):
            found[path] = {path.stem, path.parent.name} | set(_names_in(ast.parse(path.read_text("utf-8"))))
    for path in (ROOT / "web" / "src").rglob("*"):
        if path.suffix in (".ts", ".svelte"):
            text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text("utf-8"), flags=re.S)
            found[path] = {path.stem, path.parent.name} | set(re.findall(r"\w+", text))
    return found


def _names_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.alias(name=name):
                yield from name.split(".")
            case ast.Constant(value=str(text)) if NAME.fullmatch(text):
                yield text


def mentioned(page: Path) -> set[str]:
    """What stands in backticks on a page."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    return set(re.findall(r"`([^`\n]+)`", text))


def is_file(path: str) -> bool:
    pattern = re.sub(r"<\w+>", "*", path).rstrip("/")
    places = [folder.glob(pattern) for folder in FOLDERS]
    if "/" not in pattern:
        places += [(ROOT / folder).rglob(pattern) for folder in ("src", "web/src", "tests", "tools")]
    return any(True for found in places for _ in found)


def is_name(name: str) -> bool:
    parts = set(name.split("."))
    return any(parts <= names for names in names_by_file().values())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_files_and_names_on_a_page_exist(page: Path) -> None:
    texts = mentioned(page) - ELSEWHERE
    paths = {text for text in texts if PATH.fullmatch(text)}
    names = {text.partition("(")[0] for text in texts - paths}
    missing = {path for path in paths if not is_file(path)}
    missing |= {name for name in names if NAME.fullmatch(name) and not is_name(name)}
    assert not missing, f"{page.name} mentions what does not exist: {sorted(missing)}"


def test_the_search_finds_what_exists_only() -> None:
    assert is_file("content/<box>/cards.py")
    assert is_file("names.json")
    assert is_name("Game.undo_limit")
    assert not is_file("players/foresight.py")
    assert not is_name("Game.no_such_method")
