"""The analysis of a game in several processes, with a file to go on from.

A line of the file is the JSON of a turn. It is written as soon as the turn is done, so nothing is lost when the command
is stopped.
"""

import json
from collections.abc import Iterator
from concurrent.futures import Future, as_completed
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from kingdom_builder.arena.tournament import code_version
from kingdom_builder.arena.workers import Workers
from kingdom_builder.game import Game
from kingdom_builder.notation import parse_position, position_of
from kingdom_builder.players.analysis import POSITIONS, analyse_turn, decided_turns
from kingdom_builder.rules import Action


@dataclass(frozen=True)
class TurnReport:
    """The analysis of a turn as plain values."""

    game: str
    """What the game and the way of analysing it are called: turns with another name do not belong together."""
    turn: str
    """Such as `3A`."""
    seat: int
    ply: int
    """The number of actions in the game before the turn."""
    moves: list[str]
    lost: float
    """The gold that the turn gave away."""
    accuracy: float
    mistake: str
    """`slip`, `mistake` or `blunder`; empty if the turn lost little."""
    better_ply: int
    """The number of actions in the game before the better line."""
    better: list[str]
    """The moves of the best line found, in notation; empty if none is better."""
    sentences: list[str]
    """What these moves do."""
    reasons: list[str]
    """What they are good for."""


def game_name(game: Game) -> str:
    """A name for a game and this way of analysing it."""
    played = f"{position_of(game.start)} {game.actions()} {POSITIONS} {code_version()}"
    return sha256(played.encode()).hexdigest()[:12]


def report_turn(game: str, position: str, actions: list[Action], ply: int) -> TurnReport:
    """The analysis of a turn that begins in a position; everything can be sent from process to process."""
    found = analyse_turn(parse_position(position), actions, ply)
    better = found.better
    return TurnReport(
        game,
        str(found.turn),
        found.turn.seat,
        ply,
        list(found.moves),
        found.lost,
        round(found.accuracy, 1),
        found.mistake,
        better.ply if better else ply,
        list(better.moves) if better else [],
        [str(event.message) for event in better.events] if better else [],
        [str(reason) for reason in better.reasons] if better else [],
    )


def report_game(game: Game, workers: Workers, file: str | Path | None = None) -> Iterator[TurnReport]:
    """The turns of a game as they are done, first those that a file has already; new ones are added to it.

    Raises ValueError if the file has turns of another game.
    """
    name = game_name(game)
    known = _read(file, name) if file else []
    yield from known
    done = {report.ply for report in known}
    actions = game.actions()
    executor, _ = workers
    running: list[Future[TurnReport]] = [
        executor.submit(
            report_turn, name, position_of(game.state_at(turn.begin)), actions[turn.begin : turn.end], turn.begin
        )
        for turn in decided_turns(game)
        if turn.begin not in done
    ]
    try:
        for future in as_completed(running):
            report = future.result()
            if file:
                with Path(file).open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(asdict(report)) + "\n")
            yield report
    finally:
        for future in running:
            future.cancel()


def _read(file: str | Path, name: str) -> list[TurnReport]:
    """The turns in a file. If the command was killed, an incomplete last line is cut off."""
    path = Path(file)
    if not path.exists():
        return []
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    found = []
    for number, line in enumerate(whole.decode("utf-8", "replace").splitlines(), 1):
        try:
            report = TurnReport(**json.loads(line))
        except (ValueError, TypeError):
            raise ValueError(f"{file}, line {number}: not a turn: expected a file that kb analyse wrote") from None
        if report.game != name:
            raise ValueError(
                f"{file} has turns of another game, or of another version: expected those of this record ({name})"
            )
        found.append(report)
    if not found and content:
        raise ValueError(f"{file}: not a turn: expected a file that kb analyse wrote")
    if whole != content:
        path.write_bytes(whole)
    return found
