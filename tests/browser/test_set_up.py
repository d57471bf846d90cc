"""Setting up a game: boxes, sections, cards, house rulings, seed and seats."""

import re

from playwright.sync_api import Route, expect

from browser.users import Browsers, BrowserUser


def preview(user: BrowserUser) -> str:
    """The four sections of the board in the preview, once it has come."""
    expect(user.find("preview")).not_to_have_class(re.compile("busy"))
    label = user.find("preview").get_by_role("img").get_attribute("aria-label") or ""
    return label.partition(": ")[2]


def shows(user: BrowserUser, board: str) -> None:
    expect(user.find("preview").get_by_role("img")).to_have_attribute("aria-label", re.compile(re.escape(board)))


def sections(user: BrowserUser) -> list[str]:
    return [user.find(f"slot-{place}").input_value() for place in range(4)]


def holds(user: BrowserUser, wanted: list[str]) -> None:
    for place, section in enumerate(wanted):
        expect(user.find(f"slot-{place}")).to_have_value(section)


def test_sections_are_chosen_swapped_and_turned(visit: Browsers) -> None:
    user = visit().open("/new")
    user.press("board-hand")
    expect(user.find("slot-3")).to_be_visible()
    before = sections(user)
    expect(user.find("preview").get_by_role("img")).to_have_attribute("aria-label", re.compile("'?/".join(before)))

    quarters = user.page.locator("button.quarter")
    quarters.nth(0).click()
    expect(quarters.nth(0)).to_have_attribute("aria-pressed", "true")
    quarters.nth(3).click()
    after = [before[3], before[1], before[2], before[0]]
    holds(user, after)
    quarters.nth(1).drag_to(quarters.nth(2))
    holds(user, [after[0], after[2], after[1], after[3]])

    was_turned = user.find("turn-0").get_attribute("aria-pressed") == "true"
    map_before = user.find("preview").locator("svg").inner_html()
    user.press("turn-0")
    shows(user, after[0] + ("/" if was_turned else "'/"))
    assert user.find("preview").locator("svg").inner_html() != map_before

    other = next(key for key in ("tower", "oracle", "harbor", "barn", "farm") if key not in after)
    user.find("slot-2").select_option(other)
    shows(user, f"/{other}")
    wanted = preview(user)
    drawn = user.find("preview").locator("svg").inner_html()
    user.press("start-game")
    user.await_turn()
    assert drawn.replace("<!---->", "") == user.map().replace("<!---->", "")
    assert wanted.count("/") == 3


def test_by_hand_is_ready_even_if_the_first_preview_comes_late(visit: Browsers) -> None:
    user = visit()
    held: list[Route] = []
    user.page.route("**/api/previews*", lambda route: held.append(route))
    user.open("/new")
    user.press("board-hand")
    expect(user.find("board-hand")).to_have_attribute("aria-pressed", "true")
    assert held
    while held:
        held.pop().continue_()
    user.page.unroute("**/api/previews*")
    expect(user.find("slot-3")).to_be_visible()
    shows(user, sections(user)[0])


def test_switching_the_board_keeps_the_cards(visit: Browsers) -> None:
    user = visit().open("/new")
    cards = user.page.locator("section.cards li")
    expect(cards).to_have_count(3)
    before, board = cards.all_inner_texts(), preview(user)
    user.press("board-hand")
    expect(user.find("slot-3")).to_be_visible()
    with user.page.expect_response("**/api/previews*"):
        user.press("turn-0")
    preview(user)
    assert cards.all_inner_texts() == before
    with user.page.expect_response("**/api/previews*"):
        user.press("board-random")
    shows(user, board)
    assert cards.all_inner_texts() == before


def test_boxes_cards_and_rulings(visit: Browsers) -> None:
    user = visit().open("/new")
    user.press("set-nomads")
    user.press("set-crossroads")
    user.press("pick-cards")
    for _ in range(3):
        user.page.locator("input[type=checkbox][data-testid^=card-]:checked").first.uncheck()
    expect(user.find("start-game")).to_be_disabled()
    expect(user.page.get_by_text("Choose 3 more cards.").first).to_be_visible()
    for key in ("hermits", "miners", "families"):
        user.find(f"card-{key}").check()
    expect(user.find("card-lords")).to_be_disabled()
    expect(user.find("start-game")).to_be_enabled()
    user.page.locator("details.options summary").click()
    user.find("option-lordsNeedPresence").check()
    expect(user.page.get_by_text("1 chosen")).to_be_visible()
    user.press("start-game")
    user.await_turn()
    for key in ("hermits", "miners", "families", "castles"):
        expect(user.find(f"card-{key}")).to_be_visible()
    expect(user.find("card-lords")).to_have_count(0)
    user.press("card-miners")
    expect(user.find("explanation")).to_contain_text("mountain")


def test_a_seed_gives_the_same_game_again(visit: Browsers) -> None:
    maps = []
    for _ in range(2):
        user = visit().open("/new")
        expect(user.find("seed")).not_to_have_value("")
        user.find("seed").fill("4711")
        user.page.keyboard.press("Tab")
        expect(user.find("seed")).to_have_value("4711")
        preview(user)
        user.page.wait_for_timeout(300)
        maps.append((preview(user), user.page.locator("section.cards li").all_inner_texts()))
    assert maps[0] == maps[1]
    before = preview(user)
    user.press("roll")
    expect(user.find("preview").get_by_role("img")).not_to_have_attribute("aria-label", re.compile(re.escape(before)))
    assert user.find("seed").input_value() != "4711"


def test_seats_of_all_kinds(visit: Browsers) -> None:
    user = visit().open("/new")
    for _ in range(3):
        user.press("add-seat")
    expect(user.find("add-seat")).to_be_disabled()
    for place, sitter in enumerate(["me", "here", "friend", "bot:greedy", "bot:random"]):
        user.find(f"sitter-{place}").select_option(sitter)
    user.page.get_by_label("Name at seat 1").fill("Ann")
    user.page.get_by_label("Name at seat 2").fill("Ben")
    user.page.get_by_role("button", name="Colour of seat 1").click()
    user.page.get_by_role("group", name="Colours").get_by_role("button", name="red").click()
    user.press("board-first")
    expect(user.find("start-game")).to_have_text("Make the table")
    user.press("start-game")
    expect(user.find("copy-link-table")).to_be_visible()
    user.page.locator("[data-testid=single-links] > summary").click()
    expect(user.find("copy-link-2")).to_be_visible()
    expect(user.find("copy-link-watch")).to_be_visible()
    assert user.page.get_by_role("img", name="QR code").count() == 3
    user.context.grant_permissions(["clipboard-read", "clipboard-write"])
    user.press("copy-link-2")
    copied = user.page.evaluate("() => navigator.clipboard.readText()")
    assert "#/seat/" in copied

    user.press("go-table")
    user.await_turn()
    seats = user.page.locator("li[data-seat]")
    expect(seats).to_have_count(5)
    for place, words in enumerate(["Ann", "Ben", "waiting for somebody", "bot, greedy", "bot, random"]):
        expect(seats.nth(place)).to_contain_text(words)
    sight = user.build_all()
    assert user.pieces()[0].startswith("settlement-5")
    user.do(sight, "end-turn")
    expect(user.page.get_by_role("heading", name="Ben")).to_be_visible()
    assert user.await_turn().glowing, "Ben plays on the same page"


def test_a_game_is_continued_from_the_start_page_or_removed(visit: Browsers) -> None:
    user = visit().open()
    user.press("play-now")
    sight = user.await_turn()
    user.take(sight, sight.glowing[0])
    user.page.get_by_role("link", name="Kingdom Builder").click()
    user.page.locator('[data-testid^="continue-"]').click()
    user.reaches(sight.ply + 1)
    user.open("/")
    user.page.get_by_role("button", name="Remove from this list").click()
    user.page.locator("dialog[open]").get_by_role("button", name="Remove").click()
    expect(user.page.locator('[data-testid^="continue-"]')).to_have_count(0)
