"""Who is at a table, and what they say."""

from dataclasses import dataclass, field
from typing import Literal

NAME_LENGTH = 24
CHAT_LENGTH = 300

Kind = Literal["person", "bot", "open"]
"""Who sits at a seat: somebody, a bot, or nobody yet (its link is waiting)."""


@dataclass(slots=True)
class SeatView:
    name: str
    """Empty for somebody who has not chosen a name."""
    kind: Kind
    colour: int
    level: str
    """The level of a bot."""
    connected: bool
    """Whether a page of this seat is open."""
    veiled: bool
    """Whether the seat has a new player, who may not see its hand until a card is drawn or the others agree."""
    stands_in: bool = False
    """Whether this is a bot that stands in for somebody, who may take the seat back."""


Role = Literal["player", "watcher", "host"]
"""The role of somebody who speaks at the table; `host` is a host who does not play."""


@dataclass(slots=True)
class ChatLine:
    version: int
    role: Role
    name: str
    text: str


NoticeKind = Literal["new-player", "bot-took-over", "player-back", "hand-shown", "bot-failed", "watch-link-renewed"]


@dataclass(slots=True)
class Notice:
    """Something about the people that belongs in the log of the game, for everybody to see."""

    version: int
    ply: int
    """The number of actions before it."""
    kind: NoticeKind
    seat: int | None
    """The seat that it is about, if any."""
    name: str
    """Who sat there before, or the bot that failed."""


@dataclass(slots=True)
class WatcherView:
    """A spectator, as the host sees them."""

    number: int
    name: str
    """The name last used in the chat; empty for somebody who has not spoken."""
    muted: bool


@dataclass(slots=True)
class TableView:
    """Who is at the table, as one viewer sees it."""

    id: str
    game: int
    """The number of the game at this table, from 1."""
    seed: str
    """The seed that gives the same board and cards again; draws in the game do not depend on it."""
    seats: list[SeatView]
    yours: list[int]
    """The seats that the viewer plays."""
    host: bool
    hints: bool
    """Whether the viewer may ask for hints: all other seats are bots, or are played at the same device."""
    watchers: int
    """The number of spectators."""
    watcher_list: list[WatcherView]
    """The spectators, for the host; empty for everybody else."""
    hushed: bool
    """Whether spectators may not speak."""
    agreeable: list[int]
    """The veiled seats whose hand the viewer can agree to show, and has not agreed yet."""
    notices: list[Notice]
    """What happened to the people in this game, the latest 50 notices."""
    daily: str = ""
    """The date of the daily game that is played here; empty for any other game."""
    stand_ins: list[int] = field(default_factory=list)
    """The seats where a bot stands in for the viewer, who may take them back."""
