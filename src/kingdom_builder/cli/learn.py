"""The command learn: evaluate policies, make data sets, list the splits."""

import json
import sys
from argparse import ArgumentParser, Namespace
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from kingdom_builder.cli.arguments import add_sets, number, read_sets
from kingdom_builder.cli.main import Parser
from kingdom_builder.content import BOXES

if TYPE_CHECKING:
    from kingdom_builder.learn.evaluate import Evaluation, Figure

EXTRAS = {"numpy": "learn", "pyarrow": "data"}
"""Packages that may be missing, each with the extra that brings it."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb learn evaluate --policy greedy --split goal --games 200"
    commands = parser.add_subparsers(metavar="WHAT", required=True, dest="what", parser_class=Parser)
    _add_evaluate(commands.add_parser("evaluate", help="measure a policy on the train and the test part of a split"))
    _add_dataset(commands.add_parser("dataset", help="write games as a data set, decision by decision"))
    commands.add_parser("splits", help="list the splits")


def _add_evaluate(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--policy", required=True, metavar="POLICY", help="module:make (docs/learn.md), or a player such as greedy"
    )
    parser.add_argument(
        "--split",
        metavar="NAME",
        help="board, goal, combination, content, players or size; random base games of two without it",
    )
    parser.add_argument(
        "--games",
        type=number(1, None),
        default=100,
        metavar="N",
        help="against each opponent in each part (default 100); rounded up to whole boards",
    )
    parser.add_argument(
        "--opponents",
        default="random,easy,greedy",
        metavar="NAMES",
        help="default random,easy,greedy; hard:500n and others take longer",
    )
    parser.add_argument("--seed", type=number(0, None), default=0, metavar="S", help="default 0")
    parser.add_argument("--cores", type=number(1, None), metavar="N", help="processes (default: all cores)")
    parser.add_argument("--json", metavar="FILE", help="write everything to a file, for a leaderboard")


def _add_dataset(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb learn dataset hard.jsonl --out games.parquet"
    parser.add_argument("results", nargs="?", metavar="RESULTS", help="a file that kb arena --out wrote")
    parser.add_argument("--out", metavar="FILE", help="a parquet file; with --play a folder")
    parser.add_argument(
        "--minari", metavar="NAME", help="a data set of Minari instead, such as kingdom-builder/games-v1"
    )
    parser.add_argument(
        "--play",
        type=number(1, None),
        metavar="N",
        help="play N games for it; goes on with a folder that exists",
    )
    parser.add_argument(
        "--players", default="greedy,hard:200n", metavar="NAMES", help="who plays them (default greedy,hard:200n)"
    )
    parser.add_argument("--seats", type=number(2, 5), default=2, metavar="K", help="seats of their games (default 2)")
    parser.add_argument("--seed", type=number(0, None), default=0, metavar="S", help="of their games (default 0)")
    parser.add_argument("--cores", type=number(1, None), metavar="N", help="processes (default: all cores)")
    parser.add_argument(
        "--shard", type=number(1, None), default=500, metavar="N", help="games in each file of a folder (default 500)"
    )
    add_sets(parser)


def run(arguments: Namespace) -> int:
    commands = {"evaluate": _evaluate, "dataset": _dataset, "splits": _list_splits}
    try:
        return commands[arguments.what](arguments)
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        extra = EXTRAS[error.name]
        raise ValueError(f'this needs the package {error.name}: pip install "kingdom-builder[{extra}]"') from None


def _evaluate(arguments: Namespace) -> int:
    from kingdom_builder.arena.workers import local_workers
    from kingdom_builder.learn.evaluate import evaluate

    console = Console(stderr=True)
    workers = nullcontext((None, 1)) if arguments.cores == 1 else local_workers(arguments.cores)
    with workers as (executor, _), Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("boards", total=None)
        found = evaluate(
            arguments.policy,
            arguments.split,
            opponents=arguments.opponents.split(","),
            games=arguments.games,
            seed=arguments.seed,
            executor=executor,
            watch=lambda done, of: bar.update(task, completed=done, total=of),
        )
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(asdict(found), indent=2) + "\n", "utf-8")
    _show(found)
    return 0


def _show(found: "Evaluation") -> None:
    title = f"{found.policy} on split {found.split}" if found.split else f"{found.policy} on base games of two"
    table = Table(title=escape(title), box=None, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("part", no_wrap=True)
    table.add_column("opponent", overflow="fold")
    for heading in ("games", "wins %", "95 %", "par", "ahead %", "95 %", "lead", "95 %"):
        table.add_column(heading, justify="right", no_wrap=True)
    for part, standings in found.parts.items():
        for each in standings:
            cells = [*_percent(each.wins), f"{100 * each.par:.0f}", *_percent(each.ahead), *_gold(each.lead)]
            table.add_row(part, escape(each.opponent), str(each.games), *cells)
    for gap in found.gaps:
        table.add_row("gap", escape(gap.opponent), "", "", "", "", *_percent(gap.ahead), *_gold(gap.lead))
    Console().print(table)
    for part, standings in found.parts.items():
        for each in standings:
            if each.faults:
                print(f"{part}, {each.opponent}: a stand-in took over {each.faults} seats")


def _percent(figure: "Figure") -> tuple[str, str]:
    low, high = figure.interval
    return f"{100 * figure.value:.1f}", f"{100 * low:.0f}..{100 * high:.0f}"


def _gold(figure: "Figure") -> tuple[str, str]:
    return f"{figure.value:+.1f}", f"\u00b1{figure.interval[1] - figure.value:.1f}"


def _dataset(arguments: Namespace) -> int:
    if (arguments.results is None) == (arguments.play is None):
        raise ValueError("expected either a file of results, or --play N")
    if arguments.play is not None:
        return _play_dataset(arguments)
    if (arguments.out is None) == (arguments.minari is None):
        raise ValueError("expected either --out FILE or --minari NAME")
    from kingdom_builder.learn.datasets import write_minari, write_parquet

    if arguments.minari:
        episodes = write_minari(arguments.results, arguments.minari)
        print(f"{arguments.minari}: {episodes} episodes")
        return 0
    summary = write_parquet(arguments.results, arguments.out)
    print(f"{arguments.out}: {summary.decisions} decisions of {summary.games} games")
    return 0


def _play_dataset(arguments: Namespace) -> int:
    from kingdom_builder.arena.tournament import Tournament
    from kingdom_builder.arena.workers import local_workers
    from kingdom_builder.learn.datasets import play_dataset

    if arguments.out is None or arguments.minari is not None:
        raise ValueError("expected --out FOLDER with --play")
    sets = sorted(read_sets(arguments.sets), key=list(BOXES).index)
    tournament = Tournament(arguments.players.split(","), arguments.seats, sets, seed=arguments.seed)
    console = Console(stderr=True)
    with (
        local_workers(arguments.cores) as (executor, workers),
        Progress(console=console, transient=True, disable=not console.is_terminal) as bar,
    ):
        task = bar.add_task("games", total=None)
        done = 0
        try:
            for done, of in play_dataset(tournament, arguments.play, arguments.out, executor, workers, arguments.shard):
                bar.update(task, completed=done, total=of)
        except KeyboardInterrupt:
            print(f"kb learn: stopped after about {done} games; the same command goes on", file=sys.stderr)
            return 130
    print(f"{arguments.out}: {done} games")
    return 0


def _list_splits(_: Namespace) -> int:
    from kingdom_builder.learn.splits import split, split_names

    for name in split_names():
        print(f"{name:12} {split(name).hash[:8]}  {split(name).about}")
    return 0
