"""The eight locations of Harvest (RULES 6.4)."""

from kingdom_builder.board.terrain import MOUNTAIN, WATER, terrain_name
from kingdom_builder.hexes import BIT, Hex, HexSet, areas, around, supported_moves
from kingdom_builder.message import HexName, Message
from kingdom_builder.rules import (
    DONE,
    OTHER,
    USE,
    Action,
    ActionSet,
    Building,
    ExtraAction,
    LandBuilding,
    Location,
    Moving,
    Setup,
    Shape,
    State,
)
from kingdom_builder.rules.components import BY_SEAT, NUMBER
from kingdom_builder.rules.pieces import Scout
from kingdom_builder.rules.versions import SCOUTS_PICKED_UP

REPEATED = "repeated"
"""The field for the action that the Bazaar has repeated in this turn: the action's number plus one."""


class WaterMill(LandBuilding, Location):
    key = "water-mill"
    name = "Water mill"
    text = "Build one settlement on land next to water, and next to your settlements if possible."
    where = Message("land next to {terrain}", terrain=terrain_name(WATER))

    def land(self, setup: Setup) -> HexSet:
        return setup.board.buildable & setup.board.beside_water


class MountainStation(LandBuilding, Location):
    key = "mountain-station"
    name = "Mountain station"
    text = "Build one settlement on land next to a mountain, and next to your settlements if possible."
    where = Message("land next to a {terrain}", terrain=terrain_name(MOUNTAIN))

    def land(self, setup: Setup) -> HexSet:
        return setup.board.buildable & setup.board.beside_mountains


class Watchtower(Building, Location):
    key = "watchtower"
    name = "Watchtower"
    text = (
        "Build one settlement on land next to a settlement of another player, and next to your settlements if possible."
    )
    where = Message("land next to a piece of another player")

    def area(self, state: State) -> HexSet:
        beside = 0
        for seat, near in enumerate(state.near):
            if seat != state.player:
                beside |= near
        return state.setup.board.buildable & beside

    def shape(self, setup: Setup) -> Shape:
        return Shape("build_near_others", (setup.board.buildable,))


class University(LandBuilding, Location):
    key = "university"
    name = "University"
    text = "Build one settlement on land next to a {special}, and next to your settlements if possible."
    where = Message("land next to a location, castle, nomad space or silo")

    def land(self, setup: Setup) -> HexSet:
        return setup.board.buildable & setup.board.beside_special


class Palisade(Moving, Location):
    key = "palisade"
    name = "Palisade"
    text = "Move one of your settlements to land next to the settlement area that it leaves."
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

    def shape(self, setup: Setup) -> Shape:
        return Shape("move_along_area", (setup.board.buildable,))


class ScoutCabin(Location):
    key = "scout-cabin"
    name = "Scout cabin"
    text = "Put up to two scouts next to your settlements; in this turn they count as settlements for building."
    counts = range(1, 3)
    lays = Scout

    def rulings_before(self, version: int, setup: Setup) -> list[str]:
        tiles = setup.kind_tiles[setup.actions.index(self)]
        return [SCOUTS_PICKED_UP] if version < 3 and tiles.bit_count() > 1 else []

    def spots(self, state: State) -> HexSet:
        return state.free & state.near[state.player]

    def legal(self, state: State) -> ActionSet:
        if state.acting is self:
            return self.spots(state) | (state.steps == 1) << DONE
        return self.spots(state) if self.scouts_left(state) else 0

    def scouts_left(self, state: State) -> int:
        """The scouts that the next use may put on the board: those that stand there stay (RULES 6.4)."""
        if SCOUTS_PICKED_UP in state.setup.options:
            return Scout.each
        return max(0, Scout.each - state.scouts.bit_count())

    def can_repeat(self, state: State) -> bool:
        without_scouts = state.copy()
        without_scouts.remove_scouts()
        return bool(self.spots(without_scouts))

    def begin(self, state: State) -> None:
        if SCOUTS_PICKED_UP in state.setup.options:
            state.remove_scouts()
        state.steps = self.scouts_left(state)

    def begin_again(self, state: State) -> None:
        state.remove_scouts()  # a repetition may relocate them
        self.begin(state)

    def apply(self, state: State, choice: Action) -> None:
        if choice == DONE:
            state.finish()
            return
        state.place_scout(choice)
        state.steps -= 1
        if not state.steps or not self.spots(state):
            state.finish()

    def shape(self, setup: Setup) -> Shape:
        return Shape("scouts", (), (SCOUTS_PICKED_UP in setup.options,))

    def why_not_begin(self, state: State) -> Message:
        if not self.scouts_left(state):
            return Message("{action}: both scouts are on the board.", action=self)
        return super().why_not_begin(state)

    def prompt(self, state: State) -> Message:
        if state.steps == 2:
            return Message("{action}: put up to two scouts next to your own pieces.", action=self)
        return Message("{action}: put one more scout next to your own pieces, or stop.", action=self)

    def why_not(self, state: State, h: Hex) -> Message:
        return state.why_not_empty(h) or Message(
            "{action}: a scout stands next to one of your pieces, which {hex} is not.", action=self, hex=HexName(h)
        )


class Cathedral(Location):
    key = "cathedral"
    name = "Cathedral"
    text = (
        "Take one more number, or give some back and build as many settlements on the terrain of your card, "
        "each next to your settlements if possible."
    )
    fields = {"cathedral": BY_SEAT}
    options = {"bazaarCathedralGain": "Bazaar: when it repeats the Cathedral, one more number may be taken as well."}
    counts = range(2)
    by_adjacency = True
    builds = True

    def describe_change(self, before: int, after: int) -> Message:
        return Message("now has {n} in the {location}", n=after, location=self)

    def gold_of_change(self, before: int, after: int) -> int:
        return 0

    def numbers(self, state: State) -> int:
        return self.number(state, state.player)

    def number(self, state: State, seat: int) -> int:
        return state.of_seat("cathedral", seat)

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
        """Whether one more number may be taken: the Bazaar may do so only with its option."""
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

    def shape(self, setup: Setup) -> Shape:
        is_repeated = REPEATED in setup.fields
        fields = ("cathedral", REPEATED) if is_repeated else ("cathedral",)
        return Shape("numbers", (), ("bazaarCathedralGain" in setup.options, is_repeated), fields)

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
        if not self.numbers(state):
            return Message("{action}: it is at 0, and nothing can be built.", action=self)
        if not state.supply[state.player]:
            return Message("{action}: your supply is empty.", action=self)
        if not state.card:
            return self.why_no_card(state)
        wanted = Message("{action}: build on {where}", action=self, where=Message("the terrain of your card"))
        return state.why_not_build(h, state.card_hexes, wanted)


class Bazaar(Location):
    key = "bazaar"
    name = "Bazaar"
    text = "Repeat the action of a location tile that you have used in this turn and still have."
    fields = {REPEATED: NUMBER}
    repeatable = False
    repeats = True

    def legal(self, state: State) -> ActionSet:
        """The actions `USE + i` of everything that can be repeated now."""
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
        state.acting.begin_again(state)

    def turn_ended(self, state: State) -> None:
        state.remember(REPEATED, 0)

    def shape(self, setup: Setup) -> Shape:
        return Shape("repeat", (), (), (REPEATED,))

    def why_not_begin(self, state: State) -> Message:
        return Message("{action}: there is no action of a location to repeat.", action=self)

    def why_not_repeat(self, state: State, action: ExtraAction) -> Message:
        tiles = state.setup.kind_tiles[state.setup.actions.index(action)]
        if not action.repeatable:
            return Message("{action}: it repeats only other locations, not {other}.", action=self, other=action)
        if not state.held[state.player] & tiles:
            return Message("You have no {action} tile.", action=action)
        if not state.used() & tiles:
            return Message("{action}: you have not used {other} in this turn.", action=self, other=action)
        return Message("{action}: {other} cannot be done again now.", action=self, other=action)

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
