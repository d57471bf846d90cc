"""The command simulate."""

import json
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from rich.console import Console
from rich.progress import track
from rich.table import Table

from kingdom_builder.arena.simulation import Plan, Summary, simulate, summarize
from kingdom_builder.cli.arguments import add_json, add_options, add_sets, number, number_range, read_sets
from kingdom_builder.content import OPTIONS
from kingdom_builder.rules.invariants import BrokenInvariant


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb simulate --games 1000 --players 2-5 --sets all --check"
    parser.add_argument("--games", type=number(1, None), default=1000, metavar="N", help="default 1000")
    parser.add_argument(
        "--players",
        type=number_range(2, 5),
        default=[2],
        metavar="K",
        help="seats, such as 3, or 2-5 in turn (default 2)",
    )
    parser.add_argument("--seed", type=number(0, None), default=0, metavar="S", help="default 0")
    parser.add_argument("--check", action="store_true", help="verify the invariants after every action")
    parser.add_argument("--cores", type=number(1, None), metavar="N", help="default: all")
    add_json(parser)
    add_sets(parser)
    add_options(parser)


def run(arguments: Namespace) -> int:
    for option in arguments.option:
        if option not in OPTIONS:
            raise ValueError(f"unknown option {option!r}: expected one of {', '.join(OPTIONS)}")
    plan = Plan(
        games=arguments.games,
        players=arguments.players,
        seed=arguments.seed,
        sets=read_sets(arguments.sets),
        options=arguments.option,
        checked=arguments.check,
    )
    games = simulate(plan, arguments.cores)
    progress = Console(stderr=True)
    try:
        results = list(track(games, "Playing", arguments.games, console=progress, disable=not progress.is_terminal))
    except BrokenInvariant as error:
        print(f"kb simulate: broken invariant: {error}", file=sys.stderr)
        return 1
    summary = summarize(results)
    if arguments.json:
        print(json.dumps({"plan": asdict(plan), **asdict(summary)}, indent=2))
    else:
        checked = ", invariants checked after every action" if arguments.check else ""
        print(f"{summary.games} random games of {summary.mean_rounds} rounds{checked}")
        Console().print(_table(summary))
    return 0


def _table(summary: Summary) -> Table:
    table = Table()
    for heading in ("seat", "games", "mean gold", "wins"):
        table.add_column(heading, justify="right")
    for seat in summary.seats:
        table.add_row(seat.seat, str(seat.games), f"{seat.mean_gold:.2f}", f"{seat.wins:.1%}")
    table.add_section()
    for card, gold in summary.mean_gold_with_card.items():
        table.add_row(f"with {card}", "", f"{gold:.2f}", "")
    return table
