"""The command stats."""

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from kingdom_builder.arena import statistics
from kingdom_builder.arena.player_statistics import player_statistics
from kingdom_builder.arena.results import read_results
from kingdom_builder.board.terrain import WATER
from kingdom_builder.cli.arguments import add_json
from kingdom_builder.drawing.charts import Bar, bar_chart
from kingdom_builder.drawing.palette import GOLD, GROUND


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb stats hard.jsonl --svg plots"
    parser.add_argument("results", nargs="+", metavar="RESULTS", help="files written by kb arena --out")
    parser.add_argument("--player", metavar="NAME", help="what things are worth to this player, such as hard:100ms")
    add_json(parser)
    parser.add_argument("--svg", metavar="DIR", help="draw plots into this folder")


def run(arguments: Namespace) -> int:
    results = [result for file in arguments.results for result in read_results(file)]
    if not results:
        raise ValueError(f"{', '.join(arguments.results)}: no games, expected some that kb arena --out wrote")
    tables = player_statistics(results, arguments.player) if arguments.player else statistics.statistics(results)
    if arguments.svg:
        folder = Path(arguments.svg)
        folder.mkdir(parents=True, exist_ok=True)
        for table in tables:
            for name, picture in charts(table).items():
                (folder / name).write_text(picture, "utf-8")
    if arguments.json:
        print(json.dumps({"games": len(results), "tables": [asdict(table) for table in tables]}, indent=2))
        return 0
    console = Console()
    for table in tables:
        console.print(_drawn(table))
    return 0


def charts(table: statistics.Table) -> dict[str, str]:
    """The two charts of a table, by file name."""
    gold = [Bar(row.key, row.gold, row.gold_interval, f"{row.gold:.1f}  ({row.games})") for row in table.rows]
    wins = [
        Bar(
            row.key,
            100 * row.wins,
            (100 * row.wins_interval[0], 100 * row.wins_interval[1]),
            f"{100 * row.wins:.1f} %  ({row.games})",
        )
        for row in table.rows
    ]
    return {
        f"{table.key}-gold.svg": bar_chart(f"{table.title}: {table.gold}", gold, GOLD),
        f"{table.key}-wins.svg": bar_chart(f"{table.title}: {table.wins}, in %", wins, GROUND[WATER]),
    }


def _drawn(table: statistics.Table) -> Table:
    drawn = Table(caption=f"gold: {table.gold}; wins %: {table.wins}", caption_justify="left")
    drawn.add_column(table.title)
    for heading in ("games", "gold", "95 %", "wins %", "95 %"):
        drawn.add_column(heading, justify="right")
    for row in table.rows:
        drawn.add_row(
            escape(row.key),
            str(row.games),
            f"{row.gold:.1f}",
            "{:.1f}-{:.1f}".format(*row.gold_interval),
            f"{100 * row.wins:.1f}",
            "-".join(f"{100 * bound:.0f}" for bound in row.wins_interval),
        )
    return drawn
