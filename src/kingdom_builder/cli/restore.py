"""The command restore."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from kingdom_builder.cli.folder import add_data, count_tables, read_data
from kingdom_builder.server.backup import restore
from kingdom_builder.server.database import StoreError


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb restore FILE"
    parser.add_argument("file", metavar="FILE", help="a file written by kb backup")
    add_data(parser)


def run(arguments: Namespace) -> int:
    folder = read_data(arguments.data)
    try:
        tables, kept = restore(folder, Path(arguments.file))
    except StoreError as error:
        raise ValueError(str(error)) from None
    print(f"{count_tables(tables)} put back into {folder}.")
    if kept is not None:
        print(f"What was there before is in {kept}.")
    return 0
