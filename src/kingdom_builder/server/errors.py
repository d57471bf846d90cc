"""Refusals and mistakes as HTTP answers: each is a Problem in JSON, with a status."""

from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from kingdom_builder.notation import NotationError
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.messages import Problem
from kingdom_builder.server.refusal import Refusal
from kingdom_builder.server.table import sentence

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


def problem(code: str, text: str, status: int, offset: int | None = None) -> Response:
    """The answer that says what is wrong."""
    return Response(msgspec.json.encode(Problem(code, text, offset)), status, media_type="application/json")


def answer_to(refusal: Refusal) -> Response:
    """The answer to a request that is refused."""
    return problem(refusal.code, str(refusal), STATUS.get(refusal.code, 400))


def add_error_handlers(app: FastAPI) -> None:
    """Answer every refusal and every mistake with a Problem."""

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> Response:
        return answer_to(error)

    @app.exception_handler(StoreError)
    async def not_stored(request: Request, error: StoreError) -> Response:
        return problem("store", str(error), STATUS["store"])

    @app.exception_handler(NotationError)
    async def unreadable(request: Request, error: NotationError) -> Response:
        return problem("unreadable", sentence(error.reason), 400, error.offset)

    @app.exception_handler(ValueError)
    async def impossible(request: Request, error: ValueError) -> Response:
        return problem("malformed", sentence(str(error)), 400)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return problem("malformed", f"{place}: {first['msg']}.", 422)

    @app.exception_handler(HTTPException)
    async def otherwise_wrong(request: Request, error: HTTPException) -> Response:
        answer = problem("malformed", sentence(error.detail), error.status_code)
        answer.headers.update(error.headers or {})
        return answer
