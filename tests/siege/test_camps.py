"""What a machine that stands still once does to the verdict on an attack, and what it does not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from siege import conduct
from siege.attacks import ATTACKS, Siege
from siege.conduct import Camps
from siege.report import FULL, SHORT, Form, Look, Report, Times

SIEGE = ATTACKS["hints"]


def look(wait: float) -> Look:
    times = Times.of([wait])
    return Look(times, times, times, troubles=[], turned_away=[], memory=50, disk=0, connections=3)


class FakeCamp:
    """Where people wait as long as a list says, one entry for each attack or look."""

    waits: Iterator[float] = iter(())
    complaints = ""
    opened = 0

    def __init__(self, folder: Path) -> None:
        self.quiet = look(0.01)
        type(self).opened += 1

    def __exit__(self, *_: object) -> None:
        pass

    def besiege(self, siege: Siege, form: Form, addresses: list[str]) -> Report:
        during = look(next(self.waits))
        return Report(siege.name, form, "", self.quiet, during, during if form.after_each else None, self.complaints)

    def rest(self, form: Form) -> Look:
        return look(next(self.waits))


@pytest.fixture
def camps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Camps:
    monkeypatch.setattr(conduct, "Camp", FakeCamp)
    monkeypatch.setattr(FakeCamp, "opened", 0)
    return Camps(lambda: tmp_path)


@pytest.mark.parametrize(
    ("form", "waits", "complaints", "succeeds", "opened"),
    [
        (SHORT, [0.01], "", False, 1),
        (SHORT, [9, 0.01], "", False, 2),
        (SHORT, [9, 9], "", True, 2),
        (SHORT, [9], "Traceback (most recent call last)", True, 1),
        (FULL, [9], "", True, 1),
    ],
)
def test_an_attack_succeeds_if_it_does_harm_each_time(
    camps: Camps,
    monkeypatch: pytest.MonkeyPatch,
    form: Form,
    waits: list[float],
    complaints: str,
    succeeds: bool,
    opened: int,
) -> None:
    left = iter(waits)
    monkeypatch.setattr(FakeCamp, "waits", left)
    monkeypatch.setattr(FakeCamp, "complaints", complaints)
    assert bool(camps.besiege(SIEGE, form, []).harm()) == succeeds
    assert FakeCamp.opened == opened, "each attempt has a new camp"
    assert not list(left)


@pytest.mark.parametrize(("waits", "lasts"), [([0.01], False), ([9, 0.01], False), ([9, 9], True)])
def test_harm_lasts_if_it_is_still_there_on_a_second_look(
    camps: Camps, monkeypatch: pytest.MonkeyPatch, waits: list[float], lasts: bool
) -> None:
    left = iter(waits)
    monkeypatch.setattr(FakeCamp, "waits", left)
    assert bool(camps.lasting(SHORT)) == lasts
    assert FakeCamp.opened == 1
    assert not list(left)
