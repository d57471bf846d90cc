"""Who thinks for a server: its own processes, programs elsewhere, or nobody but the server itself."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from kingdom_builder.players.guard import STAND_INS
from kingdom_builder.server import works
from kingdom_builder.server.desk import bot_turn
from kingdom_builder.server.fairness import Asker, FairQueue
from kingdom_builder.server.jobs import ANSWERS_TOPIC, POLL_SECONDS, JobBoard
from kingdom_builder.server.store import StoreError
from kingdom_builder.server.workers import WorkerDied, Workers

if TYPE_CHECKING:
    from kingdom_builder.server.journal import Journal

SLACK = 2.0
"""The seconds besides its own that an answer from elsewhere may take."""

LOOK_SECONDS = 1.0
"""How long it is believed that programs are there, or not."""

BREAK_SECONDS = 5.0
"""How long programs that did not answer are not asked again."""

R = TypeVar("R")


class NobodyThinks(Exception):
    """There is nobody here who could do the work."""


class Unanswered(Exception):
    """No program has answered in time."""


class Thinkers(Protocol):
    """Whoever does long work for a server."""

    @property
    def queued(self) -> int:
        """How much work waits or is being done."""
        ...

    async def run(
        self, asker: Asker, work: Callable[..., R], *arguments: object, seconds: float, patient: bool = False
    ) -> R:
        """The result of some work: of a function of a module.

        Raises what the work raises; WorkerDied; TooLong if it takes more than `seconds`, not counting the wait for its
        turn; NobodyThinks; and Refusal if much work of the visitor is already waiting, unless it is `patient`.
        """
        ...

    def close(self) -> None:
        """Do nothing more; work that is not done raises WorkerDied."""


class NoThinkers:
    """The server alone: it moves for the simplest bots itself, which takes some milliseconds, and does nothing else."""

    queued = 0

    async def run(
        self, asker: Asker, work: Callable[..., R], *arguments: object, seconds: float, patient: bool = False
    ) -> R:
        if cast(object, work) is bot_turn and arguments[0] in STAND_INS:
            return work(*arguments)
        raise NobodyThinks

    def close(self) -> None:
        return


class Elsewhere:
    """Programs that take jobs from the database of this server."""

    def __init__(self, board: JobBoard) -> None:
        self._board = board
        self._queue = FairQueue(1)
        """What waits at this server. No more jobs are in the database than the programs can work on at once, so that
        nobody has to wait behind a long row of another visitor's jobs."""
        self._processes = 0
        self._looked = float("-inf")
        self._looking = asyncio.Lock()
        self._waiting: dict[str, asyncio.Future[bytes]] = {}
        self._rung = asyncio.Event()
        self._collecting: asyncio.Task[None] | None = None
        self._forgetting: set[asyncio.Task[None]] = set()

    @property
    def queued(self) -> int:
        return len(self._queue)

    async def are_there(self) -> bool:
        """Whether somebody would take a job now."""
        async with self._looking:
            if time.monotonic() > self._looked + LOOK_SECONDS:
                try:
                    self._processes = await self._board.processes()
                except StoreError:
                    self._processes = 0
                self._looked = time.monotonic()
                self._queue.resize(max(1, self._processes))
        return self._processes > 0

    async def run(
        self, asker: Asker, work: Callable[..., R], *arguments: object, seconds: float, patient: bool = False
    ) -> R:
        """As of all Thinkers; raises Unanswered too."""
        if not patient:
            self._queue.check_room(asker)
        try:
            body = works.encode_arguments(arguments)
        except works.TooLarge:
            raise Unanswered from None
        turn = await self._queue.turn(asker)
        try:
            return works.result_of(work, await self._answer(works.name_of(work), body, seconds))
        finally:
            self._queue.end(turn)

    def heard(self, jobs: Sequence[str]) -> None:
        """Some jobs were answered."""
        if not self._waiting.keys().isdisjoint(jobs):
            self._rung.set()

    def close(self) -> None:
        self._queue.close(WorkerDied("The server ends."))
        if self._collecting is not None:
            self._collecting.cancel()
        self._give_up(WorkerDied("The server ends."))

    async def _answer(self, work: str, arguments: bytes, seconds: float) -> bytes:
        if not await self.are_there():  # they may have left while this waited for its turn
            raise Unanswered
        identity = secrets.token_hex(8)
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting[identity] = answer
        patience = seconds + SLACK
        try:
            async with asyncio.timeout(patience):
                await self._board.ask(identity, work, arguments, seconds=seconds, patience=patience)
                self._collect_soon()
                return await answer
        except (TimeoutError, StoreError):
            raise Unanswered from None
        finally:
            del self._waiting[identity]
            if not answer.done() or answer.cancelled() or answer.exception() is not None:
                forgetting = asyncio.create_task(self._forget(identity))
                self._forgetting.add(forgetting)
                forgetting.add_done_callback(self._forgetting.discard)

    async def _forget(self, identity: str) -> None:
        with contextlib.suppress(StoreError):  # it goes at its deadline
            await self._board.forget(identity)

    def _collect_soon(self) -> None:
        if self._collecting is None or self._collecting.done():
            self._collecting = asyncio.create_task(self._collect())

    async def _collect(self) -> None:
        """Take answers while somebody waits for one."""
        while self._waiting:
            self._rung.clear()
            with contextlib.suppress(StoreError):  # it is tried again
                for identity, body in (await self._board.collect(self._waiting.keys())).items():
                    if (answer := self._waiting.get(identity)) is not None and not answer.done():
                        answer.set_result(body)
            if not await self.are_there():
                self._give_up(Unanswered())
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._rung.wait()

    def _give_up(self, error: Exception) -> None:
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(error)


class SharedThinkers:
    """Programs elsewhere while some are there, otherwise this server's own."""

    def __init__(self, own: Thinkers, elsewhere: Elsewhere) -> None:
        self._own = own
        self._elsewhere = elsewhere
        self._next_try = float("-inf")

    @property
    def queued(self) -> int:
        return self._own.queued + self._elsewhere.queued

    async def run(
        self, asker: Asker, work: Callable[..., R], *arguments: object, seconds: float, patient: bool = False
    ) -> R:
        if time.monotonic() >= self._next_try and await self._elsewhere.are_there():
            try:
                return await self._elsewhere.run(asker, work, *arguments, seconds=seconds, patient=patient)
            except Unanswered:
                self._next_try = time.monotonic() + BREAK_SECONDS
        return await self._own.run(asker, work, *arguments, seconds=seconds, patient=patient)

    def heard(self, topic: str, names: Sequence[str]) -> None:
        """Another program has rung."""
        if topic == ANSWERS_TOPIC:
            self._elsewhere.heard(names)

    def close(self) -> None:
        self._elsewhere.close()
        self._own.close()


def make_thinkers(processes: int, journal: "Journal") -> Thinkers:
    """Whoever thinks for a server with so many processes of its own."""
    own: Thinkers = Workers(processes) if processes else NoThinkers()
    if not journal.is_shared:
        return own
    from kingdom_builder.server.postgres_journal import PostgresJournal

    assert isinstance(journal, PostgresJournal)
    return SharedThinkers(own, Elsewhere(JobBoard(journal)))
