"""What comes by HTTP about setups, maps, tables and positions, and the answers."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import MaxLen

from kingdom_builder.server.messages.catalogue import SectionInfo
from kingdom_builder.server.messages.game import SetupView, View
from kingdom_builder.server.messages.sentences import Message
from kingdom_builder.server.messages.table import Kind

MOST_POSITIONS = 500
"""The most positions to evaluate in one request: more than a game has turns."""

MOST_MOVES = 200
"""The most actions of a turn to analyse: several times as many as in the longest real ones."""

MAP_LENGTH = 5_000
"""The most characters of own sections and of a map to check: 30 sections have fewer."""


@dataclass(slots=True)
class SetupChoice:
    """How a game is set up; what is not given is random."""

    sets: Annotated[list[str], MaxLen(20)] = field(default_factory=lambda: ["base"])
    board: str | None = None
    """Four sections such as `tavern/paddock/oasis'/farm`, a map such as `GGDT/G1DW(farm)`, `first` for the printed
    first game, or nothing for random."""
    cards: Annotated[list[str], MaxLen(20)] | None = None
    """The keys of three cards, or nothing for random ones."""
    options: Annotated[list[str], MaxLen(100)] = field(default_factory=list)
    seed: str | None = None
    position: str | None = None
    """Start from this position instead; hidden cards in it are drawn at random."""
    sections: Annotated[str, MaxLen(MAP_LENGTH)] = ""
    """The user's own sections, as the text of a map file: one with the key of a printed section takes its place; those
    that belong to no box are used if `own` is among the sets."""


@dataclass(slots=True)
class MapText:
    """The text of one map to check: a section or a board, as in a map file."""

    text: Annotated[str, MaxLen(MAP_LENGTH)]


@dataclass(slots=True)
class MapProblem:
    """Something that is wrong with a map, or that whoever draws it should know."""

    message: Message
    stops: bool
    """Whether nobody can play on the map before it is mended."""
    line: int
    """The line of the text, from 1."""
    row: int | None
    """The row of the hex, from 1, if the problem has a place on the map."""
    column: int | None


@dataclass(slots=True)
class MapCount:
    """How many hexes of a kind a map has, and how many printed maps of its size have at least and at most."""

    letter: str
    """A letter of the map; `1` for all locations together."""
    n: int
    least: int
    most: int


@dataclass(slots=True)
class MapCheck:
    """What there is to know about a map before it is played on."""

    problems: list[MapProblem]
    counts: list[MapCount]
    buildable: int
    """The number of hexes to build on."""
    text: str
    """The map as a map file has it, if nothing stops it; empty otherwise."""
    section: SectionInfo | None
    """The section, if it is one and nothing stops it."""
    board: str
    """What `SetupChoice.board` takes, if it is a whole board and nothing stops it; empty otherwise."""
    rows: list[str]
    """The rows that `map` shows."""
    map: str
    """The map as SVG elements, if its rows can be read; empty otherwise."""


@dataclass(slots=True)
class SeatChoice:
    kind: Kind
    """`person`: played on the device that makes the table; `open`: played by whoever gets the link."""
    name: str = ""
    colour: int | None = None
    level: str = ""
    """The level of a bot."""


@dataclass(slots=True)
class ClockChoice:
    """How much time players have; see `server/clocks.py` for the limits."""

    kind: Literal["none", "live", "days"] = "none"
    start: int = 0
    """Seconds: at the beginning of a live game, or the bank of a game of days."""
    add: int = 0
    """Seconds: what each turn adds, or the allowance of a turn in a game of days."""


@dataclass(slots=True)
class NewTable:
    seats: Annotated[list[SeatChoice], MaxLen(20)]
    setup: SetupChoice = field(default_factory=SetupChoice)
    lesson: str = ""
    """The key of a lesson: it brings its own setup; the first seat is the learner's, all others are bots'."""
    clock: ClockChoice = field(default_factory=ClockChoice)
    rated: bool = False
    """Whether the games count for the ratings of the players. They need a clock, and chance decides their setup."""
    open: bool = False
    """Whether the table is in the lobby, where everybody may take a free seat or look on."""


@dataclass(slots=True)
class AddressForOthers:
    """Where other devices reach the server; it says so only to pages on its own machine."""

    address: str | None = None
    """None if other devices cannot reach it."""
    command: str = ""
    """What to type to start the server so that they can; empty if that would not help, or if it is not known."""
    everywhere: bool = False
    """Whether it listens to the whole network: without an address, this machine is in none."""


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
    invite: str = ""
    """The token of the table's link, with which people choose a free seat."""


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
class PlayedTurn:
    """The position at the beginning of a turn, and the single actions of the turn, draws included."""

    position: str
    moves: Annotated[list[str], MaxLen(MOST_MOVES)]


@dataclass(slots=True)
class PositionTexts:
    positions: Annotated[list[str], MaxLen(MOST_POSITIONS)]


@dataclass(slots=True)
class PositionQuestion:
    """What is on a hex of a position, or what a component means in it: one of the two is given."""

    position: str
    hex: str = ""
    key: str = ""
    seat: int | None = None
    """The seat that is called you."""
