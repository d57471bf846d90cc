"""Within a turn: what can be taken back, what cannot be done yet, and why."""

import re
from random import Random

from playwright.sync_api import expect

from browser.guests import Guest, Inn
from browser.positions import first_uses


def first_seat(visit: Inn) -> Guest:
    guest = visit()
    return guest.sit(guest.server.make_table(board="first")["seats"][0])


def test_builds_are_taken_back_one_by_one_or_all_at_once(visit: Inn) -> None:
    guest = first_seat(visit)
    sight = guest.look()
    glowing, ply = sight.glowing, sight.ply
    expect(guest.find("undo")).to_be_disabled()
    expect(guest.find("restart")).to_be_disabled()
    sight = guest.take(sight, sight.glowing[0])
    one = guest.pieces()
    assert len(one) == 1
    guest.take(sight, sight.glowing[0])
    assert len(guest.pieces()) == 2

    guest.press("undo")
    guest.reaches(ply + 1)
    assert guest.pieces() == one
    sight = guest.look()
    guest.take(sight, sight.glowing[-1])
    guest.press("restart")
    guest.reaches(ply)
    assert guest.pieces() == []
    assert guest.look().glowing == glowing
    expect(guest.find("undo")).to_be_disabled()
    assert "builds" not in guest.log()


def test_the_turn_ends_only_when_all_is_built(visit: Inn) -> None:
    guest = first_seat(visit)
    sight = guest.look()
    end = guest.find("end-turn")
    expect(end).to_have_attribute("aria-disabled", "true")
    expect(guest.page.locator("#why-not-end")).to_contain_text("3 more to build")
    end.click(force=True)
    expect(guest.find("complaint")).to_be_visible()
    assert guest.look() == sight
    sight = guest.take(sight, sight.glowing[0])
    expect(guest.page.locator("#why-not-end")).to_contain_text("2 more to build")
    expect(guest.find("complaint")).to_be_hidden()
    guest.build_all()
    expect(guest.page.locator("#why-not-end")).to_be_hidden()
    expect(end).to_have_attribute("aria-disabled", "false")
    end.click()
    expect(guest.find("game")).to_have_attribute("data-my-turn", "false")
    expect(guest.find("undo")).to_be_disabled()
    assert "Waiting for Player B" in guest.find("step").inner_text()


def test_a_half_made_choice_is_cancelled(visit: Inn) -> None:
    guest = visit()
    moment = first_uses()["paddock"]
    made = guest.server.make_table(["person"] * moment.players, position=moment.position)
    guest.sit(made["seats"][moment.player])
    before, pieces = guest.look(), guest.pieces()
    expect(guest.find("cancel")).to_be_hidden()
    sight = guest.do(before, "tile-paddock")
    assert "Paddock" in sight.step
    expect(guest.page.locator("#why-not-end")).to_contain_text("must be finished")
    guest.press("cancel")
    guest.reaches(before.ply)
    assert guest.look() == before

    sight = guest.do(before, "tile-paddock")
    sight = guest.take(sight, sight.glowing[0])
    guest.press("cancel")
    guest.moved_from(sight.ply)
    guest.page.keyboard.press("Escape")
    guest.reaches(before.ply)
    assert guest.look() == before
    assert guest.pieces() == pieces
    assert not sight.can_end


def test_a_tile_says_that_it_waits_while_settlements_are_built(visit: Inn) -> None:
    guest = visit()
    moment = first_uses()["paddock"]
    made = guest.server.make_table(["person"] * moment.players, position=moment.position)
    guest.sit(made["seats"][moment.player])
    condition = guest.find("tile-paddock").locator(".state")
    expect(condition).to_have_text("ready")
    sight = guest.look()
    guest.take(sight, sight.glowing[0])
    expect(condition).to_have_text("not now")
    guest.build_all()
    expect(condition).to_have_text("ready")


def test_an_illegal_hex_says_why(visit: Inn) -> None:
    guest = first_seat(visit)
    sight = guest.look()
    wrong = next(name for name in ("a1", "t20", "k10", "a20") if name not in sight.glowing)
    guest.point(wrong)
    status = guest.find("status")
    expect(status).to_have_class(re.compile("refusal"))
    assert status.inner_text().endswith(".")
    assert guest.look() == sight
    x, y = guest.pixel(sight.glowing[0])
    guest.page.mouse.move(x, y)
    expect(status).to_contain_text("you can choose it")


def test_the_log_shows_earlier_moments(visit: Inn) -> None:
    guest = first_seat(visit)
    guest.play_turn(Random(1))
    pieces = guest.pieces()
    turn = guest.find("log").locator("li[data-turn]").first
    turn.locator("button.opener").click()
    turn.locator("button.action").first.click()
    expect(guest.find("past")).to_contain_text("The board after action")
    guest.settle()
    assert len(guest.pieces()) == 1
    guest.press("back-to-game")
    expect(guest.find("past")).to_be_hidden()
    assert guest.pieces() == pieces
