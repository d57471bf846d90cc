"""The command play."""

import contextlib
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from random import Random, SystemRandom

from rich.console import Console
from rich.text import Text

from kingdom_builder.cli.arguments import (
    add_board,
    add_bot_log,
    add_options,
    add_sets,
    check_bot_log,
    number,
    read_board,
    read_position,
    read_sections,
    read_sets,
)
from kingdom_builder.content import first_game, random_setup, sections_of
from kingdom_builder.drawing.text import terminal
from kingdom_builder.game import Game
from kingdom_builder.message import seat_letter
from kingdom_builder.notation import board_text
from kingdom_builder.players import GuardedPlayer, shown_name
from kingdom_builder.players.bot_log import BotLog
from kingdom_builder.rules import Observation, State, determinize
from kingdom_builder.terminal.session import Session


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb play --humans 2"
    parser.add_argument("--players", type=number(2, 5), default=2, metavar="K", help="seats, 2 to 5 (default 2)")
    parser.add_argument("--humans", type=number(0, 5), default=1, metavar="N", help="seats of people (default 1)")
    parser.add_argument(
        "--bots",
        default="greedy",
        metavar="NAMES",
        help="who plays the other seats: one for all, or one for each, such as greedy,hard (default greedy)",
    )
    parser.add_argument("--first", action="store_true", help="the printed first game instead of a random setup")
    add_board(parser)
    parser.add_argument("--cards", metavar="KEYS", help="the scoring cards, such as fishermen,knights,merchants")
    add_sets(parser)
    add_options(parser)
    parser.add_argument("--seed", help="play the same game again (default: random)")
    parser.add_argument("--position", nargs="+", metavar="POSITION", help="start from a position")
    parser.add_argument("--record", metavar="FILE", help="write the record of the game to a file")
    add_bot_log(parser)


def run(arguments: Namespace) -> int:
    seed = arguments.seed if arguments.seed is not None else str(SystemRandom().randrange(1_000_000))
    start = _start(arguments, Random(f"setup {seed}"))
    players = start.setup.players
    if arguments.humans > players:
        raise ValueError(f"{arguments.humans} humans at {players} seats: expected at most {players}")
    names = _bot_names(arguments.bots.split(","), players - arguments.humans)
    check_bot_log(arguments.bot_log)
    log = arguments.bot_log
    bots = {
        seat: GuardedPlayer(name, f"bots {seed} {seat}", BotLog(log, seat_letter(seat)) if log else None)
        for seat, name in zip(range(arguments.humans, players), names, strict=True)
    }
    game = Game(start, f"cards {seed}")
    console = terminal()
    _greet(game, arguments.humans, names, seed, console)
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - importing it gives the prompt history and line editing
    try:
        Session(game, bots, console, input).run()
    finally:
        for bot in bots.values():
            bot.close()
    if arguments.record:
        Path(arguments.record).write_text(str(game.record()), "utf-8")
        print(f"Record written: {arguments.record}")
    return 0


def _bot_names(names: list[str], seats: int) -> list[str]:
    """The names of the bots, one for each of their seats; a single name is used for all."""
    if len(names) == 1:
        return names * seats
    if len(names) != seats:
        places = "1 seat" if seats == 1 else f"{seats} seats"
        raise ValueError(f"{len(names)} bots for {places}: expected one name for all of them, or one for each")
    return names


def _start(arguments: Namespace, rng: Random) -> State:
    if arguments.position:
        state = read_position(arguments.position)
        return determinize(state, rng) if isinstance(state, Observation) else state
    if arguments.first:
        return State(first_game(arguments.players, arguments.option))
    sets = read_sets(arguments.sets)
    own = read_sections(arguments.sections)
    board = read_board(arguments.board, own) if arguments.board else None
    cards = arguments.cards.split(",") if arguments.cards else None
    return State(
        random_setup(
            rng,
            arguments.players,
            sets=sets,
            board=board,
            cards=cards,
            options=arguments.option,
            sections=sections_of(sets) | own,
        )
    )


def _greet(game: Game, humans: int, bots: list[str], seed: str, console: Console) -> None:
    setup = game.setup
    people = ", ".join(seat_letter(seat) for seat in range(humans))
    board = "/".join(map(str, setup.board.placed)) or board_text(setup.board)
    lines = [f"Kingdom Builder: {board}, seed {seed}"]
    lines += [f"  {card.name}: {card.text}" for card in (*setup.cards, *setup.tasks)]
    others = ", ".join(f"{seat_letter(seat)} {shown_name(name)}" for seat, name in enumerate(bots, humans))
    lines.append(f"People: {people or 'none'}; bots: {others or 'none'}. Type ? for help.")
    for line in lines:
        console.print(Text(line))
