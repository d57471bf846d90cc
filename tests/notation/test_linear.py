"""Long texts take time in proportion to their length, and those of strangers are refused before they take long."""

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from kingdom_builder import Game
from kingdom_builder.hexes import HexSet, bits, hex_names
from kingdom_builder.notation import (
    NotationError,
    Record,
    as_played_under,
    parse_move,
    parse_position,
    parse_record,
    position_of,
)
from kingdom_builder.rules import EVERYTHING, State
from kingdom_builder.server import desk
from kingdom_builder.server.transcript import Transcript
from kingdom_builder.server.views import frames

ENDLESS = as_played_under("DCFG/GTDC - - - C5D4F5G5T4 - 1A/D/0/- 0:::D 0:::T", 1)
RESETTLED = "GGGG/NGGG/GGGG - - 0 C5D5F5G4T5 - 2A/G/0/- 9:a1,d3:a2:G 9::: nomads=a2:resettlement"
TURN = "resettlement:a1-b1"
"""After this step another piece may be chosen again and again."""


@cache
def rounds(count: int) -> str:
    """A record of this many rounds of two turns, each of which is an end and a draw."""
    state = parse_position(ENDLESS)
    actions = []
    for _ in range(4 * count):
        actions.append(bits(state.legal())[0])
        state.apply(actions[-1])
    return str(Record.of(parse_position(ENDLESS), actions))


def one_turn(count: int) -> str:
    """A record of one turn with many actions."""
    return f'[Start "{RESETTLED}"]\n\n2A {TURN}{",d3,b1" * count}'


def golden(name: str) -> str:
    return (Path(__file__).parents[1] / "golden" / f"{name}.kbr").read_text("utf-8")


def lines_run(work: Callable[..., Any], *arguments: object) -> int:
    """How many lines of our own code some work runs through."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if "kingdom_builder" not in frame.f_code.co_filename:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work(*arguments)
    finally:
        sys.settrace(before)
    return count


def transcript(text: str) -> Transcript:
    record = parse_record(text)
    return Transcript(position_of(record.start), list(record.actions()), ["A", "B"], [0, 1], EVERYTHING)


def played(text: str) -> Game:
    return parse_record(text).game(draws=False)


WORKS: dict[str, Callable[[str], Callable[[], Any]]] = {
    "parse": lambda text: lambda: parse_record(text),
    "actions": lambda text: parse_record(text).actions,
    "states": lambda text: lambda: played(text).states(),
    "write": lambda text: lambda: str(parse_record(text)),
    "join": lambda text: lambda: Record.of(parse_record(text).start, parse_record(text).actions()),
    "turns": lambda text: lambda: played(text).turns(),
    "log": lambda text: lambda: played(text).log(),
    "frames": lambda text: lambda: list(frames(played(text), EVERYTHING)),
    "known": lambda text: lambda: played(text).known_prefix(None),
    "replay": lambda text: lambda: transcript(text).replay(),
    "record": lambda text: lambda: transcript(text).record(),
}


@pytest.mark.parametrize("make", [rounds, one_turn])
@pytest.mark.parametrize("work", WORKS)
def test_a_record_of_four_times_the_length_takes_about_four_times_the_work(
    work: str, make: Callable[[int], str]
) -> None:
    short, long = (lines_run(WORKS[work](make(count))) for count in (50, 200))
    assert long < 4.5 * short


@pytest.mark.parametrize(
    "make",
    [
        lambda count: rounds(1) + "{comment} " * count,
        lambda count: rounds(1) + "; comment\n" * count,
        lambda count: rounds(1) + "( ; ()\n" + "{()}" * count + ")",
        lambda count: f'[Start "{ENDLESS}"]\n' + "".join(f'[T{number} "x"]\n' for number in range(count)),
        lambda count: f'[Start "{ENDLESS}"]\n[T "' + '\\"' * count + '"]',
        lambda count: f'[Start "{ENDLESS}"]\n1A .' + " =D (=D" * min(1, count) + " ()" * count + ")",
        lambda count: f'[Start "{ENDLESS}"]\n1A ' + ". (" * count + ")" * count,
    ],
)
def test_what_is_written_beside_the_moves_costs_no_more_than_its_length(make: Callable[[int], str]) -> None:
    short, long = (lines_run(parse_record, make(count)) for count in (50, 200))
    assert long < 5 * short


def placed_last(states: list[State]) -> HexSet:
    """Where pieces came in the last turn of everybody, found by looking back from the last state."""
    begin, turns = states[-1], [(states[-1].round, states[-1].player)]
    for state in reversed(states):
        if turns[-1] != (state.round, state.player):
            turns.append((state.round, state.player))
        if len(turns) > state.setup.players:
            break
        begin = state
    return states[-1].occupied() & ~begin.occupied()


def test_the_frames_show_what_was_placed_last() -> None:
    for text in (rounds(5), one_turn(5), golden("02")):
        game = played(text)
        states = game.states()
        wanted = [hex_names(placed_last(states[: ply + 1])) for ply in range(len(states))]
        assert [frame.view.last for frame in frames(game, EVERYTHING)] == wanted


# ---- strangers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        rounds(desk.MOST_ACTIONS),
        one_turn(desk.MOST_ACTIONS),
        one_turn(150_000),
        f'[Start "{ENDLESS}"]\n1A . =D ' + "(=D " * 250_000,
        f'[Start "{ENDLESS}"]\n1A . =D ' + "() " * 300_000,
    ],
)
def test_a_record_with_too_many_actions_is_refused_before_they_are_played(text: str) -> None:
    def read() -> None:
        with pytest.raises(NotationError) as error:
            desk.replay_of_record(text)
        assert "expected a shorter record" in error.value.reason

    assert lines_run(read) < 400 * desk.MOST_ACTIONS


def test_a_record_with_as_many_actions_as_there_may_be_is_read() -> None:
    record = parse_record(rounds(10), most_actions=40)
    assert len(record.actions()) == 40
    with pytest.raises(NotationError, match="more actions than there may be"):
        parse_record(rounds(10), most_actions=39)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 1_000_000,
        "/" * 1_000_000,
        "," * 1_000_000,
        " " * 999_999 + "x",
        "a" + " 1" * 500_000,
        "G" * 1_000_000 + " - - - - - 1A/D/0/- 0::: 0:::",
        "GG - - - - - " + "0" * 1_000_000 + "A/D/0/- 0::: 0:::",
        f"{ENDLESS} walls=" + "a1," * 300_000,
    ],
)
def test_a_position_of_a_million_characters_is_refused_at_once(text: str) -> None:
    def read() -> None:
        with pytest.raises(NotationError) as error:
            parse_position(text)
        assert len(str(error.value)) < 2_000

    assert lines_run(read) < 10_000


@pytest.mark.parametrize(
    "rest",
    [
        "1" * 900_000,
        "1A" * 400_000,
        "\N{DEVANAGARI DIGIT ONE}" * 900_000,
        "{" * 900_000,
        "(" * 900_000,
        " " * 900_000 + "\x00",
        "[A " * 300_000,
        '[A "' + "\\" * 900_001,
        '[A "' + "x" * 900_000,
        "[" + "A" * 900_000,
        "-a1" * 300_000,
        ":" * 900_000,
        "fort:" * 180_000,
    ],
)
def test_nonsense_of_a_million_characters_is_refused_at_once(rest: str) -> None:
    def read() -> None:
        with pytest.raises(NotationError) as error:
            parse_record(f'[Start "{ENDLESS}"]\n1A {rest}', most_actions=desk.MOST_ACTIONS)
        assert len(str(error.value)) < 2_000

    assert lines_run(read) < 100_000


def test_a_position_with_hundreds_of_tiles_takes_work_in_proportion() -> None:
    def line(height: int) -> str:
        rows = ["1G" * 10] * height
        tiles = [f"{'acegikmoqs'[col]}{row + 1}" for row in range(height) for col in range(10)]
        seats = " ".join([f"9::{','.join(tiles)}:"] * 4)
        return f"{'/'.join(rows)}(farm) - - {'0' * len(tiles)} C5D5F5G5T5 - 1A/-/0/- {seats}"

    short, long = (lines_run(parse_position, line(height)) for height in (5, 20))
    assert long < 5 * short


def test_a_move_of_many_steps_is_read_in_proportion() -> None:
    setup = parse_position(RESETTLED).setup
    short, long = (lines_run(parse_move, setup, TURN + ",d3,b1" * count) for count in (100, 400))
    assert long < 5 * short
