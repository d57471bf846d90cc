"""The command replay."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.text import Text

from kingdom_builder.arena.results import read_results
from kingdom_builder.cli.arguments import number
from kingdom_builder.cli.show import show
from kingdom_builder.drawing.text import table, terminal
from kingdom_builder.notation import Record, parse_record, position_of, score_text
from kingdom_builder.notation.records import SCORE
from kingdom_builder.rules import EVERYTHING, State, turn_of

HELP = "Enter: next turn   b: back   7B: go to that turn   end: final scores   q: leave"


@dataclass
class Turn:
    """A turn of the record: how it began, what was played and what happened."""

    number: str
    start: State
    decision: State
    """Where somebody has to decide first: a turn may begin with a card that is drawn."""
    moves: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join([f"{self.number} {' '.join(self.moves)}", *(f"   {line}" for line in self.words)])


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "Example: kb replay game.kbr"
    parser.add_argument(
        "record", metavar="RECORD", help="a .kbr file, - for stdin, or with --game a file written by kb arena --out"
    )
    parser.add_argument("--game", type=number(0, None), metavar="N", help="the game of this number in such a file")
    parser.add_argument("--turn", metavar="TURN", help="show the board at the beginning of a turn, such as 7B")
    parser.add_argument(
        "--position", action="store_true", help="print that board, or the last one, as a line, such as kb hint - reads"
    )
    parser.add_argument("--svg", metavar="FILE", help="write a picture of that board, or of the last one, to this file")
    parser.add_argument("--all", action="store_true", help="show the whole game without stopping")


def run(arguments: Namespace) -> int:
    record = parse_record(read_record(arguments.record, arguments.game))
    turns, final = split_turns(record)
    console = terminal()
    if arguments.turn or arguments.svg or arguments.position:
        turn = turns[find_turn(turns, arguments.turn)] if arguments.turn else None
        if arguments.position:
            print(position_of(turn.decision if turn else final))
        else:
            show(turn.start if turn else final, svg=arguments.svg)
        return 0
    for key, value in record.tags.items():
        _say(console, f"{key}: {value}")
    if sys.stdin.isatty() and not arguments.all:
        step_through(turns, console, input)
    else:
        for turn in turns:
            _say(console, str(turn))
    console.print(table(final))
    _say(console, f"{'Final' if final.over else 'Present'} score: {score_text(final)}")
    if final.over and record.tags.get(SCORE, score_text(final)) != score_text(final):
        _say(console, f"The record says otherwise: {record.tags[SCORE]}")
        return 1
    return 0


def read_record(file: str, game: int | None) -> str:
    """The text of a record: a whole file, or a game of a file of results."""
    if game is None:
        text = sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
        if text.startswith("{"):
            raise ValueError(f"{file} looks like results of the arena: expected --game N, such as --game 0")
        return text
    games = list(read_results(file))
    found = [result for result in games if result.game == game]
    if not found:
        numbers = [result.game for result in games]
        known = f"expected a number from {min(numbers)} to {max(numbers)}" if games else "the file has none"
        raise ValueError(f"no game {game} in {file}: {known}")
    if len(found) > 1:
        raise ValueError(f"{len(found)} games {game} in {file}: expected the results of one tournament")
    return found[0].record


def split_turns(record: Record) -> tuple[list[Turn], State]:
    """The turns of the main line and the state after the last."""
    game = record.game(draws=False)
    turns: list[Turn] = []
    ply = 0
    for entry in record.line.entries:
        state = game.state_at(ply)
        name = str(turn_of(state))
        if not turns or turns[-1].number != name:
            turns.append(Turn(name, state, state))
        elif turns[-1].decision.awaiting:
            turns[-1].decision = state
        turns[-1].moves.append(entry.move)
        for _ in entry.actions:
            turns[-1].words += map(str, game.events_of(ply, EVERYTHING))
            ply += 1
        turns[-1].words += [f"({comment.strip()})" for comment in entry.comments]
    return turns, game.state


def find_turn(turns: list[Turn], number: str) -> int:
    """The index of a turn in the list."""
    numbers = [turn.number for turn in turns]
    if number.upper() not in numbers:
        known = f"expected {numbers[0]} to {numbers[-1]}" if numbers else "the record has none"
        raise ValueError(f"no turn {number!r}: {known}")
    return numbers.index(number.upper())


def step_through(turns: list[Turn], console: Console, read: Callable[[str], str]) -> None:
    """Show the turns one by one, as asked."""
    _say(console, HELP)
    place = 0
    while place < len(turns):
        console.print(table(turns[place].start))
        _say(console, str(turns[place]))
        try:
            answer = read("> ").strip()
        except EOFError:
            return
        if answer in ("q", "quit", "end"):
            return
        if answer == "b":
            place = max(0, place - 1)
        elif answer in ("", "n"):
            place += 1
        else:
            try:
                place = find_turn(turns, answer)
            except ValueError as error:
                _say(console, f"{error}\n{HELP}")


def _say(console: Console, text: str) -> None:
    console.print(Text(text), soft_wrap=True)
