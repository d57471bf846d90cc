"""Refusals and errors as HTTP answers: each is a Refusal in JSON, with a status."""

from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from kingdom_builder.message import Message, Refusal, sentence
from kingdom_builder.notation import NotationError
from kingdom_builder.server import messages
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.sentences import refusal

STATUS = {
    "busy": 503,
    "full": 503,
    "store": 503,
    "unknown-key": 404,
    "unknown-game": 404,
    "unknown-person": 401,
    "foreign": 403,
    "not-admin": 403,
    "banned": 403,
    "done": 409,
    "too-slow": 408,
    "damaged": 409,
    "newer": 409,
    "outdated": 409,
    "too-fast": 429,
    "too-large": 413,
    "gone": 499,
}
"""The HTTP status of refusals; all others are bad requests."""

_REFUSAL = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}}

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": messages.Refusal},  # FastAPI builds one for each route; one for each status would double the start
    **dict.fromkeys((401, 403, 404, 405, 408, 409, 413, 422, 429, 503), _REFUSAL),
}
"""How each route may refuse, for OpenAPI."""


def answer_to(error: Refusal, status: int | None = None, offset: int | None = None) -> Response:
    """The answer to a request that is refused."""
    body = msgspec.json.encode(refusal(error, offset))
    return Response(body, status or STATUS.get(error.code, 400), media_type="application/json")


def add_error_handlers(app: FastAPI) -> None:
    """Answer every error with a Refusal."""

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> Response:
        return answer_to(error, offset=error.offset if isinstance(error, NotationError) else None)

    @app.exception_handler(StoreError)
    async def not_stored(request: Request, error: StoreError) -> Response:
        return answer_to(as_refusal(error))

    @app.exception_handler(ValueError)
    async def impossible(request: Request, error: ValueError) -> Response:
        return answer_to(Refusal(Message("{reason}", reason=sentence(str(error)))))

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return answer_to(Refusal(Message("{place}: {reason}.", place=place, reason=first["msg"])), 422)

    @app.exception_handler(HTTPException)
    async def otherwise_wrong(request: Request, error: HTTPException) -> Response:
        answer = answer_to(Refusal(Message("{reason}", reason=sentence(error.detail))), error.status_code)
        answer.headers.update(error.headers or {})
        return answer


def as_refusal(error: StoreError) -> Refusal:
    """A refusal for a failure of the store, with the store's own sentence."""
    return Refusal(Message("{reason}", reason=sentence(str(error))), "store")
