"""The command show."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from kingdom_builder.cli.arguments import add_position, read_position
from kingdom_builder.hexes import AREA, HexSet
from kingdom_builder.rules import State


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb show first --svg board.svg"
    add_position(parser)
    parser.add_argument("--svg", metavar="FILE", help="write a picture to this file instead (- for stdout)")
    parser.add_argument("--legal", action="store_true", help="mark the hexes that are legal now")


def run(arguments: Namespace) -> int:
    state = read_position(arguments.position)
    show(state, state.legal() & AREA if arguments.legal else 0, arguments.svg)
    return 0


def show(state: State, marked: HexSet = 0, svg: str | None = None) -> None:
    """Draw a position on the terminal or, with a file name, as a picture."""
    if svg is None:
        from kingdom_builder.drawing.text import table, terminal

        terminal().print(table(state, marked))
        return
    from kingdom_builder.drawing.svg import picture

    if svg == "-":
        sys.stdout.write(picture(state, highlight=marked))
    else:
        Path(svg).write_text(picture(state, highlight=marked), "utf-8")
