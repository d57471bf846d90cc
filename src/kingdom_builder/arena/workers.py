"""Where games are played: in processes on this machine, or on the workers of a cluster."""

import os
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import islice

from kingdom_builder.arena.results import Result, Results, check_plan
from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.players.kept import end_programs, keep_programs
from kingdom_builder.pool import Pool, before_leaving

IN_ADVANCE = 2
"""The number of games that wait for each worker, so that none is idle."""

CONNECT_SECONDS = 10.0
"""How long a cluster may take to answer."""

Workers = tuple[Executor, int]
"""An executor that plays games, and how many it plays at the same time."""


def play_on(
    tournament: Tournament, games: int, results: Results, workers: Workers, bot_log: str | None = None
) -> Iterator[None]:
    """Play the games of a tournament, up to a number, that its results do not have yet; yields after each.

    Only a few games at a time are handed to the workers. All that programs read and write is added to a file.
    """
    play = partial(tournament.play, bot_log=bot_log) if bot_log else tournament.play
    executor, count = workers
    done = {result.game for result in results.games}
    missing = iter([game for game in range(games) if game not in done])
    running: set[Future[Result]] = set()
    try:
        while True:
            for game in islice(missing, count * IN_ADVANCE - len(running)):
                running.add(executor.submit(play, game))
            if not running:
                return
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                try:
                    result = future.result()
                except BrokenExecutor:
                    raise ChildProcessError(
                        "a worker was killed, perhaps for want of memory; what was played is kept"
                    ) from None
                check_plan(result, str(tournament), "a worker")
                results.add(result)
                yield
    finally:
        for future in running:
            future.cancel()


def find_workers(cores: int | None, address: str | None) -> AbstractContextManager[Workers]:
    """The workers of the cluster at an address, or processes on this machine."""
    return cluster(address) if address else local_workers(cores)


@contextmanager
def local_workers(cores: int | None = None) -> Iterator[Workers]:
    """Processes on this machine, by default one for each core. They end at once if the block ends with an error."""
    cores = cores or os.cpu_count() or 1
    with Pool(cores, _prepare) as pool:
        yield pool, cores


def _prepare() -> None:
    keep_programs()
    before_leaving(end_programs)


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """The workers of a Dask cluster, on which this package must be installed too."""
    try:
        from distributed import Client
    except ImportError:
        raise ValueError(
            "a cluster needs the package distributed: expected after pip install 'kingdom-builder[cluster]'"
        ) from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except OSError:
        raise ValueError(
            f"no Dask scheduler answers at {address!r}: expected one, as in tcp://127.0.0.1:8786"
        ) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError:
            raise ValueError(f"the Dask cluster at {address!r} has no workers: expected at least one") from None
        threads: dict[str, int] = client.nthreads()  # pyright: ignore[reportAssignmentType]: a coroutine elsewhere
        yield client.get_executor(pure=False), sum(threads.values())
