"""Players that are programs, in any language: `docs/bots.md` specifies what they read and write."""

import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from random import Random
from time import monotonic

from kingdom_builder.game import Game
from kingdom_builder.message import seat_letter
from kingdom_builder.notation import (
    IllegalMove,
    NotationError,
    apply_steps,
    join_moves,
    legal_texts,
    map_text,
    parse_steps,
    position_of,
    score_text,
)
from kingdom_builder.notation.moves import DRAW_MARK
from kingdom_builder.players import kept
from kingdom_builder.players.bot_log import PLAYS, BotLog
from kingdom_builder.players.budget import Budget
from kingdom_builder.players.names import NAME
from kingdom_builder.players.programs import BotFailure, Program
from kingdom_builder.rules import Action, Observation, State, observe, turn_of

GREETING = "kb 1"
"""The first line. It never changes: a program that can do more says so in its answer."""

READY, NEW_GAME = "ready", "newgame"

START_SECONDS = 10.0
"""How long a program may take to say that it is ready."""

PATIENCE = 10
"""A program that thinks this many times longer than a turn may take has stalled."""

CPU_PATIENCE = 100
"""The same by the clock, if the budget is CPU time: a busy machine may make others wait for long."""


@dataclass(frozen=True)
class Introduction:
    """What a program says when it is ready."""

    name: str
    """What it calls itself; empty for protocol 1."""
    plays_on: bool
    """Whether it can play another game after the first."""

    @property
    def protocol(self) -> int:
        """1, with as few lines as possible, or 2."""
        return 2 if self.name else 1

    @classmethod
    def parse(cls, answer: str) -> "Introduction":
        match = re.fullmatch(rf"{READY}(?: +({NAME})( +{NEW_GAME})?)?", answer)
        if match is None:
            raise BotFailure(
                f"wrote {_shortened(answer)} instead of '{READY}', '{READY} NAME' or '{READY} NAME {NEW_GAME}'"
            )
        return cls(match[1] or "", match[2] is not None)


class ExternalPlayer:
    """A program that plays one seat of one game. It is started when it is first asked for an action."""

    def __init__(self, name: str, command: str, budget: Budget, seed: object = None, log: BotLog | None = None) -> None:
        """`name` is the player's, `budget` a time for each turn."""
        try:
            self.arguments = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"'run:{command}' is not a player: {error}") from None
        if not self.arguments:
            raise ValueError("'run:' is not a player: expected a command, as in 'run:python examples/bot.py'")
        if shutil.which(self.arguments[0]) is None:
            raise ValueError(f"'run:{command}' is not a player: there is no program {self.arguments[0]!r}")
        if budget.is_cpu and sys.platform != "linux":
            raise ValueError(f"'run:{command}' cannot play by CPU time: expected Linux, or a time such as 100ms")
        self.name = name
        self.introduction = Introduction("", False)
        self._seconds = budget.seconds or 0.0
        self._in_cpu = budget.is_cpu
        self._patience = self._seconds * (CPU_PATIENCE if budget.is_cpu else PATIENCE)
        self._seed = Random(None if seed is None else str(seed)).randrange(2**31)
        self._log = log
        self._program: Program | None = None
        self._seat: int | None = None
        """Its seat, once the program knows of the game."""
        self._knows_end = False
        self._told = 0
        """The number of actions of the game that it knows of."""
        self._news: list[str] = []
        """Lines about the others' moves that it has not been sent yet."""
        self._turn: object = None
        self._spent = self._waited = 0.0
        """Of the budget in this turn, and by the clock."""
        self._plan: list[Action] = []
        """The rest of its last answer."""

    def start(self) -> Program:
        """The program, ready for a game; it is started if none waits for one."""
        if self._program is None:
            if self._log:
                self._log.note(PLAYS, self.name)
            waiting = kept.take(self.name)
            program = self._program = waiting or Program(self.arguments)
            program.log = self._log
            program.write(NEW_GAME if waiting else GREETING)
            self.introduction = Introduction.parse(program.answer(START_SECONDS))
        return self._program

    def follow(self, game: Game) -> None:
        """Note what the others have played, so that the program is told when it is next asked."""
        if self.introduction.protocol > 1:
            seat = game.player if self._seat is None else self._seat
            for turn, begin, end in game.turns():
                first = max(begin, self._told)
                if turn.seat != seat and first < end:
                    moves = join_moves(game.state_at(first), game.actions()[first:end])
                    decided = [move for move in moves if not move.startswith(DRAW_MARK)]
                    if decided:
                        self._news.append(f"played {turn} {' '.join(decided)}")
            self._told = len(game.plies)

    def finish(self, game: Game) -> None:
        """Tell the program how a game ended that it has played."""
        if self._program is not None and self._seat is not None and self.introduction.protocol > 1:
            self.follow(game)
            last = position_of(observe(game.state, self._seat))
            self._program.write(*self._news, f"position {last}", f"result {score_text(game.state)}")
            self._knows_end = True

    def choose(self, seen: Observation) -> Action:
        if turn_of(seen) != self._turn:
            self._turn = turn_of(seen)
            self._spent = self._waited = 0.0
            self._plan = []
        if not self._plan:
            self._plan = self._ask(seen)
        return self._plan.pop(0)

    def cpu_seconds(self) -> float | None:
        """The CPU time that its program has used so far; None where the system does not tell."""
        return None if self._program is None else self._program.cpu_seconds()

    def close(self) -> None:
        """Let the program wait for another game if it can; else ask it to quit, and kill it if it does not."""
        if self._program is not None:
            can_wait = self._knows_end and self.introduction.plays_on
            if not (can_wait and kept.keep(self.name, self._program)):
                self._program.close()
            self._program = None

    def _ask(self, seen: Observation) -> list[Action]:
        """The actions that the program answers."""
        program = self.start()
        game = [] if self._seat is not None else self._game_lines(seen)
        self._seat = seen.player
        news, self._news = self._news, []
        position, legal = f"position {position_of(seen)}", f"legal {' '.join(legal_texts(seen))}"
        left = max(0.0, self._seconds - self._spent)
        began, began_cpu = monotonic(), self._cpu()
        program.write(*game, *news, position, legal, f"go {round(left * 1000)}")
        answer = program.answer(self._patience - self._waited)
        waited = monotonic() - began
        self._waited += waited
        self._spent += max(0.0, self._cpu() - began_cpu) if self._in_cpu else waited
        word, *moves = answer.split()
        if word != "move" or not moves:
            raise BotFailure(f"wrote {_shortened(answer)} instead of 'move ...'")
        return _actions(seen, moves)

    def _game_lines(self, seen: Observation) -> list[str]:
        """The lines that begin a game."""
        game = f"game seed {self._seed} time {round(self._seconds * 1000)}"
        if self.introduction.protocol == 1:
            return [game]
        clock = "cpu" if self._in_cpu else "wall"
        return [f"{game} seat {seat_letter(seen.player)} clock {clock}", f"map {map_text(seen.setup.board)}"]

    def _cpu(self) -> float:
        """The CPU time of the program so far, if that is what counts."""
        return (self.cpu_seconds() or 0.0) if self._in_cpu else 0.0


def _actions(seen: Observation, moves: list[str]) -> list[Action]:
    """The actions of some moves up to the first card that is drawn, or to the end of the turn."""
    trial = seen.until_next_draw()
    actions: list[Action] = []
    for move in moves:
        if not _goes_on(trial, seen):
            break
        try:
            for step in parse_steps(seen.setup, move):
                if _goes_on(trial, seen):
                    apply_steps(trial, [step])
                    actions.append(step[1])
        except IllegalMove as error:
            raise BotFailure(f"played {_shortened(move)}, which is not legal: {error.message}") from None
        except NotationError:
            raise BotFailure(f"played {_shortened(move)}, which is not legal") from None
    return actions


def _goes_on(state: State, seen: Observation) -> bool:
    """Whether the turn goes on in which this was seen, and no card is due."""
    return not state.awaiting and not state.over and turn_of(state) == turn_of(seen)


def _shortened(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}...")
