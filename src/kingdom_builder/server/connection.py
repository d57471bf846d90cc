"""One WebSocket: reads commands within the limits, writes what the table tells."""

import asyncio
import contextlib
import logging
import time

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from kingdom_builder.server.hall import Hall
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.messages import PROTOCOL, Advice, AnyCommand, AnyMessage, Hello, Hint, Refused
from kingdom_builder.server.refusal import Refusal
from kingdom_builder.server.table import Keys, Table

GREETING_SECONDS = 10.0
BURST = 10
"""Seconds' worth of messages that may come at once."""

PATIENCE = 50
"""Messages over the limit before the connection is closed."""

OUTBOX = 500
"""Messages that wait for a slow reader; it has to come back after that."""

TOKENS = 8
POLICY, TRY_LATER = 1008, 1013
"""Codes with which a WebSocket is closed."""

log = logging.getLogger(__name__)
_decoder: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand)
_encoder = msgspec.json.Encoder()


class Connection:
    """A page that looks at a table."""

    def __init__(self, socket: WebSocket, hall: Hall) -> None:
        self.keys: Keys = frozenset()
        self._socket = socket
        self._hall = hall
        self._limits = hall.settings
        self._outbox: asyncio.Queue[str | None] = asyncio.Queue()
        self._allowance = BURST * self._limits.messages_per_second
        self._counted = time.monotonic()
        self._excess = 0
        self._hinting: asyncio.Task[None] | None = None
        self._closing = TRY_LATER
        """The code with which the connection is closed when the queue is empty."""

    def send(self, message: AnyMessage) -> None:
        """Put a message in the queue; a reader that is too slow loses the connection instead."""
        if self._outbox.qsize() < OUTBOX:
            self._outbox.put_nowait(_encoder.encode(message).decode())
        elif self._outbox.qsize() == OUTBOX:
            self._outbox.put_nowait(None)

    async def run(self) -> None:
        """Serve the connection until it ends."""
        hall = self._hall
        await self._socket.accept()
        if hall.connections >= self._limits.max_connections:
            await self._close_with(Refusal("full", "The server has too many visitors now: try again later."))
            return
        hall.connections += 1
        writer = asyncio.create_task(self._write())
        table = None
        try:
            table = await self._greet()
            while table is not None:
                await self._answer(table, await self._socket.receive_text())
        except (WebSocketDisconnect, ConnectionError, RuntimeError):
            pass  # the other side has left; Starlette tells it in several ways
        except KeyError:  # Starlette's way to tell of a binary message
            await self._close_with(Refusal("malformed", "A binary message: expected JSON text."))
        finally:
            hall.connections -= 1
            if self._hinting is not None:
                self._hinting.cancel()
            if table is not None:
                table.leave(self)
            self._outbox.put_nowait(None)
            with contextlib.suppress(Exception):
                await asyncio.wait_for(writer, GREETING_SECONDS)

    async def _greet(self) -> Table | None:
        """The table that the first message asks for; nothing if the connection was closed."""
        try:
            text = await asyncio.wait_for(self._socket.receive_text(), GREETING_SECONDS)
            hello = self._decode(text)
            if not isinstance(hello, Hello):
                raise Refusal("malformed", "The first message has to be hello.")
            if hello.protocol != PROTOCOL:
                raise Refusal("protocol", f"Protocol {hello.protocol}: expected {PROTOCOL}. Load the page again.")
            if not 1 <= len(hello.tokens) <= TOKENS:
                raise Refusal("malformed", f"{len(hello.tokens)} keys: expected 1 to {TOKENS}.")
            table, self.keys = await self._hall.find(hello.tokens)
            if len(table.viewers) >= self._limits.max_connections_per_table:
                raise Refusal("full", "This table has too many visitors now: try again later.")
        except TimeoutError:
            await self._close_with(Refusal("malformed", "The first message has to be hello, within ten seconds."))
            return None
        except Refusal as refusal:
            await self._close_with(refusal)
            return None
        except StoreError as error:
            await self._close_with(Refusal("store", str(error)), TRY_LATER)
            return None
        await table.arrive(self, hello)
        return table

    async def _answer(self, table: Table, text: str) -> None:
        command = None
        try:
            if not self._within_rate():
                raise Refusal("too-fast", f"Too many messages: expected {self._limits.messages_per_second:g} a second.")
            command = self._decode(text)
            if isinstance(command, Hint):
                self._hint(table, command)
            else:
                await table.obey(self, command)
        except Refusal as refusal:
            self._refuse(command, refusal)
            if refusal.code == "stale":
                self.send(table.update(self.keys, table.version))
        except StoreError as error:
            self._refuse(command, Refusal("store", str(error)))
        except Exception:
            log.exception("A command failed at table %s", table.id)
            self._refuse(command, Refusal("internal", "The server made a mistake; nothing was changed."))
        await asyncio.sleep(0)  # many messages of one page must not hold up the others
        if self._excess > PATIENCE:
            self._closing = POLICY
            raise WebSocketDisconnect(POLICY)

    def _hint(self, table: Table, command: Hint) -> None:
        """Ask for good moves, one answer at a time; whatever comes meanwhile does not wait for it."""
        if self._hinting is not None and not self._hinting.done():
            raise Refusal("busy", "A hint is on its way already: wait for it.")
        position = table.position_for_hint(self.keys)
        self._hinting = asyncio.create_task(self._answer_hint(command, position, table.version))

    async def _answer_hint(self, command: Hint, position: str, version: int) -> None:
        try:
            self.send(Advice(command.id, version, await self._hall.adviser.suggestions(position)))
        except Refusal as refusal:
            self._refuse(command, refusal)

    def _refuse(self, command: AnyCommand | None, refusal: Refusal) -> None:
        identity = "" if command is None or isinstance(command, Hello) else command.id
        self.send(Refused(identity, refusal.code, str(refusal)))

    def _decode(self, text: str) -> AnyCommand:
        try:
            data = text.encode()
            if len(data) > self._limits.max_message:
                most = self._limits.max_message
                raise Refusal("too-large", f"A message of {len(data)} bytes: expected at most {most}.")
            return _decoder.decode(data)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
            raise Refusal("malformed", f"The message cannot be read: {error}.") from None

    def _within_rate(self) -> bool:
        now = time.monotonic()
        rate = self._limits.messages_per_second
        self._allowance = min(self._allowance + (now - self._counted) * rate, BURST * rate)
        self._counted = now
        if self._allowance < 1:
            self._excess += 1
            return False
        self._allowance -= 1
        return True

    async def _close_with(self, refusal: Refusal, code: int = POLICY) -> None:
        with contextlib.suppress(Exception):
            await self._socket.send_text(_encoder.encode(Refused("", refusal.code, str(refusal))).decode())
            await self._socket.close(code)

    async def _write(self) -> None:
        """Send what is in the queue, until the end of the connection."""
        with contextlib.suppress(Exception):
            while (text := await self._outbox.get()) is not None:
                await self._socket.send_text(text)
            await self._socket.close(self._closing)
