"""The pieces of Crossroads besides settlements (RULES 1.3, 4.4, 6.1)."""

from kingdom_builder.board.terrain import LAND, MOUNTAIN, WATER
from kingdom_builder.rules import PieceKind


class Warrior(PieceKind):
    key = "warriors"
    name = "warrior"
    text = "Stands on land and counts as a settlement; nobody may put anything next to it, its owner neither."
    sign = "!"
    each = 2
    footing = "".join(LAND)
    blocks = True


class WagonPiece(PieceKind):
    key = "wagons"
    name = "wagon"
    text = "Stands on land or a mountain and counts as a settlement; its own tile moves it up to three steps."
    sign = "%"
    each = 1
    footing = "".join(LAND) + MOUNTAIN


class Ship(PieceKind):
    key = "ships"
    name = "ship"
    text = "Stands on water and counts as a settlement; its own tile moves it up to three steps."
    sign = "&"
    each = 1
    footing = WATER


class CityHallPiece(PieceKind):
    """Covers seven hexes, counts as a piece on each, and never moves."""

    key = "city-halls"
    name = "city hall"
    text = "Covers seven hexes and counts as a settlement on each; it cannot be removed."
    sign = "#"
    each = 7
    footing = ""
    removable = False
    whole = "city-hall"
