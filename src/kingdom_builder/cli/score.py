"""The command score."""

from argparse import ArgumentParser, Namespace

from kingdom_builder.cli.arguments import add_position, read_position
from kingdom_builder.hexes import hex_names
from kingdom_builder.message import seat_letter
from kingdom_builder.rules import breakdown


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb score first"
    add_position(parser)


def run(arguments: Namespace) -> int:
    state = read_position(arguments.position)
    for seat in range(state.setup.players):
        lines = breakdown(state, seat)
        print(f"{seat_letter(seat)}  {sum(line.gold for line in lines)} gold")
        for line in lines:
            print(f"   {line.card.name:12} {line.gold:3}  {' '.join(hex_names(line.hexes))}".rstrip())
    return 0
