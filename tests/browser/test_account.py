"""The account: passkeys with Chromium's virtual authenticator, codes, devices, and leaving for good."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import CDPSession, expect
from server.client import Server, kb_serve
from server.mail_server import MailServer

from browser.axe import violations
from browser.users import OVERFLOW, Browsers, BrowserUser

Json = dict[str, Any]


class Passkeys:
    """The virtual authenticator of a user's page."""

    def __init__(self, user: BrowserUser) -> None:
        self._session: CDPSession = user.context.new_cdp_session(user.page)
        self._session.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        answer = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        self._id = answer["authenticatorId"]

    def all(self) -> list[Json]:
        found: list[Json] = self._session.send("WebAuthn.getCredentials", {"authenticatorId": self._id})["credentials"]
        return found

    def take(self, credentials: list[Json]) -> None:
        """Have the same passkeys as another authenticator, as one of a password manager would."""
        for each in credentials:
            self._session.send("WebAuthn.addCredential", {"authenticatorId": self._id, "credential": each})


@pytest.fixture
def here(server: Server) -> Server:
    """The server at an address with a name: passkeys do not work with numbers."""
    named = copy.copy(server)
    named.address = server.address.replace("127.0.0.1", "localhost")
    return named


def is_member(user: BrowserUser) -> None:
    expect(user.find("account-state")).to_have_attribute("data-member", "true")


def games(user: BrowserUser, count: int) -> None:
    """How many games the start page has to continue."""
    expect(user.page.locator("[data-testid^=continue-]")).to_have_count(count)


def add_passkey(user: BrowserUser) -> Passkeys:
    passkeys = Passkeys(user)
    user.open("/me")
    user.press("add-passkey")
    is_member(user)
    expect(user.find("passkey")).to_have_count(1)
    return passkeys


def sign_in(user: BrowserUser) -> None:
    """Sign in with a passkey; the virtual authenticator may take the one that the page offers at once."""
    user.open("/me")
    user.find("account-state").wait_for()
    if user.find("account-state").get_attribute("data-member") == "false":
        user.find("by-passkey").dispatch_event("click")
    is_member(user)


def test_a_passkey_is_made_and_signs_in_elsewhere_with_the_games_of_both_devices(visit: Browsers, here: Server) -> None:
    tables = [here.make_table() for _ in range(3)]
    phone, laptop = visit(here), visit(here)
    for user, made in ((phone, tables[0]), (phone, tables[1]), (laptop, tables[2])):
        user.sit(made["seats"][0])
    phone.open("/me")
    expect(phone.find("account-state")).to_have_attribute("data-member", "false")
    phone.find("account-name").fill("Annabel")
    phone.press("save-name")
    expect(phone.find("account-link")).to_contain_text("Annabel")
    known = add_passkey(phone)
    assert len(known.all()) == 1

    laptop.open("/about")
    Passkeys(laptop).take(known.all())
    sign_in(laptop)
    expect(laptop.find("account-link")).to_contain_text("Annabel")
    expect(laptop.find("device")).to_have_count(2)
    laptop.open()
    games(laptop, 3)
    for user in (laptop, phone):  # nobody has lost a seat, and each device plays all of them
        for made in tables:
            user.open("/about")
            user.open(f"/table/{made['id']}")
            user.find("board").wait_for()
            sight = user.await_turn()
            assert sight.my_turn
            user.take(sight, sight.glowing[0])


def test_recovery_codes_are_shown_once_and_sign_in(visit: Browsers, here: Server) -> None:
    ann, elsewhere = visit(here), visit(here)
    ann.open("/me")
    ann.press("make-codes")
    expect(ann.find("codes").locator("code")).to_have_count(10)
    codes = ann.find("codes").locator("code").all_inner_texts()
    with ann.page.expect_download() as saved:
        ann.press("download-codes")
    assert saved.value.path().read_text().split() == codes
    ann.press("codes-done")
    expect(ann.find("codes")).to_have_count(0)
    is_member(ann)
    expect(ann.find("codes-left")).to_contain_text("10")

    elsewhere.open("/me")
    elsewhere.find("recovery-code").fill(codes[0].lower())
    elsewhere.press("by-code")
    is_member(elsewhere)
    expect(elsewhere.find("codes-left")).to_contain_text("9")
    elsewhere.find("sign-in").locator("summary").click()
    elsewhere.allow("400")
    elsewhere.find("recovery-code").fill(codes[0])
    elsewhere.press("by-code")
    expect(elsewhere.find("sign-in-problem")).to_contain_text("wrong or too old")


def test_where_passkeys_do_not_work_the_page_says_why(visit: Browsers) -> None:
    user = visit().open("/me")
    expect(user.find("no-passkeys")).to_contain_text("127.0.0.1")
    expect(user.find("no-mail")).to_contain_text("sends no mails")
    expect(user.find("add-passkey")).to_have_count(0)
    expect(user.find("by-passkey")).to_have_count(0)


def test_a_guest_who_signs_out_is_warned_and_a_member_comes_back(visit: Browsers, here: Server) -> None:
    made = here.make_table()
    ann = visit(here)
    ann.sit(made["seats"][0])
    ann.open("/me")
    ann.press("sign-out")
    expect(ann.page.get_by_role("dialog")).to_contain_text("You have no way to sign in again")
    ann.page.keyboard.press("Escape")
    add_passkey(ann)
    ann.press("sign-out")
    ann.press("sign-out-sure")
    expect(ann.find("account-state")).to_have_attribute("data-member", "false")
    ann.open()
    games(ann, 0)
    sign_in(ann)
    ann.open()
    games(ann, 1)


def test_everything_is_saved_as_a_file_and_deleted_at_last(visit: Browsers, here: Server) -> None:
    made = here.make_table()
    ann, ben = visit(here), visit(here)
    ann.open("/me")
    ann.find("account-name").fill("Unmistakable")
    ann.press("save-name")
    expect(ann.find("account-link")).to_contain_text("Unmistakable")
    with ann.page.expect_download() as saved:
        ann.press("export")
    assert json.loads(saved.value.path().read_text())["data"]["persons"][0]["name"] == "Unmistakable"
    ann.sit(made["seats"][0])
    ben.sit(made["seats"][1])
    ann.open("/me")
    ann.press("delete")
    expect(ann.find("delete-sure")).to_be_disabled()
    ann.find("delete-word").fill("Delete")
    ann.press("delete-sure")
    expect(ann.find("account-link")).to_contain_text("Guest")
    expect(ann.find("account-name")).to_have_value("")
    expect(ben.find("board")).to_be_visible()
    ann.open()
    games(ann, 0)


def test_the_account_is_for_everyone_also_on_a_small_phone(visit: Browsers, here: Server) -> None:
    user = visit(here, viewport={"width": 360, "height": 740})
    add_passkey(user)
    user.press("make-codes")
    expect(user.find("codes").locator("code")).to_have_count(10)
    assert violations(user) == []
    user.press("codes-done")
    assert violations(user) == []
    assert user.page.evaluate(OVERFLOW) <= 0


def test_a_code_by_mail_signs_in_on_another_device(visit: Browsers, tmp_path: Path) -> None:
    with MailServer() as mails:
        smtp = ("--smtp", f"smtp+plain://127.0.0.1:{mails.port}", "--smtp-from", "games@example.org")
        with kb_serve(tmp_path / "data", *smtp) as server:
            ann, elsewhere = visit(server), visit(server)
            for user, purpose in ((ann, "attach"), (elsewhere, "sign-in")):
                user.open("/me")
                user.find(f"{purpose}-address").fill("ann@example.org")
                user.press(f"{purpose}-mail")
                user.find(f"{purpose}-mailed-code").wait_for()
                found = re.search(r"^    (\w{6})", mails.next().message.get_content(), re.MULTILINE)
                assert found
                user.find(f"{purpose}-mailed-code").fill(found[1])
                user.press(f"{purpose}-confirm")
                is_member(user)
                expect(user.find("address")).to_have_text("ann@example.org")
            for user in (ann, elsewhere):
                user.page.goto("about:blank")  # before the server ends: the page still loads what it needs later
