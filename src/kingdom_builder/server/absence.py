"""Who is away from a table, and from when on the others may go on without them.

It is not in the log: after a restart everybody is away, and has as long as before to come back. When somebody last sat
down is in the log, so how long the others wait for a free seat follows from it.
"""

from kingdom_builder.server.clocks import AWAY, SECOND, Clock
from kingdom_builder.server.entries import Seat
from kingdom_builder.server.party import Party, keys_of
from kingdom_builder.server.viewers import Viewer

CLOSED_SECONDS = 10
"""How long somebody may be away from a live game who has closed the page; loading it again takes less."""


class Absence:
    """The players of a table who have no page of it open."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until: dict[int, int] = {}

    def follow(self, party: Party, present: set[str], now: int, leaving: Viewer | None = None) -> None:
        """Note who is here now, by a moment in milliseconds; `leaving` is the viewer who has just left."""
        for number, seat in enumerate(party.seats):
            if not is_person(seat) or keys_of(seat) & present:
                self._until.pop(number, None)
            elif number not in self._until:
                last = leaving if leaving is not None and keys_of(seat) & leaving.hashes else None
                self._until[number] = now + self._patience(last) * SECOND

    def forget(self) -> None:
        """Begin again: the seats have moved up."""
        self._until.clear()

    def until(self, seat: int) -> int | None:
        """The moment from which on the others may go on without the player of a seat; None if they are here."""
        return self._until.get(seat)

    def _patience(self, viewer: Viewer | None) -> int:
        """The seconds for which the others wait for somebody."""
        seconds = AWAY[self._clock.speed]
        if viewer is None:
            return seconds
        if self._clock.kind == "live" and viewer.has_closed:
            return CLOSED_SECONDS
        return seconds if viewer.is_member else seconds // 2


def free_seat_until(clock: Clock, arrived: int) -> int:
    """The moment from which on those who are here may give a free seat to a bot, if somebody last sat down then.

    They wait as long as for a player who is away; in games of days, where nobody has to be here, as long as for a turn.
    """
    seconds = clock.add if clock.kind == "days" else AWAY[clock.speed]
    return arrived + seconds * SECOND


def is_person(seat: Seat) -> bool:
    """Whether somebody plays at a seat, and no bot stands in for them."""
    return seat.kind == "person" and not seat.level
