"""The nomad tiles (RULES 7)."""

from random import Random
from typing import ClassVar

from kingdom_builder.board.terrain import CANYON, DESERT, FLOWERS, FOREST, GRASS, MOUNTAIN, WATER, terrain_name
from kingdom_builder.content.box import Draft
from kingdom_builder.hexes import BIT, NEAR, Hex, HexSet, around, bits
from kingdom_builder.message import HexName, Message, SeatName
from kingdom_builder.rules import (
    DONE,
    Action,
    ActionSet,
    Card,
    Component,
    LandBuilding,
    NomadTile,
    Setup,
    Shape,
    State,
)
from kingdom_builder.rules.components import BY_SEAT


class _Donation(LandBuilding, NomadTile):
    """Three builds one by one, each under the adjacency rule; fewer only if settlements or hexes run out."""

    terrain: ClassVar[str]
    counts = range(1, 4)

    def land(self, setup: Setup) -> HexSet:
        return setup.board.terrain[self.terrain]

    def begin(self, state: State) -> None:
        state.steps = 3

    def apply(self, state: State, choice: Action) -> None:
        state.build(choice)
        state.steps -= 1
        if not state.steps or not self.legal(state):
            state.finish()

    def shape(self, setup: Setup) -> Shape:
        return Shape("build", (self.land(setup),), (3,))

    def prompt(self, state: State) -> Message:
        room = (state.free & self.area(state)).bit_count()
        left = min(state.steps, state.supply[state.player], room)
        if state.steps == 3:
            return Message("{action}: build {n} on {where}.", action=self, n=left, where=self.where)
        return Message("{action}: build {n} more on {where}.", action=self, n=left, where=self.where)


class DonationGrass(_Donation):
    key = "donation-grass"
    name = "Donation: grass"
    text = "Build three settlements on grass, each next to your settlements if possible."
    terrain = GRASS
    where = terrain_name(GRASS)


class DonationCanyon(_Donation):
    key = "donation-canyon"
    name = "Donation: canyon"
    text = "Build three settlements on canyon, each next to your settlements if possible."
    terrain = CANYON
    where = terrain_name(CANYON)


class DonationDesert(_Donation):
    key = "donation-desert"
    name = "Donation: desert"
    text = "Build three settlements on desert, each next to your settlements if possible."
    terrain = DESERT
    where = terrain_name(DESERT)


class DonationFlowers(_Donation):
    key = "donation-flowers"
    name = "Donation: flower field"
    text = "Build three settlements on flower field, each next to your settlements if possible."
    terrain = FLOWERS
    where = terrain_name(FLOWERS)


class DonationForest(_Donation):
    key = "donation-forest"
    name = "Donation: forest"
    text = "Build three settlements on forest, each next to your settlements if possible."
    terrain = FOREST
    where = terrain_name(FOREST)


class DonationWater(_Donation):
    key = "donation-water"
    name = "Donation: water"
    text = "Build three settlements on water, each next to your settlements if possible."
    terrain = WATER
    where = terrain_name(WATER)


class DonationMountain(_Donation):
    key = "donation-mountain"
    name = "Donation: mountain"
    text = "Build three settlements on mountains, each next to your settlements if possible."
    terrain = MOUNTAIN
    where = terrain_name(MOUNTAIN)


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

    def shape(self, setup: Setup) -> Shape:
        return Shape("steps", (setup.board.buildable,), (4,))

    def prompt(self, state: State) -> Message:
        if state.source is None:
            return Message("{action}: choose a settlement to move.", action=self)
        if state.steps == 4:
            return super().prompt(state)
        return Message(
            "{action}: {n} {n:step|steps} left, from {hex} or with another settlement.",
            action=self,
            n=state.steps,
            hex=HexName(state.source),
        )

    def why_not_begin(self, state: State) -> Message:
        return Message("{action}: none of your pieces can take a step.", action=self)

    def why_not(self, state: State, h: Hex) -> Message:
        if h == state.source:
            return Message("{action}: {hex} is where the piece stands.", action=self, hex=HexName(h))
        if self.movers(state) >> h & 1 and state.source is not None:
            return Message("{action}: the piece on {hex} takes the first step.", action=self, hex=HexName(state.source))
        if state.own[state.player] >> h & 1:
            return Message("{action}: the piece on {hex} cannot take a step.", action=self, hex=HexName(h))
        if state.source is None:
            return Message("{action}: choose one of your own pieces, {hex} has none.", action=self, hex=HexName(h))
        occupied = state.why_not_empty(h)
        if occupied:
            return occupied
        if state.steps == 4 or not self.movers(state) & ~BIT[state.source]:
            return Message("{action}: step to free land next to {hex}.", action=self, hex=HexName(state.source))
        return Message(
            "{action}: step to free land next to {hex}, or choose another settlement and step from there.",
            action=self,
            hex=HexName(state.source),
        )


class Outpost(NomadTile):
    key = "outpost"
    name = "Outpost"
    text = "For one build ignore the rule that you must build next to your own settlements."
    lifts_adjacency = True

    def legal(self, state: State) -> ActionSet:
        return 0

    def shape(self, setup: Setup) -> Shape:
        return Shape("lift")


class Sword(NomadTile):
    key = "sword"
    name = "Sword"
    text = "Remove one settlement of each other player; it goes back to its owner's supply."
    options = {"swordCancelsEnd": "Sword: returning a player's last settlement cancels the end of the game."}

    counts = range(1, 32)

    def removable(self, state: State, seat: int) -> HexSet:
        own = state.own[seat]
        for h in bits(own & state.special_pieces):
            kind = state.kind_of(h)
            if kind is not None and not kind.removable:
                own ^= BIT[h]
        return own

    def victims(self, state: State) -> list[int]:
        """The other seats with a removable piece, in turn order from the player."""
        players = state.setup.players
        others = [(state.player + i) % players for i in range(1, players)]
        return [seat for seat in others if self.removable(state, seat)]

    def victims_left(self, state: State) -> list[int]:
        """The victims that have not lost a piece yet; the first loses one next."""
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

    def shape(self, setup: Setup) -> Shape:
        return Shape("remove", (), ("swordCancelsEnd" in setup.options,))

    def why_not_begin(self, state: State) -> Message:
        return Message("{action}: no other player has a piece that can be removed.", action=self)

    def prompt(self, state: State) -> Message:
        victim = SeatName(self.victims_left(state)[0])
        return Message("{action}: choose a piece of {seat} to remove.", action=self, seat=victim)

    def why_not(self, state: State, h: Hex) -> Message:
        return Message(
            "{action}: choose a piece of {seat} that can be removed, not {hex}.",
            action=self,
            seat=SeatName(self.victims_left(state)[0]),
            hex=HexName(h),
        )


class Treasure(NomadTile):
    key = "treasure"
    name = "Treasure"
    text = "3 gold at once."
    fields = {"treasure": BY_SEAT}
    takes = Message("Put a piece next to it and you take the tile.")

    def legal(self, state: State) -> ActionSet:
        return 0

    def taken(self, state: State) -> None:
        state.add_for("treasure", state.player, 3)
        state.drop_just_taken(self)

    def shape(self, setup: Setup) -> Shape:
        return Shape("gold", (), (3,), ("treasure",))


class Treasures(Card):
    key = "treasures"
    name = "Treasure"
    text = "3 gold for each treasure that you found."

    def in_play(self, setup: Setup) -> bool:
        return any(isinstance(tile, Treasure) for tile in setup.nomads.values())

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        return state.of_seat("treasure", seat), 0

    def shape(self, setup: Setup) -> Shape:
        return Shape("collected", (), (1,), ("treasure",))


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
