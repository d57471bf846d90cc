"""The analysis of a game by several processes, and the file that it goes on from."""

import json
from pathlib import Path

import pytest
from command_line import run

from kingdom_builder.arena.analysis import report_game
from kingdom_builder.arena.workers import local_workers
from kingdom_builder.game import Game
from kingdom_builder.players import analysis
from kingdom_builder.players.analysis import decided_turns

GOLDEN = Path(__file__).parents[1] / "golden"
SHORT = "4A"
"""The record is cut off here, so that the tests are quick."""


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The first turns of a game."""
    monkeypatch.setattr(analysis, "POSITIONS", 200)
    game = Game.from_record((GOLDEN / "02.kbr").read_text("utf-8"))
    cut = next(turn for turn in game.turns() if str(turn.turn) == SHORT)
    game.undo_to(cut.begin)
    path = tmp_path / "game.kbr"
    path.write_text(str(game.record(NameA="Ann", NameB="[b]")), "utf-8")
    return path


def test_a_file_goes_on_where_it_stopped_and_repeats_nothing(record: Path, tmp_path: Path) -> None:
    game = Game.from_record(record.read_text("utf-8"))
    out = tmp_path / "turns.jsonl"
    with local_workers(1) as workers:
        whole = list(report_game(game, workers, out))
        assert len(whole) == len(decided_turns(game)) > 6
        lines = out.read_text("utf-8").splitlines(keepends=True)
        out.write_text("".join(lines[:3]) + lines[3][:20], "utf-8")
        again = list(report_game(game, workers, out))
    assert again[:3] == whole[:3]
    assert sorted(again, key=lambda turn: turn.ply) == sorted(whole, key=lambda turn: turn.ply)
    assert sorted(out.read_text("utf-8").splitlines(keepends=True)) == sorted(lines)


def test_the_command_shows_accuracy_and_the_worst_turns(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("analyse", str(record), "--json", "--cores", "1") == 0
    found = json.loads(capsys.readouterr().out)
    assert [seat["name"] for seat in found["seats"]] == ["Ann", "[b]", "", ""]
    assert not found["over"]
    worst = max(found["turns"], key=lambda turn: turn["lost"])
    assert run("analyse", str(record), "--worst", "1", "--cores", "1") == 0
    printed = capsys.readouterr().out
    assert f"{worst['turn']}" in printed
    assert f"{worst['lost']:.1f} gold lost, {worst['mistake']}" in printed
    assert "better: " + " ".join(worst["better"]) in printed
    assert "builds on" in printed
    assert "[b]" in printed


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("nonsense\n", "line 1: not a turn: expected a file that kb analyse wrote"),
        ('{"game": "x"}\n', "line 1: not a turn"),
        ("a letter without a line break", "not a turn"),
    ],
)
def test_a_file_of_something_else_is_refused(
    record: Path, tmp_path: Path, content: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "other.jsonl"
    out.write_text(content, "utf-8")
    assert run("analyse", str(record), "--out", str(out), "--cores", "1") == 2
    assert expected in capsys.readouterr().err
    assert out.read_text("utf-8") == content


def test_turns_of_another_game_are_refused(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "turns.jsonl"
    assert run("analyse", str(record), "--out", str(out), "--cores", "1") == 0
    other = tmp_path / "other.kbr"
    game = Game.from_record(record.read_text("utf-8"))
    game.undo_to(game.turns()[-2].begin)
    other.write_text(str(game.record()), "utf-8")
    capsys.readouterr()
    assert run("analyse", str(other), "--out", str(out), "--cores", "1") == 2
    assert "has turns of another game" in capsys.readouterr().err


def test_a_record_without_a_turn_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.kbr"
    path.write_text(str(Game.first(seed=1).record()), "utf-8")
    assert run("analyse", str(path)) == 2
    assert "has no whole turn" in capsys.readouterr().err
