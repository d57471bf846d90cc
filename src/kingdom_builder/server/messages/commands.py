"""What a client sends by WebSocket."""

from typing import Literal

from msgspec import Struct

PROTOCOL = 5
"""Changes whenever an old client could misunderstand the server."""


class Command(Struct, tag_field="type", tag=lambda name: name.lower(), forbid_unknown_fields=True):
    """Something that a client asks for."""


BotSpeed = Literal["slow", "normal", "instant"]

ConsentKind = Literal["pause", "resume", "rematch"]
"""What all players have to want: a pause of the clocks, its end, another game on a new board."""


class Hello(Command):
    """The first message of a connection."""

    tokens: list[str]
    """The tokens of all seats that are played here, and the host's if the host is here; or the spectators' token."""
    protocol: int = PROTOCOL
    version: int = 0
    """The last version that this client has seen, if it was here before."""
    game: int = 0
    """The game that this version belongs to."""
    bot_speed: BotSpeed = "normal"
    """How fast bots should act, as in SetBotSpeed."""
    visible: bool = True
    """Whether somebody can see the page, as in Visible."""
    differences: bool = False
    """Whether this client can read `Difference`, which then comes instead of `Update` where it is shorter."""


class Play(Command):
    """Make a move, one of `View.legal` or several steps at once such as `paddock:k7-m7`."""

    id: str
    """An id that the client chooses: a command with the same id is carried out only once."""
    version: int
    """The last version that the client has seen. If the game has changed since, nothing is done."""
    move: str


class Undo(Command):
    """Take the last action back, or the whole turn: up to the last drawn card."""

    id: str
    version: int
    whole_turn: bool = False


class Join(Command):
    """Choose the name and the colour of a seat."""

    id: str
    seat: int
    name: str
    colour: int


class Sit(Command):
    """Take a free seat, at a table that is open to everybody or with the token of the table's link."""

    id: str
    """A random one of at least 16 characters, for somebody without a cookie: the token of the seat is made from it."""
    seat: int
    name: str
    colour: int | None = None
    """The colour that the seat has, if none is given."""


Phrase = Literal[
    "hello",
    "good-luck",
    "your-turn",
    "one-moment",
    "thanks",
    "sorry",
    "well-played",
    "good-game",
    "rematch",
    "no-rematch",
    "have-to-go",
    "bye",
]
"""Something to say that every page shows in its own language."""

PHRASES: dict[Phrase, str] = {
    "hello": "Hello.",
    "good-luck": "Good luck.",
    "your-turn": "It is your turn.",
    "one-moment": "One moment, please.",
    "thanks": "Thank you.",
    "sorry": "Sorry.",
    "well-played": "Well played.",
    "good-game": "Good game.",
    "rematch": "Another game?",
    "no-rematch": "No more games for me, thank you.",
    "have-to-go": "I have to go soon.",
    "bye": "Goodbye.",
}
"""The phrases in English."""


class Say(Command):
    """Speak to everybody at the table, with a text or a phrase."""

    id: str
    text: str = ""
    seat: int | None = None
    """The seat that speaks; a host or spectator without a seat gives a `name`."""
    name: str = ""
    phrase: Phrase | None = None
    """What to say instead of a text: guests among strangers have only these."""


class Reseat(Command):
    """Host only: give a seat to a bot of some level, or to whoever gets its new link."""

    id: str
    seat: int
    level: str = ""
    """The level; empty for a person."""


class TakeBack(Command, tag="take-back"):
    """Take a seat back from the bot that stands in."""

    id: str
    seat: int


class Agree(Command):
    """A player lets the new player of another seat see its hand at once."""

    id: str
    seat: int


class Renew(Command):
    """Host only: make a new link for spectators; whoever came by the old one is sent away."""

    id: str


class Hush(Command):
    """Host only: let spectators speak, or not."""

    id: str
    on: bool


class Mute(Command):
    """Host only: let one spectator speak, or not."""

    id: str
    watcher: int
    """One of `TableView.watcher_list`."""
    on: bool


class Remove(Command):
    """Host only: send a spectator away. They can come back only by a new link."""

    id: str
    watcher: int


class Rematch(Command):
    """Host only, after the end: play again at this table; the seats move up by one."""

    id: str
    same_board: bool = True


class Consent(Command):
    """A player agrees to something that happens once all players want it, or takes that back."""

    id: str
    to: ConsentKind
    on: bool = True


class Replace(Command):
    """A player wants a bot to take the seat of somebody who has been away for long enough."""

    id: str
    seat: int


class Claim(Command):
    """In a game of two: win it, since the other player has been away for long enough."""

    id: str


class Leave(Command):
    """Give the own seat up: in a game of two the other player wins, in all others a bot takes over."""

    id: str


class SetBotSpeed(Command, tag="bot-speed"):
    """How fast bots should act: it counts if all pages of players at the table want the same."""

    id: str
    speed: BotSpeed


class Visible(Command):
    """Whether somebody can see the page: who has it only in the background is told that it is their turn."""

    id: str
    on: bool


class Look(Command):
    """Look at the hand of a seat that is played here: where several people share a page, it shows none of those that
    wait."""

    id: str
    seat: int


class Why(Command):
    """Ask why a move, such as building on a hex, is not legal."""

    id: str
    move: str


class Explain(Command):
    """Ask what is on a hex, or what a component means now: one of the two is given."""

    id: str
    hex: str = ""
    key: str = ""


class Scores(Command):
    """Ask for the hexes that pay, for all seats and cards."""

    id: str


class Hint(Command):
    """The current seat asks for good moves."""

    id: str


class Ping(Command):
    """Anybody there?"""

    id: str


Change = (
    Play
    | Undo
    | Join
    | Sit
    | Say
    | Reseat
    | TakeBack
    | Agree
    | Renew
    | Hush
    | Rematch
    | Consent
    | Replace
    | Claim
    | Leave
)
"""Commands that change something permanently."""

TableCommand = Hello | Change | SetBotSpeed | Visible | Mute | Remove | Look | Why | Explain | Scores | Ping
"""Commands that a table answers at once."""

AnyCommand = TableCommand | Hint
