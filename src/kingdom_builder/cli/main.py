"""The commands. The module of a command is imported when that command is parsed, so that `--help` is quick."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

COMMANDS = {
    "play": "play in the terminal, against bots or at one table",
    "daily": "play the daily game in the terminal, or look after its list at a server",
    "serve": "play in the browser",
    "work": "think for bots and hints of servers that share a database",
    "backup": "copy all games to a file, even while the server runs",
    "restore": "restore the games of a backup, even while the server runs",
    "migrate": "copy all games and people from a folder to a PostgreSQL database, or back",
    "admin": "look after people at a server: reports, mutes, bans, names, operators",
    "tables": "show what is stored, or remove tables that nobody uses",
    "show": "draw a position as text or as a picture",
    "legal": "list the legal actions of a position",
    "score": "show the gold of a position by card, with the hexes that pay",
    "perft": "count the action sequences from a position",
    "replay": "step through a record, then show the final scores",
    "analyse": "show what each turn of a record gave away, and what would have been better",
    "simulate": "play random games on all cores",
    "arena": "let players play against each other and measure their strength",
    "stats": "show what cards, tiles and seats are worth, from results of the arena",
    "learn": "measure a policy on what it has not seen in training, make data sets",
    "mcp": "let a language model play, as a server of the model context protocol",
    "hint": "suggest moves for a position, with reasons",
    "bench": "measure the speed of the engine in CPU time, or of the server",
}
"""The commands with their lines in the help. Each is a module of this package, which adds arguments and runs it."""


class Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


class CommandParser(Parser):
    """The parser of one command; when first used, it gets its arguments from the command's module."""

    is_complete = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]  # overloaded there
        if not self.is_complete:
            self.is_complete = True
            command = import_module(f"kingdom_builder.cli.{self.prog.split()[-1]}")
            command.add_arguments(self)
            self.set_defaults(run=command.run, prog=self.prog)
        return super().parse_known_args(args, namespace)


class ShowVersion(argparse.Action):
    """Prints the version and the core in use, and exits. What is imported here only is slow to import."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        from kingdom_builder import native

        core = "native core" if native.is_on() else f"Python core ({native.why_off()})"
        print(f"Kingdom Builder {version('kingdom-builder')}, {core}")
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and exit with 0 for success or 2 for a wrong argument."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    try:
        status = options.run(options)
        sys.stdout.flush()
        sys.exit(status)
    except (ValueError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # Nobody reads our output any more; keep the interpreter from complaining when it flushes.
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
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=CommandParser)
    for name, summary in COMMANDS.items():
        commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    return parser
