"""The command migrate."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from kingdom_builder.cli.database import SCHEMES, read_database
from kingdom_builder.cli.folder import count_tables
from kingdom_builder.server.settings import OWN_SECTIONS
from kingdom_builder.server.store import StoreError


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb migrate --from /srv/kingdom-builder --to postgresql://kb@db/kb"
    for flag, what in (("--from", "stays as it is"), ("--to", "is empty before")):
        parser.add_argument(
            flag,
            dest="source" if flag == "--from" else "target",
            metavar="PLACE",
            required=True,
            help=f"a data folder, or a PostgreSQL database such as postgresql://kb@db/kb; it {what}",
        )


def run(arguments: Namespace) -> int:
    from kingdom_builder.server.moving import move

    for place in (arguments.source, arguments.target):
        if place.startswith(SCHEMES):
            read_database(place)
    try:
        moved = move(arguments.source, arguments.target)
    except StoreError as error:
        raise ValueError(str(error)) from None
    print(
        f"{count_tables(moved.tables)} with {moved.entries:,} entries copied, {moved.rows:,} rows in all, and checked."
    )
    sections = Path(arguments.source) / OWN_SECTIONS
    if sections.is_file():
        print(f"{sections} is in no database: give it to the servers with --sections.")
    return 0
