"""The one way in which the server limits a rate."""

import time


class RateLimit:
    """Allows so much a second on average, and up to a burst at once: a token bucket."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._per_second = per_second
        self._burst = burst
        self._left = burst
        self._counted = time.monotonic()

    @property
    def is_full(self) -> bool:
        """Whether the whole burst is left, as in a new limit."""
        return self._count() >= self._burst

    def take(self, amount: float = 1.0) -> bool:
        """Whether so much is left; then it is taken."""
        if self._count() < amount:
            return False
        self._left -= amount
        return True

    def borrow(self, amount: float, longest_wait: float) -> float | None:
        """The seconds until so much, which is taken now, will have come; None if others have borrowed too much."""
        if self._count() < -longest_wait * self._per_second:
            return None
        self._left -= amount
        return max(0.0, -self._left / self._per_second)

    def _count(self) -> float:
        """What is left now; less than nothing if something was borrowed."""
        now = time.monotonic()
        self._left = min(self._left + (now - self._counted) * self._per_second, self._burst)
        self._counted = now
        return self._left
