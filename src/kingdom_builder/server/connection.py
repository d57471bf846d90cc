"""One WebSocket: reads commands within the limits, and writes answers and news of the table."""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Mapping

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server import arrivals, commands
from kingdom_builder.server.deciding import position_for_hint
from kingdom_builder.server.door import ABORT, FAREWELL_SECONDS
from kingdom_builder.server.errors import as_refusal
from kingdom_builder.server.journal import Doubt, StoreError
from kingdom_builder.server.limits import RateLimit
from kingdom_builder.server.messages import (
    PROTOCOL,
    AnyCommand,
    AnyMessage,
    BotSpeed,
    Done,
    Explain,
    Hello,
    Hint,
    Hints,
    Ping,
    Refused,
    Say,
    Scores,
    Why,
)
from kingdom_builder.server.news import news, remind
from kingdom_builder.server.order import NO_TERMS
from kingdom_builder.server.persons import Person
from kingdom_builder.server.sentences import refusal as sent_refusal
from kingdom_builder.server.table import Table
from kingdom_builder.server.tables import Tables
from kingdom_builder.server.tokens import TokenHashes
from kingdom_builder.server.viewers import Seen
from kingdom_builder.server.workers import Asker

GREETING_SECONDS = 10.0
BURST = 10
"""Messages that may come at once, in seconds of the allowed rate."""

PATIENCE = 50
"""How many messages over the limit close the connection."""

MOST_UNREAD = 256 * 1024
"""The most bytes of answers that wait for a slow reader; beyond that, nothing more is read from it."""

TOKENS = 8
POLICY, RESTART, TRY_LATER = 1008, 1012, 1013
"""Codes with which a WebSocket is closed."""

CLOSED = (1000, 1001)
"""The codes of a page that was closed, and not lost."""

WORK_OF_ARRIVAL = 8.0
WORK_OF_QUESTION = 2.0
WORK_OF_VIEWER = 0.2
"""The cost of a command for each viewer who gets the news."""

log = logging.getLogger(__name__)
_decoder: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand)
_encoder = msgspec.json.Encoder()


class Connection:
    """A page that looks at a table."""

    def __init__(self, socket: WebSocket, tables: Tables, table: str, address: str, person: Person | None) -> None:
        self.hashes: TokenHashes = frozenset()
        self.tokens: Mapping[str, str] = {}
        self.visitor = address
        self.person = person.id if person else ""
        self.person_keys: TokenHashes = person.keys if person else frozenset()
        self.is_member = person is not None and person.is_member
        self.has_closed = False
        self.terms = NO_TERMS
        self.device = person.device if person else ""
        self.number = 0
        self.name = ""
        self.bot_speed: BotSpeed = "normal"
        self.is_visible = True
        self.reads_differences = False
        self.seen = Seen()
        self.place = ""
        """The table that the page shows; empty before the greeting."""
        self._asked_for = table
        self._person = person
        self._socket = socket
        self._tables = tables
        self._limits = tables.settings
        self._account = tables.visitors.visitor(address)
        self._table: Table | None = None
        self._outbox: deque[bytes | None] = deque()
        """Answers in order; a None between them says that there may be news."""
        self._unread = 0
        """Bytes of the answers in the queue."""
        self._to_send = asyncio.Event()
        self._read = asyncio.Event()
        self._messages = RateLimit(self._limits.messages_per_second, BURST * self._limits.messages_per_second)
        self._excess = 0
        self._hinting: asyncio.Task[None] | None = None
        self._closing: int | None = None
        """The code with which the connection is closed once the answers are sent."""

    # ---- what a table and the tables ask of it ---------------------------------------------------------------------

    def send(self, message: AnyMessage) -> None:
        """Answer a command."""
        encoded = _encoder.encode(message)
        self._outbox.append(encoded)
        if isinstance(message, Done) and len(self._outbox) > 1 and self._outbox[-2] is None:
            self._outbox[-1], self._outbox[-2] = None, encoded  # first the acknowledgement, then the news
        self._unread += len(encoded)
        self._to_send.set()

    def notify(self) -> None:
        """Note that there may be news: the table is asked for it once everything before it has been sent."""
        if not self._outbox or self._outbox[-1] is not None:
            self._outbox.append(None)
            self._to_send.set()

    def dismiss(self, refusal: Refusal | None) -> None:
        """End the connection: for the reason given, or so that the page comes back by itself."""
        if refusal is not None:
            self.send(Refused("", sent_refusal(refusal)))
        self._end(RESTART if refusal is None else POLICY)

    def evict(self) -> None:
        """Make room for another page of the same visitor."""
        self._account.pages.pop(self, None)
        self.dismiss(Refusal(Message("Too many pages are open at your address: one of them had to close."), "full"))

    def _end(self, code: int) -> None:
        if self._closing is None:
            self._closing = code
            abort = self._socket.scope.get("extensions", {}).get(ABORT)
            if abort is not None:  # for readers that stopped reading
                asyncio.get_running_loop().call_later(FAREWELL_SECONDS, abort)
        if self._table is not None:
            arrivals.disconnect(self._table, self)
            self._table = None
        self._to_send.set()
        self._read.set()

    # ---- reading -------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Serve the connection until it ends."""
        tables = self._tables
        await self._socket.accept()
        if not tables.takes_visitors:
            await self._socket.close(RESTART)
            return
        if len(tables.connections) >= self._limits.max_connections:
            await self._turn_away(
                Refusal(Message("The server has too many visitors now: try again later."), "full"), TRY_LATER
            )
            return
        self._account.open_page(self)
        tables.connections.add(self)
        writer = asyncio.create_task(self._write())
        try:
            await self._greet()
            while self._table is not None:
                await self._answer(self._table, await self._socket.receive_text())
        except WebSocketDisconnect as left:
            self.has_closed = left.code in CLOSED
        except (ConnectionError, RuntimeError):
            pass  # the other side has left too
        except KeyError:  # this is how Starlette reports a binary message
            self.dismiss(Refusal(Message("A binary message: expected JSON text."), "malformed"))
        finally:
            tables.connections.discard(self)
            self._account.pages.pop(self, None)
            if self._hinting is not None:
                self._hinting.cancel()
            self._end(TRY_LATER)
            with contextlib.suppress(Exception):
                async with asyncio.timeout(GREETING_SECONDS):
                    await writer

    async def _greet(self) -> None:
        """Go to the table that the first message asks for."""
        try:
            wait = self._account.charge(WORK_OF_ARRIVAL)
            async with asyncio.timeout(GREETING_SECONDS):
                text = await self._socket.receive_text()
            hello = self._decode(text)
            if not isinstance(hello, Hello):
                raise Refusal(Message("The first message has to be hello."), "malformed")
            if hello.protocol != PROTOCOL:
                raise Refusal(
                    Message(
                        "Protocol {n}: expected {expected}. Load the page again.", n=hello.protocol, expected=PROTOCOL
                    ),
                    "protocol",
                )
            if len(hello.tokens) > TOKENS:
                raise Refusal(Message("{n} tokens: expected at most {most}.", n=len(hello.tokens), most=TOKENS))
            await asyncio.sleep(wait)
            await self._enter(hello)
        except TimeoutError:
            self.dismiss(Refusal(Message("The first message has to be hello, within ten seconds."), "malformed"))
        except Refusal as refusal:
            self.dismiss(refusal)
        except StoreError as error:
            self.send(Refused("", sent_refusal(as_refusal(error))))
            self._end(TRY_LATER)

    async def _enter(self, hello: Hello) -> None:
        self.bot_speed, self.is_visible = hello.bot_speed, hello.visible
        self.reads_differences = hello.differences
        self.terms = await self._tables.order.terms(self.person)
        table, self.tokens = await self._tables.find(
            hello.tokens, self.visitor, table=self._asked_for, person=self._person
        )
        self.hashes = frozenset(self.tokens)
        if table.trouble is not None:
            raise table.trouble
        async with self._tables.turns.of(self.visitor):
            await arrivals.connect(table, self, hello, self._limits.max_connections_per_table)
        self._table, self.place = table, table.id
        if self._closing is not None or not self._tables.holds(table):  # it was closed, or the table was loaded again
            self._end(RESTART)
        else:
            self.notify()

    async def _answer(self, table: Table, text: str) -> None:
        command = None
        try:
            if not self._messages.take():
                self._excess += 1
                raise Refusal(
                    Message("Too many messages: expected {n} a second.", n=int(self._limits.messages_per_second)),
                    "too-fast",
                )
            command = self._decode(text)
            # Let others have their turn, also before something is refused: saying no is work too.
            await asyncio.sleep(self._account.charge(_work_of(command, table)))
            if isinstance(command, Say):
                self._account.count_line(is_known=bool(self.person))
                if self.person:
                    self._tables.order.limits.of(self.person).count_line()
            if isinstance(command, Hint):
                self._hint(table, command)
            else:
                began = time.perf_counter()
                await commands.carry_out(table, self, command)
                self._tables.on_answered(time.perf_counter() - began)
        except Refusal as refusal:
            self._refuse(command, refusal)
            if refusal.code == "stale":
                remind(self)
        except Doubt:
            self._end(TRY_LATER)  # no answer, since the outcome is unknown; the page comes back and asks again
        except StoreError as error:
            self._refuse(command, as_refusal(error))
        except Exception:
            log.exception("A command failed at table %s", table.id)
            self._refuse(command, Refusal(Message("The server made a mistake; nothing was changed."), "internal"))
        if self._excess > PATIENCE:
            self._end(POLICY)
        while self._unread > MOST_UNREAD and self._closing is None:
            self._read.clear()
            await self._read.wait()

    def _hint(self, table: Table, command: Hint) -> None:
        """Ask for hints, one answer at a time; later commands do not wait for it."""
        if self._hinting is not None and not self._hinting.done():
            raise Refusal(Message("A hint is on its way already: wait for it."), "busy")
        position = position_for_hint(table, self.hashes)
        asker = Asker(self.visitor, table.id)
        self._hinting = asyncio.create_task(self._answer_hint(command, asker, position, table.version))

    async def _answer_hint(self, command: Hint, asker: Asker, position: str, version: int) -> None:
        try:
            self.send(Hints(command.id, version, await self._tables.hints.hints(asker, position)))
        except Refusal as refusal:
            self._refuse(command, refusal)

    def _refuse(self, command: AnyCommand | None, refusal: Refusal) -> None:
        identity = "" if command is None or isinstance(command, Hello) else command.id
        self.send(Refused(identity, sent_refusal(refusal)))

    def _decode(self, text: str) -> AnyCommand:
        try:
            data = text.encode()
            if len(data) > self._limits.max_message:
                most = self._limits.max_message
                raise Refusal(
                    Message("A message of {n} bytes: expected at most {most}.", n=len(data), most=most), "too-large"
                )
            return _decoder.decode(data)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
            raise Refusal(Message("The message cannot be read: {reason}.", reason=str(error))) from None

    # ---- writing -------------------------------------------------------------------------------------------------

    async def _turn_away(self, refusal: Refusal, code: int) -> None:
        with contextlib.suppress(Exception):
            await self._socket.send_text(_encoder.encode(Refused("", sent_refusal(refusal))).decode())
            await self._socket.close(code)

    async def _write(self) -> None:
        """Send answers and news as they come, until the connection ends.

        News is put together when it can be sent: a slow reader gets the news of many changes at once, and nothing piles
        up.
        """
        with contextlib.suppress(Exception):
            while self._closing is None or self._outbox:
                await self._to_send.wait()
                self._to_send.clear()
                while self._outbox:
                    await self._send_next()
            await self._socket.close(self._closing)

    async def _send_next(self) -> None:
        for encoded in self._next():
            await self._socket.send_text(encoded.decode())
        self._read.set()

    def _next(self) -> list[bytes]:
        """Everything in the queue up to the next news."""
        texts: list[bytes] = []
        while self._outbox:
            if (encoded := self._outbox.popleft()) is not None:
                texts.append(encoded)
                self._unread -= len(encoded)
            else:
                if self._table is not None:
                    texts += [_encoder.encode(message) for message in news(self._table, self)]
                break
        return texts


def _work_of(command: AnyCommand, table: Table) -> float:
    if isinstance(command, Ping):
        return 0.2
    if isinstance(command, Why | Explain | Scores | Hint):
        return WORK_OF_QUESTION
    return 1 + WORK_OF_VIEWER * len(table.viewers)
