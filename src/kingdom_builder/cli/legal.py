"""The command legal."""

from argparse import ArgumentParser, Namespace

from kingdom_builder.cli.arguments import add_position, read_position
from kingdom_builder.hexes import SIZE, bits
from kingdom_builder.notation import action_text, parse_move


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb legal first"
    add_position(parser)
    parser.add_argument("--why", metavar="ACTION", help="say why this action is not legal")


def run(arguments: Namespace) -> int:
    state = read_position(arguments.position)
    if arguments.why:
        trial = state.copy()
        for action in parse_move(state.setup, arguments.why):
            reason = trial.why_not(action)
            if reason:
                print(f"{action_text(state.setup, action)}: {reason}")
                return 0
            trial.apply(action)
        print(f"{arguments.why}: legal")
        return 0
    legal = bits(state.legal())
    hexes = [action for action in legal if action < SIZE]
    if hexes:
        print(" ".join(action_text(state.setup, action) for action in hexes))
    for action in legal[len(hexes) :]:
        print(action_text(state.setup, action))
    return 0
