"""Without a mouse: by keys alone, and by typed moves alone."""

import re

import pytest
from playwright.sync_api import expect

from browser.guests import Guest, Inn
from browser.positions import first_uses, near_the_end


@pytest.fixture
def player(visit: Inn) -> Guest:
    """Somebody shortly before the end of a game against a bot."""
    guest = visit()
    made = guest.server.make_table(("person", "greedy"), position=near_the_end(supply=3).position)
    return guest.sit(made["seats"][0])


def tab_to(guest: Guest, testid: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(60):
        if guest.page.evaluate("() => document.activeElement?.dataset.testid") == testid:
            return
        guest.page.keyboard.press("Tab")
    raise AssertionError(f"{testid} cannot be reached")


def cursor(guest: Guest) -> str:
    described = guest.find("board").get_attribute("aria-activedescendant") or ""
    return described.rpartition("-")[2]


def walk(guest: Guest, goal: str) -> None:
    """Go to a hex by arrow keys."""
    at = cursor(guest)
    down, right = int(goal[1:]) - int(at[1:]), ord(goal[0]) - ord(at[0])
    for _ in range(abs(down)):
        guest.page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
    for _ in range(abs(right)):
        guest.page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
    assert cursor(guest) == goal


def test_from_the_start_page_to_the_first_settlement(visit: Inn) -> None:
    guest = visit().open()
    tab_to(guest, "play-now")
    guest.page.keyboard.press("Enter")
    sight = guest.await_turn()
    tab_to(guest, "board")
    expect(guest.find("status")).to_contain_text(cursor(guest))
    walk(guest, sight.glowing[0])
    expect(guest.find("status")).to_contain_text("you can choose it")
    guest.page.keyboard.press("Enter")
    guest.moved_from(sight.ply)
    assert len(guest.pieces()) == 1
    expect(guest.find("spoken")).to_contain_text("builds on")
    guest.page.keyboard.press("Control+z")
    guest.reaches(sight.ply)


def test_the_rest_of_a_game_by_keys(player: Guest) -> None:
    sight = player.look()
    tab_to(player, "board")
    while not sight.over:
        if not sight.my_turn:
            sight = player.await_turn()
        elif sight.glowing:
            player.page.keyboard.press("PageDown")
            assert cursor(player) in sight.glowing
            player.page.keyboard.press("Enter")
            player.moved_from(sight.ply)
            sight = player.look()
        else:
            player.page.keyboard.press("e")
            player.moved_from(sight.ply)
            sight = player.look()
    expect(player.find("final")).to_be_visible()


def test_a_tile_by_its_number(visit: Inn) -> None:
    guest = visit()
    moment = first_uses()["paddock"]
    made = guest.server.make_table(["person"] * moment.players, position=moment.position)
    guest.sit(made["seats"][moment.player])
    before = guest.look()
    keys = guest.page.evaluate("""() => [...document.querySelectorAll('[data-testid^="tile-"]')]
        .map((each) => each.dataset.testid.slice(5))""")
    number = str(keys.index("paddock") + 1)
    guest.page.keyboard.press(number)
    guest.moved_from(before.ply)
    assert guest.look().acting
    guest.page.keyboard.press("Escape")
    guest.reaches(before.ply)
    guest.page.keyboard.press(number)
    guest.reaches(before.ply + 1)
    tab_to(guest, "board")
    for _ in range(2):
        sight = guest.look()
        guest.page.keyboard.press("PageUp")
        guest.page.keyboard.press("Enter")
        guest.moved_from(sight.ply)
    assert not guest.look().acting
    guest.page.keyboard.press("Control+z")
    guest.moved_from(before.ply + 3)
    assert guest.look().acting


def test_an_illegal_hex_is_explained_to_the_keyboard_too(player: Guest) -> None:
    sight = player.look()
    tab_to(player, "board")
    if cursor(player) in sight.glowing:
        player.page.keyboard.press("Home")
    player.page.keyboard.press("Enter")
    expect(player.find("status")).to_have_class(re.compile("refusal"))
    assert player.look() == sight


def test_the_rest_of_a_game_by_typed_moves(player: Guest) -> None:
    sight = player.look()
    player.page.keyboard.press("/")
    expect(player.find("move-input")).to_be_focused()
    player.page.keyboard.type("z99")
    player.page.keyboard.press("Enter")
    expect(player.page.get_by_text("For example:")).to_be_visible()
    assert player.look() == sight
    player.find("move-input").fill("")
    while not sight.over:
        if not sight.my_turn:
            sight = player.await_turn()
            continue
        move = sight.glowing[0] if sight.glowing else "."
        player.find("move-input").focus()
        player.page.keyboard.type(move)
        player.page.keyboard.press("Enter")
        player.moved_from(sight.ply)
        sight = player.look()
    expect(player.find("final")).to_be_visible()
