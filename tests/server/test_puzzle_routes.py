"""Puzzles over HTTP: what a page gets, and what no page can do with it."""

import json
from random import Random
from typing import Any

import pytest

from kingdom_builder.notation import action_text, parse_move
from kingdom_builder.players import random_action
from kingdom_builder.players.puzzles import Puzzle, gold_of, has_ended, puzzles
from kingdom_builder.server import puzzles as desk
from kingdom_builder.server.messages import MOST_OF_ATTEMPT, MOST_OF_MOVE
from server.client import Server

Json = dict[str, Any]
SOME = list(puzzles().values())[::30]


def single_moves(puzzle: Puzzle) -> list[str]:
    """The answer as a page plays it: action by action."""
    start = puzzle.start()
    return [action_text(start.setup, action) for move in puzzle.turn for action in parse_move(start.setup, move)]


@pytest.mark.parametrize("puzzle", SOME, ids=lambda puzzle: puzzle.key)
def test_the_answer_solves_it_move_by_move(puzzle: Puzzle) -> None:
    view = json.loads(desk.puzzle(puzzle.key))
    assert view["info"]["rating"] == puzzle.rating
    seat = view["attempt"]["view"]["player"]
    moves: list[str] = []
    for move in single_moves(puzzle):
        before = json.loads(desk.attempt(puzzle.key, moves))
        assert not before["ended"]
        assert move in before["view"]["legal"]
        assert json.loads(desk.why(puzzle.key, moves, move)) == {"reason": None}
        moves.append(move)
    after = json.loads(desk.attempt(puzzle.key, moves))
    assert (after["ended"], after["solved"], after["gold"]) == (True, True, puzzle.gold)
    assert after["gold"] == sum(after["view"]["gold"][seat])
    assert after["view"]["legal"] == []
    answer = json.loads(desk.answer(puzzle.key))
    assert (answer["turn"], answer["gold"], answer["second"]) == (list(puzzle.turn), puzzle.gold, puzzle.second)


@pytest.mark.parametrize("puzzle", SOME, ids=lambda puzzle: puzzle.key)
def test_any_other_turn_solves_it_only_with_as_much_gold(puzzle: Puzzle) -> None:
    rng = Random(puzzle.key)
    for _ in range(5):
        start = puzzle.start()
        state = start.copy()
        moves: list[str] = []
        while not has_ended(start, state) and not state.awaiting:
            action = random_action(state, rng.random)
            moves.append(action_text(state.setup, action))
            state.apply(action)
        after = json.loads(desk.attempt(puzzle.key, moves))
        assert after["ended"]
        assert after["gold"] == gold_of(state, start.player)
        assert after["solved"] is (after["gold"] >= puzzle.gold)


def test_no_hidden_card_is_shown() -> None:
    for puzzle in SOME:
        view = json.loads(desk.puzzle(puzzle.key))["attempt"]["view"]
        assert all(set(hand) <= {"?"} for seat, hand in enumerate(view["hands"]) if seat != view["player"])


def test_over_the_wire(server: Server) -> None:
    with server.http() as http:
        tables = http.get("/api/health").json()["tables"]
        listed = http.get("/api/puzzles").json()
        assert [each["key"] for each in listed] == list(puzzles())
        assert [each["difficulty"] for each in listed] == sorted(
            (each["difficulty"] for each in listed), key=("easy", "medium", "hard").index
        )
        key = listed[0]["key"]
        assert http.get(f"/api/puzzles/{key}").json()["number"] == 1
        assert http.post(f"/api/puzzles/{key}", json={"moves": []}).json()["solved"] is False
        for path in ("zzz", "zzz/answer", "x" * 20):
            answer = http.get(f"/api/puzzles/{path}")
            assert (answer.status_code, answer.json()["code"]) == (404, "unknown-key")
        wrong: list[Json] = [
            {"moves": ["."]},
            {"moves": ["=C"]},
            {"moves": ["nonsense"]},
            {"moves": ["a1"] * (MOST_OF_ATTEMPT + 1)},
            {"moves": ["a" * (MOST_OF_MOVE + 1)]},
            {"moves": "a1"},
            {"moves": [1]},
            {},
        ]
        for body in wrong:
            answer = http.post(f"/api/puzzles/{key}", json=body)
            assert answer.status_code in (400, 422), body
            assert answer.json()["message"]["text"]
        solution = single_moves(puzzles()[key])
        answer = http.post(f"/api/puzzles/{key}", json={"moves": [*solution, "."]})
        assert answer.json()["message"]["text"] == "The turn of this puzzle is over: take a move back."
        answer = http.post(f"/api/puzzles/{key}/why", json={"moves": [], "move": "."})
        assert answer.json()["reason"] is not None
        assert http.get("/api/health").json()["tables"] == tables
