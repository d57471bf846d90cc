"""The command serve."""

import os
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from kingdom_builder.cli.main import SERVER_LIMITS
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.serve import serve
from kingdom_builder.server.settings import Settings


def run(arguments: Namespace) -> int:
    names = [flag.removeprefix("--").replace("-", "_") for flag in SERVER_LIMITS]
    given = {name: getattr(arguments, name) for name in names}
    limits = {name: value for name, value in given.items() if value is not None}
    settings = replace(Settings(data=Path(arguments.data) if arguments.data else data_folder()), **limits)
    try:
        serve(
            settings, arguments.host, arguments.port, lambda line: print(line, flush=True), open_browser=arguments.open
        )
    except StoreError as error:
        raise ValueError(str(error)) from None
    return 0


def data_folder() -> Path:
    """Where programs of this user keep their data."""
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "kingdom-builder"
