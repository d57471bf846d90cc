"""Pages that come to a table, and leave it."""

import time

from kingdom_builder.server import attendance, entries, writing
from kingdom_builder.server.messages import Hello
from kingdom_builder.server.presence import People
from kingdom_builder.server.table import Table
from kingdom_builder.server.viewers import Seen, Viewer


async def connect(table: Table, viewer: Viewer, hello: Hello, most: int) -> None:
    """Somebody opens a page of a table, or comes back to it; at most `most` pages can be open.

    Raises Refusal or StoreError.
    """
    if table.journal.is_shared:
        await writing.follow(table)  # another server may have shown this page more than is known here
    await table.shown.lines.prepare(table.game, table.party.log_perspective(viewer.hashes))
    await _bind(table, viewer)
    table.viewers.add(viewer, table.party, most)
    touch(table, viewer)
    attendance.follow_absence(table)
    if hello.game == table.game_number and table.shown.first_version <= hello.version <= table.version:
        viewer.seen = Seen(table.game_number, hello.version, False, hello.version)
    table.viewers.broadcast_presence()
    table.on_presence(table)
    table.on_change(table)


async def _bind(table: Table, viewer: Viewer) -> None:
    """Give the seats whose links somebody has opened to the person that they are."""
    if not viewer.person or table.lesson or table.trouble is not None:
        return

    def bound() -> entries.Bound | None:
        free = [each for each in table.party.seats_of(viewer.hashes) if not table.party.seats[each].person]
        return entries.Bound("link", f"{table.version}", free[0], viewer.person) if free else None

    async with table.lock:
        while await writing.store_or_follow(table, bound):
            pass


def disconnect(table: Table, viewer: Viewer) -> None:
    """Somebody closed a page."""
    table.viewers.discard(viewer)
    attendance.follow_absence(table, viewer)
    table.touched = time.monotonic()
    table.viewers.broadcast_presence()
    table.on_presence(table)


def note_elsewhere(table: Table, people: People) -> None:
    """Other people look at a table at other servers now."""
    table.viewers.elsewhere = people
    attendance.follow_absence(table)
    table.viewers.broadcast_presence()


def touch(table: Table, viewer: Viewer) -> None:
    """Note that somebody is here."""
    table.touched = time.monotonic()
    table.visitor = viewer.visitor
