"""Cards that pay during the game (RULES 8.2)."""

from kingdom_builder.hexes import HexSet
from kingdom_builder.rules import Card, Setup, Shape, State


class RedCard(Card):
    """A card whose gold is collected during the game, in the field of its key, and added at the end."""

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        return state.of_seat(self.key, seat), 0

    def shape(self, setup: Setup) -> Shape:
        return Shape("collected", (), (1,), (self.key,))
