"""A link between a server and its database that can be cut, held up, or closed in one direction."""

import asyncio
import contextlib
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

CHUNK = 1 << 16


class Link:
    """Listens on a port of this machine, and passes everything on to the socket of a database."""

    def __init__(self, socket: Path) -> None:
        self.port = 0
        self._socket = socket
        self._wires: set[Wire] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self._delay = 0.0
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.drop()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # ---- faults --------------------------------------------------------------------------------------------------

    def drop(self) -> None:
        """Lose all connections at once."""
        for wire in list(self._wires):
            wire.abort()

    def freeze(self) -> None:
        """Let nothing through any more, and say nothing about it."""
        self._flows.clear()

    def thaw(self) -> None:
        """Let everything through again, also what was held up."""
        self._flows.set()

    def silence(self) -> None:
        """Let nothing through any more that comes over the connections there are, and tell nobody; new ones work."""
        for wire in self._wires:
            wire.is_silent = True

    def delay(self, seconds: float) -> None:
        """Let everything come later by so much."""
        self._delay = seconds

    def half_close(self, rng: Random) -> None:
        """Close every connection in one direction only."""
        for wire in list(self._wires):
            wire.half_close(is_answer=rng.random() < 0.5)

    # ---- passing on ----------------------------------------------------------------------------------------------

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._flows.wait()
            there, answer = await asyncio.open_unix_connection(self._socket)
            wire = Wire(writer, answer)
            self._wires.add(wire)
            try:
                await asyncio.gather(self._pass_on(reader, answer, wire), self._pass_on(there, writer, wire))
            finally:
                self._wires.discard(wire)
                wire.abort()
        except (OSError, asyncio.CancelledError):
            writer.transport.abort()
        finally:
            self._tasks.discard(task)

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, wire: "Wire") -> None:
        while data := await source.read(CHUNK):
            if self._delay:
                await asyncio.sleep(self._delay)
            await self._flows.wait()
            if wire.is_silent or target in wire.closed:
                continue
            target.write(data)
            await target.drain()
        await self._flows.wait()
        wire.end(target)


class Wire:
    """One connection through a link."""

    def __init__(self, question: asyncio.StreamWriter, answer: asyncio.StreamWriter) -> None:
        self.closed: set[asyncio.StreamWriter] = set()
        """The directions in which nothing passes any more."""
        self.is_silent = False
        self._ends = (question, answer)

    def half_close(self, *, is_answer: bool) -> None:
        """Tell one side that nothing more comes from the other."""
        self.end(self._ends[0 if is_answer else 1])

    def end(self, target: asyncio.StreamWriter) -> None:
        if target not in self.closed:
            self.closed.add(target)
            with contextlib.suppress(OSError, RuntimeError):
                target.write_eof()

    def abort(self) -> None:
        for end in self._ends:
            end.transport.abort()
