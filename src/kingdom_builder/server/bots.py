"""Bots at the tables: they think in processes of their own, from what their seat may see."""

import asyncio
import logging
import secrets

from kingdom_builder.notation import position_of
from kingdom_builder.rules import observe
from kingdom_builder.server.desk import bot_turn
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.refusal import Refusal
from kingdom_builder.server.table import Table
from kingdom_builder.server.workers import Asker, TooLong, WorkerDied, Workers

STAND_IN = "random"
"""Plays when a bot fails."""

STORE_PAUSE = 5.0
"""Seconds until a bot tries again when its move could not be stored."""

LONGEST_THOUGHT = 10.0
"""Seconds after which a bot has failed: the slowest takes one or two, four on a busy machine."""

log = logging.getLogger(__name__)


class Bots:
    """The bots of all tables. A table is watched by one task while a bot is in turn there and somebody looks."""

    def __init__(self, workers: Workers, pause: float, rest: float) -> None:
        self._workers = workers
        self._pause = pause
        self._rest = rest
        self._tasks: dict[Table, asyncio.Task[None]] = {}

    def watch(self, table: Table) -> None:
        """Let a bot act at a table if it is in turn."""
        if table.bot_in_turn() and not self.is_busy(table):
            self._tasks[table] = task = asyncio.create_task(self._play(table))
            task.add_done_callback(lambda _: self.is_busy(table) or self._tasks.pop(table, None))

    def is_busy(self, table: Table) -> bool:
        task = self._tasks.get(table)
        return task is not None and not task.done()

    def forget(self, table: Table) -> None:
        """Stop the bots of a table that is not kept any more."""
        if task := self._tasks.pop(table, None):
            task.cancel()

    def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()

    async def _play(self, table: Table) -> None:
        failed = False
        while (level := table.bot_in_turn()) and table.is_looked_at(self._rest):
            version, seat = table.changed, table.state.player
            position = position_of(observe(table.state, seat))
            moves: list[str] | None = None
            try:
                moves = None if failed else await self._think(Asker(table.visitor, table.id), level, position)
                if moves is None:
                    await table.tell_of_failure(seat)
                    moves = bot_turn(STAND_IN, position, secrets.token_hex(8))
                failed = False
                for move in moves:
                    await asyncio.sleep(self._pause)
                    if not await table.act_for_bot(version, move):
                        break
                    version = table.changed
            except StoreError as error:
                log.warning("A bot waits: %s", error)
                await asyncio.sleep(STORE_PAUSE)
            except Refusal as refusal:
                if refusal.code != "illegal":  # the table takes no more moves
                    return
                log.error("The bot %s wanted %s at %s: %s", level, moves, position, refusal)
                failed = True

    async def _think(self, asker: Asker, level: str, position: str) -> list[str] | None:
        """What a bot wants to do; nothing if it fails twice."""
        for _ in range(2):
            seed = secrets.token_hex(8)
            try:
                return await self._workers.run(
                    asker, bot_turn, level, position, seed, seconds=LONGEST_THOUGHT, patient=True
                )
            except WorkerDied:
                log.warning("The process of the bot %s died", level)
            except TooLong:
                log.error("The bot %s thought for too long at %s", level, position)
                break
            except Exception:  # whatever a bot does wrong, the game goes on
                log.exception("The bot %s failed at %s", level, position)
                break
        return None
