"""Processes that compute for the server, so that it can go on serving; everybody who asks gets a fair share.

Next comes the work of the visitor who has used the processes least lately, and among that visitor's tables the one that
has used them least. A visitor who has used little waits only for the work that has already begun.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable
from math import exp2
from typing import NamedTuple, TypeVar

from kingdom_builder.message import Message, Refusal
from kingdom_builder.pool import LENGTH, WorkerProcess, call, result_of
from kingdom_builder.server import desk

HALF_LIFE = 30.0
"""Seconds after which used time counts half."""

NOT_WORTH_REMEMBERING = 0.005
"""Seconds of use."""

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


class Asker(NamedTuple):
    """Who pays for some work."""

    visitor: str
    """An address."""
    table: str
    """A table of that visitor, or a kind of request."""


class WorkerDied(Exception):
    """The process that did the work died."""


class TooLong(Exception):
    """The work took longer than it may; its process was replaced."""


class Workers:
    """Some processes, started when first needed, and replaced when one dies."""

    def __init__(self, count: int, most_waiting: int = 8) -> None:
        """`most_waiting` is how many tasks of one visitor may wait."""
        self._count = count
        self._most_waiting = most_waiting
        self._waiting: dict[str, dict[str, deque[_Job]]] = {}
        """The waiting work by visitor and table, for those who have some."""
        self._running: list[_Job] = []
        self._doing: set[asyncio.Task[bytes]] = set()
        """What does the running work, also if nobody waits for it any more."""
        self._idle: list[_Process] = []
        self._dying: list[_Process] = []
        """Processes that were killed and may not have ended yet."""
        self._by_visitor = Usage()
        self._by_asker = Usage()
        self._asked = 0
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
        if not patient and sum(map(len, self._waiting.get(asker.visitor, {}).values())) >= self._most_waiting:
            raise Refusal(Message("Much that you asked for is not done yet: try again in a moment."), "busy")
        message = call(work, *arguments)
        job = await self._turn(asker)
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
        for tables in self._waiting.values():
            for job in [job for jobs in tables.values() for job in jobs if not job.turn.done()]:
                job.turn.set_exception(WorkerDied("The server ends."))
                job.turn.exception()  # otherwise it is logged if nobody reads it
        self._waiting.clear()
        for process in self._idle:
            self._kill(process)
        self._idle.clear()
        for running in self._running:
            if running.process is not None:  # its socket is in use, and `_do` closes it
                running.process.program.kill()
                running.process.program.wait()
        for process in self._dying:
            process.program.wait()

    async def _turn(self, asker: Asker) -> "_Job":
        """Wait for somebody's turn to have work done."""
        self._asked += 1
        job = _Job(asker, self._asked, asyncio.get_running_loop().create_future())
        self._waiting.setdefault(asker.visitor, {}).setdefault(asker.table, deque()).append(job)
        self._begin_next()
        try:
            await job.turn
        except asyncio.CancelledError:
            if job in self._running:
                self._running.remove(job)
                self._begin_next()
            else:
                self._leave_queue(job)
            raise
        return job

    def _begin_next(self) -> None:
        """Start the work of those whose turn it is."""
        now = time.monotonic()
        while self._waiting and len(self._running) < self._count:
            visitor = min(self._waiting, key=lambda visitor: self._priority(visitor, now))
            tables = self._waiting[visitor]
            job = min([jobs[0] for jobs in tables.values()], key=lambda job: self._priority_at_visitor(job, now))
            self._leave_queue(job)
            if not job.turn.done():  # otherwise it was cancelled and does not know it yet
                job.began = now
                self._running.append(job)
                job.turn.set_result(None)

    def _priority(self, visitor: str, now: float) -> tuple[float, int]:
        """The sort key of a visitor's work: whoever has used least comes first, then whoever asked first."""
        used = self._by_visitor.of(visitor, now)
        used += sum([now - job.began for job in self._running if job.asker.visitor == visitor])
        return used, min([jobs[0].number for jobs in self._waiting[visitor].values()])

    def _priority_at_visitor(self, waiting: "_Job", now: float) -> tuple[float, int]:
        used = self._by_asker.of(waiting.asker, now)
        used += sum([now - job.began for job in self._running if job.asker == waiting.asker])
        return used, waiting.number

    def _leave_queue(self, job: "_Job") -> None:
        visitor, table = job.asker
        with contextlib.suppress(KeyError, ValueError):  # when everything is closed, it is in no queue
            self._waiting[visitor][table].remove(job)
            if not self._waiting[visitor][table]:
                del self._waiting[visitor][table]
            if not self._waiting[visitor]:
                del self._waiting[visitor]

    async def _do(self, job: "_Job", message: bytes, seconds: float) -> bytes:
        """Have a process do some work; returns its answer. Nobody cancels it: whoever leaves abandons the job."""
        job.began = time.monotonic()
        extra = 0.0
        process = None
        answer = b""
        try:
            process = job.process = self._free_process()
            await process.ready()
            if not job.is_abandoned:
                job.began = time.monotonic()
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
            now = time.monotonic()
            self._by_visitor.add(job.asker.visitor, now - job.began + extra, now)
            self._by_asker.add(job.asker, now - job.began + extra, now)
            self._running.remove(job)
            self._begin_next()

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


class Usage:
    """The seconds that each of many users has used; half of them is forgotten after a while."""

    def __init__(self) -> None:
        self._used: dict[object, tuple[float, float]] = {}
        """For each user the seconds, and when they were counted."""
        self._tidied = 0.0

    def of(self, who: object, now: float) -> float:
        used, then = self._used.get(who, (0.0, now))
        return used * exp2((then - now) / HALF_LIFE)

    def add(self, who: object, seconds: float, now: float) -> None:
        self._used[who] = (self.of(who, now) + seconds, now)
        if now > self._tidied + HALF_LIFE:
            self._tidied = now
            self._used = {each: use for each, use in self._used.items() if self.of(each, now) > NOT_WORTH_REMEMBERING}

    def __len__(self) -> int:
        return len(self._used)


class _Job:
    """A task of some asker."""

    def __init__(self, asker: Asker, number: int, turn: "asyncio.Future[None]") -> None:
        self.asker = asker
        self.number = number
        self.turn = turn
        self.began = 0.0
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
