"""The part of CBOR that passkeys use: numbers, texts, bytes, lists and maps, a few levels deep.

The package `webauthn` reads what strangers send with a general decoder, which also knows tags: values that become
regular expressions, fractions or dates. 4 KB of them cost seconds. What this module has read is safe to hand on.
"""

from typing import TypeAlias

Plain: TypeAlias = "int | bytes | str | bool | list[Plain] | dict[int | str, Plain] | None"

DEEPEST = 4
"""Levels of lists and maps: as many as authenticators may use."""

NUMBER, NEGATIVE, BYTES, TEXT, LIST, MAP = range(6)
SIMPLE: dict[int, bool | None] = {0xF4: False, 0xF5: True, 0xF6: None}


def plain_values(data: bytes) -> list[Plain]:
    """The values that stand one after the other in some bytes. Raises ValueError if they are anything else.

    >>> plain_values(bytes.fromhex("a1 01 26 43 010203"))
    [{1: -7}, b'\\x01\\x02\\x03']
    """
    values = []
    at = 0
    while at < len(data):
        value, at = _value(data, at, DEEPEST)
        values.append(value)
    return values


def _value(data: bytes, at: int, deepest: int) -> tuple[Plain, int]:
    """The value that begins at a place, and the place behind it."""
    if at < len(data) and data[at] in SIMPLE:
        return SIMPLE[data[at]], at + 1
    kind, number, at = _head(data, at)
    if kind == NUMBER:
        return number, at
    if kind == NEGATIVE:
        return -1 - number, at
    if kind in (BYTES, TEXT) and number <= len(data) - at:
        taken = data[at : at + number]
        return taken if kind == BYTES else taken.decode(), at + number
    if kind in (LIST, MAP) and deepest:
        return (_list if kind == LIST else _map)(data, at, number, deepest - 1)
    raise ValueError("a value that is too long, too deep or of a kind that passkeys do not use")


def _head(data: bytes, at: int) -> tuple[int, int, int]:
    """The kind of a value, the number in its first bytes, and the place behind them."""
    if at >= len(data):
        raise ValueError("the data end too early")
    kind, small = data[at] >> 5, data[at] & 31
    at += 1
    if small < 24:
        return kind, small, at
    size = 1 << small - 24
    if small > 27 or size > len(data) - at:
        raise ValueError("a number without an end")
    return kind, int.from_bytes(data[at : at + size], "big"), at + size


def _list(data: bytes, at: int, length: int, deepest: int) -> tuple[Plain, int]:
    items: list[Plain] = []
    for _ in range(length):
        item, at = _value(data, at, deepest)
        items.append(item)
    return items, at


def _map(data: bytes, at: int, length: int, deepest: int) -> tuple[Plain, int]:
    pairs: dict[int | str, Plain] = {}
    for _ in range(length):
        key, at = _value(data, at, 0)
        if isinstance(key, bool) or not isinstance(key, (int, str)) or key in pairs:
            raise ValueError("a key that is neither a number nor a text, or stands twice")
        pairs[key], at = _value(data, at, deepest)
    return pairs, at
