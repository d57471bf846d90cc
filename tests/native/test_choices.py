"""What bots and hints choose with the native core: the same as in Python."""

from pathlib import Path

import pytest

from kingdom_builder import native
from kingdom_builder.notation import parse_record
from kingdom_builder.players import LEVELS, cores, find_hints, hints, make_player
from kingdom_builder.rules import Observation, observe

RECORDS = sorted((Path(__file__).parents[1] / "golden").glob("*.kbr"))
NAMES = [f"{key}:300n" if level.budget else key for key, level in LEVELS.items() if key != "random"]


def decisions(paths: list[Path]) -> list[Observation]:
    """What a seat sees when it decides, once in each game, from early to late."""
    found = []
    for number, path in enumerate(paths):
        states = parse_record(path.read_text("utf-8")).game().states()
        states = [state for state in states if not state.awaiting and not state.over]
        state = states[number * len(states) // len(paths)]
        found.append(observe(state, state.player))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_chooses_the_same_in_both_cores(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    positions = decisions(RECORDS[NAMES.index(name) % 3 :: 3])

    def choices() -> list[int]:
        return [make_player(name, number).choose(seen) for number, seen in enumerate(positions)]

    with monkeypatch.context() as in_python:
        in_python.setattr(native, "core", None)
        expected = choices()
    for slow in ("TurnSearch", "greedy_step", "rollout_after"):
        monkeypatch.setattr(cores, slow, None)
    assert choices() == expected


def test_hints_are_the_same_in_both_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "SECONDS", 1000)
    monkeypatch.setattr(hints, "POSITIONS", 300)
    positions = decisions(RECORDS[::12])
    in_core = [find_hints(seen) for seen in positions]
    monkeypatch.setattr(native, "core", None)
    assert [find_hints(seen) for seen in positions] == in_core
