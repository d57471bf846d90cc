"""The flood filter: how fast somebody may speak among strangers, and that they do not say the same again and again."""

import time
from collections import deque
from collections.abc import Callable

from kingdom_builder.message import Message, Refusal

LINES, SECONDS = 4, 10.0
"""The most lines of one speaker within these seconds."""

AGAIN_SECONDS = 30.0
"""Seconds after which the same may be said again."""

KEPT = 5_000
"""Speakers to remember; beyond that, those who have been silent for long enough are forgotten."""


class Floods:
    """What each speaker said lately."""

    def __init__(self, stopwatch: Callable[[], float] = time.monotonic) -> None:
        self._stopwatch = stopwatch
        self._said: dict[str, deque[tuple[float, int]]] = {}
        """The moment and the hash of the latest lines of each speaker, those who spoke last at the end."""

    def __len__(self) -> int:
        return len(self._said)

    def check(self, speaker: str, text: str) -> None:
        """Count a line of somebody. Raises Refusal if they spoke too fast, or said the same a moment ago."""
        now, line = self._stopwatch(), hash("".join(text.casefold().split()))
        said = self._said.pop(speaker, None) or deque(maxlen=LINES)
        self._said[speaker] = said
        if len(self._said) > KEPT:
            self._forget(now)
        if len(said) == LINES and now - said[0][0] < SECONDS:
            raise Refusal(
                Message("Too many lines: expected {n} in {seconds} seconds.", n=LINES, seconds=int(SECONDS)), "too-fast"
            )
        if any(before == line and now - at < AGAIN_SECONDS for at, before in said):
            raise Refusal(Message("You have just said this: say something else, or wait a moment."), "too-fast")
        said.append((now, line))

    def _forget(self, now: float) -> None:
        """Forget those who have been silent; if all of them speak, those who spoke first."""
        self._said = {
            speaker: said for speaker, said in self._said.items() if said and now - said[-1][0] < AGAIN_SECONDS
        }
        while len(self._said) > KEPT:
            del self._said[next(iter(self._said))]
