"""The page on baselines is made from its evaluations, which are of the splits as they are."""

import json
from dataclasses import asdict
from pathlib import Path

import make_baselines
import pytest
from make_baselines import PAGE, PLAYERS, main, page, read

from kingdom_builder.encoding import VERSION
from kingdom_builder.learn.evaluate import evaluate
from kingdom_builder.learn.splits import split, split_names


def test_the_page_is_made_from_its_evaluations() -> None:
    assert PAGE.read_text("utf-8") == page(read())


@pytest.mark.parametrize("name", split_names())
def test_all_players_are_measured_on_each_split_as_it_is(name: str) -> None:
    found = [each for each in read() if each["split"] == name]
    assert [each["policy"] for each in found][: len(PLAYERS)] == list(PLAYERS)
    assert {(each["split_hash"], each["encoding"]) for each in found} == {(split(name).hash, VERSION)}
    for each in found:
        for part in each["parts"].values():
            assert all(standing["games"] >= each["games"] for standing in part)
            assert not any(standing["faults"] for standing in part)


def test_an_evaluation_is_added_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, file in (("FIGURES", "baselines.jsonl"), ("PAGE", "baselines.md")):
        monkeypatch.setattr(make_baselines, name, tmp_path / file)
    make_baselines.write(json.loads(line) for line in (PAGE.parent / "baselines.jsonl").read_text("utf-8").splitlines())
    before = len(read())
    found = asdict(evaluate("py:kingdom_builder.players.easy:EasyPlayer", "goal", opponents=["random"], games=2))
    (tmp_path / "mine.json").write_text(json.dumps(found), "utf-8")
    monkeypatch.setattr("sys.argv", ["make_baselines.py", "--add", str(tmp_path / "mine.json")])
    for _ in range(2):
        main()
        assert len(read()) == before + 1
    goal = (tmp_path / "baselines.md").read_text("utf-8").split("## goal")[1].split("##")[0]
    assert "| `py:kingdom_builder.players.easy:EasyPlayer` |" in goal
    assert "| - | - | - |" in goal, "it met one opponent only"
