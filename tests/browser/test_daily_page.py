"""The daily game in the browser: played to its end, entered in the list, seen by others."""

from random import Random

from playwright.sync_api import expect

from browser.users import Browsers
from kingdom_builder.daily import Daily, parse_day


def test_from_the_start_page_to_the_list_of_the_day(visit: Browsers) -> None:
    user = visit().open()
    user.press("daily")
    expect(user.find("daily-play")).to_be_visible()
    day = user.find("daily-date").get_attribute("data-date") or ""
    expect(user.find("daily-today")).to_contain_text("Nobody is on this list yet.")
    user.press("daily-play")
    sight = user.await_turn()
    daily = Daily(parse_day(day))
    for card in daily.start().setup.cards:
        expect(user.find(f"card-{card.key}")).to_be_visible()
    expect(user.find("hint")).to_have_count(0)
    user.open("/daily")
    expect(user.find("daily-continue")).to_contain_text("round 1")
    expect(user.find("daily-mine")).to_contain_text("0 gold so far")
    user.press("daily-continue")
    rng = Random(1)
    sight = user.await_turn()
    while not sight.over:
        user.play_turn(rng, tiles=False)
        sight = user.await_turn()
    gold = user.scores()["total-0"]
    user.press("to-daily")
    expect(user.find("daily-mine")).to_contain_text(f"You made {gold} gold")
    expect(user.find("daily-best")).to_contain_text(f"{gold} gold")
    user.find("daily-name").fill("")
    user.press("daily-enter")
    user.allow("400")
    expect(user.page.get_by_role("alert").last).to_contain_text("A name is missing")
    user.find("daily-name").fill("Anna")
    user.press("daily-enter")
    expect(user.find("daily-entered")).to_be_visible()
    expect(user.find("daily-today")).to_contain_text("Anna (you)")
    other = visit().open("/daily")
    expect(other.find("daily-today")).to_contain_text("Anna")
    expect(other.find("daily-today")).to_contain_text(f"{gold} gold")
    assert "you)" not in other.words()
    expect(other.find("daily-mine")).to_have_count(0)
