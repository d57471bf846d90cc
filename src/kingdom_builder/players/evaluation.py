"""The worth of a position: how much more gold than the others a seat can expect at the end of the game.

The worth is the gold that the seat has now plus a weighted sum of features: settlements to come, tiles, and what the
next terrain cards give access to. `weights.py` holds the default weights. A weight such as `likes.miners` is a taste:
what the card pays, times the weight, counts as gold on top, whether or not the card is in play.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

from kingdom_builder.board.terrain import CARDS
from kingdom_builder.content import CARDS as SCORING_CARDS
from kingdom_builder.hexes import AREA, BIT, NEAR, Hex, HexSet, around
from kingdom_builder.players.card_heuristics import PROGRESS, TILES, WANTED
from kingdom_builder.players.weights import WEIGHTS
from kingdom_builder.rules import Building, ExtraAction, FixedBuilding, Moving, NomadTile, Setup, State
from kingdom_builder.rules.state import ACTION

if TYPE_CHECKING:
    from kingdom_builder.players.native import NativeEvaluator

CASTLE_GOLD = 4.0
"""What reaching a castle counts, which pays 3."""

QUICK_TILE_GOLD = 2.0
ACTION_GOLD = 0.6

RIVALRY = 1.25
"""How much the best opponent's gold counts compared with a seat's own."""

ACCESS = ("best", "all", "open", "space")
"""Features of what the next terrain cards give access to, whatever the cards pay for."""

SPACE_STEPS = 6
"""How many steps away land counts as space around the pieces of a seat; in a corner there is less than half of it."""

PACE = 3.0
"""The settlements that a seat builds in a turn on average, besides those of the tiles that it has."""

Reach = tuple[HexSet, list[tuple[int, float]]]
"""What three settlements on a terrain can reach: the hexes, and castles and tiles by number, each with how likely."""

MOST_REMEMBERED = 20_000

TIMES = ("soon", "late")
"""Each feature of access counts for the next turn, and for what the seat will still build until the end. Counted by
rounds instead, tiles that build would seem to cost gold, since with them there are fewer rounds."""


LIKES = "likes."
"""The prefix of the weight of a taste."""

Score = Callable[[State, int], tuple[float, HexSet]]


def tile_class(action: ExtraAction) -> str:
    """The name of the weight of a tile."""
    if isinstance(action, NomadTile):
        return "tile.nomad"
    if isinstance(action, Building | FixedBuilding):
        return "tile.building"
    return "tile.moving" if isinstance(action, Moving) else "tile.other"


class Evaluator:
    """Evaluates positions of one setup with the given weights."""

    def __init__(self, setup: Setup, weights: Mapping[str, float] = WEIGHTS) -> None:
        self.setup = setup
        liked = {key.removeprefix(LIKES): weight for key, weight in weights.items() if key.startswith(LIKES)}
        self.liked = liked
        """How much the gold of a card counts on top, by key."""
        self.native: NativeEvaluator | Literal[False] | None = None
        """The same evaluator in the native core, once it was asked for; False if the core cannot know everything."""
        self.scores: list[Score] = [card.score for card in setup.scoring]
        self.scores += [_liked(key, weight) for key, weight in liked.items()]
        self.wanted = [WANTED[key] for key in (*[card.key for card in setup.scoring], *liked) if key in WANTED]
        self.progress = [PROGRESS[card.key] for card in setup.scoring if card.key in PROGRESS]
        self.lands: list[HexSet] = [setup.terrain[letter] for letter in CARDS]

        kinds = [setup.actions[kind] for kind in setup.tile_kind]
        self.building = sum(
            1 << tile
            for tile, kind in enumerate(kinds)
            if isinstance(kind, Building | FixedBuilding) and not setup.nomad_tiles >> tile & 1
        )
        """The tiles that build a settlement every turn."""
        self.kinds = [
            (tiles, bool(tiles & setup.nomad_tiles))
            for tiles, action in zip(setup.kind_tiles, setup.actions, strict=True)
        ]
        self.tile_gold = [TILES.get(action.key, weights[tile_class(action)]) for action in setup.actions]
        """The worth of each kind of tile in a turn, without the settlement that it may build."""
        self.build_gold = weights["builds"]
        """The worth of a settlement to come."""
        self.claims = [
            (
                tile,
                side,
                self.tile_gold[setup.tile_kind[tile]] + self.build_gold * (self.building >> tile & 1),
                bool(setup.nomad_tiles >> tile & 1),
            )
            for tile, side in enumerate(setup.tile_side)
            if side
        ]
        """For each tile on the board: its number, the hexes next to it, its worth in a turn, whether it works once."""
        self.sides = [*setup.castle_sides, *[side for _, side, _, _ in self.claims]]
        """The hexes next to each castle, and to each tile on the board."""
        self._gold: dict[tuple[object, ...], float] = {}
        self._reached: dict[tuple[HexSet, HexSet], Reach] = {}
        self.factors = [
            *[1.0 for _ in self.progress],
            *self.tile_gold,
            *[weights[f"{name}.{when}"] for name in (*ACCESS, *["wanted" for _ in self.wanted]) for when in TIMES],
        ]
        """The weight of each feature, in the order of `features`."""

    def gold(self, state: State, seat: int) -> float:
        """The gold that a seat has now, with its tastes; cached, since many orders of actions end alike."""
        key = (seat, *state.own, frozenset(state.memory.items()))
        try:
            return self._gold[key]
        except KeyError:
            if len(self._gold) >= MOST_REMEMBERED:
                self._gold.clear()
            gold = 0.0
            for score in self.scores:
                gold += score(state, seat)[0]
            self._gold[key] = gold
            return gold

    def worth(self, state: State, seat: int) -> float:
        """The gold that a seat can expect at the end, minus what the opponent who builds most may still build."""
        builds, others, features = self.features(state, seat)
        return self.gold(state, seat) + self.build_gold * (builds - others) + self._weighed(features)

    def expected(self, state: State, seat: int) -> float:
        """The gold that a seat can expect at the end."""
        builds, _, features = self.features(state, seat)
        return self.gold(state, seat) + self.build_gold * builds + self._weighed(features)

    def _weighed(self, features: list[float]) -> float:
        """The weighted sum of the features, added from left to right; in a last turn there are fewer than weights."""
        total = 0.0
        for factor, feature in zip(self.factors, features, strict=False):
            total += factor * feature
        return total

    def features(self, state: State, seat: int) -> tuple[float, float, list[float]]:
        """The settlements that the seat and the busiest opponent will still build, and the other features."""
        setup = self.setup
        own, near, free = state.own[seat], state.near[seat], state.free
        building, supply, held = self.building, state.supply, state.held
        rates = [PACE + (tiles & building).bit_count() for tiles in held]
        rounds = 0.0 if state.ending else min([left / rate for left, rate in zip(supply, rates, strict=True)])
        builds = min(supply[seat], rounds * rates[seat])
        others = max([min(supply[other], rounds * rates[other]) for other in range(len(supply)) if other != seat])

        features = [progress(state, seat, builds) for progress in self.progress]
        mine = held[seat]
        features += [
            (mine & tiles).bit_count() * (min(1.0, rounds) if once else rounds) if mine & tiles else 0.0
            for tiles, once in self.kinds
        ]
        if not rounds:
            return builds, others, features

        values = [0.0 if side & own else CASTLE_GOLD for side in setup.castle_sides]
        stock, taken = state.tiles_left, state.taken[seat]
        for tile, side, gold, once in self.claims:
            if stock[tile] and not taken >> tile & 1 and not side & own:
                value = gold if once else gold * (rounds - 1)
                values.append(value if value > 0 else 0.0)
            else:
                values.append(0.0)
        wanted = [want(state, seat) for want in self.wanted]
        best_sum = all_sum = open_lands = 0.0
        wanted_sums = [0.0] * len(wanted)
        for land in self.lands:
            open_land = free & land
            first = open_land & near
            if not first:
                if not open_land:
                    continue
                open_lands += 1
            try:
                reach, targets = self._reached[first, open_land]
            except KeyError:
                reach, targets = self._reach(first, open_land)
            best = 0.0
            for target, share in targets:
                value = values[target] * share
                all_sum += value
                if value > best:
                    best = value
            best_sum += best
            for number, (hexes, gold) in enumerate(wanted):
                paying = (reach & hexes).bit_count()
                wanted_sums[number] += gold * paying if paying < 3 else gold * 3
        space = near
        for _ in range(SPACE_STEPS - 1):
            space |= around(space) & AREA
        room = float((space & free & setup.board.buildable).bit_count())
        soon, late = min(1.0, rounds) / 5, builds / PACE / 50
        for value in (best_sum, all_sum, open_lands, room, *wanted_sums):
            features.append(soon * value)
            features.append(late * value)
        return builds, others, features

    def _reach(self, first: HexSet, open_land: HexSet) -> Reach:
        """What a turn on a terrain reaches; cached, since most builds change nothing for most terrains."""
        at_once = first or open_land
        second = at_once | around(at_once) & open_land
        third = second | around(second) & open_land
        targets = [
            (number, 1.0 if at_once & side else 0.7 if second & side else 0.5)
            for number, side in enumerate(self.sides)
            if third & side
        ]
        if len(self._reached) >= MOST_REMEMBERED:
            self._reached.clear()
        self._reached[first, open_land] = reach = third, targets
        return reach

    def quick_score(self, state: State, seat: int) -> float:
        """A first estimate of the worth in a fraction of the time: the gold that the seat has now, and tiles."""
        gold = self.gold(state, seat)
        if state.ending:
            return gold
        return gold + QUICK_TILE_GOLD * (state.held[seat] & self.setup.location_tiles).bit_count()

    def beside_tiles(self, state: State, seat: int) -> HexSet:
        """The hexes next to tiles that a seat can still take."""
        own, stock, taken = state.own[seat], state.tiles_left, state.taken[seat]
        hexes = 0
        for tile, side, _, _ in self.claims:
            if stock[tile] and not taken >> tile & 1 and not side & own:
                hexes |= side
        return hexes

    def worth_without(self, state: State, seat: int, source: Hex) -> float:
        """The worth without the piece on a hex, and without the tiles that would be lost by it."""
        changed = state.copy()
        changed.own[seat] = rest = state.own[seat] ^ BIT[source]
        changed.near[seat] = around(rest | state.scouts) & AREA
        changed.free |= BIT[source] & ~state.blocked
        kept = state.held[seat]
        for tile in self.setup.tiles_beside.get(source, ()):
            if self.setup.location_tiles >> tile & 1 and not self.setup.tile_side[tile] & rest:
                kept &= ~(1 << tile)
        changed.held[seat] = kept
        return self.worth(changed, seat)

    def worth_with(self, state: State, seat: int, target: Hex) -> float:
        """The worth with one more piece on a hex, and with the tiles that it would take."""
        changed = state.copy()
        changed.own[seat] = state.own[seat] | BIT[target]
        changed.near[seat] = state.near[seat] | NEAR[target]
        changed.free &= ~BIT[target]
        held = state.held[seat]
        for tile in self.setup.tiles_beside.get(target, ()):
            if state.tiles_left[tile] and not state.taken[seat] >> tile & 1:
                held |= 1 << tile
        changed.held[seat] = held
        return self.worth(changed, seat)

    def left_to_do(self, state: State) -> float:
        """What the remaining actions of this turn may gain."""
        return 1.2 * state.builds_left + ACTION_GOLD * state.ready.bit_count() + self.pending(state)

    def pending(self, state: State) -> float:
        """What an action that waits for a card may gain."""
        return ACTION_GOLD if state.awaiting == ACTION else 0.0


def _liked(key: str, weight: float) -> Score:
    """What a card would pay, times a weight; it explains no hexes."""
    score = SCORING_CARDS[key].score
    return lambda state, seat: (weight * score(state, seat)[0], 0)


def lead(evaluator: Evaluator, state: State, seat: int) -> float:
    """By how much a seat can expect to be ahead of the best opponent at the end."""
    gold = [evaluator.expected(state, other) for other in range(state.setup.players)]
    mine = gold.pop(seat)
    return mine - RIVALRY * max(gold)
