"""On a phone, by touch, and on a very large screen."""

from math import dist
from random import Random

from playwright.sync_api import expect

from browser.guests import FOUR_K, OVERFLOW, Guest, Inn
from browser.positions import near_the_end

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


def at_table(guest: Guest, players: int = 2) -> Guest:
    return guest.own(guest.server.make_table(("person", *["greedy"] * (players - 1)), board="first"), 0)


def test_a_phone_plays_by_touch(visit: Inn) -> None:
    guest = visit.phone(reduced_motion="no-preference")
    guest.open()
    guest.press("play-now")
    rng = Random(1)
    for _ in range(3):
        guest.play_turn(rng)
        guest.await_turn()
        assert guest.page.evaluate(OVERFLOW) <= 0
    board = guest.find("board").bounding_box()
    assert board
    assert board["width"] >= 380
    expect(guest.find("log")).to_be_hidden()
    guest.press("sheet")
    expect(guest.find("log")).to_be_visible()
    expect(guest.find("total-0")).to_be_visible()
    assert guest.page.evaluate(OVERFLOW) <= 0
    guest.press("sheet")
    expect(guest.find("log")).to_be_hidden()
    guest.play_turn(rng)


def test_a_tap_beside_a_glowing_hex_takes_it(visit: Inn) -> None:
    guest = at_table(visit.phone())
    sight = guest.look()
    x, y = guest.pixel(sight.glowing[0])
    guest.page.touchscreen.tap(x + 7, y)
    guest.moved_from(sight.ply)
    assert guest.pieces() == [f"settlement-1 {sight.glowing[0]}"]


def test_five_seats_fit_on_a_phone(visit: Inn) -> None:
    guest = at_table(visit.phone(), players=5)
    assert guest.page.evaluate(OVERLAPS) == 0
    assert guest.page.evaluate(SMALL_TARGETS) == []
    guest.press("sheet")
    assert guest.page.evaluate(SMALL_TARGETS) == []
    assert guest.page.evaluate(OVERFLOW) <= 0


def test_zoom_by_buttons_keys_and_wheel_keeps_hexes_in_place(visit: Inn) -> None:
    guest = at_table(visit())
    board = guest.find("board")
    fitted = board.get_attribute("data-scale")
    guest.page.get_by_role("button", name="Larger").click()
    expect(board).not_to_have_attribute("data-scale", fitted or "")
    sight = guest.look()
    box = board.bounding_box()
    assert box
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    near = min(sight.glowing, key=lambda name: dist(guest.pixel(name), middle))
    guest.page.mouse.move(*guest.pixel(near))
    guest.page.mouse.wheel(0, -200)
    guest.page.wait_for_timeout(400)
    guest.take(sight, near)
    assert guest.pieces() == [f"settlement-1 {near}"]
    guest.press("fit")
    expect(board).to_have_attribute("data-scale", fitted or "")
    board.focus()
    guest.page.keyboard.press("+")
    expect(board).not_to_have_attribute("data-scale", fitted or "")
    guest.page.keyboard.press("0")
    expect(board).to_have_attribute("data-scale", fitted or "")


def test_a_very_large_screen_is_used(visit: Inn) -> None:
    guest = visit(viewport=FOUR_K)
    guest.own(guest.server.make_table(("person", "greedy"), position=near_the_end().position), 0)
    board = guest.page.locator('[data-testid="board"] svg').first.bounding_box()
    assert board
    assert board["height"] > 0.85 * FOUR_K["height"]
    assert guest.page.evaluate(OVERFLOW) <= 0
    sight = guest.look()
    guest.take(sight, sight.glowing[0])
    size = guest.find("step").evaluate("(each) => parseFloat(getComputedStyle(each).fontSize)")
    assert size >= 20
