"""The evaluation, the search and the rollouts in the native core: the same choices, many times as fast.

`evaluation.py`, `card_heuristics.py`, `turn_search.py` and `rollouts.py` are the specification, and do what the core
has no shape for.
"""

from collections.abc import Callable, Sequence
from math import inf
from struct import pack
from time import perf_counter, process_time, thread_time

from kingdom_builder.content import CARDS
from kingdom_builder.hexes import HexSet
from kingdom_builder.native import _core
from kingdom_builder.native.setups import SET_BYTES, NativeSetup, NoShape, native_setup
from kingdom_builder.native.states import NativeState, random_of, state_of
from kingdom_builder.players.budget import Limit
from kingdom_builder.players.card_heuristics import ATTRACTIONS, PROGRESS, PROGRESS_SHAPES, WANTED_SHAPES, Wanted
from kingdom_builder.players.evaluation import ACTION_GOLD, CASTLE_GOLD, PACE, QUICK_TILE_GOLD, RIVALRY, Evaluator
from kingdom_builder.players.turn_search import LEADERS
from kingdom_builder.rules import Action, State

CLOCKS: dict[Callable[[], float], int] = {perf_counter: 0, process_time: 1, thread_time: 2}
"""The clocks that the core can read, by number."""


class NativeEvaluator:
    """An evaluator in the native core, for states of one setup."""

    def __init__(self, evaluator: Evaluator, setup: NativeSetup) -> None:
        """Raises NoShape."""
        self.setup = setup
        try:
            self._core = _core.Evaluator(setup, _Writer(evaluator, setup).evaluator())
        except ValueError:
            raise NoShape("it has more of something than the core has room for.") from None

    def state(self, state: State) -> NativeState:
        """A state in the core. Raises ValueError for one that no game comes to."""
        return NativeState.of(state, self.setup)

    def worth(self, state: NativeState, seat: int) -> float:
        """As `Evaluator.worth`."""
        return self._core.worth(state, seat)

    def expected(self, state: NativeState, seat: int) -> float:
        """As `Evaluator.expected`."""
        return self._core.expected(state, seat)[0]

    def greedy_step(self, state: NativeState, sources: int, looks: int) -> list[Action]:
        """As `turn_search.greedy_step`: the actions that look best now; none if it looks best to end the turn."""
        return self._core.greedy_step(state, sources, looks)

    def rollout(self, seen: NativeState, turn: Sequence[Action], greedy_turns: int, seed: float) -> list[float]:
        """As `rollouts.rollout_after`: the gold of each seat in a game that is played quickly after a turn."""
        return self._core.rollout(seen, turn, greedy_turns, random_of(seed))

    def knows(self, limit: Limit) -> bool:
        """Whether the core can check a limit."""
        return limit.until == inf or limit.clock in CLOCKS

    def search(self, start: State, searching: Limit, comparing: Limit) -> "NativeSearch":
        """As `turn_search.TurnSearch`."""
        return NativeSearch(self._core, self.state(start), searching, comparing)


class NativeLine:
    """A whole turn that a search in the core has found."""

    def __init__(self, number: int, moves: list[Action], worth: float, after: _core.State) -> None:
        self.number = number
        self.worth = worth
        self._moves = moves
        self._after = after
        self._state: State | None = None

    @property
    def state(self) -> State:
        """The state after it."""
        if self._state is None:
            self._state = state_of(self._after)
        return self._state

    def moves(self, seat: int) -> list[Action]:
        """Its actions, with the end of the turn if it is due."""
        return self._moves


class NativeSearch:
    """The search for good turns from one state, in the core."""

    def __init__(self, evaluator: _core.Evaluator, start: NativeState, searching: Limit, comparing: Limit) -> None:
        self._budget = searching.budget or comparing.budget
        left = 0.0 if self._budget is None else self._budget.left
        self._core = _core.Search(evaluator, start, left, _limit(searching), _limit(comparing))

    def run(self, leaders: int = LEADERS) -> list[NativeLine]:
        """The best whole turns that lead to different positions, best first."""
        lines = [NativeLine(*line) for line in self._core.run(leaders)]
        self._spend()
        return lines

    def completed(self, line: NativeLine) -> NativeLine:
        """In a last turn, the line with the further uses of tiles that pay; else the same line."""
        completed = NativeLine(*self._core.completed(line.number))
        self._spend()
        return completed

    def _spend(self) -> None:
        if self._budget is not None:
            self._budget.left = self._core.left


def native_evaluator(evaluator: Evaluator) -> NativeEvaluator | None:
    """The evaluator in the core; None if the core lacks a shape of something in its setup."""
    setup = native_setup(evaluator.setup)
    try:
        return NativeEvaluator(evaluator, setup) if setup else None
    except NoShape:
        return None


def _limit(limit: Limit) -> tuple[bool, float, float, int]:
    """A limit for the core: whether positions count, how many must be left, the seconds from now, and the clock."""
    seconds = inf if limit.until == inf else limit.until - limit.clock()
    counts = limit.budget is not None and limit.budget.nodes is not None
    return counts, limit.least, seconds, CLOCKS.get(limit.clock, 0)


class _Writer:
    """Writes an evaluator as bytes; `core/evaluation.c` reads them."""

    def __init__(self, evaluator: Evaluator, setup: NativeSetup) -> None:
        self._evaluator = evaluator
        self._native = setup
        self._setup = setup.setup
        self._sets: list[HexSet] = []

    def evaluator(self) -> bytes:
        evaluator, setup = self._evaluator, self._setup
        keys = [card.key for card in setup.scoring]
        attracting = [key for key in keys if key in ATTRACTIONS and key != "castles"]
        wanted = [self._wanted(want) for want in evaluator.wanted]
        progress = [self._progress(place, key) for place, key in enumerate(keys) if key in PROGRESS]
        attractions = [self._wanted(ATTRACTIONS[key]) for key in attracting]
        unknown = [place for place, key in enumerate(keys) if key not in ATTRACTIONS]
        return b"".join(
            [
                _ints(len(self._sets)),
                _set_bytes(self._sets),
                _set_bytes([setup.board.buildable]),
                _ints(len(setup.castle_sides)),
                _set_bytes(setup.castle_sides),
                *[_ints(len(each)) + b"".join(each) for each in (wanted, progress, attractions, self._liked())],
                _ints(len(unknown), *unknown),
                pack("<Q", evaluator.building),
                _doubles(*evaluator.tile_gold, evaluator.build_gold),
                _doubles(CASTLE_GOLD, QUICK_TILE_GOLD, ACTION_GOLD, RIVALRY, PACE),
                _ints(len(evaluator.factors)),
                _doubles(*evaluator.factors),
                _ints(any("built" in component.hooks for component in setup.components)),
            ]
        )

    def _wanted(self, want: Wanted) -> bytes:
        if want not in WANTED_SHAPES:
            raise NoShape(f"the native core has no shape for {want.__name__}.")
        kind, sets_of = WANTED_SHAPES[want]
        _, gold = want(State(self._setup), 0)
        return self._heuristic(_core.WANTED_SHAPES, kind, sets_of(self._setup), gold)

    def _progress(self, place: int, key: str) -> bytes:
        if PROGRESS[key] not in PROGRESS_SHAPES:
            raise NoShape(f"the native core has no shape for what {key} will still pay.")
        kind, sets_of, gold, field = PROGRESS_SHAPES[PROGRESS[key]]
        return self._heuristic(_core.PROGRESS_SHAPES, kind, sets_of(self._setup), gold, field, place)

    def _heuristic(
        self, known: tuple[str, ...], kind: str, sets: Sequence[HexSet], gold: float, field: str = "", place: int = 0
    ) -> bytes:
        first = len(self._sets)
        self._sets += sets
        field_place = self._native.place(field) if field else 0
        return _ints(known.index(kind), field_place, place, first, len(sets)) + _doubles(gold)

    def _liked(self) -> list[bytes]:
        """The cards that a taste counts once more: those that need neither several sets nor a memory."""
        found = []
        for key, liking in self._evaluator.liked.items():
            shape = CARDS[key].shape(self._setup)
            if shape is None or len(shape.sets) > 1 or shape.fields:
                raise NoShape(f"the native core has no shape for a taste for {key}.")
            numbers = [*map(int, shape.numbers), 0, 0, 0, 0][:4]
            sets = _ints(len(shape.sets)) + _set_bytes(shape.sets)
            found.append(_ints(_core.SCORE_SHAPES.index(shape.kind), *numbers) + _doubles(liking) + sets)
        return found


def _ints(*numbers: int) -> bytes:
    return pack(f"<{len(numbers)}i", *numbers)


def _doubles(*numbers: float) -> bytes:
    return pack(f"<{len(numbers)}d", *numbers)


def _set_bytes(sets: Sequence[HexSet]) -> bytes:
    return b"".join([hexes.to_bytes(SET_BYTES, "little") for hexes in sets])
