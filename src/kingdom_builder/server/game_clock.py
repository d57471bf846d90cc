"""The clocks of a table's game, which follow from the entries of its log."""

from collections.abc import Iterable

from kingdom_builder.rules import Turn
from kingdom_builder.server import entries
from kingdom_builder.server.clocks import Clock, Gap, Stop, Times
from kingdom_builder.server.entries import AnySent
from kingdom_builder.server.messages import ClockView
from kingdom_builder.server.party import Party


class GameClock:
    """The clocks of the current game, and what its replay shows of them."""

    def __init__(self, clock: Clock, party: Party, turn: Turn, plies: int, at: int) -> None:
        times = Times.begin(clock, len(party.seats), at)
        for number, seat in enumerate(party.seats):
            if seat.level:
                times = times.rest(at, number)
        self.times = times.turn(at, turn)
        self._follow_stops(party, at)
        self.left_at: list[int] = [self.times.left(turn.seat, at)] * (plies + 1)
        """At the beginning and after each action, what the seat in turn had left."""
        self.took: list[int] = [0] * (plies + 1)
        """For each action, how long its player took; the beginning took no time."""
        self._viewed: Times | None = None
        self._view: ClockView

    def apply_entry(self, entry: AnySent, party: Party, turn: Turn | None, plies: int) -> None:
        """Follow an entry that has taken effect; `turn` is the turn after it, if the game is not over."""
        times, at = self.times, entry.at
        acted = times.current.seat if times.current else None
        used = 0 if acted is None else times.seats[acted].total
        match entry:
            case entries.Played():
                times = times.turn(at, turn)
                if acted is not None and acted in times.resting and not party.seats[acted].level:
                    times = times.wake(at, acted)  # their time was up, and they play on
            case entries.Undone() | entries.Ended():
                times = times.turn(at, turn)
            case entries.Excused():
                times = times.excuse(entry.start, entry.end)
            case entries.TimedOut():
                times = times.timed_out(at, entry.seat)
            case entries.Reseated() | entries.Sat():
                is_bot = bool(party.seats[entry.seat].level)
                times = (times.rest if is_bot else times.wake)(at, entry.seat)
        self.times = times
        if not isinstance(entry, entries.Played):  # the most frequent one changes neither seats nor pauses
            self._follow_stops(party, at)
        self._note_action(acted, used, plies)

    def _follow_stops(self, party: Party, at: int) -> None:
        """Stop all clocks while seats are free or the players pause."""
        is_open = any(seat.kind == "open" for seat in party.seats)
        stops: dict[Stop, bool] = {"open": is_open, "paused": party.is_paused}
        for why, is_stopped in stops.items():
            if is_stopped != (why in self.times.stops):
                self.times = (self.times.stop if is_stopped else self.times.go)(at, why)

    def _note_action(self, acted: int | None, used: int, plies: int) -> None:
        """Keep what the replay shows of an entry; `used` is what the seat that acted had used before it."""
        del self.left_at[plies + 1 :], self.took[plies + 1 :]
        new = plies + 1 - len(self.left_at)
        if new and acted is not None:
            seat = self.times.current.seat if self.times.current else acted
            self.left_at += [self.times.left(seat, self.times.since)] * new
            self.took += [self.times.seats[acted].total - used, *[0] * (new - 1)]

    def is_out(self, seat: int) -> bool:
        """Whether the time of a seat was up, and its player has not played since."""
        return self.times.seats[seat].is_out and seat in self.times.resting

    def unexcused(self, gaps: Iterable[Gap], now: int) -> Gap | None:
        """The first of these gaps that costs the running seat time, since the log does not excuse it."""
        times = self.times
        if times.running is None:
            return None
        for start, end in gaps:
            first = max(start, times.since)
            is_known = any(known[0] <= first and end <= known[1] for known in times.gaps)
            if first < min(end, now) and not is_known:
                return start, end
        return None

    def view(self, now: int) -> ClockView:
        """The clocks for a page."""
        if self._viewed is not self.times:  # everybody at the table gets the same
            shown, clock = self.times.shown(), self.times.clock
            assert clock.kind != "none"
            stops: list[str] = sorted(self.times.stops)
            self._viewed = self.times
            self._view = ClockView(
                clock.kind, clock.start, clock.add, shown.left, shown.had, shown.running, shown.since, now, stops
            )
        self._view.now = now
        return self._view
