"""What became of a notification that was sent."""

import hashlib
import logging
import os
import re
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Literal

log = logging.getLogger(__name__)

Result = Literal["delivered", "gone", "retry", "refused"]

LONGEST_WAIT = 86_400.0
"""The most seconds that the other side can ask us to wait."""

NOW_BUSY = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS}
SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")

SALT = os.urandom(16)
"""Marks in the log differ from run to run: the plain hash of a mail address can be guessed."""


@dataclass(frozen=True)
class Outcome:
    """What became of a notification, with the reason in a few words without anything personal."""

    result: Result
    """`gone`: the address does not exist any more, forget it. `retry`: later. `refused`: give this one up."""
    reason: str = ""
    after: float | None = None
    """The seconds to wait before the next attempt, if the other side named them."""


def outcome_of(status: int, retry_after: str | None = None) -> Outcome:
    """The outcome that an HTTP answer stands for."""
    reason = f"status {status}"
    if 200 <= status < 300:
        return Outcome("delivered", reason)
    if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
        return Outcome("gone", reason)
    if status >= 500 or status in NOW_BUSY:
        return Outcome("retry", reason, _seconds(retry_after))
    return Outcome("refused", reason)


def noted(way: str, address: str, outcome: Outcome) -> Outcome:
    """The same outcome, written to the log. The address is personal, and often a secret: the log has a mark for it."""
    mark = hashlib.blake2b(address.encode("utf-8", "replace"), digest_size=4, key=SALT).hexdigest()
    log.info("%s to %s: %s (%s)", way, mark, outcome.result, outcome.reason)
    return outcome


def _seconds(retry_after: str | None) -> float | None:
    """The seconds that a header Retry-After asks for: it holds a number or a date. None if it is neither."""
    text = (retry_after or "").strip()
    if SECONDS.fullmatch(text):
        wait = float(text)
    else:
        try:
            wait = parsedate_to_datetime(text).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return min(max(wait, 0.0), LONGEST_WAIT)
