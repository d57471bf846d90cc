"""Hints: good moves in a position, and the gold that each seat can expect at the end of the game.

Everything follows from the text of a position, in which the cards that the asker may not see are `?`. Therefore hints
cannot reveal what is hidden.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from kingdom_builder.message import Message, Refusal
from kingdom_builder.notation import NotationError
from kingdom_builder.server import desk
from kingdom_builder.server.messages import HintView, PlayedTurn, TurnAnalysis
from kingdom_builder.server.thinkers import NobodyThinks, Thinkers
from kingdom_builder.server.workers import Asker, TooLong, WorkerDied

PATIENCE = 5.0
"""Seconds after which an answer comes too late; pages treat a server that is silent for eight seconds as dead."""

LONGEST = 3.0
"""Seconds of a process that one answer may take: many times what it really takes."""

POSITIONS_AT_ONCE = 20
"""After this many positions, others get their turn."""

log = logging.getLogger(__name__)
R = TypeVar("R")


class Hints:
    """Answers questions about positions, using the processes of the bots."""

    def __init__(self, workers: Thinkers) -> None:
        self._workers = workers

    async def hints(self, asker: Asker, position: str) -> list[HintView]:
        """Good moves. Raises Refusal, or NotationError if the position cannot be read."""
        return (await self._answers(asker, desk.hints, [(position,)]))[0]

    async def analysis(self, asker: Asker, turn: PlayedTurn) -> TurnAnalysis:
        """What a turn gave away. Raises Refusal, or NotationError if the turn cannot be read."""
        return (await self._answers(asker, desk.analysis, [(turn.position, tuple(turn.moves))]))[0]

    async def forecasts(self, asker: Asker, positions: list[str]) -> list[list[float]]:
        """The gold to expect, by position and seat. Raises Refusal, or NotationError if one cannot be read."""
        starts = range(0, len(positions), POSITIONS_AT_ONCE)
        parts = [(positions[start : start + POSITIONS_AT_ONCE],) for start in starts]
        return [gold for answer in await self._answers(asker, desk.forecasts, parts) for gold in answer]

    async def _answers(self, asker: Asker, work: Callable[..., R], questions: Sequence[tuple[object, ...]]) -> list[R]:
        """The answers to some questions, each the arguments of the work, one at a time."""
        try:
            async with asyncio.timeout(PATIENCE):
                return [await self._workers.run(asker, work, *each, seconds=LONGEST) for each in questions]
        except (TimeoutError, TooLong):
            raise Refusal(Message("The answer takes too long now: try again in a moment."), "busy") from None
        except (NotationError, Refusal):
            raise
        except NobodyThinks:
            raise Refusal(
                Message("Nobody is there to work this out: this server gives no hints now."), "busy"
            ) from None
        except WorkerDied:
            log.warning("The process that works out hints died")
        except Exception:
            log.exception("No hint could be given")
        raise Refusal(Message("The answer could not be worked out: try again."), "busy")
