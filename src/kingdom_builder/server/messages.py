"""The messages on the wire in both directions. `docs/protocol.md` explains them; `web/src/protocol.ts` is made of them.

Hexes, moves and positions are texts as in `docs/notation.md`; components are named by their keys. Seats are numbered
from 0 in turn order.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import MaxLen
from msgspec import Struct

PROTOCOL = 3
"""Changes whenever an old client could misunderstand the server."""

MOST_POSITIONS = 500
"""The most positions to evaluate in one request: more than a game has turns."""

NAME_LENGTH = 24
CHAT_LENGTH = 300

# ---- sentences -------------------------------------------------------------------------------------------------------

ArgumentKind = Literal["hex", "component", "piece", "terrain", "seat", "number", "text", "message", "and", "or"]

ItemOfList = tuple[ArgumentKind, str | int]
Argument = tuple[ArgumentKind, "str | int | Message | list[ItemOfList]"]
"""What fills a hole of a template: its kind and its value, as in `["hex", "k7"]`, `["component", "paddock"]` or
`["and", [["terrain", "G"], ["terrain", "D"]]]`. Components, kinds of pieces and terrains are named by their keys."""


@dataclass(slots=True)
class Message:
    """A sentence as data, so that a page can say it in its own language."""

    template: str
    """The English with holes such as `{hex}` and `{n:step|steps}`: the key of the translations."""
    arguments: dict[str, Argument]
    text: str
    """The English."""


@dataclass(slots=True)
class Refusal:
    """Why a request was refused, or only partly carried out."""

    code: str
    """`illegal`, `stale`, `forbidden`, `malformed`, `too-large`, ...: docs/protocol.md lists them all."""
    message: Message
    offset: int | None = None
    """Where in a text the problem is."""


# ---- the catalogue: what is in the boxes, once for all games ---------------------------------------------------------


ComponentKind = Literal["location", "card", "task", "nomad", "always"]


@dataclass(slots=True)
class ComponentInfo:
    """A location, card, task, nomad tile, or anything else that pays or acts."""

    key: str
    kind: ComponentKind
    set: str
    name: str
    text: str
    icon: str
    """SVG elements in a box of 24 x 24, or nothing."""
    excluded_by: str | None = None
    """The option that keeps a card out of random setups."""


@dataclass(slots=True)
class BoxInfo:
    key: str
    name: str


@dataclass(slots=True)
class SectionInfo:
    """A printed map of 10 x 10 hexes, by rows of letters."""

    key: str
    set: str
    stand_in: bool
    """Whether we do not know the printed map, so that one of ours stands in for it."""
    locations: list[str]
    rows: list[str]


@dataclass(slots=True)
class OptionInfo:
    key: str
    text: str


@dataclass(slots=True)
class LevelInfo:
    """A bot that can take a seat."""

    key: str
    text: str


@dataclass(slots=True)
class PieceInfo:
    """A kind of piece."""

    key: str
    """Its key in `View.pieces`."""
    name: str
    owned: bool
    """Whether its pieces belong to seats."""
    drawing: str
    """Its artwork, such as `kb-ships`; for an owned kind the number of a colour follows: `kb-ships-1`."""
    whole: str | None
    """The artwork of a whole piece, for a kind whose pieces cover a hex and the six around it."""


@dataclass(slots=True)
class Limits:
    """The limits of a new table."""

    fewest_seats: int
    most_seats: int
    cards: int
    """The number of cards of a setup."""
    first_level: str
    """The bot for a first game."""


@dataclass(slots=True)
class Catalogue:
    """Everything that is the same for all games."""

    protocol: int
    version: str
    """The version of the program."""
    sets: list[BoxInfo]
    components: list[ComponentInfo]
    pieces: list[PieceInfo]
    sections: list[SectionInfo]
    options: list[OptionInfo]
    levels: list[LevelInfo]
    limits: Limits
    terrain: dict[str, str]
    """The name of each letter of the map."""
    artwork: str
    """SVG definitions: terrain `kb-G0`, pieces `kb-settlement-1`, things `kb-walls`; see docs/protocol.md."""
    colours: list[str]
    """The main colour of each set of pieces; the artwork of the n-th has number n + 1."""


# ---- a game ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class SetupView:
    """The part of a game that does not change."""

    players: int
    supply: int
    """The number of settlements of each player."""
    tiles: int
    """The number of tiles on each location hex."""
    board: str
    """The four sections, or the map itself."""
    width: int
    height: int
    rows: list[str]
    """The map as rows of letters."""
    locations: dict[str, str]
    """The key of the location on each location hex."""
    nomads: dict[str, str]
    """The key of the tile on each nomad space at the beginning."""
    capitols: list[str]
    cards: list[str]
    tasks: list[str]
    scoring: list[str]
    """Everything that pays, in the order of `View.gold`."""
    actions: list[str]
    """All extra actions of the game."""
    options: list[str]
    stand_ins: list[str]
    map: str
    """The map as SVG elements that use the artwork of the catalogue; a hex is 42 wide and 48 high."""
    start: str
    """The position before the first card is dealt."""


TileStatus = Literal["ready", "used", "new", "passive"]


@dataclass(slots=True)
class TileView:
    """A tile that a seat holds."""

    key: str
    hex: str | None
    """The hex that it comes from; nothing for actions that everybody has."""
    status: TileStatus
    """`new` tiles can be used from the next turn on."""


@dataclass(slots=True)
class Choice:
    """A move with a text for its button."""

    move: str
    label: Message


@dataclass(slots=True)
class View:
    """A position as one viewer may see it."""

    ply: int
    """The number of actions so far, draws included."""
    round: int
    player: int
    """The current seat."""
    awaiting: str
    """What a card has to be drawn for; empty while a player decides."""
    card: str
    """The letter of the played terrain card, if any."""
    builds: int
    """The number of settlements of the mandatory action."""
    builds_left: int
    """How many of them are still to be built."""
    adjacency_lifted: bool
    """Whether the next build may ignore the adjacency rule."""
    acting: str | None
    """The extra action in progress."""
    source: str | None
    """The piece that is being moved."""
    steps: int
    ending: bool
    """Whether this is the last round."""
    over: bool
    winners: list[int]
    """The seats with the most gold, once the game is over."""
    hands: list[str]
    """The terrain cards of each seat; `?` for those that the viewer may not see."""
    deck: int
    """The number of cards in the draw pile."""
    supply: list[int]
    tiles: list[list[TileView]]
    pieces: dict[str, list[list[str]]]
    """The hexes of each kind of piece: a list for each seat, or one list for a kind that nobody owns."""
    tiles_left: dict[str, int]
    """Tiles left on each location and nomad space."""
    flags: list[list[int]]
    """The rows marked by each seat, from 1."""
    gold: list[list[int]]
    """The gold of each seat at this moment, by the setup's `scoring`."""
    last: list[str]
    """Where pieces were put since the viewer's last turn, or since the last turn of everybody else."""
    prompt: Message | None
    """What the viewer can do now, in one sentence, if it is their turn; or that the game is over."""
    legal: list[str]
    """The moves that the viewer may make now."""
    choices: list[Choice]
    """The legal moves that are not a hex, a card, a tile or the end of the turn."""
    cards: list[str]
    """The letters of the terrain cards that the viewer may choose from now."""
    placing: str | None
    """The kind of piece that is put on a hex if it is chosen now; nothing if the choice only points to the hex."""
    why_not_end: Message | None
    """Why the viewer, whose turn it is, cannot end the turn now."""
    undo: bool
    """Whether the viewer may take the last action back."""


@dataclass(slots=True)
class Happening:
    """Something that happened to a seat, for the log and for animation."""

    kind: str
    """`built`, `moved`, `removed`, `tile-taken`, `tile-lost`, `tile-used`, `card-drawn`, `turn-begun`, ..."""
    seat: int
    message: Message
    """What happened, as in "A builds on k7", without the A."""
    hexes: list[str] = field(default_factory=list)
    key: str | None = None
    """The key of the tile or card, or the kind of piece."""


@dataclass(slots=True)
class LogLine:
    """One action and what it changed."""

    ply: int
    """The number of the action, from 1."""
    turn: str
    """The turn, such as `3A`."""
    seat: int
    move: str
    """The action; a drawn card that the viewer may not see is `=?`."""
    happenings: list[Happening]


@dataclass(slots=True)
class Frame:
    """A moment of a game."""

    view: View
    line: LogLine | None
    """The action that led here; nothing for the first moment."""
    position: str
    """The position, with `?` for cards that the viewer may not see."""


@dataclass(slots=True)
class HintView:
    """A good move for the current seat."""

    move: str
    """The next move, such as `k7` or `paddock:k7-m7`."""
    turn: list[str]
    """That move and the moves that should follow it in this turn."""
    gold: float
    """The gold that the seat can expect at the end of the game, after this turn."""
    reasons: list[Message]
    """What the turn is good for, most important first."""


@dataclass(slots=True)
class Replay:
    """A game from its beginning, as one viewer may see it."""

    setup: SetupView
    names: list[str]
    colours: list[int]
    frames: list[Frame]
    tags: dict[str, str] = field(default_factory=dict)
    hints: bool = True
    """Whether a page should offer hints: not in a running game with people at other devices."""
    refusal: Refusal | None = None
    """Why the game stops here, if its log cannot be read any further."""


@dataclass(slots=True)
class ScoreLine:
    """What one card pays a seat, and the hexes that pay."""

    key: str
    seat: int
    gold: int
    hexes: list[str]


# ---- a table ---------------------------------------------------------------------------------------------------------

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


Role = Literal["player", "watcher", "host"]
"""The role of somebody who speaks at the table; `host` is a host who does not play."""


@dataclass(slots=True)
class ChatLine:
    version: int
    role: Role
    name: str
    text: str


NoticeKind = Literal["new-player", "bot-took-over", "hand-shown", "bot-failed", "watch-link-renewed"]


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


# ---- HTTP ------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class SetupChoice:
    """How a game is set up; what is not given is random."""

    sets: Annotated[list[str], MaxLen(20)] = field(default_factory=lambda: ["base"])
    board: str | None = None
    """Four sections such as `tavern/paddock/oasis'/farm`, `first` for the printed first game, or nothing for random."""
    cards: Annotated[list[str], MaxLen(20)] | None = None
    """The keys of three cards, or nothing for random ones."""
    options: Annotated[list[str], MaxLen(100)] = field(default_factory=list)
    seed: str | None = None
    position: str | None = None
    """Start from this position instead; hidden cards in it are drawn at random."""


@dataclass(slots=True)
class SeatChoice:
    kind: Kind
    """`person`: played on the device that makes the table; `open`: played by whoever gets the link."""
    name: str = ""
    colour: int | None = None
    level: str = ""
    """The level of a bot."""


@dataclass(slots=True)
class NewTable:
    seats: Annotated[list[SeatChoice], MaxLen(20)]
    setup: SetupChoice = field(default_factory=SetupChoice)


@dataclass(slots=True)
class TableMade:
    """The tokens of a new table. Keep them: the server does not."""

    id: str
    host: str
    """The token for managing the table."""
    watch: str
    """The token for spectators."""
    seats: list[str]
    """The tokens for playing the seats, in the order in which the seats were requested; empty for bots."""


@dataclass(slots=True)
class Preview:
    """A setup to look at before a table is made from it."""

    setup: SetupView
    view: View
    seed: str


@dataclass(slots=True)
class RecordText:
    text: str


@dataclass(slots=True)
class PositionText:
    position: str


@dataclass(slots=True)
class PositionTexts:
    positions: Annotated[list[str], MaxLen(MOST_POSITIONS)]


# ---- WebSocket: to the server ----------------------------------------------------------------------------------------


class Command(Struct, tag_field="type", tag=lambda name: name.lower(), forbid_unknown_fields=True):
    """Something that a client asks for."""


class Hello(Command):
    """The first message of a connection."""

    tokens: list[str]
    """The tokens of all seats that are played here, and the host's if the host is here; or the spectators' token."""
    protocol: int = PROTOCOL
    version: int = 0
    """The last version that this client has seen, if it was here before."""
    game: int = 0
    """The game that this version belongs to."""


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


class Why(Command):
    """Ask why a move, such as building on a hex, is not legal."""

    id: str
    move: str


class Scores(Command):
    """Ask for the hexes that pay, for all seats and cards."""

    id: str


class Hint(Command):
    """The current seat asks for good moves."""

    id: str


class Ping(Command):
    """Anybody there?"""

    id: str


Change = Play | Undo | Join | Say | Reseat | Agree | Renew | Hush | Rematch
"""Commands that change something permanently."""

TableCommand = Hello | Change | Mute | Remove | Why | Scores | Ping
"""Commands that a table answers at once."""

AnyCommand = TableCommand | Hint

# ---- WebSocket: to the client ----------------------------------------------------------------------------------------


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


class Reason(ServerMessage):
    """The answer to Why."""

    id: str
    version: int
    reason: Message | None
    """Nothing if the move is legal."""


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


AnyMessage = Welcome | Update | Table | Chat | Done | Refused | Reason | Breakdown | Hints | Pong
