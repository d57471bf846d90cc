"""What a player is."""

from typing import Protocol

from kingdom_builder.rules import Action, Observation


class Player(Protocol):
    """Somebody who plays a seat, knowing only what that seat may know."""

    def choose(self, seen: Observation) -> Action:
        """One legal action for the seat in turn. It is asked again until the turn is over."""
