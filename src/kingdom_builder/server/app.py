"""The web application: its routes."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Annotated, ParamSpec

from fastapi import FastAPI, Header, Path, Query, Request, Response, WebSocket

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server import (
    account,
    admin,
    desk,
    game_lists,
    lobby_routes,
    looking,
    me,
    metrics,
    notifications,
    order_routes,
    privacy,
    profiles,
    puzzles,
    sign_in,
)
from kingdom_builder.server.addresses import Listening
from kingdom_builder.server.answers import json_answer, takes_zipped, zipped_answer
from kingdom_builder.server.catalogue import encoded_catalogue, lesson_infos
from kingdom_builder.server.chores import keep_on
from kingdom_builder.server.connection import Connection
from kingdom_builder.server.daily import DailyGames
from kingdom_builder.server.errors import REFUSALS, add_error_handlers
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.lobby import Lobby
from kingdom_builder.server.messages import (
    PROTOCOL,
    AddressForOthers,
    Catalogue,
    DailyList,
    DailyName,
    DailyStart,
    DailyView,
    ExplanationView,
    HintView,
    LessonInfo,
    MapCheck,
    MapText,
    NewTable,
    PlayedTurn,
    PositionQuestion,
    PositionText,
    PositionTexts,
    Preview,
    PuzzleAnswer,
    PuzzleAttempt,
    PuzzleInfo,
    PuzzleMoves,
    PuzzleQuestion,
    PuzzleView,
    Reasoned,
    RecordText,
    Replay,
    ScoreLine,
    SetupChoice,
    TableMade,
    TurnAnalysis,
)
from kingdom_builder.server.middleware import Headers, RequestLimits
from kingdom_builder.server.requests import (
    is_from_this_machine,
    sender_of,
    tokens_of,
    visitor_at,
    visitor_of,
    while_there,
)
from kingdom_builder.server.setups import MOST_SEATS
from kingdom_builder.server.static import page_file
from kingdom_builder.server.tables import Tables
from kingdom_builder.server.transcript import Transcript
from kingdom_builder.server.workers import Asker, TooLong, WorkerDied

WORK_OF_TABLE = 5.0
DESK_SECONDS = 10.0
"""The time limit for a worker's part of a request: the longest replay takes a second or two."""

Authorization = Annotated[str, Header(description="`Bearer` and the tokens of the viewer's seats, separated by commas")]
GameNumber = Annotated[int, Query(ge=0, le=1_000_000, description="the number of the game; 0 for the current one")]

TableId = Annotated[str, Query(max_length=20, description="the table, for somebody who has a seat there and no token")]

PuzzleKey = Annotated[str, Path(max_length=20, description="the key of a puzzle")]

P = ParamSpec("P")


def make_app(tables: Tables, on_start: Callable[[], None] = lambda: None, place: Listening | None = None) -> FastAPI:
    """The application; `on_start` is called when it is ready, `place` is where it listens."""
    lobby = Lobby(tables)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await tables.open()
        with contextlib.suppress(StoreError):  # the first who comes to the lobby tries again
            await lobby.open()
        forever = [tables.sweep, tables.tidy, tables.timekeeper.run, tables.notifier.run]
        if tables.journal.is_shared:
            forever += [tables.following.run, tables.presence.run]
        chores = [asyncio.create_task(keep_on(chore)) for chore in forever]
        on_start()
        yield
        for chore in chores:
            chore.cancel()
        await lobby.close()
        await tables.close()

    app = FastAPI(
        title="Kingdom Builder",
        version=str(PROTOCOL),
        description="The HTTP part of the protocol; docs/protocol.md has the whole.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=REFUSALS,
    )
    app.state.lobby = lobby
    add_error_handlers(app)
    me.add_routes(app, tables)
    account.add_routes(app, tables)
    sign_in.add_routes(app, tables)
    game_lists.add_routes(app, tables)
    profiles.add_routes(app, tables)
    lobby_routes.add_routes(app, tables, lobby)
    order_routes.add_routes(app, tables)
    admin.add_routes(app, tables)
    privacy.add_routes(app, tables)
    notifications.add_routes(app, tables)
    metrics.add_routes(app, tables)
    _add_routes(app, tables, place)
    app.add_middleware(RequestLimits, tables=tables)
    app.add_middleware(Headers)  # the outermost: the answers of the others need the headers too
    return app


def _add_routes(app: FastAPI, tables: Tables, place: Listening | None) -> None:
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

    async def transcript_of(request: Request, authorization: str, table: str, game: int) -> Transcript:
        """A game at a table, as whoever asks may see it."""
        person = await sender_of(request, tables)
        tokens = tokens_of(authorization)
        found, known = await tables.find(tokens, visitor_of(request), table=table, person=person)
        return looking.transcript(found, frozenset(known), game)

    encoded = encoded_catalogue(tables.settings.sections)

    @app.get("/api/catalogue", response_model=Catalogue)
    async def get_catalogue(request: Request) -> Response:
        """Everything that is the same for all games: cards, tiles, sections, options, bots, artwork."""
        headers = {"ETag": encoded.tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match", "").removeprefix("W/") == encoded.tag:
            return Response(status_code=304, headers=headers)
        return zipped_answer(request, encoded.zipped, "application/json", headers)

    @app.get("/api/lessons", response_model=list[LessonInfo])
    async def get_lessons() -> Response:
        """All lessons, in the order in which they are best taken."""
        return json_answer(lesson_infos(), {"Cache-Control": "no-cache"})

    @app.get("/api/address", response_model=AddressForOthers)
    async def address_for_others(request: Request) -> Response:
        """Where other devices reach this server. Only pages on the server's own machine are told."""
        if place is None or not is_from_this_machine(request):
            return json_answer(AddressForOthers())
        shared = place.shared_address()
        command = "" if place.is_everywhere else place.command
        return json_answer(AddressForOthers(shared, command, place.is_everywhere))

    @app.post("/api/previews", response_model=Preview)
    async def preview(
        choice: SetupChoice, request: Request, players: Annotated[int, Query(ge=2, le=5)] = 2
    ) -> Response:
        """A preview of the setup that a choice leads to."""
        return zipped_answer(
            request, await worked_out(request, desk.preview, choice, players, tables.settings.sections)
        )

    @app.post("/api/maps", response_model=MapCheck)
    async def check_map(drawn: MapText, request: Request) -> Response:
        """What is wrong with a map, and what it consists of."""
        return zipped_answer(request, await worked_out(request, desk.check_of_map, drawn.text))

    @app.post("/api/tables", response_model=TableMade)
    async def make_table(wanted: NewTable, request: Request) -> Response:
        """Make a table and begin its first game."""
        visitor = tables.visitors.visitor(visitor_of(request))
        visitor.count_table()
        await asyncio.sleep(visitor.charge(WORK_OF_TABLE))
        person = await sender_of(request, tables)
        if person is not None:
            tables.order.limits.of(person.id).count_table()
        return json_answer(await tables.make(wanted, person))

    @app.get("/api/table/replay", response_model=Replay)
    async def table_replay(
        request: Request, authorization: Authorization = "", game: GameNumber = 0, table: TableId = ""
    ) -> Response:
        """A game at a table from its beginning, as the owner of the tokens may see it."""
        transcript = await transcript_of(request, authorization, table, game)
        return zipped_answer(request, await worked_out(request, desk.replay_of_transcript, transcript))

    @app.get("/api/table/record", responses={200: {"content": {"text/plain": {}}}}, response_class=Response)
    async def table_record(
        request: Request, authorization: Authorization = "", game: GameNumber = 0, table: TableId = ""
    ) -> Response:
        """The record of a game; the record of a running game ends before the first card that is still hidden."""
        transcript = await transcript_of(request, authorization, table, game)
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

    @app.post("/api/explanations", response_model=list[ExplanationView])
    async def explanations(question: PositionQuestion, request: Request) -> Response:
        """What is on a hex of a position, or what a component means in it."""
        about = (question.position, question.hex, question.key, question.seat)
        return zipped_answer(request, await worked_out(request, desk.explanations, *about))

    @app.post("/api/hints", response_model=list[HintView])
    async def hints(position: PositionText, request: Request) -> Response:
        """Good moves for the current seat in a position, best first."""
        asker = Asker(visitor_of(request), request.url.path)
        return json_answer(await while_there(request, tables.hints.hints(asker, position.position)))

    @app.post("/api/analysis", response_model=TurnAnalysis)
    async def analysis(turn: PlayedTurn, request: Request) -> Response:
        """What a turn gave away, and what would have been better."""
        asker = Asker(visitor_of(request), request.url.path)
        return json_answer(await while_there(request, tables.hints.analysis(asker, turn)))

    @app.post("/api/forecasts", response_model=list[list[float]])
    async def forecasts(positions: PositionTexts, request: Request) -> Response:
        """The gold that each seat can expect at the end of the game, in each of some positions."""
        asker = Asker(visitor_of(request), request.url.path)
        return json_answer(await while_there(request, tables.hints.forecasts(asker, positions.positions)))

    daily = DailyGames(tables)

    @app.get("/api/daily", response_model=DailyView)
    async def daily_view(request: Request, authorization: Authorization = "") -> Response:
        """The daily game of today, and the best results of today and yesterday at this server."""
        return json_answer(await daily.view(tokens_of(authorization), visitor_of(request)))

    @app.post("/api/daily", response_model=TableMade)
    async def make_daily(wanted: DailyStart, request: Request) -> Response:
        """Make a table with the daily game of today."""
        visitor = tables.visitors.visitor(visitor_of(request))
        visitor.count_table()
        await asyncio.sleep(visitor.charge(WORK_OF_TABLE))
        return json_answer(await daily.make(wanted.name))

    @app.post("/api/daily/results", response_model=DailyList)
    async def enter_daily(wanted: DailyName, request: Request, authorization: Authorization = "") -> Response:
        """Put the result of a finished daily game on the list of its day."""
        await asyncio.sleep(tables.visitors.visitor(visitor_of(request)).charge(WORK_OF_TABLE))
        return json_answer(await daily.enter(tokens_of(authorization), visitor_of(request), wanted.name))

    @app.get("/api/puzzles", response_model=list[PuzzleInfo])
    async def puzzle_list(request: Request) -> Response:
        """All puzzles, easiest first."""
        return zipped_answer(request, puzzles.encoded_list())

    @app.get("/api/puzzles/{key}", response_model=PuzzleView)
    async def puzzle(key: PuzzleKey, request: Request) -> Response:
        """A puzzle to solve."""
        return zipped_answer(request, await worked_out(request, puzzles.puzzle, key))

    @app.post("/api/puzzles/{key}", response_model=PuzzleAttempt)
    async def puzzle_attempt(key: PuzzleKey, wanted: PuzzleMoves, request: Request) -> Response:
        """The position of a puzzle after some moves, and whether they solve it."""
        return zipped_answer(request, await worked_out(request, puzzles.attempt, key, wanted.moves))

    @app.post("/api/puzzles/{key}/why", response_model=Reasoned)
    async def puzzle_why(key: PuzzleKey, asked: PuzzleQuestion, request: Request) -> Response:
        """Why a move is not legal in a puzzle after some moves."""
        return zipped_answer(request, await worked_out(request, puzzles.why, key, asked.moves, asked.move))

    @app.get("/api/puzzles/{key}/answer", response_model=PuzzleAnswer)
    async def puzzle_answer(key: PuzzleKey, request: Request) -> Response:
        """The best turn of a puzzle, with reasons."""
        return zipped_answer(request, await worked_out(request, puzzles.answer, key))

    @app.get("/api/picture", responses={200: {"content": {"image/svg+xml": {}}}}, response_class=Response)
    async def draw(
        request: Request,
        position: str,
        highlight: str = "",
        coordinates: bool = False,
        name: Annotated[list[str] | None, Query(max_length=MOST_SEATS)] = None,
        colour: Annotated[list[int] | None, Query(max_length=MOST_SEATS)] = None,
    ) -> Response:
        """A picture of a position; `highlight` is `legal`, or hexes such as `a1,b2`.

        With a `name` and a `colour` for each seat it shows their gold too: the picture of a result.
        """
        arguments = (position, highlight, coordinates, name or [], colour or [])
        svg = await worked_out(request, desk.picture_of, *arguments)
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
        if tables.journal.is_cut_off:
            raise Refusal(Message("The server is cut off from its database."), "full")
        await tables.journal.check()
        return {"ready": True}

    @app.websocket("/ws/{table}")
    @app.websocket("/ws")  # of older pages, which are told to load the new one, and of programs that only have tokens
    async def talk(socket: WebSocket, table: str = "") -> None:
        if (found := await visitor_at(socket, tables)) is not None:
            await Connection(socket, tables, table, *found).run()

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        return page_file(path or "index.html", takes_zipped(request))
