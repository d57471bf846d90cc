"""Shapes: what a component does, in words that the native core knows too.

The methods of a component say what it does; its shape says the same once more for `kingdom_builder.native`, which knows
shapes but no component. A component without a shape is played in Python only.
"""

from typing import NamedTuple

from kingdom_builder.hexes import HexSet


class Shape(NamedTuple):
    """What a component does in one setup."""

    kind: str
    """One of the names in `native/core/setup.h`, which says what the rest means for it."""
    sets: tuple[HexSet, ...] = ()
    numbers: tuple[int, ...] = ()
    fields: tuple[str, ...] = ()
    """The fields of `State.memory` that it uses."""
