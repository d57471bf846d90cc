"""What a machine that stands still once does to the verdict on an attack, and what it does not."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from siege import conduct
from siege.attacks import ATTACKS, Siege, strangers
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


@pytest.mark.parametrize(
    ("quiet", "during", "harms"),
    [(0.01, 0.049, False), (0.01, 0.051, True), (0.04, 0.079, False), (0.04, 0.081, True)],
)
def test_strangers_may_not_double_the_longest_waits_of_others(quiet: float, during: float, harms: bool) -> None:
    """Below 50 ms it is the machine."""
    usual, slow = look(0.002), look(0.002)
    usual.answers, slow.answers = Times(99, 0.002, 0.002, quiet, quiet), Times(99, 0.002, 0.002, during, during)
    report = Report("floods-of-chat", replace(FULL, tail=2), "", usual, slow, usual, "")
    assert [each.startswith("99 % of the acknowledgements took") for each in report.harm()] == [True] * harms
    assert not replace(report, form=FULL).harm()


def test_the_longest_waits_count_for_all_attacks_of_strangers() -> None:
    asked = {name for name, siege in ATTACKS.items() if siege.tail == strangers.TAIL}
    assert asked == {name for name, siege in ATTACKS.items() if siege.attack.__module__ == strangers.__name__}
    assert len(asked) >= 7
