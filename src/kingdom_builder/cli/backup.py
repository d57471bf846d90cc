"""The command backup."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from kingdom_builder.cli.folder import add_data, count_tables, read_data
from kingdom_builder.server.backup import backup
from kingdom_builder.server.database import StoreError
from kingdom_builder.server.settings import OWN_SECTIONS


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb backup games.backup"
    parser.add_argument("file", metavar="FILE", help="a new file")
    add_data(parser)


def run(arguments: Namespace) -> int:
    file = Path(arguments.file)
    try:
        copied = backup(read_data(arguments.data), file)
    except StoreError as error:
        raise ValueError(str(error)) from None
    sections = f" and {OWN_SECTIONS}" if copied.sections else ""
    print(f"{count_tables(copied.tables)}{sections} copied to {file}.")
    return 0
