"""The eight locations of Crossroads (RULES 6.3)."""

from typing import ClassVar

from kingdom_builder.board.terrain import CANYON, CARDS, FOREST, MOUNTAIN, WATER, terrain_name
from kingdom_builder.content.crossroads.pieces import CityHallPiece, Ship, WagonPiece, Warrior
from kingdom_builder.hexes import BIT, NEAR, Hex, HexSet, around, bits, surrounded
from kingdom_builder.message import HexName, Message, Name
from kingdom_builder.rules import DONE, DRAWN, OTHER, Action, ActionSet, Building, Location, PieceKind, State
from kingdom_builder.rules.components import HEXES, NUMBER
from kingdom_builder.rules.state import ACTION, draws_from


class ForestersLodge(Building, Location):
    key = "foresters-lodge"
    name = "Forester's lodge"
    text = "Build one settlement on a forest hex."
    icon = (
        '<path fill="#3b2a14" d="M8 1l4.5 6H11l4 5.5h-2L17 18H9.2v4H6.8v-4H.5L3.5 12.5h-2L5 7H3.5z"/>'
        '<path fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.4" stroke-linejoin="round" d="M12 22v-6.5l5-4 '
        '5.5 4V22z"/>'
        '<path fill="#fdf3d6" d="M15.7 22v-4h3v4z"/>'
    )
    where = terrain_name(FOREST)

    def area(self, state: State) -> HexSet:
        return state.setup.board.terrain[FOREST]


class Monastery(Building, Location):
    key = "monastery"
    name = "Monastery"
    text = "Build one settlement on a canyon hex."
    icon = (
        '<path fill="#3b2a14" d="M1.5 22V14L12 9.5 22.5 14v8z"/>'
        '<path fill="#3b2a14" d="M9 12V7l3-4 3 4v5z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.2" stroke-linecap="round" d="M12 .8v4.5M10.3 '
        '2.3h3.4"/>'
        '<path fill="#fdf3d6" d="M11.1 7.5h1.8V10h-1.8zM3.5 22v-4q1.5-2.5 3 0v4zM8 22v-4q1.5-2.5 3 0v4zM13 '
        '22v-4q1.5-2.5 3 0v4zM17.5 22v-4q1.5-2.5 3 0v4z"/>'
        '<path fill="#8a6a3a" d="M1 13.3 12 8.6l11 4.7v1.6l-11-4.5-11 4.5z"/>'
    )
    where = terrain_name(CANYON)

    def area(self, state: State) -> HexSet:
        return state.setup.board.terrain[CANYON]


class Fort(Location):
    key = "fort"
    name = "Fort"
    text = "Draw a terrain card and build one settlement on a hex of its terrain type."
    icon = (
        '<path fill="#3b2a14" d="M1 22V9.5h3.2V12h2.3V9.5H9V12h6V9.5h2.5V12h2.3V9.5H23V22z"/>'
        '<path fill="#8a6a3a" d="M8 12V7.5h8V12z"/>'
        '<path fill="#3b2a14" d="M7.3 8V5.5h2V7h1.7V5.5h2V7h1.7V5.5h2V8z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.2" stroke-linecap="round" d="M12 6V1.5"/>'
        '<path fill="#8a6a3a" d="M12 1l5 1.6-5 1.7z"/>'
        '<path fill="#fdf3d6" d="M9.5 22v-4.5q2.5-4 5 0V22zM3.5 15H5v3.5H3.5zM19 15h1.5v3.5H19z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width=".9" stroke-linecap="round" d="M12 15.5V22"/>'
    )
    fields = {"fort": NUMBER}
    most = {"fort": len(CARDS)}
    by_adjacency = True
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
    icon = (
        '<path fill="#3b2a14" d="M11 2h2.2v20.5H11z"/>'
        '<path fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.3" stroke-linejoin="round" d="M5 3.5h13.5L22 '
        '6.2 18.5 9H5z"/>'
        '<path fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.3" stroke-linejoin="round" d="M19 11H5.5L2 '
        '13.7l3.5 2.8H19z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1" stroke-linecap="round" d="M8 6.2h8M8.5 13.7h8"/>'
        '<path fill="#3b2a14" d="M7 22.5q5-3.5 10 0z"/>'
    )
    fields = {"crossroads-again": NUMBER}
    passive = True

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
        """Only another tile that repeats this one begins it."""
        state.remember("crossroads-again", 1)
        state.finish()


class Barracks(Location):
    key = "barracks"
    name = "Barracks"
    text = "Put a warrior on land, or take one of your warriors back; nothing may be put next to a warrior."
    icon = (
        '<path fill="none" stroke="#3b2a14" stroke-width="1.6" stroke-linecap="round" d="M4 22 20 3M20 22 4 '
        '3"/>'
        '<path fill="#8a6a3a" d="M1.8 1 6.5 3 3.5 5.8zM22.2 1l-4.7 2 3 2.8z"/>'
        '<path fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.6" stroke-linejoin="round" d="M12 5l7 2q.5 '
        '10-7 15-7.5-5-7-15z"/>'
        '<path fill="#3b2a14" d="M12 5l7 2q.2 3-.5 6H12z"/>'
        '<path fill="#3b2a14" d="M12 13v9Q7 18.6 5.5 13z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1" d="M12 7.5v12M7 13h10"/>'
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

    def prompt(self, state: State) -> Message:
        on_board = self.warriors(state).bit_count()
        if on_board == Warrior.each:
            return Message("{action}: choose a warrior to take back.", action=self)
        if on_board and not state.adjacency_lifted:
            return Message("{action}: put a warrior on land, or choose one to take back.", action=self)
        return Message("{action}: put a warrior on land.", action=self)

    def why_not(self, state: State, h: Hex) -> Message:
        if self.warriors(state).bit_count() == Warrior.each:
            return Message("{action}: both of your warriors are on the board; choose one to take back.", action=self)
        wanted = Message("{action}: a warrior stands on land", action=self)
        return state.why_not_build(h, state.setup.board.buildable, wanted)


class _Vehicle(Location):
    """Places its piece, moves it up to three steps, or takes it back."""

    by_adjacency = True
    piece: ClassVar[type[PieceKind]]
    where: ClassVar[Message | Name]
    """Where the piece stands, in words."""

    def can_be_at(self, state: State) -> bool:
        return state.steps in (range(1) if state.source is None else range(1, 4))

    def area(self, state: State) -> HexSet:
        return state.setup.footing[self.piece]

    def standing(self, state: State) -> HexSet:
        """The piece on the board."""
        return state.own[state.player] & state.memory.get(self.piece.key, 0)

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
            state.place(self.piece, [choice])
            state.finish()

    def prompt(self, state: State) -> Message:
        if state.source is None and self.standing(state):
            return self._choose_piece(state)
        if state.source is None:
            return Message("{action}: put your {piece} on {where}.", action=self, piece=self.piece, where=self.where)
        if state.steps == 3:
            return Message(
                "{action}: move up to {n} steps from {hex}, or take the {piece} back.",
                action=self,
                n=state.steps,
                hex=HexName(state.source),
                piece=self.piece,
            )
        return Message(
            "{action}: move up to {n} {n:step|steps} from {hex}, or stop.",
            action=self,
            n=state.steps,
            hex=HexName(state.source),
        )

    def _choose_piece(self, state: State) -> Message:
        place = HexName(bits(self.standing(state))[0])
        return Message("{action}: choose your {piece} on {hex}.", action=self, piece=self.piece, hex=place)

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
        wanted = Message("{action}: a {piece} stands on {where}", action=self, piece=self.piece, where=self.where)
        return state.why_not_build(h, self.area(state), wanted)


class Wagon(_Vehicle):
    key = "wagon"
    name = "Wagon"
    text = "Put your wagon on land or a mountain, move it up to three steps, or take it back."
    icon = (
        '<path fill="#fdf3d6" stroke="#3b2a14" stroke-width="1.5" stroke-linejoin="round" d="M3.5 13Q-.5 5.5 '
        '5.5 2.5q6.5 1.5 13 0 6 3 2 10.5z"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="1.1" d="M8 3.2Q6 8 8 13M16 3.2q2 4.8 0 9.8M12 '
        '3.4V13"/>'
        '<path fill="#3b2a14" d="M1 12.2h22l-1.5 4.8h-19z"/>'
        '<circle cx="6.5" cy="18.5" r="3.3" fill="#fdf3d6" stroke="#3b2a14" stroke-width="1.6"/>'
        '<circle cx="17.5" cy="18.5" r="3.3" fill="#fdf3d6" stroke="#3b2a14" stroke-width="1.6"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width=".9" d="M6.5 15.2v6.6M3.2 18.5h6.6M17.5 '
        '15.2v6.6M14.2 18.5h6.6"/>'
    )
    piece = WagonPiece
    fields = {WagonPiece.key: HEXES}
    where = Message("land or {terrain}", terrain=terrain_name(MOUNTAIN))


class Lighthouse(_Vehicle):
    key = "lighthouse"
    name = "Lighthouse"
    text = "Put your ship on water, move it up to three steps, or take it back."
    icon = (
        '<path fill="#3b2a14" d="M8.5 8h7l2 12.5h-11z"/>'
        '<path fill="#fdf3d6" d="M8.2 11h7.6l.4 2.5H7.8zM7.4 16h9.2l.4 2.5H7z"/>'
        '<path fill="#3b2a14" d="M7.5 6.5h9V9h-9zM9 3.5 12 1l3 2.5zM4 20.5h16v2H4z"/>'
        '<path fill="#fdf3d6" stroke="#3b2a14" stroke-width="1.2" stroke-linejoin="round" d="M9.7 '
        '3.5h4.6v3H9.7z"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="1.5" stroke-linecap="round" d="M7 4.5 2.5 2.5M7 '
        '5.5l-4.5 2M17 4.5l4.5-2M17 5.5l4.5 2"/>'
    )
    piece = Ship
    fields = {Ship.key: HEXES}
    where = terrain_name(WATER)


class CityHall(Location):
    key = "city-hall"
    name = "City hall"
    text = "Once in the game put your city hall on seven free land hexes, next to one of your settlements."
    icon = (
        '<path fill="#3b2a14" d="M1 22.5V12h6V9l5-3 5 3v3h6v10.5z"/>'
        '<path fill="#8a6a3a" d="M9.5 8.5V5L12 1l2.5 4v3.5z"/>'
        '<path fill="#fdf3d6" d="M3 14.5h2v3H3zM19 14.5h2v3h-2zM7.5 12.8h1.6v6.7H7.5zM14.9 '
        '12.8h1.6v6.7h-1.6zM10.5 22.5v-5q1.5-2 3 0v5z"/>'
        '<circle cx="12" cy="11.2" r="1.7" fill="#fdf3d6"/>'
        '<path fill="#8a6a3a" d="M1 20.3h8.5v1.2H1zM14.5 20.3H23v1.2h-8.5z"/>'
    )
    piece = CityHallPiece
    fields = {CityHallPiece.key: HEXES}

    def legal(self, state: State) -> ActionSet:
        if state.own[state.player] & state.memory.get(CityHallPiece.key, 0):
            return 0
        land = state.free & state.setup.board.buildable
        return surrounded(land) & land & around(state.near[state.player])

    def apply(self, state: State, choice: Action) -> None:
        state.place(CityHallPiece, bits(BIT[choice] | NEAR[choice]))
        state.finish()

    def prompt(self, state: State) -> Message:
        return Message(
            "{action}: choose the centre of seven free land hexes, at least one of them next to your settlements.",
            action=self,
        )

    def why_not(self, state: State, h: Hex) -> Message:
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
