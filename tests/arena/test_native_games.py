"""Random games of `kb simulate` in the native core."""

import pytest

from kingdom_builder import native
from kingdom_builder.arena import simulation
from kingdom_builder.arena.simulation import Plan, Result, simulate
from kingdom_builder.content import ALL_SETS, OPTIONS
from kingdom_builder.native import setups
from kingdom_builder.native.setups import NativeSetup, NoShape
from kingdom_builder.rules import Setup

PLANS = [Plan(60, [2, 3, 4, 5], 5, sets, options) for sets in (("base",), ALL_SETS) for options in ((), tuple(OPTIONS))]


def results() -> list[list[Result]]:
    return [list(simulate(plan, cores=1)) for plan in PLANS]


def test_the_core_plays_the_games_that_python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as in_python:
        in_python.setattr(native, "core", None)
        expected = results()
    monkeypatch.setattr(simulation, "random_rollout", None)
    assert results() == expected


def test_what_the_core_has_no_shape_for_is_played_in_python(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(setup: Setup) -> NativeSetup:
        raise NoShape("the mill turns.")

    expected = results()
    monkeypatch.setattr(setups, "of_setup", refuse)
    assert results() == expected
    assert caplog.messages[0] == "This setup is played in Python: the mill turns."
