"""Strangers in the lobby: they find each other, are offered bots, and see open tables come and go."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from server.client import Server, ServerPool

from browser.axe import violations
from browser.test_sizes import SMALL_TARGETS
from browser.users import OVERFLOW, Browsers, BrowserUser, browsers
from kingdom_builder.server.database import DATABASE

BOTS_AFTER = 6
TABLE = "**/#/table/*"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def visit(browser: Browser, server_pool: ServerPool, data: Path) -> Iterator[Browsers]:
    """Lets people into a server of the test's own, since everybody in a lobby meets everybody."""
    server = server_pool.start(data, bots_offered_after=BOTS_AFTER)
    with browsers(browser, server) as house:
        yield house
    server.stop()


def in_lobby(user: BrowserUser) -> BrowserUser:
    user.open()
    user.press("lobby")
    expect(user.find("online")).to_contain_text("here")
    return user


def at_table(user: BrowserUser) -> str:
    """The table that somebody has come to."""
    user.page.wait_for_url(TABLE)
    expect(user.find("game")).to_be_visible()
    return user.page.url.rpartition("/")[2]


def person(user: BrowserUser) -> str:
    answer = user.page.request.get(f"{user.server.address}api/me")
    return str(answer.json()["id"])


def test_two_strangers_find_each_other_within_ten_seconds(visit: Browsers) -> None:
    ann, bob = in_lobby(visit()), visit()
    ann.press("seek-two")
    expect(ann.find("search")).to_contain_text("two players")
    expect(ann.page).to_have_title("Looking for a game - Kingdom Builder")
    ann.page.reload()
    expect(ann.find("search")).to_be_visible()
    began = time.monotonic()
    in_lobby(bob)
    bob.press("seek-two")
    for user in (bob, ann):
        user.page.wait_for_url(TABLE)
    assert time.monotonic() - began < 10
    assert at_table(bob) == at_table(ann)
    assert [user.look().my_turn for user in (ann, bob)].count(True) == 1
    ann.open("/lobby")
    expect(ann.find("running")).to_contain_text("Round 1")
    expect(ann.find("running").locator("a.button")).to_have_text("Go to the table")
    expect(ann.find("search")).to_have_count(0)


def test_a_third_is_offered_bots_and_plays_with_them(visit: Browsers) -> None:
    in_lobby(visit())
    cleo = in_lobby(visit())
    cleo.find("seek-many").focus()
    began = time.monotonic()
    cleo.page.keyboard.press("Enter")
    expect(cleo.page.get_by_role("status").first).to_have_text("Looking for a game")
    expect(cleo.find("search")).to_be_visible()
    expect(cleo.find("bots")).to_have_count(0)
    expect(cleo.find("bots")).to_be_visible()
    assert time.monotonic() - began > BOTS_AFTER - 1
    expect(cleo.page.get_by_role("status").first).to_contain_text("You can play with bots instead")
    cleo.find("bots").focus()
    cleo.page.keyboard.press("Enter")
    at_table(cleo)
    cleo.await_turn()


def test_somebody_alone_may_play_with_bots_at_once_or_stop_looking(visit: Browsers) -> None:
    ann = in_lobby(visit())
    ann.press("seek-days")
    expect(ann.find("search-days")).to_contain_text("1 day for each turn")
    ann.press("seek-two")
    expect(ann.find("search")).to_be_visible()
    ann.find("search").get_by_test_id("cancel").click()
    expect(ann.find("search")).to_have_count(0)
    expect(ann.find("search-days")).to_have_count(1)
    ann.find("search-days").get_by_test_id("bots").click()
    at_table(ann)


def test_one_answers_the_search_of_another(visit: Browsers) -> None:
    ann, bob = in_lobby(visit()), in_lobby(visit())
    ann.page.locator("details summary").click()
    ann.find("seek-least").select_option("2")
    ann.find("seek-clock").select_option("slow")
    ann.press("seek-set-nomads")
    ann.press("seek-other")
    expect(bob.find("seekers")).to_contain_text("10 minutes, and 1 minute more each turn")
    bob.find("seekers").get_by_role("button", name="Play this").click()
    assert at_table(ann) == at_table(bob)


def test_an_open_table_is_listed_live_and_blocked_persons_do_not_see_it(visit: Browsers, data: Path) -> None:
    ann, bob, cy = (in_lobby(visit()) for _ in range(3))
    with sqlite3.connect(data / DATABASE) as database:
        database.execute("INSERT INTO blocks VALUES (?, ?, 0)", (person(ann), person(cy)))
    for each in (bob, cy):
        each.page.reload()
        expect(each.find("no-tables")).to_be_visible()
    ann.press("offer")
    expect(ann.find("open-to-all")).to_be_checked()
    ann.find("clock").select_option("normal")
    ann.find("rated").check()
    ann.press("start-game")
    table = at_table(ann)
    line = bob.page.locator(f"[data-table='{table}']")
    expect(line).to_contain_text("1 of 2 seats free")
    expect(line).to_contain_text("5 minutes, and 30 seconds more each turn")
    expect(line).to_contain_text("rated")
    expect(line).to_contain_text("(1500?)")
    expect(cy.page.locator("[data-table]")).to_have_count(0)
    line.get_by_role("link", name="Take a seat").click()
    assert at_table(bob) == table
    expect(cy.page.locator("[data-table]")).to_have_count(0)


def test_the_set_up_page_makes_a_table_by_link_without_a_clock_unless_asked(visit: Browsers) -> None:
    ann = visit()
    ann.open("/new/friends")
    expect(ann.find("by-link")).to_be_checked()
    expect(ann.find("clock")).to_have_value("none")
    expect(ann.find("rated")).to_be_disabled()
    ann.find("clock").select_option("own")
    ann.find("clock-start").fill("1000")
    ann.find("clock-start").press("Tab")
    expect(ann.find("clock-start")).to_have_value("120")
    expect(ann.find("rated")).to_be_enabled()
    ann.find("clock").select_option("none")
    with ann.page.expect_request("**/api/tables") as sent:
        ann.press("start-game")
    body = sent.value.post_data_json
    assert body
    assert (body["open"], body["rated"], body["clock"]["kind"]) == (False, False, "none")
    expect(ann.find("go-table")).to_be_visible()


def test_the_lobby_is_for_everyone(visit: Browsers) -> None:
    """On a small phone and on a desk, in both themes and in three languages, with something in every list."""
    ann, bob = in_lobby(visit()), visit(viewport={"width": 360, "height": 740}, locale="de-DE", has_touch=True)
    ann.press("offer")
    ann.press("start-game")
    at_table(ann)
    ann.open("/lobby")
    ann.press("seek-many")
    bob.open("/lobby")
    expect(bob.find("open-tables")).to_contain_text("frei")
    expect(bob.find("seekers")).to_contain_text("drei oder vier Personen")
    bob.press("seek-days")
    expect(bob.find("search-days")).to_be_visible()
    bob.page.locator("details summary").click()
    for user in (bob, ann):
        assert user.page.evaluate(OVERFLOW) <= 0
        assert violations(user) == []
    assert bob.page.evaluate(SMALL_TARGETS) == []
    french = visit(locale="fr-FR")
    french.open("/lobby")
    expect(french.find("lobby")).to_contain_text("À deux, maintenant")
    bob.open("/new/offer")
    expect(bob.find("open-to-all")).to_be_checked()
    bob.find("clock").select_option("own")
    assert bob.page.evaluate(OVERFLOW) <= 0
    assert violations(bob) == []


def test_the_lobby_comes_back_after_a_restart(browser: Browser, server_pool: ServerPool, data: Path) -> None:
    server: Server = server_pool.start(data)
    with browsers(browser, server) as house:
        ann = in_lobby(house())
        ann.press("seek-two")
        expect(ann.find("search")).to_be_visible()
        ann.allow("WebSocket")
        ann.allow("net::ERR_CONNECTION")
        server.kill()
        expect(ann.find("online")).to_contain_text("does not answer")
        server = server_pool.start(data, port=server.port)
        expect(ann.find("online")).to_contain_text("here")
        bob = in_lobby(house())
        bob.press("seek-two")
        assert at_table(ann) == at_table(bob)
    server.stop()
