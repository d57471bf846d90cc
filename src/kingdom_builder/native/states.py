"""States in the native core, with the interface of `rules.State`."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha512
from struct import Struct, calcsize, error

from kingdom_builder.board.terrain import CARDS
from kingdom_builder.native import _core
from kingdom_builder.native.setups import SET_BYTES, NativeSetup, of_setup
from kingdom_builder.rules import Action, Perspective, Setup, State, seen_by
from kingdom_builder.rules.components import BY_SEAT, HEXES, NUMBER, Finale
from kingdom_builder.rules.state import ACTION, CARD, HAND, HIDDEN, SEAT_BITS

LETTERS = (*CARDS, HIDDEN)
_KNOWN = frozenset(CARDS)
AWAITED = (None, HAND, CARD, ACTION)
FINALE, NOBODY = 48, -1
"""The numbers of what is in progress besides the extra actions of the setup."""

MOST_DISCARDED = 64


class NativeState(_core.State):
    """A state in the native core. What it lacks of a `State`, `to_state()` has."""

    __slots__ = ()

    @classmethod
    def new(cls, setup: Setup | NativeSetup) -> "NativeState":
        """The state before the first card is dealt. Raises NoShape."""
        return cls(setup if isinstance(setup, NativeSetup) else of_setup(setup))

    @classmethod
    def of(cls, state: State, setup: NativeSetup | None = None) -> "NativeState":
        """A state in the core. Raises NoShape, or ValueError for a state that no game comes to."""
        native = setup or of_setup(state.setup)
        return cls(native, _written(state, native))

    @property
    def setup(self) -> Setup:
        return self._native.setup

    @property
    def _native(self) -> NativeSetup:
        native = self.owner
        assert isinstance(native, NativeSetup)
        return native

    def apply(self, action: Action) -> None:
        """Carry out a legal action. Raises `IllegalAction` for any other and changes nothing."""
        if not self.try_action(action):
            self.to_state().apply(action)  # which says why not
            raise AssertionError(f"the cores disagree about {action} in {self!r}")

    def to_state(self) -> State:
        """The same state as a `rules.State`."""
        return state_of(self)

    def observe(self, perspective: Perspective) -> State:
        """The state from a perspective: of a seat, or of a spectator."""
        return seen_by(perspective, self.to_state())

    def __repr__(self) -> str:
        return repr(self.to_state())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NativeState):
            return NotImplemented
        same_setup = self._native is other._native or self.setup == other.setup
        return same_setup and self.write() == other.write()

    __hash__ = None  # type: ignore[assignment]  # mutable: the way to say so, which mypy does not know


def state_of(state: _core.State) -> State:
    """A state in the core as a `rules.State`."""
    native = state.owner
    assert isinstance(native, NativeSetup)
    return _read(state.write(), native)


def random_of(seed: object) -> _core.Random:
    """The core's generator for a seed: the numbers that `random.Random(seed)` gives."""
    if isinstance(seed, str | bytes | bytearray):
        text = seed.encode() if isinstance(seed, str) else bytes(seed)
        number = int.from_bytes(text + sha512(text).digest(), "big")
    elif isinstance(seed, int):
        number = abs(seed)
    elif isinstance(seed, float):
        number = hash(seed) % (1 << 8 * calcsize("n"))
    else:
        raise TypeError(f"a seed of type {type(seed).__name__}: expected int, float, str or bytes")
    return _core.Random(number.to_bytes((number.bit_length() + 31) // 32 * 4, "little"))


@lru_cache(maxsize=64)
def _layout(players: int, tiles: int, sets: int, numbers: int, by_seat: int) -> Struct:
    """How a state is written: numbers, cards, tiles as bits, sets of hexes."""
    many = 7 * players + tiles + numbers + by_seat * players
    return Struct(f"<17i{MOST_DISCARDED}s{many}i{2 + 2 * players}Q" + f"{SET_BYTES}s" * (4 + 2 * players + sets))


def _layout_of(native: NativeSetup) -> Struct:
    fields = native.fields
    return _layout(
        native.setup.players, len(native.setup.tile_hex), *[len(fields[kind]) for kind in (HEXES, NUMBER, BY_SEAT)]
    )


def _written(state: State, native: NativeSetup) -> bytes:
    setup, memory, fields = native.setup, state.memory, native.fields
    if state.setup is not setup and state.setup != setup:
        raise ValueError("a state of another setup")
    if any(list(pile) != sorted(pile) for pile in (*state.hands, state.deck)) or len(state.discard) > MOST_DISCARDED:
        raise ValueError("a hand or a pile that no game has")
    if not (_KNOWN.issuperset(state.deck) and _KNOWN.issuperset("".join(state.hands).replace(HIDDEN, ""))):
        raise ValueError("a card that no game has")
    if not memory.keys() <= setup.fields.keys():
        raise ValueError("a field that the setup does not have")
    acting = NOBODY
    if state.acting is not None:
        acting = FINALE if isinstance(state.acting, Finale) else setup.actions.index(state.acting)
    each_seat = [
        number
        for hand, supply in zip(state.hands, state.supply, strict=True)
        for number in (*map(hand.count, LETTERS), supply)
    ]
    tiles = [number for both in zip(state.taken, state.held, strict=True) for number in both]
    sets = [state.free, state.blocked, state.special_pieces, state.scouts]
    sets += [hexes for both in zip(state.own, state.near, strict=True) for hexes in both]
    sets += [memory.get(key, 0) for key in fields[HEXES]]
    try:
        return _layout_of(native).pack(
            state.round,
            -1 if state.source is None else state.source,
            state.steps,
            state.player,
            CARDS.index(state.card) if state.card else -1,
            state.builds_left,
            acting,
            AWAITED.index(state.awaiting),
            state.adjacency_lifted,
            state.ending,
            state.over,
            len(state.discard),
            *map(state.deck.count, CARDS),
            bytes(map(LETTERS.index, state.discard)),
            *each_seat,
            *state.tiles_left,
            *[memory.get(key, 0) for key in fields[NUMBER]],
            *[state.of_seat(key, seat) for key in fields[BY_SEAT] for seat in range(setup.players)],
            state.ready,
            state.just_taken,
            *tiles,
            *[hexes.to_bytes(SET_BYTES, "little") for hexes in sets],
        )
    except (error, OverflowError) as reason:
        raise ValueError(f"a number that no game has: {reason}") from None


def _read(written: bytes, native: NativeSetup) -> State:
    setup, fields, players = native.setup, native.fields, native.setup.players
    values = iter(_layout_of(native).unpack(written[: _layout_of(native).size]))

    def take(count: int) -> list[int]:
        return [next(values) for _ in range(count)]

    def take_sets(count: int) -> list[int]:
        return [int.from_bytes(next(values), "little") for _ in range(count)]

    state = State(setup)
    state.round, source, state.steps, state.player, card, state.builds_left, acting, awaiting = take(8)
    lifted, ending, over, discarded = take(4)
    state.source = None if source < 0 else source
    state.card = CARDS[card] if card >= 0 else ""
    state.card_hexes = setup.terrain[state.card]
    if acting != NOBODY:
        state.acting = setup.finales[0] if acting == FINALE else setup.actions[acting]
    state.awaiting = AWAITED[awaiting]
    state.adjacency_lifted, state.ending, state.over = bool(lifted), bool(ending), bool(over)
    state.deck = "".join(letter * count for letter, count in zip(CARDS, take(len(CARDS)), strict=True))
    state.discard = "".join(LETTERS[number] for number in next(values)[:discarded])
    for seat in range(players):
        state.hands[seat] = _hand(take(len(LETTERS)))
        state.supply[seat] = next(values)
    state.tiles_left = take(len(setup.tile_hex))
    memory = dict(zip(fields[NUMBER], take(len(fields[NUMBER])), strict=True))
    for key in fields[BY_SEAT]:
        memory[key] = sum(number << SEAT_BITS * seat for seat, number in enumerate(take(players)))
    state.ready, state.just_taken = take(2)
    tiles = take(2 * players)
    state.taken, state.held = tiles[::2], tiles[1::2]
    state.free, state.blocked, state.special_pieces, state.scouts = take_sets(4)
    seats = take_sets(2 * players)
    state.own, state.near = seats[::2], seats[1::2]
    memory |= zip(fields[HEXES], take_sets(len(fields[HEXES])), strict=True)
    state.memory = {key: value for key, value in memory.items() if value}
    return state


def _hand(counts: Sequence[int]) -> str:
    return "".join(sorted("".join(letter * count for letter, count in zip(LETTERS, counts, strict=True))))
