"""The end of a game: the gold is counted card by card, can be skipped, and the result can be kept as a picture."""

import itertools
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.axe import THEMES, violations
from browser.users import Browsers, BrowserUser
from kingdom_builder.notation import parse_position
from kingdom_builder.rules import scores

LAST_TURN = (
    "GGGGGGGG/GG1GGDDD/GGGTTKDD/FFGTTTDD/FF2FFTTD(farm,tower) merchants,hermits,fishermen - 11 C5D4F5G4T5 - 9B!/G/0/- "
    "0:d2,d3,e3,g2,b4,c4,g5:c2,c5:D 30:a1,b1,h5::G"
)
"""Seat B has only to end the last turn."""

HEXES = """() => {
    const lit = document.querySelector(".lit")?.getAttribute("d") ?? null;
    return lit === null ? null : (lit.match(/M/g) ?? []).length;
}"""


def last_turn(visit: Browsers, phone: bool = False, motion: str = "no-preference", **options: Any) -> BrowserUser:
    """Somebody who has both seats and only has to end the last turn."""
    user = (visit.phone if phone else visit)(reduced_motion=motion, **options)
    user.own(user.server.make_table(["person", "person"], position=LAST_TURN), 0, 1)
    return user


def totals() -> list[int]:
    return scores(parse_position(LAST_TURN))


def expect_result(user: BrowserUser) -> None:
    expect(user.find("final")).to_be_visible()
    expect(user.find("counting")).to_have_count(0)
    rows = user.find("ranking").locator("li")
    best = sorted(totals(), reverse=True)
    expect(rows).to_have_count(2)
    assert [int(re.findall(r"\d+", row.inner_text())[-1]) for row in rows.all()] == best
    assert user.page.evaluate(HEXES) is None


def test_the_count_goes_card_by_card_to_the_totals(visit: Browsers) -> None:
    user = last_turn(visit)
    user.page.clock.install(time=0)
    user.page.clock.pause_at(1_000)
    user.press("end-turn")
    expect(user.find("counting")).to_be_visible()
    expect(user.find("final")).to_have_count(0)
    seen: list[tuple[str, int, int, int]] = []
    for _ in range(200):
        if user.find("final").count():
            break
        user.page.clock.run_for(300)
        if user.find("counting").count():
            panel = user.find("counting")
            cards = panel.locator(".printed .name")
            card = cards.inner_text() if cards.count() else ""
            first, second = [int(user.find(f"counted-{seat}").inner_text()) for seat in (0, 1)]
            seen.append((card, first, second, user.page.evaluate(HEXES)))
    expect_result(user)
    counted = list(dict.fromkeys(card for card, *_ in seen if card))
    assert counted == ["Merchants", "Hermits", "Castles"]
    assert [seen[-1][1], seen[-1][2]] == totals()
    assert all(before[1] <= after[1] and before[2] <= after[2] for before, after in itertools.pairwise(seen))
    assert {lit for card, *_, lit in seen if card == "Merchants"} == {8}


@pytest.mark.parametrize("phone", [False, True])
def test_the_count_can_be_skipped(visit: Browsers, phone: bool) -> None:
    user = last_turn(visit, phone)
    user.press("end-turn")
    for how in ("Escape", "Enter", "button", "board"):
        expect(user.find("counting")).to_be_visible()
        if how == "button":
            user.press("skip")
        elif how == "board":
            user.point("a3")
        else:
            user.page.keyboard.press(how)
        expect_result(user)
        if how != "board":
            expect(user.find("final").locator("h2")).to_be_focused()
        user.press("count")


def test_with_reduced_motion_the_result_is_there_at_once(visit: Browsers) -> None:
    user = last_turn(visit, motion="reduce")
    user.page.evaluate(
        """() => {
            window.counted = 0;
            const count = () => { window.counted += document.querySelectorAll('[data-testid="counting"]').length; };
            new MutationObserver(count).observe(document.body, { childList: true, subtree: true });
        }"""
    )
    user.press("end-turn")
    expect_result(user)
    assert user.page.evaluate("window.counted") == 0
    expect(user.find("count")).to_have_count(0)


def test_a_finished_game_that_is_opened_shows_its_result_and_can_be_counted_again(visit: Browsers) -> None:
    user = last_turn(visit)
    user.press("end-turn")
    user.press("skip")
    user.page.reload()
    expect_result(user)
    user.press("count")
    expect(user.find("counting")).to_be_visible()
    user.page.keyboard.press("Escape")
    expect_result(user)


def test_count_and_result_are_accessible(visit: Browsers) -> None:
    user = last_turn(visit)
    user.press("end-turn")
    for theme in THEMES:  # one count for each, since it could be over before axe has seen both
        expect(user.find("counting")).to_contain_text("The gold is counted")
        assert violations(user, [theme]) == []
        user.page.keyboard.press("Escape")
        expect(user.find("picture")).to_be_visible()
        assert violations(user, [theme]) == []
        user.press("count")


@pytest.mark.parametrize(("language", "words"), [("de", "Das Gold wird gezählt"), ("fr", "On compte")])
def test_the_count_speaks_the_language_of_the_page(visit: Browsers, language: str, words: str) -> None:
    user = last_turn(visit, locale=language)
    user.press("end-turn")
    expect(user.find("counting")).to_contain_text(words)


def test_the_result_can_be_saved_as_a_picture(visit: Browsers, tmp_path: Path) -> None:
    user = last_turn(visit, motion="reduce")
    user.press("end-turn")
    asked: list[str] = []
    user.page.on("request", lambda request: asked.append(request.url) if "/api/picture" in request.url else None)
    with user.page.expect_download() as downloading:
        user.press("picture")
    file = tmp_path / "result.png"
    downloading.value.save_as(file)
    assert downloading.value.suggested_filename == "kingdom-builder.png"
    assert file.read_bytes().startswith(b"\x89PNG")
    with user.server.http() as http:
        svg = http.get(asked[0]).text
    assert all(name in svg for name in ("Player A", "Player B"))
    assert all(f">{gold}</text>" in svg for gold in totals())


def test_a_browser_that_shares_files_shares_the_picture(visit: Browsers) -> None:
    user = visit()
    user.context.add_init_script(
        """
        navigator.canShare = ({ files }) => files?.length === 1;
        navigator.share = async ({ files }) => { window.shared = `${files[0].name} ${files[0].type}`; };
        """
    )
    user.own(user.server.make_table(["person", "person"], position=LAST_TURN), 0, 1)
    user.press("end-turn")
    expect(user.find("picture")).to_have_text("Share a picture")
    user.press("picture")
    user.page.wait_for_function("() => window.shared")
    assert user.page.evaluate("window.shared") == "kingdom-builder.png image/png"


TURNING = "GGGWGG/GGGWGG/GGGWGG/GGGWDD/DDDDDD fishermen - - C5D4F5G4T5 - 9A/G/3/- 3:b1,b2,b3::G 30:e1,e2::D"
"""Seat A has no gold and three settlements for the shore; seat B has some, and cannot come to the water."""


def test_the_turning_point_shows_its_moment(visit: Browsers) -> None:
    user = visit()
    user.own(user.server.make_table(["person"] * 2, position=TURNING), 0, 1)
    sight = user.look()
    for hex_name in ("c1", "c2", "c3"):
        sight = user.take(sight, hex_name)
    user.do(sight, "end-turn")
    user.play_turn(Random(1))
    expect(user.find("turning-point")).to_have_text("Turning point: 9A; from then on Player A was ahead")
    user.find("turning-point").click()
    expect(user.find("past")).to_contain_text("9A")


GOLD_AT_A_HEX = "GGGG/GGDD/DDDD ambassadors,families,shepherds - - C4D5F5G3T5 - 4A/G/3/- 37:a1,b1,b2::G 39:d1::C"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_gold_rises_where_it_is_earned(visit: Browsers, motion: str) -> None:
    user = visit(reduced_motion=motion)
    made = user.server.make_table(["person", "person"], position=GOLD_AT_A_HEX)
    user.sit(made["seats"][0])
    watch_earnings(user.page)
    sight = user.take(user.look(), "c1")
    assert sight.ply
    expect(user.find("spoken")).to_contain_text("collects 1 gold from Ambassadors")
    if motion == "reduce":
        assert user.page.evaluate("window.earned") == []
        return
    user.page.wait_for_function("() => window.earned.length > 1")
    assert user.page.evaluate("window.earned") == ["+1", "+2"]
    expect(user.find("earning")).to_have_count(0)


def watch_earnings(page: Page) -> None:
    page.evaluate(
        """() => {
            window.earned = [];
            new MutationObserver((changes) => {
                for (const { addedNodes } of changes)
                    for (const node of addedNodes)
                        if (node.dataset?.testid === "earning") window.earned.push(node.textContent.trim());
            }).observe(document.body, { childList: true, subtree: true });
        }"""
    )
