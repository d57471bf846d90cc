"""Runs the web application."""

import gc
import socket
import webbrowser
from collections.abc import Callable

import uvicorn

from kingdom_builder.server.app import make_app
from kingdom_builder.server.hall import Hall
from kingdom_builder.server.settings import Settings

DEFAULT_PORT = 8000
EVERYWHERE = ("0.0.0.0", "::", "")


def serve(
    settings: Settings, host: str, port: int | None, tell: Callable[[str], None], *, open_browser: bool = False
) -> None:
    """Serve until interrupted. Without a port, 8000 or else any free one is taken. Raises ValueError, StoreError."""
    hall = Hall(settings)
    listening = _listen(host, port)
    address = f"http://{_reachable(host)}:{listening.getsockname()[1]}/"

    def ready() -> None:
        tell(f"Kingdom Builder is at {address}  (Ctrl+C stops it)")
        if open_browser:
            webbrowser.open(address)

    config = uvicorn.Config(
        make_app(hall, ready),
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=16 * settings.max_message,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    # States have no cycles: looking through those of all games for some stops the server for a tenth of a second.
    gc.freeze()
    gc.set_threshold(100_000, 50, 1_000)
    uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens. Raises ValueError with a sentence."""
    wanted = [port] if port is not None else [DEFAULT_PORT, 0]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for each in wanted:
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, each))
            listening.listen(1024)
            return listening
        except OSError as error:
            listening.close()
            reason = error.strerror or str(error)
    raise ValueError(f"cannot listen at {host} port {wanted[-1]}: {reason}")


def _reachable(host: str) -> str:
    """A name of this machine that the links for friends can have."""
    if host not in EVERYWHERE:
        return f"[{host}]" if ":" in host else host
    try:
        return socket.gethostbyname(socket.gethostname())
    except OSError:
        return "127.0.0.1"
