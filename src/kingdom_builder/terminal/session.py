"""A game played in the terminal: people type moves, bots answer."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.text import Text

from kingdom_builder.drawing.text import table
from kingdom_builder.game import Game
from kingdom_builder.hexes import AREA, hex_names
from kingdom_builder.message import seat_letter
from kingdom_builder.notation import NotationError, position_of
from kingdom_builder.players import GuardedPlayer, find_hints
from kingdom_builder.rules import Action, Component, State, observe
from kingdom_builder.rules.reasons import prompt

HELP = """\
Type the hexes to build on, one or several: k7, or k7 k8 k9 (column, row).
Use a tile by name: farm:k7 builds there, paddock:k7-m7 moves from k7 to m7.
Several steps: quarry:k7,k8, or quarry:k7,done to stop; wagon:k7-k8,done; a
wagon is taken back by wagon:k7,other. Of several cards !C plays canyon.
End the turn with a dot. Where the terrain card lets you, you must build next
to your own settlements; * marks the legal hexes.

  .         end the turn             undo       take the last action back
  why HEX   why a hex is not legal   restart    take the whole turn back
  legal     the legal actions        score      gold, and what pays it
  tiles     what the locations do    cards      what the cards pay for
  log       what happened so far     board      draw the board again
  hint      good turns, and why      position   the position as a line
  save FILE write the record         quit       leave; shows how to go on
  ?         this help"""


class Session:
    """One game played at the terminal."""

    def __init__(
        self, game: Game, bots: Mapping[int, GuardedPlayer], console: Console, read: Callable[[str], str]
    ) -> None:
        """People play the seats without a bot; `read` asks them for moves, as the built-in `input` does."""
        self.game = game
        self.bots = bots
        people = [seat for seat in range(game.setup.players) if seat not in bots]
        self.console = console
        self.read = read
        self.watcher = people[0] if len(people) == 1 else None
        """The seat whose cards may be shown; None if several people share the terminal."""
        self._reported = len(game.plies)
        self._commands: dict[str, Callable[[str], None]] = {
            "?": lambda _: self._say(HELP),
            "help": lambda _: self._say(HELP),
            "undo": lambda _: self._undo(self.game.undo),
            "restart": lambda _: self._undo(self.game.undo_turn),
            "why": self._why,
            "hint": lambda _: self._hint(),
            "legal": lambda _: self._say(" ".join(self.game.legal_moves())),
            "tiles": lambda _: self._explain_components(self.game.setup.actions),
            "score": lambda _: self._score(),
            "cards": lambda _: self._explain_components(self.game.setup.scoring),
            "board": lambda _: self._draw(),
            "log": lambda _: self._report_since(0),
            "position": lambda _: self._say_line(self._position()),
            "save": self._save,
        }

    def run(self) -> None:
        """Play until the game is over or somebody leaves."""
        turn = None
        while not self.game.over:
            if self.game.player in self.bots:
                self._play_bot(self.bots[self.game.player])
                continue
            if turn != self.game.turn:
                turn = self.game.turn
                self._draw()
            line = self._ask()
            if line in ("quit", "exit", "q"):
                self._say_line(f"To go on later: kb play --position {self.game.position}")
                return
            self._handle(line)
        for bot in self.bots.values():
            bot.finish(self.game)
        self._draw()
        self._score()
        best = [seat_letter(seat) for seat in self.game.winners()]
        self._say(f"{' and '.join(best)} {'win' if len(best) > 1 else 'wins'} the game.")

    def _say(self, text: str) -> None:
        self.console.print(Text(text))

    def _say_line(self, text: str) -> None:
        """Print text that people may copy, without breaking lines."""
        self.console.print(Text(text), soft_wrap=True)

    def _ask(self) -> str:
        try:
            return self.read(f"{seat_letter(self.game.player)}> ").strip()
        except EOFError:
            return "quit"

    def _handle(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        command = self._commands.get(word.lower())
        if command is not None:
            command(rest.strip())
        elif line:
            self._play_moves(line.split())

    def _play_moves(self, moves: list[str]) -> None:
        turn = self.game.turn
        for move in moves:
            if self.game.over or self.game.turn != turn:
                self._say(f"Not played, since the turn was over: {move}")
                return
            try:
                self.game.play(move)
            except NotationError as error:
                self._say(str(error.message))
                return
            self._report()
        if not self.game.over and self.game.turn == turn:
            self._draw()

    def _play_bot(self, bot: GuardedPlayer) -> None:
        turn = self.game.turn
        was_sound = bot.fault is None
        for _ in self.game.run(partial(self._choice, bot)):
            if self.game.turn != turn and not self.game.state.awaiting:
                break
        if was_sound and bot.fault:
            self._say(f"The bot of {seat_letter(turn.seat)} {bot.fault}: another plays on for it.")
        self._report()

    def _choice(self, bot: GuardedPlayer, state: State) -> Action:
        bot.prepare()
        bot.follow(self.game)
        return bot.choose(observe(state, state.player))

    def _report(self) -> None:
        """Print what happened since the last call."""
        self._report_since(self._reported)
        self._reported = len(self.game.plies)

    def _report_since(self, ply: int) -> None:
        for event in self.game.log(self.watcher, ply):
            self._say(f"  {event}")

    def _draw(self) -> None:
        state = self.game.state
        seen = observe(state, self.watcher)
        self.console.print(table(seen, 0 if state.player in self.bots else seen.legal() & AREA))

    def _undo(self, undo: Callable[[], None]) -> None:
        try:
            undo()
        except ValueError as error:
            self._say(str(error))
            return
        self._reported = len(self.game.plies)
        self._draw()

    def _why(self, move: str) -> None:
        reason = self.game.why_not(move)
        self._say(str(reason) if reason else f"{move} is legal now. {prompt(self.game.state)}")

    def _explain_components(self, components: Collection[Component]) -> None:
        special = self.game.setup.board.special_kinds
        for each in components:
            self._say(f"{each.name}: {each.text_for(special)}")

    def _hint(self) -> None:
        for hint in find_hints(observe(self.game.state, self.game.player)):
            self._say_line(str(hint))

    def _score(self) -> None:
        for seat in range(self.game.setup.players):
            lines = self.game.breakdown(seat)
            self._say(f"{seat_letter(seat)}: {sum(line.gold for line in lines)} gold")
            for line in lines:
                self._say(f"  {line.card.name:12} {line.gold:3}  {' '.join(hex_names(line.hexes))}")

    def _position(self) -> str:
        return position_of(observe(self.game.state, self.watcher))

    def _save(self, file: str) -> None:
        if not file:
            self._say("save where? Expected a file name, as in: save game.kbr")
            return
        try:
            Path(file).write_text(str(self.game.record()), "utf-8")
        except OSError as error:
            self._say(f"{file}: {error.strerror}")
        else:
            self._say(f"Written: {file}")
