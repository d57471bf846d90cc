"""A host, players and spectators: who may speak, who is sent away, and what a new player may see."""

from playwright.sync_api import expect

from browser.test_friends import follow, invite, join, say
from browser.users import Browsers, BrowserUser


def party(visit: Browsers) -> tuple[BrowserUser, BrowserUser, BrowserUser, BrowserUser]:
    """Ann, who is the host, Ben, Cleo, and Wim, a spectator."""
    ann, ben, cleo, wim = (visit(viewport={"width": 1000, "height": 700}) for _ in range(4))
    links, watch = invite(ann, 3)
    join(ben, links[0], "Ben", 4)
    join(cleo, links[1], "Cleo", 3)
    follow(wim, watch)
    expect(ann.page.get_by_text("1 person is looking on")).to_be_visible()
    return ann, ben, cleo, wim


def test_a_spectator_is_distinguished_from_players_muted_and_sent_away(visit: Browsers) -> None:
    ann, ben, _, wim = party(visit)
    say(wim, "Nice move")
    ben.press("chat-tab")
    expect(ben.find("chat").locator("p[data-role=watcher]")).to_contain_text("looks on")
    ben.press("hide-lines")
    ben.find("hide-watchers").check()
    ben.page.keyboard.press("Escape")
    expect(ben.find("chat")).not_to_contain_text("Nice move")
    expect(ben.find("hidden-lines")).to_have_text("1 line is hidden")

    ann.press("host")
    mute = ann.page.locator("[data-testid^=mute-]")
    mute.click()
    expect(ann.page.locator("[data-watcher]")).to_contain_text("muted")
    say(wim, "Still here")
    expect(wim.find("chat-problem")).to_contain_text("does not let you speak")
    mute.click()
    expect(ann.page.locator("[data-watcher]")).not_to_contain_text("muted")
    ann.press("hush")
    expect(ann.find("hush")).to_be_checked()
    expect(wim.find("silence")).to_be_visible()
    expect(wim.find("chat-input")).to_have_count(0)

    remove = ann.page.locator("[data-testid^=remove-]")
    remove.click()
    expect(remove).to_contain_text("Press again")
    remove.click()
    expect(wim.find("trouble")).to_contain_text("You were sent away")
    ann.press("renew")
    ann.press("renew")
    link = ann.find("new-watch-link").input_value()
    ann.page.keyboard.press("Escape")
    expect(ann.find("notice")).to_contain_text("The link for looking on was renewed.")
    follow(visit(), link)


def test_a_new_player_sees_the_hand_when_all_agree(visit: Browsers) -> None:
    ann, ben, cleo, _ = party(visit)
    ann.press("host")
    ann.press("reseat-person-1")
    ann.press("reseat-sure")
    link = ann.find("reseat-link-1").input_value()
    ann.page.keyboard.press("Escape")
    expect(ben.find("trouble")).to_contain_text("The host has given your seat to somebody else.")
    expect(ben.find("game")).to_be_visible()
    dora = join(visit(), link, "Dora", 2)
    expect(dora.find("veiled")).to_contain_text("You see your card when you draw one")
    ann.press("agree-1")
    expect(ann.find("agree-1")).to_have_count(0)
    expect(dora.find("veiled")).to_be_visible()
    cleo.press("agree-1")
    expect(dora.find("veiled")).to_have_count(0)
    for each in (ann, cleo, dora):
        notices = each.find("notice")
        expect(notices.nth(0)).to_contain_text("The seat of Ben has a new player")
        expect(notices.nth(1)).to_contain_text("All agreed: Dora")
