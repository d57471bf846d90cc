"""What a page makes of the messages about a game, also where it is told only what has changed."""

from typing import Any

from kingdom_builder.server.differences import applied
from kingdom_builder.server.sent_lines import with_move

Json = dict[str, Any]


class Reader:
    """A page's idea of a game."""

    def __init__(self) -> None:
        self.view: Json = {}
        self.lines: list[Json] = []
        self.clock: Json | None = None
        self.differences = 0
        """How many messages said only what has changed."""
        self._version = 0

    def take(self, message: Json) -> None:
        match message["type"]:
            case "welcome":
                self._take_all(message, message["lines"])
            case "update":
                self._take_all(message, self._kept(message["since"]) + message["lines"])
            case "difference":
                self._take_difference(message)

    def _take_all(self, message: Json, lines: list[Json]) -> None:
        self.view, self.lines, self.clock = message["view"], lines, message["clock"]
        self._version = message["version"]

    def _take_difference(self, message: Json) -> None:
        assert self._version == message["version"] - message.get("spans", 1), "something was missed"
        self._version = message["version"]
        self.differences += 1
        self.view = applied(self.view, message["view"])
        self.lines = self._kept(message.get("since", len(self.lines)))
        for line in message.get("lines", []):
            self.lines.append(line if isinstance(line, dict) else self._like(*line))
        if self.clock is not None:
            self.clock = {**applied(self.clock, message.get("clock", [])), "now": message["now"]}

    def _kept(self, since: int) -> list[Json]:
        return [line for line in self.lines if line["ply"] <= since]

    def _like(self, ply: int, move: str, change: Any) -> Json:
        line: Json = applied(with_move(self.lines[ply - 1], move), change)
        return line
