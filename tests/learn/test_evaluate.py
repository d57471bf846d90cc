"""Evaluation: the games are those of the arena, and the figures those that the page on strength has."""

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from kingdom_builder.arena.ratings import wilson
from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.arena.workers import local_workers
from kingdom_builder.cli.main import main
from kingdom_builder.encoding import VERSION
from kingdom_builder.learn.evaluate import ALL, Figure, Match, Outcome, Standing, evaluate, is_player
from kingdom_builder.learn.games import Games
from kingdom_builder.learn.splits import split

ROOT = Path(__file__).parents[2]
FIRST, RANDOM, CHEAT = (f"policies:make_{name}" for name in ("first", "random", "cheat"))


@pytest.fixture(autouse=True)
def policies_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def published(player: str, opponent: str) -> tuple[int, float]:
    """The games and the share of them that a player won against another, from the page on strength."""
    page = (ROOT / "docs" / "strength.md").read_text("utf-8").split("## 2 players, base game")[1].split("##")[0]
    row = re.search(rf"\| `{player}` - `{opponent}` \| (\d+) \| ([\d.]+)% \|", page)
    assert row
    return int(row[1]), float(row[2]) / 100


def outcome(board: int, seat: int, *gold: int) -> Outcome:
    return Outcome(board, seat, list(gold), 0)


# ---- games -----------------------------------------------------------------------------------------------------------


def test_greedy_is_as_strong_as_the_page_says() -> None:
    _, rate = published("greedy", "random")
    found = evaluate("greedy", opponents=["random"], games=40, seed=4)
    (standing,) = found.parts[ALL]
    assert standing.games == 40
    low, high = standing.wins.interval
    assert low <= rate <= high
    assert low > 0.9


@pytest.mark.parametrize("players", [2, 3])
def test_the_games_are_those_of_the_arena(players: int) -> None:
    tournament = Tournament(["greedy", *["random"] * (players - 1)], seats=players, seed=7)
    match = Match("greedy", "random", Games(players), seed=7)
    played = [outcome for board in range(2) for outcome in match.play(board)]
    results = [tournament.play(game) for game in range(2 * players)]
    assert [outcome.gold for outcome in played] == [result.gold for result in results]
    assert [outcome.seat for outcome in played] == [result.players.index("greedy") for result in results]
    assert [outcome.share for outcome in played] == [result.share(result.players.index("greedy")) for result in results]


def test_a_policy_sits_on_every_seat_of_each_board() -> None:
    match = Match(FIRST, "random", Games(draw=split("players").part("test")), seed=1)
    for board in match.boards(20):
        outcomes = match.play(board)
        assert sorted(outcome.seat for outcome in outcomes) == list(range(len(outcomes[0].gold)))
        assert {outcome.board for outcome in outcomes} == {board}
    assert sum(len(match.play(board)) for board in match.boards(20)) >= 20


def test_a_policy_is_measured_on_both_parts_of_a_split() -> None:
    found = evaluate(RANDOM, "size", opponents=["random", "easy"], games=6, seed=2)
    assert list(found.parts) == ["train", "test"]
    assert [[standing.opponent for standing in part] for part in found.parts.values()] == [["random", "easy"]] * 2
    assert [standing.games for part in found.parts.values() for standing in part] == [6] * 4
    assert (found.split_hash, found.encoding) == (split("size").hash, VERSION)
    assert [gap.opponent for gap in found.gaps] == ["random", "easy", ALL]
    for gap, train, test in zip(found.gaps, *found.parts.values(), strict=False):
        assert gap.ahead.value == pytest.approx(train.ahead.value - test.ahead.value)
        assert gap.lead.value == pytest.approx(train.lead.value - test.lead.value)
        assert gap.ahead.interval[0] < gap.ahead.value < gap.ahead.interval[1]
    assert found.parts["train"][0].gold < found.parts["test"][0].gold  # small maps have less room


def test_an_evaluation_can_be_repeated_also_by_other_processes() -> None:
    once = evaluate(RANDOM, "goal", opponents=["random"], games=4, seed=3)
    assert evaluate(RANDOM, "goal", opponents=["random"], games=4, seed=3) == once
    assert evaluate(RANDOM, "goal", opponents=["random"], games=4, seed=4) != once
    with local_workers(2) as (executor, _):
        assert evaluate(RANDOM, "goal", opponents=["random"], games=4, seed=3, executor=executor) == once


def test_a_policy_that_plays_what_is_not_legal_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the policy chose action \d+: expected one that the action mask allows"):
        evaluate(CHEAT, opponents=["random"], games=1)


# ---- figures ---------------------------------------------------------------------------------------------------------


def test_what_a_game_is_worth() -> None:
    first, shared, last = outcome(0, 0, 50, 40, 30), outcome(0, 1, 30, 40, 40), outcome(0, 2, 50, 40, 30)
    assert [each.share for each in (first, shared, last)] == [1.0, 0.5, 0.0]
    assert [each.ahead for each in (first, shared, last)] == [1.0, 0.75, 0.0]
    assert [each.lead for each in (first, shared, last)] == [10, 0, -20]


def test_equal_players_are_ahead_of_half_the_others_however_many_play() -> None:
    games: Sequence[Outcome] = [outcome(0, seat, 50, 40, 30, 20) for seat in range(4)]
    standing = Standing.of("other", games)
    assert (standing.wins.value, standing.par) == (0.25, 0.25)
    assert standing.ahead.value == pytest.approx(0.5)
    assert (standing.games, standing.boards, standing.gold, standing.opponent_gold) == (4, 1, 35, 35)


def test_the_interval_of_a_difference_holds_the_true_one_as_often_as_it_says() -> None:
    rng = Random(1)
    held = 0
    for _ in range(500):
        train, test = ([outcome(n, 0, 2 * (rng.random() < rate), 1) for n in range(60)] for rate in (0.9, 0.7))
        low, high = (Standing.of("", train).ahead - Standing.of("", test).ahead).interval
        held += low <= 0.2 <= high
    assert 0.92 <= held / 500 <= 0.98


def test_the_interval_of_a_difference_is_that_of_newcombe() -> None:
    """The example of his paper (Statistics in Medicine 17, 1998, method 10): 56 of 70 less 48 of 80."""
    difference = Figure(56 / 70, wilson(56, 70)) - Figure(48 / 80, wilson(48, 80))
    assert difference.value == pytest.approx(0.2)
    assert difference.interval == pytest.approx((0.0524, 0.3339), abs=0.0001)


def test_a_difference_of_sure_things_still_has_an_interval() -> None:
    sure = Figure(1.0, (0.9, 1.0))
    assert (sure - sure).interval == pytest.approx((-0.1, 0.1))


# ---- names -----------------------------------------------------------------------------------------------------------


def test_players_of_the_arena_are_told_from_policies() -> None:
    players = ["greedy", "hard:500n", "py:module:Class", "run:python bot.py", "onnx:best.onnx", "badger=onnx:best.onnx"]
    assert all(is_player(name) for name in players)
    assert not is_player("mymodule:make")
    assert not is_player("package.module:make")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere:make", "ModuleNotFoundError: No module named 'nowhere'; expected module:make"),
        ("policies:make_it", "has no attribute 'make_it'; expected module:make"),
        ("policies:not_a_function", "expected a function that makes one"),
        ("policies:make_nothing", "made NoneType: expected what can be called with an observation"),
        ("gready", "'gready' is not a player"),
    ],
)
def test_what_is_no_policy_is_refused(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        evaluate(name, opponents=["random"], games=1)


def test_an_opponent_must_be_a_player() -> None:
    with pytest.raises(ValueError, match="'policies:make_first' is not a player"):
        evaluate("random", opponents=[FIRST], games=1)


def test_the_command_writes_a_table_and_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "found.json"
    arguments = ["--policy", FIRST, "--split", "board", "--games", "2", "--opponents", "random", "--cores", "1"]
    with pytest.raises(SystemExit) as ended:
        main(["learn", "evaluate", *arguments, "--json", str(file)])
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    assert re.search(r"train +random +2 .*\n *test +random +2 .*\n *gap", printed)
    found = json.loads(file.read_text("utf-8"))
    assert (found["policy"], found["split"], found["split_hash"]) == (FIRST, "board", split("board").hash)
    assert found["parts"]["train"][0]["wins"]["value"] == found["parts"]["train"][0]["ahead"]["value"]
    assert found["gaps"][-1]["opponent"] == ALL


def test_the_command_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["learn", "evaluate", "--policy", "greedy", "--split", "boards", "--cores", "1"])
    assert ended.value.code == 2
    assert "kb learn: 'boards' is not a split: expected one of board, goal" in capsys.readouterr().err


def test_the_command_lists_the_splits(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["learn", "splits"])
    assert re.search(rf"goal +{split('goal').hash[:8]} +Scoring cards", capsys.readouterr().out)


@pytest.mark.parametrize(("missing", "extra"), [("numpy", "learn"), ("pyarrow", "data")])
def test_without_its_packages_the_command_says_what_to_do(
    missing: str, extra: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in [name for name in sys.modules if name.startswith(("kingdom_builder.learn", "kingdom_builder.enc"))]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.delitem(sys.modules, "kingdom_builder.players.network", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(SystemExit) as ended:
        main(["learn", "dataset", "results.jsonl", "--out", "games.parquet"])
    assert ended.value.code == 2
    expected = f'kb learn: this needs the package {missing}: pip install "kingdom-builder[{extra}]"\n'
    assert capsys.readouterr().err == expected
