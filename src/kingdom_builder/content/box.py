"""A box of the game: what it brings to the table."""

from dataclasses import dataclass

from kingdom_builder.rules import Card, Location


@dataclass(frozen=True)
class Box:
    """The base game or an expansion."""

    key: str
    """The name of its sections' expansion."""
    name: str
    locations: tuple[Location, ...]
    cards: tuple[Card, ...]
    always: tuple[Card, ...] = ()
    """What pays in every game with this box, besides the cards."""
