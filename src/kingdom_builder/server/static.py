"""The files of the page, as the build wrote them, zipped for browsers that can read that."""

import os
from pathlib import Path

from fastapi import Response

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.errors import answer_to

STATIC = Path(__file__).resolve().parent / "static"
FOR_EVER = "public, max-age=31536000, immutable"
"""For files whose name changes with their content."""

WORKER = "worker.js"
"""The service worker of the page, for all of its addresses."""

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


def page_file(path: str, zipped: bool) -> Response:
    """A file of the page."""
    file = (STATIC / path).resolve()
    if not file.is_relative_to(STATIC) or file.suffix not in TYPES or not os.path.isfile(file):
        if path == "index.html":
            return Response("The page has not been built: run make setup.\n", 503, media_type="text/plain")
        return answer_to(Refusal(Message("There is no /{path} here.", path=path), "not-found"), 404)
    headers = {"Cache-Control": FOR_EVER if path.startswith("assets/") else "no-cache", "Vary": "Accept-Encoding"}
    if path == WORKER:
        headers["Service-Worker-Allowed"] = "/"
    media_type = TYPES[file.suffix]
    smaller = file.with_name(file.name + ".gz")
    if zipped and smaller.is_file():
        return Response(smaller.read_bytes(), media_type=media_type, headers={**headers, "Content-Encoding": "gzip"})
    return Response(file.read_bytes(), media_type=media_type, headers=headers)
