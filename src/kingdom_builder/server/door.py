"""The door: limits on time, number and work of connections, which uvicorn's protocols do not have.

Requests have deadlines, so that nobody can occupy the server by sending or reading slowly. Frames that are not messages
(pings, empty fragments) are counted. Connections are counted by visitor, and idle ones are closed first.
"""

import asyncio
import contextlib
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request

from kingdom_builder.server.limits import RateLimit
from kingdom_builder.server.pacing import Gate
from kingdom_builder.server.visitors import UNKNOWN, Visitor, Visitors

REQUEST_SECONDS = 10.0
"""The time limit from a new connection, or the last answer, to the end of the next request's head."""

ANSWER_SECONDS = 60.0
"""The time limit from there to the end of the answer, including the body and slow networks."""

MOST_OF_HEAD = 16_384
"""The most bytes of the head of a request."""

MOST_AHEAD = 65_536
"""The most bytes of requests that a connection may send before it has its answers: uvicorn keeps them all."""

FRAMES_PER_SECOND = 5.0
"""Pings, pongs and fragments of one connection, on average."""

FRAMES_AT_ONCE = 100.0
MOST_QUEUED = 1_000
"""The most messages that are read but not yet taken by the application, which takes them one by one."""

PIECE = 4_096
"""The bytes that are parsed at a time before the frames in them are counted."""

ABORT = "kingdom_builder.abort"
"""The key, in the extensions of an application's scope, of the function that ends a connection at once."""

FAREWELL_SECONDS = 5.0


class Parser(h11.Connection):
    """HTTP without chunked bodies: no page sends them, and a chunk of one byte costs as much as a request."""

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request) and any(name == b"transfer-encoding" for name, _ in event.headers):
            raise h11.RemoteProtocolError("A body in chunks: expected one with a Content-Length.")
        return event


class HttpDoor(H11Protocol):
    """HTTP with deadlines."""

    visitors: Visitors
    gate: Gate
    inner_gate: Gate
    """The queue of those who open a page of a table, which costs more than an answer."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.conn = Parser(h11.SERVER, MOST_OF_HEAD)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's does
        super().connection_made(transport)
        self._ahead = 0
        self._early: bytes | None = b""
        """The data that came while the connection waited to be let in; None once it is in."""
        self._visitor: Visitor | None = None
        self._deadline: asyncio.TimerHandle | None = None
        host = self.client[0] if self.client else UNKNOWN
        self._address = self.visitors.address(host)
        if not self.visitors.trusts(host):  # a proxy carries the connections of all its visitors
            self._visitor = self.visitors.visitor(self._address)
            self._visitor.open_request(self)
        self._expect(REQUEST_SECONDS)
        self.flow.pause_reading()
        self.gate.enter(self._address, self, self._come_in)

    def _come_in(self) -> None:
        early, self._early = self._early, None
        self.flow.resume_reading()
        if early:
            self.data_received(early)

    def data_received(self, data: bytes) -> None:
        if self._early is not None:  # uvloop begins to read after `connection_made`, even if that paused reading
            self._early += data
            self.transport.pause_reading()
            return
        waited = self._is_waiting()
        if not waited and not self.cycle.more_body:
            self._ahead += len(data)
            if self._ahead > MOST_AHEAD:
                self.transport.abort()
                return
        super().data_received(data)
        if waited and not self._is_waiting():
            self._expect(ANSWER_SECONDS)

    def on_response_complete(self) -> None:
        if self.cycle.more_body:  # uvicorn would go on reading for as long as the sender likes
            self.flow.pause_reading()
            self._expect(FAREWELL_SECONDS)
            return
        self._expect(ANSWER_SECONDS if self.transport.get_write_buffer_size() else REQUEST_SECONDS)
        if self._visitor is not None and self in self._visitor.requests:
            del self._visitor.requests[self]
            self._visitor.requests[self] = None  # now it is the most recently active one
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.flow.pause_reading()
        self.inner_gate.enter(self._address, self, lambda: self._upgrade(event))

    def _upgrade(self, event: h11.Request) -> None:
        self._let_go()
        super().handle_websocket_upgrade(event)
        self.flow.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_go()
        super().connection_lost(exc)

    def evict(self) -> None:
        """Give way to another connection of the same visitor."""
        self._let_go()
        self.transport.abort()

    def _is_waiting(self) -> bool:
        """Whether the head of a request is still to come."""
        return self.cycle is None or self.cycle.response_complete

    def _expect(self, seconds: float) -> None:
        """End the connection unless something happens in time."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _let_go(self) -> None:
        for gate in (self.gate, self.inner_gate):
            gate.leave(self._address, self)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if self._visitor is not None:
            self._visitor.requests.pop(self, None)


class WebSocketDoor(WebSocketsSansIOProtocol):
    """WebSockets whose frames are counted."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._frames = RateLimit(FRAMES_PER_SECOND, FRAMES_AT_ONCE)

    def data_received(self, data: bytes) -> None:
        for begin in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[begin : begin + PIECE])
            if self.queue.qsize() > MOST_QUEUED:
                self._refuse(CloseCode.POLICY_VIOLATION)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:  # the application starts after this
            self.scope["extensions"] = {**(self.scope.get("extensions") or {}), ABORT: cast(Any, self.transport.abort)}

    def handle_ping(self) -> None:
        if self._count():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._count():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._count():
            super().handle_cont(event)

    def handle_text(self, event: Frame) -> None:
        if event.fin or self._count():
            super().handle_text(event)

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:  # uvicorn would log a traceback for each
                self._refuse(CloseCode.INVALID_DATA)
                return
        super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()  # nobody is there to read the rest

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self.loop.call_later(FAREWELL_SECONDS, self.transport.abort)

    def _count(self) -> bool:
        """Whether the limit allows another ping, pong or fragment; if not, the connection ends."""
        if self._frames.take():
            return True
        self._refuse(CloseCode.POLICY_VIOLATION)
        return False

    def _refuse(self, code: CloseCode) -> None:
        if self.transport.is_closing():
            return
        with contextlib.suppress(Exception):
            self.conn.send_close(code)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": int(code)})
        self.transport.close()
        self.loop.call_later(FAREWELL_SECONDS, self.transport.abort)
