"""Order among people in the browser: the menu about somebody at the table, privacy, and the page of operators."""

from playwright.sync_api import expect
from server.client import Server

from browser.axe import violations
from browser.company import gather, make_table
from browser.test_friends import say
from browser.users import Browsers


def test_somebody_at_the_table_is_blocked_and_reported(visit: Browsers, server: Server) -> None:
    made = server.make_table(["person", "person"])
    ann, ben = visit().sit(made["seats"][0]), visit().sit(made["seats"][1])
    ann.page.get_by_role("button", name="About Player B").click()
    ann.press("block")
    expect(ann.find("block")).to_have_attribute("aria-pressed", "true")
    ann.press("report")
    ann.find("report-text").fill("Rude")
    ann.press("send-report")
    expect(ann.page.get_by_text("The operator will look at it.")).to_be_visible()
    say(ben, "Can you read this?")
    say(ann, "Anybody there?")
    expect(ben.find("chat")).to_contain_text("Anybody there?")
    expect(ann.find("chat")).to_contain_text("Anybody there?")
    expect(ann.find("chat")).not_to_contain_text("Can you read this?")


def test_a_spectator_who_speaks_is_reported_and_blocked(visit: Browsers, server: Server) -> None:
    made = server.make_table(["person", "person"])
    ann, eve = visit().sit(made["seats"][0]), visit().watch(made["watch"])
    say(eve, "You play like a fool")
    ann.press("chat-tab")
    ann.press("speaker")
    ann.press("report")
    ann.find("report-text").fill("Insults from the side")
    ann.press("send-report")
    expect(ann.page.get_by_text("The operator will look at it.")).to_be_visible()
    ann.press("speaker")
    ann.press("block")
    expect(ann.find("block")).to_have_attribute("aria-pressed", "true")
    assert violations(ann) == []
    ann.page.keyboard.press("Escape")
    say(eve, "Nobody reads this")
    expect(eve.find("chat")).to_contain_text("Nobody reads this")
    say(ann, "It is quiet here")
    expect(ann.find("chat")).to_contain_text("It is quiet here")
    expect(ann.find("chat")).not_to_contain_text("Nobody reads this")
    expect(eve.find("chat").get_by_test_id("speaker")).to_have_count(1)


def test_a_name_in_the_lobby_leads_to_the_person_who_can_be_reported_once_one_has_met_them(
    visit: Browsers, server: Server
) -> None:
    made = make_table(server, open=True)
    ann, ben, cleo = visit(), visit(), visit()
    gather(made, ann, ben)
    for each in (cleo, ben):
        each.open("/lobby")
        each.page.locator(f'[data-table="{made["id"]}"]').get_by_role("link", name="Ann", exact=True).click()
        each.press("person-menu")
    expect(cleo.find("not-met")).to_be_visible()
    expect(cleo.find("report")).to_have_count(0)
    ben.press("report")
    ben.press("send-report")
    expect(ben.page.get_by_text("The operator will look at it.")).to_be_visible()


def test_the_page_on_privacy_is_reached_from_about_and_can_be_read(visit: Browsers) -> None:
    ann = visit.phone()
    ann.open("about")
    ann.page.get_by_role("link", name="What this server keeps about you").click()
    expect(ann.find("kept").first).to_be_visible()
    expect(ann.find("privacy")).to_contain_text("180 days")
    assert violations(ann) == []


def test_the_operators_page_is_closed_to_others(visit: Browsers) -> None:
    ann = visit()
    ann.allow(r"403")
    ann.open("admin")
    expect(ann.page.get_by_role("alert")).to_contain_text("Only operators of this server can do that.")
