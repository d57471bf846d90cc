"""Tuning: the regression finds what the changes of weights bring."""

from random import Random

import pytest

from kingdom_builder.arena.studies import tuning
from kingdom_builder.content import ALL_SETS, random_setup
from kingdom_builder.players.budget import Budget
from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.hard import HardPlayer
from kingdom_builder.players.rollouts import Rollouts
from kingdom_builder.players.weights import WEIGHTS
from kingdom_builder.rules import State


def test_the_regression_finds_the_effects_with_their_errors() -> None:
    rng = Random(1)
    signs = [[rng.choice((-1, 1)) for _ in WEIGHTS] for _ in range(3000)]
    leads = [round(4 + 3 * row[2] - 1.5 * row[5] + rng.gauss(0, 10)) for row in signs]
    first, second, *others = tuning.effects(signs, leads)
    names = list(WEIGHTS)
    assert (first.weight, second.weight) == (names[2], names[5])
    assert first.gold == pytest.approx(3, abs=4 * first.error)
    assert second.gold == pytest.approx(-1.5, abs=4 * second.error)
    for effect in (first, second, *others):
        assert effect.error == pytest.approx(10 / 3000**0.5, rel=0.1)
    assert all(abs(effect.gold) < 4 * effect.error for effect in others)


def test_a_changed_player_judges_by_its_own_weights_and_leaves_those_of_others_alone() -> None:
    before = dict(WEIGHTS)
    state = State(random_setup(Random(1), 2))
    other = {name: weight + 7.0 for name, weight in WEIGHTS.items()}
    changed = HardPlayer(Random(1), Budget(nodes=5), other).evaluator(state)
    shipped = Evaluator(state.setup)
    assert changed.build_gold == before["builds"] + 7.0
    assert changed.expected(state, 0) > shipped.expected(state, 0)
    assert HardPlayer(Random(1), Budget(nodes=5)).evaluator(state).build_gold == shipped.build_gold == before["builds"]
    assert before == WEIGHTS


def test_games_are_played_out_by_the_weights_of_the_evaluator() -> None:
    """The tiles that do not build count as much as the evaluator says."""
    setup = random_setup(Random(1), 2, sets=ALL_SETS)
    gold = [gold for _, gold in Rollouts(Evaluator(setup)).other_tiles]
    more = [gold for _, gold in Rollouts(Evaluator(setup, {**WEIGHTS, "tile.other": 9.0})).other_tiles]
    assert gold != more
    assert 9.0 in more


def test_without_a_change_both_sides_of_a_board_are_the_same_game() -> None:
    assert tuning.lead(3, 0, "5n", 1.0) == -tuning.lead(3, 1, "5n", 1.0)
    assert tuning.lead(3, 0, "5n", 3.0) != -tuning.lead(3, 1, "5n", 3.0)


def test_it_prints_every_weight_once(capsys: pytest.CaptureFixture[str]) -> None:
    tuning.main(["--games", "59", "--budget", "2n", "--cores", "1"])
    printed = capsys.readouterr().out
    assert printed.startswith("60 games, hard:2n, factor 1.6, seed 0\n")
    assert sorted(line.split()[0] for line in printed.splitlines()[2:]) == sorted(WEIGHTS)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--games", "8"], "8 games: expected 60 or more"), (["--budget", "much"], "'much' is not a budget")],
)
def test_bad_arguments_get_a_sentence(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        tuning.main(arguments)
    assert said in capsys.readouterr().err
