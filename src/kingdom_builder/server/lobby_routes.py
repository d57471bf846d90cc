"""The routes of the lobby."""

import asyncio

from fastapi import FastAPI, Request, Response, WebSocket

from kingdom_builder.server.answers import json_answer
from kingdom_builder.server.blocks import blocked_around
from kingdom_builder.server.game_lists import PRIVATE
from kingdom_builder.server.lobby import Lobby
from kingdom_builder.server.lobby_connection import LobbyConnection
from kingdom_builder.server.requests import sender_of, visitor_at, visitor_of
from kingdom_builder.server.tables import Tables

WORK_OF_LIST = 5.0


def add_routes(app: FastAPI, tables: Tables, lobby: Lobby) -> None:
    """Add the routes of the lobby; the one of its sockets has to come before those of tables."""

    @app.get("/api/lobby", responses={200: {"content": {"application/json": {}}}}, response_class=Response)
    async def get_lobby(request: Request) -> Response:
        """Open tables and people who look for a game, as in the message `lobby`; for programs."""
        await asyncio.sleep(tables.visitors.visitor(visitor_of(request)).charge(WORK_OF_LIST))
        person = await sender_of(request, tables)
        await lobby.open()
        await lobby.show()
        around = await tables.journal.read(blocked_around, [person.id] if person else [])
        shown = lobby.board.list
        hidden = shown.hidden_from(around.get(person.id, frozenset()) if person else frozenset())
        return json_answer(shown.whole(hidden), PRIVATE)

    @app.websocket("/ws/lobby")
    async def talk(socket: WebSocket) -> None:
        if (found := await visitor_at(socket, tables)) is not None:
            await LobbyConnection(socket, tables, lobby, *found).run()
