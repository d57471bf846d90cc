"""The eight locations of Crossroads (RULES 6.3)."""

from typing import ClassVar

from kingdom_builder.board.terrain import CANYON, CARDS, FOREST, MOUNTAIN, WATER, terrain_name
from kingdom_builder.content.crossroads.pieces import CityHallPiece, Ship, WagonPiece, Warrior
from kingdom_builder.hexes import BIT, NEAR, Hex, HexSet, around, bits, surrounded
from kingdom_builder.message import HexName, Message, Name
from kingdom_builder.rules import (
    DONE,
    DRAWN,
    OTHER,
    Action,
    ActionSet,
    LandBuilding,
    Location,
    PieceKind,
    Setup,
    Shape,
    State,
)
from kingdom_builder.rules.components import HEXES, NUMBER
from kingdom_builder.rules.state import ACTION, draws_from


class ForestersLodge(LandBuilding, Location):
    key = "foresters-lodge"
    name = "Forester's lodge"
    text = "Build one settlement on a forest hex, next to your settlements if possible."
    where = terrain_name(FOREST)

    def land(self, setup: Setup) -> HexSet:
        return setup.board.terrain[FOREST]


class Monastery(LandBuilding, Location):
    key = "monastery"
    name = "Monastery"
    text = "Build one settlement on a canyon hex, next to your settlements if possible."
    where = terrain_name(CANYON)

    def land(self, setup: Setup) -> HexSet:
        return setup.board.terrain[CANYON]


class Fort(Location):
    key = "fort"
    name = "Fort"
    text = (
        "Draw a terrain card and build one settlement on a hex of its terrain type, "
        "next to your settlements if possible."
    )
    fields = {"fort": NUMBER}
    most = {"fort": len(CARDS)}
    by_adjacency = True
    builds = True
    draws = True

    def drawn(self, state: State) -> str:
        """The terrain of the card drawn for the action."""
        return CARDS[state.memory["fort"] - 1]

    def area(self, state: State) -> HexSet:
        return state.setup.board.terrain[self.drawn(state)]

    def legal(self, state: State) -> ActionSet:
        if state.acting is self and "fort" in state.memory:
            return state.spots(self.area(state))
        return draws_from(state.deck) if state.supply[state.player] and state.can_draw() else 0

    def begin(self, state: State) -> None:
        state.awaiting = ACTION

    def apply(self, state: State, choice: Action) -> None:
        if choice in DRAWN:
            state.discard_card(DRAWN[choice])
            state.remember("fort", CARDS.index(DRAWN[choice]) + 1)
            if state.free & self.area(state):
                return
        else:
            state.build(choice)
        state.remember("fort", 0)
        state.finish()

    def shape(self, setup: Setup) -> Shape:
        return Shape("draw_and_build", (), (), ("fort",))

    def why_not_begin(self, state: State) -> Message:
        if not state.supply[state.player]:
            return super().why_not_begin(state)
        return Message("{action}: no terrain card is left to draw.", action=self)

    def prompt(self, state: State) -> Message:
        return Message("{action}: build on {where}.", action=self, where=terrain_name(self.drawn(state)))

    def why_not(self, state: State, h: Hex) -> Message:
        terrain = terrain_name(self.drawn(state))
        wanted = Message("{action}: build on {terrain}, which the drawn card shows", action=self, terrain=terrain)
        return state.why_not_build(h, self.area(state), wanted)


class Crossroads(Location):
    key = "crossroads"
    name = "Crossroads"
    text = "At the end of each of your turns draw one more terrain card; in your turn play one of your cards."
    fields = {"crossroads-again": NUMBER}
    passive = True
    takes = Message("Put a piece next to it and you take a tile, which works from the end of that turn on.")

    def legal(self, state: State) -> ActionSet:
        return 0

    def extra_cards(self, state: State) -> int:
        tiles = state.setup.kind_tiles[state.setup.actions.index(self)]
        return bool(state.held[state.player] & tiles) + state.memory.get("crossroads-again", 0)

    def turn_ended(self, state: State) -> None:
        state.remember("crossroads-again", 0)

    def can_repeat(self, state: State) -> bool:
        return True

    def begin(self, state: State) -> None:
        """This action begins only when another tile repeats it."""
        state.remember("crossroads-again", 1)
        state.finish()

    def shape(self, setup: Setup) -> Shape:
        return Shape("extra_card", (), (), ("crossroads-again",))


class Barracks(Location):
    key = "barracks"
    name = "Barracks"
    text = (
        "Put a warrior on land, next to your settlements if possible, or take one of your warriors back; "
        "nothing may be put next to a warrior."
    )
    piece = Warrior
    fields = {Warrior.key: HEXES}
    by_adjacency = True

    def warriors(self, state: State) -> HexSet:
        return state.own[state.player] & state.memory.get(Warrior.key, 0)

    def legal(self, state: State) -> ActionSet:
        warriors = self.warriors(state)
        spots = state.spots(state.setup.board.buildable) if warriors.bit_count() < Warrior.each else 0
        return spots if state.adjacency_lifted else spots | warriors

    def apply(self, state: State, choice: Action) -> None:
        if self.warriors(state) >> choice & 1:
            state.remove(state.player, choice)
        else:
            state.place(Warrior, [choice])
        state.finish()

    def shape(self, setup: Setup) -> Shape:
        return Shape("put_or_take", (setup.board.buildable,))

    def prompt(self, state: State) -> Message:
        on_board = self.warriors(state).bit_count()
        if on_board == Warrior.each:
            return Message("{action}: choose a warrior to take back.", action=self)
        if on_board and not state.adjacency_lifted:
            return Message("{action}: put a warrior on land, or choose one to take back.", action=self)
        return Message("{action}: put a warrior on land.", action=self)

    def why_not(self, state: State, h: Hex) -> Message:
        if self.warriors(state).bit_count() >= Warrior.each:
            return Message("{action}: both of your warriors are on the board; choose one to take back.", action=self)
        wanted = Message("{action}: a warrior stands on land", action=self)
        return state.why_not_build(h, state.setup.board.buildable, wanted)


class _Vehicle(Location):
    """Puts its piece on the board, moves it up to three steps, or takes it back."""

    by_adjacency = True
    vehicle: ClassVar[type[PieceKind]]
    where: ClassVar[Message | Name]
    """Where the piece stands, in words."""

    def can_be_at(self, state: State) -> bool:
        return state.steps in (range(1) if state.source is None else range(1, 4))

    def area(self, state: State) -> HexSet:
        return state.setup.footing[self.vehicle]

    def standing(self, state: State) -> HexSet:
        """The piece on the board."""
        return state.own[state.player] & state.memory.get(self.vehicle.key, 0)

    def targets(self, state: State, source: Hex) -> HexSet:
        return NEAR[source] & state.free & self.area(state)

    def legal(self, state: State) -> ActionSet:
        if state.source is not None:
            return self.targets(state, state.source) | 1 << (OTHER if state.steps == 3 else DONE)
        return self.standing(state) or state.spots(self.area(state))

    def apply(self, state: State, choice: Action) -> None:
        if choice == OTHER and state.source is not None:
            state.remove(state.player, state.source)
            state.finish()
        elif choice == DONE:
            state.finish()
        elif state.source is not None:
            state.move(state.source, choice)
            state.source = choice
            state.steps -= 1
            if not state.steps or not self.targets(state, choice):
                state.finish()
        elif self.standing(state):
            state.source = choice
            state.steps = 3
        else:
            state.place(self.vehicle, [choice])
            state.finish()

    def shape(self, setup: Setup) -> Shape:
        return Shape("vehicle")

    def prompt(self, state: State) -> Message:
        if state.source is None and self.standing(state):
            return self._choose_piece(state)
        if state.source is None:
            return Message("{action}: put your {piece} on {where}.", action=self, piece=self.vehicle, where=self.where)
        if state.steps == 3:
            return Message(
                "{action}: move up to {n} steps from {hex}, or take the {piece} back.",
                action=self,
                n=state.steps,
                hex=HexName(state.source),
                piece=self.vehicle,
            )
        return Message(
            "{action}: move up to {n} {n:step|steps} from {hex}, or stop.",
            action=self,
            n=state.steps,
            hex=HexName(state.source),
        )

    def _choose_piece(self, state: State) -> Message:
        place = HexName(bits(self.standing(state))[0])
        return Message("{action}: choose your {piece} on {hex}.", action=self, piece=self.vehicle, hex=place)

    def why_not(self, state: State, h: Hex) -> Message:
        if state.source is not None:
            return state.why_not_empty(h) or Message(
                "{action}: step to {where} next to {source}; {hex} ({ground}) is not such a hex.",
                action=self,
                where=self.where,
                source=HexName(state.source),
                hex=HexName(h),
                ground=state.setup.ground(h),
            )
        if self.standing(state):
            return self._choose_piece(state)
        wanted = Message("{action}: a {piece} stands on {where}", action=self, piece=self.vehicle, where=self.where)
        return state.why_not_build(h, self.area(state), wanted)


class Wagon(_Vehicle):
    key = "wagon"
    name = "Wagon"
    text = (
        "Put your wagon on land or a mountain, next to your settlements if possible, "
        "move it up to three steps, or take it back."
    )
    piece = vehicle = WagonPiece
    fields = {WagonPiece.key: HEXES}
    where = Message("land or {terrain}", terrain=terrain_name(MOUNTAIN))


class Lighthouse(_Vehicle):
    key = "lighthouse"
    name = "Lighthouse"
    text = "Put your ship on water, next to your settlements if possible, move it up to three steps, or take it back."
    piece = vehicle = Ship
    fields = {Ship.key: HEXES}
    where = terrain_name(WATER)


CITY_HALL_STAYS = "cityHallStays"


class CityHall(Location):
    """The tile is used in one turn only: while it counts as used, the city hall was placed in this very turn."""

    key = "city-hall"
    name = "City hall"
    text = "Once in the game put your city hall on seven free land hexes, next to one of your settlements."
    piece = CityHallPiece
    fields = {CityHallPiece.key: HEXES}
    options = {
        CITY_HALL_STAYS: "City hall: it stays where it is put, even if the Bazaar could repeat its action in that turn."
    }

    def rulings_before(self, version: int, setup: Setup) -> list[str]:
        repeated = any(action.repeats for action in setup.actions)
        return [CITY_HALL_STAYS] if version < 3 and repeated else []

    def standing(self, state: State) -> HexSet:
        """The hexes of the player's city hall."""
        return state.own[state.player] & state.memory.get(CityHallPiece.key, 0)

    def legal(self, state: State) -> ActionSet:
        if not self.standing(state):
            return self._centres(state)
        return self._other_centres(state) if state.acting is self else 0

    def _centres(self, state: State) -> HexSet:
        land = state.free & state.setup.board.buildable
        return surrounded(land) & land & around(state.near[state.player])

    def _other_centres(self, state: State) -> HexSet:
        """Where the city hall may go in the turn in which it was placed (RULES 6.4 and 10.27a)."""
        if CITY_HALL_STAYS in state.setup.options:
            return 0
        hall = self.standing(state)
        lifted = state.copy()
        lifted.lift(CityHallPiece, hall)
        return self._centres(lifted) & ~(surrounded(hall) & hall)

    def can_repeat(self, state: State) -> bool:
        return bool(self._other_centres(state) if self.standing(state) else self._centres(state))

    def apply(self, state: State, choice: Action) -> None:
        hall = self.standing(state)
        hexes = BIT[choice] | NEAR[choice]
        if hall:
            state.relocate(CityHallPiece, hall, hexes)
        else:
            state.place(CityHallPiece, bits(hexes))
        state.finish()

    def shape(self, setup: Setup) -> Shape:
        return Shape("hall", (setup.board.buildable,), (CITY_HALL_STAYS in setup.options,))

    def why_not_begin(self, state: State) -> Message:
        if self.standing(state):
            return Message("{action}: your {piece} is on the board already.", action=self, piece=CityHallPiece)
        return super().why_not_begin(state)

    def prompt(self, state: State) -> Message:
        return Message(
            "{action}: choose the centre of seven free land hexes, at least one of them next to your settlements.",
            action=self,
        )

    def why_not(self, state: State, h: Hex) -> Message:
        hall = self.standing(state)
        if surrounded(hall) & hall & BIT[h]:
            return Message("{action}: {hex} is where the piece stands.", action=self, hex=HexName(h))
        return Message(
            "{action}: choose the centre of seven free land hexes, at least one of them next to your settlements; "
            "{hex} is not such a centre.",
            action=self,
            hex=HexName(h),
        )


LOCATIONS: tuple[Location, ...] = (
    Lighthouse(),
    ForestersLodge(),
    Barracks(),
    Crossroads(),
    CityHall(),
    Fort(),
    Monastery(),
    Wagon(),
)
