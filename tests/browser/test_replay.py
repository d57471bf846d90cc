"""Games move by move: slider, keys, links, records to take away and to open."""

from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import FilePayload, expect

from browser.positions import near_the_end, record
from browser.users import Browsers, BrowserUser
from kingdom_builder.message import seat_letter
from kingdom_builder.notation import parse_record
from kingdom_builder.players.analysis import accuracy, analyse_game


def totals(user: BrowserUser) -> dict[str, int]:
    return {key: gold for key, gold in user.scores().items() if key.startswith("total")}


def at(user: BrowserUser, ply: int) -> None:
    expect(user.find("replay").first).to_have_attribute("data-ply", str(ply))


def paste(user: BrowserUser, text: str) -> BrowserUser:
    user.open("/record")
    user.find("record-text").fill(text)
    user.press("record-open")
    return user


def test_a_pasted_record_is_scrubbed_by_slider_and_keys(visit: Browsers) -> None:
    user = paste(visit(), record("00"))
    game = parse_record(record("00"))
    last = len(game.actions())
    at(user, 0)
    expect(user.find("replay-moment")).to_have_text("The beginning.")
    keys = user.page.keyboard
    for _ in range(3):
        keys.press("ArrowRight")
    at(user, 3)
    assert len(user.pieces()) == 1, "two cards are dealt before the first settlement"
    keys.press("ArrowLeft")
    at(user, 2)
    keys.press("ArrowDown")
    moment = user.find("replay").first.get_attribute("data-ply")
    keys.press("ArrowUp")
    assert user.find("replay").first.get_attribute("data-ply") != moment
    keys.press("End")
    at(user, last)
    final = dict(part.split("=") for part in game.tags["Score"].split())
    assert totals(user) == {f"total-{seat}": int(final[letter]) for seat, letter in enumerate("AB")}
    keys.press("Home")
    at(user, 0)
    user.find("replay-slider").fill(str(last // 2))
    at(user, last // 2)
    user.press("replay-next")
    at(user, last // 2 + 1)
    user.press("replay-back")
    at(user, last // 2)
    user.press("replay-play")
    at(user, last // 2 + 1)
    user.press("replay-play")
    user.page.reload()
    expect(user.find("replay-slider")).to_be_visible()


def test_a_link_leads_to_a_position_and_the_game_goes_on_from_it(visit: Browsers) -> None:
    user = paste(visit(), record("00"))
    user.find("replay-slider").fill("60")
    at(user, 60)
    pieces = user.pieces()
    user.press("copy-position")
    link = user.find("position-link").input_value()
    other = visit()
    other.page.goto(link)
    expect(other.find("replay-moment")).to_be_visible()
    assert other.pieces() == pieces
    other.press("play-on")
    other.await_turn()
    assert other.pieces() == pieces
    other.play_turn(Random(1), tiles=False)


def test_a_game_is_taken_away_and_opened_again(visit: Browsers, tmp_path: Path) -> None:
    user = visit()
    user.own(user.server.make_table(("person", "greedy"), position=near_the_end(supply=3).position), 0)
    sight = user.await_turn()
    while not sight.over:
        sight = user.act(sight, Random(1), tiles=False) if sight.my_turn else user.await_turn()
    scores = totals(user)
    with user.page.expect_download() as download:
        user.press("export")
    path = tmp_path / download.value.suggested_filename
    assert path.suffix == ".kbr"
    download.value.save_as(path)
    text = path.read_text("utf-8")
    assert parse_record(text).game(draws=False).state.over

    user.press("replay")
    at(user, 0)
    address = user.page.url
    user.page.keyboard.press("End")
    at(user, sight.ply)
    assert totals(user) == scores
    user.page.goto(address.removesuffix("/0") + "/2")
    at(user, 2)

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
def test_a_broken_record_says_where(visit: Browsers, broken: str, place: str) -> None:
    user = visit()
    user.allow("status of 400")
    paste(user, broken)
    alert = user.page.locator("#record-problem")
    expect(alert).to_contain_text(place)
    expect(alert.locator("mark")).to_be_visible()
    assert alert.locator("p").first.inner_text().endswith(".")
    assert user.find("record-text").input_value() == broken.strip("\r")


def test_the_place_of_an_old_mistake_goes_with_it(visit: Browsers) -> None:
    user = visit()
    user.allow("status of 400")
    paste(user, "nonsense")
    alert = user.page.locator("#record-problem")
    expect(alert).to_contain_text("Line 1, column 1:")
    large = FilePayload(name="large.kbr", mimeType="text/plain", buffer=b"x" * 1_000_001)
    user.find("record-file").set_input_files(large)
    expect(alert).to_contain_text("too large")
    expect(alert).not_to_contain_text("Line 1")
    expect(alert.locator("mark")).to_have_count(0)


def test_a_position_that_cannot_be_read_says_so(visit: Browsers) -> None:
    user = visit()
    user.allow("status of 400")
    user.open("/position/nonsense")
    expect(user.page.get_by_role("alert")).to_be_visible()
    expect(user.page.get_by_role("link", name="Open a record")).to_be_visible()


def test_mistakes_are_found_in_the_background_and_shown_on_the_board(visit: Browsers) -> None:
    user = paste(visit(), record("00"))
    game = parse_record(record("00")).game(draws=False)
    at(user, 0)
    user.press("analyse")
    expect(user.find("analysis").get_by_role("progressbar")).to_be_visible()
    user.page.keyboard.press("ArrowRight")
    at(user, 1)
    expect(user.find("analysis")).to_have_attribute("data-done", "true", timeout=60_000)
    found = list(analyse_game(game))
    worst = max(found, key=lambda turn: turn.lost)
    assert worst.better
    first = user.find("mistake").first
    expect(first).to_contain_text(f"Round {worst.turn.round}, Player {seat_letter(worst.turn.seat)}: {worst.lost:.1f}")
    expect(first).to_contain_text(worst.mistake)
    expect(first).to_contain_text("Better: builds on")
    for seat in range(2):
        expected = accuracy(found, seat)
        assert expected is not None
        expect(user.find(f"accuracy-{seat}")).to_have_text(f"{round(expected)} %")
    first.get_by_role("button").click()
    at(user, worst.better.ply)
    marks = user.page.locator("[data-testid^='mark-']")
    expect(marks).to_have_count(sum(move != "." for move in worst.better.moves))
    user.press("replay-next")
    expect(marks).to_have_count(0)
    user.press("replay-turn-back")
    user.press("replay-turn-next")
