"""On a phone, by touch, and on a very large screen."""

from math import dist
from random import Random

from playwright.sync_api import expect

from browser.positions import near_the_end
from browser.users import FOUR_K, OVERFLOW, Browsers, BrowserUser

OVERLAPS = """() => {
    const items = [...document.querySelectorAll(".bar a, .bar button")].filter((each) => each.checkVisibility());
    const boxes = items.map((each) => each.getBoundingClientRect());
    return boxes.flatMap((one, i) => boxes.slice(i + 1).filter(
        (other) => one.left < other.right - 1 && other.left < one.right - 1
            && one.top < other.bottom - 1 && other.top < one.bottom - 1,
    )).length + boxes.filter(({ left, right }) => left < 0 || right > innerWidth).length;
}"""

SMALL_TARGETS = """() => [...document.querySelectorAll("button, a, input, select, summary, [role=tab]")]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".sr-only, p, li > a"))
    .map((each) => [each, (each.closest("label") ?? each).getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 1 && Math.min(width, height) < 24)
    .map(([each]) => each.outerHTML.slice(0, 120))"""


def at_table(user: BrowserUser, players: int = 2) -> BrowserUser:
    return user.own(user.server.make_table(("person", *["greedy"] * (players - 1)), board="first"), 0)


def test_a_phone_plays_by_touch(visit: Browsers) -> None:
    user = visit.phone(reduced_motion="no-preference")
    user.open()
    user.press("play-now")
    rng = Random(1)
    for _ in range(3):
        user.play_turn(rng)
        user.await_turn()
        assert user.page.evaluate(OVERFLOW) <= 0
    board = user.find("board").bounding_box()
    assert board
    assert board["width"] >= 380
    expect(user.find("log")).to_be_hidden()
    user.press("sheet")
    expect(user.find("log")).to_be_visible()
    expect(user.find("total-0")).to_be_visible()
    assert user.page.evaluate(OVERFLOW) <= 0
    user.press("sheet")
    expect(user.find("log")).to_be_hidden()
    user.play_turn(rng)


def test_a_tap_beside_a_glowing_hex_takes_it(visit: Browsers) -> None:
    user = at_table(visit.phone())
    sight = user.look()
    x, y = user.pixel(sight.glowing[0])
    user.page.touchscreen.tap(x + 7, y)
    user.moved_from(sight.ply)
    assert user.pieces() == [f"settlement-1 {sight.glowing[0]}"]


def test_five_seats_fit_on_a_phone(visit: Browsers) -> None:
    user = at_table(visit.phone(), players=5)
    assert user.page.evaluate(OVERLAPS) == 0
    assert user.page.evaluate(SMALL_TARGETS) == []
    user.press("sheet")
    assert user.page.evaluate(SMALL_TARGETS) == []
    assert user.page.evaluate(OVERFLOW) <= 0


def test_zoom_by_buttons_keys_and_wheel_keeps_hexes_in_place(visit: Browsers) -> None:
    user = at_table(visit())
    board = user.find("board")
    fitted = board.get_attribute("data-scale")
    user.page.get_by_role("button", name="Larger").click()
    expect(board).not_to_have_attribute("data-scale", fitted or "")
    sight = user.look()
    box = board.bounding_box()
    assert box
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    near = min(sight.glowing, key=lambda name: dist(user.pixel(name), middle))
    user.page.mouse.move(*user.pixel(near))
    user.page.mouse.wheel(0, -200)
    user.page.wait_for_timeout(400)
    user.take(sight, near)
    assert user.pieces() == [f"settlement-1 {near}"]
    user.press("fit")
    expect(board).to_have_attribute("data-scale", fitted or "")
    board.focus()
    user.page.keyboard.press("+")
    expect(board).not_to_have_attribute("data-scale", fitted or "")
    user.page.keyboard.press("0")
    expect(board).to_have_attribute("data-scale", fitted or "")


def test_a_very_large_screen_is_used(visit: Browsers) -> None:
    user = visit(viewport=FOUR_K)
    user.own(user.server.make_table(("person", "greedy"), position=near_the_end().position), 0)
    board = user.page.locator('[data-testid="board"] svg').first.bounding_box()
    assert board
    assert board["height"] > 0.85 * FOUR_K["height"]
    assert user.page.evaluate(OVERFLOW) <= 0
    sight = user.look()
    user.take(sight, sight.glowing[0])
    size = user.find("step").evaluate("(each) => parseFloat(getComputedStyle(each).fontSize)")
    assert size >= 20
