"""The command analyse."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from kingdom_builder.arena.analysis import TurnReport, report_game
from kingdom_builder.arena.workers import local_workers
from kingdom_builder.cli.arguments import add_json, number
from kingdom_builder.game import Game
from kingdom_builder.message import seat_letter
from kingdom_builder.notation import parse_record
from kingdom_builder.players.analysis import decided_turns

MOST_SHOWN = 5


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb analyse game.kbr"
    parser.add_argument("record", metavar="RECORD", help="a .kbr file, or - for stdin")
    add_json(parser)
    parser.add_argument(
        "--worst",
        type=number(0, None),
        default=MOST_SHOWN,
        metavar="N",
        help=f"how many of the worst turns to show (default {MOST_SHOWN})",
    )
    parser.add_argument("--out", metavar="FILE", help="keep the turns as JSON lines; continues a file that exists")
    parser.add_argument("--cores", type=number(1, None), metavar="N", help="default: all")


def run(arguments: Namespace) -> int:
    text = sys.stdin.read() if arguments.record == "-" else Path(arguments.record).read_text("utf-8")
    record = parse_record(text)
    game = record.game(draws=False)
    turns = decided_turns(game)
    if not turns:
        raise ValueError(f"{arguments.record} has no whole turn: expected a game with at least one")
    reports: list[TurnReport] = []
    with local_workers(arguments.cores) as workers, Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Analysing turns", total=len(turns))
        for report in report_game(game, workers, arguments.out):
            reports.append(report)
            bar.advance(task)
    reports.sort(key=lambda report: report.ply)
    names = [record.tags.get(f"Name{seat_letter(seat)}", "") for seat in range(game.setup.players)]
    if arguments.json:
        print(json.dumps(_summary(game, names, reports), indent=2))
    else:
        _show(game, names, reports, arguments.worst)
    return 0


def _summary(game: Game, names: Sequence[str], reports: Sequence[TurnReport]) -> dict[str, object]:
    seats = [
        {
            "seat": seat_letter(seat),
            "name": name,
            "gold": gold,
            "accuracy": _accuracy(reports, seat),
            "lost": _lost(reports, seat),
        }
        for seat, (name, gold) in enumerate(zip(names, game.scores(), strict=True))
    ]
    return {"over": game.over, "seats": seats, "turns": [asdict(report) for report in reports]}


def _show(game: Game, names: Sequence[str], reports: Sequence[TurnReport], worst: int) -> None:
    console = Console()
    table = Table("seat", "name", "gold", "accuracy", "gold lost", "slips", "mistakes", "blunders")
    for seat, gold in enumerate(game.scores()):
        accuracy = _accuracy(reports, seat)
        counts = [
            str(sum(report.mistake == kind for report in reports if report.seat == seat))
            for kind in ("slip", "mistake", "blunder")
        ]
        shown = "" if accuracy is None else f"{accuracy:.0f} %"
        table.add_row(seat_letter(seat), escape(names[seat]), str(gold), shown, f"{_lost(reports, seat):.1f}", *counts)
    console.print(table)
    for report in sorted(reports, key=lambda report: -report.lost)[:worst]:
        if not report.better:
            continue
        name = f" ({names[report.seat]})" if names[report.seat] else ""
        kind = f", {report.mistake}" if report.mistake else ""
        lines = [
            f"{report.turn}{name}: {report.lost:.1f} gold lost{kind}",
            f"   played: {' '.join(report.moves)}",
            f"   better: {' '.join(report.better)}",
            f"           {'; '.join(report.sentences)}",
            f"           {'; '.join(report.reasons)}",
        ]
        console.print(escape("\n".join(lines)), soft_wrap=True, highlight=False)


def _accuracy(reports: Sequence[TurnReport], seat: int) -> float | None:
    own = [report.accuracy for report in reports if report.seat == seat]
    return round(fmean(own), 1) if own else None


def _lost(reports: Sequence[TurnReport], seat: int) -> float:
    return round(sum(report.lost for report in reports if report.seat == seat), 1)
