"""Writes `web/test/differences.json`: differences made here, for the tests of the page that applies them."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from kingdom_builder import Game, parse_record
from kingdom_builder.server.differences import difference
from kingdom_builder.server.sent_lines import SentLines
from kingdom_builder.server.views import own_view, view_of

TARGET = Path(__file__).parent.parent / "web/test/differences.json"
RECORD = Path(__file__).parent.parent / "tests/golden/all-04.kbr"
MOST, STEP = 120, 5
"""How many actions of the game are used, and how many lie between two views."""

EXAMPLES: list[tuple[Any, Any]] = [
    (1, 2),
    (None, ["a"]),
    (["a"], None),
    ({"a": 1, "b": 2}, {"a": 1, "b": 2}),
    ({"a": 1, "b": 2}, {"a": 1, "b": 3}),
    ({"a": 1}, {"a": 1, "b": []}),
    ({"a": 1, "b": 2}, {"b": 2}),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ({"b": 1, "1": 2}, {"b": 1, "1": 3}),
    ([40, 40, 39], [40, 39, 39]),
    (["a1", "c1", "d1"], ["a1", "b1", "c1", "d1"]),
    (["a1", "b1", "c1", "d1"], ["b1", "d1"]),
    (["a1", "b1", "c1", "d1", "e1"], ["b1", "c1", "d1", "e1", "f1"]),
    (["a1", "b1", "c1", "d1"], ["e1"]),
    ([["a1"], []], [["a1"], ["b1"]]),
    ([{"key": "farm"}], [{"key": "farm"}, {"key": "barn"}]),
]


def vectors() -> dict[str, list[Any]]:
    """What the file says: values as old, difference and new; views and lines of a game, whole and as they are sent."""
    game = parse_record(RECORD.read_text("utf-8")).game()
    plies = range(MOST)
    views = [_view(game, ply) for ply in plies]
    log = SentLines()
    return {
        "values": [[old, difference(old, new), new] for old, new in EXAMPLES],
        "views": views[::STEP],
        "sentViews": [difference(old, new) for old, new in pairwise(views[::STEP])],
        "lines": [msgspec.json.decode(log.full(game, ply, None)) for ply in plies],
        "sentLines": [msgspec.json.decode(log.short(game, ply, None, 0)) for ply in plies],
    }


def text() -> str:
    """The text of the file, with a line for each vector."""
    parts = []
    for name, listed in vectors().items():
        encoded = ",\n".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in listed)
        parts.append(f'"{name}":[\n{encoded}\n]')
    return "{" + ",".join(parts) + "}\n"


def _view(game: Game, ply: int) -> Any:
    state = game.state_at(ply)
    view = own_view(view_of(state, ply, None, game.last_placed(ply)), state, state.player, acts=True, undo=False)
    return msgspec.json.decode(msgspec.json.encode(view))


if __name__ == "__main__":
    TARGET.write_text(text(), "utf-8")
