"""The live list of the lobby, encoded once for all who look at it.

Every change makes a version. Whoever has the version before gets what has changed, everybody else the whole list. So a
slow reader gets the latest list, and nothing piles up. For those who have blocked somebody in the list, or were blocked
by them, it is encoded without these.
"""

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

import msgspec

from kingdom_builder.server.messages import Lobby, LobbyNews, LobbySeek, LobbyTable

_encoder = msgspec.json.Encoder()

MOST_PERSONAL = 1_000
"""The most lists without somebody that are kept for one version."""

T = TypeVar("T", LobbyTable, LobbySeek)


class _Part(Generic[T]):
    """The tables of the list, or its seeks: those of the latest version, and what it has changed."""

    def __init__(self) -> None:
        self.shown: dict[str, T] = {}
        self.new: list[T] = []
        self.gone: list[str] = []

    def show(self, shown: Mapping[str, T]) -> bool:
        """Take over the next version; returns whether it differs."""
        self.new = [each for key, each in shown.items() if self.shown.get(key) != each]
        self.gone = [key for key in self.shown if key not in shown]
        self.shown = dict(shown)
        return bool(self.new or self.gone)


class LobbyList:
    """What is shown to everybody in the lobby."""

    def __init__(self) -> None:
        self.version = 1
        self._online = 0
        self._tables: _Part[LobbyTable] = _Part()
        self._seeks: _Part[LobbySeek] = _Part()
        self._news: str | None = None
        self._whole: dict[frozenset[str], str] = {}
        """The whole list in this version, by what is left out."""

    def show(self, tables: Iterable[LobbyTable], seeks: Iterable[LobbySeek], online: int) -> bool:
        """Show this from now on; returns whether it is something else."""
        is_new = self._tables.show({each.table: each for each in tables})
        is_new |= self._seeks.show({each.seek: each for each in seeks})
        if not is_new and online == self._online:
            return False
        self.version += 1
        self._online, self._news = online, None
        self._whole.clear()
        return True

    def hidden_from(self, avoided: frozenset[str]) -> frozenset[str]:
        """The tables and seeks that somebody is not shown, who must not meet these persons."""
        if not avoided:
            return frozenset()
        tables = (
            key
            for key, table in self._tables.shown.items()
            if not avoided.isdisjoint(seat.person for seat in table.seats)
        )
        seeks = (key for key, seek in self._seeks.shown.items() if seek.person in avoided)
        return frozenset([*tables, *seeks])

    def whole(self, hidden: frozenset[str] = frozenset()) -> Lobby:
        """The whole list without what is hidden."""
        return Lobby(
            self._online,
            [each for key, each in self._tables.shown.items() if key not in hidden],
            [each for key, each in self._seeks.shown.items() if key not in hidden],
        )

    def whole_text(self, hidden: frozenset[str] = frozenset()) -> str:
        """The whole list as it is sent."""
        text = self._whole.get(hidden)
        if text is None:
            text = _encoder.encode(self.whole(hidden)).decode()
            if len(self._whole) < MOST_PERSONAL:
                self._whole[hidden] = text
        return text

    def news_text(self) -> str:
        """What this version has changed, as it is sent."""
        if self._news is None:
            gone = [*self._tables.gone, *self._seeks.gone]
            self._news = _encoder.encode(LobbyNews(self._online, self._tables.new, self._seeks.new, gone)).decode()
        return self._news
