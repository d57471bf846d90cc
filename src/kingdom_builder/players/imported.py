"""Players that are Python classes, named by module and class: `docs/bots.md` describes them."""

import os
import re
import sys
from importlib import import_module
from operator import attrgetter

from kingdom_builder.players.player import Player

PREFIX = "py:"
"""The prefix of the name of a class."""


def class_name(kind: type[Player]) -> str:
    """The name of a class of players, with which any process can import it.

    >>> from kingdom_builder.players.hard import HardPlayer
    >>> class_name(HardPlayer)
    'py:kingdom_builder.players.hard:HardPlayer'
    """
    module, path = kind.__module__, kind.__qualname__
    if "<locals>" in path or module == "__main__":
        where = "inside a function" if "<locals>" in path else "in the script that runs"
        raise ValueError(
            f"the class {kind.__name__} is defined {where}, where worker processes cannot import it: "
            "expected one at the top level of a module; move it to a file such as mybot.py and import it from there"
        )
    return f"{PREFIX}{module}:{path}"


def split_name(name: str) -> tuple[str | None, str, str]:
    """The budget, the module and the class in a name such as `py:module:Class` or `py:100ms:module:Class`."""
    match = re.fullmatch(r"py:(?:(\d[^:]*):)?([^\d:][^:]*):([^:]+)", name)
    if match is None:
        raise ValueError(f"{name!r} is not a player: expected a module and a class, as in py:mybot:MyBot")
    return match[1], match[2], match[3]


def find_class(name: str) -> type[Player]:
    """The class of this name. Its module may also be in the current folder."""
    _, module, path = split_name(name)
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found = import_module(module)
    except Exception as error:  # a module can do anything when it is imported
        raise ValueError(
            f"{name!r} is not a player: importing {module} failed with {type(error).__name__}: {error}"
        ) from error
    try:
        kind: type[Player] = attrgetter(path)(found)
    except AttributeError:
        raise ValueError(f"{name!r} is not a player: {module} has no class {path}") from None
    if not isinstance(kind, type) or not callable(getattr(kind, "choose", None)):
        raise ValueError(f"{name!r} is not a player: expected a class with a method choose(self, seen)")
    return kind
