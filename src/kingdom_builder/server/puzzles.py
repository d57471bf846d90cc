"""Puzzles for the page: each answer follows from the key of a puzzle and the moves so far, so nothing is kept.

The functions that return bytes are work for other processes, as in desk.py.
"""

import gzip
from functools import cache

import msgspec

from kingdom_builder.game import Game
from kingdom_builder.message import Message, Refusal
from kingdom_builder.notation import NotationError, position_of
from kingdom_builder.players.puzzles import Puzzle, difficulty_of, gold_of, has_ended, puzzles
from kingdom_builder.rules import EVERYTHING
from kingdom_builder.server.messages import (
    PuzzleAnswer,
    PuzzleAttempt,
    PuzzleInfo,
    PuzzleView,
    Reasoned,
)
from kingdom_builder.server.sentences import sent, sent_sentence
from kingdom_builder.server.views import log_line, own_view, setup_view, view_of


@cache
def encoded_list() -> bytes:
    """All puzzles, easiest first, as a list of PuzzleInfo in JSON, zipped."""
    return gzip.compress(msgspec.json.encode([_info(key) for key in puzzles()]), mtime=0)


def puzzle(key: str) -> bytes:
    """A puzzle to solve, as a PuzzleView in JSON."""
    found = _find(key)
    start = found.start()
    number = list(puzzles()).index(key) + 1
    view = PuzzleView(_info(key), number, setup_view(start), _attempt(found, []))
    return msgspec.json.encode(view)


def attempt(key: str, moves: list[str]) -> bytes:
    """The position of a puzzle after some moves, as a PuzzleAttempt in JSON. Raises Refusal."""
    return msgspec.json.encode(_attempt(_find(key), moves))


def why(key: str, moves: list[str], move: str) -> bytes:
    """Why a move is not legal after some moves, as a Reasoned in JSON. Raises Refusal."""
    game, _ = _played(_find(key), moves)
    reason = game.why_not(move)
    return msgspec.json.encode(Reasoned(None if reason is None else sent_sentence(reason)))


def answer(key: str) -> bytes:
    """The best turn, as a PuzzleAnswer in JSON."""
    found = _find(key)
    reasons = [sent(reason) for reason in found.reasons()]
    return msgspec.json.encode(PuzzleAnswer(list(found.turn), found.gold, found.second, reasons))


def _find(key: str) -> Puzzle:
    if key not in puzzles():
        raise Refusal(Message("There is no such puzzle: choose one from the list."), "unknown-key")
    return puzzles()[key]


@cache
def _infos() -> dict[str, PuzzleInfo]:
    every = puzzles()
    return {
        key: PuzzleInfo(key, difficulty_of(number, len(every)), each.rating, each.players, list(each.sets), each.last)
        for number, (key, each) in enumerate(every.items())
    }


def _info(key: str) -> PuzzleInfo:
    return _infos()[key]


def _played(puzzle: Puzzle, moves: list[str]) -> tuple[Game, int]:
    """The game of an attempt, and the number of actions before the last move. Raises Refusal."""
    start = puzzle.start()
    game = Game(start, draws=False)
    before = 0
    for move in moves:
        before = len(game.plies)
        if has_ended(start, game.state) or game.state.awaiting:
            raise Refusal(Message("The turn of this puzzle is over: take a move back."), "illegal")
        try:
            actions = game.decisions_of(move)
        except NotationError as error:
            raise Refusal(error.message, "illegal") from None
        for action in actions:
            game.apply(action)
    return game, before


def _attempt(puzzle: Puzzle, moves: list[str]) -> PuzzleAttempt:
    game, before = _played(puzzle, moves)
    start, state = game.start, game.state
    seat = start.player
    ended = has_ended(start, state)
    gold = gold_of(state, seat)
    ply = len(game.plies)
    public = view_of(state, ply, EVERYTHING, game.last_placed())
    return PuzzleAttempt(
        view=own_view(public, state, EVERYTHING, acts=not ended, undo=bool(moves)),
        lines=[log_line(game, number, EVERYTHING) for number in range(before, ply)],
        ended=ended,
        solved=ended and gold >= puzzle.gold,
        gold=gold,
        position=position_of(state),
    )
