"""Advice: good moves in a position, and the gold that each seat may expect at the end of the game.

Everything follows from the text of a position, in which the cards that the asker may not see are `?`: so it cannot tell
what is hidden.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from typing import TypeVar

from kingdom_builder.notation import NotationError, parse_position
from kingdom_builder.players import expected_gold, suggest
from kingdom_builder.rules import Observation, observe
from kingdom_builder.server.messages import Suggestion
from kingdom_builder.server.refusal import Refusal
from kingdom_builder.server.workers import Workers

PATIENCE = 5.0
"""Seconds after which advice comes too late; pages take a server that is silent for eight seconds for dead."""

MOST_WAITING = 16
"""Questions at the same time: bots think in the same processes."""

MOST_POSITIONS = 500
"""Positions to be judged at once: more than a game has turns."""

log = logging.getLogger(__name__)
R = TypeVar("R")
T = TypeVar("T")


@lru_cache(256)
def suggestions(position: str) -> list[Suggestion]:
    """Up to three good moves for the seat in turn, best first; none if nobody has to move."""
    state = parse_position(position)
    seen = state if isinstance(state, Observation) else observe(state, state.player)
    return [Suggestion(each.move, list(each.turn), each.gold, each.reason) for each in suggest(seen)]


def expectations(positions: list[str]) -> list[list[float]]:
    """The gold that each seat may expect at the end of the game, in each position."""
    return [_expectation(position) for position in positions]


@lru_cache(4096)
def _expectation(position: str) -> list[float]:
    return expected_gold(parse_position(position))


class Adviser:
    """Answers questions about positions, in the processes of the bots."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._waiting = 0

    async def suggestions(self, position: str) -> list[Suggestion]:
        """Good moves. Raises Refusal, or NotationError if the position cannot be read."""
        return await self._answer(suggestions, position)

    async def expectations(self, positions: list[str]) -> list[list[float]]:
        """The gold to expect, by position and seat. Raises Refusal, or NotationError if one cannot be read."""
        if len(positions) > MOST_POSITIONS:
            raise Refusal("too-large", f"{len(positions)} positions: expected at most {MOST_POSITIONS}.")
        return await self._answer(expectations, positions)

    async def _answer(self, work: Callable[[T], R], about: T) -> R:
        if self._waiting >= MOST_WAITING:
            raise Refusal("busy", "Too many ask for advice now: try again in a moment.")
        self._waiting += 1
        try:
            return await asyncio.wait_for(self._workers.run(work, about), PATIENCE)
        except TimeoutError:
            raise Refusal("busy", "The advice takes too long now: try again in a moment.") from None
        except NotationError:
            raise
        except BrokenProcessPool:
            log.warning("The process of an adviser died")
        except Exception:
            log.exception("No advice could be given")
        finally:
            self._waiting -= 1
        raise Refusal("busy", "The advice could not be worked out: try again.")
