"""Arguments that several commands share."""

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from kingdom_builder.board import Board, Section, printed_sections
from kingdom_builder.board.files import MAP_FILE
from kingdom_builder.content import BOXES, board_of, first_game
from kingdom_builder.content.maps import load_checked
from kingdom_builder.notation import parse_position
from kingdom_builder.notation.positions.reading import parse_board
from kingdom_builder.notation.span import Span
from kingdom_builder.rules import State

POSITION_HELP = "a position (see docs/notation.md), 'first' for the start of the printed first game, or - for stdin"


def add_position(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("position", nargs="+", metavar="POSITION", help=POSITION_HELP)


def read_position(words: list[str]) -> State:
    """The position that an argument gives, perhaps as several words."""
    text = " ".join(words)
    if text == "-":
        text = sys.stdin.read().strip()
        if not text:
            raise ValueError("no position on standard input: expected one, as kb replay --position prints it")
    if text == "first":
        return State(first_game())
    return parse_position(text)


def add_sets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sets",
        type=lambda text: text.split(","),
        default=["base"],
        metavar="KEYS",
        help="boxes in use: all, or some of base,nomads,crossroads,harvest,capitol,caves (default base)",
    )


def read_sets(keys: list[str]) -> list[str]:
    """The keys of the boxes in an argument; `all` means all of them."""
    if keys == ["all"]:
        return list(BOXES)
    for key in keys:
        if key not in BOXES:
            raise ValueError(f"unknown set {key!r}: expected all, or some of {', '.join(BOXES)}")
    return keys


def add_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--board",
        metavar="BOARD",
        help="four sections, such as tavern/paddock/oasis\\'/farm, a map, such as GGDT/G1DW(farm), or a map file; "
        "FILE#NAME if it has several boards",
    )
    add_sections(parser)


def add_sections(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sections",
        metavar="FILE",
        help="a map file with sections of your own; one with the name of a printed section takes its place",
    )


def read_sections(path: str | None) -> dict[str, Section]:
    """The sections of a map file, by key; none without a file."""
    if path is None:
        return {}
    found = dict(load_checked(path).sections)
    if not found:
        raise ValueError(f"{path} has no section: expected a header such as '# farm | base | own'")
    return found


def read_board(text: str, own: Mapping[str, Section]) -> Board:
    """The board that an argument gives: the names of four sections, a map, or a map file."""
    path, _, name = text.partition("#")
    if Path(path).is_file() or path.endswith(MAP_FILE):
        return _board_of_file(path, name)
    if text[:1].islower():
        return board_of(text, {**printed_sections(), **own})
    return parse_board(Span.of(text))


def _board_of_file(path: str, name: str) -> Board:
    boards = load_checked(path).boards
    if not boards:
        raise ValueError(f"{path} has no whole board: expected a header such as '## My board | farm'")
    if name and name not in boards:
        raise ValueError(f"{path} has no board {name!r}: expected one of {', '.join(boards)}")
    if not name and len(boards) > 1:
        raise ValueError(f"{path} has several boards: expected {path}#NAME with one of {', '.join(boards)}")
    drawn = boards[name] if name else next(iter(boards.values()))
    return Board(drawn.rows, drawn.locations)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY",
        help="an option to switch on, such as lordsNeedPresence; may be given several times (see docs/options.md)",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def add_bot_log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bot-log", metavar="FILE", help="add all lines that programs read and write to this file, with times"
    )


def check_bot_log(path: str | None) -> None:
    """Raise OSError if the log cannot be written: better now than in the first game."""
    if path:
        Path(path).open("ab").close()


def number_range(least: int, most: int) -> Callable[[str], list[int]]:
    """Reads an argument such as `3` or `2-5` as numbers."""

    def parse(text: str) -> list[int]:
        first, dash, last = text.partition("-")
        parse_number = number(least, most)
        numbers = list(range(parse_number(first), parse_number(last) + 1)) if dash else [parse_number(first)]
        if not numbers:
            raise argparse.ArgumentTypeError(f"{text!r} is not a range: expected the smaller number first, such as 2-5")
        return numbers

    return parse


def number(least: int, most: int | None) -> Callable[[str], int]:
    """Reads an argument that is a number within limits."""

    def parse(text: str) -> int:
        expected = f"a number from {least} to {most}" if most is not None else f"a number from {least} on"
        if not text.isdecimal() or int(text) < least or (most is not None and int(text) > most):
            raise argparse.ArgumentTypeError(f"{text!r} is not {expected}")
        return int(text)

    return parse
