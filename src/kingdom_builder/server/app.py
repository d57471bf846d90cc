"""The web application: the page, the HTTP interface, and the door to the WebSocket."""

import asyncio
import contextlib
import gzip
import hashlib
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple, ParamSpec, TypeVar
from urllib.parse import urlsplit

import msgspec
from fastapi import FastAPI, Header, Query, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kingdom_builder.message import Message, Refusal, sentence
from kingdom_builder.notation import NotationError
from kingdom_builder.server import desk
from kingdom_builder.server.catalogue import catalogue
from kingdom_builder.server.connection import TOKENS, Connection
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.messages import (
    Catalogue,
    NewTable,
    PayLine,
    PositionText,
    PositionTexts,
    Preview,
    Problem,
    RecordText,
    Replay,
    SetupChoice,
    Suggestion,
    TableMade,
)
from kingdom_builder.server.tables import Tables
from kingdom_builder.server.workers import Asker, TooLong, WorkerDied

STATIC = Path(__file__).resolve().parent / "static"
FOR_EVER = "public, max-age=31536000, immutable"
"""For files whose name changes with their content."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
        " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
}

STATUS = {
    "busy": 503,
    "full": 503,
    "store": 503,
    "unknown-key": 404,
    "unknown-game": 404,
    "too-slow": 408,
    "damaged": 409,
    "newer": 409,
    "outdated": 409,
    "too-fast": 429,
    "too-large": 413,
    "gone": 499,
}
"""HTTP status of refusals; the others are bad requests."""

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 404, 405, 408, 409, 413, 422, 429, 503)
}

WORK_OF_REQUEST = 1.0
WORK_OF_TABLE = 5.0
BYTES_OF_WORK = 20_000
"""Bytes of a request that count as much as the request itself."""

LONG_BODIES = ("/api/records", "/api/expectations")
SHORT_BODY = 64_000
"""Bytes of all other requests: the longest position has fewer."""

MOST_HELD = 64_000_000
"""Bytes of requests that have not arrived to the end, or wait for their turn; more are not taken."""

BODY_SECONDS = 20.0
DESK_SECONDS = 10.0
"""For what a request needs to have worked out: the longest replay takes a second or two."""

P = ParamSpec("P")
R = TypeVar("R")


def make_app(tables: Tables, on_start: Callable[[], None] = lambda: None) -> FastAPI:
    """The application; `on_start` is called when it is ready."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await tables.open()
        sweeping = asyncio.create_task(tables.sweep())
        on_start()
        yield
        sweeping.cancel()
        await tables.close()

    app = FastAPI(
        title="Kingdom Builder",
        version=str(catalogue().protocol),
        description="The HTTP part of the protocol; docs/protocol.md has the whole.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=PROBLEMS,
    )
    _add_problems(app)
    _add_routes(app, tables)
    app.add_middleware(Limits, tables=tables)
    app.add_middleware(Headers)  # around all others: their answers need the headers too
    return app


def _json(value: object, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json", headers=headers)


def _problem(code: str, text: str, status: int, offset: int | None = None) -> Response:
    return Response(msgspec.json.encode(Problem(code, text, offset)), status, media_type="application/json")


def _add_problems(app: FastAPI) -> None:
    """Every refusal is a Problem."""

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> Response:
        return _problem(error.code, str(error), STATUS.get(error.code, 400))

    @app.exception_handler(StoreError)
    async def not_stored(request: Request, error: StoreError) -> Response:
        return _problem("store", str(error), STATUS["store"])

    @app.exception_handler(NotationError)
    async def unreadable(request: Request, error: NotationError) -> Response:
        return _problem("unreadable", sentence(error.reason), 400, error.offset)

    @app.exception_handler(ValueError)
    async def impossible(request: Request, error: ValueError) -> Response:
        return _problem("malformed", sentence(str(error)), 400)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return _problem("malformed", f"{place}: {first['msg']}.", 422)

    @app.exception_handler(HTTPException)
    async def otherwise_wrong(request: Request, error: HTTPException) -> Response:
        answer = _problem("malformed", sentence(error.detail), error.status_code)
        answer.headers.update(error.headers or {})
        return answer


def _add_routes(app: FastAPI, tables: Tables) -> None:
    async def worked_out(request: Request, work: Callable[P, bytes], *arguments: P.args, **_: P.kwargs) -> bytes:
        """What a worker makes of a request, zipped; nothing is worked out any more for somebody who has left."""
        asker = Asker(_visitor(request), request.url.path)
        job = tables.desk.run(asker, desk.zipped, work, *arguments, seconds=DESK_SECONDS)
        try:
            return await _while_there(request, job)
        except TooLong:
            raise Refusal(Message("This takes too long to work out: expected less."), "too-large") from None
        except WorkerDied:
            raise Refusal(Message("The server could not work this out: try again."), "busy") from None

    @app.get("/api/catalogue", response_model=Catalogue)
    async def get_catalogue(request: Request) -> Response:
        """Everything that is the same for all games: cards, tiles, sections, options, bots, artwork."""
        printed = _printed()
        headers = {"ETag": printed.tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match", "").removeprefix("W/") == printed.tag:
            return Response(status_code=304, headers=headers)
        return _zipped(request, printed.zipped, "application/json", headers)

    @app.post("/api/previews", response_model=Preview)
    async def preview(
        choice: SetupChoice, request: Request, players: Annotated[int, Query(ge=2, le=5)] = 2
    ) -> Response:
        """The setup that a choice leads to, to look at."""
        return _zipped(request, await worked_out(request, desk.preview, choice, players))

    @app.post("/api/tables", response_model=TableMade)
    async def make_table(wanted: NewTable, request: Request) -> Response:
        """Make a table and begin its first game."""
        visitor = tables.visitors.visitor(_visitor(request))
        visitor.count_table()
        await asyncio.sleep(visitor.charge(WORK_OF_TABLE))
        return _json(await tables.make(wanted))

    @app.get("/api/table/replay", response_model=Replay)
    async def table_replay(request: Request, authorization: Authorization = "", game: GameNumber = 0) -> Response:
        """A game at a table from its beginning, as the owner of the keys may see it."""
        table, known = await tables.find(_tokens(authorization), _visitor(request))
        transcript = table.transcript(frozenset(known), game)
        return _zipped(request, await worked_out(request, desk.replay_of_transcript, transcript))

    @app.get("/api/table/record", responses={200: {"content": {"text/plain": {}}}}, response_class=Response)
    async def table_record(request: Request, authorization: Authorization = "", game: GameNumber = 0) -> Response:
        """The record of a game; that of a running one ends before the first card that is still hidden."""
        table, known = await tables.find(_tokens(authorization), _visitor(request))
        transcript = table.transcript(frozenset(known), game)
        return _zipped(
            request, await worked_out(request, desk.record_of_transcript, transcript), "text/plain; charset=utf-8"
        )

    @app.post("/api/records", response_model=Replay)
    async def open_record(record: RecordText, request: Request) -> Response:
        """The game that a record tells."""
        return _zipped(request, await worked_out(request, desk.replay_of_record, record.text))

    @app.post("/api/positions", response_model=Replay)
    async def open_position(position: PositionText, request: Request) -> Response:
        """A position, as a game of one moment."""
        return _zipped(request, await worked_out(request, desk.replay_of_position, position.position))

    @app.post("/api/payments", response_model=list[PayLine])
    async def payments(position: PositionText, request: Request) -> Response:
        """What pays each seat in a position, by card, with the hexes that pay."""
        return _zipped(request, await worked_out(request, desk.payments, position.position))

    @app.post("/api/suggestions", response_model=list[Suggestion])
    async def suggestions(position: PositionText, request: Request) -> Response:
        """Good moves for the seat in turn in a position, best first."""
        asker = Asker(_visitor(request), request.url.path)
        return _json(await _while_there(request, tables.adviser.suggestions(asker, position.position)))

    @app.post("/api/expectations", response_model=list[list[float]])
    async def expectations(positions: PositionTexts, request: Request) -> Response:
        """The gold that each seat may expect at the end of the game, in each of some positions."""
        asker = Asker(_visitor(request), request.url.path)
        return _json(await _while_there(request, tables.adviser.expectations(asker, positions.positions)))

    @app.get("/api/picture", responses={200: {"content": {"image/svg+xml": {}}}}, response_class=Response)
    async def draw(request: Request, position: str, highlight: str = "", coordinates: bool = False) -> Response:
        """A picture of a position; `highlight` is `legal`, or hexes such as `a1,b2`."""
        svg = await worked_out(request, desk.picture_of, position, highlight, coordinates)
        return _zipped(request, svg, "image/svg+xml", {"Cache-Control": "public, max-age=86400"})

    @app.get("/api/health", responses={200: {"content": {"application/json": {}}}})
    async def health() -> dict[str, int]:
        """Whether the server can do what it is for: it has just written to its database."""
        await tables.journal.check()
        return {"tables": tables.journal.tables, "connections": len(tables.connections)}

    @app.get("/api/ready", responses={200: {"content": {"application/json": {}}}})
    async def ready() -> dict[str, bool]:
        """Whether visitors should be sent here: as health, and the server is not about to stop."""
        if tables.is_closing:
            raise Refusal(Message("The server is about to stop."), "full")
        await tables.journal.check()
        return {"ready": True}

    @app.websocket("/ws")
    async def talk(socket: WebSocket) -> None:
        origin = socket.headers.get("origin")
        if origin is not None and _place(origin) != socket.headers.get("host"):
            await socket.close(1008)  # a page of somebody else's
            return
        host = socket.client.host if socket.client else ""
        await Connection(socket, tables, tables.visitors.address(host, socket.scope["headers"])).run()

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        return _file(path or "index.html", _takes_zipped(request))


Authorization = Annotated[str, Header(description="`Bearer` and the keys of the viewer's seats, with commas between")]
GameNumber = Annotated[int, Query(ge=0, le=1_000_000, description="the number of the game; 0 for the present one")]


def _place(origin: str) -> str | None:
    """Host and port of a page; nothing if that cannot be read."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _tokens(authorization: str) -> list[str]:
    tokens = authorization.removeprefix("Bearer ").split(",")
    if len(tokens) > TOKENS:
        raise Refusal("malformed", f"{len(tokens)} keys: expected at most {TOKENS}.")
    return tokens


def _visitor(request: Request) -> str:
    address: str = request.state.visitor
    return address


def _takes_zipped(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def _zipped(
    request: Request, zipped: bytes, media_type: str = "application/json", headers: dict[str, str] | None = None
) -> Response:
    """An answer that is zipped already, unzipped for the few who cannot read that."""
    headers = {"Vary": "Accept-Encoding", **(headers or {})}
    if _takes_zipped(request):
        return Response(zipped, media_type=media_type, headers={**headers, "Content-Encoding": "gzip"})
    return Response(gzip.decompress(zipped), media_type=media_type, headers=headers)


class Printed(NamedTuple):
    """The catalogue as it is sent."""

    tag: str
    zipped: bytes


@cache
def _printed() -> Printed:
    text = msgspec.json.encode(catalogue())
    return Printed(f'"{hashlib.sha256(text).hexdigest()[:16]}"', gzip.compress(text, 6, mtime=0))


async def _while_there(request: Request, work: Coroutine[Any, Any, R]) -> R:
    """The result of some work, which is given up when whoever asked for it leaves."""
    working = asyncio.ensure_future(work)
    working.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may be left to ask for it
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


def _file(path: str, zipped: bool) -> Response:
    """A file of the page."""
    file = (STATIC / path).resolve()
    if not file.is_relative_to(STATIC) or file.suffix not in TYPES or not os.path.isfile(file):
        if path == "index.html":
            return Response("The page has not been built: run make setup.\n", 503, media_type="text/plain")
        return _problem("not-found", f"There is no /{path} here.", 404)
    headers = {"Cache-Control": FOR_EVER if path.startswith("assets/") else "no-cache", "Vary": "Accept-Encoding"}
    media_type = TYPES[file.suffix]
    smaller = file.with_name(file.name + ".gz")
    if zipped and smaller.is_file():
        return Response(smaller.read_bytes(), media_type=media_type, headers={**headers, "Content-Encoding": "gzip"})
    return Response(file.read_bytes(), media_type=media_type, headers=headers)


class Headers:
    """Adds the headers that every answer has."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        await self.app(scope, receive, send_with_headers)


class Limits:
    """Lets requests in when it is their visitor's turn, and refuses bodies that are too large or too slow."""

    def __init__(self, app: ASGIApp, tables: Tables) -> None:
        self.app = app
        self._hall = tables
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        visitors = self._hall.visitors
        address = visitors.address(scope["client"][0] if scope.get("client") else "", scope["headers"])
        scope.setdefault("state", {})["visitor"] = address
        try:
            visitor = visitors.visitor(address)
            await asyncio.sleep(visitor.charge(WORK_OF_REQUEST))
            body = await self._read(receive, scope["path"])
            if body is None:
                return  # the sender has left
            await asyncio.sleep(visitor.charge(len(body) / BYTES_OF_WORK))
        except Refusal as refusal:
            await _problem(refusal.code, str(refusal), STATUS[refusal.code])(scope, receive, send)
            return
        read = False

        async def receive_again() -> Message:
            nonlocal read
            if read:
                return await receive()
            read = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self.app(scope, receive_again, send)

    async def _read(self, receive: Receive, path: str) -> bytes | None:
        """The whole body; nothing if the sender leaves before its end."""
        most = self._hall.settings.max_body
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
                        raise Refusal("too-large", f"The request has more than {most} bytes: expected fewer.")
                    if self._held > MOST_HELD:
                        raise Refusal(
                            Message("The server has too many long requests now: try again in a moment."), "busy"
                        )
        except TimeoutError:
            raise Refusal("too-slow", f"The request took longer than {BODY_SECONDS:g} seconds to arrive.") from None
        finally:
            self._held -= len(body)
        return bytes(body)
