"""Rollouts: games played quickly to their end, in a fraction of a player's time, to see what a turn leads to."""

from collections.abc import Iterator, Sequence
from random import Random

from kingdom_builder.hexes import AREA, BIT, SIZE, Hex, HexSet, around, bits
from kingdom_builder.players.card_heuristics import ATTRACTIONS
from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.turn_search import play_greedy_turns
from kingdom_builder.rules import (
    END,
    USE,
    Action,
    Building,
    FixedBuilding,
    Observation,
    State,
    determinize,
    random_draw,
    scores,
)
from kingdom_builder.rules.state import MANDATORY

TILE, TOWARDS, FREEDOM = 3, 1, 2
"""What attracts a settlement besides cards, in half gold: tiles, hexes next to tiles and castles, no new terrain."""

MOST_TURNS, MOST_OF_A_TURN = 2_000, 100
"""The most turns and draws of a rollout, and the most actions of a turn: more than any game has."""

LOOKS = 8
"""How many hexes are compared by the gold of cards whose attraction is unknown."""


class Rollouts:
    """Plays games of one setup to their end.

    Each settlement goes to the most attractive hex. Tiles that build are used; of the others only the worth counts. The
    only chance is in the draws and in one number that chooses between equally attractive hexes, so that rollouts from
    similar positions with the same seed stay similar.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        setup = evaluator.setup
        self.evaluator = evaluator
        keys = [card.key for card in setup.scoring]
        self.attractions = [ATTRACTIONS[key] for key in keys if key in ATTRACTIONS and key != "castles"]
        """What the cards pay for, without castles, which are attractive from a distance too."""
        self.other_scores = [card.score for card in setup.scoring if card.key not in ATTRACTIONS]
        """The cards whose attraction is unknown."""
        self.lands = [(land, around(land)) for land in evaluator.lands]
        builds = [isinstance(action, Building | FixedBuilding) for action in setup.actions]
        self.building_uses = sum([1 << USE + kind for kind, is_building in enumerate(builds) if is_building])
        self.other_tiles = [
            (tiles & setup.location_tiles, gold)
            for tiles, gold, is_building in zip(setup.kind_tiles, evaluator.tile_gold, builds, strict=True)
            if not is_building and tiles & setup.location_tiles
        ]

    def play_out(self, state: State, rng: Random) -> list[float]:
        """Play a state to its end and return the gold of each seat. A game that does not end is abandoned."""
        gold = [0.0] * state.setup.players
        tie_break = rng.randrange(SIZE)
        for _ in range(MOST_TURNS):
            if state.over:
                break
            if state.awaiting:
                state.apply(random_draw(state, rng.random))
                continue
            if state.builds_left == MANDATORY:
                held = state.held[state.player]
                unused = 0.0
                for tiles, worth in self.other_tiles:
                    unused += worth * (held & tiles).bit_count()
                gold[state.player] += unused
            tie_break = (tie_break + 137) % SIZE
            self._play_turn(state, tie_break)
        for player, final in enumerate(scores(state)):
            gold[player] += final
        return gold

    def _play_turn(self, state: State, tie_break: int) -> None:
        """Play until the end of the turn, or until a card is drawn."""
        turn = (state.round, state.player)
        for _ in range(MOST_OF_A_TURN):
            if state.over or state.awaiting or (state.round, state.player) != turn:
                break
            legal = state.legal()
            acting = state.acting
            hexes = legal & AREA
            if hexes and (acting is None or isinstance(acting, Building | FixedBuilding)):
                state.apply(self._hex(state, hexes, tie_break))
            elif legal & self.building_uses:
                state.apply(_first(legal & self.building_uses, 0))
            elif legal >> END & 1:
                state.apply(END)
            else:
                state.apply(_first(legal, tie_break))

    def _hex(self, state: State, hexes: HexSet, tie_break: int) -> Hex:
        """The most attractive hex to build on."""
        if hexes & hexes - 1:
            digits = [0] * 7
            for weight, attractive in self._attractions(state):
                _add(digits, weight, attractive)
            for digit in reversed(digits):
                hexes = hexes & digit or hexes
            if self.other_scores and hexes & hexes - 1:
                return self._best(state, hexes, tie_break)
        return _first(hexes, tie_break)

    def _attractions(self, state: State) -> Iterator[tuple[int, HexSet]]:
        """The hexes that are attractive to the current seat, each set with its weight in half gold."""
        seat = state.player
        near, free = state.near[seat], state.free
        tiles = self.evaluator.beside_tiles(state, seat)
        yield TILE, tiles
        castles, gold = ATTRACTIONS["castles"](state, seat)
        yield round(2 * gold), castles & AREA
        yield TOWARDS, around((castles | tiles) & free)
        for attraction in self.attractions:
            hexes, gold = attraction(state, seat)
            yield round(2 * gold), hexes & AREA
        beside_new = 0
        for land, beside in self.lands:
            if not near & free & land:
                beside_new |= beside
        yield FREEDOM, AREA & ~beside_new

    def _best(self, state: State, hexes: HexSet, tie_break: int) -> Hex:
        """The best of some hexes by cards whose attraction is unknown."""
        seat = state.player
        own = state.own[seat]
        first = _first(hexes, tie_break)
        gold = {}
        for h in [first, *bits(hexes)[:LOOKS]]:
            state.own[seat] = own | BIT[h]
            gold[h] = sum([score(state, seat)[0] for score in self.other_scores])
        state.own[seat] = own
        return max(gold, key=lambda h: gold[h])


def _first(choices: int, start: int) -> int:
    """The first of some choices from a start on, continuing with the lowest after the highest."""
    rest = choices >> start
    return start + _lowest(rest) if rest else _lowest(choices)


def _lowest(choices: int) -> int:
    return (choices & -choices).bit_length() - 1


def _add(digits: list[HexSet], weight: int, hexes: HexSet) -> None:
    """Add a weight to the sums of some hexes; the sums are written in binary digits, lowest first."""
    place = 0
    while weight:
        if weight & 1:
            carry, at = hexes, place
            while carry:
                digits[at], carry, at = digits[at] ^ carry, digits[at] & carry, at + 1
        weight >>= 1
        place += 1


def after_turn(seen: Observation, turn: Sequence[Action], rng: Random) -> State:
    """A possible state after a turn: the hidden cards are dealt at random."""
    state = determinize(seen, rng)
    for action in turn:
        state.apply(action)
    return state


def rollout_after(
    seen: Observation, turn: Sequence[Action], greedy_turns: int, evaluator: Evaluator, seed: float
) -> list[float]:
    """The gold of each seat at the end of a game after a turn: some greedy turns first, then the quick ones."""
    rng = Random(seed)
    state = after_turn(seen, turn, rng)
    state = play_greedy_turns(state, evaluator, greedy_turns, rng)
    return Rollouts(evaluator).play_out(state, rng)
