"""The eight locations of the base game (RULES 6.1)."""

from kingdom_builder.board.terrain import DESERT, GRASS, WATER, terrain_name
from kingdom_builder.hexes import AXES, BIT, NEAR, TWO_AWAY, Hex, HexSet, around, two_away
from kingdom_builder.message import Message
from kingdom_builder.rules import Building, FixedBuilding, Location, Moving, State
from kingdom_builder.rules.setup import OUTPOST_FOR_MOVES


class Oracle(Building, Location):
    key = "oracle"
    name = "Oracle"
    text = "Build one settlement on a hex of the terrain type of your played terrain card."
    icon = (
        '<path fill="#8a6a3a" d="M5 20.5h14l-2.5-4h-9z"/>'
        '<circle cx="12" cy="10" r="7.5" fill="#3b2a14"/>'
        '<path fill="#fdf3d6" d="M12 4.5l1.5 4 4 1.5-4 1.5-1.5 4-1.5-4-4-1.5 4-1.5z"/>'
        '<path fill="#3b2a14" d="M4 20h16v2.5H4z"/>'
    )
    where = Message("the terrain of your card")

    def area(self, state: State) -> HexSet:
        return state.card_hexes


class Farm(Building, Location):
    key = "farm"
    name = "Farm"
    text = "Build one settlement on a grass hex."
    icon = (
        '<path fill="none" stroke="#3b2a14" stroke-width="1.5" stroke-linecap="round" d="M12 22V6M12 22Q8 16 6 '
        '9M12 22q4-6 6-13"/>'
        '<path fill="#3b2a14" d="M12 1q2.5 3 0 6-2.5-3 0-6zM11.5 9.5q-3.5 0-3.5-4 3.5.5 3.5 4zM12.5 9.5q3.5 0 '
        '3.5-4-3.5.5-3.5 4zM11.5 14q-3.5 0-3.5-4 3.5.5 3.5 4zM12.5 14q3.5 0 3.5-4-3.5.5-3.5 4z"/>'
        '<path fill="#8a6a3a" d="M5 4q3 2 1.5 5.5Q3 8 5 4zM19 4q-3 2-1.5 5.5Q21 8 19 4zM6.5 14q-3.5-.5-4-4 4 0 4 '
        '4zM17.5 14q3.5-.5 4-4-4 0-4 4z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="2" stroke-linecap="round" d="M9 18.5h6"/>'
    )
    where = terrain_name(GRASS)

    def area(self, state: State) -> HexSet:
        return state.setup.board.terrain[GRASS]


class Oasis(Building, Location):
    key = "oasis"
    name = "Oasis"
    text = "Build one settlement on a desert hex."
    icon = (
        '<path fill="#8a6a3a" d="M2 20q5-3 10-3t10 3q-5 3-10 3T2 20z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="2" stroke-linecap="round" d="M11 20q2.5-6 .5-12"/>'
        '<path fill="#3b2a14" d="M12 8Q8 2.5 2 5.5q5 0 6.5 1.5Q4 7.5 3 13q4-4.5 9-5zM12 8q3-6 9.5-3.5-5 .5-6 2 5 '
        '.5 6.5 6Q18 8 12 8zM12 8q-1-4 2-7 3 3-2 7z"/>'
    )
    where = terrain_name(DESERT)

    def area(self, state: State) -> HexSet:
        return state.setup.board.terrain[DESERT]


class Tower(Building, Location):
    key = "tower"
    name = "Tower"
    text = "Build one settlement at the edge of the board, on any land."
    icon = (
        '<path fill="#8a6a3a" d="M8 9h8v13H8z"/>'
        '<path fill="#3b2a14" d="M5 1.5h3.5v2.5h2V1.5h3v2.5h2V1.5H19V9l-2 1.5V20h1.5v2.5h-13V20H7v-9.5L5 9z"/>'
        '<path fill="#fdf3d6" d="M10 22.5v-4q2-3 4 0v4zM11 10.5h2v4h-2zM6.5 6h11v1.2h-11z"/>'
    )
    where = Message("land at the edge of the board")

    def area(self, state: State) -> HexSet:
        return state.setup.board.buildable_edge


class Tavern(FixedBuilding, Location):
    key = "tavern"
    name = "Tavern"
    text = "Build one settlement at one end of a straight line of at least three of your settlements, on any land."
    icon = (
        '<path fill="none" stroke="#3b2a14" stroke-width="2.2" d="M16 11h2.5q2.5 0 2.5 2.5v2.5q0 2.5-2.5 '
        '2.5H16"/>'
        '<path fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.8" stroke-linejoin="round" d="M4.5 8h12l-.5 '
        '12.5q0 1.5-1.5 1.5h-8Q5 22 5 20.5z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.3" stroke-linecap="round" d="M8 13.5v5.5M13 '
        '13.5v5.5"/>'
        '<path fill="#fff" stroke="#3b2a14" stroke-width="1.6" stroke-linejoin="round" d="M5 10.5Q2.5 10 2.5 7T6 '
        '4.5q1-3.5 4.5-2.5 3-.5 4.5 2.5 3.5 0 3.5 3t-3 3q-1 1-2.5 0-1.5 2.5-3.5 0-2 1-4.5 0z"/>'
    )
    where = Message("land directly beyond an end of three or more of your settlements in a row")

    def spots(self, state: State) -> HexSet:
        own = state.own[state.player] | state.scouts
        ends = 0
        for axis in AXES:
            threes = own & own << axis & own << 2 * axis
            ends |= threes << axis | threes >> 3 * axis
        return ends & state.setup.board.buildable


class _AdjacentMove(Moving, Location):
    """A move to an area by the adjacency rule.

    The piece is lifted first (RULES 4.2): it does not support its own target, and the hex that it leaves is one of
    the available hexes, so that it can be the reason why a distant target is not legal. Putting it back there is not
    offered.
    """

    def area(self, state: State) -> HexSet:
        raise NotImplementedError

    def goes_by_adjacency(self, state: State) -> bool:
        return state.source is not None and OUTPOST_FOR_MOVES in state.setup.options

    def is_lifted(self, state: State) -> bool:
        """Whether the adjacency rule is off: by a declared tile or, when the piece is chosen, one to be declared."""
        liftable = state.source is None and state.setup.lifting_tiles & state.ready
        return state.adjacency_lifted or bool(liftable and OUTPOST_FOR_MOVES in state.setup.options)

    def targets(self, state: State, source: Hex, free: HexSet) -> HexSet:
        available = state.free_without(source) & self.area(state)
        if state.setup.lifting_tiles and self.is_lifted(state):
            return available & free
        others = state.own[state.player] ^ BIT[source] | state.scouts
        return (available & around(others) or available) & free

    def sources(self, state: State) -> HexSet:
        own, near = state.own[state.player], state.near[state.player]
        area = self.area(state)
        free = state.free & area
        if not free:
            return 0
        if state.setup.lifting_tiles and self.is_lifted(state):
            return own
        # A piece has no target only if it stands in the area, next to another own piece, and no free hex of the
        # area touches the other pieces.
        tied = own & near & area
        if state.blocked:
            tied &= ~state.blocked
        beside = free & near
        if not beside:
            return own & ~tied
        pieces = own | state.scouts if state.scouts else own
        supporters = NEAR[(beside & -beside).bit_length() - 1] & pieces
        if supporters & supporters - 1 or not supporters & tied or beside & around(pieces ^ supporters):
            return own
        return own ^ supporters

    def why_not_target(self, state: State, h: Hex) -> Message:
        wanted = Message("{action}: move to {where}", action=self, where=self.where)
        return state.why_not_build(h, self.area(state), wanted)


class Barn(_AdjacentMove):
    key = "barn"
    name = "Barn"
    text = (
        "Move one of your settlements to a hex of the terrain type of your played terrain card, "
        "next to another of your settlements if possible."
    )
    icon = (
        '<path fill="#3b2a14" d="M12 1.5l7 3.5 3 6.5-1.5.7V22.5h-17V12.2L2 11.5 5 5z"/>'
        '<path fill="#fdf3d6" d="M10 6.5h4v4h-4z"/>'
        '<path fill="#8a6a3a" d="M7 13h10v9.5H7z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1.3" d="M7 13h10v9H7zl10 9M17 13 7 22"/>'
    )
    where = Message("the terrain of your card")

    def area(self, state: State) -> HexSet:
        return state.card_hexes


class Harbor(_AdjacentMove):
    key = "harbor"
    name = "Harbor"
    text = "Move one of your settlements to a water hex, next to another of your settlements if possible."
    icon = (
        '<path fill="none" stroke="#3b2a14" stroke-width="2.3" stroke-linecap="round" d="M12 7v14M7.5 10.5h9"/>'
        '<circle cx="12" cy="4.5" r="2.5" fill="none" stroke="#3b2a14" stroke-width="2"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="2.5" d="M4 14.5q1 6.5 8 7 7-.5 8-7"/>'
        '<path fill="#3b2a14" d="M1.5 16.5 4 11.5l3 4.5zM22.5 16.5 20 11.5l-3 4.5z"/>'
    )
    where = terrain_name(WATER)

    def area(self, state: State) -> HexSet:
        return state.setup.board.water


class Paddock(Moving, Location):
    key = "paddock"
    name = "Paddock"
    text = "Move one of your settlements two hexes in a straight line, across anything, to any land."
    icon = (
        '<path fill="#3b2a14" d="M5 2.5h4q-.5 1-.3 2.5C6 9 5.5 17 12 17s6-8 3.3-12q.2-1.5-.3-2.5h4C24 10 22.5 22 '
        '12 22S0 10 5 2.5z"/>'
        '<path fill="#fdf3d6" d="M4.5 8h1.6v1.6H4.5zM4.8 12.5h1.6v1.6H4.8zM7.5 17h1.6v1.6H7.5zM17.9 '
        '8h1.6v1.6h-1.6zM17.6 12.5h1.6v1.6h-1.6zM14.9 17h1.6v1.6h-1.6z"/>'
    )
    where = Message("land two hexes away in a straight line")

    def sources(self, state: State) -> HexSet:
        return two_away(state.free & state.setup.board.buildable) & state.own[state.player]

    def targets(self, state: State, source: Hex, free: HexSet) -> HexSet:
        return TWO_AWAY[source] & free & state.setup.board.buildable


LOCATIONS: tuple[Location, ...] = (Oracle(), Farm(), Oasis(), Tower(), Tavern(), Barn(), Harbor(), Paddock())
