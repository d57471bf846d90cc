"""Numbers of the actions: every decision is the choice of one member of a set, and the set is one int.

A hex is its own number; the numbers of all other choices are above those of the hexes.
"""

from kingdom_builder.board.terrain import CARDS, Terrain
from kingdom_builder.hexes import SIZE

Action = int
ActionSet = int

END: Action = SIZE
"""End the turn."""

CHOOSE: Action = SIZE + 1
"""`CHOOSE + i`: of several cards in hand, play the one of terrain `CARDS[i]`."""

DONE: Action = SIZE + 6
"""Stop an extra action that could go on."""

OTHER: Action = SIZE + 7
"""What an extra action offers besides hexes: take a piece back, take one more number tile."""

DRAW: Action = SIZE + 8
"""`DRAW + i`: draw a card of terrain `CARDS[i]`. Chance, not a player, chooses it."""

USE: Action = SIZE + 16
"""`USE + i`: begin the setup's i-th extra action."""

DRAWING: dict[Terrain, Action] = {terrain: DRAW + i for i, terrain in enumerate(CARDS)}
"""The action that draws a card of this terrain."""

DRAWN: dict[Action, Terrain] = {action: terrain for terrain, action in DRAWING.items()}
"""The terrain that an action draws."""

CHOOSING: dict[Terrain, Action] = {terrain: CHOOSE + i for i, terrain in enumerate(CARDS)}
"""The action that plays a card of this terrain."""

CHOSEN: dict[Action, Terrain] = {action: terrain for terrain, action in CHOOSING.items()}
"""The terrain that an action plays."""
