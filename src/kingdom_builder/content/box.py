"""A box of the game: what it brings to the table."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from random import Random

from kingdom_builder.board import Board
from kingdom_builder.hexes import Hex, HexSet
from kingdom_builder.rules import Card, Component, Location, NomadTile


@dataclass
class Draft:
    """A setup in the making: what the boxes in use lay out on a board."""

    board: Board
    options: Collection[str]
    tasks: list[str] = field(default_factory=list)
    nomads: dict[Hex, str] = field(default_factory=dict)
    capitols: HexSet = 0


@dataclass(frozen=True)
class Box:
    """The base game or an expansion."""

    key: str
    """The name of its sections' expansion."""
    name: str
    locations: tuple[Location, ...] = ()
    cards: tuple[Card, ...] = ()
    tasks: tuple[Card, ...] = ()
    nomad_tiles: tuple[NomadTile, ...] = ()
    """Each as often as it is in the box."""
    always: tuple[Component, ...] = ()
    """What may be in play in any game, besides what is drawn or lies on the board."""
    prepare: Callable[[Draft, Random], None] | None = None
    """Lays out by chance what the box has besides sections and cards."""
