"""What a server knows of people over many games: pages, leaderboards, history, the next game; and its operators."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect
from server.client import Json, Server, ServerPool

from browser.axe import violations
from browser.company import gather, make_table
from browser.test_friends import say
from browser.test_lobby import person
from browser.test_sizes import SMALL_TARGETS
from browser.users import OVERFLOW, PATIENCE, Browsers, BrowserUser, browsers
from kingdom_builder.cli.main import main

LIVE = {"kind": "live", "start": 300, "add": 30}
SMALL: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "locale": "de-DE", "has_touch": True}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def server(server_pool: ServerPool, data: Path) -> Iterator[Server]:
    """A server of the test's own, since leaderboards and reports are everybody's."""
    server = server_pool.start(data)
    yield server
    server.stop()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Browsers]:
    with browsers(browser, server) as house:
        yield house


def call_oneself(user: BrowserUser, name: str) -> BrowserUser:
    """Choose a name of one's own."""
    user.open("/me")
    user.find("account-name").fill(name)
    user.press("save-name")
    expect(user.page.get_by_role("status").filter(has_text=re.compile(r"\S"))).to_be_visible()
    return user


def play_until_one_gives_up(made: Json, winner: BrowserUser, loser: BrowserUser, name: str = "Ben") -> None:
    gather(made, winner, loser, names=("Ann", name))
    winner.play_turn(Random(1), tiles=False)
    loser.press("game-menu")
    loser.press("give-up")
    loser.press("give-up-sure")
    expect(winner.find("final")).to_be_visible()


def until(user: BrowserUser, path: str, words: str) -> None:
    """Wait until the server says something to a user: it writes results down a moment later."""
    deadline = time.monotonic() + PATIENCE / 1000
    while words not in user.page.request.get(f"{user.server.address}api/{path}").text():
        assert time.monotonic() < deadline, path
        user.page.wait_for_timeout(100)


def is_for_everyone(*users: BrowserUser) -> None:
    """A page is usable in both themes, on a small phone too."""
    for user in users:
        user.settle()
        assert user.page.evaluate(OVERFLOW) <= 0
        assert violations(user) == []
        assert user.page.evaluate(SMALL_TARGETS) == []


def test_a_rated_game_is_on_the_leaderboard_and_on_the_pages_of_both(visit: Browsers, server: Server) -> None:
    ann, ben, small = call_oneself(visit(), "Annabel"), call_oneself(visit(), "Benedikt"), visit(**SMALL)
    play_until_one_gives_up(make_table(server, clock=LIVE, rated=True, setup={}), ann, ben)
    until(ann, "leaderboards/live-2", "Annabel")
    ann.open("/leaderboard")
    rows = ann.find("leaderboard").locator("tbody tr", has_text="1")
    first, second = rows.filter(has_text="Annabel"), rows.filter(has_text="Benedikt")
    expect(first).to_contain_text("(you)")
    ratings = [int(re.findall(r"\d{4}", row.inner_text())[0]) for row in (first, second)]
    assert ratings[0] > 1500 > ratings[1]
    second.get_by_role("link").click()
    expect(ann.find("person").get_by_role("heading", level=1)).to_have_text("Benedikt")
    expect(ann.find("person").locator("dd")).to_have_text(["1", "0", "0", re.compile(r"\d"), re.compile(r"\d")])
    expect(ann.find("person")).to_contain_text(str(ratings[1]))

    small.open("/leaderboard")
    expect(small.find("leaderboard").get_by_role("link", name="Annabel")).to_be_visible()
    expect(small.page.get_by_role("heading", level=1)).to_have_text("Ranglisten")
    is_for_everyone(small, ann)
    small.find("leaderboard").get_by_role("link", name="Annabel").tap()
    expect(small.find("person")).to_contain_text("Gewonnen")
    expect(small.find("person").locator("dd").nth(1)).to_have_text("1")
    ann.open("/leaderboard")
    expect(first).to_be_visible()
    is_for_everyone(small, ann)


def test_the_next_game_is_another_one_that_waits(visit: Browsers, server: Server) -> None:
    ann, ben = visit(), visit()
    one, two = make_table(server), make_table(server)
    gather(one, ann, ben)
    gather(two, ann, ben)
    expect(ann.find("next-game")).to_have_count(0)
    ann.open(f"/table/{one['id']}")
    ann.play_turn(Random(1), tiles=False)
    ann.press("next-game")
    ann.page.wait_for_url(f"**/#/table/{two['id']}")
    assert ann.await_turn().my_turn
    expect(ann.find("next-game")).to_have_count(0)
    ann.play_turn(Random(1), tiles=False)
    expect(ann.find("end-turn")).to_be_disabled()
    expect(ann.find("next-game")).to_have_count(0)
    expect(ben.find("next-game")).to_have_count(0)
    ben.await_turn()
    ben.play_turn(Random(1), tiles=False)
    ben.press("next-game")
    ben.page.wait_for_url(f"**/#/table/{one['id']}")


def test_the_history_is_searched_at_another_device(visit: Browsers, server: Server) -> None:
    ann, ben, cleo, laptop = visit(), visit(), visit(), visit(**SMALL)
    play_until_one_gives_up(make_table(server), ann, ben)
    play_until_one_gives_up(make_table(server), ann, cleo, "Cleo")
    until(ann, "me/history", "Cleo")
    for each in ann.context.cookies():
        laptop.context.add_cookies(
            [{"name": each.get("name", ""), "value": each.get("value", ""), "url": server.address}]
        )
    laptop.open("/history")
    games = laptop.find("past-game")
    expect(games).to_have_count(2)
    expect(laptop.find("bests")).to_contain_text("2, davon 2 gewonnen")
    laptop.find("filter-name").fill("cle")
    expect(games).to_have_count(1)
    expect(games).to_contain_text("Cleo")
    expect(games).to_contain_text(" · Kingdom Builder")
    expect(laptop.find("bests")).to_contain_text("1, davon 1 gewonnen")
    laptop.find("filter-name").fill("")
    laptop.find("filter-set").select_option("base")
    expect(games).to_have_count(2)
    laptop.find("filter-set").select_option("nomads")
    expect(games).to_have_count(0)
    laptop.find("filter-set").select_option("")
    is_for_everyone(laptop)
    games.first.get_by_role("link").tap()
    laptop.page.wait_for_url("**/#/replay/table/**")


def test_the_bests_are_of_all_games_and_not_of_those_that_are_listed(visit: Browsers, server: Server) -> None:
    ann, ben = visit(), visit()
    play_until_one_gives_up(make_table(server), ann, ben)

    def of_many(route: Route) -> None:
        answer = route.fetch().json()
        bests = {"games": 75, "won": 40, "gold": 99, "mean": 51.0, "left": 0}
        route.fulfill(json={**answer, "before": "1-a-1", "bests": bests})

    ann.page.route("**/api/me/history*", of_many)
    ann.open("/history")
    expect(ann.find("bests")).to_contain_text("75, 40 won")
    expect(ann.find("bests")).to_contain_text("99")
    expect(ann.find("partial-bests")).to_have_count(0)
    ann.find("filter-result").select_option("won")
    expect(ann.find("bests")).to_contain_text("1, 1 won")
    expect(ann.find("partial-bests")).to_be_visible()


def test_an_operator_looks_after_people(visit: Browsers, server: Server, data: Path) -> None:
    ann, eve, operator = visit(), visit(), visit(**{**SMALL, "locale": "en-GB"})
    gather(make_table(server), ann, eve)
    say(eve, "You play like a fool")
    ann.press("chat-tab")
    ann.press("speaker")
    ann.press("report")
    ann.find("report-text").fill("Insults")
    ann.press("send-report")
    expect(ann.page.get_by_text("The operator will look at it.")).to_be_visible()
    operator.open()
    operator.find("play-now").wait_for()
    with pytest.raises(SystemExit, match="0"):
        main(["admin", "grant", person(operator), "--data", str(data)])
    until(operator, "admin", "measures")
    operator.open("/admin")
    operator.find("report-line").get_by_role("button").tap()
    expect(operator.find("report-view")).to_contain_text("You play like a fool")
    is_for_everyone(operator)
    operator.press("choose")
    assert operator.find("target").input_value() == person(eve)
    operator.press("do-it")
    expect(operator.find("ban-line")).to_have_count(1)
    operator.press("close-report")
    expect(operator.find("report-line")).to_have_count(0)
    expect(operator.find("measure-line")).to_have_count(3)
    is_for_everyone(operator)
