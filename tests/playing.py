"""Random games for the tests, action by action, the same games on the turned board, and texts with slips in them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from hypothesis import strategies as st

from kingdom_builder.board import Board, PlacedSection
from kingdom_builder.content import CARDS, LOCATIONS, make_setup, random_setup
from kingdom_builder.hexes import nth
from kingdom_builder.notation import NotationError, position_of
from kingdom_builder.rules import DRAWING, Action, Setup, State

PRINTED, SMALL, WIDE = "printed", "small", "wide"
"""Kinds of board: four printed sections, a drawn map that fills up within the game, a drawn map of 20 x 20."""

LONGEST = 3000
"""Actions that no game of five needs: about 500 are usual."""


@dataclass(frozen=True)
class Case:
    """What a random game follows from."""

    players: int
    board: str = PRINTED
    seed: int = 0
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "-".join([f"{self.players}p", self.board, str(self.seed), *self.options])


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
        return State(random_setup(rng, case.players, options=case.options))
    side = 20 if case.board == WIDE else 0
    board = drawn_board(rng, side or rng.randint(4, 9), side or rng.randint(4, 9))
    return State(random_setup(rng, case.players, board=board, options=case.options))


def drawn_board(rng: Random, height: int, width: int) -> Board:
    """A map of random letters with some of the locations, each on one or two hexes."""
    rows = [[rng.choice("GCDFTGCDFTGCDFTGCDFTWWMKAVNI") for _ in range(width)] for _ in range(height)]
    locations = rng.sample(list(LOCATIONS), rng.randint(0, len(LOCATIONS)))
    for number in range(len(locations)):
        for _ in range(rng.randint(1, 2)):
            rows[rng.randrange(height)][rng.randrange(width)] = str(number + 1)
    return Board(["".join(row) for row in rows], locations)


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
    return {field: list(value) if isinstance(value, list) else value for field, value in values.items()}


def turned_setup(setup: Setup) -> Setup:
    """The setup with its whole board of 20 x 20 hexes turned by 180 degrees."""
    board = setup.board
    if board.placed:
        turned = Board.of_sections([PlacedSection(place.section, not place.turned) for place in reversed(board.placed)])
    else:
        turned = Board([row[::-1] for row in reversed(board.map)], board.location_keys)
    return make_setup(turned, [card.key for card in setup.cards], setup.players, setup.options)


def every_card(board: Board, players: int, options: Iterable[str] = ()) -> Setup:
    """A setup in which all cards pay at once."""
    return make_setup(board, CARDS, players, options)


CHARACTERS = st.one_of(st.sampled_from(" -=#!?:,/*+>()[]{};\"\\'.\n0123456789abcdtABCDEFGTWKX"), st.characters())


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
