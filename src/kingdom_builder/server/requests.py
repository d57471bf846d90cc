"""What a request says about its sender: the address, the tokens, and whether they still wait for the answer."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar
from urllib.parse import urlsplit

from fastapi import Request, WebSocket

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.connection import TOKENS

R = TypeVar("R")


def visitor_of(request: Request) -> str:
    """The visitor who sent a request, as found by the middleware."""
    address: str = request.state.visitor
    return address


def tokens_of(authorization: str) -> list[str]:
    """The tokens in an `Authorization` header. Raises Refusal if there are too many."""
    tokens = authorization.removeprefix("Bearer ").split(",")
    if len(tokens) > TOKENS:
        raise Refusal(Message("{n} tokens: expected at most {most}.", n=len(tokens), most=TOKENS))
    return tokens


def is_from_own_page(socket: WebSocket) -> bool:
    """Whether a WebSocket was opened by a page of this server, or by a client that is not a page."""
    origin = socket.headers.get("origin")
    return origin is None or _host(origin) == socket.headers.get("host")


def _host(origin: str) -> str | None:
    """Host and port of a page; None if they cannot be read."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


async def while_there(request: Request, work: Coroutine[Any, Any, R]) -> R:
    """The result of some work, which is cancelled when the sender of the request leaves."""
    working = asyncio.ensure_future(work)
    working.add_done_callback(lambda done: done.cancelled() or done.exception())  # or asyncio logs it as never read
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Refusal(Message("Whoever asked for this has left."), "gone")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
