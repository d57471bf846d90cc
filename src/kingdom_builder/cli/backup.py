"""The commands backup and restore."""

from argparse import Namespace
from pathlib import Path

from kingdom_builder.cli.folder import data_folder
from kingdom_builder.server.backup import backup, restore
from kingdom_builder.server.database import StoreError


def run(arguments: Namespace) -> int:
    folder = Path(arguments.data) if arguments.data else data_folder()
    file = Path(arguments.file)
    try:
        if arguments.command == "backup":
            print(f"{_tables(backup(folder, file))} copied to {file}.")
        else:
            tables, kept = restore(folder, file)
            print(f"{_tables(tables)} put back into {folder}.")
            if kept is not None:
                print(f"What was there before is in {kept}.")
    except StoreError as error:
        raise ValueError(str(error)) from None
    return 0


def _tables(number: int) -> str:
    return f"{number:,} table{'' if number == 1 else 's'}"
