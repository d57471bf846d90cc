"""Who is at a table, and from when on the others need not wait for those who are not."""

from kingdom_builder.server.absence import free_seat_until, is_person
from kingdom_builder.server.clocks import LONG_PAUSE, SECOND
from kingdom_builder.server.company import PAIR
from kingdom_builder.server.party import keys_of
from kingdom_builder.server.table import Table
from kingdom_builder.server.viewers import Viewer


def present(table: Table) -> set[int]:
    """The seats whose players are here."""
    shown = table.viewers.present()
    return {number for number in table.party.people() if keys_of(table.party.seats[number]) & shown}


def follow_absence(table: Table, leaving: Viewer | None = None) -> None:
    """Note who is here now; `leaving` is the viewer who has just left."""
    table.absence.follow(table.party, table.viewers.present(), table.now(), leaving)


def away(table: Table, seat: int) -> int | None:
    """The moment from which on the others may go on without the player of a seat; None if they need not."""
    if table.over or table.lesson:
        return None
    party = table.party
    if party.seats[seat].kind == "open":
        is_looked_at = bool(keys_of(party.seats[seat]) & table.viewers.present())
        return None if is_looked_at else free_seat_until(table.time_control, table.arrived)
    if len(party.people()) < PAIR:
        return None
    if table.clocks is not None and table.clocks.is_out(seat) and is_person(party.seats[seat]):
        return table.clocks.times.since
    if table.time_control.kind == "days":
        return None  # nobody has to be here
    return table.absence.until(seat)


def resumable(table: Table) -> int | None:
    """The moment from which on one player alone can end the pause; None if there is none."""
    if table.party.paused_at is None:
        return None
    return table.party.paused_at + LONG_PAUSE[table.time_control.kind] * SECOND
