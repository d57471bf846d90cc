"""What a request says about its sender: the address, the tokens, and whether they still wait for the answer."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar
from urllib.parse import urlsplit

from fastapi import Request, WebSocket
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.addresses import is_loopback
from kingdom_builder.server.connection import POLICY, TOKENS, TRY_LATER
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.persons import Person, secret_in
from kingdom_builder.server.tables import Tables
from kingdom_builder.server.visitors import Visitors

R = TypeVar("R")
OF_SOCKETS = {"ws": "http", "wss": "https"}


def visitor_of(request: Request) -> str:
    """The visitor who sent a request, as found by the middleware."""
    address: str = request.state.visitor
    return address


def is_from_this_machine(request: Request) -> bool:
    """Whether a request comes from a browser on the server's machine that was sent to a name of this machine.

    A request that a proxy passed on does not, even if nobody named the proxy as trusted.
    """
    if "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return False
    sender = request.client.host if request.client else ""
    return is_loopback(sender) and is_loopback(request.url.hostname or "")


def scheme_of(request: HTTPConnection, visitors: Visitors, address: str) -> str:
    """The scheme of the page that sent a request. A proxy in front of the server may speak https for it: one that is
    trusted says so, or the operator has, with the public address of the server."""
    named = visitors.scheme(request.client.host if request.client else "", request.scope["headers"], "")
    if named:
        return named
    public = urlsplit(address)
    if public.scheme and public.netloc == request.headers.get("host"):
        return public.scheme
    return OF_SOCKETS.get(request.url.scheme, request.url.scheme)


def is_secure(request: HTTPConnection, tables: Tables) -> bool:
    """Whether the page that sent a request was loaded by https."""
    return scheme_of(request, tables.visitors, tables.settings.address) == "https"


def device_secret(request: HTTPConnection, tables: Tables) -> str:
    """The secret of the device that sent a request; empty if there is none."""
    return secret_in(request.cookies, is_secure=is_secure(request, tables))


async def sender_of(request: HTTPConnection, tables: Tables) -> Person | None:
    """The person who sent a request, or opened a socket; None if they are not known."""
    secret = device_secret(request, tables)
    return await tables.persons.at_device(secret) if secret else None


async def visitor_at(socket: WebSocket, tables: Tables) -> tuple[str, Person | None] | None:
    """The address and the person that a socket comes from; None if it was turned away."""
    if not is_from_own_page(socket.headers):
        await socket.close(POLICY)
        return None
    try:
        person = await sender_of(socket, tables)
    except StoreError:  # the page comes back by itself
        await socket.accept()
        await socket.close(TRY_LATER)
        return None
    host = socket.client.host if socket.client else ""
    return tables.visitors.address(host, socket.scope["headers"]), person


def tokens_of(authorization: str) -> list[str]:
    """The tokens in an `Authorization` header. Raises Refusal if there are too many."""
    tokens = [token for token in authorization.removeprefix("Bearer ").split(",") if token]
    if len(tokens) > TOKENS:
        raise Refusal(Message("{n} tokens: expected at most {most}.", n=len(tokens), most=TOKENS))
    return tokens


def is_from_own_page(headers: Headers) -> bool:
    """Whether a request comes from a page of this server, or from a client that is not a page."""
    origin = headers.get("origin")
    return origin is None or _host(origin) == headers.get("host")


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
