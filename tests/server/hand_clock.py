"""A wall clock that a test sets."""

START = 1_800_000_000.0


class HandClock:
    """A clock that moves only when a test moves it."""

    def __init__(self, now: float = START) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += seconds

    @property
    def milliseconds(self) -> int:
        return round(self.now * 1000)
