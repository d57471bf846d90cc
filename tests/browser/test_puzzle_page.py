"""Puzzles in the browser: solved, failed, given up; by mouse, by finger and by keys alone."""

from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.axe import violations
from browser.test_keyboard import tab_to, walk
from browser.users import DESKTOP, OVERFLOW, PHONE, Browsers, BrowserUser
from kingdom_builder.board.terrain import CARDS
from kingdom_builder.notation import action_text, parse_move
from kingdom_builder.players import random_action
from kingdom_builder.players.puzzles import Puzzle, gold_of, has_ended, puzzles

ALL = list(puzzles().values())
WITH_TILE = next(
    each for each in ALL if each.sets == ("base",) and each.players == 2 and any(":" in move for move in each.turn)
)
"""A puzzle whose answer uses a tile."""

SHOWN = "(moves) => document.querySelector('[data-testid=puzzle]')?.dataset.moves === moves"


def single_moves(puzzle: Puzzle) -> list[str]:
    """The answer, action by action."""
    setup = puzzle.start().setup
    return [action_text(setup, action) for move in puzzle.turn for action in parse_move(setup, move)]


def worse_turn(puzzle: Puzzle) -> list[str]:
    """A turn that brings less."""
    rng = Random(puzzle.key)
    while True:
        start = puzzle.start()
        state = start.copy()
        moves: list[str] = []
        while not has_ended(start, state):
            action = random_action(state, rng.random)
            moves.append(action_text(state.setup, action))
            state.apply(action)
        if gold_of(state, start.player) < puzzle.gold and len(moves) < 8:
            return moves


def opened(visit: Browsers, puzzle: Puzzle, **options: Any) -> BrowserUser:
    user = visit(**options).open(f"/puzzles/{puzzle.key}")
    expect(user.find("board")).to_be_visible()
    user.settle()
    return user


def make(user: BrowserUser, move: str) -> None:
    if move == ".":
        user.press("end-turn")
    elif user.find(f"tile-{move}").count():
        user.press(f"tile-{move}")
    elif move in ("done", "other") or move[1:] in CARDS:
        user.press(f"choice-{move}")
    else:
        user.point(move)


def play(user: BrowserUser, moves: list[str]) -> None:
    for number, move in enumerate(moves, 1):
        make(user, move)
        user.page.wait_for_function(SHOWN, arg=" ".join(moves[:number]))


def marks(user: BrowserUser) -> dict[str, str]:
    kept: dict[str, str] = user.page.evaluate('() => JSON.parse(localStorage.getItem("kb-puzzles") ?? "{}")')
    return kept


@pytest.mark.parametrize("puzzle", [ALL[3], WITH_TILE, ALL[-2]], ids=lambda puzzle: puzzle.key)
def test_whoever_finds_the_turn_has_solved_it(visit: Browsers, puzzle: Puzzle) -> None:
    user = opened(visit, puzzle)
    play(user, single_moves(puzzle))
    expect(user.find("puzzle-result")).to_have_text(f"Solved: {puzzle.gold} gold")
    expect(user.find("puzzle-worth")).to_contain_text(f"{puzzle.gold - puzzle.second} more than the best other result")
    assert marks(user) == {puzzle.key: "solved"}
    user.press("next-puzzle")
    user.page.wait_for_function("(key) => !location.hash.endsWith(key)", arg=puzzle.key)
    expect(user.find("step")).to_be_visible()
    user.open("/puzzles")
    expect(user.find("puzzles-solved")).to_contain_text(f"1 of {len(ALL)}")


def test_whoever_finds_less_may_try_again(visit: Browsers) -> None:
    user = opened(visit, WITH_TILE)
    start = WITH_TILE.start()
    before = gold_of(start, start.player)
    expect(user.find("puzzle-gold")).to_have_text(f"{before} gold, 0 from this turn.")
    moves = worse_turn(WITH_TILE)
    play(user, moves)
    expect(user.find("puzzle-result")).not_to_contain_text("Solved")
    expect(user.find("puzzle-reasons")).to_have_count(0)
    assert marks(user) == {}
    user.press("undo")
    user.page.wait_for_function(SHOWN, arg=" ".join(moves[:-1]))
    user.press("end-turn")
    user.press("again")
    user.page.wait_for_function(SHOWN, arg="")
    play(user, single_moves(WITH_TILE))
    expect(user.find("puzzle-result")).to_contain_text("Solved")


def test_hints_tell_a_bit_and_giving_up_shows_the_answer_on_the_board(visit: Browsers) -> None:
    user = opened(visit, WITH_TILE)
    user.press("puzzle-hint")
    reason = str(WITH_TILE.reasons()[0])
    expect(user.find("puzzle-told")).to_contain_text(reason[1:])
    assert "begins with" not in user.find("puzzle-told").inner_text()
    user.press("puzzle-hint")
    expect(user.find("puzzle-told")).to_contain_text("It begins with")
    expect(user.find("puzzle-hint")).to_be_disabled()
    user.press("give-up")
    expect(user.find("puzzle-result")).to_have_text("The answer")
    expect(user.find("puzzle-worth")).to_contain_text(f"{WITH_TILE.gold} gold")
    expect(user.find("puzzle-reasons")).to_contain_text(reason[1:])
    built = [move for move in WITH_TILE.turn if ":" not in move and move != "."]
    for h in built:
        expect(user.find(f"mark-{h}")).to_be_visible()
    assert marks(user) == {WITH_TILE.key: "shown"}
    assert user.page.locator(".legal .ring").count() == 0


def test_a_hex_that_cannot_be_chosen_says_why(visit: Browsers) -> None:
    user = opened(visit, WITH_TILE)
    user.find("end-turn").click(force=True)
    expect(user.find("complaint")).to_be_visible()
    user.point("a1")
    expect(user.find("status")).to_contain_text("a1")


def test_by_keys_alone(visit: Browsers) -> None:
    user = visit().open("/puzzles")
    expect(user.find("next-puzzle")).to_be_visible()
    tab_to(user, "difficulty-easy")
    user.page.keyboard.press("ArrowRight")
    expect(user.find("difficulty-medium")).to_be_checked()
    user.open(f"/puzzles/{WITH_TILE.key}")
    expect(user.find("step")).to_be_visible()
    tiles = [each.get_attribute("data-testid") for each in user.page.locator('[data-testid^="tile-"]').all()]
    user.page.keyboard.press("h")
    expect(user.find("puzzle-told")).to_be_visible()
    moves = single_moves(WITH_TILE)
    for number, move in enumerate(moves, 1):
        if move == ".":
            user.page.keyboard.press("e")
        elif f"tile-{move}" in tiles:
            user.page.keyboard.press(str(tiles.index(f"tile-{move}") + 1))
        else:
            tab_to(user, "board")
            walk(user, move)
            user.page.keyboard.press("Enter")
        user.page.wait_for_function(SHOWN, arg=" ".join(moves[:number]))
        if number == 1:
            user.page.keyboard.press("Control+z")
            user.page.wait_for_function(SHOWN, arg="")
            user.page.keyboard.press("Tab")
            if f"tile-{move}" in tiles:
                user.page.keyboard.press(str(tiles.index(f"tile-{move}") + 1))
            else:
                tab_to(user, "board")
                user.page.keyboard.press("Enter")
            user.page.wait_for_function(SHOWN, arg=move)
    expect(user.find("puzzle-result")).to_contain_text("Solved")
    assert user.page.evaluate("() => document.activeElement.contains(document.querySelector('#puzzle-result'))")
    tab_to(user, "next-puzzle")
    user.page.keyboard.press("Enter")
    expect(user.find("step")).to_be_visible()


def test_on_a_phone_by_finger_in_another_language(visit: Browsers) -> None:
    user = opened(visit, WITH_TILE, viewport=PHONE, has_touch=True, is_mobile=True, locale="de")
    assert user.page.evaluate(OVERFLOW) <= 0
    play(user, single_moves(WITH_TILE))
    expect(user.find("puzzle-result")).to_have_text(f"Gelöst: {WITH_TILE.gold} Gold")


def test_a_puzzle_that_is_not_there_says_so(visit: Browsers) -> None:
    user = visit()
    user.allow("404")
    user.open("/puzzles/00000000")
    expect(user.page.get_by_role("alert").first).to_contain_text("There is no such puzzle")


def test_axe_finds_nothing(visit: Browsers) -> None:
    user = visit()

    def check(state: str) -> None:
        for size in (PHONE, DESKTOP):
            user.page.set_viewport_size(size)
            assert violations(user) == [], (state, size)
            assert user.page.evaluate(OVERFLOW) <= 0, (state, size)

    user.open("/puzzles")
    expect(user.find("next-puzzle")).to_be_visible()
    check("list")
    user.open(f"/puzzles/{WITH_TILE.key}")
    expect(user.find("step")).to_be_visible()
    check("begin")
    user.press("puzzle-hint")
    expect(user.find("puzzle-told")).to_be_visible()
    check("hint")
    play(user, worse_turn(WITH_TILE))
    expect(user.find("puzzle-result")).to_be_visible()
    check("failed")
    user.press("give-up")
    expect(user.find("puzzle-worth")).to_be_visible()
    check("answer")
    user.open("/daily")
    expect(user.find("daily-play")).to_be_visible()
    check("daily")
