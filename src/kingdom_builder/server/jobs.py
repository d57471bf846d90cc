"""Work that servers leave in the database they share, for programs that think (`kb work`), and what becomes of it.

A job belongs to the program that has claimed it, which says every second that it still works on it. A job that nobody
has spoken for is free for anybody: it is done at least once, or given up at its deadline. Programs that are there are
known by leases. The time of the database counts.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from kingdom_builder.server.schema import JOBS, LEASES
from kingdom_builder.server.works import WORKS

if TYPE_CHECKING:
    from kingdom_builder.server.postgres_journal import PostgresJournal

JOBS_TOPIC, ANSWERS_TOPIC = "jobs", "answers"
"""The topics of rings: there is work; these jobs were answered."""

BEAT_SECONDS = 1.0
"""How often a program says that it is there and what it works on."""

CLAIM_SECONDS = 4.0
"""How long that is believed."""

POLL_SECONDS = 0.5
"""How often everybody looks for what a ring should have told them: a ring may be lost."""

NOW = "EXTRACT(EPOCH FROM clock_timestamp())::double precision"
CREW = "worker "
"""How the leases of the programs begin; their name and the number of their processes follow."""

ASK = f"""
INSERT INTO {JOBS.name} (id, work, arguments, seconds, created, deadline, worker, claimed)
SELECT $1, $2, $3, $4, now, now + $5, '', 0 FROM (SELECT {NOW} AS now) AS clock
"""
TAKE = f"""
UPDATE {JOBS.name} SET worker = $1, claimed = {NOW} + {CLAIM_SECONDS} WHERE id IN (
  SELECT id FROM {JOBS.name} WHERE answer IS NULL AND claimed < {NOW} AND deadline > {NOW} AND work = ANY($2::text[])
  ORDER BY created LIMIT $3 FOR UPDATE SKIP LOCKED
) RETURNING id, work, arguments, seconds
"""
RENEW = f"""
UPDATE {JOBS.name} SET claimed = {NOW} + {CLAIM_SECONDS}
WHERE id = ANY($1::text[]) AND worker = $2 AND deadline > {NOW} RETURNING id
"""
GIVE_BACK = f"UPDATE {JOBS.name} SET claimed = 0 WHERE id = ANY($1::text[]) AND worker = $2 AND answer IS NULL"
ANSWER = f"UPDATE {JOBS.name} SET answer = $2 WHERE id = $1 AND answer IS NULL RETURNING 1"
COLLECT = f"DELETE FROM {JOBS.name} WHERE id = ANY($1::text[]) AND answer IS NOT NULL RETURNING id, answer"
FORGET = f"DELETE FROM {JOBS.name} WHERE id = $1"
TIDY = f"DELETE FROM {JOBS.name} WHERE deadline < {NOW}"
TIDY_CREW = f"DELETE FROM {LEASES.name} WHERE what LIKE '{CREW}%' AND until < {NOW} - 60"
LIVING = f"SELECT what FROM {LEASES.name} WHERE what LIKE '{CREW}%' AND until > {NOW}"


class Job(NamedTuple):
    """Some work that a program has claimed."""

    id: str
    work: str
    arguments: bytes
    seconds: float
    """How long it may take."""


class JobBoard:
    """The jobs in a database. All methods raise StoreError."""

    def __init__(self, journal: "PostgresJournal") -> None:
        self._journal = journal

    # ---- for servers ---------------------------------------------------------------------------------------------

    async def ask(self, identity: str, work: str, arguments: bytes, *, seconds: float, patience: float) -> None:
        """Leave a job, which somebody waits for this many seconds of patience."""
        await self._journal.fetch(ASK, identity, work, arguments, seconds, patience)
        self._journal.ring(JOBS_TOPIC)

    async def collect(self, identities: Collection[str]) -> dict[str, bytes]:
        """Take those of some jobs that were answered, with their answers."""
        return {str(each): bytes(body) for each, body in await self._journal.fetch(COLLECT, list(identities))}

    async def forget(self, identity: str) -> None:
        """Remove a job that nobody waits for any more."""
        await self._journal.fetch(FORGET, identity)

    async def processes(self) -> int:
        """The number of processes that think, at all programs together; 0 if no program is there."""
        return sum(int(str(what).rpartition(" ")[2]) for (what,) in await self._journal.fetch(LIVING))

    # ---- for programs that think ---------------------------------------------------------------------------------

    async def come(self, processes: int) -> None:
        """Say that this program is there."""
        await self._journal.claim(self._place(processes), CLAIM_SECONDS)

    async def leave(self, processes: int, held: Collection[str]) -> None:
        """Say that this program goes, and let others have its jobs."""
        await self._journal.release(self._place(processes))
        await self._journal.fetch(GIVE_BACK, list(held), self._journal.node)
        self._journal.ring(JOBS_TOPIC)

    async def take(self, count: int) -> list[Job]:
        """Claim up to so many jobs, the oldest first."""
        rows = await self._journal.fetch(TAKE, self._journal.node, list(WORKS), count)
        return [Job(identity, work, bytes(arguments), seconds) for identity, work, arguments, seconds in rows]

    async def renew(self, held: Collection[str]) -> set[str]:
        """Go on claiming some jobs; returns those that are still this program's."""
        return {identity for (identity,) in await self._journal.fetch(RENEW, list(held), self._journal.node)}

    async def answer(self, identity: str, answer: bytes) -> None:
        """Answer a job, if somebody still waits for it."""
        if await self._journal.fetch(ANSWER, identity, answer):
            self._journal.ring(ANSWERS_TOPIC, [identity])

    async def tidy(self) -> None:
        """Remove what nobody waits for any more."""
        await self._journal.fetch(TIDY)
        await self._journal.fetch(TIDY_CREW)

    def _place(self, processes: int) -> str:
        return f"{CREW}{self._journal.node} {processes}"
