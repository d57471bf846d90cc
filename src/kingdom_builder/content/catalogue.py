"""Everything printed, by key."""

from kingdom_builder.content.base import BASE
from kingdom_builder.content.box import Box
from kingdom_builder.rules import Card, Location
from kingdom_builder.rules.setup import OPTIONS as TURN_OPTIONS

BOXES: tuple[Box, ...] = (BASE,)

LOCATIONS: dict[str, Location] = {location.key: location for box in BOXES for location in box.locations}
CARDS: dict[str, Card] = {card.key: card for box in BOXES for card in box.cards}
ALWAYS: tuple[Card, ...] = tuple(card for box in BOXES for card in box.always)

OPTIONS: dict[str, str] = dict(TURN_OPTIONS)
"""Rulings that tables disagree on, each with what it means (RULES 10)."""
for _printed in (*LOCATIONS.values(), *CARDS.values(), *ALWAYS):
    OPTIONS |= _printed.options
