"""The four locations of Nomads (RULES 6.2)."""

from kingdom_builder.board.terrain import FLOWERS, terrain_name
from kingdom_builder.hexes import BIT, DIRECTIONS, Hex, HexSet, around, neighbour_counts
from kingdom_builder.message import HexName, Message
from kingdom_builder.rules import DONE, Action, ActionSet, Building, FixedBuilding, Location, Moving, State
from kingdom_builder.rules.setup import WALLS


class Quarry(Location):
    key = "quarry"
    name = "Quarry"
    text = (
        "Put one or two stone walls on hexes of the terrain type of your played terrain card, next to your settlements."
    )
    icon = (
        '<path fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.4" stroke-linejoin="round" d="M1.5 '
        '16h10v6h-10zM12.5 16h10v6h-10z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="2.2" stroke-linecap="round" d="M12 4v12"/>'
        '<path fill="#3b2a14" d="M2 9.5Q12-3.5 22 9.5 12 2.5 2 9.5z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1.1" stroke-linecap="round" d="M4 18.5h3M15 '
        '18.5h3"/>'
    )
    walls = 25
    """Walls in the box."""
    counts = range(1, 3)

    def spots(self, state: State) -> HexSet:
        if state.memory.get(WALLS, 0).bit_count() >= self.walls:
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

    def prompt(self, state: State) -> Message:
        return Message(
            "{action}: put up to {n} {n:wall|walls} on the terrain of your card, next to your settlements.",
            action=self,
            n=state.steps,
        )

    def why_not(self, state: State, h: Hex) -> Message:
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
    icon = (
        '<path fill="#3b2a14" d="M1.5 12.5Q2 8.7 5 9q.6-4.5 3-4.5T10.7 8q.6-3.5 2.8-3.5T16.3 9q1.6.8 '
        '1.7-2V5q0-2.5 2.2-2.5L23 4v2l-2.5.3v4q0 3.7-4 4.2v7.7h-2V15H7.2l-.7 7.2h-2L4 14q-1-.5-1 2L1.5 15z"/>'
        '<path fill="#8a6a3a" d="M7 9.5h9v3.3H7z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width=".9" d="M8.5 9.5v3.3M11.5 9.5v3.3M14.5 9.5v3.3"/>'
    )
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


class Village(FixedBuilding, Location):
    key = "village"
    name = "Village"
    text = "Build one settlement on land next to at least three of your settlements."
    icon = (
        '<path fill="#3b2a14" d="M6 13V8l6-6 6 6v5z"/>'
        '<path fill="#fdf3d6" d="M10.8 6.5h2.4v2.7h-2.4z"/>'
        '<path fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.4" stroke-linejoin="round" d="M1.5 '
        '22v-6.5L6.5 11l5 4.5V22zM12.5 22v-6.5l5-4.5 5 4.5V22z"/>'
        '<path fill="#fdf3d6" d="M5.2 22v-4h2.6v4zM16.2 22v-4h2.6v4z"/>'
    )
    where = Message("land next to at least three of your settlements")

    def spots(self, state: State) -> HexSet:
        ones, twos, fours = neighbour_counts(state.own[state.player] | state.scouts)
        return (fours | twos & ones) & state.setup.board.buildable


class Garden(Building, Location):
    key = "garden"
    name = "Garden"
    text = "Build one settlement on a flower field hex."
    icon = (
        '<path fill="none" stroke="#3b2a14" stroke-width="1.8" stroke-linecap="round" d="M12 12v10.5"/>'
        '<path fill="#8a6a3a" d="M12 22q-1-5-8.5-5.5Q4.5 22.5 12 22zM12 22q1-5 8.5-5.5Q19.5 22.5 12 22z"/>'
        '<path fill="#3b2a14" d="M12 8.5C7.5 6 8.5 1 12 1s4.5 5 0 7.5c1-5 6-5 7-1.6s-3.5 5.6-7 1.6c5 0 6.5 4 '
        '3.8 6S10.5 13.5 12 8.5c1.5 5-1.1 8-3.8 6s-1.2-6 3.8-6c-3.5 4-8 1.8-7-1.6s6-3.4 7 1.6z"/>'
        '<circle cx="12" cy="8.7" r="2.1" fill="#fdf3d6"/>'
    )
    where = terrain_name(FLOWERS)

    def area(self, state: State) -> HexSet:
        return state.setup.board.terrain[FLOWERS]


LOCATIONS: tuple[Location, ...] = (Quarry(), Caravan(), Village(), Garden())
