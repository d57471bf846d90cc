"""The eight locations of the base game (RULES 6.1)."""

from kingdom_builder.board.terrain import DESERT, GRASS, WATER, terrain_name
from kingdom_builder.hexes import AXES, BIT, NEAR, TWO_AWAY, Hex, HexSet, around, two_away
from kingdom_builder.message import HexName, Message
from kingdom_builder.rules import Building, FixedBuilding, LandBuilding, Location, Moving, Setup, Shape, State
from kingdom_builder.rules.setup import OUTPOST_FOR_MOVES


class Oracle(Building, Location):
    key = "oracle"
    name = "Oracle"
    text = (
        "Build one settlement on a hex of the terrain type of your played terrain card, "
        "next to your settlements if possible."
    )
    where = Message("the terrain of your card")
    by_card = True

    def area(self, state: State) -> HexSet:
        return state.card_hexes

    def shape(self, setup: Setup) -> Shape:
        return Shape("build_on_card")


class Farm(LandBuilding, Location):
    key = "farm"
    name = "Farm"
    text = "Build one settlement on a grass hex, next to your settlements if possible."
    where = terrain_name(GRASS)

    def land(self, setup: Setup) -> HexSet:
        return setup.board.terrain[GRASS]


class Oasis(LandBuilding, Location):
    key = "oasis"
    name = "Oasis"
    text = "Build one settlement on a desert hex, next to your settlements if possible."
    where = terrain_name(DESERT)

    def land(self, setup: Setup) -> HexSet:
        return setup.board.terrain[DESERT]


class Tower(LandBuilding, Location):
    key = "tower"
    name = "Tower"
    text = "Build one settlement at the edge of the board, on any land, next to your settlements if possible."
    where = Message("land at the edge of the board")

    def land(self, setup: Setup) -> HexSet:
        return setup.board.buildable_edge


class Tavern(FixedBuilding, Location):
    key = "tavern"
    name = "Tavern"
    text = "Build one settlement at one end of a straight line of at least three of your settlements, on any land."
    where = Message("land directly beyond an end of three or more of your settlements in a row")

    def spots(self, state: State) -> HexSet:
        own = state.own[state.player] | state.scouts
        ends = 0
        for axis in AXES:
            threes = own & own << axis & own << 2 * axis
            ends |= threes << axis | threes >> 3 * axis
        return ends & state.setup.board.buildable

    def shape(self, setup: Setup) -> Shape:
        return Shape("build_at_ends", (setup.board.buildable,), (3,))


class _AdjacentMove(Moving, Location):
    """A move to an area under the adjacency rule.

    The piece is lifted first (RULES 4.2). It does not count as a neighbour of its own target. The hex that it leaves is
    free, so that hex can make a distant target illegal. Putting the piece back there is not offered.
    """

    def area(self, state: State) -> HexSet:
        raise NotImplementedError

    def goes_by_adjacency(self, state: State) -> bool:
        return state.source is not None and OUTPOST_FOR_MOVES in state.setup.options

    def is_lifted(self, state: State) -> bool:
        """Whether a tile lifts the adjacency rule: a declared one or, while a piece is chosen, one still to declare."""
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
        # A piece has no target only if it stands in the area next to another piece of its owner, and no free hex of
        # the area touches the other pieces.
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
        if not self.area(state) >> h & 1:
            return state.why_not_build(h, self.area(state), wanted)
        return Message(
            "{hex} does not touch your other settlements: where you can, you must move next to them ({wanted}).",
            hex=HexName(h),
            wanted=wanted,
        )


class Barn(_AdjacentMove):
    key = "barn"
    name = "Barn"
    text = (
        "Move one of your settlements to a hex of the terrain type of your played terrain card, "
        "next to another of your settlements if possible."
    )
    where = Message("the terrain of your card")
    by_card = True

    def area(self, state: State) -> HexSet:
        return state.card_hexes

    def shape(self, setup: Setup) -> Shape:
        return Shape("move_to_card")


class Harbor(_AdjacentMove):
    key = "harbor"
    name = "Harbor"
    text = "Move one of your settlements to a water hex, next to another of your settlements if possible."
    where = terrain_name(WATER)

    def area(self, state: State) -> HexSet:
        return state.setup.board.water

    def shape(self, setup: Setup) -> Shape:
        return Shape("move_next_to", (setup.board.water,))


class Paddock(Moving, Location):
    key = "paddock"
    name = "Paddock"
    text = "Move one of your settlements two hexes in a straight line, across anything, to any land."
    where = Message("land two hexes away in a straight line")

    def sources(self, state: State) -> HexSet:
        return two_away(state.free & state.setup.board.buildable) & state.own[state.player]

    def targets(self, state: State, source: Hex, free: HexSet) -> HexSet:
        return TWO_AWAY[source] & free & state.setup.board.buildable

    def shape(self, setup: Setup) -> Shape:
        return Shape("move_two", (setup.board.buildable,))


LOCATIONS: tuple[Location, ...] = (Oracle(), Farm(), Oasis(), Tower(), Tavern(), Barn(), Harbor(), Paddock())
