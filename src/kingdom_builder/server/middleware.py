"""What happens to every request and answer: protective headers, and limits on rates and bodies."""

import asyncio

from starlette.datastructures import Headers as RequestHeaders
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.errors import answer_to
from kingdom_builder.server.requests import is_from_own_page
from kingdom_builder.server.tables import Tables

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
        " connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none';"
        " frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

READING = ("GET", "HEAD", "OPTIONS")
"""Methods of requests that change nothing."""

WORK_OF_REQUEST = 1.0
BYTES_OF_WORK = 20_000
"""The bytes of a request that cost as much as the request itself."""

LONG_BODIES = ("/api/records", "/api/forecasts")
SHORT_BODY = 64_000
"""The most bytes of all other requests: the longest position has fewer."""

MOST_HELD = 64_000_000
"""The most bytes of requests that are incomplete or wait for their turn; more are refused."""

BODY_SECONDS = 20.0


class Headers:
    """Adds the headers that every answer has."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Event) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        await self.app(scope, receive, send_with_headers)


class RequestLimits:
    """Lets requests in when it is their visitor's turn, and refuses bodies that are too large or too slow."""

    def __init__(self, app: ASGIApp, tables: Tables) -> None:
        self.app = app
        self._tables = tables
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        visitors = self._tables.visitors
        sender = scope["client"][0] if scope.get("client") else ""
        address = visitors.address(sender, scope["headers"])
        scope["scheme"] = visitors.scheme(sender, scope["headers"], scope["scheme"])
        scope.setdefault("state", {})["visitor"] = address
        try:
            if scope["method"] not in READING and not is_from_own_page(RequestHeaders(scope=scope)):
                raise Refusal(Message("This request comes from a page of another site."), "foreign")
            visitor = visitors.visitor(address)
            await asyncio.sleep(visitor.charge(WORK_OF_REQUEST))
            body = await self._read(receive, scope["path"])
            if body is None:
                return  # the sender has left
            await asyncio.sleep(visitor.charge(len(body) / BYTES_OF_WORK))
        except Refusal as refusal:
            await answer_to(refusal)(scope, receive, send)
            return
        read = False

        async def receive_again() -> Event:
            nonlocal read
            if read:
                return await receive()
            read = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self.app(scope, receive_again, send)

    async def _read(self, receive: Receive, path: str) -> bytes | None:
        """The whole body; nothing if the sender leaves before it is complete."""
        most = self._tables.settings.max_body
        if path not in LONG_BODIES:
            most = min(most, SHORT_BODY)
        body = bytearray()
        more = True
        try:
            async with asyncio.timeout(BODY_SECONDS):
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        return None
                    part = message.get("body", b"")
                    body += part
                    self._held += len(part)
                    more = message.get("more_body", False)
                    if len(body) > most:
                        raise Refusal(
                            Message("The request has more than {n} bytes: expected fewer.", n=most), "too-large"
                        )
                    if self._held > MOST_HELD:
                        raise Refusal(
                            Message("The server has too many long requests now: try again in a moment."), "busy"
                        )
        except TimeoutError:
            raise Refusal(
                Message("The request took longer than {n} seconds to arrive.", n=int(BODY_SECONDS)), "too-slow"
            ) from None
        finally:
            self._held -= len(body)
        return bytes(body)
