"""Random games for the tests, action by action, the same games on the turned board, and texts with slips in them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from base_box import CARDS
from hypothesis import strategies as st

from kingdom_builder.board import Board, PlacedSection
from kingdom_builder.board.terrain import DIGITS
from kingdom_builder.content import ALL_SETS, BOXES, TASKS, make_setup, random_setup
from kingdom_builder.hexes import bits, hexset, nth, turned
from kingdom_builder.notation import NotationError, position_of
from kingdom_builder.rules import DRAWING, Action, Setup, State

PRINTED, SMALL, WIDE = "printed", "small", "wide"
"""Kinds of board: four printed sections, a drawn map that fills up within the game, a drawn map of 20 x 20."""

LONGEST = 6000
"""Actions that no game of five needs: about 500 are usual, with all boxes up to 2000."""

BASE = ("base",)
SET_CHOICES: tuple[tuple[str, ...], ...] = (*[("base", key) for key in ALL_SETS[1:]], ALL_SETS)
"""Each box alone with the base game, and all together."""


@dataclass(frozen=True)
class Case:
    """What a random game follows from."""

    players: int
    board: str = PRINTED
    seed: int = 0
    options: tuple[str, ...] = ()
    sets: tuple[str, ...] = BASE

    def __str__(self) -> str:
        sets = "all" if self.sets == ALL_SETS else "+".join(self.sets)
        return "-".join([f"{self.players}p", sets, self.board, str(self.seed), *self.options])


@dataclass(frozen=True)
class Step:
    """An action and the states around it, for reading only."""

    before: State
    action: Action
    after: State


def start_of(case: Case) -> State:
    """The state before the first card of a random game is dealt."""
    rng = Random(repr(case))
    if case.board == PRINTED:
        return State(random_setup(rng, case.players, sets=case.sets, options=case.options))
    side = 20 if case.board == WIDE else 0
    board = drawn_board(rng, side or rng.randint(4, 9), side or rng.randint(4, 9), case.sets)
    return State(drawn_setup(rng, board, case))


LETTERS = {"base": "GCDFT" * 4 + "WWMK", "nomads": "NN", "harvest": "AAI", "caves": "VV"}
"""The letters that a drawn map has, by box."""


def drawn_board(
    rng: Random, height: int, width: int, sets: Iterable[str] = BASE, locations: list[str] | None = None
) -> Board:
    """A map of random letters with these or some of the locations of the boxes, each on one or two hexes."""
    letters = "".join(LETTERS.get(key, "") for key in sets)
    rows = [[rng.choice(letters) for _ in range(width)] for _ in range(height)]
    pool = [location.key for key in sets for location in BOXES[key].locations]
    if locations is None:
        locations = rng.sample(pool, rng.randint(0, min(len(pool), len(DIGITS))))
    for number in range(len(locations)):
        for _ in range(rng.randint(1, 2)):
            rows[rng.randrange(height)][rng.randrange(width)] = str(number + 1)
    return Board(["".join(row) for row in rows], locations)


def drawn_setup(rng: Random, board: Board, case: Case) -> Setup:
    """Cards, tasks, nomad tiles and capitols on a drawn map, as the boxes in use allow; some nomad spaces are bare."""
    cards = [card.key for key in case.sets for card in BOXES[key].cards]
    tiles = [tile.key for key in case.sets for tile in BOXES[key].nomad_tiles]
    rng.shuffle(tiles)
    spaces = [h for h in bits(board.nomad_spaces) if rng.random() < 0.8]
    castles = bits(board.castles) if "capitol" in case.sets else []
    return make_setup(
        board,
        rng.sample(cards, rng.randint(1, 4)),
        case.players,
        case.options,
        tasks=rng.sample(list(TASKS), rng.randint(0, 3)) if "crossroads" in case.sets else (),
        nomads=dict(zip(spaces, tiles, strict=False)),
        capitols=hexset(h for h in castles if rng.random() < 0.5),
    )


def choose(state: State, rng: Random) -> Action:
    """A random action: a card as chance would draw it, or any of the legal ones."""
    if state.awaiting:
        return DRAWING[rng.choice(state.deck)]
    legal = state.legal()
    return nth(legal, rng.randrange(legal.bit_count()))


def play_on(state: State, rng: Random) -> Iterator[Step]:
    """The rest of a random game; every state in it is one of its own."""
    for _ in range(LONGEST):
        if state.over:
            return
        after = state.copy()
        action = choose(state, rng)
        after.apply(action)
        yield Step(state, action, after)
        state = after
    raise AssertionError(f"the game has not ended after {LONGEST} actions: {position_of(state)}")


@cache
def game(case: Case) -> tuple[Step, ...]:
    """A whole random game, shared between tests: read it, copy its states, do not change them."""
    return tuple(play_on(start_of(case), Random(case.seed)))


def sample(case: Case, count: int) -> list[State]:
    """Some states from all over a game, the last one among them."""
    states = [step.before for step in game(case)]
    return [*Random(case.seed).sample(states, min(count, len(states))), game(case)[-1].after]


def snapshot(state: State) -> dict[str, object]:
    """Every field of a state as it is now."""
    values = {field: getattr(state, field) for field in State.__slots__}
    return {field: value.copy() if isinstance(value, list | dict) else value for field, value in values.items()}


def turned_setup(setup: Setup) -> Setup:
    """The setup with its whole board of 20 x 20 hexes, and everything on it, turned by 180 degrees."""
    board = setup.board
    if board.placed:
        placed = [PlacedSection(place.section, not place.turned) for place in reversed(board.placed)]
        turned_board = Board.of_sections(placed).with_caves(turned(board.caves))
    else:
        turned_board = Board([row[::-1] for row in reversed(board.map)], board.location_keys)
    return make_setup(
        turned_board,
        [card.key for card in setup.cards],
        setup.players,
        setup.options,
        tasks=[task.key for task in setup.tasks],
        nomads={bits(turned(1 << h))[0]: tile.key for h, tile in setup.nomads.items()},
        capitols=turned(setup.capitols),
    )


def every_card(board: Board, players: int, options: Iterable[str] = ()) -> Setup:
    """A setup in which all cards pay at once."""
    return make_setup(board, CARDS, players, options)


CHARACTERS = st.one_of(st.sampled_from(" -=#!?:,/*+>~()[]{};\"\\'.\n0123456789abcdtABCDEFGTWKXVNI"), st.characters())


@st.composite
def mutated(draw: st.DrawFn, valid: list[str]) -> str:
    """A valid text with one to three characters deleted, inserted or replaced."""
    text = draw(st.sampled_from(valid))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        change = draw(st.sampled_from(["delete", "insert", "replace"]))
        new = "" if change == "delete" else draw(CHARACTERS)
        text = text[:at] + new + text[at + (change != "insert") :]
    return text


def check_place(error: NotationError, text: str) -> None:
    """An error says what is wrong and points into the text, at most behind its last character."""
    assert error.reason
    assert 0 <= error.offset <= len(text)
    assert error.line == text.count("\n", 0, error.offset) + 1
    assert 1 <= error.column <= len(text) + 1
    assert f"column {error.column}: {error.reason}" in str(error)
    line, caret = error.pointer.split("\n")
    assert caret == " " * (error.column - 1) + "^"
    assert line == error.text.split("\n")[error.line - 1].rstrip("\r")
