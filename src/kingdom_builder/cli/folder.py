"""The folder where the games are kept."""

import os
from argparse import ArgumentParser
from pathlib import Path


def add_data(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data", metavar="DIR", help="where the games are kept (default: KB_DATA, or the user's data folder)"
    )


def read_data(folder: str | None) -> Path:
    """The folder that the argument or KB_DATA gives, by default the folder for the data of this user's programs."""
    if folder := folder or os.environ.get("KB_DATA"):
        return Path(folder)
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "kingdom-builder"


def count_tables(number: int) -> str:
    """A number of tables in words."""
    return f"{number:,} table{'' if number == 1 else 's'}"
