"""Without a mouse: by keys alone, and by typed moves alone."""

import pytest
from playwright.sync_api import expect

from browser.positions import first_uses, near_the_end
from browser.users import Browsers, BrowserUser


@pytest.fixture
def player(visit: Browsers) -> BrowserUser:
    """Somebody shortly before the end of a game against a bot."""
    user = visit()
    made = user.server.make_table(("person", "greedy"), position=near_the_end(supply=3).position)
    return user.sit(made["seats"][0])


def tab_to(user: BrowserUser, testid: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(60):
        if user.page.evaluate("() => document.activeElement?.dataset.testid") == testid:
            return
        user.page.keyboard.press("Tab")
    raise AssertionError(f"{testid} cannot be reached")


def cursor(user: BrowserUser) -> str:
    described = user.find("board").get_attribute("aria-activedescendant") or ""
    return described.rpartition("-")[2]


def walk(user: BrowserUser, goal: str) -> None:
    """Go to a hex by arrow keys."""
    at = cursor(user)
    down, right = int(goal[1:]) - int(at[1:]), ord(goal[0]) - ord(at[0])
    for _ in range(abs(down)):
        user.page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
    for _ in range(abs(right)):
        user.page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
    assert cursor(user) == goal


def test_from_the_start_page_to_the_first_settlement(visit: Browsers) -> None:
    user = visit().open()
    tab_to(user, "play-now")
    user.page.keyboard.press("Enter")
    sight = user.await_turn()
    tab_to(user, "board")
    expect(user.find("status")).to_contain_text(cursor(user))
    walk(user, sight.glowing[0])
    expect(user.find("status")).to_contain_text("you can choose it")
    user.page.keyboard.press("Enter")
    user.moved_from(sight.ply)
    assert len(user.pieces()) == 1
    expect(user.find("spoken")).to_contain_text("builds on")
    user.page.keyboard.press("Control+z")
    user.reaches(sight.ply)


def test_the_rest_of_a_game_by_keys(player: BrowserUser) -> None:
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


def test_a_tile_by_its_number(visit: Browsers) -> None:
    user = visit()
    moment = first_uses()["paddock"]
    made = user.server.make_table(["person"] * moment.players, position=moment.position)
    user.sit(made["seats"][moment.player])
    before = user.look()
    keys = user.page.evaluate("""() => [...document.querySelectorAll('[data-testid^="tile-"]')]
        .map((each) => each.dataset.testid.slice(5))""")
    number = str(keys.index("paddock") + 1)
    user.page.keyboard.press(number)
    user.moved_from(before.ply)
    assert user.look().acting
    user.page.keyboard.press("Escape")
    user.reaches(before.ply)
    user.page.keyboard.press(number)
    user.reaches(before.ply + 1)
    tab_to(user, "board")
    for _ in range(2):
        sight = user.look()
        user.page.keyboard.press("PageUp")
        user.page.keyboard.press("Enter")
        user.moved_from(sight.ply)
    assert not user.look().acting
    user.page.keyboard.press("Control+z")
    user.moved_from(before.ply + 3)
    assert user.look().acting


def test_an_illegal_hex_is_explained_to_the_keyboard_too(player: BrowserUser) -> None:
    sight = player.look()
    tab_to(player, "board")
    if cursor(player) in sight.glowing:
        player.page.keyboard.press("Home")
    player.page.keyboard.press("Enter")
    expect(player.page.locator("[data-testid=refusal], [data-testid=explanation]")).to_be_visible()
    assert player.look() == sight


def test_the_rest_of_a_game_by_typed_moves(player: BrowserUser) -> None:
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
