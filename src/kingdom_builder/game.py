"""A game with its history: play moves by text, undo, look, and write the record."""

from collections.abc import Iterable
from random import Random

from kingdom_builder.content import first_game, random_setup
from kingdom_builder.hexes import AREA
from kingdom_builder.message import Message, Refusal
from kingdom_builder.notation import (
    NotationError,
    Record,
    legal_texts,
    parse_position,
    parse_record,
    play,
    position_of,
)
from kingdom_builder.rules import (
    DRAWN,
    Action,
    Event,
    Setup,
    State,
    breakdown,
    events,
    observe,
    random_draw,
    scores,
    winners,
)
from kingdom_builder.rules.scoring import ScoreLine
from kingdom_builder.svg import picture


class Game:
    """A game in progress. Cards are drawn by themselves whenever one is due; `str` is the position.

    >>> game = Game.first(seed=1)
    >>> game.play(game.legal_moves()[0])
    >>> game.undo()
    >>> game.scores()
    [0, 0]
    """

    def __init__(self, start: State, seed: object = None, actions: Iterable[Action] = ()) -> None:
        """A game that goes on from a state after some actions; the seed, or a generator, decides the cards drawn."""
        self.state = start.copy()
        self._random = _rng(seed)
        self.history: list[tuple[State, Action]] = []
        """Every action so far with the state before it."""
        for action in actions:
            self._apply(action)
        self._draw()

    @classmethod
    def first(cls, players: int = 2, *, seed: object = None, options: Iterable[str] = ()) -> "Game":
        """The setup that the rulebook recommends for the first game."""
        return cls(State(first_game(players, options)), seed)

    @classmethod
    def random(cls, players: int = 2, *, seed: object = None, options: Iterable[str] = ()) -> "Game":
        """Four random sections of the base game and three random cards; the same seed gives the same game."""
        rng = _rng(seed)
        return cls(State(random_setup(rng, players, options=options)), rng.random())

    @classmethod
    def from_position(cls, text: str, seed: object = None) -> "Game":
        return cls(parse_position(text), seed)

    @classmethod
    def from_record(cls, text: str, seed: object = None) -> "Game":
        """The game that a record tells, to be looked at or played on."""
        record = parse_record(text)
        return cls(record.start, seed, record.actions())

    @property
    def setup(self) -> Setup:
        return self.state.setup

    @property
    def player(self) -> int:
        """The seat whose turn it is."""
        return self.state.player

    @property
    def turn(self) -> tuple[int, int]:
        """The round and the seat in turn."""
        return self.state.round, self.state.player

    @property
    def over(self) -> bool:
        return self.state.over

    def legal_moves(self) -> list[str]:
        """The texts of all actions that are legal now."""
        return legal_texts(self.state)

    def play(self, move: str) -> None:
        """Carry out a move such as `k7`, `paddock:k7-m7` or `.`, then draw the card that may be due.

        Raises `NotationError` for what cannot be read and `IllegalMove` for what is forbidden; nothing changes then.
        """
        trial = self.state.copy()
        for action in play(trial, move):
            self._apply(action)
        self._draw()

    def undo(self) -> None:
        """Take the last action back. A drawn card cannot be taken back."""
        if not self.history:
            raise Refusal(Message("Nothing to undo: the game has just begun."))
        if self.history[-1][1] in DRAWN:
            raise Refusal(Message("Nothing to undo in this turn: a drawn card cannot be taken back."))
        self.state = self.history.pop()[0]

    def why_not(self, move: str) -> Message | None:
        """Why a move is not legal now; None if it is."""
        try:
            play(self.state.copy(), move)
        except NotationError as error:
            return error.message
        return None

    def scores(self) -> list[int]:
        """The gold of every seat as things stand."""
        return scores(self.state)

    def winners(self) -> list[int]:
        """The seats with most gold as things stand."""
        return winners(self.state)

    def breakdown(self, seat: int) -> list[ScoreLine]:
        """The gold of a seat by card, with the hexes that pay."""
        return breakdown(self.state, seat)

    @property
    def position(self) -> str:
        return position_of(self.state)

    def record(self, **tags: str) -> Record:
        """The record of the game so far."""
        start = self.history[0][0] if self.history else self.state
        return Record.of(start, [action for _, action in self.history], tags)

    def states(self) -> list[State]:
        """All states so far, from the start to the present one."""
        return [state for state, _ in self.history] + [self.state]

    def log(self, seat: int | None = None, since: int = 0) -> list[Event]:
        """What happened from some action on, as a seat saw it; without a seat, as a spectator saw it."""
        states = [observe(state, seat) for state in self.states()[since:]]
        actions = [action for _, action in self.history[since:]]
        return [
            event
            for before, action, after in zip(states[:-1], actions, states[1:], strict=True)
            for event in events(before, action, after)
        ]

    def __str__(self) -> str:
        return self.position

    def _repr_svg_(self) -> str:
        return picture(self.state, highlight=self.state.legal() & AREA)

    def _apply(self, action: Action) -> None:
        self.history.append((self.state.copy(), action))
        self.state.apply(action)

    def _draw(self) -> None:
        while self.state.awaiting:
            self._apply(random_draw(self.state, self._random.random))


def _rng(seed: object) -> Random:
    """The source of chance that a seed stands for; a generator stands for itself."""
    if isinstance(seed, Random):
        return seed
    return Random(None if seed is None else str(seed))
