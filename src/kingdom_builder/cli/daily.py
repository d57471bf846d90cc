"""The command daily: the game of a date, and its list of results at a server."""

import contextlib
import sys
from argparse import ArgumentParser, Namespace
from datetime import UTC, date, datetime
from pathlib import Path

from rich.text import Text

from kingdom_builder.cli.place import Place, add_place, read, read_place, write
from kingdom_builder.daily import OPPONENT, PERSON, PLAYERS, Daily, parse_day
from kingdom_builder.drawing.text import terminal
from kingdom_builder.message import seat_letter
from kingdom_builder.notation import board_text
from kingdom_builder.players import GuardedPlayer
from kingdom_builder.server import daily_list
from kingdom_builder.terminal.session import Session


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb daily --date 2026-11-18"
    parser.add_argument(
        "action",
        nargs="?",
        choices=("play", "list", "remove"),
        default="play",
        help="play it (default); or, at a server, list the results or remove a name from them",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="remove: the name, as in the list")
    parser.add_argument(
        "--date", metavar="DATE", help="the game of another day, such as 2026-11-18 (default: today, UTC)"
    )
    parser.add_argument("--record", metavar="FILE", help="play: write the record of the game to a file")
    add_place(parser)


def run(arguments: Namespace) -> int:
    day = parse_day(arguments.date) if arguments.date else datetime.now(UTC).date()
    if (arguments.action == "remove") != bool(arguments.name):
        raise ValueError("expected a name after remove, and only there")
    if arguments.action == "play":
        return _play(day, arguments.record)
    place = read_place(arguments)
    return _list(place, day) if arguments.action == "list" else _remove(place, day, arguments.name)


def _play(day: date, record: str | None) -> int:
    game = Daily(day).game()
    console = terminal()
    lines = [f"Kingdom Builder, the daily game of {day}: {board_text(game.setup.board)}"]
    lines += [f"  {card.name}: {card.text}" for card in game.setup.cards]
    lines.append(f"You are {seat_letter(PERSON)}, against {OPPONENT}. Type ? for help.")
    for line in lines:
        console.print(Text(line))
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - importing it gives the prompt history and line editing
    bots = {seat: GuardedPlayer(OPPONENT, str(day)) for seat in range(PLAYERS) if seat != PERSON}
    Session(game, bots, console, input).run()
    if game.over:
        print(f"The daily game of {day}: {game.scores()[PERSON]} gold.")
    if record:
        Path(record).write_text(str(game.record()), "utf-8")
        print(f"Record written: {record}")
    return 0


def _list(place: Place, day: date) -> int:
    results = read(place, daily_list.best, str(day))
    if not results:
        print(f"Nobody is on the list of {day}.")
    for number, result in enumerate(results, 1):
        print(f"{number:3}. {result.gold:3} gold  {result.name}")
    return 0


def _remove(place: Place, day: date, name: str) -> int:
    removed = write(place, daily_list.take_off, str(day), name)
    if not removed:
        raise ValueError(f"{name!r} is not on the list of {day}: kb daily list shows it")
    print(f"{name} removed from the list of {day}{'' if removed == 1 else f', {removed} times'}.")
    return 0
