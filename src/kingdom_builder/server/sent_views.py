"""What has changed between two views, worked out once for all who see the same.

The views of a version share almost everything, and so do the differences between two versions: what everybody may see
is compared once, the rest for each perspective. Views are kept as long as somebody was sent nothing later; they share
their parts too.
"""

from dataclasses import fields, replace
from operator import attrgetter
from typing import NamedTuple

import msgspec

from kingdom_builder.rules import Perspective
from kingdom_builder.server.differences import Json, difference
from kingdom_builder.server.messages import NO_CHANGE, ClockView, Edit, View

SURELY_SHORT = 500
"""A difference of so many bytes is shorter than any view."""

_values = attrgetter(*(field.name for field in fields(View)))
_encode = msgspec.json.Encoder().encode


class Angle(NamedTuple):
    """What tells one view of a table from another: everybody with the same angle sees the same."""

    version: int
    perspective: Perspective
    acts: bool
    """Whether the moves of the seat in turn are the viewer's to make."""


class Change(NamedTuple):
    """What has changed for a viewer."""

    view: Edit
    clock: Edit


class PublicView:
    """What all views of one version have in common, and the clocks but for the time of day."""

    def __init__(self, version: int, view: View, clock: ClockView | None) -> None:
        self.version = version
        self.values: tuple[object, ...] = _values(view)
        self.clock = clock and replace(clock, now=0)
        self._edits: dict[int, list[bytes]] = {}

    def since(self, old: "PublicView") -> list[bytes]:
        """For each field what has changed since an earlier version, empty where nothing has; the clocks come last."""
        if old.version not in self._edits:
            pairs = zip((*old.values, old.clock), (*self.values, self.clock), strict=True)
            self._edits[old.version] = [_edit(before, after) for before, after in pairs]
        return self._edits[old.version]


class SentView:
    """A view that somebody was sent."""

    def __init__(self, angle: Angle, view: View, public: PublicView) -> None:
        self.angle = angle
        self.view = view
        self._public = public
        self._changes: dict[Angle, Change | None] = {}

    def since(self, old: "SentView") -> Change | None:
        """What has changed since an earlier view; None if the view itself is shorter."""
        if old.angle not in self._changes:
            *edits, clock = self._edits(old)
            view = b"[%b]" % b",".join(b"%d,%b" % (place, edit) for place, edit in enumerate(edits) if edit)
            is_short = len(view) < SURELY_SHORT or len(view) < len(_encode(self.view))
            change = Change(msgspec.Raw(view), msgspec.Raw(clock) if clock else NO_CHANGE)
            self._changes[old.angle] = change if is_short else None
        return self._changes[old.angle]

    def _edits(self, old: "SentView") -> list[bytes]:
        edits = list(self._public.since(old._public))
        for place, (before, public_before, after, public_after) in enumerate(
            zip(_values(old.view), old._public.values, _values(self.view), self._public.values, strict=True)
        ):
            if before is not public_before or after is not public_after:
                edits[place] = _edit(before, after)
        return edits


def _edit(old: object, new: object) -> bytes:
    """The difference of two values of a field; empty if they are equal."""
    if old == new:
        return b""
    if new is None or isinstance(new, int | str):
        return _encode(new)
    return _encode(difference(_json(old), _json(new)))


def _json(value: object) -> Json:
    return msgspec.json.decode(_encode(value))
