"""The command serve."""

import os
import shlex
import shutil
import sys
import webbrowser
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kingdom_builder.cli.arguments import add_sections, number, read_sections
from kingdom_builder.cli.folder import add_data, read_data

if TYPE_CHECKING:
    from kingdom_builder.server.addresses import Listening

STARTED_BY = "KB_STARTED_BY"
"""The variable in which the Makefile says what its user has typed."""

FOR_ALL = ("--host", "0.0.0.0")

SERVER_LIMITS = {
    "--max-tables": "tables in the database (default 10000)",
    "--max-connections": "open pages (default 2000)",
    "--max-connections-per-table": "open pages of one table (default 50)",
    "--max-connections-per-visitor": "open pages of one address (default 200)",
    "--max-requests-per-visitor": "other connections of one address (default 100)",
    "--messages-per-second": "of one page, on average (default 20)",
    "--work-per-second": "requests and messages of one address, weighted, about a millisecond each (default 250)",
    "--lines-per-second": "lines of chat of one address (default 2)",
    "--tables-per-minute": "new tables of one address (default 60)",
    "--tables-per-day": "new tables of one address (default 500)",
    "--persons-per-day": "new guests of one address (default 300)",
    "--max-message": "bytes of a WebSocket message (default 4096)",
    "--max-body": "bytes of an HTTP request (default 1000000)",
    "--keep-days": "days without use, counted while a server runs, after which tables are removed (default 180)",
    "--bot-workers": "processes in which bots think (default 1)",
}
"""The limits that can be set, each with what it limits."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb serve --open"
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="0.0.0.0 lets friends in your network join"
    )
    parser.add_argument("--port", type=number(0, 65535), metavar="N", help="default 8000; 0 for any free one")
    add_data(parser)
    add_sections(parser)
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        metavar="NETWORK",
        help="an address or network whose X-Forwarded-For is trusted; may be given several times",
    )
    for flag, limit in SERVER_LIMITS.items():
        parser.add_argument(flag, type=number(1, None), metavar="N", help=limit)


def run(arguments: Namespace) -> int:
    # Imported here, so that `kb serve --help` does not wait for FastAPI.
    from kingdom_builder.server.addresses import Listening
    from kingdom_builder.server.database import FolderInUse
    from kingdom_builder.server.journal import StoreError
    from kingdom_builder.server.serve import PortInUse, serve
    from kingdom_builder.server.settings import OWN_SECTIONS, Settings

    names = [flag.removeprefix("--").replace("-", "_") for flag in SERVER_LIMITS]
    given = {name: getattr(arguments, name) for name in names}
    limits = {name: value for name, value in given.items() if value is not None}
    folder = read_data(arguments.data)
    kept = folder / OWN_SECTIONS
    sections = read_sections(arguments.sections or (str(kept) if kept.is_file() else None))
    settings = replace(
        Settings(data=folder, trusted_proxies=tuple(arguments.trusted_proxy), sections=sections), **limits
    )
    try:
        serve(
            settings,
            arguments.host,
            arguments.port,
            lambda line: print(line, flush=True),
            command=command_for_all(sys.argv, os.environ.get(STARTED_BY, "")),
            open_browser=arguments.open,
            draw_code=sys.stdout.isatty(),
        )
    except (FolderInUse, PortInUse) as error:
        running = Listening(*error.place) if error.place else None
        if running is None or not running.is_answered():
            raise ValueError(str(error)) from None
        _lead_to(running, arguments)
    except StoreError as error:
        raise ValueError(str(error)) from None
    return 0


def _lead_to(running: "Listening", arguments: Namespace) -> None:
    """Show the server that already runs to somebody who starts another one. Raises ValueError without `--open`."""
    from kingdom_builder.server.addresses import is_loopback

    address, shared = running.address(), running.shared_address()
    sentence = f"Kingdom Builder already runs at {address}"
    if shared is not None and shared != address:
        sentence += f", for your network at {shared}"
    elif is_loopback(running.host) and not is_loopback(arguments.host):
        sentence += ", for this computer only: stop it there with Ctrl+C, then start it again for your network"
    if not arguments.open:
        raise ValueError(sentence)
    print(sentence, flush=True)
    webbrowser.open(address)


def command_for_all(argv: Sequence[str], started_by: str) -> str:
    """The command that starts this server for the whole network, as its user can type it: `kb` may not be on the path.

    `started_by` is the command of the Makefile that ran this one, if any.
    """
    program, *words = argv
    given = _without_host(words)
    if started_by:
        options = shlex.join([*(word for word in given[1:] if word != "--open"), *FOR_ALL])
        return f"{started_by} ARGS={shlex.quote(options.replace('$', '$$'))}"
    if program.endswith(".py"):  # python -m kingdom_builder
        return shlex.join([sys.executable, "-m", "kingdom_builder", *given, *FOR_ALL])
    found = shutil.which(Path(program).name)
    typed = Path(program).name if found and Path(found).resolve() == Path(program).resolve() else program
    return shlex.join([typed, *given, *FOR_ALL])


def _without_host(words: Sequence[str]) -> list[str]:
    kept: list[str] = []
    for before, word in zip(["", *words], words, strict=False):
        if word != "--host" and before != "--host" and not word.startswith("--host="):
            kept.append(word)
    return kept
