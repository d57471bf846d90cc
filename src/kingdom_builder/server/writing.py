"""How entries get into the log of a table: stored first, then applied, then announced at the pages.

So people always see what they would see after a restart of the server. Another server may write to the same log: only
one of them can store an entry as the next version, and the others catch up.
"""

import asyncio
from collections.abc import Callable

from kingdom_builder.message import Message, Refusal
from kingdom_builder.rules import Action
from kingdom_builder.server import attendance, entries, words
from kingdom_builder.server.entries import AnySent
from kingdom_builder.server.journal import Conflict, Doubt
from kingdom_builder.server.table import Table

TRIES = 20
"""How often something is tried that another server was first with."""

MOST_ENTRIES = 25_000
"""The most entries in the log of a table. The longest evening needs a tenth of that."""

SHARES = {"watcher": 0.2, "talk": 0.4, "player": 0.6, "host": 0.8, "move": 1.0}
"""How full the log may be for each kind of entry, so that endless talk or undo does not keep others from what matters
more. At the end only moves are possible, so that the game can end."""


async def store(table: Table, entry: AnySent, actions: list[Action] | None = None, person: str = "") -> None:
    """Store an entry, then apply it. `actions` are those of a move, `person` is who sent it, if known.

    Raises Refusal if the log takes no such entry any more, Conflict if another server was first, or StoreError.
    """
    if table.trouble is not None:
        raise table.trouble
    if table.version >= MOST_ENTRIES * SHARES[_kind(entry)]:
        raise Refusal(
            Message("So much has happened at this table that no more of this can be kept: make a new one."), "full"
        )
    entry.at = table.now()
    try:
        version = table.version + 1
        body, texts = entries.encode(entry)
        rows = words.rows_of(table.id, version, person, texts)
        await table.journal.append(table.id, version, entries.FORMAT, body, table.generation, rows)
    except (Doubt, asyncio.CancelledError):
        table.on_lost(table)  # it may be stored after all
        raise
    table.apply_entry(entry, actions)
    table.on_stored(table)


async def store_or_follow(table: Table, make: Callable[[], AnySent | None]) -> AnySent | None:
    """Store the entry that somebody wants, and decide again if another server was first; the stored entry."""
    for _ in range(TRIES):
        entry = make()
        if entry is None:
            return None
        try:
            await store(table, entry)
        except Conflict:
            await catch_up(table)
        else:
            return entry
    return None


async def follow(table: Table) -> None:
    """Apply what other servers have written. Raises StoreError."""
    async with table.lock:
        await catch_up(table)


async def catch_up(table: Table) -> None:
    """Apply the entries after the last one that is known, for somebody who holds the table's lock."""
    if table.trouble is not None:
        return
    loaded = await table.journal.load(table.id, table.version)
    for stored in loaded.entries:
        game, was_out = table.game_number, table.is_out_of_time
        try:
            entry = entries.read(stored, table.version + 1)
            if isinstance(entry, entries.Opened):
                raise ValueError("it opens the table again")
            table.apply_entry(entry)
        except (Refusal, ValueError, LookupError):
            table.on_lost(table)  # whoever reads the whole log says what is wrong with it
            return
        if isinstance(entry, entries.Sat):
            table.viewers.seat_person(entry.seated.person, table.party)
            table.on_presence(table)
        announce(table, entry, is_new_game=table.game_number != game, was_out=was_out)
    if loaded.entries:
        table.on_followed(table)
        table.on_change(table)


def announce(table: Table, entry: AnySent, *, is_new_game: bool, was_out: bool) -> None:
    """Let the pages of a table know what an entry has changed; `was_out` is whether time was up before it."""
    if isinstance(entry, entries.Reseated):
        table.viewers.drop_void(
            table.party, Refusal(Message("The host has given your seat to somebody else."), "void-key")
        )
    elif isinstance(entry, entries.Renewed):
        table.viewers.drop_void(
            table.party, Refusal(Message("The host has replaced the link for looking on."), "void-key")
        )
    is_about_game = isinstance(entry, entries.Said | entries.Played | entries.Undone) and not was_out
    if not is_about_game:
        attendance.follow_absence(table)
    if is_new_game or is_about_game:
        table.viewers.broadcast()
    else:
        table.viewers.broadcast_people()


def _kind(entry: AnySent) -> str:
    """The share of the log that an entry counts for."""
    match entry:
        case entries.Played() | entries.Failed() | entries.TimedOut() | entries.Excused() | entries.Ended():
            return "move"
        case entries.Said():
            return "watcher" if entry.role == "watcher" else "talk"
        case entries.Undone() | entries.Joined() | entries.Bound() | entries.Consented() | entries.Voted():
            return "player"
    return "host"
