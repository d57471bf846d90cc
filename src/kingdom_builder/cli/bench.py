"""The command bench."""

import json
from argparse import Namespace

from kingdom_builder.arena.benchmark import benchmark


def run(arguments: Namespace) -> int:
    result = benchmark(arguments.games)
    if arguments.json:
        print(json.dumps(result, indent=2))
        return 0
    for name, value in result.items():
        print(f"{name.replace('_', ' '):36} {'not installed' if value is None else value}")
    return 0
