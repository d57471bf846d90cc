"""Rate limits of the server."""

import time

KEPT = 10_000
"""Keys to remember; beyond that, those whose limit is full again are forgotten."""


class RateLimit:
    """A token bucket: allows a rate a second on average, and up to a burst at once."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._per_second = per_second
        self._burst = burst
        self._left = burst
        self._counted = time.monotonic()

    @property
    def is_full(self) -> bool:
        """Whether the whole burst is available, as in a new limit."""
        return self._count() >= self._burst

    def take(self, amount: float = 1.0) -> bool:
        """Take an amount if that much is left; returns whether it was."""
        if self._count() < amount:
            return False
        self._left -= amount
        return True

    def borrow(self, amount: float, longest_wait: float) -> float | None:
        """Take an amount now and return the seconds until it is covered; None if too much is borrowed already."""
        if self._count() < -longest_wait * self._per_second:
            return None
        self._left -= amount
        return max(0.0, -self._left / self._per_second)

    def _count(self) -> float:
        """The amount left now; negative if some was borrowed."""
        now = time.monotonic()
        self._left = min(self._left + (now - self._counted) * self._per_second, self._burst)
        self._counted = now
        return self._left


class RateLimits:
    """Rate limits by key, such as an address: all of the same rate and burst."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._per_second = per_second
        self._burst = burst
        self._known: dict[str, RateLimit] = {}
        self._most = KEPT

    def take(self, key: str) -> bool:
        """Count something for a key; returns whether that was allowed."""
        if key not in self._known and len(self._known) >= self._most:
            self._known = {each: limit for each, limit in self._known.items() if not limit.is_full}
            self._most = max(KEPT, 2 * len(self._known))  # or every new key would cost a look at all
        return self._known.setdefault(key, RateLimit(self._per_second, self._burst)).take()
