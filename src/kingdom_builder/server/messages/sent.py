"""What the server sends by WebSocket."""

from msgspec import Raw, Struct

from kingdom_builder.server.messages.game import ExplanationView, HintView, LogLine, ScoreLine, SetupView, View
from kingdom_builder.server.messages.sentences import Message, Refusal
from kingdom_builder.server.messages.table import ChatLine, ClockView, TableView


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
    clock: ClockView | None = None
    """The clocks, if the game has some."""


class Update(ServerMessage):
    """The game has changed. Lines with a ply greater than `since` are replaced by these."""

    version: int
    since: int
    lines: list[LogLine]
    view: View
    clock: ClockView | None = None


Edit = Raw
"""A difference of two values, encoded; `server/differences.py` says how to read it."""

NO_CHANGE = Raw(b"[]")
"""The difference of two lists or objects that are equal."""


class Difference(ServerMessage, omit_defaults=True):
    """The game has changed since the last Welcome, Update or Difference that was sent. What is as usual is left out."""

    version: int
    view: Edit
    """What has changed in the view."""
    lines: list[LogLine | tuple[int, str, Edit]] = []
    """New lines of the log. A line may be given by the ply of an earlier one that it is like, its own move, which takes
    the place of the other move in all texts, and what else is different."""
    since: int | None = None
    """Lines with a greater ply are forgotten first; none are if it is left out."""
    spans: int = 1
    """How many versions lie between the message before and this one; if that is wrong, something was missed."""
    clock: Edit = NO_CHANGE
    """What has changed in the clocks, if the game has some."""
    now: int = 0
    """`ClockView.now`, if the game has clocks."""


class Table(ServerMessage):
    """Somebody came, left or changed. Coming and leaving is announced at most once a second."""

    version: int
    table: TableView
    clock: ClockView | None = None


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


AnyMessage = (
    Welcome | Update | Difference | Table | Chat | Done | Refused | Hand | Reason | Explained | Breakdown | Hints | Pong
)
