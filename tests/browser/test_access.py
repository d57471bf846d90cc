"""Every page, dialog and state for everyone: axe finds nothing, in both themes, on a desk and on a phone."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import expect

from browser.axe import violations
from browser.positions import first_uses, near_the_end, record
from browser.users import OVERFLOW, Browsers, BrowserUser

Step = Callable[[BrowserUser], object]


def a_table(user: BrowserUser, *kinds: str, position: str | None = None) -> None:
    made = user.server.make_table(kinds or ("person", "person"), position=position)
    user.own(made, 0)


def close_dialog(user: BrowserUser) -> None:
    user.page.keyboard.press("Escape")
    expect(user.page.locator("dialog[open]")).to_have_count(0)


def open_sheet(user: BrowserUser) -> None:
    """On a phone most of the table is in a sheet."""
    if user.find("sheet").is_visible() and user.find("sheet").get_attribute("aria-expanded") == "false":
        user.press("sheet")


def new_by_hand(user: BrowserUser) -> None:
    user.open("/new")
    user.press("board-hand")
    user.press("pick-cards")
    user.page.locator("details.options summary").click()
    expect(user.find("slot-0")).to_be_visible()


def invite(user: BrowserUser) -> None:
    user.open("/new/friends")
    user.press("start-game")
    expect(user.find("go-table")).to_be_visible()


def join(user: BrowserUser) -> None:
    made = user.server.make_table(("person", "open"), board="first")
    user.sit(made["seats"][1])
    expect(user.find("join")).to_be_visible()


def tile_in_use(user: BrowserUser) -> None:
    close_dialog(user)
    moment = first_uses()["paddock"]
    made = user.server.make_table(["person"] * moment.players, position=moment.position)
    user.sit(made["seats"][moment.player])
    sight = user.do(user.look(), "tile-paddock")
    user.take(sight, sight.glowing[0])


def game(user: BrowserUser) -> None:
    a_table(user, "person", "greedy", position=near_the_end(supply=15).position)
    user.play_turn(Random(1))
    user.await_turn()


def hints(user: BrowserUser) -> None:
    user.press("hint")
    expect(user.find("suggestion-0")).to_be_visible()


def complaint(user: BrowserUser) -> None:
    user.find("end-turn").click(force=True)
    expect(user.find("complaint")).to_be_visible()


def sheet(user: BrowserUser) -> None:
    open_sheet(user)
    turn = user.find("log").locator("button.opener").last
    turn.click()


def lit_hexes(user: BrowserUser) -> None:
    user.page.locator('[data-testid^="score-0-"]').first.click()


def chat(user: BrowserUser) -> None:
    user.press("chat-tab")
    user.find("chat-input").fill("Hello")
    user.page.keyboard.press("Enter")
    expect(user.find("chat")).to_contain_text("Hello")


def past(user: BrowserUser) -> None:
    user.page.locator("#tab-log").click()
    user.find("log").locator("button.words").first.click()
    expect(user.find("past")).to_be_visible()


def explanation(user: BrowserUser) -> None:
    user.press("back-to-game")
    open_sheet(user)
    user.page.locator('[data-testid^="card-"]').first.click()
    expect(user.find("explanation")).to_be_visible()


def link(user: BrowserUser) -> None:
    user.page.keyboard.press("Escape")
    expect(user.find("explanation")).to_have_count(0)
    user.press("copy-position")
    expect(user.find("position-link")).to_be_visible()


def host(user: BrowserUser) -> None:
    close_dialog(user)
    user.press("host")
    user.press("reseat-person-1")
    expect(user.find("reseat-link-1")).to_be_visible()


def preferences(user: BrowserUser) -> None:
    close_dialog(user)
    user.press("preferences")
    expect(user.find("lang-de")).to_be_visible()


def end(user: BrowserUser) -> None:
    a_table(user, "person", "greedy", position=near_the_end(supply=9).position)
    sight = user.await_turn()
    while not sight.over:
        sight = user.act(sight, Random(1), tiles=False) if sight.my_turn else user.await_turn()
    expect(user.find("final").get_by_role("figure", name="Gold over the turns")).to_be_visible()


def replay(user: BrowserUser) -> None:
    user.press("replay")
    expect(user.find("replay-slider")).to_be_visible()


def analysis(user: BrowserUser) -> None:
    replay(user)
    user.press("analyse")
    expect(user.find("mistake").first).to_be_visible()
    expect(user.find("analysis")).to_have_attribute("data-done", "true", timeout=60_000)


def advice(user: BrowserUser) -> None:
    expect(user.find("expected-0")).to_be_visible()
    user.page.locator("figure summary").click()
    user.press("advice")
    expect(user.find("played")).to_be_visible()


def start(user: BrowserUser) -> None:
    """With a list of games to go on with."""
    user.open("/")
    expect(user.find("play-now")).to_be_visible()
    expect(user.page.get_by_role("heading", name="Continue")).to_be_visible()


def quick_choice(user: BrowserUser) -> None:
    user.find("quick").locator("summary").click()
    expect(user.find("quick-level")).to_be_visible()


def history(user: BrowserUser) -> None:
    """With a game that was finished before."""
    user.open("/history")
    expect(user.find("past-game").first).to_be_visible()


def hand_over(user: BrowserUser) -> None:
    user.own(user.server.make_table(position=near_the_end().position), 0, 1)
    user.play_turn(Random(1), tiles=False)
    expect(user.find("hand-over")).to_be_visible()


def look_at_hand(user: BrowserUser) -> None:
    user.await_turn()
    open_sheet(user)
    user.press("look-0")
    user.press("look-now")
    expect(user.find("look-now")).to_have_text("Cover again")


def reseat_question(user: BrowserUser) -> None:
    close_dialog(user)
    user.press("host")
    user.press("reseat-bot-1")
    expect(user.find("reseat-sure")).to_be_visible()


def stand_in(user: BrowserUser) -> None:
    user.press("reseat-sure")
    user.page.keyboard.press("Escape")
    expect(user.find("take-back-1")).to_be_visible()


def broken_record(user: BrowserUser) -> None:
    user.allow("status of 400")
    user.open("/record")
    user.find("record-text").fill(record("00").replace("1A ", "1A z99 ", 1))
    user.press("record-open")
    expect(user.page.locator("mark")).to_be_visible()


def rules(user: BrowserUser) -> None:
    user.open("/rules")
    expect(user.page.locator("article, .topics section").first).to_be_visible()


def learn(user: BrowserUser) -> None:
    user.open("/learn")
    user.press("lesson-next")
    user.press("lesson-next")
    sight = user.look()
    user.point("a3")
    expect(user.find("lesson-refusal")).to_be_visible()
    assert user.look() == sight


def lesson_about_gold(user: BrowserUser) -> None:
    user.open("/lessons/scoring")
    expect(user.find("lesson")).to_have_attribute("data-step", "discoverers")


def lessons(user: BrowserUser) -> None:
    user.open("/lessons")
    expect(user.find("lesson-tutorial")).to_contain_text("begun")


def opens(path: str, words: str) -> Step:
    def step(user: BrowserUser) -> None:
        user.open(path)
        expect(user.page.get_by_role("heading", name=words).first).to_be_visible()

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
    "analysis": analysis,
    "history": history,
    "start": start,
    "quick choice": quick_choice,
    "hand over": hand_over,
    "look at hand": look_at_hand,
    "reseat question": reseat_question,
    "stand-in": stand_in,
    "record": opens("/record", "Open a record"),
    "broken record": broken_record,
    "rules": rules,
    "about": opens("/about", "About"),
    "not found": opens("/nowhere", "There is nothing here"),
    "trouble": opens("/table/0123456789abcdef", "This table cannot be opened"),
    "learn": learn,
    "lesson about gold": lesson_about_gold,
    "lessons": lessons,
}


@pytest.mark.parametrize("device", ["desk", "phone"])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(visit: Browsers, device: str) -> None:
    user = visit.phone() if device == "phone" else visit()
    wrong: list[str] = []
    for name, step in STEPS.items():
        step(user)
        user.settle()
        wrong += [f"{name}: {each}" for each in violations(user)]
        wide = user.page.evaluate(OVERFLOW)
        if wide > 0:
            wrong.append(f"{name}: {wide} pixels wider than the window")
    assert not wrong, "\n".join(wrong)
