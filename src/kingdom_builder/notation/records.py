"""Games as text (`.kbr`): tags, then numbered turns with the draws written out. `docs/notation.md` specifies it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kingdom_builder.message import Message, quoted, seat_letter
from kingdom_builder.notation.errors import NotationError
from kingdom_builder.notation.moves import join_moves, parse_move, play_span
from kingdom_builder.notation.positions import parse_stored_position, position_of
from kingdom_builder.notation.span import Span
from kingdom_builder.rules import Action, Observation, Setup, State, scores, turn_of

if TYPE_CHECKING:
    from kingdom_builder.game import Game

START, SCORE = "Start", "Score"
"""Tags with a meaning: the position before the first move, and the final gold of the seats."""


@dataclass
class Entry:
    """A move of a record, with its comments and variations."""

    move: str
    comments: list[str] = field(default_factory=list)
    variations: list["Line"] = field(default_factory=list)
    """Other lines of play, each instead of this move."""
    actions: tuple[Action, ...] = field(default=(), repr=False, compare=False)
    """The meaning of the move, once it has been read."""

    def read(self, setup: Setup) -> tuple[Action, ...]:
        """The actions of the move."""
        if not self.actions:
            self.actions = tuple(parse_move(setup, self.move))
        return self.actions

    @property
    def clock(self) -> float | None:
        """Seconds left on the mover's clock, from a comment such as `[%clk 0:05:30]`."""
        for comment in self.comments:
            match = re.search(r"\[%clk (\d+):(\d\d):(\d\d(?:\.\d+)?)\]", comment)
            if match:
                return int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3])
        return None


@dataclass
class Line:
    """A sequence of moves and the comments before the first."""

    comments: list[str] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)


@dataclass
class Record:
    """A game from some position on; `str` is its text."""

    start: State
    tags: dict[str, str] = field(default_factory=dict)
    """All tags but `Start`."""
    line: Line = field(default_factory=Line)

    @classmethod
    def of(cls, start: State, actions: list[Action], tags: dict[str, str] | None = None) -> "Record":
        """The record of these actions; a finished game gets its score as a tag."""
        record = cls(start.copy(), dict(tags or {}), Line(entries=[Entry(move) for move in join_moves(start, actions)]))
        final = start.copy()
        for action in actions:
            final.apply(action)
        if final.over:
            record.tags.setdefault(SCORE, score_text(final))
        return record

    def actions(self) -> list[Action]:
        """The actions of the main line."""
        return [action for entry in self.line.entries for action in entry.read(self.start.setup)]

    def game(self, seed: object = None, *, draws: bool = True) -> "Game":
        """The game of the main line, to look at or to play on; the seed decides further draws.

        Without `draws`, a card that is due at the end of the line is not drawn.
        """
        from kingdom_builder.game import Game  # it is above records and writes them

        return Game(self.start, seed, self.actions(), draws=draws)

    def __str__(self) -> str:
        for key in self.tags:
            if key == START or not re.fullmatch(r"\w+", key):
                raise ValueError(f"tag {key!r}: expected letters, digits or '_', and not {START!r}")
        tags = {START: position_of(self.start), **self.tags}
        lines = [f'[{key} "{_escape(value)}"]' for key, value in tags.items()]
        return "\n".join([*lines, "", _line_text(self.start, self.line), ""])


def score_text(state: State) -> str:
    """The gold of all seats, as the tag `Score` has it."""
    return " ".join(f"{seat_letter(seat)}={gold}" for seat, gold in enumerate(scores(state)))


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _line_text(start: State, line: Line) -> str:
    """The moves with each turn on its own line. Variations may be nested to any depth."""
    out: list[str] = []
    stack = [_pieces(start.copy(), line)]
    while stack:
        piece = next(stack[-1], None)
        if piece is None:
            stack.pop()
            out += [")"] if stack else []
        elif isinstance(piece, str):
            if out and out[-1] != "(":
                out.append("\n" if len(stack) == 1 and piece[0].isdigit() else " ")
            out.append(piece)
        else:
            stack.append(piece)
            out += [" ", "("]
    return "".join(out)


Pieces = Iterator["str | Pieces"]


def _pieces(state: State, line: Line) -> Pieces:
    """Comments, turn numbers and moves as texts, and variations as iterators."""
    number = ""
    yield from map(_comment_text, line.comments)
    for entry in line.entries:
        if number != str(turn_of(state)):
            number = str(turn_of(state))
            yield number
        yield entry.move
        before = state.copy()
        for action in entry.read(state.setup):
            state.apply(action)
        yield from map(_comment_text, entry.comments)
        for variation in entry.variations:
            yield _pieces(before.copy(), variation)


def _comment_text(comment: str) -> str:
    if "}" in comment:
        raise ValueError(f"comment {comment!r} has a '}}': expected none, since that ends a comment")
    return "{" + comment + "}"


# ---- reading ---------------------------------------------------------------------------------------------------------

_TAG = re.compile(r'\s*+\[(\w++)\s++"((?:[^"\\]++|\\.)*+)"\s*+\]')
_TOKEN = re.compile(
    r"(?P<space>\s+)|\{(?P<comment>[^}]*)\}|;(?P<rest>[^\n]*)|(?P<open>\()|(?P<close>\))"
    r"|(?P<number>\d+[A-E]\b)|(?P<move>[^\s(){};\[\]]+)"
)


def parse_record(text: str, most_actions: int | None = None) -> Record:
    """The record in a text, read in linear time; variations included, it may have at most so many actions.

    Raises `NotationError`, or `IllegalMove` for a move that the rules forbid; both point to the place in the text.
    """
    tags, spans, end = _parse_tags(text)
    if START not in tags:
        raise NotationError(Message('no tag [Start "position"]: expected it before the moves'), text, end)
    try:
        start = parse_stored_position(tags.pop(START))
    except NotationError as error:
        raise NotationError(error.message, text, _past_escapes(text, spans[START], error.offset)) from None
    if isinstance(start, Observation):
        message = Message("hidden cards in the start position: expected all cards known")
        raise NotationError(message, text, spans[START])
    return Record(start, tags, _parse_moves(text, end, start, most_actions))


def _parse_tags(text: str) -> tuple[dict[str, str], dict[str, int], int]:
    """The tags, where their values are, and where the moves begin."""
    tags: dict[str, str] = {}
    spans: dict[str, int] = {}
    end = 0
    while match := _TAG.match(text, end):
        if match[1] in tags:
            message = Message("a second tag {tag}: expected each once", tag=quoted(match[1]))
            raise NotationError(message, text, match.start(1))
        tags[match[1]] = re.sub(r"\\(.)", r"\1", match[2])
        spans[match[1]] = match.start(2)
        end = match.end()
    return tags, spans, end


def _past_escapes(text: str, start: int, characters: int) -> int:
    """Where a character of a tag's value is in the text, in which some characters have a backslash before them."""
    for _ in range(characters):
        start += 2 if text[start] == "\\" else 1
    return start


@dataclass
class _Frame:
    """A line being read."""

    line: Line
    state: State
    before: State
    """The state before the last move, where variations begin."""
    opened: int
    """Where the opening bracket of the line is."""


def _parse_moves(text: str, position: int, start: State, most_actions: int | None) -> Line:
    main = Line()
    left = len(text) if most_actions is None else most_actions
    stack = [_Frame(main, start.copy(), start, position)]
    while position < len(text):
        token = _TOKEN.match(text, position)
        if not token:
            raise NotationError(_unreadable(text[position]), text, position)
        frame = stack[-1]
        entries = frame.line.entries
        kind = token.lastgroup
        if kind == "move":
            frame.before = frame.state.copy()
            actions = play_span(frame.state, Span(text, position, token[0]), left)
            left -= len(actions)
            entries.append(Entry(token[0], actions=tuple(actions)))
        elif kind == "number":
            if token[0] != str(turn_of(frame.state)):
                message = Message(
                    "turn {turn}: expected {expected}", turn=quoted(token[0]), expected=str(turn_of(frame.state))
                )
                raise NotationError(message, text, position)
        elif kind in ("comment", "rest"):
            comments = entries[-1].comments if entries else frame.line.comments
            comments.append(token[kind].strip().replace("}", ")") if kind == "rest" else token[kind])
        elif kind == "open":
            if not entries:
                message = Message("a variation before the first move: expected a move to vary")
                raise NotationError(message, text, position)
            left -= 1  # otherwise empty ones would cost nothing
            if left < 0:
                message = Message("more variations than there may be: expected a shorter record")
                raise NotationError(message, text, position)
            variation = Line()
            entries[-1].variations.append(variation)
            stack.append(_Frame(variation, frame.before.copy(), frame.before, position))
        elif kind == "close":
            if len(stack) == 1:
                raise NotationError(Message("')' without '(': expected a move"), text, position)
            stack.pop()
        position = token.end()
    if len(stack) > 1:
        message = Message("the variation is not closed: expected ')' before the end")
        raise NotationError(message, text, stack[-1].opened)
    return main


def _unreadable(character: str) -> Message:
    if character == "{":
        return Message("the comment is not closed: expected {brace} before the end", brace=quoted("}"))
    return Message(
        "{text} here: expected a move, a turn number such as 3A, a comment or a variation", text=quoted(character)
    )
