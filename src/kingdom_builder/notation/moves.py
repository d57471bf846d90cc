"""Actions and moves as text: `k7`, `paddock:k7-m7`, `=C`, `.`. `docs/notation.md` specifies it."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from kingdom_builder.board.terrain import CARDS
from kingdom_builder.hexes import SIZE, bits, hex_name, parse_hex
from kingdom_builder.message import Message, quoted
from kingdom_builder.notation.errors import IllegalMove
from kingdom_builder.notation.span import Span
from kingdom_builder.rules import (
    CHOOSING,
    CHOSEN,
    DONE,
    DRAWING,
    DRAWN,
    END,
    OTHER,
    USE,
    Action,
    IllegalAction,
    Setup,
    State,
)

END_TEXT, DONE_TEXT, OTHER_TEXT = ".", "done", "other"
DRAW_MARK, CHOICE_MARK = "=", "!"
Step = tuple[Span, Action]
"""A single action of a move, and where it is written."""

WORDS: dict[str, Action] = {END_TEXT: END, DONE_TEXT: DONE, OTHER_TEXT: OTHER}


def action_text(setup: Setup, action: Action) -> str:
    """The text of a single action."""
    if action < SIZE:
        return hex_name(action)
    if action == END:
        return END_TEXT
    if action in DRAWN:
        return DRAW_MARK + DRAWN[action]
    if action in CHOSEN:
        return CHOICE_MARK + CHOSEN[action]
    if action in (DONE, OTHER):
        return DONE_TEXT if action == DONE else OTHER_TEXT
    return setup.actions[action - USE].key


def legal_texts(state: State) -> list[str]:
    """The texts of all actions that are legal now."""
    return [action_text(state.setup, action) for action in bits(state.legal())]


def parse_move(setup: Setup, text: str) -> list[Action]:
    """The actions of a move: one, or several steps as in `paddock:k7-m7`."""
    return [action for _, action in parse_steps(setup, text)]


def parse_steps(setup: Setup, text: str) -> list[Step]:
    """The actions of a move, each with the place where it is written."""
    return list(_steps(setup, Span.of(text)))


def play(state: State, text: str) -> list[Action]:
    """Carry out a move and return its actions. If it cannot be read or is illegal, nothing changes."""
    return play_span(state, Span.of(text))


def play_span(state: State, move: Span, most: int | None = None) -> list[Action]:
    """Carry out a move of a longer text, so that errors point into it. The move may have only so many steps."""
    steps = list(islice(_steps(state.setup, move), None if most is None else most + 1))
    if most is not None and len(steps) > most:
        raise move.error(Message("more actions than there may be: expected a shorter record"))
    actions = [action for _, action in steps]
    if len(steps) == 1:
        apply_steps(state, steps)
    else:
        apply_steps(state.copy(), steps)
        for action in actions:
            state.apply(action)
    return actions


def apply_steps(state: State, steps: Iterable[Step]) -> None:
    """Carry out the steps of a move. Raises `IllegalMove` at the first forbidden one; those before it stay applied."""
    for step, action in steps:
        try:
            state.apply(action)
        except IllegalAction as error:
            raise IllegalMove(error.message, step.source, step.start, step.text) from None


_JOINT = re.compile(r"[:,]|-(?=[a-t]\d)")
"""The separator of two steps: a `-` inside the name of an action does not count."""


def _steps(setup: Setup, move: Span) -> Iterator[Step]:
    start = 0
    for joint in _JOINT.finditer(move.text):
        step = move[start : joint.start()]
        action = _parse_action(setup, step)
        if not start and action < USE:
            message = Message(
                "{text} does not begin an action with several steps: expected a single step", text=quoted(step.text)
            )
            raise move.error(message, joint.start())
        yield step, action
        start = joint.end()
    step = move[start:]
    yield step, _parse_action(setup, step)


def _parse_action(setup: Setup, span: Span) -> Action:
    text = span.text
    if text in WORDS:
        return WORDS[text]
    for mark, numbers in ((DRAW_MARK, DRAWING), (CHOICE_MARK, CHOOSING)):
        if text[:1] == mark:
            if text[1:] not in numbers:
                message = Message(
                    "{text} is not a card: expected {mark} and one of {known}",
                    text=quoted(text),
                    mark=quoted(mark),
                    known=", ".join(CARDS),
                )
                raise span.error(message, 1)
            return numbers[text[1:]]
    for kind, action in enumerate(setup.actions):
        if action.key == text:
            return USE + kind
    try:
        return parse_hex(text)
    except ValueError:
        known = ", ".join(action.key for action in setup.actions)
        message = Message(
            "{text} is not an action: expected a hex such as k7, '.', '=C' or one of {known}",
            text=quoted(text),
            known=known,
        )
        raise span.error(message) from None


def join_moves(start: State, actions: Iterable[Action]) -> list[str]:
    """The texts of a sequence of actions, with the steps of each extra action joined to one move."""
    state = start.copy()
    moves: list[list[str]] = []
    """Each move as the texts that it is joined from."""
    in_progress = False
    for action in actions:
        text = action_text(state.setup, action)
        if in_progress and action not in DRAWN:
            moves[-1] += [":" if len(moves[-1]) == 1 else _joint(state, action), text]
        else:
            moves.append([text])
        began = state.acting is None and action >= USE
        state.apply(action)
        in_progress = (in_progress or began) and state.acting is not None and action not in DRAWN
    return ["".join(move) for move in moves]


def _joint(state: State, action: Action) -> str:
    """The separator before a further step: `-` if a chosen piece goes there, `,` for any other choice."""
    goes = state.source is not None and action < SIZE and not state.own[state.player] >> action & 1
    return "-" if goes else ","
