"""Clocks at the table: they run, warn, stop by consent, and what happens when the time is up."""

import re
import time
from random import Random

from playwright.sync_api import expect
from server.client import Server

from browser.company import DAY, FAST, gather, make_table
from browser.users import Browsers

SECONDS = """(testid) => {
    const [minutes, seconds] = document.querySelector(`[data-testid=${testid}]`).textContent.trim().split(":");
    return 60 * Number(minutes) + Number(seconds);
}"""


def test_the_clock_of_the_seat_in_turn_runs(visit: Browsers, server: Server) -> None:
    ann, ben = visit(), visit()
    gather(make_table(server, clock={"kind": "live", "start": 300, "add": 10}), ann, ben)
    began = time.monotonic()
    before = ann.page.evaluate(SECONDS, "turn-clock")
    ann.page.wait_for_timeout(2200)
    after = ann.page.evaluate(SECONDS, "turn-clock")
    bens = ben.page.evaluate(SECONDS, "turn-clock")
    longest = time.monotonic() - began + 2  # the machine may be busy; pages show whole seconds
    assert 2 <= before - after <= longest
    assert 1 <= before - bens <= longest
    # At the seats: one runs, the other stands.
    running = ann.page.locator("li[data-seat] .clock.running")
    expect(running).to_have_count(1)
    expect(ann.page.locator("li[data-seat='1'] .clock")).to_have_text("5:00")
    ann.play_turn(Random(1), tiles=False)
    expect(ben.page.locator("li[data-seat='1'] .clock.running")).to_be_visible()


def test_time_is_nearly_up_and_then_a_bot_plays_on_in_a_rated_game(visit: Browsers, server: Server) -> None:
    made = make_table(server, clock=FAST, rated=True, setup={})
    ann, ben = visit(), visit()
    gather(made, ann, ben)
    expect(ann.find("time-short")).to_have_text("")
    expect(ann.find("time-short")).to_have_text("Your time is nearly up.", timeout=60_000)
    expect(ann.find("turn-clock").locator(".short")).to_be_visible()
    expect(ben.find("time-short")).to_have_text("")
    expect(ben.find("log")).to_contain_text("The time of Ann is up.", timeout=30_000)
    expect(ben.page.locator("li[data-seat='0']")).to_contain_text("a bot stands in")
    ann.press("take-back-0")
    expect(ben.page.locator("li[data-seat='0']")).not_to_contain_text("bot")


def test_a_pause_and_its_end_need_both(visit: Browsers, server: Server) -> None:
    ann, ben = visit(), visit.phone()
    gather(make_table(server, clock=FAST), ann, ben)
    ann.press("game-menu")
    ann.press("ask-pause")
    expect(ann.find("pause")).to_contain_text("It begins once Ben agrees.")
    expect(ben.find("pause")).to_contain_text("Ann asks for a pause.")
    ben.press("pause-agree")
    for each in (ann, ben):
        expect(each.find("pause")).to_contain_text("Paused.")
    left = ann.find("turn-clock").inner_text()
    ann.page.wait_for_timeout(1500)
    assert ann.find("turn-clock").inner_text() == left

    sight = ann.look()
    ann.point(sight.glowing[0])
    expect(ann.page.get_by_text("The game is paused: all players have to want to go on.")).to_be_visible()
    ann.press("resume-agree")
    expect(ben.find("pause")).to_contain_text("Ann wants to go on.")
    ben.press("resume-agree")
    for each in (ann, ben):
        expect(each.find("pause")).to_be_hidden()
    ann.take(ann.look(), sight.glowing[0])


def test_a_game_of_days_says_in_the_list_how_long_there_is(visit: Browsers, server: Server) -> None:
    ann, ben = visit(), visit()
    made = make_table(server, clock=DAY)
    gather(made, ann, ben)
    expect(ann.find("turn-clock")).to_contain_text("23h 59m")
    ann.open("/")
    expect(ann.find(f"continue-{made['id']}")).to_contain_text("your turn")
    expect(ann.find(f"continue-{made['id']}")).to_contain_text("23h 59m left")
    ben.open("/")
    expect(ben.find(f"continue-{made['id']}")).to_contain_text("turn of Ann")


def test_the_title_counts_while_nobody_looks(visit: Browsers, server: Server) -> None:
    ann, ben = visit(), visit()
    gather(make_table(server, clock=FAST), ann, ben)
    assert ann.page.title() == "Your turn - Kingdom Builder"
    ann.page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", { value: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    ann.page.wait_for_function("() => /^0:[0-5][0-9](.\\\\d)? - Your turn/.test(document.title)")


def test_the_replay_shows_what_was_left_and_how_long_a_turn_took(visit: Browsers, server: Server) -> None:
    made = make_table(server, clock={"kind": "live", "start": 300, "add": 10})
    ann, ben = visit(), visit()
    gather(made, ann, ben)
    ann.page.wait_for_timeout(2000)
    ann.play_turn(Random(1), tiles=False)
    ann.open(f"/replay/table/{made['id']}/1")
    expect(ann.find("replay-time")).to_have_text("Time left of Ann: 5:00")
    for _ in range(3):  # the first two actions deal the cards
        ann.press("replay-next")
    expect(ann.find("replay-time")).to_have_text(re.compile(r"^Time left of Ann: 4:[2-5]\d · turn 1A: 0:[0-3]\d$"))
    ann.press("replay-turn-next")
    expect(ann.find("replay-time")).to_contain_text("Time left of Ben: 5:00")
