"""The nomad tiles (RULES 7)."""

from random import Random
from typing import ClassVar

from kingdom_builder.board.terrain import CANYON, DESERT, FLOWERS, FOREST, GRASS, MOUNTAIN, WATER
from kingdom_builder.content.box import Draft
from kingdom_builder.hexes import BIT, NEAR, Hex, HexSet, around, bits, hex_name
from kingdom_builder.message import seat_letter
from kingdom_builder.rules import DONE, Action, ActionSet, Building, Card, Component, NomadTile, Setup, State
from kingdom_builder.rules.components import BY_SEAT


class _Donation(Building, NomadTile):
    """Three builds one by one, each by the adjacency rule; fewer only for lack of settlements or hexes."""

    terrain: ClassVar[str]
    counts = range(1, 4)

    def area(self, state: State) -> HexSet:
        return state.setup.board.terrain[self.terrain]

    def begin(self, state: State) -> None:
        state.steps = 3

    def apply(self, state: State, choice: Action) -> None:
        state.build(choice)
        state.steps -= 1
        if not state.steps or not self.legal(state):
            state.finish()


class DonationGrass(_Donation):
    key = "donation-grass"
    name = "Donation: grass"
    text = "Build three settlements on grass."
    where, terrain = "grass", GRASS


class DonationCanyon(_Donation):
    key = "donation-canyon"
    name = "Donation: canyon"
    text = "Build three settlements on canyon."
    where, terrain = "canyon", CANYON


class DonationDesert(_Donation):
    key = "donation-desert"
    name = "Donation: desert"
    text = "Build three settlements on desert."
    where, terrain = "desert", DESERT


class DonationFlowers(_Donation):
    key = "donation-flowers"
    name = "Donation: flower field"
    text = "Build three settlements on flower field."
    where, terrain = "flower field", FLOWERS


class DonationForest(_Donation):
    key = "donation-forest"
    name = "Donation: forest"
    text = "Build three settlements on forest."
    where, terrain = "forest", FOREST


class DonationWater(_Donation):
    key = "donation-water"
    name = "Donation: water"
    text = "Build three settlements on water."
    where, terrain = "water", WATER


class DonationMountain(_Donation):
    key = "donation-mountain"
    name = "Donation: mountain"
    text = "Build three settlements on mountains."
    where, terrain = "mountain", MOUNTAIN


class Resettlement(NomadTile):
    key = "resettlement"
    name = "Resettlement"
    text = "Move your settlements up to four steps in total, each to free land next to where the settlement stands."

    counts = range(1, 5)

    def targets(self, state: State, source: Hex) -> HexSet:
        land = state.setup.board.buildable & NEAR[source]
        if state.special_pieces & BIT[source]:
            return land & state.free_without(source) & state.footing(source)
        return land & state.free

    def movers(self, state: State) -> HexSet:
        """The pieces that can take a step."""
        movers = around(state.free & state.setup.board.buildable) & state.own[state.player]
        if state.special_pieces:
            movers &= ~state.special_pieces
            movers |= sum([BIT[h] for h in state.movable_specials() if self.targets(state, h)])
        return movers

    def legal(self, state: State) -> ActionSet:
        if state.source is None:
            return self.movers(state)
        targets = self.targets(state, state.source)
        if state.steps == 4:
            return targets
        return targets | self.movers(state) & ~BIT[state.source] | 1 << DONE

    def begin(self, state: State) -> None:
        state.steps = 4

    def apply(self, state: State, choice: Action) -> None:
        if choice == DONE:
            state.finish()
        elif state.source is None or state.own[state.player] >> choice & 1:
            state.source = choice
        else:
            state.move(state.source, choice)
            state.source = choice
            state.steps -= 1
            if not state.steps or not self.movers(state):
                state.finish()

    def next_step(self, state: State) -> str:
        if state.source is None:
            return f"{self.name}: choose a settlement to move."
        steps = "1 step" if state.steps == 1 else f"{state.steps} steps"
        return f"{self.name}: {steps} left, from {hex_name(state.source)} or with another settlement."

    def why_not(self, state: State, h: Hex) -> str:
        if state.own[state.player] >> h & 1:
            return f"{self.name}: the piece on {hex_name(h)} cannot take a step"
        if state.source is None:
            return f"{self.name}: choose one of your own pieces, {hex_name(h)} has none"
        return state.why_not_empty(h) or f"{self.name}: step to free land next to {hex_name(state.source)}"


class Outpost(NomadTile):
    key = "outpost"
    name = "Outpost"
    text = "For one build ignore the rule that you must build next to your own settlements."
    lifts_adjacency = True

    def legal(self, state: State) -> ActionSet:
        return 0


class Sword(NomadTile):
    key = "sword"
    name = "Sword"
    text = "Remove one settlement of each other player; it goes back to its owner's supply."
    options = {
        "swordCancelsEnd": "Sword: who gets a settlement back has not brought the end of the game by using the last."
    }

    counts = range(1, 32)

    def removable(self, state: State, seat: int) -> HexSet:
        own = state.own[seat]
        for h in bits(own & state.special_pieces):
            kind = state.kind_of(h)
            if kind is not None and not kind.removable:
                own ^= BIT[h]
        return own

    def victims(self, state: State) -> list[int]:
        """The other seats that have a removable piece, in turn order from the player."""
        players = state.setup.players
        others = [(state.player + i) % players for i in range(1, players)]
        return [seat for seat in others if self.removable(state, seat)]

    def victims_left(self, state: State) -> list[int]:
        """The victims that have not lost a piece yet; the first is to lose one now."""
        return [seat for seat in self.victims(state) if state.steps >> seat & 1]

    def legal(self, state: State) -> ActionSet:
        victims = self.victims_left(state) if state.acting is self else self.victims(state)
        return self.removable(state, victims[0]) if victims else 0

    def begin(self, state: State) -> None:
        state.steps = sum(1 << seat for seat in self.victims(state))

    def apply(self, state: State, choice: Action) -> None:
        seat = self.victims_left(state)[0]
        state.remove(seat, choice)
        if "swordCancelsEnd" in state.setup.options and all(state.supply):
            state.ending = False
        state.steps ^= 1 << seat
        if not self.victims_left(state):
            state.finish()

    def next_step(self, state: State) -> str:
        return f"{self.name}: choose a piece of seat {seat_letter(self.victims_left(state)[0])} to remove."

    def why_not(self, state: State, h: Hex) -> str:
        victim = seat_letter(self.victims_left(state)[0])
        return f"{self.name}: choose a piece of seat {victim} that can be removed, not {hex_name(h)}"


class Treasure(NomadTile):
    key = "treasure"
    name = "Treasure"
    text = "3 gold at once."
    fields = {"treasure": BY_SEAT}

    def legal(self, state: State) -> ActionSet:
        return 0

    def taken(self, state: State) -> None:
        state.add_for("treasure", state.player, 3)
        state.drop_just_taken(self)


class Treasures(Card):
    key = "treasures"
    name = "Treasure"
    text = "3 gold for each treasure that you found."

    def in_play(self, setup: Setup) -> bool:
        return any(isinstance(tile, Treasure) for tile in setup.nomads.values())

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        return state.of_seat("treasure", seat), 0


_RESETTLEMENT, _OUTPOST, _SWORD, _TREASURE = Resettlement(), Outpost(), Sword(), Treasure()
TILES: tuple[NomadTile, ...] = (
    DonationGrass(),
    DonationCanyon(),
    DonationDesert(),
    DonationFlowers(),
    DonationForest(),
    DonationWater(),
    DonationMountain(),
    *[_RESETTLEMENT] * 2,
    *[_OUTPOST] * 2,
    *[_SWORD] * 2,
    *[_TREASURE] * 2,
)
ALWAYS: tuple[Component, ...] = (Treasures(),)


def lay_out(draft: Draft, rng: Random) -> None:
    """One random tile on each nomad space (RULES 2.3)."""
    spaces = bits(draft.board.nomad_spaces)
    draft.nomads = {h: tile.key for h, tile in zip(spaces, rng.sample(TILES, len(TILES)), strict=False)}
