"""Data sets: every row is what happened, with what its seat could see, and a large set goes on where it stopped."""

import json
import re
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kingdom_builder.arena.results import Fault, Result, read_results
from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.cli.main import main
from kingdom_builder.encoding import VERSION, Encoder, VersionMismatch, decode
from kingdom_builder.hexes import bits
from kingdom_builder.learn import datasets
from kingdom_builder.learn.datasets import (
    COLUMNS,
    METADATA,
    decisions,
    play_dataset,
    read_metadata,
    rows_of,
    write_minari,
    write_parquet,
)
from kingdom_builder.learn.spaces import action_space
from kingdom_builder.learn.splits import split, split_names
from kingdom_builder.notation import action_text, parse_position, parse_record, position_of
from kingdom_builder.rules import Observation, observe, scores

TOURNAMENT = Tournament(["greedy", "random", "easy"], seats=3, sets=("base", "nomads", "crossroads"), seed=5)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of three games of three players."""
    file = tmp_path_factory.mktemp("arena") / "results.jsonl"
    file.write_text("".join(TOURNAMENT.play(game).line() for game in range(3)), "utf-8")
    return file


@pytest.fixture(scope="module")
def rows(results: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    file = tmp_path_factory.mktemp("data") / "games.parquet"
    write_parquet(results, file)
    found: list[dict[str, Any]] = pq.read_table(file).to_pylist()
    return found


class Here(Executor):
    """Works at once, in this process, and counts what it has done."""

    def __init__(self) -> None:
        self.calls = 0

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        self.calls += 1
        future: Future[Any] = Future()
        future.set_result(function(*arguments, **options))
        return future


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["learn", "dataset", *arguments])
    return int(ended.value.code or 0)


# ---- parquet ---------------------------------------------------------------------------------------------------------


def test_there_is_a_row_for_each_decision_and_none_for_a_draw(results: Path, rows: list[dict[str, Any]]) -> None:
    number = 0
    for result in read_results(results):
        state = parse_record(result.record).game().start
        plies = parse_record(result.record).game().plies
        own = [row for row in rows if row["game"] == result.game]
        assert [row["decision"] for row in own] == list(range(len(own)))
        for ply in plies:
            if ply.state.awaiting:
                continue
            row = rows[number]
            number += 1
            assert row["seat"] == ply.state.player
            assert row["player"] == result.players[row["seat"]]
            assert row["position"] == position_of(observe(ply.state, row["seat"]))
            assert row["action_text"] == action_text(state.setup, ply.action)
            encoder = Encoder(state.setup)
            assert encoder.action(row["action"]) == ply.action
            assert row["action"] in row["legal"]
            assert sorted(encoder.action(each) for each in row["legal"]) == bits(ply.state.legal())
    assert number == len(rows)


def test_no_row_shows_a_hidden_card(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        seen = parse_position(row["position"])
        assert isinstance(seen, Observation)
        assert seen.player == row["seat"]
        assert all(set(hand) == {"?"} for seat, hand in enumerate(seen.hands) if seat != row["seat"])


def test_the_end_of_the_game_is_in_every_row(results: Path, rows: list[dict[str, Any]]) -> None:
    by_game = {result.game: result for result in read_results(results)}
    for row in rows:
        result = by_game[row["game"]]
        final = parse_record(result.record).game().state
        assert row["gold"] == result.gold == scores(final)
        assert [sum(gold) for gold in row["gold_by_card"]] == row["gold"]
        of_cards = [dict(zip(row["paid_by"], gold, strict=True)) for gold in row["gold_by_card"]]
        assert of_cards == result.breakdown
        assert row["share"] == pytest.approx(result.share(row["seat"]))
        assert (row["setup"], row["board"], row["seats"]) == (result.setup, result.board, 3)


def test_games_can_be_split(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text("".join(Tournament(["random", "random"], seed=2).play(game).line() for game in range(8)), "utf-8")
    write_parquet(file, tmp_path / "games.parquet")
    found = pq.read_table(tmp_path / "games.parquet").to_pylist()
    for row in found:
        setup = parse_position(row["setup"]).setup
        assert {name: row[f"split_{name}"] for name in split_names()} == {
            name: split(name).side_of(setup) for name in split_names()
        }
    assert {row["split_combination"] for row in found} == {"train", "test"}
    assert {row["split_size"] for row in found} == {"test"}


def test_the_strength_of_players_is_in_rows_metadata_and_datasheet(results: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    summary = write_parquet(results, file)
    ratings = read_metadata(file)["ratings"]
    elo = {row["player"]: row["elo"] for row in pq.read_table(file).to_pylist()}
    assert elo == pytest.approx({player: rating for player, (rating, _) in ratings.items()})
    sheet = file.with_suffix(".md").read_text("utf-8")
    for heading in ("Motivation", "Composition", "Collection", "Uses", "Limits", "Licence"):
        assert f"## {heading}" in sheet
    assert f"3 games of Kingdom Builder with {summary.decisions:,} decisions" in sheet
    assert all(f"| `{column}` |" in sheet for column in COLUMNS)
    assert re.search(r"\| `greedy` \| 3 \| \+\d+ \(", sheet)
    assert "{" not in sheet


def test_a_game_that_a_stand_in_finished_is_left_out(results: Path, tmp_path: Path) -> None:
    first, second, _ = read_results(results)
    first.faults.append(Fault(0, "3A", "failed"))
    file = tmp_path / "faulty.jsonl"
    file.write_text(first.line() + second.line(), "utf-8")
    summary = write_parquet(file, tmp_path / "games.parquet")
    assert (summary.games, summary.faulty) == (1, 1)
    assert set(pq.read_table(tmp_path / "games.parquet")["game"].to_pylist()) == {second.game}


def test_a_data_set_of_another_version_is_refused(results: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    write_parquet(results, file)
    assert (read_metadata(file)["format"], read_metadata(file)["encoding"]) == (1, VERSION)
    table = pq.read_table(file)
    old = {METADATA: json.dumps({"format": 1, "encoding": VERSION + 1, "ratings": {}})}
    pq.write_table(table.replace_schema_metadata(old), file)
    with pytest.raises(VersionMismatch, match=f"is made for version {VERSION + 1} of the encoding"):
        read_metadata(file)
    pq.write_table(pa.table({"a": [1]}), file)
    with pytest.raises(ValueError, match="not a data set of ours"):
        read_metadata(file)


def test_results_without_games_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("", "utf-8")
    with pytest.raises(ValueError, match="no games, expected some that kb arena --out wrote"):
        write_parquet(tmp_path / "empty.jsonl", tmp_path / "games.parquet")
    assert not (tmp_path / "games.parquet").exists()


# ---- a large set -----------------------------------------------------------------------------------------------------

PLAYED = Tournament(["random", "easy"], seed=9)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_large_set_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole" / "set", tmp_path / "stopped" / "set"
    here = Here()
    assert [done for done, _ in play_dataset(PLAYED, 10, whole, here, 1, shard=4)][-1] == 10
    for done, of in play_dataset(PLAYED, 10, stopped, Here(), 1, shard=4):
        assert of == 10
        if done == 6:  # in the middle of the second file
            break
    assert sorted(files_of(stopped)) == ["part-00000.parquet", "plan.json"]
    again = Here()
    assert [done for done, _ in play_dataset(PLAYED, 10, stopped, again, 1, shard=4)][-1] == 10
    assert (here.calls, again.calls) == (10, 6)
    assert files_of(stopped) == files_of(whole)
    table = pq.read_table(whole / "data")
    assert list(dict.fromkeys(table["game"].to_pylist())) == list(range(10))
    straight = [row for game in range(10) for row in rows_of(PLAYED.play(game))]
    assert [row | {"elo": None} for row in table.select(list(COLUMNS)).to_pylist()] == [
        row | {"share": pytest.approx(row["share"])} for row in straight
    ]
    assert f"10 games of Kingdom Builder with {len(straight):,} decisions" in (whole / "README.md").read_text("utf-8")


def test_a_larger_number_adds_files_and_changes_none(tmp_path: Path) -> None:
    list(play_dataset(PLAYED, 4, tmp_path, Here(), 1, shard=2))
    before = files_of(tmp_path)
    list(play_dataset(PLAYED, 6, tmp_path, Here(), 1, shard=2))
    after = files_of(tmp_path)
    assert {name: after[name] for name in before if name.startswith("part")} == {
        name: content for name, content in before.items() if name.startswith("part")
    }
    assert "part-00002.parquet" in after
    elo = {
        name: pq.read_table(tmp_path / "data" / name)["elo"].unique().to_pylist() for name in after if "part" in name
    }
    assert elo["part-00000.parquet"] == elo["part-00002.parquet"]
    assert None not in elo["part-00000.parquet"]


def test_a_set_leaves_out_games_in_which_a_player_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    failing = Tournament(["py:policies:FailingPlayer", "random"], seed=1)
    list(play_dataset(failing, 2, tmp_path, Here(), 1, shard=2))
    assert pq.read_table(tmp_path / "data").num_rows == 0
    assert "are left out: 2 of them" in (tmp_path / "README.md").read_text("utf-8")


def test_only_one_file_and_a_few_games_are_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = 0
    most = 0

    class Counting(Here):
        def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
            nonlocal waiting, most
            waiting += 1
            most = max(most, waiting)
            return super().submit(function, *arguments, **options)

    for _ in play_dataset(PLAYED, 12, tmp_path, Counting(), 2, shard=6):
        waiting = max(0, waiting - 1)
    assert most <= 2 * datasets.IN_ADVANCE


def test_a_folder_with_another_set_is_refused(tmp_path: Path) -> None:
    list(play_dataset(PLAYED, 2, tmp_path, Here(), 1, shard=2))
    with pytest.raises(ValueError, match=r"has another data set \(plan random \| easy;.*seed 9"):
        list(play_dataset(Tournament(["random", "easy"], seed=8), 2, tmp_path, Here(), 1, shard=2))


# ---- Minari ----------------------------------------------------------------------------------------------------------


def test_an_episode_is_what_a_seat_saw_and_did(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    import minari

    assert write_minari(results, "kingdom-builder/small-v1") == 9
    found = minari.load_dataset("kingdom-builder/small-v1")
    assert found.action_space == action_space()
    episodes = list(found.iterate_episodes())
    places = [(result, seat) for result in read_results(results) for seat in range(3)]
    metadata = list(found.storage.get_episode_metadata(range(9)))
    for episode, about, (result, seat) in zip(episodes, metadata, places, strict=True):
        own = [ply for ply in decisions(result) if ply.state.player == seat]
        encoder = Encoder(own[0].state.setup)
        assert [encoder.action(int(number)) for number in episode.actions] == [ply.action for ply in own]
        observations: Any = episode.observations
        assert len(observations["planes"]) == len(own) + 1
        for step, ply in enumerate(own):
            expected = encoder.observation(ply.state, seat)
            assert all(np.array_equal(observations[key][step], expected[key]) for key in expected)
            assert observations["action_mask"][step][episode.actions[step]] == 1
        assert decode({key: array[-1] for key, array in observations.items()}).over
        assert not observations["action_mask"][-1].any()
        assert list(episode.terminations) == [False] * (len(own) - 1) + [True]
        assert not any(episode.rewards[:-1])
        assert (episode.rewards[-1] > 0) == (seat in result.winners)
        assert (about["options"]["player"], about["options"]["seat"]) == (result.players[seat], seat)
    assert sum(episode.rewards[-1] for episode in episodes) == pytest.approx(0)


# ---- the command -----------------------------------------------------------------------------------------------------


def test_the_command_writes_parquet(results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.parquet"
    assert run(str(results), "--out", str(file)) == 0
    assert capsys.readouterr().out == f"{file}: {pq.read_table(file).num_rows} decisions of 3 games\n"


def test_the_command_plays_a_set_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--players", "random,easy", "--out", str(tmp_path), "--shard", "2", "--cores", "1", "--seed", "9"]
    assert run("--play", "2", *options) == 0
    assert run("--play", "4", *options) == 0
    assert capsys.readouterr().out == f"{tmp_path}: 2 games\n{tmp_path}: 4 games\n"
    list(play_dataset(PLAYED, 4, tmp_path, here := Here(), 1, shard=2))
    assert here.calls == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "expected either a file of results, or --play N"),
        (["results.jsonl", "--play", "3"], "expected either a file of results, or --play N"),
        (["results.jsonl"], "expected either --out FILE or --minari NAME"),
        (["--play", "3"], "expected --out FOLDER with --play"),
        (["--play", "3", "--minari", "a-v1"], "expected --out FOLDER with --play"),
        (["nowhere.jsonl", "--out", "games.parquet"], "nowhere.jsonl: No such file or directory"),
    ],
)
def test_the_command_says_what_is_wrong(arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == 2
    assert capsys.readouterr().err == f"kb learn: {reason}\n"


def test_a_result_is_a_whole_game(results: Path) -> None:
    """The other tests go by records, so these must be whole."""
    result: Result = next(read_results(results))
    assert parse_record(result.record).game().over
