"""Games move by move: slider, keys, links, records to take away and to open."""

from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

from browser.guests import Guest, Inn
from browser.positions import near_the_end, record
from kingdom_builder.notation import parse_record


def totals(guest: Guest) -> dict[str, int]:
    return {key: gold for key, gold in guest.scores().items() if key.startswith("total")}


def at(guest: Guest, ply: int) -> None:
    expect(guest.find("replay").first).to_have_attribute("data-ply", str(ply))


def paste(guest: Guest, text: str) -> Guest:
    guest.open("/record")
    guest.find("record-text").fill(text)
    guest.press("record-open")
    return guest


def test_a_pasted_record_is_scrubbed_by_slider_and_keys(visit: Inn) -> None:
    guest = paste(visit(), record("00"))
    game = parse_record(record("00"))
    last = len(game.actions())
    at(guest, 0)
    expect(guest.find("replay-moment")).to_have_text("The beginning.")
    keys = guest.page.keyboard
    for _ in range(3):
        keys.press("ArrowRight")
    at(guest, 3)
    assert len(guest.pieces()) == 1, "two cards are dealt before the first settlement"
    keys.press("ArrowLeft")
    at(guest, 2)
    keys.press("ArrowDown")
    moment = guest.find("replay").first.get_attribute("data-ply")
    keys.press("ArrowUp")
    assert guest.find("replay").first.get_attribute("data-ply") != moment
    keys.press("End")
    at(guest, last)
    final = dict(part.split("=") for part in game.tags["Score"].split())
    assert totals(guest) == {f"total-{seat}": int(final[letter]) for seat, letter in enumerate("AB")}
    keys.press("Home")
    at(guest, 0)
    guest.find("replay-slider").fill(str(last // 2))
    at(guest, last // 2)
    guest.press("replay-next")
    at(guest, last // 2 + 1)
    guest.press("replay-back")
    at(guest, last // 2)
    guest.press("replay-play")
    at(guest, last // 2 + 1)
    guest.press("replay-play")
    guest.page.reload()
    expect(guest.find("replay-slider")).to_be_visible()


def test_a_link_leads_to_a_position_and_the_game_goes_on_from_it(visit: Inn) -> None:
    guest = paste(visit(), record("00"))
    guest.find("replay-slider").fill("60")
    at(guest, 60)
    pieces = guest.pieces()
    guest.press("copy-position")
    link = guest.find("position-link").input_value()
    other = visit()
    other.page.goto(link)
    expect(other.find("replay-moment")).to_be_visible()
    assert other.pieces() == pieces
    other.press("play-on")
    other.await_turn()
    assert other.pieces() == pieces
    other.play_turn(Random(1), tiles=False)


def test_a_game_is_taken_away_and_opened_again(visit: Inn, tmp_path: Path) -> None:
    guest = visit()
    guest.own(guest.server.make_table(("person", "greedy"), position=near_the_end(supply=3).position), 0)
    sight = guest.await_turn()
    while not sight.over:
        sight = guest.act(sight, Random(1), tiles=False) if sight.my_turn else guest.await_turn()
    scores = totals(guest)
    with guest.page.expect_download() as download:
        guest.press("export")
    path = tmp_path / download.value.suggested_filename
    assert path.suffix == ".kbr"
    download.value.save_as(path)
    text = path.read_text("utf-8")
    assert parse_record(text).game(draws=False).state.over

    guest.press("replay")
    at(guest, 0)
    address = guest.page.url
    guest.page.keyboard.press("End")
    at(guest, sight.ply)
    assert totals(guest) == scores
    guest.page.goto(address.removesuffix("/0") + "/2")
    at(guest, 2)

    by_file, by_paste = visit(), visit()
    by_file.open("/record")
    by_file.find("record-file").set_input_files(path)
    paste(by_paste, text)
    for opened in (by_file, by_paste):
        at(opened, 0)
        opened.page.keyboard.press("End")
        at(opened, sight.ply)
        assert totals(opened) == scores


@pytest.mark.parametrize(
    ("broken", "place"),
    [
        ("nonsense", "Line 1, column 1:"),
        (record("00").replace("\n1A ", "\n1A z99 "), "column 4:"),
        (record("00").replace("\n1B ", "\n1B a1 a1 "), "column"),
    ],
    ids=["nonsense", "unknown move", "illegal move"],
)
def test_a_broken_record_says_where(visit: Inn, broken: str, place: str) -> None:
    guest = visit()
    guest.allow("status of 400")
    paste(guest, broken)
    alert = guest.page.locator("#record-problem")
    expect(alert).to_contain_text(place)
    expect(alert.locator("mark")).to_be_visible()
    assert alert.locator("p").first.inner_text().endswith(".")
    assert guest.find("record-text").input_value() == broken.strip("\r")


def test_a_position_that_cannot_be_read_says_so(visit: Inn) -> None:
    guest = visit()
    guest.allow("status of 400")
    guest.open("/position/nonsense")
    expect(guest.page.get_by_role("alert")).to_be_visible()
    expect(guest.page.get_by_role("link", name="Open a record")).to_be_visible()
