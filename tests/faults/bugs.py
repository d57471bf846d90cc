"""Bugs that the checker has to find: each is put into a server by node.py, and nothing else knows of them."""

import asyncio
import contextlib
import random
from collections.abc import Callable, Sequence
from typing import Any

from kingdom_builder.rules import EVERYTHING
from kingdom_builder.server import bots, entries, looking, views
from kingdom_builder.server.deciding import actions_of, text_of
from kingdom_builder.server.following import Following
from kingdom_builder.server.journal import Conflict, StoreError
from kingdom_builder.server.postgres_journal import PostgresJournal
from kingdom_builder.server.store import Sql
from kingdom_builder.server.table import Table
from kingdom_builder.server.writing import catch_up, store

MOMENT = 0.3
"""Seconds: so long that a server that is killed surely has something that is not stored yet."""


def early_acknowledgement() -> None:
    """A command is acknowledged a moment before it is stored."""
    append = PostgresJournal.append
    stores: set[asyncio.Task[None]] = set()

    async def append_later(journal: PostgresJournal, *arguments: Any) -> None:
        await asyncio.sleep(MOMENT)
        with contextlib.suppress(StoreError):
            await append(journal, *arguments)

    async def say_yes(
        self: PostgresJournal,
        table: str,
        version: int,
        format: int,  # noqa: A002
        body: bytes,
        generation: int,
        rows: Sequence[Sql] = (),
    ) -> None:
        store = asyncio.create_task(append_later(self, table, version, format, body, generation, rows))
        stores.add(store)
        store.add_done_callback(stores.discard)

    PostgresJournal.append = say_yes  # type: ignore[method-assign]


def lost_rings() -> None:
    """Rings that come while a server is deaf are never made up for."""

    async def never(self: Following) -> None:
        return

    Following.compare = never  # type: ignore[method-assign]


def double_bot_move() -> None:
    """A bot whose move came too late makes it all the same, if it is still legal; and all servers think for it."""
    claim = PostgresJournal.claim

    async def claim_bots(self: PostgresJournal, what: str, seconds: float) -> bool:
        return what.startswith("bot ") or await claim(self, what, seconds)

    async def act_for_bot(table: Table, version: int, move: str) -> bool:
        async with table.lock:
            if not table.bot_in_turn():
                return False
            for _ in range(2):
                actions = actions_of(table.game, move)
                with contextlib.suppress(Conflict):
                    await store(table, entries.Played("bot", f"{version}", text_of(table.game, actions)), actions)
                    table.viewers.broadcast()
                    return True
                await catch_up(table)
            return False

    PostgresJournal.claim = claim_bots  # type: ignore[method-assign]
    bots.act_for_bot = act_for_bot


def leaked_card() -> None:
    """Now and then somebody sees the hands of all."""
    own_view = views.own_view

    def leaking_view(public: Any, state: Any, perspective: Any, **more: Any) -> Any:
        return own_view(public, state, EVERYTHING if random.random() < 0.1 else perspective, **more)

    looking.own_view = leaking_view  # type: ignore[attr-defined]


BUGS: dict[str, Callable[[], None]] = {
    bug.__name__.replace("_", "-"): bug for bug in (early_acknowledgement, lost_rings, double_bot_move, leaked_card)
}
