"""Calibration: the predictors of turns, and the regression of what follows them."""

from random import Random

import pytest

from kingdom_builder.arena.studies import calibration
from kingdom_builder.arena.studies.calibration import Outcome, coefficients
from kingdom_builder.content import ALL_SETS


def test_the_regression_finds_how_much_each_counts_whatever_the_positions_are_like() -> None:
    rng = Random(1)
    positions = []
    for _ in range(600):
        level = rng.gauss(0, 40)
        outcomes = []
        for _ in range(3):
            expected, own, others = rng.gauss(level, 2), rng.gauss(-level, 4), rng.gauss(level, 3)
            outcomes.append(
                Outcome((expected, own, others), level + 0.25 * expected + 0.6 * own - 0.3 * others + rng.gauss(0, 10))
            )
        positions.append(outcomes)
    found = coefficients(positions)
    for (coefficient, error), true, spread in zip(found, (0.25, 0.6, -0.3), (2, 4, 3), strict=True):
        assert coefficient == pytest.approx(true, abs=4 * error)
        assert error == pytest.approx(10 / spread / (600 * 2) ** 0.5, rel=0.1)


@pytest.mark.parametrize("sets", [("base",), ALL_SETS])
def test_a_sample_repeats_itself_and_has_different_turns(
    sets: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, number in (("BEFORE", 5), ("SEARCH", 100), ("GAMES", 1)):
        monkeypatch.setattr(calibration, name, number)
    played, outcomes = calibration.sample_position(1, 2, sets)
    assert 1 <= played <= 6
    assert calibration.sample_position(1, 2, sets) == (played, outcomes)
    assert len(outcomes) == calibration.TURNS
    assert len({outcome.predictors for outcome in outcomes}) > 1


def test_it_prints_a_line_for_each_phase(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(1)
    told = [
        (number % 6 + 1, [Outcome((rng.random(), rng.random(), rng.random()), rng.random()) for _ in range(4)])
        for number in range(24)
    ]
    monkeypatch.setattr(calibration, "sample_positions", lambda *_: told)
    calibration.main(["--positions", "24", "--seed", "3"])
    first, _, early, late = capsys.readouterr().out.splitlines()
    assert first == "24 positions, base game, seed 3"
    assert early.startswith("  rounds 1 to 3, 12 positions:  expected lead ")
    assert late.startswith("  rounds 4 to 6, 12 positions:  expected lead ")


def test_too_few_positions_get_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        calibration.main(["--positions", "7"])
    assert "7 positions: expected 20 or more" in capsys.readouterr().err
