"""Runs the web application."""

import contextlib
import gc
import socket
import webbrowser
from collections.abc import Callable

import uvicorn

from kingdom_builder.server.app import make_app
from kingdom_builder.server.door import HttpDoor, WebSocketDoor
from kingdom_builder.server.pacing import Gate
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.tables import Tables

DEFAULT_PORT = 8000
BACKLOG = 256
"""The most connections that wait to be accepted; the server accepts all of them at once."""

EVERYWHERE = ("0.0.0.0", "::", "")


def serve(
    settings: Settings, host: str, port: int | None, report: Callable[[str], None], *, open_browser: bool = False
) -> None:
    """Serve until interrupted; `report` gets the address. Without a port it takes 8000, else any free one.

    Raises ValueError, StoreError.
    """
    tables = Tables(settings)
    listening = _listen(host, port)
    address = f"http://{_reachable(host)}:{listening.getsockname()[1]}/"
    _allow_many_files()

    def ready() -> None:
        report(f"Kingdom Builder is at {address}  (Ctrl+C stops it)")
        if open_browser:
            webbrowser.open(address)

    class Door(HttpDoor):
        visitors = tables.visitors
        gate = Gate(6)
        inner_gate = Gate(3)

    config = uvicorn.Config(
        make_app(tables, ready),
        log_level="error",  # strangers could fill the disk with warnings
        http=Door,
        ws=WebSocketDoor,
        ws_max_size=16 * settings.max_message,
        ws_per_message_deflate=False,
        proxy_headers=False,  # server/visitors.py knows whom to trust
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    # States have no cycles: searching all games for some would stop the server for a tenth of a second.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    uvicorn.Server(config).run(sockets=[listening])


def _allow_many_files() -> None:
    """Let this process have as many connections as the system allows; the default is often 1,024."""
    try:
        import resource
    except ImportError:
        return  # not on Windows
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket. Raises ValueError with a sentence."""
    wanted = [port] if port is not None else [DEFAULT_PORT, 0]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    reason = ""
    for each in wanted:
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, each))
            listening.listen(BACKLOG)
            return listening
        except OSError as error:
            listening.close()
            reason = error.strerror or str(error)
    raise ValueError(f"cannot listen at {host} port {wanted[-1]}: {reason}")


def _reachable(host: str) -> str:
    """A name of this machine for the links that friends get."""
    if host not in EVERYWHERE:
        return f"[{host}]" if ":" in host else host
    try:
        return socket.gethostbyname(socket.gethostname())
    except OSError:
        return "127.0.0.1"
