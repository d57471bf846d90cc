"""The command tables: what is stored, the removal of tables that nobody uses, and the list of games."""

import asyncio
import contextlib
import sqlite3
import time
from argparse import ArgumentParser, Namespace
from datetime import datetime
from pathlib import Path

from kingdom_builder.cli.arguments import number
from kingdom_builder.cli.folder import count_tables
from kingdom_builder.cli.place import Place, add_place, opened, read_place
from kingdom_builder.server.backup import check_format, connect, open_for_change
from kingdom_builder.server.database import DATABASE, StoreError, files
from kingdom_builder.server.expiry import DAY, LAST_USES, old_tables, remove, time_run, why_not
from kingdom_builder.server.projector import rebuild
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.store import carry_out


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb tables expire"
    parser.add_argument(
        "action", nargs="?", choices=("list", "expire", "rebuild"), default="list", help="default: list"
    )
    add_place(parser)
    parser.add_argument("--remove", action="store_true", help="expire: remove them, instead of only counting them")
    parser.add_argument("--keep-days", type=number(1, None), metavar="N", help="expire: days without use (default 180)")
    parser.add_argument(
        "--trust-clock",
        action="store_true",
        help="expire: count all days by the clock of this machine, not only the time that a server ran",
    )


def run(arguments: Namespace) -> int:
    place = read_place(arguments)
    try:
        if arguments.action == "rebuild":
            return asyncio.run(_rebuild(place))
        if isinstance(place, str):
            raise StoreError("A shared database: only rebuild is for one. Its servers remove old tables themselves.")
        check_format(place)
        return _expire(place, arguments) if arguments.action == "expire" else _list(place)
    except (StoreError, sqlite3.Error) as error:
        raise ValueError(str(error)) from None


def _list(folder: Path) -> int:
    with contextlib.closing(connect(folder / DATABASE, "ro")) as database:
        query = f"SELECT count(*), min(at), max(at) FROM ({LAST_USES})"
        tables, oldest, newest = database.execute(query).fetchone()
        days = carry_out(database, time_run) / DAY
    size = sum(file.stat().st_size for file in files(folder / DATABASE) if file.exists())
    print(f"{folder}: {count_tables(tables)}, {size / 1e6:.1f} MB; servers have run for {days:.1f} days.")
    if tables:
        print(f"Last used: {_date(oldest)} (the oldest) to {_date(newest)} (the newest).")
    return 0


def _expire(folder: Path, arguments: Namespace) -> int:
    keep_days = arguments.keep_days or Settings().keep_days
    with contextlib.closing(open_for_change(folder)) as database:
        database.execute("BEGIN IMMEDIATE" if arguments.remove else "BEGIN")
        now = time.time() if arguments.trust_clock else carry_out(database, time_run)
        if not arguments.trust_clock and (refusal := carry_out(database, why_not, keep_days, time.time())):
            raise StoreError(refusal)
        old = carry_out(database, old_tables, keep_days, now, calendar=arguments.trust_clock)
        if arguments.remove:
            carry_out(database, remove, old)
        database.execute("COMMIT")
    unused = f"not used for {keep_days} days" + ("" if arguments.trust_clock else " in which a server ran")
    if arguments.remove:
        print(f"{count_tables(len(old))} removed: {unused}.")
    else:
        print(f"{count_tables(len(old))} {unused}." + (" They go with --remove." if old else ""))
    return 0


async def _rebuild(place: Place) -> int:
    """Make the list of games and results again from the logs.

    Ratings are not: they outlive the tables whose games they are from, and depend on who was who at that moment.
    """
    if isinstance(place, Path):
        check_format(place)
    async with opened(place) as journal:
        games = await rebuild(journal)
        print(f"{games:,} game{'' if games == 1 else 's'} of {count_tables(journal.tables)} listed again.")
        print("Ratings and points for leaving stay as they are.")
    return 0


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d")
