"""The catalogue: what is in the boxes, once for all games."""

from dataclasses import dataclass
from typing import Literal

ComponentKind = Literal["location", "card", "task", "nomad", "always"]


@dataclass(slots=True)
class ComponentInfo:
    """A location, card, task, nomad tile, or anything else that pays or acts."""

    key: str
    kind: ComponentKind
    set: str
    name: str
    text: str
    """Its rule; the hole `{special}` stands for the kinds of special hexes in play."""
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
    name: str
    """The name of a character; empty for a level of strength."""
    likes: str
    """The key of the card that a character likes most; empty for a level of strength."""


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
    text: str = ""
    """What it may do, and what it means for others."""


@dataclass(slots=True)
class ClockInfo:
    """A clock to choose for a game, in seconds as in ClockChoice."""

    key: str
    kind: str
    start: int
    add: int


@dataclass(slots=True)
class ClockLimits:
    """The least and the most seconds of a kind of clock."""

    start: list[int]
    add: list[int]


@dataclass(slots=True)
class Limits:
    """The limits of a new table."""

    fewest_seats: int
    most_seats: int
    cards: int
    """The number of cards of a setup."""
    first_level: str
    """The bot for a first game."""
    can_rate: bool
    """Whether the server can rate games."""
    clocks: dict[str, ClockLimits]
    """The limits of clocks by their kind, `live` and `days`."""


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
    clocks: list[ClockInfo]
    """The usual clocks: live ones, then those of days."""
    limits: Limits
    terrain: dict[str, str]
    """The name of each letter of the map."""
    special: dict[str, str]
    """The name of each kind of special hex, by its letter; the first digit stands for all locations."""
    artwork: str
    """SVG definitions: terrain `kb-G0`, pieces `kb-settlement-1`, things `kb-walls`; see docs/protocol.md."""
    colours: list[str]
    """The main colour of each set of pieces; the artwork of the n-th has number n + 1."""
