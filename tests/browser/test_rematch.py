"""Among strangers a rematch needs everybody; among friends the host decides."""

from playwright.sync_api import expect
from server.client import Server

from browser.company import gather, make_table
from browser.users import Browsers, BrowserUser


def give_up(user: BrowserUser) -> None:
    for button in ("game-menu", "give-up", "give-up-sure"):
        user.press(button)


def test_strangers_play_again_once_both_want_to(visit: Browsers, server: Server) -> None:
    ann, ben = visit(), visit.phone()
    gather(make_table(server, open=True, clock={"kind": "live", "start": 120, "add": 5}), ann, ben)
    give_up(ann)
    expect(ben.find("rematch-wish")).to_have_text("A rematch begins once all players want it.")
    ann.press("rematch")
    expect(ann.find("rematch-wish")).to_have_text("Waiting for Ben.")
    expect(ben.find("rematch-wish")).to_have_text("Ann wants a rematch.")
    ann.press("rematch-back")
    expect(ben.find("rematch-wish")).to_have_text("A rematch begins once all players want it.")
    ben.press("rematch")
    expect(ann.find("rematch-wish")).to_have_text("Ben wants a rematch.")
    ann.press("rematch")
    for each in (ann, ben):
        expect(each.find("final")).to_be_hidden()
        expect(each.find("turn-clock")).to_be_visible()
    # The seats have moved up by one: Ben begins.
    assert ben.await_turn().my_turn
    ann.page.reload()
    expect(ann.page.locator("li[data-seat='1']")).to_contain_text("you")
