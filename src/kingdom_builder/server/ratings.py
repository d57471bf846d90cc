"""Ratings: how strong somebody plays in a pool, and how the result of a game changes that (docs/ratings.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import isnan, log, sqrt

from kingdom_builder.players.registry import LEVELS

POOLS = ("live-2", "live-many", "days-2", "days-many")
"""The pools, each with ratings of its own: by the clock, and for two players or three to five."""

PAIR, MOST_PLAYERS = 2, 5

MU, SIGMA = 25.0, 25 / 3
"""What a newcomer is taken for: the strength of `greedy`, with an uncertainty that spans from `easy` to `hard`."""

BETA = SIGMA / 2
"""How much luck there is in a game, on the scale of mu."""

TAU = SIGMA / 100
"""The uncertainty that every game adds, since people change."""

POINTS = 400 / log(10) / (sqrt(2) * BETA)
"""The points of a difference of 1 in mu: 29.48. With it, as in chess, 400 points more are odds of 10 to 1."""

MIDDLE, LEAST, MOST = 1500, 0, 3000
"""The points of a newcomer and of `greedy`, and the bounds of what is shown."""

SMALLEST_SIGMA = 0.5
"""The uncertainty of a bot, 15 points: what the games of our ladder leave. Nobody's is smaller."""

PROVISIONAL_SIGMA = 4.75
"""The uncertainty above which a rating is provisional: 140 points."""

CAUTION = 2
"""The number of sigmas that a leaderboard takes off."""

ALL_PAIRS = 100
"""A window beyond every table: each seat is compared with each other one, wherever it stands in the ranking."""


@dataclass(frozen=True)
class Rating:
    """A strength on the scale of openskill, how uncertain it is, and after how many games.

    Whatever it is made of, it is within bounds: what is not a number is taken for a newcomer's.
    """

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0

    def __post_init__(self) -> None:
        mu = MU if isnan(self.mu) else min(max(self.mu, _mu_of(LEAST)), _mu_of(MOST))
        sigma = SIGMA if isnan(self.sigma) else min(max(self.sigma, SMALLEST_SIGMA), SIGMA)
        object.__setattr__(self, "mu", mu)
        object.__setattr__(self, "sigma", sigma)

    @property
    def shown(self) -> int:
        """The number that people see, from 0 to 3000; 400 more are odds of 10 to 1.

        >>> NEW.shown, Rating(mu=30, sigma=3, games=20).shown
        (1500, 1647)
        """
        return round(MIDDLE + POINTS * (self.mu - MU))

    @property
    def is_provisional(self) -> bool:
        """Whether there were too few games to go by the number: fewer than 12 to 16, if opponents are well known."""
        return self.sigma > PROVISIONAL_SIGMA

    @property
    def at_least(self) -> float:
        """The mu that somebody almost certainly has. Leaderboards sort by it, so that a few lucky games do not do."""
        return self.mu - CAUTION * self.sigma


def _mu_of(points: float) -> float:
    return MU + (points - MIDDLE) / POINTS


NEW = Rating()

ANCHORS = {
    "random": 650,
    "easy": 977,
    "greedy": MIDDLE,
    "hard": 1751,
    "expert": 1887,
    "master": 1914,
    "marina": 1422,
    "bruno": 1418,
    "lotte": 1426,
    "hedda": 1389,
    "ivo": 1406,
}
"""The points of the bots in every pool, by the key of the level; a test works them out again from docs/strength.md.

They are meant to stay: when a bot is moved, everybody's number slowly moves along.
"""


def anchor_of(level: str) -> Rating | None:
    """The fixed rating of a bot, by a name such as `hard` or `hard:100ms`; None with a budget that was not measured.

    >>> anchor_of("greedy").shown, anchor_of("hard:100ms").shown, anchor_of("hard:5ms")
    (1500, 1751, None)
    """
    key = level.partition(":")[0]
    if key not in ANCHORS or level not in (key, str(LEVELS[key])):
        return None
    return Rating(_mu_of(ANCHORS[key]), SMALLEST_SIGMA)


def pool_of(clock_kind: str, players: int) -> str | None:
    """The pool of a game with a clock of this kind, or None if such games are not rated.

    >>> pool_of("live", 2), pool_of("days", 5), pool_of("none", 2)
    ('live-2', 'days-many', None)
    """
    if clock_kind not in ("live", "days") or not PAIR <= players <= MOST_PLAYERS:
        return None
    return f"{clock_kind}-{2 if players == PAIR else 'many'}"


@dataclass(frozen=True)
class Rated:
    """A seat of a game that is over."""

    rating: Rating
    rank: int
    """1 for the winner; those who share a place have the same rank."""
    left: bool = False
    """Whether its player left: last, whatever the bot that took over has reached."""
    bot: bool = False
    """Whether a bot played it from the start: its rating is an anchor, which never moves."""

    @property
    def place(self) -> tuple[bool, int]:
        """What the seats are ranked by: leavers are behind everybody, and equal among themselves."""
        return (True, 0) if self.left else (False, self.rank)


def can_rate() -> bool:
    """Whether openskill, a part of the extra `people`, is installed."""
    return find_spec("openskill") is not None


def rate(seats: Sequence[Rated]) -> list[Rating]:
    """The ratings after a game, by seat."""
    if len(seats) < PAIR:
        return [seat.rating for seat in seats]
    # In an order that follows from the seats, so that rounding does not depend on who sat where.
    ordered = sorted(range(len(seats)), key=lambda i: (seats[i].place, seats[i].rating.mu, seats[i].rating.sigma))
    places = sorted({seat.place for seat in seats})
    found = _updated(
        [seats[i].rating for i in ordered],
        [places.index(seats[i].place) for i in ordered],
    )
    after = dict(zip(ordered, found, strict=True))
    return [_new_rating(seat, *after[i]) for i, seat in enumerate(seats)]


def _updated(ratings: Sequence[Rating], ranks: Sequence[float]) -> list[tuple[float, float]]:
    """The new mu and sigma of each, as the model has them."""
    from openskill.models import BradleyTerryPart

    model = BradleyTerryPart(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU, window_size=ALL_PAIRS)
    # Ranks only: with scores, a margin of gold would count, and people play to win.
    teams = model.rate([[model.rating(each.mu, each.sigma)] for each in ratings], ranks=list(ranks))
    return [(team[0].mu, team[0].sigma) for team in teams]


def _new_rating(seat: Rated, mu: float, sigma: float) -> Rating:
    before = seat.rating
    if seat.bot:
        return before
    if seat.left:
        # A weak player who leaves together with a strong one would gain by being their equal. And a game that was not
        # played says nothing about strength, so that it neither makes a rating certain nor lifts it on a leaderboard.
        mu, sigma = min(mu, before.mu), max(sigma, before.sigma)
    return Rating(mu, sigma, before.games + 1)
