"""Which games are played for learning, and what a finished game is worth to each seat."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from kingdom_builder.content import random_setup
from kingdom_builder.encoding import Encoder
from kingdom_builder.notation import parse_position
from kingdom_builder.players.player import Player
from kingdom_builder.players.registry import make_player
from kingdom_builder.rules import Action, Observation, Setup, State, determinize, observe, scores, winners
from kingdom_builder.rules.chance import random_draw

Illegal = Literal["lose", "raise"]
"""What an illegal action does: it loses the game, or raises `IllegalAction` and changes nothing."""

MOST_PLAYERS = 5

Reward = Literal["victory", "gold", "lead", "rank"]
"""What a finished game pays: see `rewards_for`."""


@dataclass(frozen=True)
class Games:
    """Where setups come from: drawn at random, always the same, or drawn by a function such as a part of a split."""

    players: int = 2
    sets: Sequence[str] = ("base",)
    setup: Setup | None = None
    """The one setup of all games; `players` and `sets` do not matter then."""
    draw: Callable[[Random], Setup] | None = None
    """Draws the setup of each game; `players` and `sets` do not matter then."""

    @property
    def most_players(self) -> int:
        """The most seats that a game can have."""
        if self.setup is not None:
            return self.setup.players
        return MOST_PLAYERS if self.draw is not None else self.players

    def next_setup(self, rng: Random) -> Setup:
        """The setup of the next game."""
        if self.setup is not None:
            return self.setup
        return self.draw(rng) if self.draw is not None else random_setup(rng, self.players, sets=self.sets)


def rewards(state: State, reward: Reward = "victory") -> list[float]:
    """What a finished game is worth to each seat: see `rewards_for`."""
    return rewards_for(scores(state), reward)


def rewards_for(gold: list[int], reward: Reward) -> list[float]:
    """What a finished game is worth to each seat, from the gold of all.

    `victory`: 1 for the winner, less for the others, 0 in sum; a shared victory is shared. `gold`: the gold.
    `lead`: the gold ahead of the best other seat. `rank`: from 1 for the first to -1 for the last, equals in the middle
    of their places.
    """
    others = len(gold) - 1
    match reward:
        case "victory":
            winners = gold.count(max(gold))
            shares = [(each == max(gold)) / winners for each in gold]
            return [(share * len(gold) - 1) / others for share in shares]
        case "gold":
            return [float(each) for each in gold]
        case "lead":
            return [float(each - max(gold[:seat] + gold[seat + 1 :])) for seat, each in enumerate(gold)]
        case "rank":
            return [
                (sum(other < each for other in gold) - sum(other > each for other in gold)) / others for each in gold
            ]


def summary(state: State) -> dict[str, Any]:
    """What is told of a finished game: the gold of the seats, by card too, and who has won."""
    seats = range(state.setup.players)
    return {
        "gold": scores(state),
        "gold_by_card": [gold_by_card(state, seat) for seat in seats],
        "winners": winners(state),
    }


def gold_by_card(state: State, seat: int) -> dict[str, int]:
    """The gold of a seat now, by the key of the card."""
    return {card.key: card.score(state, seat)[0] for card in state.setup.scoring}


class Run:
    """A game that is played by the common numbers of actions. Draws are made at random as soon as they are due."""

    def __init__(self, start: Setup | State, rng: Random, *, gold: bool = False) -> None:
        """A new game on a setup, or one that goes on from a state; `gold` is for the encoder."""
        self.state = State(start) if isinstance(start, Setup) else start.copy(State)
        self.encoder = Encoder(self.state.setup, gold=gold)
        self._random = rng.random
        self._draw()

    def play(self, number: int) -> None:
        """Carry out the action with this number. Raises `IllegalAction` and changes nothing if it is not legal."""
        self.act(self.encoder.action(number))

    def act(self, action: Action) -> None:
        """Carry out an action of the engine."""
        self.state.apply(action)
        self._draw()

    def _draw(self) -> None:
        state = self.state
        while state.awaiting:
            state.apply(random_draw(state, self._random))


class Against(Run):
    """A game in which one seat is played from outside, and the others by players."""

    def __init__(
        self, start: Setup | State, rng: Random, seat: int | None, opponents: Sequence[str], *, gold: bool = False
    ) -> None:
        """`seat` is drawn at random if it is None; `opponents` are names of players and start over if they are few."""
        super().__init__(start, rng, gold=gold)
        players = self.state.setup.players
        self.seat = rng.randrange(players) if seat is None else seat
        if not 0 <= self.seat < players:
            raise ValueError(f"seat {seat}: expected 0 to {players - 1}")
        others = [other for other in range(players) if other != self.seat]
        self._players: dict[int, Player] = {
            other: make_player(opponents[number % len(opponents)], rng.getrandbits(32))
            for number, other in enumerate(others)
        }
        self._let_others_play()

    def play(self, number: int) -> None:
        super().play(number)
        self._let_others_play()

    def _let_others_play(self) -> None:
        state = self.state
        while not state.over and state.player != self.seat:
            self.act(self._players[state.player].choose(observe(state, state.player)))


def check_opponents(opponents: Sequence[str]) -> list[str]:
    """The names of players, each of them known. Raises ValueError for others."""
    if not opponents:
        raise ValueError("no opponents: expected at least one name of a player, such as 'greedy'")
    for name in opponents:
        make_player(name)
    return list(opponents)


def begin(
    games: Games,
    rng: Random,
    options: Mapping[str, Any] | None = None,
    *,
    seat: int | None = None,
    opponents: Sequence[str] = (),
    gold: bool = False,
) -> Run:
    """The next game, or the one that the options of a reset ask for by `setup` or `position`; others are for wrappers.

    With opponents it is a game `Against` them.
    """
    return run_of(start_of(games, rng, options or {}), rng, seat=seat, opponents=opponents, gold=gold)


def run_of(
    start: Setup | State, rng: Random, *, seat: int | None = None, opponents: Sequence[str] = (), gold: bool = False
) -> Run:
    """The game that begins with this."""
    return Against(start, rng, seat, opponents, gold=gold) if opponents else Run(start, rng, gold=gold)


def start_of(games: Games, rng: Random, options: Mapping[str, Any]) -> Setup | State:
    """What a game begins with: the `position` or the `setup` of the options, or else the next setup."""
    if "position" in options:
        return read_start(options["position"], rng)
    setup = options.get("setup") or games.next_setup(rng)
    if not isinstance(setup, Setup):
        raise ValueError(f"reset option 'setup': expected a Setup, not {type(setup).__name__}")
    return setup


def read_start(position: str, rng: Random) -> State:
    """The state of a position; hidden cards are dealt at random."""
    state = parse_position(position)
    return determinize(state, rng) if isinstance(state, Observation) else state
