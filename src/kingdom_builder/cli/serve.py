"""The command serve."""

from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from kingdom_builder.cli.folder import data_folder
from kingdom_builder.cli.main import SERVER_LIMITS
from kingdom_builder.server.journal import StoreError
from kingdom_builder.server.serve import serve
from kingdom_builder.server.settings import Settings


def run(arguments: Namespace) -> int:
    names = [flag.removeprefix("--").replace("-", "_") for flag in SERVER_LIMITS]
    given = {name: getattr(arguments, name) for name in names}
    limits = {name: value for name, value in given.items() if value is not None}
    folder = Path(arguments.data) if arguments.data else data_folder()
    settings = replace(Settings(data=folder, trusted_proxies=tuple(arguments.trusted_proxy)), **limits)
    try:
        serve(
            settings, arguments.host, arguments.port, lambda line: print(line, flush=True), open_browser=arguments.open
        )
    except StoreError as error:
        raise ValueError(str(error)) from None
    return 0
