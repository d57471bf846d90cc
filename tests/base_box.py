"""What is printed in the base game, for tests that are about it alone."""

from kingdom_builder.content.base import BASE
from kingdom_builder.rules import Card, Location

LOCATIONS: dict[str, Location] = {location.key: location for location in BASE.locations}
CARDS: dict[str, Card] = {card.key: card for card in BASE.cards}
ALWAYS: list[Card] = [component for component in BASE.always if isinstance(component, Card)]
