"""The command arena."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from time import monotonic

from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from kingdom_builder.arena.names import names_in_tables
from kingdom_builder.arena.results import Result, Results
from kingdom_builder.arena.standings import Standing, standings
from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.arena.workers import find_workers, play_on
from kingdom_builder.board import MapFile
from kingdom_builder.cli.arguments import (
    add_board,
    add_bot_log,
    add_json,
    add_options,
    add_sets,
    check_bot_log,
    number,
    read_board,
    read_sections,
    read_sets,
)
from kingdom_builder.content import BOXES
from kingdom_builder.notation import board_text

REST = 20
"""The live table waits this many times as long as it last took to draw: with many games, counting is slow."""

CAPTION = "ms: of a turn; late: turns over 1.2 x their time, clock/CPU"


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb arena hard:100ms greedy --games 200 --out hard.jsonl"
    parser.add_argument(
        "player",
        nargs="+",
        metavar="PLAYER",
        help="random, easy, greedy, hard:100ms, expert:1s, hard:500n (positions, not time), hard:100ms-cpu (CPU time), "
        "a character such as marina, or run:COMMAND (docs/bots.md); NAME=PLAYER gives it a name",
    )
    parser.add_argument(
        "--games", type=number(1, None), default=100, metavar="N", help="default 100; rounded up to whole boards"
    )
    parser.add_argument(
        "--players",
        type=number(2, 5),
        default=2,
        metavar="K",
        help="seats (default 2); if there are more players, every combination plays",
    )
    parser.add_argument("--seed", type=number(0, None), default=0, metavar="S", help="default 0")
    parser.add_argument("--out", metavar="FILE", help="keep the games as JSON lines; continues a file that exists")
    add_json(parser)
    parser.add_argument("--cores", type=number(1, None), metavar="N", help="default: all")
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster, such as tcp://127.0.0.1:8786")
    add_bot_log(parser)
    add_sets(parser)
    add_board(parser)
    add_options(parser)


def run(arguments: Namespace) -> int:
    if arguments.bot_log and arguments.cluster:
        raise ValueError("the programs of a cluster run on its machines: expected --bot-log without --cluster")
    check_bot_log(arguments.bot_log)
    own = read_sections(arguments.sections)
    tournament = Tournament(
        players=arguments.player,
        seats=arguments.players,
        sets=sorted(read_sets(arguments.sets), key=list(BOXES).index),
        options=sorted(arguments.option),
        seed=arguments.seed,
        board=board_text(read_board(arguments.board, own)) if arguments.board else "",
        sections=str(MapFile(own)) if own else "",
    )
    games = tournament.whole_rounds(arguments.games)
    stopped = False
    with closing(Results(str(tournament), arguments.out)) as results, Watch(tournament, games) as watch:
        try:
            with find_workers(arguments.cores, arguments.cluster) as workers:
                for _ in play_on(tournament, games, results, workers, arguments.bot_log):
                    watch.show(results.games)
        except KeyboardInterrupt:
            stopped = True
    _report(tournament, results.games, arguments.json)
    if stopped:
        go_on = "the same command goes on" if arguments.out else "with --out FILE it could be continued"
        print(f"kb arena: stopped after {len(results.games)} of {games} games; {go_on}", file=sys.stderr)
    return 130 if stopped else 0


class Watch:
    """The live table of the standings while games are played, if there is a terminal."""

    def __init__(self, tournament: Tournament, games: int) -> None:
        self._tournament = tournament
        self._games = games
        console = Console(stderr=True)
        self._live = Live(console=console, transient=True, auto_refresh=False) if console.is_terminal else None
        self._next = 0.0

    def __enter__(self) -> "Watch":
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def show(self, results: Sequence[Result]) -> None:
        """Draw the table again if it is time."""
        began = monotonic()
        if self._live and began >= self._next:
            title = f"{len(results)} of {self._games} games"
            self._live.update(table(standings(self._tournament.names, results), title), refresh=True)
            self._next = monotonic() + REST * (monotonic() - began)


def _report(tournament: Tournament, results: Sequence[Result], as_json: bool) -> None:
    standing = standings(tournament.names, results)
    if as_json:
        plan = {"plan": str(tournament), **asdict(tournament)}
        print(json.dumps({**plan, "games": len(results), "standings": [asdict(each) for each in standing]}, indent=2))
        return
    boards = len({result.board for result in results})
    Console().print(table(standing, f"{len(results)} games on {boards} boards"))
    names = names_in_tables(results)
    for result in sorted(results, key=lambda result: result.game):
        for fault in result.faults:
            print(f"game {result.game}, turn {fault.turn}: {names[result.players[fault.seat]]} {fault.reason}")


def table(standing: Sequence[Standing], title: str) -> Table:
    """The standings as a table, narrow enough for 80 columns."""
    drawn = Table(title=title, caption=CAPTION, box=None, padding=(0, 1, 0, 0), header_style="bold")
    drawn.add_column("player", overflow="fold")
    for heading in ("games", "wins %", "95 %", "gold", "Elo", "95 %", "ms", "CPU", "max", "late", "faults"):
        drawn.add_column(heading, justify="right", no_wrap=True)
    for each in standing:
        low, high = each.win_rate_interval
        times = each.times
        turns = times.turns or 1
        drawn.add_row(
            escape(each.player),
            str(each.games),
            f"{100 * each.win_rate:.1f}",
            f"{100 * low:.0f}-{100 * high:.0f}",
            f"{each.mean_gold:.1f}",
            "" if each.elo is None else f"{each.elo:+.0f}",
            "" if each.elo_interval is None else f"\u00b1{each.elo_interval[1] - (each.elo or 0):.0f}",
            f"{1000 * times.wall / turns:.1f}",
            f"{1000 * times.cpu / turns:.1f}" if times.cpu_known else "?",
            f"{1000 * times.longest_wall:.0f}",
            "" if each.seconds is None else f"{times.late}/{times.late_cpu if times.cpu_known else '?'}",
            str(each.faults),
        )
    return drawn
