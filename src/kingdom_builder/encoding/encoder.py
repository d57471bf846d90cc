"""Writes what a seat sees as arrays, and translates actions between a setup's own numbers and the common ones."""

from collections.abc import Collection
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kingdom_builder.board.terrain import CARDS, DIGITS
from kingdom_builder.encoding import spaces
from kingdom_builder.encoding.spaces import (
    ACTIONS,
    AWAITING,
    BYTES,
    EXTRA_ACTIONS,
    GOALS,
    HEX_FIELDS,
    NUMBER_FIELDS,
    OPTIONS,
    PLANE,
    PLANES,
    SCORING,
    SEAT_FIELDS,
    VECTOR,
    VECTOR_SIZE,
)
from kingdom_builder.hexes import ALL, AREA, BIT, COLS, ROWS, Hex, HexSet, bits
from kingdom_builder.rules import Action, Setup, State
from kingdom_builder.rules import actions as engine
from kingdom_builder.rules.observation import EVERYTHING, Perspective, seen_hands
from kingdom_builder.rules.state import HIDDEN

Arrays: TypeAlias = dict[str, NDArray[Any]]

_PAIR = 45
"""Bits of two rows in a set of hexes: the second begins at bit 23 of them."""
_BITS = _PAIR * ROWS // 2
_BYTES = (_BITS + 7) // 8
_ALL_BITS = (1 << _BITS) - 1

_LETTERS = (*CARDS, HIDDEN)
_EXTRA = {key: number for number, key in enumerate(EXTRA_ACTIONS)}
_SCORED = {key: number for number, key in enumerate(SCORING)}
_GOALS = {key: number for number, key in enumerate(GOALS)}
_HEX_NUMBER = {h: number for number, h in enumerate(ALL)}

_NUMBERS: dict[Action, int] = {
    **_HEX_NUMBER,
    engine.END: spaces.END,
    **{engine.CHOOSE + i: spaces.CHOOSE + i for i in range(len(CARDS))},
    engine.DONE: spaces.DONE,
    engine.OTHER: spaces.OTHER,
}
"""The common numbers of the actions that every setup has."""
_NUMBERED = {number: action for action, number in _NUMBERS.items()}

_OWN = PLANE["pieces of seat 0"]
_HELD = PLANE["tiles held by seat 0"]
_TAKEN = PLANE["tiles taken by seat 0"]
LEFT, _JUST = PLANE["tiles left"], PLANE["tiles just taken"]
_SCOUTS, _SOURCE = PLANE["scouts"], PLANE["source"]
_CARD_HEXES, LEGAL = PLANE["hexes of the card"], PLANE["legal"]

_SEAT, _TURN, _ROUND = (VECTOR[part].start for part in ("seat", "turn", "round"))
_SUPPLY, _HAND, _KINDS_HELD = (VECTOR[part].start for part in ("supply", "hand", "held"))
_CARD, _BUILDS_LEFT, _STEPS = (VECTOR[part].start for part in ("card", "builds left", "steps"))
_LIFTED, _ENDING, _OVER = (VECTOR[part].start for part in ("adjacency lifted", "ending", "over"))
_AWAITING, _ACTING = VECTOR["awaiting"].start, VECTOR["acting"]
_DECK, _DISCARD, _KINDS_READY, _KINDS_JUST = (VECTOR[part] for part in ("deck", "discard", "ready", "just taken"))


def planes_of(sets: Collection[HexSet]) -> NDArray[np.uint8]:
    """A plane of 20 x 20 zeros and ones for each set of hexes."""
    raw = b"".join([(each & _ALL_BITS).to_bytes(_BYTES, "little") for each in sets])
    packed = np.frombuffer(raw, np.uint8).reshape(len(sets), _BYTES)
    rows = np.unpackbits(packed, axis=1, count=_BITS, bitorder="little").reshape(len(sets), ROWS // 2, _PAIR)
    planes = np.empty((len(sets), ROWS, COLS), np.uint8)
    planes[:, 0::2] = rows[:, :, :COLS]
    planes[:, 1::2] = rows[:, :, 23 : 23 + COLS]
    return planes


def check_setup(setup: Setup) -> None:
    """Raise ValueError if the encoding has no numbers for something in a setup."""
    unknown = [action.key for action in setup.actions if action.key not in _EXTRA]
    unknown += [card.key for card in setup.scoring if card.key not in _SCORED]
    if unknown:
        raise ValueError(f"{', '.join(unknown)}: not in version {spaces.VERSION} of the encoding")


def map_sets(setup: Setup) -> list[HexSet]:
    """The planes of the map that are sets of hexes: all but the last two."""
    board = setup.board
    terrain = [board.terrain[letter] for letter in (*CARDS, "A")]
    sets = [board.hexes, *terrain, board.water, board.mountains, board.caves]
    return [*sets, board.castles, board.nomad_spaces, board.silos, setup.capitols]


class Encoder:
    """Everything about one setup that is needed to write its states as arrays."""

    def __init__(self, setup: Setup, *, gold: bool = False) -> None:
        """`gold` fills in the gold by card so far, which takes time."""
        check_setup(setup)
        self.setup = setup
        self._gold = gold
        self._number_actions()
        self.map = self._map_planes()
        """The planes that stay the same in a game, the first of all planes."""
        self._tiles = lru_cache(maxsize=4096)(self._tile_hexes)
        self.tiles_left = lru_cache(maxsize=4096)(self._tiles_left)
        """The plane of the tiles that are left, by tile number."""
        self._kinds = lru_cache(maxsize=4096)(self._tile_kinds)
        self._still = np.zeros(VECTOR_SIZE, np.float32)
        """The part of the vector that never changes."""
        self._still[VECTOR["players"].start + setup.players - 2] = 1
        for number, option in enumerate(OPTIONS):
            if option in setup.options:
                self._still[VECTOR["options"].start + number] = 1
        self._fields = [field for field in HEX_FIELDS if field in setup.fields]
        self._numbers = [(i, field) for i, field in enumerate(NUMBER_FIELDS) if field in setup.fields]
        self._seat_numbers = [(i, field) for i, field in enumerate(SEAT_FIELDS) if field in setup.fields]
        self.goal = np.zeros(len(GOALS), np.int8)
        """The scoring cards and tasks in play."""
        for card in (*setup.cards, *setup.tasks):
            if card.key in _GOALS:
                self.goal[_GOALS[card.key]] = 1

    # ---- actions -------------------------------------------------------------------------------------------------

    def _number_actions(self) -> None:
        self._numbers_of, self._actions_of = _NUMBERS.copy(), _NUMBERED.copy()
        for action, extra in enumerate(self.setup.actions, engine.USE):
            number = spaces.USE + _EXTRA[extra.key]
            self._numbers_of[action], self._actions_of[number] = number, action

    def number(self, action: Action) -> int:
        """The common number of an action of this setup. Draws have none: chance makes them."""
        return self._numbers_of[action]

    def action(self, number: int) -> Action:
        """The action of this setup with a common number."""
        try:
            return self._actions_of[number]
        except KeyError:
            raise ValueError(f"action {number}: expected one that this setup has, see the action mask") from None

    def mask(self, state: State) -> NDArray[np.int8]:
        """A 1 for each legal action; all zero while a draw is due and when the game is over."""
        mask = np.zeros(ACTIONS, np.int8)
        if not state.awaiting:
            mask[: spaces.HEXES] = planes_of([state.legal()])[0].reshape(-1)
            self.mark_choices(state, mask)
        return mask

    def mark_choices(self, state: State, mask: NDArray[np.int8]) -> None:
        """Write a 1 into a mask for each legal action that is not a hex."""
        choices = 0 if state.awaiting else state.legal() >> engine.END
        while choices:
            mask[self._numbers_of[engine.END + (choices & -choices).bit_length() - 1]] = 1
            choices &= choices - 1

    # ---- observations --------------------------------------------------------------------------------------------

    def observation(self, state: State, seat: Perspective) -> Arrays:
        """What a seat sees, or a spectator (None). It does not matter whether hidden cards are hidden in the state."""
        planes = self.planes(state, seat)
        mask = np.zeros(ACTIONS, np.int8)
        mask[: spaces.HEXES] = planes[LEGAL].reshape(-1)
        if seat == state.player:
            self.mark_choices(state, mask)
        return {"planes": planes, "vector": self.vector(state, seat), "goal": self.goal.copy(), "action_mask": mask}

    def planes(self, state: State, seat: Perspective) -> NDArray[np.uint8]:
        """The board as a seat sees it: `PLANES` by number."""
        planes = np.zeros((len(PLANES), ROWS, COLS), np.uint8)
        planes[: len(self.map)] = self.map
        sets = self.sets(state, seat)
        planes[list(sets)] = planes_of(sets.values())
        planes[LEFT] = self.tiles_left(tuple(state.tiles_left))
        return planes

    def sets(self, state: State, seat: Perspective) -> dict[int, HexSet]:
        """The sets of hexes that change in a game, by the number of their plane; some that are empty are left out."""
        players, first = self.setup.players, max(0, seat or 0)
        sets: dict[int, HexSet] = {}
        for seen in range(players):
            other = (first + seen) % players
            sets[_OWN + seen] = state.own[other]
            if held := state.held[other]:
                sets[_HELD + seen] = self._tiles(held)
            if taken := state.taken[other]:
                sets[_TAKEN + seen] = self._tiles(taken)
        if state.card_hexes:
            sets[_CARD_HEXES] = state.card_hexes
        if seat == state.player and not state.awaiting:
            sets[LEGAL] = state.legal() & AREA
        if state.just_taken:
            sets[_JUST] = self._tiles(state.just_taken)
        if state.scouts:
            sets[_SCOUTS] = state.scouts
        if state.source is not None:
            sets[_SOURCE] = BIT[state.source]
        if state.memory:
            for field in self._fields:
                if hexes := state.memory.get(field):
                    sets[PLANE[field]] = hexes
        return sets

    def vector(self, state: State, seat: Perspective) -> NDArray[np.float32]:
        """What stands on no hex, as a seat sees it: `PARTS` one after the other."""
        vector = np.empty(VECTOR_SIZE, np.float32)
        self.write_vector(state, seat, vector)
        return vector

    def write_vector(
        self, state: State, seat: Perspective, vector: NDArray[np.float32], written: tuple[object, ...] = ()
    ) -> tuple[object, ...]:
        """Write the vector over another one, and return what says which part of it stays the same in a turn.

        Whoever gives that back with the same array saves the time to write that part again.
        """
        players, first = self.setup.players, max(0, seat or 0)
        still = (
            seat,
            state.player,
            state.round,
            state.awaiting,
            state.deck,
            state.discard,
            state.card,
            *state.hands,
            *state.held,
        )
        if still != written:
            self._write_still(state, seat, vector)
        for seen in range(players):
            vector[_SUPPLY + seen] = state.supply[(first + seen) % players] / 40
        vector[_BUILDS_LEFT] = state.builds_left / 3
        vector[_STEPS] = state.steps / 16
        vector[_LIFTED] = state.adjacency_lifted
        vector[_ENDING] = state.ending
        vector[_OVER] = state.over
        vector[_ACTING] = 0
        if state.acting is not None:
            vector[_ACTING.start + _EXTRA[state.acting.key]] = 1
        vector[_KINDS_READY] = self._kinds(state.ready)
        vector[_KINDS_JUST] = self._kinds(state.just_taken)
        if self._numbers or self._seat_numbers:
            self._write_memory(state, first, vector)
        if self._gold:
            self._write_gold(state, first, vector)
        return still

    def _write_still(self, state: State, seat: Perspective, vector: NDArray[np.float32]) -> None:
        """Write what stays the same for most of a turn."""
        vector[:] = self._still
        players, first = self.setup.players, max(0, seat or 0)
        if seat is not None and seat != EVERYTHING:
            vector[_SEAT + seat] = 1
        vector[_TURN + (state.player - first) % players] = 1
        vector[_ROUND] = state.round / 32
        hands, hidden = (state.hands, "") if seat == EVERYTHING else seen_hands(state, seat)
        for seen in range(players):
            other = (first + seen) % players
            if cards := hands[other]:
                row = _HAND + seen * len(_LETTERS)
                vector[row : row + len(_LETTERS)] = _counts_of(cards)
            if tiles := state.held[other]:
                row = _KINDS_HELD + seen * len(EXTRA_ACTIONS)
                vector[row : row + len(EXTRA_ACTIONS)] = self._kinds(tiles)
        if state.card:
            vector[_CARD + CARDS.index(state.card)] = 1
        vector[_DECK] = _counts_of(state.deck + hidden)[: len(CARDS)]
        vector[_DISCARD] = _counts_of(state.discard)[: len(CARDS)]
        if state.awaiting:
            vector[_AWAITING + AWAITING.index(state.awaiting)] = 1

    def _write_memory(self, state: State, first: int, vector: NDArray[np.float32]) -> None:
        for place, field in self._numbers:
            vector[VECTOR["numbers"].start + place] = state.memory.get(field, 0) / 256
        vector[VECTOR["seat numbers"]] = 0
        for place, field in self._seat_numbers:
            if field not in state.memory:
                continue
            for seen in range(self.setup.players):
                number = state.of_seat(field, (first + seen) % self.setup.players)
                start = VECTOR["seat numbers"].start + (seen * len(SEAT_FIELDS) + place) * BYTES
                vector[start : start + BYTES] = [byte / 256 for byte in number.to_bytes(BYTES, "little")]

    def _write_gold(self, state: State, first: int, vector: NDArray[np.float32]) -> None:
        for seen in range(self.setup.players):
            start = VECTOR["gold"].start + seen * len(SCORING)
            for card in self.setup.scoring:
                gold, _ = card.score(state, (first + seen) % self.setup.players)
                vector[start + _SCORED[card.key]] = gold / 64

    # ---- what a setup fixes --------------------------------------------------------------------------------------

    def _map_planes(self) -> NDArray[np.uint8]:
        board = self.setup.board
        planes = planes_of([*map_sets(self.setup), 0, 0])
        for tile, h in enumerate(self.setup.tile_hex):
            if h is not None:
                letter = board.letter(h)
                planes[PLANE["location"]].flat[_HEX_NUMBER[h]] = DIGITS.index(letter) + 1 if letter in DIGITS else 0
                kind = self.setup.actions[self.setup.tile_kind[tile]].key
                planes[PLANE["kind"]].flat[_HEX_NUMBER[h]] = _EXTRA[kind] + 1
        return planes

    def _tile_hexes(self, tiles: int) -> HexSet:
        """The hexes where these tiles came from."""
        places: list[Hex | None] = [self.setup.tile_hex[tile] for tile in bits(tiles)]
        return sum(BIT[h] for h in places if h is not None)

    def _tiles_left(self, counts: tuple[int, ...]) -> NDArray[np.uint8]:
        left = np.zeros((ROWS, COLS), np.uint8)
        for h, tiles in zip(self.setup.tile_hex, counts, strict=True):
            if h is not None:
                left.flat[_HEX_NUMBER[h]] = tiles
        return left

    def _tile_kinds(self, tiles: int) -> NDArray[np.float32]:
        """How many tiles of each kind these are."""
        kinds = np.zeros(len(EXTRA_ACTIONS), np.float32)
        for tile in bits(tiles):
            kinds[_EXTRA[self.setup.actions[self.setup.tile_kind[tile]].key]] += 0.25
        return kinds


@lru_cache(maxsize=4096)
def _counts_of(cards: str) -> NDArray[np.float32]:
    """How many cards of each terrain, and hidden ones, divided by 5."""
    return np.array([cards.count(letter) / 5 for letter in _LETTERS], np.float32)
