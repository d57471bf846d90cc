"""Games played to their end in a fraction of the time that a thinking player takes, to see what a turn leads to."""

from random import Random

from kingdom_builder.hexes import AREA, BIT, Hex, HexSet, members, nth
from kingdom_builder.players.judgement import TILE_AT_A_GLANCE, Judgement, tile_gold
from kingdom_builder.rules import END, USE, Building, FixedBuilding, State, random_draw, scores

LOOKS = 40
"""Hexes that are looked at for each settlement."""

WHIM = 0.2
"""Gold by which chance may prefer one hex to another."""


class Playouts:
    """Plays games of one setup to their end: settlements by a first glance, tiles that move nothing but their worth."""

    def __init__(self, judgement: Judgement) -> None:
        setup = judgement.setup
        self.judgement = judgement
        builds = [isinstance(action, Building | FixedBuilding) for action in setup.actions]
        self.building_uses = sum([1 << USE + kind for kind, is_building in enumerate(builds) if is_building])
        self.other_tiles = [
            (tiles & setup.location_tiles, tile_gold(action))
            for tiles, action, is_building in zip(setup.kind_tiles, setup.actions, builds, strict=True)
            if not is_building and tiles & setup.location_tiles
        ]

    def play(self, state: State, seat: int, rng: Random) -> float:
        """Play a state to its end: by how much gold the seat is ahead of the best of the others then."""
        gold = [0.0] * state.setup.players
        while not state.over:
            if state.awaiting:
                state.apply(random_draw(state, rng.random))
                continue
            held = state.held[state.player]
            gold[state.player] += sum([worth for tiles, worth in self.other_tiles if held & tiles])
            self._play_turn(state, rng)
        for player, final in enumerate(scores(state)):
            gold[player] += final
        return gold.pop(seat) - max(gold)

    def _play_turn(self, state: State, rng: Random) -> None:
        """Play until the end of the turn, or until a card is drawn."""
        turn = (state.round, state.player)
        while not state.over and not state.awaiting and (state.round, state.player) == turn:
            legal = state.legal()
            acting = state.acting
            if legal & AREA and (isinstance(acting, Building | FixedBuilding) or acting is None):
                state.apply(self._hex(state, legal & AREA, rng))
            elif legal & self.building_uses:
                uses = legal & self.building_uses
                state.apply((uses & -uses).bit_length() - 1)
            elif legal >> END & 1:
                state.apply(END)
            else:
                state.apply(nth(legal, int(rng.random() * legal.bit_count())))

    def _hex(self, state: State, hexes: HexSet, rng: Random) -> Hex:
        """A good hex to build on, at a glance."""
        if not hexes & hexes - 1:
            return hexes.bit_length() - 1
        seat = state.player
        own = state.own[seat]
        tiles = self.judgement.beside_tiles(state, seat)
        looks = members(hexes)
        if len(looks) > LOOKS:
            looks = rng.sample(looks, LOOKS)
        best, most = looks[0], -1000.0
        for h in looks:
            bit = BIT[h]
            state.own[seat] = own | bit
            gold = WHIM * rng.random() + (TILE_AT_A_GLANCE if bit & tiles else 0.0)
            for score in self.judgement.scores:
                gold += score(state, seat)[0]
            if gold > most:
                best, most = h, gold
        state.own[seat] = own
        return best
