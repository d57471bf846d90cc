"""Strangers from the first press to the rematch: they meet, play with clocks, one leaves and comes back."""

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, expect
from server.client import Json, Server, ServerPool

from browser.test_lobby import TABLE, at_table, in_lobby, person
from browser.users import Browsers, BrowserUser, browsers

BOTS_AFTER = 3


@pytest.fixture
def server(server_pool: ServerPool, tmp_path: Path) -> Iterator[Server]:
    server = server_pool.start(tmp_path / "data", bots_offered_after=BOTS_AFTER)
    yield server
    server.stop()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Browsers]:
    with browsers(browser, server) as house:
        yield house


def rating_of(server: Server, who: str) -> Json | None:
    """The rating of a person among two players, once there is one."""
    with server.http() as http:
        ratings = http.get(f"/api/persons/{who}").json()["ratings"]
    return next((each for each in ratings if each["pool"] == "live-2"), None)


def move_on(user: BrowserUser, rng: Random) -> bool:
    """Play a turn if it is this page's; whether it was."""
    if not user.look().my_turn:
        return False
    user.play_turn(rng, tiles=False)
    return True


def test_strangers_meet_play_part_and_play_again(visit: Browsers, server: Server) -> None:
    rng = Random(7)
    ann, ben = in_lobby(visit()), in_lobby(visit.phone())
    ann.press("seek-two")
    began = time.monotonic()
    ben.press("seek-two")
    for user in (ben, ann):
        user.page.wait_for_url(TABLE)
    assert time.monotonic() - began < 10
    table = at_table(ben)
    assert at_table(ann) == table
    for user in (ann, ben):
        expect(user.find("turn-clock")).to_be_visible()

    # A few turns each.
    turns = 0
    while turns < 6:
        turns += sum(move_on(user, rng) for user in (ann, ben))

    # Ben closes the page; Ann goes on with a bot.
    ben.page.goto("about:blank")
    ann.page.locator("[data-testid^=replace-]").click()
    expect(ann.page.locator("[data-testid^=replace-]")).to_be_hidden()
    for _ in range(2):
        ann.play_turn(rng, tiles=False)
    ann.await_turn()

    # He comes back, takes his seat, and they play to the end.
    ben.open(f"/table/{table}")
    ben.page.locator("[data-testid^=take-back-]").click()
    expect(ben.find("stand-ins")).to_be_hidden()
    while not (ann.look().over and ben.look().over):
        if not any(move_on(user, rng) for user in (ann, ben)):
            ann.settle()

    # Ratings change once.
    people = [person(user) for user in (ann, ben)]
    deadline = time.monotonic() + 20
    while not all(rating_of(server, who) for who in people):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    first = [rating_of(server, who) for who in people]
    assert [each and each["games"] for each in first] == [1, 1]

    # A rematch takes both.
    ann.press("rematch")
    expect(ben.find("rematch-wish")).to_contain_text("wants a rematch")
    ben.press("rematch")
    for user in (ann, ben):
        expect(user.find("final")).to_be_hidden()
        expect(user.find("turn-clock")).to_be_visible()
    assert [rating_of(server, who) for who in people] == first

    # A third comes while both are busy, and is offered bots.
    cleo = in_lobby(visit())
    cleo.press("seek-two")
    expect(cleo.find("bots")).to_be_visible()
    cleo.press("bots")
    assert at_table(cleo) != table
    cleo.await_turn()
