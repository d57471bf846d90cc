"""The words of source texts, to find out whether a module names a component."""

import ast
import re
from pathlib import Path

import kingdom_builder

SOURCE = Path(kingdom_builder.__file__).parent

MEANS_SOMETHING_ELSE = {
    "advance": "to go on",
    "castles": "hexes of the board",
    "capitol": "a tile that lies on the board from the start, and an option of the turn",
    "outpost": "an option of the turn",
    "silo": "hexes of the board",
    "workers": "processes that work",
}
"""Keys that are words of the general rules too."""


def words_of_code(source: str) -> set[str]:
    """The identifiers of a source text and its strings but for those that are sentences, all as keys are written."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value.strip():
            found |= words(node.value)
        for name in ("id", "attr", "name", "arg", "asname"):
            value = getattr(node, name, None)
            if isinstance(value, str):
                found |= words(value)
    return found


def words(text: str) -> set[str]:
    """The words of a text; one of several parts, as `scout-cabin`, as a whole, in whichever way it is written."""
    found = set()
    for word in re.findall(r"[A-Za-z]+(?:[-_][A-Za-z]+)*", text):
        dashed = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", word).replace("_", "-").lower()
        parts = dashed.split("-")
        found |= {"-".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1)}
    return found
