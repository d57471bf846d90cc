"""Numbers of the actions: every decision is the choice of one member of a set, and the set is one int.

A hex is its own number; the other choices stand above the hexes.
"""

from kingdom_builder.board.terrain import CARDS, Terrain
from kingdom_builder.hexes import SIZE

Action = int
ActionSet = int

END: Action = SIZE
"""End the turn."""

DRAW: Action = SIZE + 8
"""`DRAW + i`: a card of terrain `CARDS[i]` is drawn. Chance, not a player, chooses it."""

USE: Action = SIZE + 16
"""`USE + i`: begin the extra action of the setup's i-th kind of location."""

DRAWING: dict[Terrain, Action] = {terrain: DRAW + i for i, terrain in enumerate(CARDS)}
"""The action that draws a card of this terrain."""

DRAWN: dict[Action, Terrain] = {action: terrain for terrain, action in DRAWING.items()}
"""The terrain that an action draws."""
