"""The table at every size: everything can be seen and pressed, and the board stays where it is during a turn."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest
from playwright.sync_api import Browser, expect
from server.client import Client, Server

from browser.axe import THEMES
from browser.positions import Moment, first_tile, full_table
from browser.users import DESKTOP, PHONE, Browsers, BrowserUser, browsers

TOUCHED = ((360, 640), (390, 844), (667, 375), (740, 360), (812, 375), (844, 390), (820, 1180))
POINTED = ((720, 450), (1280, 720), (1440, 900), (1920, 1080), (3840, 2160))
"""Sizes of phones and tablets, and of screens with a mouse; 720 x 450 is 1440 x 900 at 200 %."""

LEAST_HEX = 14
"""Pixels from the left to the right side of a hex."""

LEAST_STATUS = 150
"""Pixels that a line with reasons needs."""

# What is wrong with the controls: out of view without a way to scroll there, cut off, or under something else.
TROUBLE = """() => {
    const scrolls = (style) => /auto|scroll/.test(style);
    const box = (each) => {
        const { left, top, right, bottom } = each.getBoundingClientRect();
        return { left, top, right, bottom };
    };
    const trouble = [];
    for (const axis of ["Width", "Height"]) {
        const over = document.scrollingElement[`scroll${axis}`] - window[`inner${axis}`];
        if (over > 0) trouble.push(`the page is too large by ${over} in ${axis}`);
    }
    const controls = [...document.querySelectorAll("button, a, input, select, summary, [role=tab], [tabindex='0']")];
    for (const control of controls) {
        if (!control.checkVisibility({ visibilityProperty: true }) || control.closest(".sr-only, [popover]")) continue;
        const name = control.dataset.testid ?? control.getAttribute("aria-label") ?? control.textContent.trim();
        const seen = box(control);
        if (seen.right - seen.left < 2) continue;
        let hidden = false;
        const clip = (frame, style) => {
            const axes = [["left", "right", style.overflowX], ["top", "bottom", style.overflowY]];
            for (const [low, high, overflow] of axes) {
                if (overflow === "visible") continue;
                const isOut = seen[low] < frame[low] - 1 || seen[high] > frame[high] + 1;
                if (isOut && !scrolls(overflow)) trouble.push(`${name} is cut off`);
                if (isOut && scrolls(overflow)) hidden = true;
                seen[low] = Math.max(seen[low], frame[low]);
                seen[high] = Math.min(seen[high], frame[high]);
            }
        };
        for (let each = control.parentElement; each !== document.body; each = each.parentElement) {
            clip(box(each), getComputedStyle(each));
        }
        const page = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
        clip(page, { overflowX: "hidden", overflowY: "hidden" });
        if (hidden) continue;
        const top = document.elementFromPoint((seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2);
        if (!top || (!control.contains(top) && !top.contains(control) && !top.closest("label")?.contains(control))) {
            trouble.push(`${name} is under ${top?.outerHTML.slice(0, 80)}`);
        }
    }
    return trouble;
}"""

# The tiles whose name is cut into pieces or sticks out, and how far they can be scrolled sideways.
TILES = """() => {
    const list = document.querySelector(".turn .tiles");
    const isCut = (name) => [...name.textContent.matchAll(/[^\\s-]+/g)].some(({ index, 0: word }) => {
        const range = document.createRange();
        range.setStart(name.firstChild, index);
        range.setEnd(name.firstChild, index + word.length);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    });
    const isOut = (name) =>
        name.getBoundingClientRect().right > name.closest("button").getBoundingClientRect().right;
    const names = [...list.querySelectorAll(".name:not(.sr-only)")];
    return [names.filter((name) => isCut(name) || isOut(name)).map((name) => name.textContent),
        list.scrollWidth - list.clientWidth];
}"""

LONG_NAMES = (
    "GGGGGGGGGG/G1DDTGGGG2/GGGDTWGGGG/F3FDTTGGG4/FFFDDTGGGG"
    "(foresters-lodge,scout-cabin,water-mill,lighthouse) - - 0000 C5D4F5G5T4 - 4A/D/3/- "
    "38:c3,d4:b2,j2,b4,j4:D 38:c5,e5::T"
)
"""A seat with four tiles whose names are long in German."""

# Where the board and its first and last hex are on the screen.
BOARD = """() => {
    const board = document.querySelector('[data-testid="board"]');
    const { left, top, width, height } = board.getBoundingClientRect();
    const plane = board.querySelector("svg").getScreenCTM();
    return [left, top, width, height, plane.a, plane.d, plane.e, plane.f].map((each) => Math.round(each * 100) / 100);
}"""

SCROLL_AWAY = """() => {
    for (const each of document.querySelectorAll(".rail, .rail *")) each.scrollTop = each.scrollHeight;
}"""

# What of the turn cannot be seen.
UNSEEN = """() => ['.turn h2', '.turn [data-testid="step"]', '.turn [data-testid="end-turn"]'].filter((which) => {
    const each = document.querySelector(which);
    if (!each?.checkVisibility()) return true;
    const { left, top, right, bottom } = each.getBoundingClientRect();
    const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !inside || !(each.contains(at) || at?.contains(each));
})"""

CONTRAST = """(each) => {
    const style = getComputedStyle(each);
    const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const light = (colour) => {
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const [a, b] = [light(style.color), light(style.backgroundColor)];
    return Math.max(a, b) / Math.min(a, b);
}"""


@dataclass
class People:
    """Somebody with a phone and somebody with a mouse, who go from table to table."""

    phone: BrowserUser
    desk: BrowserUser


@pytest.fixture(scope="module")
def people(browser: Browser, server: Server) -> Iterator[People]:
    with browsers(browser, server) as house:
        yield People(house.phone(), house())


def at_table(user: BrowserUser, moment: Moment, size: tuple[int, int]) -> BrowserUser:
    user.page.set_viewport_size({"width": size[0], "height": size[1]})
    made = user.server.make_table(("person", *["greedy"] * (moment.players - 1)), position=moment.position)
    user.own(made, 0)
    user.await_turn()
    return user


def people_at(visit: Browsers, phone: bool = False) -> tuple[BrowserUser, Client]:
    """Somebody at a table, and the other player's connection."""
    user = visit.phone() if phone else visit()
    made = user.server.make_table(("person", "person"), board="first")
    user.own(made, 0)
    return user, Client(user.server, made["seats"][1])


@pytest.mark.parametrize("moment", [first_tile(), full_table()], ids=["two", "five"])
@pytest.mark.parametrize("size", [*TOUCHED, *POINTED], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_turn_at_this_size(people: People, size: tuple[int, int], moment: Moment) -> None:
    user = at_table(people.phone if size in TOUCHED else people.desk, moment, size)
    assert user.page.evaluate(TROUBLE) == []
    assert user.page.evaluate(UNSEEN) == []
    board = user.page.evaluate(BOARD)
    assert 42 * board[4] >= LEAST_HEX
    status = user.find("status").bounding_box()
    assert status
    assert status["width"] >= LEAST_STATUS

    def check() -> None:
        assert user.page.evaluate(BOARD) == board
        assert user.page.evaluate(TROUBLE) == []

    sight = user.look()
    user.point(next(name for name in ("a1", "b1", "c1", "d1") if name not in sight.glowing))
    answer = user.page.locator("[data-testid=refusal], [data-testid=explanation]")
    expect(answer).to_be_visible()
    assert user.page.evaluate(BOARD) == board
    user.page.keyboard.press("Escape")
    expect(answer).to_have_count(0)
    check()
    sight = user.take(sight, moment.move)
    check()
    rng = Random(1)
    while not sight.can_end:
        sight = user.act(sight, rng)
        check()
    if user.find("sheet").is_visible():
        user.press("sheet")
        # The sheet may lie over the board.
        assert [each for each in user.page.evaluate(TROUBLE) if not each.startswith("board")] == []
    user.page.evaluate(SCROLL_AWAY)
    user.page.keyboard.press("e")
    user.moved_from(sight.ply)
    user.await_turn()
    user.settle()
    assert user.page.evaluate(UNSEEN) == []
    assert user.page.evaluate(BOARD) == board


def test_the_replay_at_each_size(people: People) -> None:
    for user, sizes in ((people.phone, TOUCHED), (people.desk, POINTED)):
        made = user.server.make_table(["person"] * 5, position=full_table().position)
        user.own(made, 0)
        user.open(f"/replay/table/{made['id']}/0")
        user.find("replay-moment").wait_for()
        for width, height in sizes:
            user.page.set_viewport_size({"width": width, "height": height})
            user.settle()
            assert user.page.evaluate(TROUBLE) == [], (width, height)
            assert 42 * user.page.evaluate(BOARD)[4] >= LEAST_HEX, (width, height)


@pytest.mark.parametrize("size", [(390, 844), (667, 375)], ids=["tall", "low"])
def test_what_tiles_do_is_told_on_demand(people: People, size: tuple[int, int]) -> None:
    user = at_table(people.phone, full_table(), size)
    board = user.page.evaluate(BOARD)
    tile = user.page.locator('.turn [data-testid^="tile-"]').first
    text = tile.locator(".text")
    assert tile.locator(".name").is_visible()
    assert text.evaluate("(each) => each.getBoundingClientRect().width") <= 1
    user.press("explain-tiles")
    expect(user.find("explain-tiles")).to_have_attribute("aria-pressed", "true")
    text.scroll_into_view_if_needed()
    assert text.evaluate("(each) => each.getBoundingClientRect().width") > 100
    assert user.page.evaluate(TROUBLE) == []
    assert user.page.evaluate(BOARD) == board
    user.press("explain-tiles")
    assert text.evaluate("(each) => each.getBoundingClientRect().width") <= 1


def test_the_names_of_tiles_are_whole_and_tiles_do_not_scroll_sideways(visit: Browsers) -> None:
    desks = (*POINTED, (1366, 768))
    for user, sizes in ((visit.phone(locale="de-DE"), TOUCHED), (visit(locale="de-DE"), desks)):
        made = user.server.make_table(("person", "person"), position=LONG_NAMES)
        user.own(made, 0)
        user.await_turn()
        expect(user.find("tile-water-mill")).to_contain_text("Wassermühle")
        for width, height in sizes:
            user.page.set_viewport_size({"width": width, "height": height})
            user.settle()
            assert user.page.evaluate(TILES) == [[], 0], (width, height)
            assert user.page.evaluate(TROUBLE) == [], (width, height)


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_unread_chat_is_counted_until_it_is_seen(visit: Browsers, phone: bool) -> None:
    user, other = people_at(visit, phone)
    if not phone:
        user.page.set_viewport_size({"width": 844, "height": 390})
    with other:
        for words in ("hello", "are you there?"):
            other.do("say", text=words)
    badge = user.find("unread")
    expect(badge).to_have_text("2")
    expect(badge).to_be_in_viewport()
    user.press("sheet" if phone else "unread")
    if phone:
        user.press("chat-tab")
    expect(user.page.get_by_text("are you there?")).to_be_in_viewport()
    expect(badge).to_have_count(0)


def test_a_turn_that_begins_is_said_and_shown(visit: Browsers) -> None:
    user, other = people_at(visit, phone=True)
    user.build_all()
    user.press("end-turn")
    user.press("sheet")
    with other:
        while other.view["player"] == 1:
            other.play(other.view["legal"][0])
    user.await_turn()
    expect(user.find("spoken")).to_contain_text("Your turn")
    expect(user.page.get_by_role("heading", name="Your turn")).to_be_in_viewport()
    expect(user.find("sheet")).to_have_attribute("aria-expanded", "false")


def test_a_turn_that_begins_does_not_interrupt_somebody_who_writes(visit: Browsers) -> None:
    user, other = people_at(visit, phone=True)
    user.build_all()
    user.press("end-turn")
    user.press("sheet")
    user.press("chat-tab")
    user.find("chat-input").fill("wait")
    with other:
        while other.view["player"] == 1:
            other.play(other.view["legal"][0])
    user.await_turn()
    expect(user.find("chat-input")).to_be_focused()
    expect(user.find("sheet")).to_contain_text("Your turn")


def test_end_turn_can_be_read_under_a_resting_pointer(visit: Browsers) -> None:
    user = visit()
    user.own(user.server.make_table(("person", "person"), board="first"), 0)
    end = user.find("end-turn")

    def check() -> None:
        end.hover()
        for theme in THEMES:
            user.page.emulate_media(color_scheme=theme)
            user.page.wait_for_timeout(300)
            assert end.evaluate(CONTRAST) >= 4.5

    expect(end).to_have_attribute("aria-disabled", "true")
    check()
    user.build_all()
    check()


def test_one_tab_reaches_the_board(visit: Browsers) -> None:
    user, _ = people_at(visit)
    user.page.reload()
    user.find("board").wait_for()
    user.page.keyboard.press("Tab")
    expect(user.find("board")).to_be_focused()


@pytest.mark.parametrize("size", [DESKTOP, {"width": 1280, "height": 720}, PHONE], ids=str)
def test_cards_keep_their_icons_with_five_players(visit: Browsers, size: dict[str, int]) -> None:
    user = visit(viewport=size)
    user.own(user.server.make_table(["person"] * 5, position=full_table().position), 0)
    if user.find("sheet").is_visible():
        user.press("sheet")
    icons = user.page.locator(".scores .seal svg")
    widths = icons.evaluate_all("(all) => all.map((each) => each.getBoundingClientRect().width)")
    assert len(widths) >= 7
    assert min(widths) >= 16
