"""The eight locations of Harvest (RULES 6.4)."""

from kingdom_builder.board.terrain import MOUNTAIN, WATER, terrain_name
from kingdom_builder.hexes import BIT, Hex, HexSet, areas, around, supported_moves
from kingdom_builder.message import HexName, Message
from kingdom_builder.rules import DONE, OTHER, USE, Action, ActionSet, Building, Location, Moving, State
from kingdom_builder.rules.components import BY_SEAT, NUMBER

REPEATED = "repeated"
"""The field that holds which action the Bazaar has repeated in this turn: its number and one."""


class WaterMill(Building, Location):
    key = "water-mill"
    name = "Water mill"
    text = "Build one settlement on land next to water."
    icon = (
        '<path fill="#3b2a14" d="M11.5 18V7.5L17 2.5l6 5V18z"/>'
        '<path fill="#fdf3d6" d="M17 8.5h2.8v3H17z"/>'
        '<circle cx="8.5" cy="13" r="6" fill="#fdf3d6" stroke="#3b2a14" stroke-width="1.6"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.5" stroke-linecap="round" d="M8.5 5v16M.8 '
        '13h15.4M3 7.5l11 11M14 7.5l-11 11"/>'
        '<circle cx="8.5" cy="13" r="1.8" fill="#8a6a3a"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="1.7" stroke-linecap="round" d="M1 22q2.8-2.6 5.5 '
        '0t5.5 0 5.5 0 5.5 0"/>'
    )
    where = Message("land next to {terrain}", terrain=terrain_name(WATER))

    def area(self, state: State) -> HexSet:
        return state.setup.board.buildable & state.setup.board.beside_water


class MountainStation(Building, Location):
    key = "mountain-station"
    name = "Mountain station"
    text = "Build one settlement on land next to a mountain."
    icon = (
        '<path fill="#3b2a14" d="M.5 21 9 6l3.5 5.5L16 7l7.5 14z"/>'
        '<path fill="#fdf3d6" d="M9 6l-2.7 4.7L8.5 9.8l1.2 2 1.5-2.2z"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="1.2" stroke-linecap="round" d="M1 4.5 23 1"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.1" stroke-linecap="round" d="M17 2.2v3"/>'
        '<path fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.2" stroke-linejoin="round" d="M13.3 '
        '5.2h7.4v5h-7.4z"/>'
        '<path fill="#fdf3d6" d="M14.7 6.5h1.7v1.9h-1.7zM17.6 6.5h1.7v1.9h-1.7z"/>'
        '<path fill="#8a6a3a" d="M.5 20.5h23V22.5H.5z"/>'
    )
    where = Message("land next to a {terrain}", terrain=terrain_name(MOUNTAIN))

    def area(self, state: State) -> HexSet:
        return state.setup.board.buildable & state.setup.board.beside_mountains


class Watchtower(Building, Location):
    key = "watchtower"
    name = "Watchtower"
    text = "Build one settlement on land next to a settlement of another player."
    icon = (
        '<path fill="none" stroke="#3b2a14" stroke-width="1.4" stroke-linecap="round" d="M7.5 12.5 5 '
        '22.5M16.5 12.5l2.5 10M6.5 17l11.5 5M17.5 17 6 22M7 16.5h10"/>'
        '<path fill="#3b2a14" d="M12 .8 20 7H4z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.2" stroke-linecap="round" d="M6.5 7v5M17.5 '
        '7v5M12 7v5"/>'
        '<path fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.3" stroke-linejoin="round" d="M5 '
        '9.5h14v3.5H5z"/>'
    )
    where = Message("land next to a piece of another player")

    def area(self, state: State) -> HexSet:
        beside = 0
        for seat, near in enumerate(state.near):
            if seat != state.player:
                beside |= near
        return state.setup.board.buildable & beside


class University(Building, Location):
    key = "university"
    name = "University"
    text = "Build one settlement on land next to a location, castle, nomad space or silo."
    icon = (
        '<path fill="#8a6a3a" d="M5.5 11v6.5q6.5 4 13 0V11z"/>'
        '<path fill="#3b2a14" d="M12 3.5 23.5 9.3 12 15 .5 9.3z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1.1" stroke-linecap="round" d="M12 9.2l8.5 2V17"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.5" stroke-linecap="round" d="M20.5 11v6"/>'
        '<path fill="#3b2a14" d="M20.5 16l1.7 5.5h-3.4z"/>'
    )
    where = Message("land next to a location, castle, nomad space or silo")

    def area(self, state: State) -> HexSet:
        return state.setup.board.buildable & state.setup.board.beside_special


class Palisade(Moving, Location):
    key = "palisade"
    name = "Palisade"
    text = "Move one of your settlements to land next to the settlement area that it leaves."
    icon = (
        '<path fill="none" stroke="#3b2a14" stroke-width="2" d="M.8 11h22.4M.8 18h22.4"/>'
        '<path fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.3" stroke-linejoin="round" d="M2 '
        "22.5V5.5l2.2-4 2.2 4v17zM8 22.5v-15l2-4 2 4v15zM13.5 22.5V6l2-4 2 4v16.5zM18.7 22.5v-14l1.7-3.5 1.7 "
        '3.5v14z"/>'
        '<circle cx="4.2" cy="11" r=".8" fill="#fdf3d6"/>'
        '<circle cx="10" cy="11" r=".8" fill="#fdf3d6"/>'
        '<circle cx="15.5" cy="11" r=".8" fill="#fdf3d6"/>'
        '<circle cx="4.2" cy="18" r=".8" fill="#fdf3d6"/>'
        '<circle cx="10" cy="18" r=".8" fill="#fdf3d6"/>'
        '<circle cx="15.5" cy="18" r=".8" fill="#fdf3d6"/>'
    )
    where = Message("land next to the rest of its settlement area")

    def sources(self, state: State) -> HexSet:
        land = state.free & state.setup.board.buildable
        found = 0
        for area in areas(state.own[state.player] | state.scouts):
            found |= supported_moves(area, land)
        return found & state.own[state.player]

    def targets(self, state: State, source: Hex, free: HexSet) -> HexSet:
        for area in areas(state.own[state.player] | state.scouts):
            if area >> source & 1:
                return around(area ^ BIT[source]) & free & state.setup.board.buildable
        return 0


class ScoutCabin(Location):
    key = "scout-cabin"
    name = "Scout cabin"
    text = "Put up to two scouts next to your settlements; in this turn they count as settlements for building."
    icon = (
        '<path fill="none" stroke="#3b2a14" stroke-width="1.3" stroke-linecap="round" d="M19 8V1.5"/>'
        '<path fill="#8a6a3a" d="M18.7 1l-5.5 1.7 5.5 1.9z"/>'
        '<path fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.4" stroke-linejoin="round" d="M4 '
        '22V13h16v9z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width=".9" d="M4 15.2h16M4 17.5h16M4 19.7h16"/>'
        '<path fill="#3b2a14" d="M12 5.5 1.5 13.5h21z"/>'
        '<path fill="#fdf3d6" d="M10.2 22v-5h3.6v5z"/>'
        '<path fill="#fdf3d6" d="M12 8.5l2.2 2.5H9.8z"/>'
    )

    counts = range(1, 3)

    def spots(self, state: State) -> HexSet:
        return state.free & state.near[state.player]

    def legal(self, state: State) -> ActionSet:
        may_stop = state.acting is self and state.steps == 1
        return self.spots(state) | may_stop << DONE

    def can_repeat(self, state: State) -> bool:
        without_scouts = state.copy()
        without_scouts.remove_scouts()
        return bool(self.spots(without_scouts))

    def begin(self, state: State) -> None:
        state.remove_scouts()  # the scouts of an earlier use in this turn may go elsewhere
        state.steps = 2

    def apply(self, state: State, choice: Action) -> None:
        if choice == DONE:
            state.finish()
            return
        state.place_scout(choice)
        state.steps -= 1
        if not state.steps or not self.spots(state):
            state.finish()

    def prompt(self, state: State) -> Message:
        return Message("{action}: put up to {n} {n:scout|scouts} next to your own pieces.", action=self, n=state.steps)

    def why_not(self, state: State, h: Hex) -> Message:
        return state.why_not_empty(h) or Message(
            "{action}: a scout stands next to one of your pieces, which {hex} is not.", action=self, hex=HexName(h)
        )


class Cathedral(Location):
    key = "cathedral"
    name = "Cathedral"
    text = "Take one more number, or give some back and build as many settlements on the terrain of your card."
    icon = (
        '<path fill="#3b2a14" d="M2 22.5V8l2.7-6.5L7.5 8v2L12 6.5l4.5 3.5V8l2.8-6.5L22 8v14.5z"/>'
        '<circle cx="12" cy="13" r="2" fill="none" stroke="#fdf3d6" stroke-width="1.1"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width=".7" d="M12 11v4M10 13h4"/>'
        '<path fill="#fdf3d6" d="M10 22.5v-3.5q2-3.5 4 0v3.5zM4 11h1.5v4H4zM18.5 11H20v4h-1.5z"/>'
        '<path fill="#8a6a3a" d="M3.7 18h2v4.5h-2zM18.3 18h2v4.5h-2z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.1" stroke-linecap="round" d="M12 7V2.5M10.5 '
        '4h3"/>'
    )
    fields = {"cathedral": BY_SEAT}
    options = {"bazaarCathedralGain": "Bazaar: when it repeats the Cathedral, one more number may be taken as well."}
    counts = range(2)
    by_adjacency = True

    def describe_change(self, before: int, after: int) -> Message:
        return Message("now has {n} in the {location}", n=after, location=self)

    def numbers(self, state: State) -> int:
        return state.of_seat("cathedral", state.player)

    def spots(self, state: State) -> HexSet:
        return state.spots(state.card_hexes) if self.numbers(state) and state.supply[state.player] else 0

    def legal(self, state: State) -> ActionSet:
        spots = self.spots(state)
        if state.adjacency_lifted and spots:
            return spots
        if state.acting is self and state.steps:
            return spots | 1 << DONE
        return spots | self.may_gain(state) << OTHER

    def may_gain(self, state: State) -> bool:
        """Whether one more number may be taken: not by the Bazaar, unless that is switched on."""
        repeated = state.memory.get(REPEATED) == state.setup.actions.index(self) + 1
        return not repeated or "bazaarCathedralGain" in state.setup.options

    def can_repeat(self, state: State) -> bool:
        return bool(self.spots(state)) or "bazaarCathedralGain" in state.setup.options

    def apply(self, state: State, choice: Action) -> None:
        if choice == OTHER:
            state.add_for("cathedral", state.player, 1)
        elif choice != DONE:
            state.add_for("cathedral", state.player, -1)
            state.build(choice)
            state.steps = 1
            more_by_another_card = self.numbers(state) and state.supply[state.player] and state.card_is_replaced()
            if self.spots(state) or more_by_another_card:
                return
        state.remember(REPEATED, 0)
        state.finish()

    def taken(self, state: State) -> None:
        state.add_for("cathedral", state.player, 1)

    def lost(self, state: State, seat: int) -> None:
        state.add_for("cathedral", seat, -state.of_seat("cathedral", seat))

    def prompt(self, state: State) -> Message:
        left = self.numbers(state)
        if state.steps:
            return Message("{action}: build up to {n} more on the terrain of your card, or stop.", action=self, n=left)
        if not self.spots(state):
            return Message("{action}: take one more number.", action=self)
        if not self.may_gain(state):
            return Message("{action}: build up to {n} on the terrain of your card.", action=self, n=left)
        return Message(
            "{action}: build up to {n} on the terrain of your card, or take one more number.", action=self, n=left
        )

    def describe_option(self, state: State, action: Action) -> Message:
        return Message("Take one more number") if action == OTHER else super().describe_option(state, action)

    def why_not(self, state: State, h: Hex) -> Message:
        wanted = Message("{action}: build on {where}", action=self, where=Message("the terrain of your card"))
        return state.why_not_build(h, state.card_hexes, wanted)


class Bazaar(Location):
    key = "bazaar"
    name = "Bazaar"
    text = "Repeat the action of a location tile that you have used in this turn and still have."
    icon = (
        '<path fill="none" stroke="#3b2a14" stroke-width="1.7" stroke-linecap="round" d="M4 10v12M20 10v12"/>'
        '<path fill="#fdf3d6" stroke="#3b2a14" stroke-width="1.3" stroke-linejoin="round" d="M4 2.5h16l2.5 '
        '6.5q-1 3-3.5 1-1.7 2.5-3.5 0-1.7 2.5-3.5 0-1.7 2.5-3.5 0-1.7 2.5-3.5 0-2.5 2-3.5-1z"/>'
        '<path fill="#3b2a14" d="M6.2 2.5h3.2L8.5 10q-1.7 2.5-3.5 0zM14.6 2.5h3.2L19 10q-1.8 2.5-3.5 0z"/>'
        '<path fill="#8a6a3a" d="M2.5 16.5h19V22h-19z"/>'
        '<path fill="#3b2a14" d="M2 15.5h20v1.8H2z"/>'
        '<circle cx="9.5" cy="14.5" r="1.6" fill="#3b2a14"/>'
        '<circle cx="14" cy="14.5" r="1.6" fill="#8a6a3a"/>'
    )
    fields = {REPEATED: NUMBER}
    repeatable = False

    def legal(self, state: State) -> ActionSet:
        """The uses of the actions that can be repeated now."""
        held, used = state.held[state.player], state.used()
        legal = 0
        for kind, action in enumerate(state.setup.actions):
            tiles = (held if action.passive else used) & state.setup.kind_tiles[kind]
            if tiles and action.repeatable and action.can_repeat(state):
                legal |= 1 << USE + kind
        return legal

    def apply(self, state: State, choice: Action) -> None:
        state.finish()
        state.remember(REPEATED, choice - USE + 1)
        state.acting = state.setup.actions[choice - USE]
        state.acting.begin(state)

    def turn_ended(self, state: State) -> None:
        state.remember(REPEATED, 0)

    def prompt(self, state: State) -> Message:
        return Message("{action}: choose the action to repeat.", action=self)

    def why_not(self, state: State, h: Hex) -> Message:
        return Message(
            "{action}: choose a location whose action you have used in this turn, not {hex}.",
            action=self,
            hex=HexName(h),
        )


LOCATIONS: tuple[Location, ...] = (
    Bazaar(),
    WaterMill(),
    MountainStation(),
    ScoutCabin(),
    Cathedral(),
    Watchtower(),
    University(),
    Palisade(),
)
