"""Notices of turns: asked for on their page, and sent to where people want them while no page is open."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, expect
from server.client import ServerPool
from server.push_service import PushService
from server.receiver import Receiver, http_answer

from browser.axe import violations
from browser.company import DAY, FAST, gather, make_table
from browser.test_friends import invite, join
from browser.users import OVERFLOW, Browsers, BrowserUser, browsers
from kingdom_builder.server.database import DATABASE
from kingdom_builder.server.ways import unsubscribing_token

# The browser's half of a push service, which a Chromium without a window has not got.
TAKE_PUSHES = """({ endpoint, p256dh, auth }) => {
    const taken = "stand-in-subscription";
    const subscription = {
        endpoint,
        toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
        unsubscribe: async () => { sessionStorage.removeItem(taken); return true; },
    };
    PushManager.prototype.getSubscription = async () => sessionStorage.getItem(taken) && subscription;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        sessionStorage.setItem(taken, applicationServerKey.length);
        return subscription;
    };
}"""
HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def push() -> Iterator[PushService]:
    with PushService() as service:
        yield service


@pytest.fixture
def hook() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
def telling(
    browser: Browser, server_pool: ServerPool, tmp_path: Path, push: PushService, hook: Receiver
) -> Iterator[Browsers]:
    """A server that sends pushes and webhooks after a second, and its visitors."""
    server = server_pool.start(
        tmp_path / "data",
        address="https://kb.example.org",
        push_contact="mailto:operator@example.org",
        push_allow=[push.origin],
        webhook_allow=[hook.origin],
        notice_delay=1,
    )
    with browsers(browser, server) as house:
        yield house
    server.stop()
    assert "Traceback" not in server.log()


def with_pushes(visit: Browsers, push: PushService) -> BrowserUser:
    """Somebody whose browser takes pushes."""
    user = visit(service_workers="allow", permissions=["notifications"])
    half = {"endpoint": push.endpoint, "p256dh": push.browser.p256dh, "auth": push.browser.auth}
    user.context.add_init_script(f"({TAKE_PUSHES})({json.dumps(half)})")
    return user


def test_whoever_asks_for_it_is_told_of_turns_while_no_page_shows_the_table(
    telling: Browsers, push: PushService, hook: Receiver
) -> None:
    ann, ben = with_pushes(telling, push), telling()
    links, _ = invite(ann, 2)
    join(ben, links[0], "Ben", 4)
    table = ann.page.url
    sent: list[str] = []
    ann.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))

    ann.open("/about")
    ann.press("preferences")
    ann.press("to-notifications")
    expect(ann.find("notifications").get_by_role("heading", level=1)).to_have_text("Notices")
    ann.find("push-here").check()
    expect(ann.find("push-device")).to_contain_text("this device")
    expect(ann.find("notify-saved")).to_have_text("Saved.")
    ann.find("webhook-url").fill(f"{hook.origin}/secret")
    ann.press("webhook-save")
    expect(ann.find("notify-saved")).to_have_text("The test has arrived.")
    expect(ann.find("webhook-host")).to_contain_text(f"127.0.0.1:{hook.port}")
    assert "This is a test" in json.loads(hook.next().body)["content"]
    ann.page.reload()
    expect(ann.find("push-here")).to_be_checked()

    # While she looks at the table she is not told.
    ann.page.goto(table)
    ann.play_turn(Random(1))
    ben.await_turn()
    ben.play_turn(Random(2))
    ann.await_turn()
    ann.page.wait_for_timeout(2500)
    assert push.is_empty
    assert hook.is_empty

    # With the page in the background she is, once, and in every way.
    ann.play_turn(Random(3))
    ann.page.evaluate(HIDE, True)
    ben.await_turn()
    assert any('"visible"' in frame and '"on":false' in frame for frame in sent)
    ben.play_turn(Random(4))
    said = json.loads(push.next_push().payload)
    identity = table.rpartition("/")[2]
    assert said == {
        "title": "It is your turn",
        "body": "Your game with Ben waits for you.",
        "url": f"/#/table/{identity}",
        "tag": identity,
    }
    assert json.loads(hook.next().body)["url"] == f"https://kb.example.org/#/table/{identity}"
    assert push.complaints == []
    ann.page.evaluate(HIDE, False)

    # Nothing comes after she has said so, not even with the page closed.
    ann.open("/notifications")
    ann.find("push-here").uncheck()
    expect(ann.find("push-device")).to_have_count(0)
    ann.press("webhook-remove")
    expect(ann.find("webhook-host")).to_have_count(0)
    ann.page.goto(table)
    ann.play_turn(Random(5))
    ann.page.goto("about:blank")
    ben.await_turn()
    ben.play_turn(Random(6))
    ben.page.wait_for_timeout(2500)
    assert push.is_empty
    assert hook.is_empty


def test_what_goes_wrong_is_said(telling: Browsers, hook: Receiver) -> None:
    user = telling().open("/notifications")
    user.allow("status of 400")
    hook.answer = http_answer(500)
    for address, words in [
        (f"{hook.origin}/hook", "refused the test with status 500"),
        ("https://10.0.0.1/hook", "leads into a private network"),
        ("http://example.org/hook", "must begin with https"),
    ]:
        user.find("webhook-url").fill(address)
        user.press("webhook-save")
        expect(user.find("notify-problem")).to_contain_text(words)
        expect(user.find("webhook-host")).to_have_count(0)


def test_a_browser_that_was_told_to_show_no_notices_says_so(telling: Browsers) -> None:
    user = telling()
    user.context.add_init_script('Object.defineProperty(Notification, "permission", { get: () => "denied" })')
    user.open("/notifications")
    expect(user.find("push-obstacle")).to_contain_text("allow them in the settings of the browser")
    expect(user.find("push-here")).to_have_count(0)


def test_a_server_that_sends_nothing_says_so(visit: Browsers) -> None:
    user = visit().open("/notifications")
    for what in ("no-push", "no-webhook", "no-mail"):
        expect(user.find(what)).to_be_visible()


def test_the_link_in_a_mail_ends_mails_with_one_press(telling: Browsers, tmp_path: Path) -> None:
    user = telling().open("/notifications")
    expect(user.find("push-here")).to_be_visible()  # the server has made its keys
    with sqlite3.connect(tmp_path / "data" / DATABASE) as database:
        ((key,),) = database.execute("SELECT value FROM server_keys WHERE name = 'unsubscribing'")
    user.page.goto(f"{user.server.address}api/unsubscribe/{unsubscribing_token('0' * 16, key)}")
    user.press("unsubscribe-now")
    expect(user.find("unsubscribed")).to_be_visible()
    user.allow("status of 404")
    user.open(f"/unsubscribe/{'0' * 16}.{'0' * 32}")
    user.press("unsubscribe-now")
    expect(user.page.get_by_role("alert")).to_contain_text("This link ends no mails here")


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_page_is_for_everybody_on_every_screen(
    telling: Browsers, push: PushService, hook: Receiver, language: str
) -> None:
    user = with_pushes(telling, push)
    user.page.set_viewport_size({"width": 360, "height": 740})
    user.open("/notifications")
    user.find("push-here").check()
    expect(user.find("push-device")).to_be_visible()
    user.find("webhook-url").fill(f"{hook.origin}/{'x' * 200}")
    user.press("webhook-save")
    expect(user.find("webhook-host")).to_be_visible()
    user.press("preferences")
    user.press(f"lang-{language}")
    user.page.keyboard.press("Escape")
    expect(user.page.locator("html")).to_have_attribute("lang", language)
    assert violations(user) == []
    assert user.page.evaluate(OVERFLOW) <= 0


def test_notices_are_found_where_somebody_waits_for_days(visit: Browsers) -> None:
    ann, ben = visit(), visit.phone()
    server = ann.server
    gather(make_table(server, clock=DAY), ann, ben)
    for user in (ann, ben):
        user.press("game-menu")
        user.press("notices")
        expect(user.find("notifications")).to_be_visible()
    gather(make_table(server, clock=FAST), ann, ben)
    ann.press("game-menu")
    expect(ann.find("ask-pause")).to_be_visible()
    expect(ann.find("notices")).to_have_count(0)
    ann.open("/me")
    ann.press("notices")
    expect(ann.find("notifications")).to_be_visible()
    ann.open("/lobby")
    ann.press("seek-days")
    ann.find("search-days").get_by_test_id("notices").click()
    expect(ann.find("notifications")).to_be_visible()
