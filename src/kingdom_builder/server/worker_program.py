"""A program that thinks for servers: it takes jobs from their database and has its processes do them."""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kingdom_builder.server import works
from kingdom_builder.server.fairness import Asker
from kingdom_builder.server.jobs import BEAT_SECONDS, JOBS_TOPIC, POLL_SECONDS, Job, JobBoard
from kingdom_builder.server.store import StoreError
from kingdom_builder.server.workers import PATIENCE, WorkerDied, Workers

if TYPE_CHECKING:
    from kingdom_builder.server.postgres_journal import PostgresJournal

TIDY_BEATS = 30
"""After how many beats old jobs are removed."""

log = logging.getLogger(__name__)


class WorkerProgram:
    """Takes jobs and answers them, as many at the same time as it has processes."""

    def __init__(self, journal: "PostgresJournal", processes: int) -> None:
        """The journal is open."""
        journal.on_ring = self._heard
        self._board = JobBoard(journal)
        self._processes = processes
        self._workers = Workers(processes)
        self._doing: dict[str, asyncio.Task[None]] = {}
        self._news = asyncio.Event()
        self.answered = 0
        """How many jobs it has answered."""

    async def run(self) -> None:
        """Think until cancelled; jobs that are not done then are left to others."""
        try:
            await self._get_ready()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._beat_on())
                tasks.create_task(self._take_on())
        finally:
            held = list(self._doing)
            for task in list(self._doing.values()):
                task.cancel()
            self._workers.close()
            with contextlib.suppress(StoreError):  # their time runs out
                await self._board.leave(self._processes, held)

    async def _get_ready(self) -> None:
        """Start the processes before anybody relies on them."""
        starts = [self._workers.run(Asker("", ""), int, seconds=PATIENCE, patient=True) for _ in range(self._processes)]
        await asyncio.gather(*starts)

    async def _beat_on(self) -> None:
        """Say again and again that this program is there, and what it works on."""
        beats = 0
        while True:
            try:
                await self._board.come(self._processes)
                held = list(self._doing)
                kept = await self._board.renew(held) if held else set()
                for identity in set(held) - kept:
                    if (task := self._doing.get(identity)) is not None:
                        task.cancel()  # nobody waits for it, or another program has it
                if beats % TIDY_BEATS == 0:
                    await self._board.tidy()
            except StoreError as error:
                log.warning("This program is not heard: %s", error)
            beats += 1
            await asyncio.sleep(BEAT_SECONDS)

    async def _take_on(self) -> None:
        while True:
            self._news.clear()
            free = self._processes - len(self._doing)
            try:
                for job in await self._board.take(free) if free else []:
                    self._begin(job)
            except StoreError as error:
                log.warning("No jobs can be taken: %s", error)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._news.wait()

    def _begin(self, job: Job) -> None:
        self._doing[job.id] = task = asyncio.create_task(self._do(job))
        task.add_done_callback(lambda _: self._end(job.id))

    def _end(self, identity: str) -> None:
        self._doing.pop(identity, None)
        self._news.set()

    async def _do(self, job: Job) -> None:
        try:
            work, arguments = works.read_call(job.work, job.arguments)
            thought = self._workers.run(Asker("", job.id), work, *arguments, seconds=job.seconds, patient=True)
            answer = works.encode_answer(await thought)
        except Exception as error:  # whatever it is, the asker is told
            answer = works.encode_error(error)
            log.log(logging.WARNING if isinstance(error, WorkerDied) else logging.INFO, "A job failed: %s", error)
        try:
            await self._board.answer(job.id, answer)
            self.answered += 1
        except StoreError as error:
            log.warning("An answer could not be stored: %s", error)

    def _heard(self, topic: str, names: Sequence[str]) -> None:
        if topic == JOBS_TOPIC:
            self._news.set()
