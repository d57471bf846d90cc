"""Hints at the table and judgements in the replay, by mouse, by keys and in German."""

import re

import pytest
from playwright.sync_api import expect

from browser.guests import Guest, Inn
from browser.positions import near_the_end, record


def at_table(guest: Guest, *kinds: str) -> Guest:
    """Somebody with a turn to play, and a tile."""
    made = guest.server.make_table(kinds or ("person", "greedy"), position=near_the_end(supply=15).position)
    guest.own(made, 0)
    guest.await_turn()
    return guest


def ask(guest: Guest) -> Guest:
    guest.press("hint")
    expect(guest.find("suggestion-0")).to_be_visible()
    return guest


def marks(guest: Guest) -> list[str]:
    """The hexes that are marked on the board, in order."""
    found = guest.page.locator('[data-testid^="mark-"]').evaluate_all("all => all.map(each => each.dataset.testid)")
    return [each.removeprefix("mark-") for each in found]


def next_move(guest: Guest, index: int = 0) -> str:
    return guest.find(f"suggestion-{index}").locator("strong").first.inner_text()


def focus(guest: Guest) -> str:
    return str(guest.page.evaluate("() => document.activeElement?.dataset.testid ?? ''"))


def test_a_suggestion_is_seen_and_played_by_mouse(visit: Inn) -> None:
    guest = ask(at_table(visit()))
    suggestions = guest.page.locator(".suggestion")
    assert 1 < suggestions.count() <= 3
    for text in suggestions.all_inner_texts():
        assert re.search(r"About \d+\.\d gold at the end:\s\S", text)
    best = marks(guest)
    assert best
    guest.find("suggestion-1").hover()
    assert marks(guest) != best
    guest.find("suggestion-0").hover()
    assert marks(guest) == best

    sight = guest.look()
    before, plan = len(guest.pieces()), guest.find("suggestion-0").inner_text()
    guest.do(sight, "suggestion-0")
    assert len(guest.pieces()) == before + 1
    assert suggestions.count() == 1, "the turn is followed, the others are gone"
    assert next_move(guest) in plan
    assert marks(guest) == best[1:]
    guest.press("undo")
    expect(suggestions).to_have_count(0)
    assert marks(guest) == []


def test_another_move_makes_the_suggestions_vanish(visit: Inn) -> None:
    guest = ask(at_table(visit()))
    sight = guest.look()
    suggested = [next_move(guest, i) for i in range(guest.page.locator(".suggestion").count())]
    other = next(hex_name for hex_name in sight.glowing if hex_name not in suggested)
    guest.take(sight, other)
    expect(guest.page.locator(".suggestion")).to_have_count(0)


def test_a_turn_is_played_by_suggestions_and_keys_alone(visit: Inn) -> None:
    guest = at_table(visit())
    keys = guest.page.keyboard
    guest.find("board").focus()
    keys.press("?")
    expect(guest.page.get_by_role("dialog")).to_contain_text("Hint, or go to the suggestions")
    keys.press("Escape")
    keys.press("h")
    expect(guest.find("suggestion-0")).to_be_focused()
    keys.press("Tab")
    assert focus(guest) == "suggestion-1"
    keys.press("Escape")
    expect(guest.page.locator(".suggestion")).to_have_count(0)
    expect(guest.find("board")).to_be_focused()

    keys.press("h")
    expect(guest.find("suggestion-0")).to_be_focused()
    sight = guest.look()
    keys.down("Enter")
    guest.moved_from(sight.ply)
    held = guest.look()
    keys.down("Enter")  # held down: that is no second move
    guest.settle()
    keys.up("Enter")
    assert guest.look().ply == held.ply
    for _ in range(20):
        sight = guest.look()
        last = next_move(guest) == "end turn"
        assert focus(guest) == "suggestion-0"
        keys.press("Enter")
        guest.moved_from(sight.ply)
        if last:
            break
    expect(guest.page.locator(".suggestion")).to_have_count(0)
    guest.await_turn()


TILE = "GGGGDDFF/CCCCTTTT/G1GGDDFF/CCCCTTTT(paddock) lords - 1 C5D4F5G4T5 - 3A/G/0/- 38:a1,a3:b3:G 40:::D"


def test_a_tile_is_used_by_one_suggestion_and_its_way_is_drawn(visit: Inn) -> None:
    guest = visit()
    guest.own(guest.server.make_table(("person", "greedy"), position=TILE), 0)
    guest.await_turn()
    ask(guest)
    number = next(i for i in range(3) if "→" in next_move(guest, i))
    guest.find(f"suggestion-{number}").hover()
    words = re.fullmatch(r"Paddock (\w+) → (\w+)", next_move(guest, number))
    assert words
    assert marks(guest) == [words[2]]
    expect(guest.page.locator('[data-testid="board"] .arc')).to_have_count(2)
    guest.do(guest.look(), f"suggestion-{number}")
    places = [piece.split()[1] for piece in guest.pieces()]
    assert words[2] in places
    assert words[1] not in places


def test_no_hints_where_people_play_elsewhere(visit: Inn) -> None:
    guest = at_table(visit(), "person", "person")
    expect(guest.find("hint")).to_have_count(0)
    guest.page.keyboard.press("h")
    guest.point(next(name for name in ("a1", "t20", "k10") if name not in guest.look().glowing))
    expect(guest.find("status")).to_have_class(re.compile("refusal"))
    expect(guest.find("complaint")).to_have_count(0)
    expect(guest.page.locator(".suggestion")).to_have_count(0)
    together = visit()
    made = together.server.make_table(("person", "person"), board="first")
    ask(together.own(made, 0, 1))
    together.open(f"/replay/table/{made['id']}/1/2")
    expect(together.find("advice")).to_be_visible()
    apart = visit()
    apart.own(made, 0).open(f"/replay/table/{made['id']}/1/2")
    expect(apart.find("play-on")).to_be_visible()
    expect(apart.find("advice")).to_have_count(0)


def test_hints_in_german(visit: Inn) -> None:
    guest = at_table(visit(locale="de-DE"))
    expect(guest.find("hint")).to_contain_text("Tipp")
    ask(guest)
    for text in guest.page.locator(".suggestion").all_inner_texts():
        assert re.search(r"Etwa \d+,\d Gold am Ende: (holt|\+\d+ Gold durch|bleibt|hält)", text), text


@pytest.fixture
def reader(visit: Inn) -> Guest:
    guest = visit()
    guest.open("/record")
    guest.find("record-text").fill(record("00"))
    guest.press("record-open")
    expect(guest.find("expected-0")).to_be_visible()
    return guest


def test_the_replay_shows_what_each_may_expect_over_the_turns(reader: Guest) -> None:
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


def test_good_turns_next_to_what_was_played(reader: Guest) -> None:
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


def test_a_game_whose_last_turns_come_twice_can_be_replayed(visit: Inn) -> None:
    """At its end seats build from their silos, in turns that have been before."""
    guest = visit()
    guest.open("/record")
    guest.find("record-text").fill(record("all-20"))
    guest.press("record-open")
    expect(guest.find("expected-4")).to_be_visible()
    guest.page.keyboard.press("End")
    expect(guest.find("log").locator("li.current")).to_be_visible()
