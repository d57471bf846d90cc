"""The web application: the page, the HTTP interface, and the door to the WebSocket."""

import asyncio
import contextlib
import hashlib
import os
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from fastapi import FastAPI, Header, Query, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kingdom_builder.hexes import AREA, named
from kingdom_builder.notation import NotationError, parse_position, parse_record
from kingdom_builder.rules import State
from kingdom_builder.rules.explanation import SEATS, seat_letter
from kingdom_builder.server.catalogue import catalogue
from kingdom_builder.server.connection import Connection
from kingdom_builder.server.hall import Hall
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
from kingdom_builder.server.refusal import Refusal
from kingdom_builder.server.setups import start_of
from kingdom_builder.server.story import Story
from kingdom_builder.server.table import sentence
from kingdom_builder.server.views import EVERYTHING, history_of, pay_lines, setup_view, view_of
from kingdom_builder.svg import picture

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
    "too-fast": 429,
    "too-large": 413,
}
"""HTTP status of refusals; the others are bad requests."""

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 404, 405, 413, 422, 429, 503)
}


def make_app(hall: Hall, on_start: Callable[[], None] = lambda: None) -> FastAPI:
    """The application; `on_start` is called when it is ready."""
    settings = hall.settings

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await hall.open()
        sweeping = asyncio.create_task(hall.sweep())
        on_start()
        yield
        sweeping.cancel()
        await hall.close()

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
    _add_routes(app, hall)
    app.add_middleware(GZipMiddleware, minimum_size=2_000, compresslevel=5)
    app.add_middleware(BodyLimit, limit=settings.max_body)
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


def _add_routes(app: FastAPI, hall: Hall) -> None:
    visits = Visits(hall.settings.tables_per_minute)
    printed = msgspec.json.encode(catalogue())
    tag = f'"{hashlib.sha256(printed).hexdigest()[:16]}"'

    @app.get("/api/catalogue", response_model=Catalogue)
    async def get_catalogue(request: Request) -> Response:
        """Everything that is the same for all games: cards, tiles, sections, options, bots, artwork."""
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match", "").removeprefix("W/") == tag:
            return Response(status_code=304, headers=headers)
        return Response(printed, media_type="application/json", headers=headers)

    @app.post("/api/previews", response_model=Preview)
    async def preview(choice: SetupChoice, players: Annotated[int, Query(ge=2, le=5)] = 2) -> Response:
        """The setup that a choice leads to, to look at."""
        if choice.position is not None:
            players = parse_position(choice.position).setup.players
        start, seed = start_of(choice, players)
        return _json(Preview(setup_view(start), view_of(start, 0), seed))

    @app.post("/api/tables", response_model=TableMade)
    async def make_table(wanted: NewTable, request: Request) -> Response:
        """Make a table and begin its first game."""
        visits.count(request.client.host if request.client else "")
        return _json(await hall.make(wanted))

    @app.get("/api/table/replay", response_model=Replay)
    async def table_replay(authorization: Authorization = "", game: GameNumber = 0) -> Response:
        """A game at a table from its beginning, as the owner of the keys may see it."""
        table, keys = await hall.find(_tokens(authorization))
        async with table.lock:
            story = table.story(keys, game)
        return await asyncio.to_thread(lambda: _json(story.replay()))

    @app.get("/api/table/record", responses={200: {"content": {"text/plain": {}}}}, response_class=Response)
    async def table_record(authorization: Authorization = "", game: GameNumber = 0) -> Response:
        """The record of a game; that of a running one ends before the first card that is still hidden."""
        table, keys = await hall.find(_tokens(authorization))
        async with table.lock:
            story = table.story(keys, game)
        text = await asyncio.to_thread(lambda: str(story.record()))
        return Response(text, media_type="text/plain; charset=utf-8")

    @app.post("/api/records", response_model=Replay)
    def open_record(record: RecordText) -> Response:
        """The game that a record tells."""
        parsed = parse_record(record.text)
        story = history_of(parsed.start, parsed.actions())
        names = [
            parsed.tags.get(f"Name{letter}", name) for letter, name in zip(SEATS, _names(parsed.start), strict=False)
        ]
        return _json(Story(*story, names, list(range(len(names))), EVERYTHING, parsed.tags).replay())

    @app.post("/api/positions", response_model=Replay)
    def open_position(position: PositionText) -> Response:
        """A position, as a game of one moment."""
        state = parse_position(position.position)
        names = _names(state)
        return _json(Story([], state, names, list(range(len(names))), EVERYTHING).replay())

    @app.post("/api/payments", response_model=list[PayLine])
    def payments(position: PositionText) -> Response:
        """What pays each seat in a position, by card, with the hexes that pay."""
        return _json(pay_lines(parse_position(position.position)))

    @app.post("/api/suggestions", response_model=list[Suggestion])
    async def suggestions(position: PositionText) -> Response:
        """Good moves for the seat in turn in a position, best first."""
        return _json(await hall.adviser.suggestions(position.position))

    @app.post("/api/expectations", response_model=list[list[float]])
    async def expectations(positions: PositionTexts) -> Response:
        """The gold that each seat may expect at the end of the game, in each of some positions."""
        return _json(await hall.adviser.expectations(positions.positions))

    @app.get("/api/picture", responses={200: {"content": {"image/svg+xml": {}}}}, response_class=Response)
    def draw(position: str, highlight: str = "", coordinates: bool = False) -> Response:
        """A picture of a position; `highlight` is `legal`, or hexes such as `a1,b2`."""
        state = parse_position(position)
        hexes = state.legal() & AREA if highlight == "legal" else 0
        if highlight and highlight != "legal":
            hexes = sum(1 << h for h in {named(each) for each in highlight.split(",")})
        svg = picture(state, highlight=hexes, coordinates=coordinates)
        return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})

    @app.get("/api/health", responses={200: {"content": {"application/json": {}}}})
    async def health() -> dict[str, int]:
        """Whether the server and its database answer."""
        return {"tables": await hall.journal.count(), "connections": hall.connections}

    @app.websocket("/ws")
    async def talk(socket: WebSocket) -> None:
        origin = socket.headers.get("origin")
        if origin is not None and _place(origin) != socket.headers.get("host"):
            await socket.close(1008)  # a page of somebody else's
            return
        await Connection(socket, hall).run()

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        return _file(path or "index.html", "gzip" in request.headers.get("accept-encoding", ""))


Authorization = Annotated[str, Header(description="`Bearer` and the keys of the viewer's seats, with commas between")]
GameNumber = Annotated[int, Query(ge=0, le=1_000_000, description="the number of the game; 0 for the present one")]


def _place(origin: str) -> str | None:
    """Host and port of a page; nothing if that cannot be read."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _names(state: State) -> list[str]:
    return [f"Player {seat_letter(seat)}" for seat in range(state.setup.players)]


def _tokens(authorization: str) -> list[str]:
    return authorization.removeprefix("Bearer ").split(",")


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


class Visits:
    """Counts who makes how many tables."""

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._times: dict[str, deque[float]] = {}

    def count(self, address: str) -> None:
        now = time.monotonic()
        if len(self._times) > 10_000:
            self._times = {key: times for key, times in self._times.items() if times and times[-1] > now - 60}
        times = self._times.setdefault(address, deque())
        while times and times[0] < now - 60:
            times.popleft()
        if len(times) >= self._per_minute:
            raise Refusal("too-fast", f"Too many new tables: expected {self._per_minute} a minute.")
        times.append(now)


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


class BodyLimit:
    """Refuses requests with a body that is too large."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self.app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._limit:
                text = f"The request has more than {self._limit} bytes: expected fewer."
                await _problem("too-large", text, 413)(scope, receive, send)
                return
        read = False

        async def receive_again() -> Message:
            nonlocal read
            if read:
                return await receive()
            read = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        await self.app(scope, receive_again, send)
