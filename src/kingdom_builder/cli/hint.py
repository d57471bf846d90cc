"""The command hint."""

import json
from argparse import ArgumentParser, Namespace

from kingdom_builder.cli.arguments import add_json, add_position, number, read_position
from kingdom_builder.players import Hint, find_hints
from kingdom_builder.rules import Observation, observe


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb hint 'DDD/D1D(farm) - - 2 C5D4F5G5T4 - 1A/D/3/- 40:::D 40:::T'"
    add_position(parser)
    parser.add_argument("--moves", type=number(1, None), default=3, metavar="N", help="how many (default 3)")
    add_json(parser)


def run(arguments: Namespace) -> int:
    state = read_position(arguments.position)
    seen = state if isinstance(state, Observation) else observe(state, state.player)
    found = find_hints(seen, arguments.moves)
    if not found:
        why = "the game is over" if state.over else "a card is to be drawn"
        raise ValueError(f"no move to suggest: {why}, expected a position in which somebody has to move")
    if arguments.json:
        print(json.dumps([_as_json(hint) for hint in found], indent=2))
        return 0
    for hint in found:
        print(hint)
    return 0


def _as_json(hint: Hint) -> dict[str, object]:
    reason = "; ".join(map(str, hint.reasons))
    return {"move": hint.move, "turn": hint.turn, "gold": hint.gold, "reason": reason}
