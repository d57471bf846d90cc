"""Bots at the tables: they think in processes of their own, from what their seat may see."""

import asyncio
import logging
import secrets
from concurrent.futures.process import BrokenProcessPool
from random import Random

from kingdom_builder.notation import action_text, parse_position, position_of
from kingdom_builder.players import make_player
from kingdom_builder.rules import Observation, determinize, observe
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.refusal import Refusal
from kingdom_builder.server.table import Table
from kingdom_builder.server.workers import Workers

STAND_IN = "random"
"""Plays when a bot fails."""

STORE_PAUSE = 5.0
"""Seconds until a bot tries again when its move could not be stored."""

log = logging.getLogger(__name__)


def think(level: str, position: str, seed: str) -> list[str]:
    """The actions of a bot until the end of its turn, or until a card is drawn."""
    seen = parse_position(position)
    player = make_player(level, seed)
    state = determinize(seen, Random(seed)) if isinstance(seen, Observation) else seen
    seat = state.player
    moves: list[str] = []
    while not state.over and not state.awaiting and state.player == seat:
        action = player.choose(observe(state, seat))
        moves.append(action_text(state.setup, action))
        state.apply(action)
    return moves


class Bots:
    """The bots of all tables. A table is watched by one task while a bot is in turn there."""

    def __init__(self, workers: Workers, pause: float) -> None:
        self._workers = workers
        self._pause = pause
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def watch(self, table: Table) -> None:
        """Let a bot act at a table if it is in turn."""
        if table.bot_in_turn() and table.id not in self._tasks:
            task = asyncio.create_task(self._play(table))
            self._tasks[table.id] = task
            task.add_done_callback(lambda _: self._tasks.pop(table.id, None))

    def is_busy(self, table: Table) -> bool:
        return table.id in self._tasks

    def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()

    async def _play(self, table: Table) -> None:
        failed = False
        while level := table.bot_in_turn():
            version = table.changed
            position = position_of(observe(table.state, table.state.player))
            for move in await self._think(STAND_IN if failed else level, position):
                await asyncio.sleep(self._pause)
                try:
                    acted = await table.act_for_bot(version, move)
                except StoreError as error:
                    log.warning("A bot waits: %s", error)
                    await asyncio.sleep(STORE_PAUSE)
                    break
                except Refusal as refusal:
                    log.error("The bot %s wanted %s at %s: %s", level, move, position, refusal)
                    failed = True
                    break
                if not acted:
                    break
                version = table.changed

    async def _think(self, level: str, position: str) -> list[str]:
        for each in (level, STAND_IN):
            try:
                return await self._workers.run(think, each, position, secrets.token_hex(8))
            except BrokenProcessPool:
                log.warning("The process of the bot %s died", each)
            except Exception:  # whatever a bot does wrong, the game goes on
                log.exception("The bot %s failed at %s", each, position)
        return think(STAND_IN, position, secrets.token_hex(8))
