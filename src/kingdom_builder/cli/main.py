"""The commands and their arguments. What a command does is imported only when it runs, so that `--help` is quick."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NoReturn

POSITION_HELP = "a position as docs/notation.md has it, 'first' for the start of the printed first game, or - for stdin"


SERVER_LIMITS = {
    "--max-tables": "tables in the database (default 10000)",
    "--max-connections": "open pages (default 2000)",
    "--max-connections-per-table": "open pages of one table (default 50)",
    "--max-connections-per-visitor": "open pages of one address (default 200)",
    "--max-requests-per-visitor": "other connections of one address (default 100)",
    "--messages-per-second": "of one page, on average (default 20)",
    "--work-per-second": "requests and messages of one address, weighed, about a millisecond each (default 250)",
    "--lines-per-second": "lines of chat of one address (default 2)",
    "--tables-per-minute": "new tables of one address (default 60)",
    "--tables-per-day": "new tables of one address (default 500)",
    "--max-message": "bytes of a WebSocket message (default 4096)",
    "--max-body": "bytes of an HTTP request (default 1000000)",
    "--keep-days": "days without use, of those on which a server ran, after which tables go (default 180)",
    "--bot-workers": "processes in which bots think (default 1)",
}
"""The limits of the server that can be set, each with what it limits."""


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


class ShowVersion(argparse.Action):
    """Prints the version and exits. The module that knows it is slow to import, so that only this imports it."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        print(f"Kingdom Builder {version('kingdom-builder')}")
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and exit: 0 if all went well, 2 for a wrong argument."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    try:
        command: Callable[[argparse.Namespace], int] = import_module(f"kingdom_builder.cli.{options.module}").run
        status = command(options)
        sys.stdout.flush()
        sys.exit(status)
    except (ValueError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # The reader of our output has left; keep the interpreter from complaining when it flushes.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        sys.exit(_complain(options.prog, error))
    except KeyboardInterrupt:
        sys.exit(130)


def _complain(prog: str, error: ValueError | OSError) -> int:
    text = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
    print(f"{prog}: {text}", file=sys.stderr)
    return 2


def make_parser() -> Parser:
    """The parser of the whole command line."""
    parser = Parser(
        prog="kb",
        description="Kingdom Builder: play in the browser or the terminal, look at positions, simulate, measure.",
        epilog="Example: kb play --first",
    )
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="show the version of the program and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(name: str, summary: str, example: str, module: str) -> argparse.ArgumentParser:
        command: argparse.ArgumentParser = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            epilog=f"Example: {example}",
        )
        command.set_defaults(module=module, prog=command.prog)
        return command

    play = add("play", "play in the terminal, against bots or at one table", "kb play --humans 2", "play")
    play.add_argument("--players", type=_number(2, 5), default=2, metavar="K", help="seats, 2 to 5 (default 2)")
    play.add_argument("--humans", type=_number(0, 5), default=1, metavar="N", help="seats of people (default 1)")
    play.add_argument(
        "--bots",
        default="greedy",
        metavar="NAMES",
        help="who plays the other seats: one for all, or one for each, such as greedy,hard (default greedy)",
    )
    play.add_argument("--first", action="store_true", help="the printed first game instead of a random setup")
    play.add_argument("--board", metavar="SECTIONS", help="four sections, such as tavern/paddock/oasis\\'/farm")
    play.add_argument("--sections", metavar="FILE", help="a file of sections of your own to choose from")
    play.add_argument("--cards", metavar="KEYS", help="the scoring cards, such as fishermen,knights,merchants")
    _add_sets(play)
    _add_options(play)
    play.add_argument("--seed", help="play the same game again (default: by chance)")
    play.add_argument("--position", nargs="+", metavar="POSITION", help="go on from a position")
    play.add_argument("--record", metavar="FILE", help="write the record of the game to a file")

    serve = add("serve", "play in the browser", "kb serve --open", "serve")
    serve.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="0.0.0.0 lets friends in your network in")
    serve.add_argument("--port", type=_number(0, 65535), metavar="N", help="default 8000; 0 for any free one")
    _add_data(serve)
    serve.add_argument("--open", action="store_true", help="open the page in the browser")
    serve.add_argument(
        "--trusted-proxy",
        action="append",
        default=[],
        metavar="NETWORK",
        help="an address or network whose X-Forwarded-For is believed; may be given several times",
    )
    for flag, limit in SERVER_LIMITS.items():
        serve.add_argument(flag, type=_number(1, None), metavar="N", help=limit)

    backup = add("backup", "copy all games to a file, also while the server runs", "kb backup games.backup", "backup")
    backup.add_argument("file", metavar="FILE", help="a new file")
    _add_data(backup)
    backup.set_defaults(command="backup")

    restore = add("restore", "put the games of a backup back, also while the server runs", "kb restore FILE", "backup")
    restore.add_argument("file", metavar="FILE", help="a file that kb backup wrote")
    _add_data(restore)
    restore.set_defaults(command="restore")

    tables = add("tables", "tell what is stored, or remove tables that nobody uses", "kb tables expire", "tables")
    tables.add_argument("action", nargs="?", choices=("list", "expire"), default="list", help="default: list")
    _add_data(tables)
    tables.add_argument("--remove", action="store_true", help="expire: remove them, instead of only telling how many")
    tables.add_argument(
        "--keep-days", type=_number(1, None), metavar="N", help="expire: days without use (default 180)"
    )
    tables.add_argument(
        "--trust-clock",
        action="store_true",
        help="expire: count all days by the clock of this machine, not only those on which a server ran",
    )

    show = add("show", "draw a position as text or as a picture", "kb show first --svg board.svg", "look")
    _add_position(show)
    show.add_argument("--svg", metavar="FILE", help="write a picture to this file instead (- for stdout)")
    show.add_argument("--legal", action="store_true", help="mark the hexes that are legal now")
    show.set_defaults(command="show")

    legal = add("legal", "list the legal actions of a position", "kb legal first", "look")
    _add_position(legal)
    legal.add_argument("--why", metavar="ACTION", help="tell why this action is not legal")
    legal.set_defaults(command="legal")

    score = add("score", "show the gold of a position by card, with the hexes that pay", "kb score first", "look")
    _add_position(score)
    score.set_defaults(command="score")

    perft = add("perft", "count the action sequences from a position", "kb perft first --depth 4 --divide", "look")
    _add_position(perft)
    perft.add_argument("--depth", type=_number(0, 99), required=True, metavar="N", help="length of the sequences")
    perft.add_argument("--divide", action="store_true", help="count for each first action")
    perft.set_defaults(command="perft")

    replay = add("replay", "step through a record, then show the final scores", "kb replay game.kbr", "replay")
    replay.add_argument("record", metavar="RECORD", help="a .kbr file, or - for stdin")
    replay.add_argument("--turn", metavar="TURN", help="show the board at the beginning of a turn, such as 7B")
    replay.add_argument("--svg", metavar="FILE", help="write a picture of that board, or of the last, to this file")
    replay.add_argument("--all", action="store_true", help="tell the whole game without stopping")

    simulate = add(
        "simulate",
        "play random games on all cores",
        "kb simulate --games 1000 --players 2-5 --sets all --check",
        "simulate",
    )
    simulate.add_argument("--games", type=_number(1, None), default=1000, metavar="N", help="default 1000")
    simulate.add_argument(
        "--players",
        type=_number_range(2, 5),
        default=[2],
        metavar="K",
        help="seats, such as 3, or 2-5 in turn (default 2)",
    )
    simulate.add_argument("--seed", type=_number(0, None), default=0, metavar="S", help="default 0")
    simulate.add_argument("--check", action="store_true", help="verify the invariants after every action")
    simulate.add_argument("--cores", type=_number(1, None), metavar="N", help="default: all")
    simulate.add_argument("--json", action="store_true", help="print the result as JSON")
    _add_sets(simulate)
    _add_options(simulate)

    arena = add(
        "arena",
        "let players play against each other and measure their strength",
        "kb arena hard:100ms greedy --games 200 --out hard.jsonl",
        "arena",
    )
    arena.add_argument(
        "player",
        nargs="+",
        metavar="PLAYER",
        help="random, greedy, hard:100ms, expert:1s, hard:500n (positions, not time) or run:COMMAND (docs/bots.md)",
    )
    arena.add_argument(
        "--games", type=_number(1, None), default=100, metavar="N", help="default 100; rounded up to whole boards"
    )
    arena.add_argument(
        "--players",
        type=_number(2, 5),
        default=2,
        metavar="K",
        help="seats; of more players all choices play (default 2)",
    )
    arena.add_argument("--seed", type=_number(0, None), default=0, metavar="S", help="default 0")
    arena.add_argument("--out", metavar="FILE", help="keep the games as JSON lines; goes on with what is there")
    arena.add_argument("--json", action="store_true", help="print the result as JSON")
    arena.add_argument("--cores", type=_number(1, None), metavar="N", help="default: all")
    arena.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster, such as tcp://127.0.0.1:8786")
    _add_sets(arena)
    _add_options(arena)

    stats = add(
        "stats", "tell what is worth what, from results of the arena", "kb stats hard.jsonl --svg plots", "stats"
    )
    stats.add_argument("results", nargs="+", metavar="RESULTS", help="files that kb arena --out wrote")
    stats.add_argument("--json", action="store_true", help="print the result as JSON")
    stats.add_argument("--svg", metavar="DIR", help="draw plots into this folder")

    hint = add(
        "hint",
        "suggest moves for a position, with reasons",
        "kb hint 'DDD/D1D(farm) - - 2 C5D4F5G5T4 - 1A/D/3/- 40:::D 40:::T'",
        "hint",
    )
    _add_position(hint)
    hint.add_argument("--moves", type=_number(1, None), default=3, metavar="N", help="how many (default 3)")
    hint.add_argument("--json", action="store_true", help="print the result as JSON")

    bench = add("bench", "measure the speed of the engine in CPU time, or of the server", "kb bench --json", "bench")
    bench.add_argument("what", nargs="?", choices=("engine", "serve"), default="engine", help="default: engine")
    bench.add_argument("--tables", type=_number(1, None), default=200, metavar="N", help="for serve (default 200)")
    bench.add_argument("--seconds", type=_number(1, None), default=20, metavar="N", help="for serve (default 20)")
    bench.add_argument("--games", type=_number(1, None), default=3000, metavar="N", help="default 3000")
    bench.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser


def _add_data(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", metavar="DIR", help="where the games are kept (default: the user's data folder)")


def _add_position(command: argparse.ArgumentParser) -> None:
    command.add_argument("position", nargs="+", metavar="POSITION", help=POSITION_HELP)


def _add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY",
        help="a ruling to switch on, such as lordsNeedPresence; may be given several times (see docs/options.md)",
    )


def _add_sets(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--sets",
        type=lambda text: text.split(","),
        default=["base"],
        metavar="KEYS",
        help="boxes in use: all, or some of base,nomads,crossroads,harvest,capitol,caves (default base)",
    )


def _number_range(least: int, most: int) -> Callable[[str], list[int]]:
    def parse(text: str) -> list[int]:
        first, dash, last = text.partition("-")
        number = _number(least, most)
        numbers = list(range(number(first), number(last) + 1)) if dash else [number(first)]
        if not numbers:
            raise argparse.ArgumentTypeError(f"{text!r} is not a range: expected the smaller number first, such as 2-5")
        return numbers

    return parse


def _number(least: int, most: int | None) -> Callable[[str], int]:
    def parse(text: str) -> int:
        expected = f"a number from {least} to {most}" if most is not None else f"a number from {least} on"
        if not text.isdecimal() or int(text) < least or (most is not None and int(text) > most):
            raise argparse.ArgumentTypeError(f"{text!r} is not {expected}")
        return int(text)

    return parse
