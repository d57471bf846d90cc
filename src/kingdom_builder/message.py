"""Messages of rules and server as data: a template and typed arguments, so that they can be said in any language.

>>> from kingdom_builder.hexes import parse_hex
>>> message = Message("{hex} is next to {n} {n:settlement|settlements}.", hex=HexName(parse_hex("k7")), n=2)
>>> str(message)
'k7 is next to 2 settlements.'
>>> message.template
'{hex} is next to {n} {n:settlement|settlements}.'

The template is the English sentence, and the key of its translations. A hole `{name}` stands for an argument. A hole
`{n:settlement|settlements}` chooses a form by the number `n`: the forms are in the order of the plural categories of
the language, in English one and other, and the last form is used for all further categories.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal, TypeAlias

from kingdom_builder.hexes import Hex, hex_name

HOLE = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
"""A hole of a template: the argument, and the forms to choose from, if any."""

NamedKind = Literal["component", "piece", "terrain"]


@dataclass(frozen=True)
class HexName:
    """A hex by its name, the same in every language."""

    hex: Hex

    def __str__(self) -> str:
        return hex_name(self.hex)


@dataclass(frozen=True)
class SeatName:
    """A seat; pages show the name of the person instead."""

    seat: int

    def __str__(self) -> str:
        return f"seat {seat_letter(self.seat)}"


@dataclass(frozen=True)
class Name:
    """Something whose name each language translates by its key."""

    kind: NamedKind
    key: str
    english: str

    def __str__(self) -> str:
        return self.english


@dataclass(frozen=True)
class Listed:
    """Several arguments, as in `a, b and c`."""

    items: "tuple[Argument, ...]"
    joined: Literal["and", "or"] = "and"

    @classmethod
    def of(cls, items: "Iterable[Argument | Named | type[Named]]", joined: Literal["and", "or"] = "and") -> "Listed":
        return cls(tuple(map(_as_argument, items)), joined)

    def __str__(self) -> str:
        words = [str(item) for item in self.items]
        return f" {self.joined} ".join([*([", ".join(words[:-1])] if words[1:] else []), *words[-1:]])


class Named:
    """Something that can itself be an argument: a component, or the class of a kind of piece."""

    key: ClassVar[str]
    """The name in positions and records. Never changes."""
    name: ClassVar[str]
    named_as: ClassVar[NamedKind]


class Message:
    """A sentence, or a part of one; `str` is the English."""

    __slots__ = ("arguments", "template")

    def __init__(self, template: str, /, **arguments: "Argument | Named | type[Named]") -> None:
        self.template = template
        self.arguments = {name: _as_argument(value) for name, value in arguments.items()}

    def __str__(self) -> str:
        if not self.arguments:
            return self.template
        words = []
        for text, name, forms in _parts(self.template):
            words.append(text)
            if forms:
                words.append(forms[0 if self.arguments[name] == 1 else -1])
            elif name:
                words.append(str(self.arguments[name]))
        return "".join(words)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return self.template == other.template and self.arguments == other.arguments

    def __hash__(self) -> int:
        return hash(str(self))

    def __repr__(self) -> str:
        arguments = "".join(f", {name}={value!r}" for name, value in self.arguments.items())
        return f"Message({self.template!r}{arguments})"


@cache
def _parts(template: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """A template by its holes: the text before each, its argument, and the forms to choose from; then the last text."""
    parts = []
    end = 0
    for hole in HOLE.finditer(template):
        parts.append((template[end : hole.start()], hole[1], tuple((hole[2] or "").split("|")) if hole[2] else ()))
        end = hole.end()
    return (*parts, (template[end:], "", ()))


Argument: TypeAlias = int | str | HexName | SeatName | Name | Listed | Message
"""A number, a text that stays as it is in every language, or something to be translated."""


def _as_argument(value: "Argument | Named | type[Named]") -> Argument:
    if isinstance(value, (Named, type)):
        return Name(value.named_as, value.key, value.name)
    return value


LONGEST_QUOTE = 60
"""The most characters of typed text that a message repeats."""


def quoted(text: str) -> str:
    """Typed text as an argument: in quotes, and shortened if it is long."""
    return repr(text if len(text) <= LONGEST_QUOTE else f"{text[: LONGEST_QUOTE - 4]} ...")


class Refusal(ValueError):
    """Why something cannot be done; the message says what is wrong, where, and what was expected."""

    def __init__(self, message: Message, code: str = "malformed") -> None:
        super().__init__(str(message))
        self.message = message
        self.code = code
        """The kind of refusal, for programs."""

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message, self.code)


SEATS = "ABCDE"
"""The names of the seats in texts."""


def seat_letter(seat: int) -> str:
    """The name of a seat in texts: A, B, C, D or E."""
    return SEATS[seat]


def sentence(text: str) -> str:
    """A part of a sentence turned into a sentence; the name of a hex keeps its small letter.

    >>> sentence("no move here"), sentence("k7 is taken.")
    ('No move here.', 'k7 is taken.')
    """
    first = text[:1] if text[1:2].isdigit() else text[:1].upper()
    return f"{first}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"
