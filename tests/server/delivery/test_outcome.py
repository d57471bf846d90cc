"""What answers stand for."""

import logging
import time
from email.utils import formatdate

import pytest

from kingdom_builder.server.delivery.outcome import LONGEST_WAIT, Outcome, Result, noted, outcome_of


@pytest.mark.parametrize(
    ("status", "result"),
    [
        (200, "delivered"),
        (201, "delivered"),
        (204, "delivered"),
        (301, "refused"),
        (302, "refused"),
        (307, "refused"),
        (400, "refused"),
        (401, "refused"),
        (403, "refused"),
        (404, "gone"),
        (408, "retry"),
        (410, "gone"),
        (413, "refused"),
        (425, "retry"),
        (429, "retry"),
        (500, "retry"),
        (503, "retry"),
    ],
)
def test_every_status_stands_for_an_outcome(status: int, result: Result) -> None:
    assert outcome_of(status).result == result


@pytest.mark.parametrize(
    ("header", "after"),
    [
        ("120", 120.0),
        (" 7 ", 7.0),
        ("0.25", 0.25),
        ("0", 0.0),
        ("999999999", LONGEST_WAIT),
        ("Fri, 01 Jan 1999 00:00:00 GMT", 0.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", LONGEST_WAIT),
        ("-5", None),
        ("1e9", None),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("٣", None),
        ("9" * 5000, None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_a_number_or_a_date_and_bounded(header: str | None, after: float | None) -> None:
    assert outcome_of(429, header) == Outcome("retry", "status 429", after)


def test_retry_after_can_be_a_date_to_come() -> None:
    after = outcome_of(503, formatdate(time.time() + 3600, usegmt=True)).after
    assert after is not None
    assert 3500 < after <= 3600


def test_the_log_names_an_address_by_a_mark(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        for address in ("anna@example.org", "anna@example.org", "bert@example.org"):
            noted("mail", address, Outcome("delivered"))
    first, second, third = (record.getMessage() for record in caplog.records)
    assert first == second != third
    assert "example" not in caplog.text
