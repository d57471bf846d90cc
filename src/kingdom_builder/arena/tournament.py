"""Games between players: everybody sits on every seat of the same boards, with the same draws."""

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from random import Random
from time import perf_counter, process_time

from kingdom_builder.arena.results import Fault, Result, Times
from kingdom_builder.board import parse_sections
from kingdom_builder.content import random_setup, sections_of
from kingdom_builder.game import Game
from kingdom_builder.notation import position_of
from kingdom_builder.notation.positions.reading import parse_board
from kingdom_builder.notation.span import Span
from kingdom_builder.players import GuardedPlayer, Player, make_player, name_of, seconds_of
from kingdom_builder.players.budget import uninterrupted
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
        """The names of the players: that of a class is `py:module:Class`."""
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

    def play(self, game: int) -> Result:
        """The game of this number."""
        board = game // len(self.seatings)
        names = self.seating(game)
        rng = Random(f"{self.seed}/{board}")
        start = State(self._setup(rng))
        with uninterrupted(), ExitStack() as closed_at_the_end:  # so that no turn pays for another player's garbage
            players = [
                closed_at_the_end.enter_context(closing(GuardedPlayer(name, f"{self.seed}/{game}/{seat}")))
                for seat, name in enumerate(names)
            ]
            timed = _TimedPlayers(players, [seconds_of(name) for name in names])
            played = Game(start, rng)
            for _ in played.run(timed.decide):
                pass
            timed.end_turn()
        final = played.state
        record = played.record(Players=" | ".join(names))
        return Result(
            plan=str(self),
            game=game,
            board=board,
            seed=self.seed,
            setup=position_of(start),
            players=list(names),
            gold=scores(final),
            breakdown=[{line.card.key: line.gold for line in breakdown(final, seat)} for seat in range(self.seats)],
            tiles=[_tiles_taken(final, seat) for seat in range(self.seats)],
            winners=winners(final),
            rounds=final.round,
            times=timed.times,
            faults=timed.faults,
            record=str(record),
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

    def __init__(self, players: Sequence[GuardedPlayer], limits: Sequence[float | None]) -> None:
        self.players = players
        self.limits = limits
        self.times = [Times() for _ in players]
        self.faults: list[Fault] = []
        self._turn: Turn | None = None
        self._wall = self._cpu = 0.0

    def decide(self, state: State) -> Action:
        """The action that the current player chooses."""
        if turn_of(state) != self._turn:
            self.end_turn()
            self._turn = turn_of(state)
        player = self.players[state.player]
        seen = observe(state, state.player)
        was_sound = player.fault is None
        player.prepare()
        began, began_cpu = perf_counter(), process_time()
        action = player.choose(seen)
        self._wall += perf_counter() - began
        self._cpu += process_time() - began_cpu
        if was_sound and player.fault is not None:
            self.faults.append(Fault(state.player, str(turn_of(state)), player.fault))
        return action

    def end_turn(self) -> None:
        """Record the time of the turn; that of a stand-in does not count."""
        if self._turn is not None and self.players[self._turn.seat].fault is None:
            seat = self._turn.seat
            self.times[seat].include(Times.of_turn(self._wall, self._cpu, self.limits[seat]))
        self._wall = self._cpu = 0.0


def _tiles_taken(state: State, seat: int) -> list[str]:
    """The tiles that a seat took during the game, by key."""
    setup = state.setup
    taken = state.taken[seat]
    return [setup.actions[kind].key for tile, kind in enumerate(setup.tile_kind) if taken >> tile & 1]
