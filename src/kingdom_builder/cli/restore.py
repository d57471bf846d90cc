"""The command restore."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from kingdom_builder.cli.folder import add_data, count_tables, read_data
from kingdom_builder.server.backup import restore
from kingdom_builder.server.database import StoreError
from kingdom_builder.server.settings import OWN_SECTIONS


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb restore FILE"
    parser.add_argument("file", metavar="FILE", help="a file written by kb backup")
    add_data(parser)


def run(arguments: Namespace) -> int:
    folder = read_data(arguments.data)
    try:
        copied = restore(folder, Path(arguments.file))
    except StoreError as error:
        raise ValueError(str(error)) from None
    sections = f" and {OWN_SECTIONS}, which the server reads when it starts," if copied.sections else ""
    print(f"{count_tables(copied.tables)}{sections} put back into {folder}.")
    if copied.kept:
        print(f"What was there before is in {' and '.join(map(str, copied.kept))}.")
    return 0
