"""The nomad tiles (RULES 7)."""

from random import Random
from typing import ClassVar

from kingdom_builder.board.terrain import CANYON, DESERT, FLOWERS, FOREST, GRASS, MOUNTAIN, WATER, terrain_name
from kingdom_builder.content.box import Draft
from kingdom_builder.hexes import BIT, NEAR, Hex, HexSet, around, bits
from kingdom_builder.message import HexName, Message, SeatName
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

    def prompt(self, state: State) -> Message:
        return Message("{action}: build {n} more on {where}.", action=self, n=state.steps, where=self.where)


class DonationGrass(_Donation):
    key = "donation-grass"
    name = "Donation: grass"
    text = "Build three settlements on grass."
    icon = (
        '<path fill="#3b2a14" d="M8.5 12.5V5L12 1.5 15.5 5v7.5zM1.3 12.5V7.5L4.3 4.5l3 3v5zM16.7 '
        '12.5V7.5l3-3 3 3v5z"/>'
        '<path fill="#fdf3d6" d="M11 12V8h2v4zM3.5 12V9.5h1.6V12zM18.9 12V9.5h1.6V12z"/>'
        '<path fill="#aec86c" stroke="#3b2a14" stroke-width="1.4" stroke-linejoin="round" d="M1 12.5h22V19q0 '
        '3.5-3.5 3.5h-15Q1 22.5 1 19z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.1" stroke-linecap="round" d="M5 '
        "20.5q0-2-1.7-2.7M5.7 20.5v-4M6.5 20.5q0-2 1.7-2.7M16 20.5q0-2-1.7-2.7M16.7 20.5v-4M17.5 20.5q0-2 "
        '1.7-2.7"/>'
    )
    terrain = GRASS
    where = terrain_name(GRASS)


class DonationCanyon(_Donation):
    key = "donation-canyon"
    name = "Donation: canyon"
    text = "Build three settlements on canyon."
    icon = (
        '<path fill="#3b2a14" d="M8.5 12.5V5L12 1.5 15.5 5v7.5zM1.3 12.5V7.5L4.3 4.5l3 3v5zM16.7 '
        '12.5V7.5l3-3 3 3v5z"/>'
        '<path fill="#fdf3d6" d="M11 12V8h2v4zM3.5 12V9.5h1.6V12zM18.9 12V9.5h1.6V12z"/>'
        '<path fill="#b56b47" stroke="#3b2a14" stroke-width="1.4" stroke-linejoin="round" d="M1 12.5h22V19q0 '
        '3.5-3.5 3.5h-15Q1 22.5 1 19z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.1" stroke-linecap="round" d="M2.5 '
        '16h4l1.5-1.2h4l2 1.7h3.5L19 15.3h2.5M3 19.7h3.5L8 18.3h5l1.5 1.7H18l1.5-1h2"/>'
    )
    terrain = CANYON
    where = terrain_name(CANYON)


class DonationDesert(_Donation):
    key = "donation-desert"
    name = "Donation: desert"
    text = "Build three settlements on desert."
    icon = (
        '<path fill="#3b2a14" d="M8.5 12.5V5L12 1.5 15.5 5v7.5zM1.3 12.5V7.5L4.3 4.5l3 3v5zM16.7 '
        '12.5V7.5l3-3 3 3v5z"/>'
        '<path fill="#fdf3d6" d="M11 12V8h2v4zM3.5 12V9.5h1.6V12zM18.9 12V9.5h1.6V12z"/>'
        '<path fill="#f7e9b4" stroke="#3b2a14" stroke-width="1.4" stroke-linejoin="round" d="M1 12.5h22V19q0 '
        '3.5-3.5 3.5h-15Q1 22.5 1 19z"/>'
        '<path fill="none" stroke="#9a7326" stroke-width="1.1" stroke-linecap="round" d="M3.5 18.5q4-5 '
        '7-2.5t4 1.5M10 20.5q4.5-4.5 7-2.5t3 1"/>'
    )
    terrain = DESERT
    where = terrain_name(DESERT)


class DonationFlowers(_Donation):
    key = "donation-flowers"
    name = "Donation: flower field"
    text = "Build three settlements on flower field."
    icon = (
        '<path fill="#3b2a14" d="M8.5 12.5V5L12 1.5 15.5 5v7.5zM1.3 12.5V7.5L4.3 4.5l3 3v5zM16.7 '
        '12.5V7.5l3-3 3 3v5z"/>'
        '<path fill="#fdf3d6" d="M11 12V8h2v4zM3.5 12V9.5h1.6V12zM18.9 12V9.5h1.6V12z"/>'
        '<path fill="#eec6d5" stroke="#3b2a14" stroke-width="1.4" stroke-linejoin="round" d="M1 12.5h22V19q0 '
        '3.5-3.5 3.5h-15Q1 22.5 1 19z"/>'
        '<path fill="none" stroke="#a03c70" stroke-width="2.3" stroke-linecap="round" stroke-dasharray=".1 '
        '2.41" d="M7 15.5a2 2 0 1 1-.1 0zM17 15.5a2 2 0 1 1-.1 0z"/>'
        '<circle cx="7" cy="17.5" r="1" fill="#fff"/>'
        '<circle cx="17" cy="17.5" r="1" fill="#fff"/>'
    )
    terrain = FLOWERS
    where = terrain_name(FLOWERS)


class DonationForest(_Donation):
    key = "donation-forest"
    name = "Donation: forest"
    text = "Build three settlements on forest."
    icon = (
        '<path fill="#3b2a14" d="M8.5 12.5V5L12 1.5 15.5 5v7.5zM1.3 12.5V7.5L4.3 4.5l3 3v5zM16.7 '
        '12.5V7.5l3-3 3 3v5z"/>'
        '<path fill="#fdf3d6" d="M11 12V8h2v4zM3.5 12V9.5h1.6V12zM18.9 12V9.5h1.6V12z"/>'
        '<path fill="#4f7548" stroke="#3b2a14" stroke-width="1.4" stroke-linejoin="round" d="M1 12.5h22V19q0 '
        '3.5-3.5 3.5h-15Q1 22.5 1 19z"/>'
        '<path fill="#1e331b" d="M6.5 14.2l3.2 4.6H7.2v1.9H5.8v-1.9H3.3zM12 15.5l2.9 '
        '3.8h-2.2v1.7h-1.4v-1.7H9.1zM17.5 14.2l3.2 4.6h-2.5v1.9h-1.4v-1.9h-2.5z"/>'
    )
    terrain = FOREST
    where = terrain_name(FOREST)


class DonationWater(_Donation):
    key = "donation-water"
    name = "Donation: water"
    text = "Build three settlements on water."
    icon = (
        '<path fill="#3b2a14" d="M8.5 12.5V5L12 1.5 15.5 5v7.5zM1.3 12.5V7.5L4.3 4.5l3 3v5zM16.7 '
        '12.5V7.5l3-3 3 3v5z"/>'
        '<path fill="#fdf3d6" d="M11 12V8h2v4zM3.5 12V9.5h1.6V12zM18.9 12V9.5h1.6V12z"/>'
        '<path fill="#7fabc7" stroke="#3b2a14" stroke-width="1.4" stroke-linejoin="round" d="M1 12.5h22V19q0 '
        '3.5-3.5 3.5h-15Q1 22.5 1 19z"/>'
        '<path fill="none" stroke="#1f4f70" stroke-width="1.2" stroke-linecap="round" d="M3.5 17q2.1-2.5 4.2 '
        '0t4.2 0 4.2 0 4.2 0M5.5 20q2.1-2.5 4.2 0t4.2 0 4.2 0"/>'
    )
    terrain = WATER
    where = terrain_name(WATER)


class DonationMountain(_Donation):
    key = "donation-mountain"
    name = "Donation: mountain"
    text = "Build three settlements on mountains."
    icon = (
        '<path fill="#3b2a14" d="M8.5 12.5V5L12 1.5 15.5 5v7.5zM1.3 12.5V7.5L4.3 4.5l3 3v5zM16.7 '
        '12.5V7.5l3-3 3 3v5z"/>'
        '<path fill="#fdf3d6" d="M11 12V8h2v4zM3.5 12V9.5h1.6V12zM18.9 12V9.5h1.6V12z"/>'
        '<path fill="#98948f" stroke="#3b2a14" stroke-width="1.4" stroke-linejoin="round" d="M1 12.5h22V19q0 '
        '3.5-3.5 3.5h-15Q1 22.5 1 19z"/>'
        '<path fill="#fff" stroke="#3b2a14" stroke-width="1" stroke-linejoin="round" d="M2.8 20.5 7.5 '
        '14.5l2.2 2.8 3.8-3.8 7.5 7z"/>'
        '<path fill="#6b6763" d="M13.5 13.5l7.5 7h-5l-2.5-3zM7.5 14.5l2.2 2.8.8 3.2H8z"/>'
    )
    terrain = MOUNTAIN
    where = terrain_name(MOUNTAIN)


class Resettlement(NomadTile):
    key = "resettlement"
    name = "Resettlement"
    text = "Move your settlements up to four steps in total, each to free land next to where the settlement stands."
    icon = (
        '<path fill="#3b2a14" d="M.8 22v-6.5L5.8 11l5 4.5V22z"/>'
        '<path fill="#fdf3d6" d="M4.6 22v-3.5H7V22z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.3" stroke-dasharray="2 1.5" d="M13.7 '
        '21.5v-6l4.7-4.2 4.7 4.2v6z"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="2.2" stroke-linecap="round" d="M5 8.5Q11.5-1.5 17 '
        '5.5"/>'
        '<path fill="#8a6a3a" d="M20 9.5l-5.5-2L19 3z"/>'
    )

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

    def why_not(self, state: State, h: Hex) -> Message:
        if state.own[state.player] >> h & 1:
            return Message("{action}: the piece on {hex} cannot take a step.", action=self, hex=HexName(h))
        if state.source is None:
            return Message("{action}: choose one of your own pieces, {hex} has none.", action=self, hex=HexName(h))
        return state.why_not_empty(h) or Message(
            "{action}: step to free land next to {hex}.", action=self, hex=HexName(state.source)
        )


class Outpost(NomadTile):
    key = "outpost"
    name = "Outpost"
    text = "For one build ignore the rule that you must build next to your own settlements."
    icon = (
        '<path fill="#8a6a3a" d="M6 22.5q3-8 9-8t8.5 8z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.7" stroke-linecap="round" d="M14.5 16V2"/>'
        '<path fill="#3b2a14" d="M14.5 1.5q2 1.5 4 .5t4 0v6q-2-1-4 0t-4 .5z"/>'
        '<path fill="#3b2a14" d="M.5 22.5V17l3.2-3 3.2 3v5.5z"/>'
        '<path fill="#fdf3d6" d="M3 22.5v-3h1.5v3z"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="1.4" stroke-linecap="round" stroke-dasharray=".1 '
        '2.7" d="M3.5 11Q4.5 5 11.5 4.5"/>'
    )
    lifts_adjacency = True

    def legal(self, state: State) -> ActionSet:
        return 0


class Sword(NomadTile):
    key = "sword"
    name = "Sword"
    text = "Remove one settlement of each other player; it goes back to its owner's supply."
    icon = (
        '<path fill="#3b2a14" d="M22.5 1.5 21 7.5 10 17l-3-3L16.5 3z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1" stroke-linecap="round" d="M19.5 4.5 9.5 14.5"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="2.3" stroke-linecap="round" d="M4.5 11.5l8 8"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="2.6" stroke-linecap="round" d="M7.5 16.5l-4 4"/>'
        '<circle cx="3" cy="21" r="2" fill="#3b2a14"/>'
    )
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
    icon = (
        '<circle cx="8" cy="7" r="2.4" fill="#8a6a3a"/>'
        '<circle cx="16" cy="7" r="2.4" fill="#8a6a3a"/>'
        '<circle cx="12" cy="5.5" r="2.8" fill="#fdf3d6" stroke="#3b2a14" stroke-width="1.2"/>'
        '<path fill="#3b2a14" d="M1.5 9h21v13.5h-21z"/>'
        '<path fill="#8a6a3a" d="M3 13.5h18V21H3z"/>'
        '<path fill="#3b2a14" d="M10 11h4v6.5h-4z"/>'
        '<path fill="#fdf3d6" d="M11.3 12.7h1.4v2.8h-1.4z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1.1" stroke-linecap="round" d="M3 11.2h5.5M15.5 '
        '11.2H21"/>'
        '<path fill="#3b2a14" d="M5.5 13h1.6v9H5.5zM16.9 13h1.6v9h-1.6z"/>'
    )
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
    icon = (
        '<path fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.2" stroke-linejoin="round" d="M2 19.5a5 2.3 0 '
        "0 1 10 0v1a5 2.3 0 0 1-10 0zM12 19.5a5 2.3 0 0 1 10 0v1a5 2.3 0 0 1-10 0zM2 16a5 2.3 0 0 1 10 0v1a5 "
        '2.3 0 0 1-10 0zM2 12.5a5 2.3 0 0 1 10 0v1a5 2.3 0 0 1-10 0z"/>'
        '<circle cx="16" cy="7.5" r="5.8" fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.6"/>'
        '<path fill="#fdf3d6" d="M16 3.5l1.2 2.8 2.8 1.2-2.8 1.2-1.2 2.8-1.2-2.8-2.8-1.2 2.8-1.2z"/>'
    )

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
