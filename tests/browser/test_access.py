"""Every page, dialog and state for everyone: axe finds nothing, in both themes, on a desk and on a phone."""

from collections.abc import Callable
from random import Random
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser.guests import OVERFLOW, Guest, Inn
from browser.positions import first_uses, near_the_end, record

Step = Callable[[Guest], object]


def a_table(guest: Guest, *kinds: str, position: str | None = None) -> None:
    made = guest.server.make_table(kinds or ("person", "person"), position=position)
    guest.own(made, 0)


def close_dialog(guest: Guest) -> None:
    guest.page.keyboard.press("Escape")
    expect(guest.page.locator("dialog[open]")).to_have_count(0)


def open_sheet(guest: Guest) -> None:
    """On a phone most of the table is in a sheet."""
    if guest.find("sheet").is_visible() and guest.find("sheet").get_attribute("aria-expanded") == "false":
        guest.press("sheet")


def new_by_hand(guest: Guest) -> None:
    guest.open("/new")
    guest.press("board-hand")
    guest.press("pick-cards")
    guest.page.locator("details.options summary").click()
    expect(guest.find("slot-0")).to_be_visible()


def invite(guest: Guest) -> None:
    guest.open("/new/friends")
    guest.press("start-game")
    expect(guest.find("go-table")).to_be_visible()


def join(guest: Guest) -> None:
    made = guest.server.make_table(("person", "open"), board="first")
    guest.sit(made["seats"][1])
    expect(guest.find("join")).to_be_visible()


def tile_in_use(guest: Guest) -> None:
    close_dialog(guest)
    moment = first_uses()["paddock"]
    made = guest.server.make_table(["person"] * moment.players, position=moment.position)
    guest.sit(made["seats"][moment.player])
    sight = guest.do(guest.look(), "tile-paddock")
    guest.take(sight, sight.glowing[0])


def game(guest: Guest) -> None:
    a_table(guest, "person", "greedy", position=near_the_end(supply=15).position)
    guest.play_turn(Random(1))
    guest.await_turn()


def hints(guest: Guest) -> None:
    guest.press("hint")
    expect(guest.find("suggestion-0")).to_be_visible()


def complaint(guest: Guest) -> None:
    guest.find("end-turn").click(force=True)
    expect(guest.find("complaint")).to_be_visible()


def sheet(guest: Guest) -> None:
    open_sheet(guest)
    turn = guest.find("log").locator("button.opener").last
    turn.click()


def lit_hexes(guest: Guest) -> None:
    guest.page.locator('[data-testid^="score-0-"]').first.click()


def chat(guest: Guest) -> None:
    guest.press("chat-tab")
    guest.find("chat-input").fill("Hello")
    guest.page.keyboard.press("Enter")
    expect(guest.find("chat")).to_contain_text("Hello")


def past(guest: Guest) -> None:
    guest.page.locator("#tab-log").click()
    guest.find("log").locator("button.words").first.click()
    expect(guest.find("past")).to_be_visible()


def explanation(guest: Guest) -> None:
    guest.press("back-to-game")
    open_sheet(guest)
    guest.page.locator('[data-testid^="card-"]').first.click()
    expect(guest.page.locator("dialog[open]")).to_be_visible()


def link(guest: Guest) -> None:
    close_dialog(guest)
    guest.press("copy-position")
    expect(guest.find("position-link")).to_be_visible()


def host(guest: Guest) -> None:
    close_dialog(guest)
    guest.press("host")
    guest.press("reseat-person-1")
    expect(guest.find("reseat-link-1")).to_be_visible()


def preferences(guest: Guest) -> None:
    close_dialog(guest)
    guest.press("preferences")
    expect(guest.find("lang-de")).to_be_visible()


def end(guest: Guest) -> None:
    a_table(guest, "person", "greedy", position=near_the_end(supply=9).position)
    sight = guest.await_turn()
    while not sight.over:
        sight = guest.act(sight, Random(1), tiles=False) if sight.my_turn else guest.await_turn()
    expect(guest.find("final").get_by_role("figure", name="Gold over the turns")).to_be_visible()


def replay(guest: Guest) -> None:
    guest.press("replay")
    expect(guest.find("replay-slider")).to_be_visible()


def advice(guest: Guest) -> None:
    expect(guest.find("expected-0")).to_be_visible()
    guest.page.locator("figure summary").click()
    guest.press("advice")
    expect(guest.find("played")).to_be_visible()


def start(guest: Guest) -> None:
    """With a list of games to go on with."""
    guest.open("/")
    expect(guest.find("play-now")).to_be_visible()
    expect(guest.page.get_by_role("heading", name="Continue")).to_be_visible()


def broken_record(guest: Guest) -> None:
    guest.allow("status of 400")
    guest.open("/record")
    guest.find("record-text").fill(record("00").replace("1A ", "1A z99 ", 1))
    guest.press("record-open")
    expect(guest.page.locator("mark")).to_be_visible()


def rules(guest: Guest) -> None:
    guest.open("/rules")
    expect(guest.page.locator("article, .topics section").first).to_be_visible()


def learn(guest: Guest) -> None:
    guest.open("/learn")
    expect(guest.find("walkthrough")).to_be_visible()


def opens(path: str, words: str) -> Step:
    def step(guest: Guest) -> None:
        guest.open(path)
        expect(guest.page.get_by_role("heading", name=words).first).to_be_visible()

    return step


STEPS: dict[str, Step] = {
    "new": opens("/new", "Set up a game"),
    "new by hand": new_by_hand,
    "invite": invite,
    "join": join,
    "tile in use": tile_in_use,
    "game": game,
    "hints": hints,
    "complaint": complaint,
    "sheet": sheet,
    "lit hexes": lit_hexes,
    "chat": chat,
    "past": past,
    "explanation": explanation,
    "link": link,
    "host": host,
    "preferences": preferences,
    "end": end,
    "replay": replay,
    "advice": advice,
    "start": start,
    "record": opens("/record", "Open a record"),
    "broken record": broken_record,
    "rules": rules,
    "about": opens("/about", "About"),
    "not found": opens("/nowhere", "There is nothing here"),
    "trouble": opens("/table/0123456789abcdef", "This table cannot be opened"),
    "learn": learn,
}


def violations(guest: Guest) -> list[str]:
    found = Axe().run(guest.page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {node['target']} {node['html'][:200]} {node.get('failureSummary', '')}"
        for rule in found
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", ["desk", "phone"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(
    visit: Inn, scheme: Literal["light", "dark"], device: str
) -> None:
    guest = visit.phone(color_scheme=scheme) if device == "phone" else visit(color_scheme=scheme)
    wrong: list[str] = []
    for name, step in STEPS.items():
        step(guest)
        guest.settle()
        wrong += [f"{name}: {each}" for each in violations(guest)]
        wide = guest.page.evaluate(OVERFLOW)
        if wide > 0:
            wrong.append(f"{name}: {wide} pixels wider than the window")
    assert not wrong, "\n".join(wrong)
