"""What a client sends by WebSocket."""

from typing import Literal

from msgspec import Struct

PROTOCOL = 4
"""Changes whenever an old client could misunderstand the server."""


class Command(Struct, tag_field="type", tag=lambda name: name.lower(), forbid_unknown_fields=True):
    """Something that a client asks for."""


BotSpeed = Literal["slow", "normal", "instant"]


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


class Say(Command):
    """Speak to everybody at the table."""

    id: str
    text: str
    seat: int | None = None
    """The seat that speaks; a host or spectator without a seat gives a `name`."""
    name: str = ""


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


class SetBotSpeed(Command, tag="bot-speed"):
    """How fast bots should act: it counts if all pages of players at the table want the same."""

    id: str
    speed: BotSpeed


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


Change = Play | Undo | Join | Say | Reseat | TakeBack | Agree | Renew | Hush | Rematch
"""Commands that change something permanently."""

TableCommand = Hello | Change | SetBotSpeed | Mute | Remove | Look | Why | Explain | Scores | Ping
"""Commands that a table answers at once."""

AnyCommand = TableCommand | Hint
