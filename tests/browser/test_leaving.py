"""Somebody leaves, on purpose or not: the others go on, and whoever comes back finds their seat."""

from playwright.sync_api import expect
from server.client import Server

from browser.axe import violations
from browser.company import FAST, come, gather, make_table, sit
from browser.users import OVERFLOW, Browsers


def test_a_bot_plays_on_and_who_comes_back_takes_the_seat_again(visit: Browsers, server: Server) -> None:
    made = make_table(server, clock=FAST)
    ann, ben = visit(), visit()
    gather(made, ann, ben)
    ben.page.goto("about:blank")
    expect(ann.find("absence-1")).to_contain_text("You can go on without them in")
    assert ann.find("replace-1").count() == 0
    ann.press("replace-1")
    expect(ann.find("absence-1")).to_be_hidden()
    expect(ann.page.locator("li[data-seat='1']")).to_contain_text("a bot stands in")

    ben.open(f"/table/{made['id']}")
    ben.press("take-back-1")
    expect(ben.find("take-back-1")).to_be_hidden()
    expect(ann.page.locator("li[data-seat='1']")).not_to_contain_text("bot")
    expect(ann.find("log")).to_contain_text("Ben is back and plays again.")


def test_a_short_absence_is_not_mentioned(visit: Browsers, server: Server) -> None:
    made = make_table(server, clock=FAST)
    ann, ben = visit(), visit()
    gather(made, ann, ben)
    ben.page.reload()
    expect(ben.find("board")).to_be_visible()
    ann.page.wait_for_timeout(5500)
    assert ann.find("absence-1").count() == 0
    expect(ann.page.locator("li[data-seat='1']")).not_to_contain_text("away")


def test_a_game_of_two_is_claimed(visit: Browsers, server: Server) -> None:
    ann, ben = visit(), visit()
    made = make_table(server, clock=FAST)
    gather(made, ann, ben)
    ann.page.goto("about:blank")
    ben.press("claim")
    expect(ben.find("final").get_by_role("heading")).to_contain_text("You win")
    expect(ben.find("end-reason")).to_have_text("Ann was away for too long.")
    ann.open(f"/table/{made['id']}")
    expect(ann.find("end-reason")).to_have_text("You were away for too long.")


def test_giving_up_says_what_it_means(visit: Browsers, server: Server) -> None:
    ann, ben = visit.phone(), visit()
    gather(make_table(server), ann, ben)
    ann.press("game-menu")
    ann.press("give-up")
    expect(ann.page.get_by_role("dialog")).to_contain_text("Ben wins at once")
    ann.press("stay")
    ann.press("give-up")
    ann.press("give-up-sure")
    expect(ann.find("end-reason")).to_have_text("You gave up.")
    expect(ben.find("end-reason")).to_have_text("Ann gave up.")
    expect(ben.find("ranking").locator("li").first).to_contain_text("Ben")
    assert ben.find("game-menu").count() == 0


def test_most_of_those_who_are_here_decide(visit: Browsers, server: Server) -> None:
    made = make_table(server, 3, clock=FAST)
    ann, ben, cleo = visit(), visit(), visit()
    gather(made, ann, ben, cleo)
    cleo.page.goto("about:blank")
    ann.press("replace-2")
    expect(ben.find("absence-2")).to_contain_text("1 of 2 wants a bot to play on.")
    expect(ann.find("replace-2")).to_have_count(0)
    assert ben.find("claim").count() == 0
    ben.press("replace-2")
    expect(ann.page.locator("li[data-seat='2']")).to_contain_text("a bot stands in")


def test_those_who_are_here_give_a_free_seat_to_a_bot(visit: Browsers, server: Server) -> None:
    made = make_table(server, 3, clock=FAST, open=True)
    ann, ben, dora = visit(), visit.phone(), visit()
    for seat, (user, name) in enumerate([(ann, "Ann"), (ben, "Ben")]):
        sit(come(user, made), name, seat)
    come(dora, made)
    dora.press("look-on")
    assert ann.find("replace-2").count() == 0
    expect(ann.find("replace-2")).to_be_visible(timeout=60_000)
    assert violations(ann) == []
    assert ben.page.evaluate(OVERFLOW) <= 0
    assert dora.find("replace-2").count() == 0
    ann.press("replace-2")
    expect(ben.find("arrivals")).to_contain_text("1 of 2 wants a bot at the free seat.")
    ben.press("replace-2")
    expect(ann.find("arrivals")).to_be_hidden()
    expect(ann.find("turn-clock")).to_contain_text("0:5")


def test_in_a_game_of_three_a_bot_takes_the_seat_of_who_gives_up(visit: Browsers, server: Server) -> None:
    ann, ben, cleo = visit(), visit(), visit()
    gather(make_table(server, 3), ann, ben, cleo)
    ben.press("game-menu")
    ben.press("give-up")
    expect(ben.page.get_by_role("dialog")).to_contain_text("a bot plays for you")
    ben.press("give-up-sure")
    expect(ben.find("take-back-1")).to_be_visible()
    expect(ann.page.locator("li[data-seat='1']")).to_contain_text("a bot stands in")


def test_who_looks_on_has_nothing_to_decide(visit: Browsers, server: Server) -> None:
    made = make_table(server, clock=FAST, open=True)
    ann, ben, dora = visit(), visit(), visit()
    gather(made, ann, ben)
    come(dora, made)
    assert dora.find("game-menu").count() == 0
    ben.page.goto("about:blank")
    expect(ann.find("replace-1")).to_be_visible()
    assert dora.find("absence-1").count() == 0
