"""Within a turn: what can be taken back, what cannot be done yet, and why."""

import re
from random import Random

from playwright.sync_api import expect

from browser.positions import first_uses
from browser.users import Browsers, BrowserUser


def first_seat(visit: Browsers) -> BrowserUser:
    user = visit()
    return user.sit(user.server.make_table(board="first")["seats"][0])


def test_builds_are_taken_back_one_by_one_or_all_at_once(visit: Browsers) -> None:
    user = first_seat(visit)
    sight = user.look()
    glowing, ply = sight.glowing, sight.ply
    expect(user.find("undo")).to_be_disabled()
    expect(user.find("restart")).to_be_disabled()
    sight = user.take(sight, sight.glowing[0])
    one = user.pieces()
    assert len(one) == 1
    user.take(sight, sight.glowing[0])
    assert len(user.pieces()) == 2

    user.press("undo")
    user.reaches(ply + 1)
    assert user.pieces() == one
    sight = user.look()
    user.take(sight, sight.glowing[-1])
    user.press("restart")
    user.reaches(ply)
    assert user.pieces() == []
    assert user.look().glowing == glowing
    expect(user.find("undo")).to_be_disabled()
    assert "builds" not in user.log()


def test_the_turn_ends_only_when_all_is_built(visit: Browsers) -> None:
    user = first_seat(visit)
    sight = user.look()
    end = user.find("end-turn")
    expect(end).to_have_attribute("aria-disabled", "true")
    expect(user.page.locator("#why-not-end")).to_contain_text("First build 3 settlements")
    end.click(force=True)
    expect(user.find("complaint")).to_be_visible()
    assert user.look() == sight
    sight = user.take(sight, sight.glowing[0])
    expect(user.page.locator("#why-not-end")).to_contain_text("First build 2 more")
    expect(user.find("complaint")).to_be_hidden()
    user.build_all()
    expect(user.page.locator("#why-not-end")).to_be_hidden()
    expect(end).to_have_attribute("aria-disabled", "false")
    end.click()
    expect(user.find("game")).to_have_attribute("data-my-turn", "false")
    expect(user.find("undo")).to_be_disabled()
    assert "Waiting for Player B" in user.find("step").inner_text()


def test_a_half_made_choice_is_cancelled(visit: Browsers) -> None:
    user = visit()
    moment = first_uses()["paddock"]
    made = user.server.make_table(["person"] * moment.players, position=moment.position)
    user.sit(made["seats"][moment.player])
    before, pieces = user.look(), user.pieces()
    expect(user.find("cancel")).to_be_hidden()
    sight = user.do(before, "tile-paddock")
    assert "Paddock" in sight.step
    expect(user.page.locator("#why-not-end")).to_contain_text("must be finished")
    user.press("cancel")
    user.reaches(before.ply)
    assert user.look() == before

    sight = user.do(before, "tile-paddock")
    sight = user.take(sight, sight.glowing[0])
    user.press("cancel")
    user.moved_from(sight.ply)
    user.page.keyboard.press("Escape")
    user.reaches(before.ply)
    assert user.look() == before
    assert user.pieces() == pieces
    assert not sight.can_end


def test_a_tile_says_that_it_waits_while_settlements_are_built(visit: Browsers) -> None:
    user = visit()
    moment = first_uses()["paddock"]
    made = user.server.make_table(["person"] * moment.players, position=moment.position)
    user.sit(made["seats"][moment.player])
    condition = user.find("tile-paddock").locator(".state")
    expect(condition).to_have_text("ready")
    sight = user.look()
    user.take(sight, sight.glowing[0])
    expect(condition).to_have_text("not now")
    user.build_all()
    expect(condition).to_have_text("ready")


def test_an_illegal_hex_says_why(visit: Browsers) -> None:
    user = first_seat(visit)
    sight = user.look()
    wrong = next(name for name in ("a1", "t20", "k10", "a20") if name not in sight.glowing)
    user.point(wrong)
    refusal = user.find("refusal")
    expect(refusal).to_have_text(re.compile(rf"{wrong} .*\.$"))
    assert user.look() == sight
    x, y = user.pixel(sight.glowing[0])
    user.page.mouse.move(x, y)
    expect(user.find("status")).to_contain_text("you can choose it")


def test_the_log_shows_earlier_moments(visit: Browsers) -> None:
    user = first_seat(visit)
    user.play_turn(Random(1))
    pieces = user.pieces()
    turn = user.find("log").locator("li[data-turn]").first
    turn.locator("button.opener").click()
    turn.locator("button.action").first.click()
    expect(user.find("past")).to_contain_text("The board after action")
    user.settle()
    assert len(user.pieces()) == 1
    user.press("back-to-game")
    expect(user.find("past")).to_be_hidden()
    assert user.pieces() == pieces
