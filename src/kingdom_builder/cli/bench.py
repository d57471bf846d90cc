"""The command bench."""

import json
from argparse import Namespace
from collections.abc import Mapping


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
