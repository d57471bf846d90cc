"""The templates of all messages in the source, found by reading it: what every language has to translate."""

import ast
from collections.abc import Iterator
from pathlib import Path

import kingdom_builder
from kingdom_builder.message import HOLE

SOURCE = Path(kingdom_builder.__file__).parent


def messages() -> Iterator[tuple[str, ast.Call]]:
    """Every call of `Message` in the source, each with its file and line."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Message":
                yield f"{path.relative_to(SOURCE.parent)}:{node.lineno}", node


def templates() -> dict[str, list[str]]:
    """The templates, each with the places where it stands."""
    found: dict[str, list[str]] = {}
    for place, call in messages():
        if call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str):
            found.setdefault(call.args[0].value, []).append(place)
    return found


def holes(template: str) -> set[str]:
    """The names of the arguments that a template asks for."""
    return {hole[1] for hole in HOLE.finditer(template)}
