"""What a position is worth: the gold that a seat may expect at the end of the game, ahead of the others."""

from collections.abc import Mapping

from kingdom_builder.board.terrain import CARDS
from kingdom_builder.hexes import BIT, Hex, HexSet, around
from kingdom_builder.players.foresight import PROGRESS, WANTED
from kingdom_builder.rules import Building, ExtraAction, FixedBuilding, Moving, NomadTile, Setup, State

MANDATORY = 3

WEIGHTS: Mapping[str, float] = {
    "builds": 0.8,
    "others": -0.8,
    "tiles": 1.0,
    "best": 0.5,
    "all": 0.1,
    "open": 0.6,
    "wanted": 0.35,
    "progress": 1.0,
    "todo": 1.2,
    "ready": 0.6,
}


def tile_gold(action: ExtraAction) -> float:
    """What a use of this action brings, besides the settlement that it builds."""
    if action.passive or not action.key:
        return 0.5
    if isinstance(action, NomadTile):
        return 2.0
    if isinstance(action, Building | FixedBuilding):
        return 0.3
    return 0.7 if isinstance(action, Moving) else 0.5


class Judgement:
    """Judges positions of one setup."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.scores = [card.score for card in setup.scoring]
        self.wanted = [WANTED[card.key] for card in setup.scoring if card.key in WANTED]
        self.progress = [PROGRESS[card.key] for card in setup.scoring if card.key in PROGRESS]
        kinds = [setup.actions[kind] for kind in setup.tile_kind]
        self.building = sum(
            1 << tile
            for tile, kind in enumerate(kinds)
            if isinstance(kind, Building | FixedBuilding) and setup.location_tiles >> tile & 1
        )
        """The location tiles that build a settlement."""
        self.tile_gold = [tile_gold(kind) for kind in kinds]
        self.claims = [
            (tile, side, self.tile_gold[tile], bool(self.building >> tile & 1), bool(setup.nomad_tiles >> tile & 1))
            for tile, side in enumerate(setup.tile_side)
            if side
        ]
        self.lands: list[HexSet] = [setup.terrain[letter] for letter in CARDS]

    def worth(self, state: State, seat: int) -> float:
        """The gold that a seat may expect at the end, less what the best of the others may still build."""
        own, near, free = state.own[seat], state.near[seat], state.free
        weights = WEIGHTS
        total = float(sum([score(state, seat)[0] for score in self.scores]))

        # How long the game lasts, and how much is built until then.
        building, held = self.building, state.held
        rates = [MANDATORY + (tiles & building).bit_count() for tiles in held]
        supply = state.supply
        rounds = 0.0 if state.ending else min([left / rate for left, rate in zip(supply, rates, strict=True)])
        builds = min(supply[seat], rounds * rates[seat])
        others = max([min(supply[other], rounds * rates[other]) for other in range(len(supply)) if other != seat])
        total += weights["builds"] * builds + weights["others"] * others
        for progress in self.progress:
            total += progress(state, seat, builds)
        if not rounds:
            return total

        mine = held[seat]
        tiles = 0.0
        for tile, gold in enumerate(self.tile_gold):
            if mine >> tile & 1:
                tiles += gold * (1.0 if self.setup.nomad_tiles >> tile & 1 else rounds)
        total += weights["tiles"] * tiles

        # What the next card may bring.
        targets = [(side, 3.0) for side in self.setup.castle_sides if not side & own]
        stock, taken = state.stock, state.taken[seat]
        for tile, side, gold, builds_one, once in self.claims:
            if stock[tile] and not taken >> tile & 1:
                value = gold if once else (gold + builds_one * 0.8) * (rounds - 1)
                if value > 0:
                    targets.append((side, value))
        wanted = [want(state, seat) for want in self.wanted]
        best_sum = all_sum = open_sum = wanted_sum = 0.0
        for land in self.lands:
            open_land = free & land
            if not open_land:
                continue
            first = open_land & near
            if first:
                second = first | around(first) & open_land
                third = second | around(second) & open_land
            else:
                open_sum += 1
                first = second = third = open_land
            best = 0.0
            for side, value in targets:
                if third & side:
                    value *= 1.0 if first & side else 0.8 if second & side else 0.6
                    all_sum += value
                    if value > best:
                        best = value
            best_sum += best
            for hexes, gold in wanted:
                wanted_sum += gold * min(3, (third & hexes).bit_count())
        soon = min(1.0, rounds) * (1 + rounds / 10) / 5
        return total + soon * (
            weights["best"] * best_sum
            + weights["all"] * all_sum
            + weights["open"] * open_sum
            + weights["wanted"] * wanted_sum
        )

    def glance(self, state: State, seat: int) -> float:
        """A first guess at the worth, in a fraction of the time: gold as things stand, and tiles."""
        total = float(sum([score(state, seat)[0] for score in self.scores]))
        return total + 2.0 * (state.held[seat] & self.setup.location_tiles).bit_count()

    def loss(self, state: State, seat: int, source: Hex) -> float:
        """What it costs, at a glance, to lift the piece on a hex."""
        own = state.own[seat]
        lifted = state.copy()
        lifted.own[seat] = rest = own ^ BIT[source]
        lost = [
            tile
            for tile in self.setup.tiles_beside.get(source, ())
            if state.held[seat] >> tile & 1 and not self.setup.tile_side[tile] & rest
        ]
        return 2.0 * len(lost) - sum([score(lifted, seat)[0] for score in self.scores])

    def left_to_do(self, state: State) -> float:
        """What the actions that are left in this turn may bring."""
        return WEIGHTS["todo"] * state.todo + WEIGHTS["ready"] * state.ready.bit_count()
