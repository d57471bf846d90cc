"""The one rate limiter: a burst at once, then a steady rate."""

import pytest

from kingdom_builder.server.limits import RateLimit


class Clock:
    """Stands still until it is moved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("kingdom_builder.server.limits.time.monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_a_burst_is_allowed_at_once_and_then_the_rate(clock: Clock) -> None:
    limit = RateLimit(2, 5)
    assert [limit.take() for _ in range(6)] == [True] * 5 + [False]
    clock.now += 1
    assert [limit.take() for _ in range(3)] == [True, True, False]
    clock.now += 1000
    assert [limit.take() for _ in range(6)] == [True] * 5 + [False]


def test_what_is_refused_costs_nothing(clock: Clock) -> None:
    limit = RateLimit(1, 3)
    assert not limit.take(4)
    assert limit.take(3)


def test_who_borrows_waits_until_it_has_come(clock: Clock) -> None:
    limit = RateLimit(10, 20)
    assert [limit.borrow(20, 1) for _ in range(2)] == [0, 2]
    assert limit.borrow(1, 1) is None
    assert not limit.take(), "nothing is left to take while something is owed"
    clock.now += 1
    assert limit.borrow(10, 1) == 2


def test_a_limit_that_was_not_used_for_long_enough_is_full_again(clock: Clock) -> None:
    limit = RateLimit(1, 10)
    assert limit.is_full
    limit.borrow(15, 0)
    clock.now += 14
    assert not limit.is_full
    clock.now += 1
    assert limit.is_full
