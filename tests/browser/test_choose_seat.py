"""One link for a table: whoever opens it chooses a seat, and everybody sees who has come."""

from playwright.sync_api import expect
from server.client import Server

from browser.axe import violations
from browser.company import FAST, come, gather, make_table, sit
from browser.users import OVERFLOW, Browsers


def test_friends_choose_their_seats_by_one_link(visit: Browsers) -> None:
    ann, ben, cleo = visit(), visit(), visit.phone()
    ann.open("/new/friends")
    ann.press("add-seat")
    ann.press("board-first")
    ann.press("start-game")
    link = ann.page.get_by_role("textbox", name="The table").input_value()
    expect(ann.find("copy-link-watch")).to_be_hidden()
    ann.press("go-table")
    expect(ann.find("arrivals")).to_contain_text("1 of 3 is here")
    expect(ann.find("copy-table-link")).to_be_visible()

    for friend in (ben, cleo):
        friend.page.goto(link)
        expect(friend.find("sit-form")).to_be_visible()
    expect(ben.find("sit-0")).to_be_disabled()
    sit(ben, "Ben", 2)
    expect(ann.find("arrivals")).to_contain_text("2 of 3 are here")
    # Cleo looked at the same seats: what is left of them is chosen for her.
    expect(cleo.find("sit-2")).to_be_disabled()
    expect(cleo.find("sit-1")).to_be_checked()
    sit(cleo, "Cleo", 1)
    for each in (ann, ben, cleo):
        expect(each.find("arrivals")).to_be_hidden()
    names = ann.page.locator("li[data-seat] .name")
    expect(names).to_contain_text(["Player A", "Cleo", "Ben"])

    ben.page.reload()
    expect(ben.page.locator("li[data-seat='2']")).to_contain_text("you")
    expect(ben.find("sit-form")).to_have_count(0)


def test_a_seat_is_kept_by_those_whom_the_server_does_not_know(visit: Browsers, server: Server) -> None:
    made = make_table(server)
    ann = visit()
    ann.allow("api/me")
    ann.allow("Failed to load resource")
    ann.page.route("**/api/me", lambda route: route.abort())
    sit(come(ann, made), "Ann", 1)
    expect(ann.page.locator("li[data-seat='1']")).to_contain_text("you")
    ann.page.reload()
    expect(ann.page.locator("li[data-seat='1']")).to_contain_text("you")
    # Also in another tab, which knows only what the device keeps.
    tab = ann.another_tab()
    tab.open(f"/table/{made['id']}")
    expect(tab.page.locator("li[data-seat='1']")).to_contain_text("you")


def test_everybody_may_look_on_at_an_open_table_and_sit_down_later(visit: Browsers, server: Server) -> None:
    made = make_table(server, open=True, clock=FAST)
    ann, ben = visit(), visit()
    ann.open(f"/table/{made['id']}")
    ann.press("look-on")
    expect(ann.find("sit-form")).to_be_hidden()
    expect(ann.find("arrivals")).to_contain_text("The clocks run once everybody is here.")
    ann.press("choose-seat")
    sit(ann, "Ann", 0)
    expect(ann.find("choose-seat")).to_have_count(0)
    ben.open(f"/table/{made['id']}")
    sit(ben, "Ben", 1)
    expect(ann.find("turn-clock")).to_contain_text("0:5")
    expect(ann.page.locator("[data-testid=profile-1]")).to_contain_text("Ben")
    ann.page.locator("li[data-seat='1']").get_by_test_id("person-menu").click()
    expect(ann.page.get_by_role("dialog", name="Ben")).to_be_visible()


def test_the_choice_is_for_everybody(visit: Browsers, server: Server) -> None:
    made = make_table(server, 5)
    user = visit(viewport={"width": 360, "height": 640})
    come(user, made)
    expect(user.find("sit-form")).to_be_visible()
    assert violations(user) == []
    assert user.page.evaluate(OVERFLOW) <= 0
    user.page.keyboard.press("Escape")
    expect(user.find("sit-form")).to_be_hidden()
    assert violations(user) == []


def test_two_who_gather_see_each_other(visit: Browsers, server: Server) -> None:
    ann, ben = visit(), visit.phone()
    gather(make_table(server, clock=FAST), ann, ben)
    assert ben.page.evaluate(OVERFLOW) <= 0
    expect(ben.find("turn-clock")).to_be_visible()
