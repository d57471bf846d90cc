"""A game as one viewer may see it: setup, position, log, hints, replay."""

from dataclasses import dataclass, field
from typing import Literal

from kingdom_builder.server.messages.sentences import Argument, Message, Refusal


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
    sections: list[str] = field(default_factory=list)
    """The four sections, `'` behind those that are turned, also where `board` is the map because one of them is
    somebody's own; empty for a drawn map."""
    things: list[str] = field(default_factory=list)
    """The hexes with more than terrain printed or laid on them."""


TileStatus = Literal["ready", "used", "new", "passive"]


@dataclass(slots=True)
class TileView:
    """A tile that a seat holds."""

    key: str
    hex: str | None
    """The hex that it comes from; nothing for actions that everybody has."""
    status: TileStatus
    """`new` tiles can be used from the next turn on."""
    number: int | None = None
    """What the seat has counted up on it, for tiles that count."""


@dataclass(slots=True)
class Choice:
    """A move with a text for its button."""

    move: str
    label: Message


@dataclass(slots=True)
class LessonPlace:
    """How far somebody is in a lesson."""

    key: str
    step: int
    """The first of the lesson's steps that is not only to be read and is not done yet; the number of all if none is."""
    begun: bool
    """Whether a step of several actions has been begun."""
    next: list[str]
    """The actions that the step asks for now; empty if any will do, or if the learner has nothing to play."""
    arguments: dict[str, Argument]
    """What fills the holes of the lesson's texts."""


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
    draws: list[str] = field(default_factory=list)
    """The legal moves that draw a card at once: they and what came before them cannot be taken back."""
    instead: list[str] = field(default_factory=list)
    """The hexes of other pieces that the viewer can move instead of the one at `source`: undo, then choose one."""
    lesson: LessonPlace | None = None
    """At a table where a lesson is taught: how far it is."""


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
    gold: int = 0
    """The gold that the seat earned by it at once."""


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
class TurnAnalysis:
    """What a turn gave away, compared with the best one that a search found."""

    lost: float
    """By how much gold the seat could have expected a larger lead; 0 if nothing better was found."""
    accuracy: float
    """100 for a turn that lost nothing."""
    mistake: Literal["", "slip", "mistake", "blunder"]
    ply: int
    """The number of actions in the turn before the better line."""
    moves: list[str]
    """The better line; empty if nothing better was found."""
    happenings: list[Happening]
    """What these moves do."""
    reasons: list[Message]
    """What they are good for, most important first."""


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
    clock: list[int] | None = None
    """What the seat in turn had left at each frame, in milliseconds; after the end the seat that acted last. None for
    games without clocks."""
    took: list[int] | None = None
    """How long the action before each frame took, in milliseconds. None where nobody kept the times."""


@dataclass(slots=True)
class ScoreLine:
    """What one card pays a seat, and the hexes that pay."""

    key: str
    seat: int
    gold: int
    hexes: list[str]


@dataclass(slots=True)
class ExplanationView:
    """What something is, and what it means now."""

    kind: Literal["component", "piece", "terrain"]
    key: str
    """Its key in the catalogue, which has its name and text; the letter of a terrain."""
    lines: list[Message]
    """What it means now, who has it, and what is left."""
    rule: str
    """The key of the component by whose rule it goes; empty for the general rules."""
