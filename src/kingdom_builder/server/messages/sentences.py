"""Sentences as data, and refusals."""

from dataclasses import dataclass
from typing import Literal

ArgumentKind = Literal["hex", "component", "piece", "terrain", "seat", "number", "text", "message", "and", "or"]


@dataclass(slots=True)
class Message:
    """A sentence as data, so that a page can say it in its own language."""

    template: str
    """The English with holes such as `{hex}` and `{n:step|steps}`: the key of the translations."""
    arguments: "dict[str, Argument]"
    text: str
    """The English."""


ItemOfList = tuple[ArgumentKind, str | int]
Argument = tuple[ArgumentKind, str | int | Message | list[ItemOfList]]
"""What fills a hole of a template: its kind and its value, as in `["hex", "k7"]`, `["component", "paddock"]` or
`["and", [["terrain", "G"], ["terrain", "D"]]]`. Components, kinds of pieces and terrains are named by their keys."""


@dataclass(slots=True)
class Refusal:
    """Why a request was refused, or only partly carried out."""

    code: str
    """`illegal`, `stale`, `forbidden`, `malformed`, `too-large`, ...: docs/protocol.md lists them all."""
    message: Message
    offset: int | None = None
    """Where in a text the problem is."""
