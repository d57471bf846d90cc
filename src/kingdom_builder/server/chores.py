"""What a server does by itself as long as it runs: clocks, pairing, messages, removal of what is old."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

AGAIN_SECONDS = 5.0

log = logging.getLogger(__name__)


async def keep_on(chore: Callable[[], Awaitable[None]]) -> None:
    """Do a chore forever. One that fails, which none should, is begun again: it must not end without a word."""
    while True:
        try:
            await chore()
        except Exception:
            log.exception("A chore of this server failed; it is begun again in %g s", AGAIN_SECONDS)
        await asyncio.sleep(AGAIN_SECONDS)
