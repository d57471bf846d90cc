"""How well a policy plays, and how much of that it keeps on what it has not seen in training.

The games are those of the arena: a policy sits on every seat of the same boards, with the same draws.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from inspect import signature
from math import sqrt
from random import Random

from kingdom_builder.arena.ratings import Interval, mean_interval, wilson
from kingdom_builder.arena.tournament import code_version
from kingdom_builder.encoding import VERSION
from kingdom_builder.game import Game
from kingdom_builder.learn.games import Games
from kingdom_builder.learn.splits import SIDES, split
from kingdom_builder.players import LEVELS, GuardedPlayer, Player, imported, shown_name
from kingdom_builder.players.budget import uninterrupted
from kingdom_builder.players.network import Policy, PolicyPlayer
from kingdom_builder.players.registry import EXTERNAL, NETWORK
from kingdom_builder.rules import Action, Setup, State, observe, scores

FORMAT = 1
"""The version of what `kb learn evaluate --json` writes."""

ALL = "all"
"""The one part of an evaluation without a split: random base games of two."""

OPPONENTS = ("random", "easy", "greedy")
"""The ladder that a policy meets if nobody says another one: what answers at once."""

PREFIXES = (imported.PREFIX, EXTERNAL, NETWORK)
"""What the names of players begin with that are no levels."""


# ---- who plays -------------------------------------------------------------------------------------------------------


def is_player(name: str) -> bool:
    """Whether a name is one that the arena knows, and not `module:make`."""
    head, colon, _ = name.partition(":")
    return not colon or head in LEVELS or name.startswith(PREFIXES) or shown_name(name) != name


def make_policy_player(name: str, rng: Random) -> PolicyPlayer:
    """The policy that `module:make` makes, as a player; `make` gets `rng` if it has a parameter of this name.

    Raises ValueError if there is no such function, or if what it makes cannot be called.
    """
    module, _, function = name.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        make: Callable[..., Policy] = getattr(import_module(module), function)
    except Exception as error:  # a module can do anything when it is imported
        raise ValueError(f"{name!r} is not a policy: {type(error).__name__}: {error}; expected module:make") from error
    if not callable(make):
        raise ValueError(f"{name!r} is not a policy: expected a function that makes one")
    policy = make(rng=rng) if "rng" in signature(make).parameters else make()
    if not callable(policy):
        raise ValueError(f"{name!r} made {type(policy).__name__}: expected what can be called with an observation")
    return PolicyPlayer(policy)


# ---- games -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """How one game ended for the policy."""

    board: int
    seat: int
    gold: list[int]
    """The gold of all seats."""
    faults: int
    """How many seats a stand-in took over."""

    @property
    def own(self) -> int:
        """The gold of the policy."""
        return self.gold[self.seat]

    @property
    def others(self) -> list[int]:
        return self.gold[: self.seat] + self.gold[self.seat + 1 :]

    @property
    def share(self) -> float:
        """Its share of the victory."""
        return (self.own == max(self.gold)) / self.gold.count(max(self.gold))

    @property
    def ahead(self) -> float:
        """The share of the others that have less gold; one with equal gold counts half."""
        points = [1.0 if self.own > gold else 0.5 if self.own == gold else 0.0 for gold in self.others]
        return sum(points) / len(points)

    @property
    def lead(self) -> int:
        """The gold ahead of the best other seat."""
        return self.own - max(self.others)


@dataclass(frozen=True)
class Match:
    """A policy against an opponent, who has all other seats. Every game follows from this alone.

    On random setups the games are those of `kb arena POLICY OPPONENT` with the same seed.
    """

    policy: str
    opponent: str
    games: Games
    seed: int = 0

    def _start(self, board: int) -> tuple[Setup, Random]:
        rng = Random(f"{self.seed}/{board}")
        return self.games.next_setup(rng), rng

    def boards(self, games: int) -> range:
        """The boards that make at least this many games: one for each seat of each board."""
        board = 0
        while games > 0:
            games -= self._start(board)[0].players
            board += 1
        return range(board)

    def play(self, board: int) -> list[Outcome]:
        """The games on one board, with the policy on each seat."""
        seats = self._start(board)[0].players
        turns = [(seats - turn) % seats for turn in range(seats)]
        places = [seats - 1 - seat for seat in turns] if board % 2 else turns  # as the arena seats its players
        return [self._play(board, board * seats + number, seat) for number, seat in enumerate(places)]

    def _play(self, board: int, game: int, place: int) -> Outcome:
        setup, rng = self._start(board)
        with uninterrupted(), ExitStack() as closed_at_the_end:
            players: list[Player] = []
            for seat in range(setup.players):
                name, seed = self.policy if seat == place else self.opponent, f"{self.seed}/{game}/{seat}"
                if seat == place and not is_player(name):
                    players.append(make_policy_player(name, Random(seed)))
                else:
                    players.append(closed_at_the_end.enter_context(closing(GuardedPlayer(name, seed))))
            played = Game(State(setup), rng)
            for _ in played.run(partial(_decide, played, players)):
                pass
            guarded = [player for player in players if isinstance(player, GuardedPlayer)]
            for player in guarded:
                player.finish(played)
        return Outcome(board, place, scores(played.state), sum(player.fault is not None for player in guarded))


def _decide(game: Game, players: Sequence[Player], state: State) -> Action:
    player = players[state.player]
    if isinstance(player, GuardedPlayer):
        player.prepare()
        player.follow(game)
    return player.choose(observe(state, state.player))


# ---- what they show --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figure:
    """A measured number with its 95 % interval."""

    value: float
    interval: Interval

    def __sub__(self, other: "Figure") -> "Figure":
        """The difference of two independent figures, by Newcombe's method: it needs no more than their intervals."""
        value = self.value - other.value
        below = sqrt((self.value - self.interval[0]) ** 2 + (other.interval[1] - other.value) ** 2)
        above = sqrt((self.interval[1] - self.value) ** 2 + (other.value - other.interval[0]) ** 2)
        return Figure(value, (value - below, value + above))


@dataclass(frozen=True)
class Standing:
    """How a policy does against one opponent."""

    opponent: str
    games: int
    boards: int
    wins: Figure
    """The share of games that it won; a victory that n seats share counts 1/n."""
    par: float
    """The share that equal players would win."""
    ahead: Figure
    """The share of the others that it is ahead of; half of them for equal players, however many play."""
    lead: Figure
    """The gold ahead of the best other seat."""
    gold: float
    opponent_gold: float
    faults: int

    @classmethod
    def of(cls, opponent: str, outcomes: Sequence[Outcome]) -> "Standing":
        games = len(outcomes)
        others = [gold for outcome in outcomes for gold in outcome.others]
        leads = _by_board(outcomes, lambda outcome: outcome.lead)
        return cls(
            opponent,
            games,
            len(leads),
            _rate([outcome.share for outcome in outcomes]),
            sum(1 / len(outcome.gold) for outcome in outcomes) / games,
            _rate([outcome.ahead for outcome in outcomes]),
            Figure(sum(leads) / len(leads), mean_interval(leads)),
            sum(outcome.own for outcome in outcomes) / games,
            sum(others) / len(others),
            sum(outcome.faults for outcome in outcomes),
        )


def _rate(shares: Sequence[float]) -> Figure:
    return Figure(sum(shares) / len(shares), wilson(sum(shares), len(shares)))


def _by_board(outcomes: Sequence[Outcome], value: Callable[[Outcome], float]) -> list[float]:
    """The mean of a value on each board: games on the same board are not independent of each other."""
    found: dict[int, list[float]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.board, []).append(value(outcome))
    return [sum(values) / len(values) for values in found.values()]


@dataclass(frozen=True)
class Gap:
    """What is lost from training to test. A positive number is a loss."""

    opponent: str
    """Or `all`: all opponents together."""
    ahead: Figure
    lead: Figure


@dataclass(frozen=True)
class Evaluation:
    """What an evaluation found, with all that it takes to do it again."""

    policy: str
    split: str | None
    split_hash: str | None
    seed: int
    games: int
    """The games that were asked for, against each opponent in each part."""
    parts: dict[str, list[Standing]]
    """The standings by part: `train` and `test`, or `all` without a split."""
    gaps: list[Gap]
    """By opponent, then of all together; none without a split."""
    encoding: int = VERSION
    code: str = field(default_factory=code_version)
    """A hash of the rules and of our own players."""
    format: int = FORMAT


def evaluate(
    policy: str,
    split_name: str | None = None,
    *,
    opponents: Sequence[str] = OPPONENTS,
    games: int = 100,
    seed: int = 0,
    executor: Executor | None = None,
    watch: Callable[[int, int], None] = lambda done, of: None,
) -> Evaluation:
    """Play a policy against each opponent in each part of a split; without one, on random base games of two.

    `policy` is `module:make`, or any name that the arena knows. At least `games` games are played against each
    opponent in each part. `watch` is told how many boards are done.
    """
    for name in (policy, *opponents):
        if is_player(name):
            GuardedPlayer(name).close()
        elif name in opponents:
            raise ValueError(f"{name!r} is not a player: expected one of the arena as opponent")
        else:
            make_policy_player(name, Random(0))
    chosen = split(split_name) if split_name else None
    parts = {side: Games(draw=chosen.part(side)) for side in SIDES} if chosen else {ALL: Games()}
    matches = {(part, name): Match(policy, name, drawn, seed) for part, drawn in parts.items() for name in opponents}
    outcomes = _play_all(matches, games, executor, watch)
    gaps = []
    if chosen:
        train, test = ([outcomes[side, name] for name in opponents] for side in SIDES)
        gaps = [_gap(name, *pair) for name, *pair in zip(opponents, train, test, strict=True)]
        gaps.append(_gap_of_all(train, test))
    return Evaluation(
        policy,
        split_name,
        chosen.hash if chosen else None,
        seed,
        games,
        {part: [Standing.of(name, outcomes[part, name]) for name in opponents] for part in parts},
        gaps,
    )


Key = tuple[str, str]


def _play_all(
    matches: dict[Key, Match], games: int, executor: Executor | None, watch: Callable[[int, int], None]
) -> dict[Key, list[Outcome]]:
    """The outcomes of all matches, in the order of boards."""
    jobs = [(key, match, board) for key, match in matches.items() for board in match.boards(games)]
    found: dict[Key, dict[int, list[Outcome]]] = {key: {} for key in matches}
    for done, (key, board, outcomes) in enumerate(_results(jobs, executor), 1):
        found[key][board] = outcomes
        watch(done, len(jobs))
    return {key: [each for board in sorted(boards) for each in boards[board]] for key, boards in found.items()}


def _results(
    jobs: Sequence[tuple[Key, Match, int]], executor: Executor | None
) -> Iterator[tuple[Key, int, list[Outcome]]]:
    if executor is None:
        for key, match, board in jobs:
            yield key, board, match.play(board)
        return
    running = {executor.submit(match.play, board): (key, board) for key, match, board in jobs}
    for future in as_completed(running):
        yield *running[future], future.result()


def _gap(opponent: str, train: Sequence[Outcome], test: Sequence[Outcome]) -> Gap:
    of_train, of_test = Standing.of(opponent, train), Standing.of(opponent, test)
    return Gap(opponent, of_train.ahead - of_test.ahead, of_train.lead - of_test.lead)


def _gap_of_all(train: Sequence[Sequence[Outcome]], test: Sequence[Sequence[Outcome]]) -> Gap:
    """The gap over all opponents. They play on the same boards, so that each board counts as one game."""
    sides = []
    for outcomes in (train, test):
        flat = [outcome for of_opponent in outcomes for outcome in of_opponent]
        leads = _by_board(flat, lambda outcome: outcome.lead)
        lead = Figure(sum(leads) / len(leads), mean_interval(leads))
        sides.append((_rate(_by_board(flat, lambda outcome: outcome.ahead)), lead))
    (train_ahead, train_lead), (test_ahead, test_lead) = sides
    return Gap(ALL, train_ahead - test_ahead, train_lead - test_lead)
