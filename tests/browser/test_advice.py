"""Hints at the table and judgements in the replay, by mouse, by keys and in German."""

import re

import pytest
from playwright.sync_api import expect

from browser.positions import near_the_end, record
from browser.users import Browsers, BrowserUser


def at_table(user: BrowserUser, *kinds: str) -> BrowserUser:
    """Somebody with a turn to play, and a tile."""
    made = user.server.make_table(kinds or ("person", "greedy"), position=near_the_end(supply=15).position)
    user.own(made, 0)
    user.await_turn()
    return user


def ask(user: BrowserUser) -> BrowserUser:
    user.press("hint")
    expect(user.find("suggestion-0")).to_be_visible()
    return user


def marks(user: BrowserUser) -> list[str]:
    """The hexes that are marked on the board, in order."""
    found = user.page.locator('[data-testid^="mark-"]').evaluate_all("all => all.map(each => each.dataset.testid)")
    return [each.removeprefix("mark-") for each in found]


def next_move(user: BrowserUser, index: int = 0) -> str:
    return user.find(f"suggestion-{index}").locator("strong").first.inner_text()


def focus(user: BrowserUser) -> str:
    return str(user.page.evaluate("() => document.activeElement?.dataset.testid ?? ''"))


def test_a_suggestion_is_seen_and_played_by_mouse(visit: Browsers) -> None:
    user = ask(at_table(visit()))
    suggestions = user.page.locator(".suggestion")
    assert 1 < suggestions.count() <= 3
    for text in suggestions.all_inner_texts():
        assert re.search(r"About \d+\.\d gold at the end:\s\S", text)
    best = marks(user)
    assert best
    user.find("suggestion-1").hover()
    assert marks(user) != best
    user.find("suggestion-0").hover()
    assert marks(user) == best

    sight = user.look()
    before, plan = len(user.pieces()), user.find("suggestion-0").inner_text()
    user.do(sight, "suggestion-0")
    assert len(user.pieces()) == before + 1
    assert suggestions.count() == 1, "the turn is followed, the others are gone"
    assert next_move(user) in plan
    assert marks(user) == best[1:]
    user.press("undo")
    expect(suggestions).to_have_count(0)
    assert marks(user) == []


def test_another_move_makes_the_suggestions_vanish(visit: Browsers) -> None:
    user = ask(at_table(visit()))
    sight = user.look()
    suggested = [next_move(user, i) for i in range(user.page.locator(".suggestion").count())]
    other = next(hex_name for hex_name in sight.glowing if hex_name not in suggested)
    user.take(sight, other)
    expect(user.page.locator(".suggestion")).to_have_count(0)


def test_a_turn_is_played_by_suggestions_and_keys_alone(visit: Browsers) -> None:
    user = at_table(visit())
    keys = user.page.keyboard
    user.find("board").focus()
    keys.press("?")
    expect(user.page.get_by_role("dialog")).to_contain_text("Hint, or go to the suggestions")
    keys.press("Escape")
    keys.press("h")
    expect(user.find("suggestion-0")).to_be_focused()
    keys.press("Tab")
    assert focus(user) == "suggestion-1"
    keys.press("Escape")
    expect(user.page.locator(".suggestion")).to_have_count(0)
    expect(user.find("board")).to_be_focused()

    keys.press("h")
    expect(user.find("suggestion-0")).to_be_focused()
    sight = user.look()
    keys.down("Enter")
    user.moved_from(sight.ply)
    held = user.look()
    keys.down("Enter")  # held down: that is not a second move
    user.settle()
    keys.up("Enter")
    assert user.look().ply == held.ply
    for _ in range(20):
        sight = user.look()
        last = next_move(user) == "end turn"
        assert focus(user) == "suggestion-0"
        keys.press("Enter")
        user.moved_from(sight.ply)
        if last:
            break
    expect(user.page.locator(".suggestion")).to_have_count(0)
    user.await_turn()


TILE = "GGGGDDFF/CCCCTTTT/G1GGDDFF/CCCCTTTT(paddock) lords - 1 C5D4F5G4T5 - 3A/G/0/- 38:a1,a3:b3:G 40:::D"


def test_a_tile_is_used_by_one_suggestion_and_its_way_is_drawn(visit: Browsers) -> None:
    user = visit()
    user.own(user.server.make_table(("person", "greedy"), position=TILE), 0)
    user.await_turn()
    ask(user)
    number = next(i for i in range(3) if "→" in next_move(user, i))
    user.find(f"suggestion-{number}").hover()
    words = re.fullmatch(r"Paddock (\w+) → (\w+)", next_move(user, number))
    assert words
    assert marks(user) == [words[2]]
    expect(user.page.locator('[data-testid="board"] .arc')).to_have_count(2)
    user.do(user.look(), f"suggestion-{number}")
    places = [piece.split()[1] for piece in user.pieces()]
    assert words[2] in places
    assert words[1] not in places


def test_no_hints_where_people_play_elsewhere(visit: Browsers) -> None:
    user = at_table(visit(), "person", "person")
    expect(user.find("hint")).to_have_count(0)
    user.page.keyboard.press("h")
    user.point(next(name for name in ("a1", "t20", "k10") if name not in user.look().glowing))
    expect(user.page.locator("[data-testid=refusal], [data-testid=explanation]")).to_be_visible()
    expect(user.find("complaint")).to_have_count(0)
    expect(user.page.locator(".suggestion")).to_have_count(0)
    together = visit()
    made = together.server.make_table(("person", "person"), board="first")
    ask(together.own(made, 0, 1))
    together.open(f"/replay/table/{made['id']}/1/2")
    expect(together.find("advice")).to_be_visible()
    apart = visit()
    apart.own(made, 0).open(f"/replay/table/{made['id']}/1/2")
    expect(apart.find("play-on")).to_be_visible()
    expect(apart.find("advice")).to_have_count(0)


def test_hints_in_german(visit: Browsers) -> None:
    user = at_table(visit(locale="de-DE"))
    expect(user.find("hint")).to_contain_text("Tipp")
    ask(user)
    for text in user.page.locator(".suggestion").all_inner_texts():
        assert re.search(r"Etwa \d+,\d Gold am Ende: (holt|\+\d+ Gold durch|bleibt|hält)", text), text


@pytest.fixture
def reader(visit: Browsers) -> BrowserUser:
    user = visit()
    user.open("/record")
    user.find("record-text").fill(record("00"))
    user.press("record-open")
    expect(user.find("expected-0")).to_be_visible()
    return user


def test_the_replay_shows_what_each_may_expect_over_the_turns(reader: BrowserUser) -> None:
    for seat in (0, 1):
        line = reader.find(f"expected-{seat}").get_attribute("d") or ""
        assert line.count("L") == 26, "one for each turn"
    chart = reader.page.locator("figure").filter(has=reader.find("expected-0"))
    assert "expected at the end" in chart.locator("figcaption").inner_text()
    assert "expect" in (chart.locator('svg[role="img"]').get_attribute("aria-label") or "")
    chart.locator("summary").click()
    rows = chart.locator("tbody tr")
    assert re.fullmatch(r"1A\s+\d+ \(\d+\.\d\)\s+\d+ \(\d+\.\d\)", rows.first.inner_text())
    assert re.fullmatch(r"13B\s+38 \(38\.0\)\s+25 \(25\.0\)", rows.last.inner_text()), "in the end what they have"


def test_good_turns_next_to_what_was_played(reader: BrowserUser) -> None:
    keys = reader.page.keyboard
    reader.press("advice")
    expect(reader.page.get_by_text("Nobody has to choose a move here.")).to_be_visible()
    reader.find("replay-slider").fill("82")
    expect(reader.page.get_by_text("Nobody has to choose a move here.")).to_have_count(0)
    keys.press("Escape")
    reader.find("replay-next").focus()
    keys.press("h")
    expect(reader.find("suggestion-0")).to_be_focused()
    first = marks(reader)
    assert first
    expect(reader.find("played")).to_have_text(re.compile(r"^As played, about \d+\.\d gold at the end: builds on "))
    pieces = reader.pieces()
    keys.press("Tab")
    keys.press("Enter")
    assert marks(reader) != first
    assert reader.pieces() == pieces, "nothing is played in a replay"
    reader.press("replay-next")
    expect(reader.page.locator(".suggestion")).to_have_count(0)
    assert marks(reader) == []
    reader.press("advice")
    expect(reader.find("played")).to_be_visible()


def test_a_game_whose_last_turns_come_twice_can_be_replayed(visit: Browsers) -> None:
    """At its end seats build from their silos, in turns that have been before."""
    user = visit()
    user.open("/record")
    user.find("record-text").fill(record("all-20"))
    user.press("record-open")
    expect(user.find("expected-4")).to_be_visible()
    user.page.keyboard.press("End")
    expect(user.find("log").locator("li.current")).to_be_visible()
