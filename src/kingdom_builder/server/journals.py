"""The journal that the settings of a server ask for."""

import time
from collections.abc import Callable

from kingdom_builder.server.journal import Journal
from kingdom_builder.server.settings import Settings


def open_journal(settings: Settings, clock: Callable[[], float] = time.time) -> Journal:
    """The journal in a folder, in memory, or in the PostgreSQL database of the settings. Raises StoreError."""
    if settings.database:
        from kingdom_builder.server.postgres_journal import PostgresJournal

        return PostgresJournal(settings.database, settings.database_patience, clock)
    from kingdom_builder.server.sqlite_journal import SqliteJournal

    return SqliteJournal(settings.data, settings.database_patience, clock)


async def try_out(settings: Settings) -> None:
    """Find out whether the database of the settings can be used. Raises StoreError."""
    journal = open_journal(settings)
    await journal.open()
    await journal.aclose()
