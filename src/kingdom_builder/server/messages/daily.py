"""What comes by HTTP about the daily game, and the answers."""

from dataclasses import dataclass

from kingdom_builder.server.messages.requests import Preview


@dataclass(slots=True)
class DailyStart:
    """Wish for a table with the daily game of today."""

    name: str = ""


@dataclass(slots=True)
class DailyGame:
    """A daily game that somebody plays, or has played."""

    id: str
    """The table."""
    date: str
    over: bool
    round: int
    gold: list[int]
    """The gold of each seat at this moment."""


@dataclass(slots=True)
class DailyName:
    """Wish to stand in the list of a day."""

    name: str


@dataclass(slots=True)
class DailyResult:
    """A result in the list of a day."""

    name: str
    gold: int
    mine: bool = False
    """Whether it comes from the table of whoever asks."""


@dataclass(slots=True)
class DailyList:
    """The best results of a day at this server, best first."""

    date: str
    results: list[DailyResult]


@dataclass(slots=True)
class DailyView:
    """The daily game of today, and the lists of today and yesterday."""

    preview: Preview
    opponent: str
    """The level of the bot that everybody plays against."""
    seat: int
    """The seat of the person."""
    today: DailyList
    yesterday: DailyList
    next: int
    """Seconds until the next daily game."""
    mine: DailyGame | None = None
    """The game whose tokens came with the request."""
