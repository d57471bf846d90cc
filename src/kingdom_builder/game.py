"""A played game: its history, with draws, undo, reasons, log and record.

`Game` is the only history of a played game in the library. The server's tables, replays, records, the terminal, the
command line and the arena all use it. Searches and rollouts use only `State`.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import NamedTuple

from kingdom_builder.content import first_game, random_setup
from kingdom_builder.drawing.svg import picture
from kingdom_builder.hexes import AREA, BIT, HexSet
from kingdom_builder.message import Message, Refusal
from kingdom_builder.notation import (
    NotationError,
    Record,
    apply_steps,
    legal_texts,
    parse_move,
    parse_position,
    parse_record,
    parse_steps,
    position_of,
)
from kingdom_builder.rules import (
    DRAWN,
    EVERYTHING,
    Action,
    Deal,
    Event,
    Perspective,
    Setup,
    State,
    Turn,
    at_random,
    breakdown,
    drive,
    due_draws,
    events,
    scores,
    seen_by,
    turn_of,
    winners,
)
from kingdom_builder.rules.scoring import ScoreLine
from kingdom_builder.rules.state import HAND, HIDDEN

MOST_STEPS = 20
"""The most steps of one move. Some actions let a player choose another piece again and again."""


class Ply(NamedTuple):
    """An action, with the state before it."""

    state: State
    action: Action


class PlayedTurn(NamedTuple):
    """A turn of a game: the actions from number `begin` up to, but not including, `end`."""

    turn: Turn
    begin: int
    end: int


class Game:
    """A game in progress. Cards are drawn automatically when they are due; `str` is the position.

    >>> game = Game.first(seed=1)
    >>> game.play(game.legal_moves()[0])
    >>> game.undo()
    >>> game.scores()
    [0, 0]
    """

    def __init__(
        self,
        start: State,
        seed: object = None,
        actions: Iterable[Action] = (),
        *,
        draws: bool = True,
        deal: Deal | None = None,
    ) -> None:
        """A game that begins with a state and some actions; the seed, or a generator, decides the cards drawn.

        Without `draws`, a card that is due after these actions is not drawn yet. `deal` draws instead of the seed.
        """
        self.state = start.copy()
        self.plies: list[Ply] = []
        """Every action so far, with the state before it."""
        self._turn_starts = [0]
        """The number of actions before each turn."""
        self._turn = turn_of(self.state)
        self._seen: tuple[tuple[int, Perspective], State] | None = None
        self._random = _rng(seed)
        self._deal = deal or at_random(self._random.random)
        for action in actions:
            self.apply(action)
        if draws:
            self.draw()

    @classmethod
    def first(cls, players: int = 2, *, seed: object = None, options: Iterable[str] = ()) -> "Game":
        """The setup that the rulebook recommends for the first game."""
        return cls(State(first_game(players, options)), seed)

    @classmethod
    def random(
        cls, players: int = 2, *, sets: Iterable[str] = ("base",), seed: object = None, options: Iterable[str] = ()
    ) -> "Game":
        """Four random sections of these boxes and three random cards; the same seed gives the same game."""
        rng = _rng(seed)
        return cls(State(random_setup(rng, players, sets=tuple(sets), options=options)), rng.random())

    @classmethod
    def from_position(cls, text: str, seed: object = None) -> "Game":
        """A game that begins from a position."""
        return cls(parse_position(text), seed)

    @classmethod
    def from_record(cls, text: str, seed: object = None) -> "Game":
        """The game of a record, to look at or to play on."""
        return parse_record(text).game(seed)

    @classmethod
    def restore(cls, start: State, moves: str = "", seed: object = None, deal: Deal | None = None) -> "Game":
        """The game of a stored text of single actions, draws included; only cards in the text are drawn."""
        return cls(start, seed, parse_actions(start.setup, moves), draws=False, deal=deal)

    # ---- looking -------------------------------------------------------------------------------------------------

    @property
    def setup(self) -> Setup:
        return self.state.setup

    @property
    def start(self) -> State:
        """The state before the first action."""
        return self.plies[0].state if self.plies else self.state

    @property
    def player(self) -> int:
        """The seat whose turn it is."""
        return self.state.player

    @property
    def turn(self) -> Turn:
        """The current turn: its round and its seat."""
        return self._turn

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def position(self) -> str:
        return position_of(self.state)

    def legal_moves(self) -> list[str]:
        """The texts of all actions that are legal now."""
        return legal_texts(self.state)

    def why_not(self, move: str) -> Message | None:
        """Why a move is not legal now; None if it is."""
        try:
            self._try(move)
        except NotationError as error:
            return error.message
        return None

    def other_sources(self) -> HexSet:
        """The pieces that could have been chosen instead, if the last action only chose a piece to be moved."""
        source = self.state.source
        if source is None or not self.plies:
            return 0
        before, action = self.plies[-1]
        if action != source or before.source is not None or before.own != self.state.own:
            return 0
        return before.legal() & before.own[before.player] & ~(self.state.legal() & AREA | BIT[source])

    def scores(self) -> list[int]:
        """The gold of every seat at this moment."""
        return scores(self.state)

    def winners(self) -> list[int]:
        """The seats with the most gold at this moment."""
        return winners(self.state)

    def breakdown(self, seat: int) -> list[ScoreLine]:
        """The gold of a seat by card, with the hexes that pay."""
        return breakdown(self.state, seat)

    # ---- playing -------------------------------------------------------------------------------------------------

    def play(self, move: str) -> None:
        """Carry out a move such as `k7`, `paddock:k7-m7` or `.`, then draw the cards that are due.

        Raises `NotationError` for text that cannot be read and `IllegalMove` for a forbidden move; then nothing
        changes.
        """
        for action in self.actions_of(move):
            self.apply(action)

    def actions_of(self, move: str) -> list[Action]:
        """The actions of a move and the draws that follow it; the game does not change. Raises as `play` does."""
        trial, actions = self._try(move)
        return actions + due_draws(trial, self._deal)

    def decisions_of(self, move: str) -> list[Action]:
        """The actions of a move without the draws that follow it; the game does not change. Raises as `play` does."""
        return self._try(move)[1]

    def _try(self, move: str) -> tuple[State, list[Action]]:
        """The state after a player's move, and the actions of the move.

        A draw is never such a move, legal or not: the reason would reveal what is left in the pile.
        """
        steps = parse_steps(self.setup, move)
        if len(steps) > MOST_STEPS:
            raise NotationError(
                Message("A move of {n} {n:step|steps}: expected at most {most}.", n=len(steps), most=MOST_STEPS),
                move,
                0,
            )
        if any(action in DRAWN for _, action in steps):
            raise NotationError(Message("Cards draw themselves: a move cannot draw one."), move, 0)
        trial = self.state.copy()
        apply_steps(trial, steps)
        return trial, [action for _, action in steps]

    def apply(self, action: Action) -> None:
        """Carry out a single action, which may be a draw; no card is drawn after it. Raises `IllegalAction`."""
        before = self.state.copy()
        self.state.apply(action)
        self.plies.append(Ply(before, action))
        self._note_turn()

    def draw(self) -> None:
        """Draw the cards that are due."""
        for action in due_draws(self.state, self._deal):
            self.apply(action)

    def run(self, decide: Callable[[State], Action]) -> Iterator[Action]:
        """Play on until the game is over, as `drive` does."""
        return drive(self.state, decide, self._random.random, self.apply, self._deal)

    def _note_turn(self) -> None:
        turn = turn_of(self.state)
        if turn != self._turn:
            self._turn = turn
            self._turn_starts.append(len(self.plies))

    # ---- undo ----------------------------------------------------------------------------------------------------

    @property
    def undo_limit(self) -> int:
        """The number of actions that must stay: undo stops at a draw and at another seat's decision.

        When the game is over, everything stays.
        """
        ply = len(self.plies)
        while ply and not self.over:
            before, action = self.plies[ply - 1]
            if action in DRAWN or before.player != self.player:
                break
            ply -= 1
        return ply

    def undo(self) -> None:
        """Take the last action back. Raises Refusal if it must stay."""
        self.check_undo()
        self.undo_to(len(self.plies) - 1)

    def undo_turn(self) -> None:
        """Take back as much of the current turn as possible. Raises Refusal if nothing can be taken back."""
        self.check_undo()
        self.undo_to(self.turn_limit)

    @property
    def turn_limit(self) -> int:
        """The number of actions that stay when the turn is taken back."""
        return max(self.undo_limit, self._turn_starts[-1])

    def undo_to(self, ply: int) -> None:
        """Go back to the state after this many actions, even behind an undo barrier: logs may have to."""
        if ply < len(self.plies):
            self.state = self.plies[ply].state
            del self.plies[ply:]
            self._seen = None
            del self._turn_starts[bisect_right(self._turn_starts, ply) :]
            self._turn = turn_of(self.state)

    def check_undo(self) -> None:
        """Raise Refusal if nothing can be taken back."""
        if self.undo_limit < len(self.plies):
            return
        if not self.plies:
            raise Refusal(Message("Nothing to undo: the game has just begun."), "illegal")
        if self.over:
            raise Refusal(Message("Nothing to undo: the game is over."), "illegal")
        if self.plies[-1].action in DRAWN:
            raise Refusal(Message("Nothing to undo in this turn: a drawn card cannot be taken back."), "illegal")
        raise Refusal(Message("Nothing to undo in this turn: the last decision was another player's."), "illegal")

    # ---- the history ---------------------------------------------------------------------------------------------

    def actions(self) -> list[Action]:
        """Every action so far."""
        return [ply.action for ply in self.plies]

    def state_at(self, ply: int) -> State:
        """The state after this many actions."""
        return self.plies[ply].state if ply < len(self.plies) else self.state

    def states(self) -> list[State]:
        """All states so far, from the first to the current one."""
        return [*(ply.state for ply in self.plies), self.state]

    def turns(self) -> list[PlayedTurn]:
        """The turns so far, the current one included."""
        ends = [*self._turn_starts[1:], len(self.plies)]
        return [
            PlayedTurn(turn_of(self.state_at(begin)), begin, end)
            for begin, end in zip(self._turn_starts, ends, strict=True)
        ]

    def events_of(self, ply: int, perspective: Perspective = None) -> list[Event]:
        """What the action after the first `ply` changed, as somebody saw it."""
        before = self._seen_at(ply, perspective)
        return events(before, self.plies[ply].action, self._seen_at(ply + 1, perspective))

    def _seen_at(self, ply: int, perspective: Perspective) -> State:
        """A state as somebody sees it. The last one is kept: logs ask for the same again with the next action."""
        if perspective == EVERYTHING:
            return self.state_at(ply)
        if self._seen is None or self._seen[0] != (ply, perspective):
            self._seen = (ply, perspective), seen_by(perspective, self.state_at(ply))
        return self._seen[1]

    def log(self, perspective: Perspective = None, since: int = 0) -> list[Event]:
        """What happened from an action on, as a seat saw it; without a seat, as a spectator saw it."""
        return [event for ply in range(since, len(self.plies)) for event in self.events_of(ply, perspective)]

    def last_placed(self, ply: int | None = None) -> HexSet:
        """Where pieces were put in the turn after this many actions, and in everybody else's turns before it."""
        ply = len(self.plies) if ply is None else ply
        turn = bisect_right(self._turn_starts, ply) - 1
        begin = self.state_at(self._turn_starts[max(0, turn - self.setup.players + 1)])
        return self.state_at(ply).occupied() & ~begin.occupied()

    def known_prefix(self, perspective: Perspective) -> int | None:
        """The number of actions that can be shown to somebody without revealing a card that is hidden from them now.

        None if the start itself has such a card.
        """
        hidden = [hand.count(HIDDEN) for hand in seen_by(perspective, self.state).hands]
        known = len(self.plies)
        for ply in range(len(self.plies) - 1, -1, -1):
            before, action = self.plies[ply]
            if action in DRAWN and before.awaiting == HAND and hidden[before.player]:
                hidden[before.player] -= 1
                known = ply
        return None if any(hidden) else known

    def record(self, **tags: str) -> Record:
        """The record of the game so far."""
        return Record.of(self.start, self.actions(), tags)

    def __str__(self) -> str:
        return self.position

    def __repr__(self) -> str:
        return f"Game.from_record({str(self.record())!r})"

    def _repr_svg_(self) -> str:
        return picture(self.state, highlight=self.state.legal() & AREA)


def parse_actions(setup: Setup, moves: str) -> list[Action]:
    """The actions of a text in which each word is a single action."""
    return [action for move in moves.split() for action in parse_move(setup, move)]


def _rng(seed: object) -> Random:
    """The random generator of a seed; a generator is returned as it is."""
    if isinstance(seed, Random):
        return seed
    return Random(None if seed is None else str(seed))
