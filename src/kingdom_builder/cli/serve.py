"""The command serve."""

from argparse import ArgumentParser, Namespace
from dataclasses import replace

from kingdom_builder.cli.arguments import number
from kingdom_builder.cli.folder import add_data, read_data

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
    from kingdom_builder.server.journal import StoreError
    from kingdom_builder.server.serve import serve
    from kingdom_builder.server.settings import Settings

    names = [flag.removeprefix("--").replace("-", "_") for flag in SERVER_LIMITS]
    given = {name: getattr(arguments, name) for name in names}
    limits = {name: value for name, value in given.items() if value is not None}
    folder = read_data(arguments.data)
    settings = replace(Settings(data=folder, trusted_proxies=tuple(arguments.trusted_proxy)), **limits)
    try:
        serve(
            settings, arguments.host, arguments.port, lambda line: print(line, flush=True), open_browser=arguments.open
        )
    except StoreError as error:
        raise ValueError(str(error)) from None
    return 0
