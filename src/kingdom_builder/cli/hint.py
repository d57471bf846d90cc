"""The command hint."""

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from kingdom_builder.cli.arguments import add_json, add_position, number, read_position
from kingdom_builder.players import suggest
from kingdom_builder.rules import Observation, observe


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb hint 'DDD/D1D(farm) - - 2 C5D4F5G5T4 - 1A/D/3/- 40:::D 40:::T'"
    add_position(parser)
    parser.add_argument("--moves", type=number(1, None), default=3, metavar="N", help="how many (default 3)")
    add_json(parser)


def run(arguments: Namespace) -> int:
    state = read_position(arguments.position)
    seen = state if isinstance(state, Observation) else observe(state, state.player)
    suggestions = suggest(seen, arguments.moves)
    if not suggestions:
        why = "the game is over" if state.over else "a card is to be drawn"
        raise ValueError(f"no move to suggest: {why}, expected a position in which somebody has to move")
    if arguments.json:
        print(json.dumps([asdict(suggestion) for suggestion in suggestions], indent=2))
        return 0
    for suggestion in suggestions:
        print(suggestion)
    return 0
