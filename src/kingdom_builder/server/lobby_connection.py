"""One WebSocket of the lobby: reads commands within the limits, and writes answers and the latest list."""

import asyncio
import contextlib
import logging
from collections import deque

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.clocks import Clock
from kingdom_builder.server.connection import (
    BURST,
    GREETING_SECONDS,
    MOST_UNREAD,
    PATIENCE,
    POLICY,
    RESTART,
    TRY_LATER,
    WORK_OF_ARRIVAL,
)
from kingdom_builder.server.door import ABORT, FAREWELL_SECONDS
from kingdom_builder.server.errors import as_refusal
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.limits import RateLimit
from kingdom_builder.server.lobby import Lobby
from kingdom_builder.server.messages import (
    PROTOCOL,
    AnyLobbyCommand,
    AnyLobbyMessage,
    Bots,
    Cancel,
    Done,
    Hello,
    Ping,
    Pong,
    Refused,
    Seek,
    Took,
)
from kingdom_builder.server.order import NO_TERMS
from kingdom_builder.server.pairing import Wish
from kingdom_builder.server.persons import Person, nobody
from kingdom_builder.server.sentences import refusal as sent_refusal
from kingdom_builder.server.tables import Tables

PLACE = "lobby"
FLEXIBLE = {2: 2, 3: 4}
"""The most players of a game, by the fewest."""

WORK = {Seek: 5.0, Bots: 5.0, Cancel: 2.0, Took: 1.0, Ping: 0.2}
"""The cost of commands."""

log = logging.getLogger(__name__)
_decoder: msgspec.json.Decoder[AnyLobbyCommand] = msgspec.json.Decoder(AnyLobbyCommand)
_encoder = msgspec.json.Encoder()


class LobbyConnection:
    """A page that looks at the lobby."""

    def __init__(self, socket: WebSocket, tables: Tables, lobby: Lobby, address: str, person: Person | None) -> None:
        self.visitor = address
        self.person = person.id if person else ""
        self.device = person.device if person else ""
        self.avoided: frozenset[str] = frozenset()
        self.terms = NO_TERMS
        self.place = ""
        """`lobby`; empty before the greeting."""
        self._person = person
        self._socket = socket
        self._tables = tables
        self._lobby = lobby
        self._limits = tables.settings
        self._account = tables.visitors.visitor(address)
        self._answers: deque[str] = deque()
        self._has_news = self._has_own_news = False
        self._version = -1
        """The version of the list that was sent last, if one was."""
        self._hidden: frozenset[str] = frozenset()
        """What it did not show."""
        self._told: set[str] = set()
        """The tables found that were announced here."""
        self._to_send, self._read = asyncio.Event(), asyncio.Event()
        self._messages = RateLimit(self._limits.messages_per_second, BURST * self._limits.messages_per_second)
        self._excess = 0
        self._closing: int | None = None
        """The code with which the connection is closed once the answers are sent."""

    # ---- what the lobby and the visitor ask of it ------------------------------------------------------------------

    def notify(self, *, own: bool = False) -> None:
        """Note that there may be news, of the list or also of one's own seeks."""
        self._has_news = True
        self._has_own_news |= own
        self._to_send.set()

    def evict(self) -> None:
        """Make room for another page of the same visitor."""
        self._account.pages.pop(self, None)
        self._dismiss(Refusal(Message("Too many pages are open at your address: one of them had to close."), "full"))

    def dismiss(self, refusal: Refusal | None) -> None:
        """End the connection: for the reason given, or so that the page comes back by itself."""
        if refusal is None:
            self._end(RESTART)
        else:
            self._dismiss(refusal)

    def _send(self, message: AnyLobbyMessage) -> None:
        self._answers.append(_encoder.encode(message).decode())
        self._to_send.set()

    def _dismiss(self, refusal: Refusal, code: int = POLICY) -> None:
        self._send(Refused("", sent_refusal(refusal)))
        self._end(code)

    def _end(self, code: int) -> None:
        if self._closing is None:
            self._closing = code
            abort = self._socket.scope.get("extensions", {}).get(ABORT)
            if abort is not None:  # for readers that stopped reading
                asyncio.get_running_loop().call_later(FAREWELL_SECONDS, abort)
        self._lobby.leave(self)
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
            refusal = Refusal(Message("The server has too many visitors now: try again later."), "full")
            with contextlib.suppress(Exception):
                await self._socket.send_text(_encoder.encode(Refused("", sent_refusal(refusal))).decode())
                await self._socket.close(TRY_LATER)
            return
        self._account.open_page(self)
        tables.connections.add(self)
        writer = asyncio.create_task(self._write())
        try:
            await self._greet()
            while self._closing is None:
                await self._answer(await self._socket.receive_text())
        except (WebSocketDisconnect, ConnectionError, RuntimeError):
            pass  # the other side has left, which Starlette reports in several ways
        except KeyError:  # this is how Starlette reports a binary message
            self._dismiss(Refusal(Message("A binary message: expected JSON text."), "malformed"))
        finally:
            tables.connections.discard(self)
            self._account.pages.pop(self, None)
            self._end(TRY_LATER)
            with contextlib.suppress(Exception):
                async with asyncio.timeout(GREETING_SECONDS):
                    await writer

    async def _greet(self) -> None:
        try:
            wait = self._account.charge(WORK_OF_ARRIVAL)
            async with asyncio.timeout(GREETING_SECONDS):
                text = await self._socket.receive_text()
            hello = self._decode(text)
            if not isinstance(hello, Hello):
                raise Refusal(Message("The first message has to be hello."), "malformed")
            if hello.protocol != PROTOCOL:
                message = Message(
                    "Protocol {n}: expected {expected}. Load the page again.", n=hello.protocol, expected=PROTOCOL
                )
                raise Refusal(message, "protocol")
            await asyncio.sleep(wait)
            await self._lobby.enter(self)
            self.place = PLACE
            if self._closing is not None:  # it was closed meanwhile
                self._lobby.leave(self)
        except TimeoutError:
            self._dismiss(Refusal(Message("The first message has to be hello, within ten seconds."), "malformed"))
        except Refusal as refusal:
            self._dismiss(refusal)
        except StoreError as error:
            self._dismiss(as_refusal(error), TRY_LATER)

    async def _answer(self, text: str) -> None:
        command = None
        try:
            if not self._messages.take():
                self._excess += 1
                message = Message("Too many messages: expected {n} a second.", n=int(self._limits.messages_per_second))
                raise Refusal(message, "too-fast")
            command = self._decode(text)
            await asyncio.sleep(self._account.charge(WORK.get(type(command), 1.0)))
            await self._carry_out(command)
        except Refusal as refusal:
            self._refuse(command, refusal)
        except ValueError as error:  # a game that cannot be set up
            self._refuse(command, Refusal(Message("{reason}", reason=str(error))))
        except StoreError as error:
            self._refuse(command, as_refusal(error))
        except Exception:
            log.exception("A command failed in the lobby")
            self._refuse(command, Refusal(Message("The server made a mistake; nothing was changed."), "internal"))
        if self._excess > PATIENCE:
            self._end(POLICY)
        while sum(map(len, self._answers)) > MOST_UNREAD and self._closing is None:
            self._read.clear()
            await self._read.wait()

    async def _carry_out(self, command: AnyLobbyCommand) -> None:
        if isinstance(command, Hello):
            raise Refusal(Message("Hello comes only once."), "malformed")
        if isinstance(command, Ping):
            self._send(Pong(command.id))
            return
        if self._person is None:
            raise nobody()
        match command:
            case Seek():
                clock = Clock(command.clock.kind, command.clock.start, command.clock.add)
                sets = tuple(sorted(set(command.sets)))
                wish = Wish(command.least, FLEXIBLE[command.least], sets, clock, command.rated)
                await self._lobby.seek(self._person, self.visitor, wish)
            case Cancel():
                await self._lobby.cancel(self._person, command.seek)
            case Bots():
                await self._lobby.play_with_bots(self._person, command.seek)
            case Took():
                await self._lobby.took(self._person, command.table)
        self._send(Done(command.id, 0))

    def _refuse(self, command: AnyLobbyCommand | None, refusal: Refusal) -> None:
        identity = "" if command is None or isinstance(command, Hello) else command.id
        self._send(Refused(identity, sent_refusal(refusal)))

    def _decode(self, text: str) -> AnyLobbyCommand:
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

    async def _write(self) -> None:
        """Send answers and news as they come, until the connection ends; news are made when they can be sent."""
        with contextlib.suppress(Exception):
            while self._closing is None or self._answers:
                await self._to_send.wait()
                self._to_send.clear()
                while texts := self._next():
                    for text in texts:
                        await self._socket.send_text(text)
                    self._read.set()
            await self._socket.close(self._closing)

    def _next(self) -> list[str]:
        """Everything that can be sent now: answers, one's own seeks, what was found, the list."""
        texts = list(self._answers)
        self._answers.clear()
        if self._closing is not None or not self.place:
            return texts
        if self._has_own_news:
            self._has_own_news = False
            texts.append(_encoder.encode(self._lobby.own(self.person)).decode())
            for found in self._lobby.found(self.person):
                if found.table not in self._told:
                    self._told.add(found.table)
                    texts.append(_encoder.encode(found).decode())
        if self._has_news:
            self._has_news = False
            texts += self._list()
        return texts

    def _list(self) -> list[str]:
        """The list, or what has changed in it since it was last sent."""
        shown, before = self._lobby.board.list, self._version
        hidden = shown.hidden_from(self.avoided)
        was_hidden, self._hidden, self._version = self._hidden, hidden, shown.version
        if before == shown.version and hidden == was_hidden:
            return []
        if before != shown.version - 1 or hidden or was_hidden:
            return [shown.whole_text(hidden)]
        return [shown.news_text()]
