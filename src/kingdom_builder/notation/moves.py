"""Actions and moves as text: `k7`, `paddock:k7-m7`, `=C`, `.`. `docs/notation.md` specifies it."""

from collections.abc import Iterable, Iterator

from kingdom_builder.board.terrain import CARDS
from kingdom_builder.hexes import SIZE, members, name, named
from kingdom_builder.notation.errors import IllegalMove
from kingdom_builder.notation.span import Span
from kingdom_builder.rules import DRAWING, DRAWN, END, USE, Action, IllegalAction, Setup, State

END_TEXT = "."
DRAW_MARK = "="


def action_text(setup: Setup, action: Action) -> str:
    """The text of a single action."""
    if action < SIZE:
        return name(action)
    if action == END:
        return END_TEXT
    if action in DRAWN:
        return DRAW_MARK + DRAWN[action]
    return setup.locations[action - USE].key


def legal_texts(state: State) -> list[str]:
    """The texts of all actions that are legal now."""
    return [action_text(state.setup, action) for action in members(state.legal())]


def parse_move(setup: Setup, text: str) -> list[Action]:
    """The actions of a move: one, or several steps as in `paddock:k7-m7`."""
    return [action for _, action in _steps(setup, Span.of(text))]


def play(state: State, text: str) -> list[Action]:
    """Carry out a move and return its actions. If it cannot be read or is illegal, nothing is changed."""
    return play_span(state, Span.of(text))


def play_span(state: State, move: Span) -> list[Action]:
    """Carry out a move that stands in a longer text, at which errors then point."""
    trial = state
    actions = []
    steps = list(_steps(state.setup, move))
    if len(steps) > 1:
        trial = state.copy()
    for step, action in steps:
        try:
            trial.apply(action)
        except IllegalAction as error:
            raise IllegalMove(f"{step.text}: {error}", step.source, step.start) from None
        actions.append(action)
    if trial is not state:
        for action in actions:
            state.apply(action)
    return actions


def _steps(setup: Setup, move: Span) -> Iterator[tuple[Span, Action]]:
    head, colon, _ = move.text.partition(":")
    yield move[: len(head)], _parse_action(setup, move[: len(head)])
    if colon:
        for group in move[len(head) + 1 :].split(",") or [move[len(head) + 1 :]]:
            for step in group.split("-") or [group]:
                yield step, _parse_action(setup, step)


def _parse_action(setup: Setup, span: Span) -> Action:
    text = span.text
    if text == END_TEXT:
        return END
    if text[:1] == DRAW_MARK:
        if text[1:] not in DRAWING:
            raise span.error(f"{text!r} draws no card: expected '=' and one of {', '.join(CARDS)}", 1)
        return DRAWING[text[1:]]
    for kind, location in enumerate(setup.locations):
        if location.key == text:
            return USE + kind
    try:
        return named(text)
    except ValueError:
        known = ", ".join(location.key for location in setup.locations)
        raise span.error(f"{text!r} is no action: expected a hex such as k7, '.', '=C' or one of {known}") from None


def join_moves(start: State, actions: Iterable[Action]) -> list[str]:
    """The texts of a sequence of actions, the steps of each extra action joined to one move."""
    state = start.copy()
    moves: list[str] = []
    in_progress = False
    for action in actions:
        text = action_text(state.setup, action)
        if in_progress and action not in DRAWN:
            joint = "-" if state.source is not None else "," if ":" in moves[-1] else ":"
            moves[-1] += joint + text
        else:
            moves.append(text)
        state.apply(action)
        in_progress = state.acting is not None and action not in DRAWN
    return moves
