"""The command work: thinks for the servers of a database."""

import asyncio
import os
import signal
from argparse import ArgumentParser, Namespace

from kingdom_builder.cli.arguments import number
from kingdom_builder.cli.database import add_database, read_database
from kingdom_builder.cli.environment import read_environment


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb work --database postgresql://kb@db/kb --processes 4"
    add_database(parser, "the same as that of the servers; or KB_DATABASE")
    parser.add_argument(
        "--processes", type=number(1, None), metavar="N", help="how many think at the same time (default: one per core)"
    )
    read_environment(parser, os.environ)


def run(arguments: Namespace) -> int:
    from kingdom_builder.server.store import StoreError

    if not arguments.database:
        raise ValueError("the database is missing: give --database or KB_DATABASE")
    try:
        asyncio.run(_work(read_database(arguments.database), arguments.processes or os.cpu_count() or 1))
    except StoreError as error:
        raise ValueError(str(error)) from None
    return 0


async def _work(address: str, processes: int) -> None:
    from kingdom_builder.server import postgres
    from kingdom_builder.server.postgres_journal import PostgresJournal
    from kingdom_builder.server.worker_program import WorkerProgram

    journal = PostgresJournal(address)
    await journal.open()
    try:
        working = asyncio.create_task(WorkerProgram(journal, processes).run())
        for number_of_signal in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number_of_signal, working.cancel)
        plural = "" if processes == 1 else "es"
        print(f"Thinking for {postgres.shown(address)} in {processes} process{plural}  (Ctrl+C stops it)", flush=True)
        await asyncio.wait([working])
        if not working.cancelled():
            working.result()
    finally:
        await journal.aclose()
