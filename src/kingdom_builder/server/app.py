"""The web application: its routes."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Annotated, ParamSpec

from fastapi import FastAPI, Header, Query, Request, Response, WebSocket

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server import desk
from kingdom_builder.server.answers import json_answer, takes_zipped, zipped_answer
from kingdom_builder.server.catalogue import catalogue, encoded_catalogue
from kingdom_builder.server.connection import POLICY, Connection
from kingdom_builder.server.errors import REFUSALS, add_error_handlers
from kingdom_builder.server.messages import (
    Catalogue,
    HintView,
    NewTable,
    PositionText,
    PositionTexts,
    Preview,
    RecordText,
    Replay,
    ScoreLine,
    SetupChoice,
    TableMade,
)
from kingdom_builder.server.middleware import Headers, RequestLimits
from kingdom_builder.server.requests import is_from_own_page, tokens_of, visitor_of, while_there
from kingdom_builder.server.static import page_file
from kingdom_builder.server.tables import Tables
from kingdom_builder.server.workers import Asker, TooLong, WorkerDied

WORK_OF_TABLE = 5.0
DESK_SECONDS = 10.0
"""The time limit for a worker's part of a request: the longest replay takes a second or two."""

Authorization = Annotated[str, Header(description="`Bearer` and the tokens of the viewer's seats, separated by commas")]
GameNumber = Annotated[int, Query(ge=0, le=1_000_000, description="the number of the game; 0 for the current one")]

P = ParamSpec("P")


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
        responses=REFUSALS,
    )
    add_error_handlers(app)
    _add_routes(app, tables)
    app.add_middleware(RequestLimits, tables=tables)
    app.add_middleware(Headers)  # the outermost: the answers of the others need the headers too
    return app


def _add_routes(app: FastAPI, tables: Tables) -> None:
    async def worked_out(request: Request, work: Callable[P, bytes], *arguments: P.args, **_: P.kwargs) -> bytes:
        """The answer that a worker computes, zipped; the work is cancelled when the sender leaves."""
        asker = Asker(visitor_of(request), request.url.path)
        job = tables.desk.run(asker, desk.zipped, work, *arguments, seconds=DESK_SECONDS)
        try:
            return await while_there(request, job)
        except TooLong:
            raise Refusal(Message("This takes too long to work out: expected less."), "too-large") from None
        except WorkerDied:
            raise Refusal(Message("The server could not work this out: try again."), "busy") from None

    @app.get("/api/catalogue", response_model=Catalogue)
    async def get_catalogue(request: Request) -> Response:
        """Everything that is the same for all games: cards, tiles, sections, options, bots, artwork."""
        encoded = encoded_catalogue()
        headers = {"ETag": encoded.tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match", "").removeprefix("W/") == encoded.tag:
            return Response(status_code=304, headers=headers)
        return zipped_answer(request, encoded.zipped, "application/json", headers)

    @app.post("/api/previews", response_model=Preview)
    async def preview(
        choice: SetupChoice, request: Request, players: Annotated[int, Query(ge=2, le=5)] = 2
    ) -> Response:
        """A preview of the setup that a choice leads to."""
        return zipped_answer(request, await worked_out(request, desk.preview, choice, players))

    @app.post("/api/tables", response_model=TableMade)
    async def make_table(wanted: NewTable, request: Request) -> Response:
        """Make a table and begin its first game."""
        visitor = tables.visitors.visitor(visitor_of(request))
        visitor.count_table()
        await asyncio.sleep(visitor.charge(WORK_OF_TABLE))
        return json_answer(await tables.make(wanted))

    @app.get("/api/table/replay", response_model=Replay)
    async def table_replay(request: Request, authorization: Authorization = "", game: GameNumber = 0) -> Response:
        """A game at a table from its beginning, as the owner of the tokens may see it."""
        table, known = await tables.find(tokens_of(authorization), visitor_of(request))
        transcript = table.transcript(frozenset(known), game)
        return zipped_answer(request, await worked_out(request, desk.replay_of_transcript, transcript))

    @app.get("/api/table/record", responses={200: {"content": {"text/plain": {}}}}, response_class=Response)
    async def table_record(request: Request, authorization: Authorization = "", game: GameNumber = 0) -> Response:
        """The record of a game; the record of a running game ends before the first card that is still hidden."""
        table, known = await tables.find(tokens_of(authorization), visitor_of(request))
        transcript = table.transcript(frozenset(known), game)
        return zipped_answer(
            request, await worked_out(request, desk.record_of_transcript, transcript), "text/plain; charset=utf-8"
        )

    @app.post("/api/records", response_model=Replay)
    async def open_record(record: RecordText, request: Request) -> Response:
        """The game of a record."""
        return zipped_answer(request, await worked_out(request, desk.replay_of_record, record.text))

    @app.post("/api/positions", response_model=Replay)
    async def open_position(position: PositionText, request: Request) -> Response:
        """A position, as a game of one moment."""
        return zipped_answer(request, await worked_out(request, desk.replay_of_position, position.position))

    @app.post("/api/scores", response_model=list[ScoreLine])
    async def scores(position: PositionText, request: Request) -> Response:
        """What pays each seat in a position, by card, with the hexes that pay."""
        return zipped_answer(request, await worked_out(request, desk.scores, position.position))

    @app.post("/api/hints", response_model=list[HintView])
    async def hints(position: PositionText, request: Request) -> Response:
        """Good moves for the current seat in a position, best first."""
        asker = Asker(visitor_of(request), request.url.path)
        return json_answer(await while_there(request, tables.hints.hints(asker, position.position)))

    @app.post("/api/forecasts", response_model=list[list[float]])
    async def forecasts(positions: PositionTexts, request: Request) -> Response:
        """The gold that each seat can expect at the end of the game, in each of some positions."""
        asker = Asker(visitor_of(request), request.url.path)
        return json_answer(await while_there(request, tables.hints.forecasts(asker, positions.positions)))

    @app.get("/api/picture", responses={200: {"content": {"image/svg+xml": {}}}}, response_class=Response)
    async def draw(request: Request, position: str, highlight: str = "", coordinates: bool = False) -> Response:
        """A picture of a position; `highlight` is `legal`, or hexes such as `a1,b2`."""
        svg = await worked_out(request, desk.picture_of, position, highlight, coordinates)
        return zipped_answer(request, svg, "image/svg+xml", {"Cache-Control": "public, max-age=86400"})

    @app.get("/api/health", responses={200: {"content": {"application/json": {}}}})
    async def health() -> dict[str, int]:
        """Whether the server works: it has just written to its database."""
        await tables.journal.check()
        return {"tables": tables.journal.tables, "connections": len(tables.connections)}

    @app.get("/api/ready", responses={200: {"content": {"application/json": {}}}})
    async def ready() -> dict[str, bool]:
        """Whether visitors should be sent here: the server is healthy and not about to stop."""
        if tables.is_closing:
            raise Refusal(Message("The server is about to stop."), "full")
        await tables.journal.check()
        return {"ready": True}

    @app.websocket("/ws")
    async def talk(socket: WebSocket) -> None:
        if not is_from_own_page(socket):
            await socket.close(POLICY)
            return
        host = socket.client.host if socket.client else ""
        await Connection(socket, tables, tables.visitors.address(host, socket.scope["headers"])).run()

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        return page_file(path or "index.html", takes_zipped(request))
