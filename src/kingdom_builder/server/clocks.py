"""The clocks of a game: how much time a seat has left, as a pure function of what happened and when.

Everybody who folds the same entries gets the same times: a replay, a server that starts again, another node. Therefore
nothing here asks for the time. Moments are milliseconds by the clock of whichever machine wrote the entry. Such clocks
are corrected and differ between machines, so a moment may lie before the one before it; then no time has passed.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from kingdom_builder.message import Message, Refusal
from kingdom_builder.rules import Turn

SECOND = 1000
"""In milliseconds."""

MINUTE, HOUR, DAY = 60, 3600, 86400
"""In seconds."""

Speed: TypeAlias = Literal["fast", "normal", "slow"]

USUAL_TURNS = 12
"""About how many turns a player has in a game."""
FAST_BELOW, SLOW_FROM = 8 * MINUTE, 16 * MINUTE
"""The time of a player for a usual game, by which clocks are fast, normal or slow."""
AWAY = {"fast": 30, "normal": 60, "slow": 120}
"""The seconds for which a player of a live game may be away before the others can go on without them."""

LONG_PAUSE = {"live": 10 * MINUTE, "days": 7 * DAY}
"""The seconds after which one player alone can end a pause: the others may never come back."""


class Clock(msgspec.Struct, frozen=True):
    """How much time players have."""

    kind: Literal["none", "live", "days"] = "none"
    start: int = 0
    """Seconds: at the beginning of a live game, which is also the most a seat ever has; in days games the bank, for
    turns that take longer than their allowance."""
    add: int = 0
    """Seconds: what each turn of a live game adds; in days games the allowance of a turn."""

    @property
    def speed(self) -> Speed:
        """How fast a live game is; others are slow."""
        usual = self.start + USUAL_TURNS * self.add
        if self.kind != "live" or usual >= SLOW_FROM:
            return "slow"
        return "fast" if usual < FAST_BELOW else "normal"


NO_CLOCK = Clock()
FAST, NORMAL, SLOW = Clock("live", 180, 15), Clock("live", 300, 30), Clock("live", 600, 60)
ONE_DAY, TWO_DAYS, THREE_DAYS = (Clock("days", 3 * DAY, days * DAY) for days in (1, 2, 3))
PRESETS = {
    "fast": FAST,
    "normal": NORMAL,
    "slow": SLOW,
    "one-day": ONE_DAY,
    "two-days": TWO_DAYS,
    "three-days": THREE_DAYS,
}

LIVE_START, LIVE_ADD = (MINUTE, 2 * HOUR), (0, 10 * MINUTE)
DAYS_BANK, DAYS_ADD = (0, 30 * DAY), (HOUR, 14 * DAY)


def check(clock: Clock) -> None:
    """Raise Refusal if a clock has values that no game is played with."""
    if clock.kind == "none" and (clock.start or clock.add):
        raise Refusal(Message("a time without a clock: expected a live clock or one of days"))
    if clock.kind == "live":
        if not _within(clock.start, LIVE_START):
            raise Refusal(
                Message(
                    "{n} {n:second|seconds} at the beginning: expected {least} to {most}",
                    n=clock.start,
                    least=LIVE_START[0],
                    most=LIVE_START[1],
                )
            )
        if not _within(clock.add, LIVE_ADD):
            raise Refusal(
                Message(
                    "{n} {n:second|seconds} added each turn: expected {least} to {most}",
                    n=clock.add,
                    least=LIVE_ADD[0],
                    most=LIVE_ADD[1],
                )
            )
    if clock.kind == "days":
        if not _within(clock.add, DAYS_ADD):
            raise Refusal(
                Message(
                    "{n} {n:second|seconds} for a turn: expected {least} to {most}",
                    n=clock.add,
                    least=DAYS_ADD[0],
                    most=DAYS_ADD[1],
                )
            )
        if not _within(clock.start, DAYS_BANK):
            raise Refusal(
                Message(
                    "{n} {n:second|seconds} in the bank: expected {least} to {most}",
                    n=clock.start,
                    least=DAYS_BANK[0],
                    most=DAYS_BANK[1],
                )
            )


def _within(n: int, limits: tuple[int, int]) -> bool:
    return limits[0] <= n <= limits[1]


Stop: TypeAlias = Literal["open", "paused", "down"]
"""Why nobody's clock runs: seats are still open, the players paused, the server is down."""

Gap: TypeAlias = tuple[int, int]
"""A time that costs nobody anything: from the first moment up to, but not including, the second."""


class TurnTime(msgspec.Struct, frozen=True):
    """The time of one turn of a seat."""

    had: int
    """At its beginning."""
    used: int
    """May be more than it had: whether somebody is out of time is for an entry to say."""
    is_out: bool

    @property
    def left(self) -> int:
        return 0 if self.is_out else max(0, self.had - self.used)


class SeatTime(msgspec.Struct, frozen=True):
    """The time of a seat: its last turn and the one before, since a gap can be excused late."""

    before: TurnTime
    turn: Turn | None = None
    """The last turn that the seat had; an undo may make an earlier one current again."""
    used: int = 0
    """In that turn."""
    is_out: bool = False
    """Whether it ran out of time in that turn."""
    total: int = 0
    """Used in all turns."""


class Run(NamedTuple):
    """The clock of a seat ran from one moment to another."""

    seat: int
    turn: Turn | None
    since: int
    until: int


class Shown(msgspec.Struct, frozen=True):
    """The clocks as a page gets them, to count down by itself."""

    left: list[int]
    """What each seat has left, in milliseconds; the running seat: had left at `since`."""
    had: list[int]
    """What each seat had at the beginning of its turn."""
    running: int | None
    """The seat whose clock runs."""
    since: int
    """The moment from which on it runs, by the server's clock."""


class Times(msgspec.Struct, frozen=True):
    """The clocks of all seats of one game. A value: what happens gives another one."""

    clock: Clock
    seats: tuple[SeatTime, ...]
    since: int
    """The moment of what happened last; time before it is counted in `seats`."""
    current: Turn | None = None
    stops: frozenset[Stop] = frozenset()
    resting: frozenset[int] = frozenset()
    """The seats whose clock does not run in their turn: a bot plays there, or their time was up."""
    gaps: tuple[Gap, ...] = ()
    """The excused gaps that touch the last run or come after it; in order and apart from each other."""
    last: Run | None = None
    """The last time that a clock ran, before `since`."""

    @classmethod
    def begin(cls, clock: Clock, seats: int, at: int) -> "Times":
        """The clocks of a new game, before its first turn."""
        full = clock.start + (clock.add if clock.kind == "days" else 0)
        return cls(clock, (SeatTime(TurnTime(full * SECOND, 0, False)),) * seats, at)

    # ---- what happens --------------------------------------------------------------------------------------------

    def turn(self, at: int, turn: Turn | None) -> "Times":
        """It is this turn now, or still; None when the game is over. To be told after every move and undo.

        After an undo it may be a turn that the seat has had before: then it goes on with what it has left, and gets the
        addition of no turn twice.
        """
        times = self._advance(at)
        if turn is not None:
            seat = times.seats[turn.seat]
            if seat.turn is None or turn > seat.turn:
                times = times._with(
                    turn.seat, replace(seat, before=times._turn_time(turn.seat), turn=turn, used=0, is_out=False)
                )
        return replace(times, current=turn)

    def stop(self, at: int, why: Stop = "paused") -> "Times":
        """Nobody's clock runs until every reason is gone."""
        return replace(self._advance(at), stops=self.stops | {why})

    def go(self, at: int, why: Stop = "paused") -> "Times":
        """A reason for which nobody's clock ran is gone."""
        return replace(self._advance(at), stops=self.stops - {why})

    def rest(self, at: int, seat: int) -> "Times":
        """The clock of a seat does not run any more, even in its turn: a bot plays there."""
        return replace(self._advance(at), resting=self.resting | {seat})

    def wake(self, at: int, seat: int) -> "Times":
        """The clock of a seat runs in its turns again: a person plays there."""
        return replace(self._advance(at), resting=self.resting - {seat})

    def timed_out(self, at: int, seat: int) -> "Times":
        """The time of a seat was up: it has nothing left of this turn, and its clock rests."""
        times = self.rest(at, seat)
        return times._with(seat, replace(times.seats[seat], is_out=True))

    def excuse(self, start: int, end: int) -> "Times":
        """Nobody could play from `start` up to `end`: whoever's clock ran then gets that time back.

        In a gap nothing can happen, so it lies within the present run of a clock or the one before: an entry with the
        very moment of its end may come first.
        """
        times = replace(self, gaps=_joined([*self.gaps, (start, end)]))
        if self.last is None:
            return times
        number, turn, since, until = self.last
        back = _passed(since, until, self.gaps) - _passed(since, until, times.gaps)
        seat = self.seats[number]
        if seat.turn == turn:
            seat = replace(seat, used=seat.used - back)
        else:
            seat = replace(seat, before=replace(seat.before, used=seat.before.used - back))
        return times._with(number, replace(seat, total=seat.total - back))

    def _advance(self, at: int) -> "Times":
        """The same, with all time up to this moment counted.

        A moment before the last one becomes the last: a clock that was set back goes on from where it is.
        """
        number = self.running
        if number is None or at <= self.since:
            return replace(self, since=at)
        passed = _passed(self.since, at, self.gaps)
        seat = self.seats[number]
        times = self._with(number, replace(seat, used=seat.used + passed, total=seat.total + passed))
        gaps = tuple(gap for gap in self.gaps if gap[1] > self.since)
        return replace(times, since=at, gaps=gaps, last=Run(number, seat.turn, self.since, at))

    def _with(self, number: int, seat: SeatTime) -> "Times":
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    # ---- looking -------------------------------------------------------------------------------------------------

    @property
    def running(self) -> int | None:
        """The seat whose clock runs."""
        if self.current is None or self.stops or self.clock.kind == "none" or self.current.seat in self.resting:
            return None
        return self.current.seat

    def left(self, seat: int, now: int) -> int:
        """The milliseconds that a seat has left; while it waits, what it will have when its next turn begins."""
        time = self._turn_time(seat)
        if self.current is None or self.current.seat != seat:
            return time.left if self.current is None else self._next(time)
        passed = self._passed_for(seat, now)
        return replace(time, used=time.used + passed).left if passed else time.left

    def used(self, seat: int, now: int) -> int:
        """The milliseconds that a seat has used in the whole game."""
        return self.seats[seat].total + self._passed_for(seat, now)

    @property
    def runs_out_at(self) -> int | None:
        """The moment at which the running seat has nothing left."""
        if self.running is None:
            return None
        return self._after(self._turn_time(self.running).left)

    def is_out(self, now: int) -> bool:
        """Whether the running seat has nothing left."""
        deadline = self.runs_out_at
        return deadline is not None and now >= deadline

    @property
    def remind_at(self) -> int | None:
        """The moment at which the running seat has used 80 % of its turn's time; of days, those without the bank."""
        if self.running is None:
            return None
        time = self._turn_time(self.running)
        whole = self.clock.add * SECOND if self.clock.kind == "days" else time.had
        return self._after(max(0, whole * 4 // 5 - time.used))

    def shown(self) -> Shown:
        """The clocks for a page."""
        seats = range(len(self.seats))
        # Excused time moves the beginning: a page knows of no gaps.
        excused = sum(end - max(start, self.since) for start, end in self.gaps if end > self.since)
        return Shown(
            left=[self.left(seat, self.since) for seat in seats],
            had=[self._turn_time(seat).had for seat in seats],
            running=self.running,
            since=self.since + excused,
        )

    def _turn_time(self, number: int) -> TurnTime:
        """The last turn of a seat, as far as it is counted."""
        seat = self.seats[number]
        return TurnTime(self._next(seat.before), seat.used, seat.is_out)

    def _next(self, time: TurnTime) -> int:
        """What a seat has at the beginning of a turn after such a turn."""
        start, add = self.clock.start * SECOND, self.clock.add * SECOND
        if self.clock.kind == "days":
            return add + min(time.had - add, time.left)
        return min(start, time.left + add)

    def _passed_for(self, seat: int, now: int) -> int:
        """The time that passed for a seat and is not counted yet."""
        return _passed(self.since, now, self.gaps) if seat == self.running else 0

    def _after(self, amount: int) -> int:
        """The moment at which the running seat has used this much more."""
        moment = self.since + amount
        for start, end in self.gaps:
            if end > self.since and start < moment:
                moment += end - max(start, self.since)
        return moment


def _passed(since: int, until: int, gaps: Iterable[Gap]) -> int:
    """The time between two moments without what is excused; nothing if a clock was set back."""
    excused = sum(max(0, min(end, until) - max(start, since)) for start, end in gaps)
    return max(0, until - since - excused)


def _joined(gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """Gaps in order, with those that overlap as one, so that nobody gets a time back twice."""
    joined: list[Gap] = []
    for start, end in sorted(gaps):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        elif start < end:
            joined.append((start, end))
    return tuple(joined)
