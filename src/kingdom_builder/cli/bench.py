"""The command bench."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from kingdom_builder.cli.arguments import add_json, number


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb bench --json"
    parser.add_argument("what", nargs="?", choices=("engine", "serve"), default="engine", help="default: engine")
    parser.add_argument("--tables", type=number(1, None), default=200, metavar="N", help="for serve (default 200)")
    parser.add_argument("--seconds", type=number(1, None), default=20, metavar="N", help="for serve (default 20)")
    parser.add_argument("--games", type=number(1, None), default=3000, metavar="N", help="default 3000")
    add_json(parser)


def run(arguments: Namespace) -> int:
    result = _measure(arguments)
    if arguments.json:
        print(json.dumps(result, indent=2))
        return 0
    for name, value in result.items():
        print(f"{name.replace('_', ' '):36} {'unknown' if value is None else value}")
    return 0


def _measure(arguments: Namespace) -> Mapping[str, float | str | None]:
    if arguments.what == "serve":
        from kingdom_builder.server import benchmark as server

        return server.benchmark(arguments.tables, arguments.seconds)
    from kingdom_builder.arena import benchmark as engine

    return engine.benchmark(arguments.games)
