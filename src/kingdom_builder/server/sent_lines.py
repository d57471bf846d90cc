"""The log of a game as it is sent: each line once for all who may know the same, in full or like an earlier one."""

import sys
from typing import NamedTuple, cast

import msgspec

from kingdom_builder.game import Game
from kingdom_builder.rules import DRAWN, Perspective
from kingdom_builder.server.differences import Json, difference
from kingdom_builder.server.messages import Edit, LogLine
from kingdom_builder.server.pacing import Pace
from kingdom_builder.server.views import log_line

LOOKED_BACK = 100
"""How many lines before a line are looked at for one that it is like."""

_decode_line = msgspec.json.Decoder(LogLine).decode


class SentLine:
    """A line in full."""

    __slots__ = ("encoded", "pattern")

    def __init__(self, line: LogLine) -> None:
        self.encoded = msgspec.Raw(msgspec.json.encode(line))
        self.pattern: str | None = None
        """What kinds of things happened, once somebody has asked for it: lines with the same pattern differ little."""


class ShortLine(NamedTuple):
    """A line that is like an earlier one."""

    like: int
    """The number of lines before that one."""
    encoded: msgspec.Raw


class SentLines:
    """The lines of one game that somebody has asked for.

    Viewers see different drawn cards at most, so all other lines are shared.
    """

    def __init__(self) -> None:
        self._lines: dict[tuple[int, Perspective], SentLine] = {}
        self._short: dict[tuple[int, Perspective], ShortLine | None] = {}

    def cut(self, ply: int) -> None:
        """Forget all lines but the first ones: their actions were taken back."""
        self._lines = {key: line for key, line in self._lines.items() if key[0] < ply}
        self.forget_short()

    def forget_short(self) -> None:
        """Forget what is of use only while everybody is sent the last lines."""
        self._short.clear()

    def full(self, game: Game, ply: int, perspective: Perspective) -> msgspec.Raw:
        """The line of the action after the first `ply`."""
        return self._line(game, ply, perspective).encoded

    def short(self, game: Game, ply: int, perspective: Perspective, first: int) -> msgspec.Raw:
        """The same line for somebody who has all lines after the first `first` from the same perspective."""
        key = ply, _reader(game, ply, perspective)
        if key not in self._short:
            self._short[key] = self._made_short(game, ply, perspective)
        short = self._short[key]
        return short.encoded if short is not None and short.like >= first else self.full(game, ply, perspective)

    def full_since(self, game: Game, since: int, perspective: Perspective) -> list[LogLine]:
        """All lines after the first `since`."""
        lines = [self.full(game, ply, perspective) for ply in range(since, len(game.plies))]
        return cast("list[LogLine]", lines)  # encoded already

    def short_since(
        self, game: Game, since: int, perspective: Perspective, first: int
    ) -> list[LogLine | tuple[int, str, Edit]]:
        """The same lines for somebody who has all lines after the first `first` from the same perspective."""
        lines = [self.short(game, ply, perspective, first) for ply in range(since, len(game.plies))]
        return cast("list[LogLine | tuple[int, str, Edit]]", lines)  # encoded already

    async def prepare(self, game: Game, perspective: Perspective) -> None:
        """Make all lines, with breaks for others."""
        pace, ply = Pace(), 0
        while ply < len(game.plies):
            self.full(game, ply, perspective)
            ply += 1
            await pace.rest()

    def _line(self, game: Game, ply: int, perspective: Perspective) -> SentLine:
        reader = _reader(game, ply, perspective)
        line = self._lines.get((ply, reader))
        if line is None:
            line = self._lines[ply, reader] = SentLine(log_line(game, ply, reader))
        return line

    def _made_short(self, game: Game, ply: int, perspective: Perspective) -> ShortLine | None:
        line = self._line(game, ply, perspective)
        pattern = _pattern(line)
        for like in range(ply - 1, max(ply - LOOKED_BACK, 0) - 1, -1):
            model = self._line(game, like, perspective)
            if _pattern(model) == pattern:
                new = msgspec.json.decode(line.encoded)
                change = difference(with_move(msgspec.json.decode(model.encoded), new["move"]), new)
                return ShortLine(like, msgspec.Raw(msgspec.json.encode([like + 1, new["move"], change])))
        return None


def with_move(line: Json, move: str) -> Json:
    """A line with another move, also wherever else its move is a part of a text."""
    return _exchanged(line, line["move"], move)


def _exchanged(value: Json, old: str, new: str) -> Json:
    kind = type(value)
    if kind is str:
        return value.replace(old, new)
    if kind is dict:
        return {key: _exchanged(each, old, new) for key, each in value.items()}
    if kind is list:
        return [_exchanged(each, old, new) for each in value]
    return value


def _pattern(line: SentLine) -> str:
    if line.pattern is None:
        happenings = _decode_line(line.encoded).happenings
        line.pattern = sys.intern("|".join(f"{each.kind} {each.message.template}" for each in happenings))
    return line.pattern


def _reader(game: Game, ply: int, perspective: Perspective) -> Perspective:
    return perspective if game.plies[ply].action in DRAWN else None
