"""Advice: good moves in a position, and the gold that each seat may expect at the end of the game.

Everything follows from the text of a position, in which the cards that the asker may not see are `?`: so it cannot tell
what is hidden.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

from kingdom_builder.message import Message, Refusal
from kingdom_builder.notation import NotationError
from kingdom_builder.server import desk
from kingdom_builder.server.messages import Suggestion
from kingdom_builder.server.workers import Asker, TooLong, WorkerDied, Workers

PATIENCE = 5.0
"""Seconds after which advice comes too late; pages take a server that is silent for eight seconds for dead."""

LONGEST = 3.0
"""Seconds of a process that some advice may take at once: many times what it does take."""

POSITIONS_AT_ONCE = 20
"""After so many positions others come in between."""

log = logging.getLogger(__name__)
R = TypeVar("R")
T = TypeVar("T")


class Adviser:
    """Answers questions about positions, in the processes of the bots."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def suggestions(self, asker: Asker, position: str) -> list[Suggestion]:
        """Good moves. Raises Refusal, or NotationError if the position cannot be read."""
        return (await self._answers(asker, desk.suggestions, [position]))[0]

    async def expectations(self, asker: Asker, positions: list[str]) -> list[list[float]]:
        """The gold to expect, by position and seat. Raises Refusal, or NotationError if one cannot be read."""
        starts = range(0, len(positions), POSITIONS_AT_ONCE)
        parts = [positions[start : start + POSITIONS_AT_ONCE] for start in starts]
        return [gold for answer in await self._answers(asker, desk.expectations, parts) for gold in answer]

    async def _answers(self, asker: Asker, work: Callable[[T], R], questions: list[T]) -> list[R]:
        """The answers to some questions, one after the other."""
        try:
            async with asyncio.timeout(PATIENCE):
                return [await self._workers.run(asker, work, each, seconds=LONGEST) for each in questions]
        except (TimeoutError, TooLong):
            raise Refusal(Message("The advice takes too long now: try again in a moment."), "busy") from None
        except (NotationError, Refusal):
            raise
        except WorkerDied:
            log.warning("The process of an adviser died")
        except Exception:
            log.exception("No advice could be given")
        raise Refusal(Message("The advice could not be worked out: try again."), "busy")
