"""Answers to requests, as JSON and zipped."""

import gzip

import msgspec
from fastapi import Request, Response


def json_answer(value: object, headers: dict[str, str] | None = None) -> Response:
    """An answer that holds a value as JSON."""
    return Response(msgspec.json.encode(value), media_type="application/json", headers=headers)


def takes_zipped(request: Request) -> bool:
    """Whether the sender of a request can read zipped answers."""
    return "gzip" in request.headers.get("accept-encoding", "")


def zipped_answer(
    request: Request, zipped: bytes, media_type: str = "application/json", headers: dict[str, str] | None = None
) -> Response:
    """An answer that is already zipped; it is unzipped for the few senders that cannot read it."""
    headers = {"Vary": "Accept-Encoding", **(headers or {})}
    if takes_zipped(request):
        return Response(zipped, media_type=media_type, headers={**headers, "Content-Encoding": "gzip"})
    return Response(gzip.decompress(zipped), media_type=media_type, headers=headers)
