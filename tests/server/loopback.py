"""Servers of others, played on the loopback: each runs in a thread, so that tests of every kind can talk to it."""

import asyncio
import queue
import ssl
import threading
from types import TracebackType
from typing import Generic, Self, TypeVar

PATIENCE = 30.0

Received = TypeVar("Received")


class LoopbackServer(Generic[Received]):
    """A server that keeps what it receives; `with` starts and stops it."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.port = 0
        self.connections = 0
        self._tls = tls
        self._received: queue.Queue[Received] = queue.Queue()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._is_ready = threading.Event()
        self._stopping = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Talk to one client."""
        raise NotImplementedError

    def keep(self, received: Received) -> None:
        self._received.put(received)

    def next(self) -> Received:
        """What was received first of all that nobody has asked for yet; waits for it."""
        return self._received.get(timeout=PATIENCE)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was received that nobody has asked for yet."""
        return self._received.empty()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._is_ready.wait(PATIENCE)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve_until_stopped())

    async def _serve_until_stopped(self) -> None:
        server = await asyncio.start_server(self._handle, "127.0.0.1", 0, ssl=self._tls)
        self.port = server.sockets[0].getsockname()[1]
        self._is_ready.set()
        await self._stopping.wait()
        server.close()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            await self.serve(reader, writer)
        except (OSError, EOFError, asyncio.CancelledError):
            pass  # the client has gone, or the test is over
        finally:
            writer.transport.abort()
            await asyncio.sleep(0)
