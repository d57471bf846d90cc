"""Writes `web/src/protocol.ts`: the types of `kingdom_builder.server.messages` in TypeScript."""

import dataclasses
import inspect
import types
import typing
from collections.abc import Iterator
from pathlib import Path

import msgspec

from kingdom_builder.server import messages
from kingdom_builder.server.messages import (
    account,
    catalogue,
    commands,
    daily,
    game,
    lessons,
    lobby,
    notifications,
    order,
    people,
    puzzles,
    requests,
    sent,
    sentences,
    standing,
    table,
)

MODULES = (
    sentences,
    catalogue,
    lessons,
    game,
    table,
    requests,
    daily,
    puzzles,
    people,
    account,
    notifications,
    standing,
    commands,
    sent,
    lobby,
    order,
)
TARGET = Path(__file__).parent.parent / "web/src/protocol.ts"
HEADER = """\
// Made by tools/make_types.py from src/kingdom_builder/server/messages/: do not edit.

"""
SIMPLE: dict[object, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    messages.Edit: "Edit",
}


ARGUMENT = """\
/** What stands in a hole of a template: its kind and its value. */
export type Argument =
	| ["hex" | "component" | "piece" | "terrain" | "text", string]
	| ["seat" | "number", number]
	| ["message", Message]
	| ["and" | "or", Argument[]];"""
"""More exact than what Python's decoder can tell apart."""


EDIT = """\
/** A difference of two values; `net/differences.ts` applies it. */
export type Edit = null | boolean | number | string | { is: unknown } | Edit[];"""


def protocol() -> str:
    """The text of the file."""
    blocks = [f"export const PROTOCOL = {messages.PROTOCOL};"]
    blocks += [
        f"export const {name} = {getattr(messages, name)};" for name in ("NAME_LENGTH", "CHAT_LENGTH", "REPORT_LENGTH")
    ]
    blocks += ["export type Kind = " + _type(messages.Kind) + ";", ARGUMENT, EDIT]
    for module in MODULES:
        for thing in vars(module).values():
            if inspect.isclass(thing) and thing.__module__ == module.__name__ and thing not in _BASES:
                blocks.append("\n".join(_interface(thing)))
    for name in ("AnyCommand", "AnyMessage", "AnyLobbyCommand", "AnyLobbyMessage"):
        union = " | ".join(member.__name__ for member in typing.get_args(getattr(messages, name)))
        blocks.append(f"export type {name} = {union};")
    return HEADER + "\n\n".join(blocks) + "\n"


_BASES = (messages.Command, messages.ServerMessage)


def _interface(thing: type) -> Iterator[str]:
    if _has_own_doc(thing):
        yield f"/** {str(thing.__doc__).strip()} */"
    yield f"export interface {thing.__name__} {{"
    if issubclass(thing, msgspec.Struct):
        yield f'\ttype: "{thing.__struct_config__.tag}";'
    hints = typing.get_type_hints(thing)
    optional = set(_with_default(thing)) if _leaves_out_defaults(thing) else set()
    for name, hint in hints.items():
        if not name.startswith("__"):
            yield f"\t{name}{'?' if name in optional else ''}: {_type(hint)};"
    yield "}"


def _has_own_doc(thing: type) -> bool:
    return bool(thing.__doc__) and not str(thing.__doc__).startswith(thing.__name__ + "(")


def _leaves_out_defaults(thing: type) -> bool:
    return _is_request(thing) or (issubclass(thing, messages.ServerMessage) and thing.__struct_config__.omit_defaults)


def _is_request(thing: type) -> bool:
    requests = (messages.SetupChoice, messages.SeatChoice, messages.NewTable, messages.AboutMe, messages.SignOut)
    order = (messages.ReportWanted, messages.MeasureWanted, messages.BlockWanted, messages.Wishes)
    return issubclass(thing, messages.Command) or thing in (*requests, *order)


def _with_default(thing: type) -> Iterator[str]:
    if issubclass(thing, msgspec.Struct):
        for described in msgspec.structs.fields(thing):
            if not described.required:
                yield described.name
    elif dataclasses.is_dataclass(thing):
        for each in dataclasses.fields(thing):
            if each.default is not dataclasses.MISSING or each.default_factory is not dataclasses.MISSING:
                yield each.name


def _type(hint: object) -> str:
    if typing.get_origin(hint) is tuple and typing.get_args(hint)[0] == messages.ArgumentKind:
        return "Argument"
    if hint in SIMPLE:
        return SIMPLE[hint]
    if inspect.isclass(hint) and not isinstance(hint, types.GenericAlias):
        return str(hint.__name__)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if origin in (types.UnionType, typing.Union):
        return " | ".join(map(_type, arguments))
    if origin is list:
        inner = _type(arguments[0])
        return f"({inner})[]" if " " in inner and "<" not in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(map(_type, arguments))}]"
    if origin is dict:
        return f"Record<{_type(arguments[0])}, {_type(arguments[1])}>"
    raise TypeError(f"no TypeScript for {hint}")


if __name__ == "__main__":
    TARGET.write_text(protocol(), "utf-8")
