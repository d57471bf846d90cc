"""Games played in both cores at once, and compared after every action."""

import os
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

import playing
from playing import SMALL, WIDE, Case, drawn_board, drawn_setup
from reference.bridge import choose as choose_eagerly
from reference.test_games_twice import small_setup

from kingdom_builder.board import Board
from kingdom_builder.content import ALL_SETS, BOXES, OPTIONS, make_setup, random_setup
from kingdom_builder.hexes import bits, nth
from kingdom_builder.native.setups import MOST_TILES, NativeSetup, NoShape
from kingdom_builder.native.states import NativeState
from kingdom_builder.notation import position_of
from kingdom_builder.rules import KEPT_RULINGS, USE, Action, State, random_draw, scores
from kingdom_builder.rules.state import ACTION, CARD

IS_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "soak"

LOOK_EVERY, LINE_EVERY = 5, 25
"""Every how many actions gold is counted in both cores, and the position is written by both."""

MOST = 5_000
"""Actions after which a game counts as endless."""

Choice = Callable[[State, Random], Action]


class Twins:
    """The same state in both cores."""

    def __init__(self, state: State, setup: NativeSetup | None = None) -> None:
        """Raises NoShape or ValueError where the core cannot have the state."""
        self.python = state.copy()
        self.native = NativeState.of(state, setup)
        self._number = 0

    def apply(self, action: Action) -> None:
        self.python.apply(action)
        self.native.apply(action)
        self._number += 1

    def compare(self) -> None:
        """Whatever can be asked is the same: all of it in short intervals, the rest always."""
        python, native = self.python, self.native
        back = native.to_state()
        if back != python:
            fields = [field for field in State.__slots__ if field != "_legal"]
            wrong = {field: getattr(back, field) for field in fields if getattr(back, field) != getattr(python, field)}
            raise AssertionError(f"the native core has {wrong} in {position_of(python)}")
        if python.legal() != native.legal():
            raise AssertionError(f"the cores disagree about {bits(python.legal() ^ native.legal())} in {python!r}")
        if python.over or self._number % LOOK_EVERY == 0:
            self._look()
        if python.over or self._number % LINE_EVERY == 0:
            assert position_of(back) == position_of(python)
            assert repr(native) == repr(python)
            assert NativeState.of(python, native.owner) == native  # type: ignore[arg-type]  # the owner is a NativeSetup

    def _look(self) -> None:
        python, native = self.python, self.native
        assert native.scores() == scores(python), position_of(python)
        assert (native.over, native.player, native.round) == (python.over, python.player, python.round)
        assert native.is_drawing == (python.awaiting is not None)
        assert native.count() == python.legal().bit_count()


def play_twins(start: State, rng: Random, choice: Choice, setup: NativeSetup | None = None) -> Counter[str]:
    """A whole game in both cores; returns how often each kind of thing came up."""
    twins = Twins(start, setup)
    state, seen = twins.python, Counter[str]()
    for _ in range(MOST):
        twins.compare()
        seen[state.acting.key if state.acting else "turn"] += 1
        seen["replaced card"] += state.awaiting == CARD
        seen["drawn for an action"] += state.awaiting == ACTION
        seen["lifted adjacency"] += state.adjacency_lifted
        seen["choice of a card"] += state.choice_is_open()
        seen["blocked"] += bool(state.blocked)
        seen["moved piece of another kind"] += state.source is not None and bool(
            state.special_pieces >> state.source & 1
        )
        if state.over:
            seen["games"] += 1
            return seen
        twins.apply(random_draw(state, rng.random) if state.awaiting else choice(state, rng))
    raise AssertionError(f"not over after {MOST} actions: {position_of(state)}")


# ---- how to choose ---------------------------------------------------------------------------------------------------


def any_action(state: State, rng: Random) -> Action:
    """Any legal action."""
    return nth(state.legal(), rng.randrange(state.legal().bit_count()))


def rather_tiles(state: State, rng: Random) -> Action:
    """Tiles wherever they can be used, otherwise any legal action; rarely the end of an action that could go on."""
    uses = state.legal() >> USE << USE
    return rng.choice(bits(uses)) if uses and rng.random() < 0.9 else choose_eagerly(state, rng)


def rather_some_tiles(rng: Random) -> Choice:
    """Prefers a few kinds of tiles over all others, so that they are used again and again."""
    keys = [component.key for box in BOXES.values() for component in (*box.locations, *box.nomad_tiles)]
    preferred = (*rng.sample(["bazaar", "city-hall", "outpost"], 2), *rng.sample(keys, 5))
    return lambda state, rng: choose_eagerly(state, rng, preferred)


# ---- where to begin --------------------------------------------------------------------------------------------------


def some(keys: Iterable[str], rng: Random, share: float) -> list[str]:
    return [key for key in keys if rng.random() < share]


def printed(rng: Random) -> State:
    """Four printed sections of the base game."""
    return State(random_setup(rng, rng.randint(2, 5)))


def printed_boxes(rng: Random) -> State:
    """Four printed sections of some boxes or all, with some options."""
    boxes = ("base", *some(ALL_SETS[1:], rng, 0.4)) if rng.random() < 0.5 else ALL_SETS
    options = some(OPTIONS, rng, rng.choice([0, 0.2, 0.5]))
    return State(random_setup(rng, rng.randint(2, 5), sets=boxes, options=options))


def drawn(rng: Random) -> State:
    """A drawn map that fills up, or a wide one, perhaps under older rules."""
    options = (*some(OPTIONS, rng, 0.2), *some(KEPT_RULINGS, rng, 0.2))
    board = WIDE if rng.random() < 0.1 else SMALL
    return playing.start_of(Case(rng.randint(2, 5), board, rng.getrandbits(32), options, ALL_SETS))


def everything(rng: Random) -> State:
    """A small map with nine locations of all boxes, and several cards paid at once."""
    return State(small_setup(rng))


def crowded(rng: Random) -> State:
    """A drawn map with as many tiles as the core has room for, or nearly: every hex touches some."""
    keys = [location.key for box in BOXES.values() for location in box.locations]
    board = drawn_board(rng, 12, 12, ALL_SETS, rng.sample(keys, 9))
    rows = [list(row) for row in board.map]
    room = MOST_TILES - len(board.locations) - board.nomad_spaces.bit_count() - 4  # four standing actions
    for _ in range(room):
        rows[rng.randrange(12)][rng.randrange(12)] = str(rng.randint(1, 9))
    for number in range(9):
        rows[number][rng.randrange(12)] = str(number + 1)
    case = Case(rng.randint(2, 5), SMALL, 0, tuple(some(OPTIONS, rng, 0.2)), ALL_SETS)
    return State(drawn_setup(rng, Board(["".join(row) for row in rows], list(board.location_keys)), case))


def few_settlements(rng: Random) -> State:
    """A game that is near its end from the beginning: few settlements, so that supplies run out and come back."""
    state = (everything if rng.random() < 0.7 else printed_boxes)(rng)
    most = rng.choice([4, 8, 16])
    state.supply = [rng.randint(1, most) for _ in state.supply]
    return state


def meadow(rng: Random) -> State:
    """Much of one terrain: room for city halls and scouts, and outposts for many a build and move."""
    rows = [rng.choices("G" * 12 + "GGGCCCDDDFFFTTTAWMKVINNN", k=11) for _ in range(11)]
    keys = ["city-hall", "bazaar", "scout-cabin", "barn", "harbor", "cathedral"]
    keys += rng.sample(["paddock", "tower", "farm", "oracle", "barracks", "caravan", "palisade"], 3)
    for number, (row, col) in enumerate(rng.sample([(row, col) for row in range(11) for col in range(11)], 14)):
        rows[row][col] = str(number % 9 + 1)
    board = Board(["".join(row) for row in rows], keys)
    nomads = {h: rng.choice(["outpost", "outpost", "sword", "resettlement"]) for h in bits(board.nomad_spaces)}
    cards = rng.sample(["families", "shepherds", "ambassadors", "mayors", "rovers"], 2)
    options = some(["outpostForMoves", "cityHallStays", "swordCancelsEnd", "bazaarCathedralGain"], rng, 0.4)
    return State(make_setup(board, cards, rng.randint(2, 4), options, nomads=nomads))


STARTS: tuple[Callable[[Random], State], ...] = (
    printed,
    printed_boxes,
    drawn,
    everything,
    crowded,
    few_settlements,
    meadow,
)


def game(number: int) -> Counter[str]:
    """The random game of a number, in both cores."""
    rng = Random(f"twins {number}")
    start = STARTS[number % len(STARTS)](rng)
    choice = rng.choice([any_action, rather_tiles, rather_some_tiles(rng)])
    try:
        seen = play_twins(start, rng, choice)
    except NoShape:
        assert len(start.setup.tile_hex) > MOST_TILES
        return Counter({"too many tiles": 1})
    except AssertionError as error:
        raise AssertionError(f"in game {number}: {error}") from error
    seen[STARTS[number % len(STARTS)].__name__] += 1
    return seen
