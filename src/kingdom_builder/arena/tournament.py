"""Games between players: everybody sits on every seat of the same boards, with the same draws."""

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from itertools import combinations, groupby
from pathlib import Path
from random import Random
from time import perf_counter

from kingdom_builder.arena.results import Fault, Result, Times
from kingdom_builder.board import parse_sections
from kingdom_builder.content import random_setup, sections_of
from kingdom_builder.game import Game
from kingdom_builder.message import seat_letter
from kingdom_builder.notation import position_of
from kingdom_builder.notation.positions.reading import parse_board
from kingdom_builder.notation.span import Span
from kingdom_builder.players import GuardedPlayer, Player, budget_of, make_player, name_of, shown_name
from kingdom_builder.players.bot_log import BotLog
from kingdom_builder.players.budget import Budget, uninterrupted
from kingdom_builder.rules import Action, Setup, State, Turn, breakdown, observe, scores, turn_of, winners


@dataclass(frozen=True)
class Tournament:
    """Who plays, and on which boards. Every game follows from this alone, so games can be played in any order.

    The games of one board are a round: every combination of players for the seats, in every rotation.
    """

    players: Sequence[str | type[Player]]
    """Names as `make_player` takes them, or classes; each may occur several times."""
    seats: int = 2
    sets: Sequence[str] = ("base",)
    options: Sequence[str] = ()
    seed: int = 0
    board: str = ""
    """The board of all games as a position writes it: four sections, or a map; by default each game has its own."""
    sections: str = ""
    """The user's own sections for random boards, as the text of a map file."""

    def __post_init__(self) -> None:
        if len(self.players) < self.seats:
            raise ValueError(
                f"{len(self.players)} players for {self.seats} seats: "
                f"expected at least {self.seats}, a name may stand several times"
            )
        for name in self.names:
            make_player(name)
        for shown, names in groupby(sorted(set(self.names), key=shown_name), shown_name):
            if len(list(names)) > 1:
                raise ValueError(f"two players are called {shown}: expected a name of its own for each")
        self._setup(Random(0))

    def __str__(self) -> str:
        """The plan as text, different for every tournament."""
        options = f"options {','.join(self.options)}; " if self.options else ""
        board = f"board {self.board}; " if self.board else ""
        sections = f"sections {sha256(self.sections.encode()).hexdigest()[:8]}; " if self.sections else ""
        return (
            f"{' | '.join(self.names)}; {self.seats} seats; sets {','.join(self.sets)}; {board}{sections}{options}"
            f"seed {self.seed}; code {code_version()}"
        )

    @cached_property
    def names(self) -> list[str]:
        """The names of the players: that of a class is `py:module:Class`; with what they are to be called."""
        return [name_of(player) for player in self.players]

    @cached_property
    def seatings(self) -> list[tuple[str, ...]]:
        """The players by seat in the games on one board."""
        tables = combinations(self.names, self.seats)
        return list(dict.fromkeys(table[turn:] + table[:turn] for table in tables for turn in range(self.seats)))

    def seating(self, game: int) -> tuple[str, ...]:
        """The players by seat in the game of this number."""
        board, number = divmod(game, len(self.seatings))
        names = self.seatings[number]
        return names[::-1] if board % 2 else names  # so that with three players everybody follows everybody

    def whole_rounds(self, games: int) -> int:
        """This many games or a few more, so that nobody has better seats than others."""
        return -(-games // len(self.seatings)) * len(self.seatings)

    def _setup(self, rng: Random) -> Setup:
        board = parse_board(Span.of(self.board)) if self.board else None
        own = parse_sections(self.sections, "") if self.sections else {}
        pool = sections_of(self.sets) | own
        return random_setup(rng, self.seats, sets=self.sets, options=self.options, board=board, sections=pool)

    def play(self, game: int, bot_log: str | None = None) -> Result:
        """The game of this number; all that programs read and write is added to the file `bot_log`."""
        board = game // len(self.seatings)
        names = self.seating(game)
        rng = Random(f"{self.seed}/{board}")
        start = State(self._setup(rng))
        with uninterrupted(), ExitStack() as closed_at_the_end:  # so that no turn pays for another player's garbage
            players: list[GuardedPlayer] = []
            for seat, name in enumerate(names):
                log = BotLog(bot_log, f"{game}{seat_letter(seat)}") if bot_log else None
                player = GuardedPlayer(name, f"{self.seed}/{game}/{seat}", log)
                players.append(closed_at_the_end.enter_context(closing(player)))
            played = Game(start, rng)
            timed = _TimedPlayers(played, players, [budget_of(name) for name in names])
            for _ in played.run(timed.decide):
                pass
            timed.end_turn()
            for player in players:
                player.finish(played)
        final = played.state
        shown = [shown_name(name) for name in names]
        called = [player.called for player in players]
        record = played.record(Players=" | ".join(map(_signature, names, called)))
        return Result(
            plan=str(self),
            game=game,
            board=board,
            seed=self.seed,
            setup=position_of(start),
            players=shown,
            gold=scores(final),
            breakdown=[{line.card.key: line.gold for line in breakdown(final, seat)} for seat in range(self.seats)],
            tiles=[_tiles_taken(final, seat) for seat in range(self.seats)],
            winners=winners(final),
            rounds=final.round,
            times=timed.times,
            faults=timed.faults,
            record=str(record),
            called=called,
        )


@cache
def code_version() -> str:
    """A short hash of the source code that decides how games go, so that results of different code are not mixed."""
    package = Path(__file__).parent.parent
    whole = sha256()
    for part in ("hexes.py", "board", "rules", "content", "game.py", "players"):
        for file in sorted([package / part, *(package / part).rglob("*")]):
            if file.suffix in (".py", ".txt") and file.name != "hints.py":
                whole.update(file.read_bytes())
    return whole.hexdigest()[:8]


class _TimedPlayers:
    """The players of one game, with a clock for each turn."""

    def __init__(self, game: Game, players: Sequence[GuardedPlayer], budgets: Sequence[Budget | None]) -> None:
        self.game = game
        self.players = players
        self.budgets = budgets
        self.times = [Times() for _ in players]
        self.faults: list[Fault] = []
        self._turn: Turn | None = None
        self._wall = 0.0
        self._cpu: float | None = 0.0

    def decide(self, state: State) -> Action:
        """The action that the current player chooses."""
        if turn_of(state) != self._turn:
            self.end_turn()
            self._turn = turn_of(state)
        player = self.players[state.player]
        seen = observe(state, state.player)
        was_sound = player.fault is None
        player.prepare()
        player.follow(self.game)
        began_cpu, began = player.cpu_seconds(), perf_counter()
        action = player.choose(seen)
        self._wall += perf_counter() - began
        now_cpu = player.cpu_seconds()
        if began_cpu is None or now_cpu is None:
            self._cpu = None
        elif self._cpu is not None:
            self._cpu += max(0.0, now_cpu - began_cpu)
        if was_sound and player.fault is not None:
            self.faults.append(Fault(state.player, str(turn_of(state)), player.fault))
        return action

    def end_turn(self) -> None:
        """Record the time of the turn; that of a stand-in does not count."""
        if self._turn is not None and self.players[self._turn.seat].fault is None:
            seat = self._turn.seat
            budget = self.budgets[seat]
            limit, is_cpu = (budget.seconds, budget.is_cpu) if budget else (None, False)
            self.times[seat].include(Times.of_turn(self._wall, self._cpu, limit, is_cpu))
        self._wall = self._cpu = 0.0


def _signature(name: str, called: str) -> str:
    """What a record calls a player: as the command line does, else as its program calls itself, else the command."""
    shown = shown_name(name)
    return shown if shown != name else called or name


def _tiles_taken(state: State, seat: int) -> list[str]:
    """The tiles that a seat took during the game, by key."""
    setup = state.setup
    taken = state.taken[seat]
    return [setup.actions[kind].key for tile, kind in enumerate(setup.tile_kind) if taken >> tile & 1]
