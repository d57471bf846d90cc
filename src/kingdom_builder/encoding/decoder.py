"""Reads an observation back from its arrays: proof that nothing is lost, and a way to look into data sets."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from kingdom_builder.board import Board
from kingdom_builder.board.terrain import CARDS, DIGITS
from kingdom_builder.content import CARDS as SCORING_CARDS
from kingdom_builder.content import TASKS, make_setup
from kingdom_builder.encoding.spaces import (
    AWAITING,
    BYTES,
    EXTRA_ACTIONS,
    GOALS,
    HEX_FIELDS,
    MAP_LETTERS,
    NUMBER_FIELDS,
    OPTIONS,
    PARTS,
    PLANE,
    SEAT_FIELDS,
    SEATS,
    VECTOR,
)
from kingdom_builder.hexes import ALL, AREA, BIT, Hex, HexSet, around, bits, hex_at
from kingdom_builder.rules import Observation, Setup, State
from kingdom_builder.rules.state import HIDDEN, SEAT_BITS

_SCALES = {part.name: part.scale for part in PARTS}
_LETTERS = (*CARDS, HIDDEN)


def decode(observation: Mapping[str, NDArray[np.generic]]) -> Observation:
    """The observation that `Encoder.observation` has written.

    What means nothing is not kept: the order of cards, tasks and the discard pile, and which of several tiles of a kind
    was used. What a spectator sees is read like what seat 0 sees.
    """
    return _Reading(np.asarray(observation["planes"]), np.asarray(observation["vector"]), observation["goal"]).state()


class _Reading:
    def __init__(self, planes: NDArray[np.generic], vector: NDArray[np.generic], goal: NDArray[np.generic]) -> None:
        self.planes = planes.astype(int)
        self.numbers = {
            name: [round(float(entry) * _SCALES[name]) for entry in vector[place]] for name, place in VECTOR.items()
        }
        self.keys = [key for key, in_play in zip(GOALS, goal, strict=True) if in_play]

    def hexes(self, plane: str) -> HexSet:
        """The hexes that are not 0 on a plane."""
        return sum(BIT[ALL[number]] for number in np.flatnonzero(self.planes[PLANE[plane]]))

    def value(self, plane: str, h: Hex) -> int:
        return int(self.planes[PLANE[plane]].flat[ALL.index(h)])

    def kind(self, h: Hex) -> str:
        """The key of the location or nomad tile on a hex."""
        return EXTRA_ACTIONS[self.value("kind", h) - 1]

    def first(self, part: str) -> int | None:
        """The place of the 1 in a part that is one-hot; None if there is none."""
        return self.numbers[part].index(1) if 1 in self.numbers[part] else None

    # ---- the setup -----------------------------------------------------------------------------------------------

    def board(self) -> Board:
        there = {(row, col) for row in range(20) for col in range(20) if self.planes[PLANE["board"]][row][col]}
        height, width = max(row for row, _ in there) + 1, max(col for _, col in there) + 1
        rows = ["".join(self._letter(hex_at(row, col)) for col in range(width)) for row in range(height)]
        keys: dict[int, str] = {self.value("location", h): self.kind(h) for h in bits(self.hexes("location"))}
        locations = [keys.get(digit, next(iter(keys.values()))) for digit in range(1, max(keys, default=0) + 1)]
        return Board(rows, locations)

    def _letter(self, h: Hex) -> str:
        if digit := self.value("location", h):
            return DIGITS[digit - 1]
        (*_, letter) = [letter for letter in MAP_LETTERS if self.value(f"terrain {letter}", h)]
        return letter

    def setup(self) -> Setup:
        nomads = self.hexes("kind") & ~self.hexes("location")
        return make_setup(
            self.board(),
            [key for key in self.keys if key in SCORING_CARDS],
            self.numbers["players"].index(1) + 2,
            [option for option, is_on in zip(OPTIONS, self.numbers["options"], strict=True) if is_on],
            tasks=[key for key in self.keys if key in TASKS],
            nomads={h: self.kind(h) for h in bits(nomads)},
            capitols=self.hexes("capitol"),
        )

    # ---- the state -----------------------------------------------------------------------------------------------

    def state(self) -> Observation:
        setup = self.setup()
        state = State(setup)
        players, first = setup.players, self.first("seat") or 0
        state.player = (first + (self.first("turn") or 0)) % players
        state.round = self.numbers["round"][0]
        for seen in range(players):
            self._read_seat(state, seen, (first + seen) % players)
        at = {h: tile for tile, h in enumerate(setup.tile_hex) if h is not None}
        for h, tile in at.items():
            state.tiles_left[tile] = self.value("tiles left", h)
        state.just_taken = self._tiles(setup, "tiles just taken")
        state.ready = self._ready(setup, state.held[state.player] & ~state.just_taken)
        state.deck, state.discard = self._cards("deck"), self._cards("discard")
        card = self.first("card")
        state.card = "" if card is None else CARDS[card]
        state.card_hexes = setup.terrain[state.card]
        state.builds_left, state.steps = self.numbers["builds left"][0], self.numbers["steps"][0]
        state.adjacency_lifted = bool(self.numbers["adjacency lifted"][0])
        state.ending, state.over = bool(self.numbers["ending"][0]), bool(self.numbers["over"][0])
        awaiting, acting = self.first("awaiting"), self.first("acting")
        state.awaiting = None if awaiting is None else AWAITING[awaiting]
        if acting is not None:
            known = {action.key: action for action in (*setup.actions, *setup.finales)}
            state.acting = known[EXTRA_ACTIONS[acting]]
        source = bits(self.hexes("source"))
        state.source = source[0] if source else None
        state.scouts = self.hexes("scouts")
        self._read_memory(state, first)
        self._work_out(state)
        return Observation.of(state)

    def _read_seat(self, state: State, seen: int, seat: int) -> None:
        state.own[seat] = self.hexes(f"pieces of seat {seen}")
        state.supply[seat] = self.numbers["supply"][seen]
        start = seen * len(_LETTERS)
        counts = self.numbers["hand"][start : start + len(_LETTERS)]
        state.hands[seat] = "".join(
            letter * n for letter, n in zip((HIDDEN, *CARDS), [counts[-1], *counts[:-1]], strict=True)
        )
        state.taken[seat] = self._tiles(state.setup, f"tiles taken by seat {seen}")
        state.held[seat] = self._tiles(state.setup, f"tiles held by seat {seen}") | state.setup.standing

    def _tiles(self, setup: Setup, plane: str) -> int:
        """The tiles that come from the hexes of a plane, as a set of tile numbers."""
        hexes = self.hexes(plane)
        return sum(1 << tile for tile, h in enumerate(setup.tile_hex) if h is not None and hexes >> h & 1)

    def _ready(self, setup: Setup, tiles: int) -> int:
        """Those of the tiles that may still be used. Of several of a kind the first are used up."""
        ready = 0
        for kind, action in enumerate(setup.actions):
            left = self.numbers["ready"][EXTRA_ACTIONS.index(action.key)]
            of_kind = bits(tiles & setup.kind_tiles[kind])
            ready |= sum(1 << tile for tile in of_kind[len(of_kind) - left :])
        return ready

    def _cards(self, part: str) -> str:
        return "".join(letter * n for letter, n in zip(CARDS, self.numbers[part], strict=True))

    def _read_memory(self, state: State, first: int) -> None:
        for field in HEX_FIELDS:
            state.remember(field, self.hexes(field))
        for field, number in zip(NUMBER_FIELDS, self.numbers["numbers"], strict=True):
            state.remember(field, number)
        entries = iter(self.numbers["seat numbers"])
        for seen in range(SEATS):
            for field in SEAT_FIELDS:
                number = int.from_bytes(bytes(next(entries) for _ in range(BYTES)), "little")
                seat = (first + seen) % state.setup.players
                state.remember(field, state.memory.get(field, 0) | number << SEAT_BITS * seat)

    def _work_out(self, state: State) -> None:
        """The fields that follow from the others."""
        for seat, own in enumerate(state.own):
            state.near[seat] = around(own | state.scouts if seat == state.player else own) & AREA
        kinds = [state.memory.get(kind.key, 0) for kind in state.setup.piece_kinds]
        for pieces in kinds:
            state.special_pieces |= pieces
        state.update_blocked()
