"""The four locations of Nomads (RULES 6.2)."""

from kingdom_builder.board.terrain import FLOWERS, terrain_name
from kingdom_builder.hexes import BIT, DIRECTIONS, Hex, HexSet, around, neighbour_counts
from kingdom_builder.message import HexName, Message
from kingdom_builder.rules import (
    DONE,
    Action,
    ActionSet,
    FixedBuilding,
    LandBuilding,
    Location,
    Moving,
    Setup,
    Shape,
    State,
)
from kingdom_builder.rules.pieces import Wall
from kingdom_builder.rules.setup import WALLS


class Quarry(Location):
    key = "quarry"
    name = "Quarry"
    text = (
        "Put one or two stone walls on hexes of the terrain type of your played terrain card, next to your settlements."
    )
    counts = range(1, 3)
    lays = Wall
    by_card = True

    def walls_left(self, state: State) -> int:
        return max(0, Wall.each - state.memory.get(WALLS, 0).bit_count())

    def spots(self, state: State) -> HexSet:
        if not self.walls_left(state):
            return 0
        return state.free & state.card_hexes & state.near[state.player]

    def legal(self, state: State) -> ActionSet:
        may_stop = state.acting is self and state.steps == 1
        return self.spots(state) | may_stop << DONE

    def begin(self, state: State) -> None:
        state.steps = 2

    def apply(self, state: State, choice: Action) -> None:
        if choice == DONE:
            state.finish()
            return
        state.place_wall(choice)
        state.steps -= 1
        if not state.steps or (not self.spots(state) and not state.card_is_replaced()):
            state.finish()

    def shape(self, setup: Setup) -> Shape:
        return Shape("walls", (), (Wall.each,))

    def prompt(self, state: State) -> Message:
        if state.steps == 1:
            return Message(
                "{action}: put one more wall on the terrain of your card, next to your settlements, or stop.",
                action=self,
            )
        return Message(
            "{action}: put up to {n} {n:wall|walls} on the terrain of your card, next to your settlements.",
            action=self,
            n=min(state.steps, self.walls_left(state), self.spots(state).bit_count()),
        )

    def why_not_begin(self, state: State) -> Message:
        return super().why_not_begin(state) if self.walls_left(state) else self._no_wall_left()

    def _no_wall_left(self) -> Message:
        return Message("{action}: no stone wall is left.", action=self)

    def why_not(self, state: State, h: Hex) -> Message:
        if not self.walls_left(state):
            return self._no_wall_left()
        return state.why_not_empty(h) or Message(
            "{action}: a wall stands on the terrain of your card, next to one of your settlements; "
            "{hex} ({ground}) is not such a hex.",
            action=self,
            hex=HexName(h),
            ground=state.setup.ground(h),
        )


class Caravan(Moving, Location):
    key = "caravan"
    name = "Caravan"
    text = "Move one of your settlements in a straight line over free land as far as it goes."
    where = Message("the last free land in a straight line")

    def sources(self, state: State) -> HexSet:
        return around(state.free & state.setup.board.buildable) & state.own[state.player]

    def targets(self, state: State, source: Hex, free: HexSet) -> HexSet:
        land = free & state.setup.board.buildable
        found = 0
        for direction in DIRECTIONS:
            h = source
            while h + direction >= 0 and land >> h + direction & 1:
                h += direction
            found |= BIT[h]
        return found & ~BIT[source]

    def shape(self, setup: Setup) -> Shape:
        return Shape("move_straight", (setup.board.buildable,))


class Village(FixedBuilding, Location):
    key = "village"
    name = "Village"
    text = "Build one settlement on land next to at least three of your settlements."
    where = Message("land next to at least three of your settlements")

    def spots(self, state: State) -> HexSet:
        ones, twos, fours = neighbour_counts(state.own[state.player] | state.scouts)
        return (fours | twos & ones) & state.setup.board.buildable

    def shape(self, setup: Setup) -> Shape:
        return Shape("build_among", (setup.board.buildable,))


class Garden(LandBuilding, Location):
    key = "garden"
    name = "Garden"
    text = "Build one settlement on a flower field hex, next to your settlements if possible."
    where = terrain_name(FLOWERS)

    def land(self, setup: Setup) -> HexSet:
        return setup.board.terrain[FLOWERS]


LOCATIONS: tuple[Location, ...] = (Quarry(), Caravan(), Village(), Garden())
