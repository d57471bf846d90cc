"""Setting up a game: boxes, sections, cards, house rulings, seed and seats."""

import re

from playwright.sync_api import expect

from browser.guests import Guest, Inn


def preview(guest: Guest) -> str:
    """The four sections of the board in the preview, once it has come."""
    expect(guest.find("preview")).not_to_have_class(re.compile("busy"))
    label = guest.find("preview").get_by_role("img").get_attribute("aria-label") or ""
    return label.partition(": ")[2]


def shows(guest: Guest, board: str) -> None:
    expect(guest.find("preview").get_by_role("img")).to_have_attribute("aria-label", re.compile(re.escape(board)))


def sections(guest: Guest) -> list[str]:
    return [guest.find(f"slot-{place}").input_value() for place in range(4)]


def holds(guest: Guest, wanted: list[str]) -> None:
    for place, section in enumerate(wanted):
        expect(guest.find(f"slot-{place}")).to_have_value(section)


def test_sections_are_chosen_swapped_and_turned(visit: Inn) -> None:
    guest = visit().open("/new")
    guest.press("board-hand")
    expect(guest.find("slot-3")).to_be_visible()
    before = sections(guest)
    expect(guest.find("preview").get_by_role("img")).to_have_attribute("aria-label", re.compile("'?/".join(before)))

    quarters = guest.page.locator("button.quarter")
    quarters.nth(0).click()
    expect(quarters.nth(0)).to_have_attribute("aria-pressed", "true")
    quarters.nth(3).click()
    after = [before[3], before[1], before[2], before[0]]
    holds(guest, after)
    quarters.nth(1).drag_to(quarters.nth(2))
    holds(guest, [after[0], after[2], after[1], after[3]])

    was_turned = guest.find("turn-0").get_attribute("aria-pressed") == "true"
    map_before = guest.find("preview").locator("svg").inner_html()
    guest.press("turn-0")
    shows(guest, after[0] + ("/" if was_turned else "'/"))
    assert guest.find("preview").locator("svg").inner_html() != map_before

    other = next(key for key in ("tower", "oracle", "harbor", "barn", "farm") if key not in after)
    guest.find("slot-2").select_option(other)
    shows(guest, f"/{other}")
    wanted = preview(guest)
    drawn = guest.find("preview").locator("svg").inner_html()
    guest.press("start-game")
    guest.await_turn()
    assert drawn.replace("<!---->", "") == guest.map().replace("<!---->", "")
    assert wanted.count("/") == 3


def test_boxes_cards_and_rulings(visit: Inn) -> None:
    guest = visit().open("/new")
    guest.press("set-nomads")
    guest.press("set-crossroads")
    guest.press("pick-cards")
    for _ in range(3):
        guest.page.locator("input[type=checkbox][data-testid^=card-]:checked").first.uncheck()
    expect(guest.find("start-game")).to_be_disabled()
    expect(guest.page.get_by_text("Choose 3 more cards.").first).to_be_visible()
    for key in ("hermits", "miners", "families"):
        guest.find(f"card-{key}").check()
    expect(guest.find("card-lords")).to_be_disabled()
    expect(guest.find("start-game")).to_be_enabled()
    guest.page.locator("details.options summary").click()
    guest.find("option-lordsNeedPresence").check()
    expect(guest.page.get_by_text("1 chosen")).to_be_visible()
    guest.press("start-game")
    guest.await_turn()
    for key in ("hermits", "miners", "families", "castles"):
        expect(guest.find(f"card-{key}")).to_be_visible()
    expect(guest.find("card-lords")).to_have_count(0)
    guest.press("card-miners")
    expect(guest.page.locator("dialog[open]")).to_contain_text("mountain")


def test_a_seed_gives_the_same_game_again(visit: Inn) -> None:
    maps = []
    for _ in range(2):
        guest = visit().open("/new")
        expect(guest.find("seed")).not_to_have_value("")
        guest.find("seed").fill("4711")
        guest.page.keyboard.press("Tab")
        expect(guest.find("seed")).to_have_value("4711")
        preview(guest)
        guest.page.wait_for_timeout(300)
        maps.append((preview(guest), guest.page.locator("section.cards li").all_inner_texts()))
    assert maps[0] == maps[1]
    before = preview(guest)
    guest.press("roll")
    expect(guest.find("preview").get_by_role("img")).not_to_have_attribute("aria-label", re.compile(re.escape(before)))
    assert guest.find("seed").input_value() != "4711"


def test_seats_of_all_kinds(visit: Inn) -> None:
    guest = visit().open("/new")
    for _ in range(3):
        guest.press("add-seat")
    expect(guest.find("add-seat")).to_be_disabled()
    for place, sitter in enumerate(["me", "here", "friend", "bot:greedy", "bot:random"]):
        guest.find(f"sitter-{place}").select_option(sitter)
    guest.page.get_by_label("Name at seat 1").fill("Ann")
    guest.page.get_by_label("Name at seat 2").fill("Ben")
    guest.page.get_by_role("button", name="Colour of seat 1").click()
    guest.page.get_by_role("group", name="Colours").get_by_role("button", name="red").click()
    guest.press("board-first")
    expect(guest.find("start-game")).to_have_text("Make the table")
    guest.press("start-game")
    expect(guest.find("copy-link-2")).to_be_visible()
    expect(guest.find("copy-link-watch")).to_be_visible()
    assert guest.page.get_by_role("img", name="QR code").count() == 2
    guest.context.grant_permissions(["clipboard-read", "clipboard-write"])
    guest.press("copy-link-2")
    copied = guest.page.evaluate("() => navigator.clipboard.readText()")
    assert "#/seat/" in copied

    guest.press("go-table")
    guest.await_turn()
    seats = guest.page.locator("li[data-seat]")
    expect(seats).to_have_count(5)
    for place, words in enumerate(["Ann", "Ben", "waiting for somebody", "bot, greedy", "bot, random"]):
        expect(seats.nth(place)).to_contain_text(words)
    sight = guest.build_all()
    assert guest.pieces()[0].startswith("settlement-5")
    guest.do(sight, "end-turn")
    expect(guest.page.get_by_role("heading", name="Ben")).to_be_visible()
    assert guest.await_turn().glowing, "Ben plays on the same page"


def test_a_game_is_continued_from_the_start_page_or_removed(visit: Inn) -> None:
    guest = visit().open()
    guest.press("play-now")
    sight = guest.await_turn()
    guest.take(sight, sight.glowing[0])
    guest.page.get_by_role("link", name="Kingdom Builder").click()
    guest.page.locator('[data-testid^="continue-"]').click()
    guest.reaches(sight.ply + 1)
    guest.open("/")
    guest.page.get_by_role("button", name="Remove from this list").click()
    guest.page.locator("dialog[open]").get_by_role("button", name="Remove").click()
    expect(guest.page.locator('[data-testid^="continue-"]')).to_have_count(0)
