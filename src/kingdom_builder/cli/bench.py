"""The command bench."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from kingdom_builder.cli.arguments import add_json, number


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb bench --json"
    parser.add_argument(
        "what",
        nargs="?",
        choices=("engine", "serve", "lobby", "people", "learn"),
        default="engine",
        help="default: engine",
    )
    parser.add_argument("--tables", type=number(1, None), default=200, metavar="N", help="for serve (default 200)")
    parser.add_argument("--seconds", type=number(1, None), default=20, metavar="N", help="for serve (default 20)")
    parser.add_argument("--people", action="store_true", help="for serve: with persons and clocks")
    parser.add_argument("--differences", action="store_true", help="for serve: players are told only what has changed")
    parser.add_argument("--database", default="", metavar="URL", help="for serve: on PostgreSQL instead of SQLite")
    parser.add_argument("--nodes", type=number(1, 20), default=1, metavar="N", help="for serve: servers (default 1)")
    parser.add_argument("--scattered", action="store_true", help="for serve: players of a table at different servers")
    parser.add_argument("--watchers", type=number(1, None), default=2000, metavar="N", help="for lobby (default 2000)")
    parser.add_argument(
        "--persons",
        type=number(1, None),
        default=2000,
        metavar="N",
        help="for people: idle ones, whom the server knows and who have no page open (default 2000)",
    )
    parser.add_argument("--games", type=number(1, None), default=3000, metavar="N", help="default 3000")
    add_json(parser)


def run(arguments: Namespace) -> int:
    result, promised = _measure(arguments)
    if arguments.json:
        print(json.dumps(result, indent=2))
    else:
        for name, value in result.items():
            print(f"{_shown(name):36} {'unknown' if value is None else value}")
    missed = [(name, value, most) for name, most in promised.items() if (value := _number(result[name])) > most]
    for name, value, most in missed:
        print(f"{arguments.prog}: {_shown(name)} is {value:g}, at most {most:g} is promised", file=sys.stderr)
    return 1 if missed else 0


def _shown(name: str) -> str:
    return name.replace("_", " ")


def _number(value: float | str | None) -> float:
    """A figure; 0 if it is not known on this machine."""
    return value if isinstance(value, int | float) else 0


def _measure(arguments: Namespace) -> tuple[Mapping[str, float | str | None], Mapping[str, float]]:
    """The figures, and the most that some of them may be."""
    if arguments.what == "serve":
        from kingdom_builder.server import benchmark as server

        if arguments.nodes > 1 and not arguments.database:
            raise ValueError("several servers need a database that they share: give --database")
        wanted = {"people": arguments.people, "differences": arguments.differences, "scattered": arguments.scattered}
        several = {"database": arguments.database, "nodes": arguments.nodes}
        return server.benchmark(arguments.tables, arguments.seconds, **wanted, **several), {}
    if arguments.what == "learn":
        from kingdom_builder.learn import benchmark as learn

        return learn.benchmark(), {}
    if arguments.what == "lobby":
        from kingdom_builder.server import lobby_benchmark as lobby

        return lobby.benchmark(arguments.watchers), lobby.PROMISED
    if arguments.what == "people":
        from kingdom_builder.server import people_benchmark as people

        return people.benchmark(arguments.persons), people.PROMISED
    from kingdom_builder.arena import benchmark as engine

    return engine.benchmark(arguments.games), {}
