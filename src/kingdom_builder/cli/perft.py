"""The command perft."""

from argparse import ArgumentParser, Namespace

from kingdom_builder.cli.arguments import add_position, number, read_position
from kingdom_builder.notation import action_text
from kingdom_builder.rules import divide, perft


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb perft first --depth 4 --divide"
    add_position(parser)
    parser.add_argument("--depth", type=number(0, 99), required=True, metavar="N", help="length of the sequences")
    parser.add_argument("--divide", action="store_true", help="count for each first action")


def run(arguments: Namespace) -> int:
    state = read_position(arguments.position)
    if not arguments.divide or not arguments.depth:
        print(perft(state, arguments.depth))
        return 0
    counts = divide(state, arguments.depth)
    for action, count in counts.items():
        print(f"{action_text(state.setup, action)} {count}")
    print(f"total {sum(counts.values())}")
    return 0
