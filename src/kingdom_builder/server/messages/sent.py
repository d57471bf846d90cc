"""What the server sends by WebSocket."""

from msgspec import Struct

from kingdom_builder.server.messages.game import ExplanationView, HintView, LogLine, ScoreLine, SetupView, View
from kingdom_builder.server.messages.sentences import Message, Refusal
from kingdom_builder.server.messages.table import ChatLine, TableView


class ServerMessage(Struct, tag_field="type", tag=lambda name: name.lower()):
    """Something that the server sends."""


class Welcome(ServerMessage):
    """A game from the beginning: after Hello, and when a new game begins at the table."""

    protocol: int
    version: int
    table: TableView
    setup: SetupView
    view: View
    lines: list[LogLine]
    """The lines of all actions so far."""
    chat: list[ChatLine]
    """The latest 100 lines of the chat."""


class Update(ServerMessage):
    """The game has changed. Lines with a ply greater than `since` are replaced by these."""

    version: int
    since: int
    lines: list[LogLine]
    view: View


class Table(ServerMessage):
    """Somebody came, left or changed. Coming and leaving is announced at most once a second."""

    version: int
    table: TableView


class Chat(ServerMessage):
    """Somebody spoke: the lines that the viewer does not have yet."""

    version: int
    lines: list[ChatLine]


class Done(ServerMessage):
    """A command was carried out, and what it changed is stored."""

    id: str
    version: int
    token: str | None = None
    """The new token after Reseat (to a person) and Renew, also when the command is repeated."""


class Refused(ServerMessage):
    """A command was not carried out; nothing has changed."""

    id: str
    refusal: Refusal


class Hand(ServerMessage):
    """The answer to Look."""

    id: str
    version: int
    seat: int
    cards: str
    """The cards as letters, as in `View.hands`."""


class Reason(ServerMessage):
    """The answer to Why."""

    id: str
    version: int
    reason: Message | None
    """Nothing if the move is legal."""


class Explained(ServerMessage):
    """The answer to Explain: what is on the hex from top to bottom, or the component."""

    id: str
    version: int
    things: list[ExplanationView]


class Breakdown(ServerMessage):
    """The answer to Scores."""

    id: str
    version: int
    lines: list[ScoreLine]


class Hints(ServerMessage):
    """The answer to Hint."""

    id: str
    version: int
    """The version that it is for: it is of no use if the game has changed since."""
    hints: list[HintView]
    """Up to three, best first."""


class Pong(ServerMessage):
    id: str


AnyMessage = Welcome | Update | Table | Chat | Done | Refused | Hand | Reason | Explained | Breakdown | Hints | Pong
