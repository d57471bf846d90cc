"""Bots at the tables: they think in separate processes, here or elsewhere, and get only what their seat may see."""

import asyncio
import logging
import secrets
from collections.abc import Sequence

from kingdom_builder.message import Refusal
from kingdom_builder.notation import action_text, position_of
from kingdom_builder.players.guard import STAND_INS
from kingdom_builder.rules import observe
from kingdom_builder.server import entries
from kingdom_builder.server.deciding import actions_of, text_of
from kingdom_builder.server.desk import BotTurn, bot_turn
from kingdom_builder.server.journal import Conflict, StoreError
from kingdom_builder.server.messages import BotSpeed
from kingdom_builder.server.table import Table
from kingdom_builder.server.thinkers import NobodyThinks, Thinkers
from kingdom_builder.server.workers import Asker, TooLong, WorkerDied
from kingdom_builder.server.writing import catch_up, store, store_or_follow

PAUSE = 5.0
"""Seconds until a bot tries again when its move could not be stored, or no process could think for it."""

CLAIM_SECONDS = 5.0
"""For how long one of several servers, at which people look at a table, thinks for its bots."""

LONGEST_THOUGHT = 10.0
"""Seconds after which a bot has failed: the slowest takes one or two, four on a busy machine."""

PAUSES: dict[BotSpeed, float] = {"slow": 2.5, "normal": 1.0, "instant": 0.0}
"""The pause before an action by speed, in units of the usual one."""

log = logging.getLogger(__name__)


async def act_for_bot(table: Table, version: int, move: str) -> bool:
    """Play a move of the current bot; nothing happens if the game has changed since it began to think."""
    async with table.lock:
        if table.changed != version or not table.bot_in_turn():
            return False
        actions = actions_of(table.game, move)
        try:
            await store(table, entries.Played("bot", f"{table.version}", text_of(table.game, actions)), actions)
        except Conflict:
            await catch_up(table)
            return False
        table.viewers.broadcast()
        return True


async def report_failure(table: Table, seat: int) -> None:
    """Announce, once in a game, that a bot failed and a simple one acts for it."""

    def failed() -> entries.Failed | None:
        is_known = any(notice.kind == "bot-failed" and notice.seat == seat for notice in table.party.notices)
        return None if is_known else entries.Failed("bot", f"{table.version}", seat)

    async with table.lock:
        if await store_or_follow(table, failed):
            table.viewers.broadcast_people()


def reply_of_lesson(table: Table) -> list[str]:
    """The moves that a lesson has for the current bot; nothing at other tables."""
    actions = table.lesson.reply(table.game) if table.lesson else []
    return [action_text(table.game.setup, action) for action in actions]


class Bots:
    """The bots of all tables. One task watches a table while it is a bot's turn there and somebody looks."""

    def __init__(self, workers: Thinkers, pause: float, rest: float) -> None:
        self._workers = workers
        self._pause = pause
        self._rest = rest
        self._tasks: dict[Table, asyncio.Task[None]] = {}
        self._is_closed = False

    def watch(self, table: Table) -> None:
        """Let a bot act at a table if it is its turn."""
        if table.bot_in_turn() and not self.is_busy(table) and not self._is_closed:
            self._tasks[table] = task = asyncio.create_task(self._play(table))
            task.add_done_callback(lambda _: self.is_busy(table) or self._tasks.pop(table, None))

    def is_busy(self, table: Table) -> bool:
        task = self._tasks.get(table)
        return task is not None and not task.done()

    def forget(self, table: Table) -> None:
        """Stop the bots of a table that leaves the memory."""
        if task := self._tasks.pop(table, None):
            task.cancel()

    def close(self) -> None:
        """Let no bot act any more."""
        self._is_closed = True
        for task in self._tasks.values():
            task.cancel()

    async def _play(self, table: Table) -> None:
        failed = False
        while (level := table.bot_in_turn()) and table.is_looked_at(self._rest):
            version, seat = table.changed, table.game.player
            position = position_of(observe(table.game.state, seat))
            moves: list[str] = []
            try:
                if table.viewers.elsewhere and not await table.journal.claim(f"bot {table.id}", CLAIM_SECONDS):
                    await asyncio.sleep(CLAIM_SECONDS / 5)
                    continue
                if failed:
                    await report_failure(table, seat)
                moves = [] if failed else reply_of_lesson(table)
                moves = moves or await self._moves(table, STAND_INS if failed else (level, *STAND_INS), position)
                failed = False
                if not moves:
                    await asyncio.sleep(PAUSE)
                for move in moves:
                    await asyncio.sleep(self._pause * PAUSES[table.viewers.bot_speed(table.party)])
                    if not await act_for_bot(table, version, move):
                        break
                    version = table.changed
            except StoreError as error:
                log.warning("A bot waits: %s", error)
                await asyncio.sleep(PAUSE)
            except Refusal as refusal:
                if refusal.code != "illegal":  # the table accepts no more moves
                    return
                log.error("The bot %s wanted %s at %s: %s", level, moves, position, refusal)
                failed = True

    async def _moves(self, table: Table, players: Sequence[str], position: str) -> list[str]:
        """The moves of the first player that does not fail; nothing if all of them fail."""
        seat = table.game.state.player
        for player in players:
            turn = await self._think(Asker(table.visitor, table.id), player, position)
            if turn is None or turn.fault is not None:
                await report_failure(table, seat)
            if turn is not None:
                return turn.moves
        return []

    async def _think(self, asker: Asker, level: str, position: str) -> BotTurn | None:
        """The turn that a bot chooses; None if it takes too long, or if its process dies twice."""
        for _ in range(2):
            seed = secrets.token_hex(8)
            try:
                turn = await self._workers.run(
                    asker, bot_turn, level, position, seed, seconds=LONGEST_THOUGHT, patient=True
                )
            except WorkerDied:
                log.warning("The process of the bot %s died", level)
            except NobodyThinks:
                log.info("Nobody is there to think for the bot %s", level)
                break
            except TooLong:
                log.error("The bot %s thought for too long at %s", level, position)
                break
            except Exception:  # the guard catches a bot's exceptions; whatever else is wrong, the game goes on
                log.exception("The bot %s failed at %s", level, position)
                break
            else:
                if turn.fault is not None:
                    log.error("The bot %s at %s: %s", level, position, turn.fault)
                return turn
        return None
