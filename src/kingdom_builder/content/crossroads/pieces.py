"""The pieces of Crossroads besides settlements (RULES 1.3, 4.4, 6.1)."""

from kingdom_builder.board.terrain import LAND, MOUNTAIN, WATER
from kingdom_builder.rules import PieceKind


class Warrior(PieceKind):
    key = "warriors"
    name = "warrior"
    sign = "!"
    each = 2
    footing = "".join(LAND)
    blocks = True


class WagonPiece(PieceKind):
    key = "wagons"
    name = "wagon"
    sign = "%"
    each = 1
    footing = "".join(LAND) + MOUNTAIN


class Ship(PieceKind):
    key = "ships"
    name = "ship"
    sign = "&"
    each = 1
    footing = WATER


class CityHallPiece(PieceKind):
    """Covers seven hexes, counts as a piece on each, and never moves."""

    key = "city-halls"
    name = "city hall"
    sign = "#"
    each = 7
    footing = ""
    removable = False
    whole = "city-hall"
