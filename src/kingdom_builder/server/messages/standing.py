"""What people see of their games, of results and of ratings."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class ListedSeat:
    """A seat of a game in a list."""

    name: str
    """Empty for somebody who has not chosen one."""
    level: str
    """The level of a bot; empty for a person."""
    person: str
    """Who it is, for the page about them; empty for a bot or somebody who is not known."""
    colour: int
    gold: int | None = None
    """At the end of the game."""
    rank: int | None = None
    """1 for the winner; those who share a place have the same rank."""
    left: bool = False
    """Whether a bot stands in for somebody, or did at the end."""


@dataclass(slots=True)
class ListedGame:
    """A game in a list."""

    table: str
    game: int
    """The number of the game at its table."""
    changed: int
    """When it was last changed, or ended; in seconds."""
    clock: str
    """The kind of its clock: `none`, `live` or `days`."""
    pool: str
    rated: bool
    over: bool
    round: int
    seat: int
    """The seat in turn; -1 when the game is over."""
    deadline: int | None
    """When the time of the seat in turn runs out, in seconds."""
    yours: list[int]
    """The seats of whoever asks."""
    seats: list[ListedSeat]
    sets: list[str] = field(default_factory=list)
    """The boxes that the table was made with; in the list of finished games only."""


@dataclass(slots=True)
class MyGames:
    """The games of a person that run or have just ended: those where it is their turn first."""

    games: list[ListedGame]
    waiting: int
    """In how many of them it is their turn."""


@dataclass(slots=True)
class Bests:
    """The results of a person in short."""

    games: int
    won: int
    gold: int
    """The most gold in a game that they have not left."""
    mean: float
    """Of the gold in such games."""
    left: int
    """How many of the games they have left."""


@dataclass(slots=True)
class History:
    """Some of the finished games of a person, latest first."""

    games: list[ListedGame]
    before: str
    """What to ask with for the next ones; empty if there are no more."""
    bests: Bests | None
    """Only with the first games of all."""


@dataclass(slots=True)
class PoolRating:
    """A rating of a person."""

    pool: str
    points: int
    provisional: bool
    games: int


@dataclass(slots=True)
class Profile:
    """What everybody may know about a person."""

    id: str
    name: str
    """Empty for a guest who has not chosen one."""
    since: int
    """When they came first, in seconds."""
    member: bool
    results: Bests
    ratings: list[PoolRating]


@dataclass(slots=True)
class Standing:
    """A line of a leaderboard."""

    place: int | None
    """From 1; none for a bot or a provisional rating."""
    person: str
    """Empty for a bot."""
    name: str
    level: str
    """The level of a bot; empty for a person."""
    points: int
    provisional: bool
    games: int
    you: bool


@dataclass(slots=True)
class Leaderboard:
    """The best of a pool, with the bots among them."""

    pool: str
    pools: list[str]
    """All pools."""
    lines: list[Standing]
