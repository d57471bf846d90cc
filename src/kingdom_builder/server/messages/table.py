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
    person: str = ""
    """Who plays here, for the page about them; empty for a bot or somebody who is not known."""
    away: int | None = None
    """When the others may go on without this player, who is away, or give this free seat to a bot: in milliseconds by
    the server's clock."""
    replaced_by: list[int] = field(default_factory=list)
    """The seats of those who want a bot to take this one."""


Role = Literal["player", "watcher", "host"]
"""The role of somebody who speaks at the table; `host` is a host who does not play."""


@dataclass(slots=True)
class ChatLine:
    version: int
    role: Role
    name: str
    text: str
    person: str = ""
    """Who speaks; empty for somebody who is not known."""
    phrase: str = ""
    """The key of the phrase that was said, if it was one; the text is its English."""


NoticeKind = Literal[
    "new-player",
    "seat-taken",
    "bot-took-over",
    "player-back",
    "hand-shown",
    "bot-failed",
    "watch-link-renewed",
    "time-up",
    "paused",
    "resumed",
    "excused",
    "gave-up",
    "claimed",
]


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
class ClockView:
    """The clocks of a game, for a page to count down by itself. All times are in milliseconds."""

    kind: Literal["live", "days"]
    start: int
    """What everybody begins with and the most they ever have; in games of days the bank. In seconds."""
    add: int
    """What each turn adds; in games of days the allowance of a turn. In seconds."""
    left: list[int]
    """What each seat has left; the running seat: had left at `since`."""
    had: list[int]
    """What each seat had at the beginning of its turn."""
    running: int | None
    """The seat whose clock runs."""
    since: int
    """The moment from which on it runs, by the server's clock."""
    now: int
    """The server's clock when this was sent."""
    stops: list[str]
    """Why nobody's clock runs: `open` while seats are free, `paused` by the players."""


EndKind = Literal["gave-up", "claimed"]
"""How a game of two ends before its last turn: a player gave up, or had left and the other one claimed the game."""


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
    rated: bool = False
    open: bool = False
    """Whether everybody may take a seat or look on; otherwise it takes a link."""
    free: list[int] = field(default_factory=list)
    """The seats that the viewer may take."""
    consents: dict[str, list[int]] = field(default_factory=dict)
    """The seats of those who want a `pause`, to `resume`, or a `rematch`."""
    asks_all: bool = False
    """Whether a rematch needs the consent of all players; otherwise the host decides."""
    ended: EndKind | None = None
    """How a game of two ended before its last turn, if it did."""
    strangers: bool = False
    """Whether people play here who do not know each other, so that the rules of order among strangers hold."""
    resumable: int | None = None
    """While the game is paused: when one player alone can end the pause, in milliseconds by the server's clock."""
