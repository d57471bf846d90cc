"""Processes that compute for the server, so that it can go on serving; everybody who asks gets a fair share."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import TypeVar

from kingdom_builder.pool import LENGTH, WorkerProcess, call, result_of
from kingdom_builder.server import desk
from kingdom_builder.server.fairness import MOST_WAITING, FairQueue, Turn
from kingdom_builder.server.fairness import Asker as Asker

START_SECONDS = 0.5
"""The seconds that a new process costs a visitor who made it necessary by leaving."""

GRACE = START_SECONDS
"""Seconds for which work goes on when its asker has left. Most of it is over by then, at less than the cost of a new
process, for which everybody would have to wait."""

PATIENCE = 60.0
"""Seconds that a new process may take to get ready."""

CHUNK = 1 << 18
"""The bytes of an answer that are received at once."""

R = TypeVar("R")


class WorkerDied(Exception):
    """The process that did the work died."""


class TooLong(Exception):
    """The work took longer than it may; its process was replaced."""


class Workers:
    """Some processes, started when first needed, and replaced when one dies."""

    def __init__(self, count: int, most_waiting: int = MOST_WAITING) -> None:
        """`most_waiting` is how many tasks of one visitor may wait."""
        self._queue = FairQueue(count, most_waiting)
        self._running: list[_Job] = []
        self._doing: set[asyncio.Task[bytes]] = set()
        """What does the running work, also if nobody waits for it any more."""
        self._idle: list[_Process] = []
        self._dying: list[_Process] = []
        """Processes that were killed and may not have ended yet."""
        self._closed = False

    async def run(
        self, asker: Asker, work: Callable[..., R], *arguments: object, seconds: float, patient: bool = False
    ) -> R:
        """The result of some work: of a function of a module, called in one of the processes.

        Raises what the work raises; WorkerDied; TooLong if it takes more than `seconds`, not counting the wait for its
        turn; and Refusal if much work of the visitor is already waiting, unless it is `patient`. If the caller is
        cancelled, the work is not begun, or it is stopped unless it is over in a moment.
        """
        if self._closed:
            raise WorkerDied("The server ends.")
        if not patient:
            self._queue.check_room(asker)
        message = call(work, *arguments)
        job = _Job(await self._queue.turn(asker))
        self._running.append(job)
        doing = asyncio.create_task(self._do(job, message, seconds))
        self._doing.add(doing)
        doing.add_done_callback(self._doing.discard)
        try:
            await asyncio.wait([doing])
        except asyncio.CancelledError:
            doing.add_done_callback(_ignore_outcome)
            if not doing.done():
                job.abandon()
            raise
        result: R = result_of(doing.result())
        return result

    def close(self) -> None:
        """End all processes; work that is not done raises WorkerDied."""
        self._closed = True
        self._queue.close(WorkerDied("The server ends."))
        for process in self._idle:
            self._kill(process)
        self._idle.clear()
        for running in self._running:
            if running.process is not None:  # its socket is in use, and `_do` closes it
                running.process.program.kill()
                running.process.program.wait()
        for process in self._dying:
            process.program.wait()

    @property
    def queued(self) -> int:
        """How much work waits or is being done."""
        return len(self._queue)

    async def _do(self, job: "_Job", message: bytes, seconds: float) -> bytes:
        """Have a process do some work; returns its answer. Nobody cancels it: whoever leaves abandons the job."""
        job.turn.began = time.monotonic()
        extra = 0.0
        process = None
        answer = b""
        try:
            process = job.process = self._free_process()
            await process.ready()
            if not job.is_abandoned:
                job.turn.began = time.monotonic()
                async with asyncio.timeout(seconds) as job.limit:
                    answer = await process.answer_to(message)
        except TimeoutError:
            extra = START_SECONDS if job.is_abandoned else 0.0
            self._replace(process)
            raise TooLong(f"The work took more than {seconds:g} seconds.") from None
        except (OSError, EOFError) as error:
            if process is not None:
                self._kill(process)
            raise WorkerDied("The process of a worker died.") from error
        except asyncio.CancelledError:  # the server ends
            if process is not None:
                self._kill(process)
            raise
        else:
            self._release(process)
            return answer
        finally:
            self._running.remove(job)
            self._queue.end(job.turn, extra)

    def _free_process(self) -> "_Process":
        """A process that has nothing to do: one that is ready, otherwise the oldest, since it will be ready first."""
        if not self._idle:
            return _Process()
        best = min(self._idle, key=lambda process: (not process.is_ready, process.began))
        self._idle.remove(best)
        return best

    def _release(self, process: "_Process") -> None:
        if self._closed:
            self._kill(process)
        else:
            self._idle.append(process)

    def _replace(self, process: "_Process | None") -> None:
        """Kill a process and start another one at once, so that nobody has to wait for it later."""
        if process is not None:
            self._kill(process)
        if not self._closed:
            with contextlib.suppress(OSError):
                self._idle.append(_Process())

    def _kill(self, process: "_Process") -> None:
        process.socket.close()
        process.program.kill()
        self._dying = [each for each in [*self._dying, process] if each.program.poll() is None]


def _ignore_outcome(doing: "asyncio.Task[bytes]") -> None:
    """Nobody waits for it any more; what is not looked at would be logged."""
    if not doing.cancelled():
        doing.exception()


class _Job:
    """A task whose turn has come."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.process: _Process | None = None
        self.limit: asyncio.Timeout | None = None
        """When the work has to be over, once it has begun."""
        self.is_abandoned = False
        """Whether its asker has left."""

    def abandon(self) -> None:
        """Go on for a moment only, or do not begin at all."""
        self.is_abandoned = True
        if self.limit is not None and not self.limit.expired():
            soon = asyncio.get_running_loop().time() + GRACE
            self.limit.reschedule(min(soon, self.limit.when() or soon))


class _Process(WorkerProcess):
    """A worker process that can be asked without blocking."""

    def __init__(self) -> None:
        super().__init__(desk.prepare)
        self.socket.setblocking(False)
        self.began = time.monotonic()
        self.is_ready = False
        self._received = bytearray()

    async def ready(self) -> None:
        """Wait until the process is ready. Raises EOFError if it does not get ready."""
        if self.is_ready:
            return
        try:
            async with asyncio.timeout(PATIENCE):
                result_of(await self._answer())
        except Exception as error:
            raise EOFError("the worker process did not get ready") from error
        self.is_ready = True

    async def answer_to(self, message: bytes) -> bytes:
        """The answer to a message. Raises EOFError or OSError if the process ends first."""
        await asyncio.get_running_loop().sock_sendall(self.socket, message)
        return await self._answer()

    async def _answer(self) -> bytes:
        """The next answer."""
        await self._receive_up_to(LENGTH.size)
        (length,) = LENGTH.unpack_from(self._received)
        await self._receive_up_to(LENGTH.size + length)
        answer = bytes(self._received[LENGTH.size :])
        self._received.clear()
        return answer

    async def _receive_up_to(self, length: int) -> None:
        loop = asyncio.get_running_loop()
        while len(self._received) < length:
            chunk = await loop.sock_recv(self.socket, min(CHUNK, length - len(self._received)))
            if not chunk:
                raise EOFError("the worker process ended")
            self._received += chunk
