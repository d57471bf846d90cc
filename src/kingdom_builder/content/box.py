"""A box of the game, and what is in it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from random import Random

from kingdom_builder.board import Board
from kingdom_builder.hexes import Hex, HexSet
from kingdom_builder.rules import Card, Component, Location, NomadTile


@dataclass
class Draft:
    """An unfinished setup: what the boxes in use lay out on a board."""

    board: Board
    options: Collection[str]
    tasks: list[str] = field(default_factory=list)
    nomads: dict[Hex, str] = field(default_factory=dict)
    capitols: HexSet = 0


@dataclass(frozen=True)
class Box:
    """The base game or an expansion."""

    key: str
    """The name of the expansion in the headers of its sections."""
    name: str
    locations: tuple[Location, ...] = ()
    cards: tuple[Card, ...] = ()
    tasks: tuple[Card, ...] = ()
    nomad_tiles: tuple[NomadTile, ...] = ()
    """Each as often as the box contains it."""
    always: tuple[Component, ...] = ()
    """What may be in play in any game, besides what is drawn or on the board."""
    prepare: Callable[[Draft, Random], None] | None = None
    """Lays out at random what the box has besides sections and cards."""
