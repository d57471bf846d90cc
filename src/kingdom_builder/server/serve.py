"""Runs the web application."""

import asyncio
import contextlib
import errno
import gc
import signal
import socket
import webbrowser
from collections.abc import Callable
from types import FrameType

import uvicorn

from kingdom_builder.server.addresses import Listening, qr_code
from kingdom_builder.server.app import make_app
from kingdom_builder.server.door import HttpDoor, WebSocketDoor
from kingdom_builder.server.journals import try_out
from kingdom_builder.server.pacing import Gate
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.tables import Tables

DEFAULT_PORT = 8000
BACKLOG = 256
"""The most connections that wait to be accepted; the server accepts all of them at once."""


class PortInUse(ValueError):
    """Another program listens at the port."""

    def __init__(self, sentence: str, host: str, port: int) -> None:
        super().__init__(sentence)
        self.place = host, port


def serve(
    settings: Settings,
    host: str,
    port: int | None,
    report: Callable[[str], None],
    *,
    command: str = "",
    open_browser: bool = False,
    draw_code: bool = False,
) -> None:
    """Serve until interrupted; `report` gets the address. Without a port it takes 8000, else any free one.

    `command` is what a user types to let others in; `draw_code` adds a QR code of an address for others.

    Raises ValueError, StoreError.
    """
    tables = Tables(settings)
    if settings.database:
        asyncio.run(try_out(settings))
    listening = _listen(host, port)
    place = Listening(host, listening.getsockname()[1], command)
    tables.journal.write_place(place.host, place.port)
    _allow_many_files()

    def ready() -> None:
        for line in greeting(place, draw_code):
            report(line)
        if open_browser:
            webbrowser.open(place.address())

    class Door(HttpDoor):
        visitors = tables.visitors
        gate = Gate(6)
        inner_gate = Gate(3)

    config = uvicorn.Config(
        make_app(tables, ready, place),
        log_level="error",  # strangers could fill the disk with warnings
        http=Door,
        ws=WebSocketDoor,
        ws_max_size=16 * settings.max_message,
        ws_per_message_deflate=False,
        proxy_headers=False,  # server/visitors.py knows whom to trust
        timeout_graceful_shutdown=2,
        ws_ping_interval=15,  # a page that is silent for 30 seconds is gone
        ws_ping_timeout=15,
        server_header=False,
    )
    # States have no cycles: searching all games for some would stop the server for a tenth of a second.
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    DrainingServer(config, tables, settings.draining).run(sockets=[listening])


class DrainingServer(uvicorn.Server):
    """A server that sends its pages to others before it ends, if it was asked to end with SIGTERM."""

    def __init__(self, config: uvicorn.Config, tables: Tables, seconds: float) -> None:
        super().__init__(config)
        self._tables = tables
        self._seconds = seconds
        self._draining: asyncio.Task[None] | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if sig == signal.SIGTERM and self._seconds and self._draining is None and self.started:
            loop = asyncio.get_event_loop()
            loop.call_soon_threadsafe(self._drain, sig)
        else:
            super().handle_exit(sig, frame)

    def _drain(self, sig: int) -> None:
        self._draining = asyncio.create_task(self._tables.drain(self._seconds))
        self._draining.add_done_callback(lambda _: super(DrainingServer, self).handle_exit(sig, None))


def greeting(place: Listening, draw_code: bool) -> list[str]:
    """What the terminal shows when the server listens."""
    said = [f"Kingdom Builder is at {place.address()}  (Ctrl+C stops it)"]
    shared = place.shared_address()
    if shared is not None:
        said.append(f"Friends in your network reach it at {shared}")
        if draw_code:
            said.append(qr_code(shared))
    elif place.is_everywhere:
        said.append("This computer is in no network now: only its own browser reaches the page.")
    return said


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
            if error.errno == errno.EADDRINUSE and each == port:
                raise PortInUse(f"cannot listen at {host} port {each}: {reason}", host, each) from None
    raise ValueError(f"cannot listen at {host} port {wanted[-1]}: {reason}")
