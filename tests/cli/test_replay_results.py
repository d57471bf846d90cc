"""Games of the arena in `kb replay`, and positions that go on to `kb hint`."""

import io
import sys
from pathlib import Path

import pytest
from command_line import run

from kingdom_builder import parse_position, parse_record
from kingdom_builder.arena.results import Result
from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.cli.replay import split_turns

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="module")
def games() -> list[Result]:
    tournament = Tournament(["greedy", "random"], seed=2)
    return [tournament.play(game) for game in (0, 3)]


@pytest.fixture
def results(games: list[Result], tmp_path: Path) -> str:
    file = tmp_path / "results.jsonl"
    file.write_text("".join(game.line() for game in games))
    return str(file)


def test_a_game_is_found_by_its_number(
    games: list[Result], results: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.kbr"
    record.write_text(games[1].record)
    assert run("replay", str(record), "--all") == 0
    expected = capsys.readouterr().out
    assert run("replay", results, "--game", "3", "--all") == 0
    assert capsys.readouterr().out == expected
    assert "Players: greedy | random" in expected.replace("random | greedy", "greedy | random")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--game", "1"], "no game 1 in {file}: expected a number from 0 to 3"),
        ([], "{file} looks like results of the arena: expected --game N, such as --game 0"),
        (["--game", "x"], "'x' is not a number from 0 on"),
        (["--game", "3", "--turn", "99Z"], "no turn '99Z': expected 0A to"),
    ],
)
def test_a_wrong_number_gives_one_sentence(
    arguments: list[str], expected: str, results: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("replay", results, *arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert expected.format(file=results) in printed.err
    assert printed.err.count("\n") == 1


def test_a_file_without_the_one_game_is_refused(
    games: list[Result], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "several.jsonl"
    file.write_text("")
    assert run("replay", str(file), "--game", "0") == 2
    assert f"no game 0 in {file}: the file has none" in capsys.readouterr().err
    file.write_text(games[0].line() + Tournament(["greedy", "random"], seed=3).play(0).line())
    assert run("replay", str(file), "--game", "0") == 2
    assert f"2 games 0 in {file}: expected the results of one tournament" in capsys.readouterr().err


def test_the_position_of_a_turn_goes_on_to_hint(
    games: list[Result], results: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("replay", results, "--game", "0", "--turn", "4b", "--position") == 0
    line = capsys.readouterr().out
    assert line.count("\n") == 1
    state = parse_position(line)
    assert (state.round, state.player, state.builds_left) == (4, 1, 3)
    assert state == next(turn.start for turn in split_turns(parse_record(games[0].record))[0] if turn.number == "4B")
    monkeypatch.setattr(sys, "stdin", io.StringIO(line))
    assert run("hint", "-", "--moves", "1") == 0
    assert " gold; " in capsys.readouterr().out


def test_hint_says_when_it_reads_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run("hint", "-") == 2
    assert "no position on standard input: expected one, as kb replay --position prints it" in capsys.readouterr().err


def test_without_a_turn_the_position_is_the_last(
    games: list[Result], results: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("replay", results, "--game", "3", "--position") == 0
    last = parse_position(capsys.readouterr().out)
    assert last.over
    assert last == parse_record(games[1].record).game(draws=False).state


def test_a_position_of_a_turn_is_one_in_which_somebody_decides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """B's forest is full when its turn begins: it draws another card first."""
    record = tmp_path / "game.kbr"
    start = "DDDT/DDDT/GGGG - - - C5D4F5G4T4 - 1A/D/3/- 38:::D 38:d1,d2::T"
    record.write_text(f'[Start "{start}"]\n\n1A a1 b1 c1 . =G\n1B =G d3 c3 b3 . =F\n')
    assert run("replay", str(record), "--turn", "1B", "--position") == 0
    line = capsys.readouterr().out
    assert " 1B/G/3/- " in line
    monkeypatch.setattr(sys, "stdin", io.StringIO(line))
    assert run("hint", "-") == 0


def test_the_golden_records_give_hints_from_every_turn() -> None:
    turns, _ = split_turns(parse_record((GOLDEN / "02.kbr").read_text("utf-8")))
    assert [turn.number for turn in turns if turn.decision.awaiting and turn.number[0] != "0"] == []
