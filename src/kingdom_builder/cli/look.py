"""The commands that look at a position: show, legal, score and perft."""

import sys
from argparse import Namespace
from pathlib import Path

from kingdom_builder.cli.arguments import read_position
from kingdom_builder.hexes import AREA, SIZE, HexSet, bits, hex_names
from kingdom_builder.message import seat_letter
from kingdom_builder.notation import action_text, parse_move
from kingdom_builder.rules import State, breakdown, divide, perft


def run(arguments: Namespace) -> int:
    state = read_position(arguments.position)
    {"show": _show, "legal": _legal, "score": _score, "perft": _perft}[arguments.command](state, arguments)
    return 0


def _show(state: State, arguments: Namespace) -> None:
    show(state, state.legal() & AREA if arguments.legal else 0, arguments.svg)


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


def _legal(state: State, arguments: Namespace) -> None:
    if arguments.why:
        trial = state.copy()
        for action in parse_move(state.setup, arguments.why):
            reason = trial.why_not(action)
            if reason:
                print(f"{action_text(state.setup, action)}: {reason}")
                return
            trial.apply(action)
        print(f"{arguments.why}: legal")
        return
    legal = bits(state.legal())
    hexes = [action for action in legal if action < SIZE]
    if hexes:
        print(" ".join(action_text(state.setup, action) for action in hexes))
    for action in legal[len(hexes) :]:
        print(action_text(state.setup, action))


def _score(state: State, arguments: Namespace) -> None:
    for seat in range(state.setup.players):
        lines = breakdown(state, seat)
        print(f"{seat_letter(seat)}  {sum(line.gold for line in lines)} gold")
        for line in lines:
            print(f"   {line.card.name:12} {line.gold:3}  {' '.join(hex_names(line.hexes))}".rstrip())


def _perft(state: State, arguments: Namespace) -> None:
    if not arguments.divide or not arguments.depth:
        print(perft(state, arguments.depth))
        return
    counts = divide(state, arguments.depth)
    for action, count in counts.items():
        print(f"{action_text(state.setup, action)} {count}")
    print(f"total {sum(counts.values())}")
