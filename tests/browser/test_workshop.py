"""The map workshop: painted by mouse, finger and keys, typed, checked, shared, kept and played on."""

import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from browser.axe import violations
from browser.users import DESKTOP, OVERFLOW, PHONE, Browsers, BrowserUser
from kingdom_builder.board import MapFile, load_maps, parse_maps, printed_sections
from kingdom_builder.notation import parse_position

ISLES = "## Isles | farm, tower\nGGDDTT\nF1CWCC\nMGG2DD\nFFTTKK"

PIXEL = """([row, col]) => {
    const plane = document.querySelector('[data-testid="map"] svg').getScreenCTM();
    const { x, y } = new DOMPoint(21 * (2 * col + 1 + (row % 2)), 24 + 36 * row).matrixTransform(plane);
    return [x, y];
}"""


def pixel(user: BrowserUser, hex_name: str) -> tuple[float, float]:
    user.find("map").scroll_into_view_if_needed()
    x, y = user.page.evaluate(PIXEL, [int(hex_name[1:]) - 1, ord(hex_name[0]) - ord("a")])
    return x, y


def workshop(user: BrowserUser, text: str | None = None) -> BrowserUser:
    user.open("/workshop" + (f"/{quote(text, safe='')}" if text else ""))
    expect(user.find("map")).to_be_visible()
    return user


def text(user: BrowserUser) -> str:
    return user.find("text").input_value()


def rows(user: BrowserUser) -> list[str]:
    return text(user).splitlines()[1:]


def is_playable(user: BrowserUser) -> None:
    expect(user.find("play")).to_be_enabled()


def test_mouse_and_text_show_the_same_map(visit: Browsers) -> None:
    user = workshop(visit(), ISLES)
    is_playable(user)
    user.press("brush-W")
    user.page.mouse.move(*pixel(user, "a1"))
    user.page.mouse.down()
    for hex_name in ("b1", "c1", "c2"):
        user.page.mouse.move(*pixel(user, hex_name), steps=4)
    user.page.mouse.up()
    assert rows(user)[:2] == ["WWWDTT", "F1WWCC"]
    user.press("undo")
    assert text(user) == ISLES, "a drag is one step"
    user.press("redo")
    assert rows(user)[0] == "WWWDTT"

    user.find("location").select_option("oasis")
    user.page.mouse.click(*pixel(user, "f4"))
    assert text(user).startswith("## Isles | farm, tower, oasis\n")
    assert rows(user)[3] == "FFTTK3"
    user.press("brush-G")
    user.page.mouse.click(*pixel(user, "b2"))
    assert text(user).startswith("## Isles | tower, oasis\n"), "the last farm is gone"

    user.find("text").fill("## Isles\nGCDFT\nGXDF\n")
    expect(user.find("problems").get_by_role("button")).to_have_count(2)
    expect(user.find("problems")).to_contain_text("b2 Unknown letter 'X' in column 2")
    expect(user.find("problems")).to_contain_text("4 hexes in row 'GXDF': expected 5.")
    expect(user.find("play")).to_be_disabled()
    user.press("brush-C")
    user.page.mouse.click(*pixel(user, "b2"))
    user.page.mouse.click(*pixel(user, "e2"))
    assert rows(user) == ["GCDFT", "GCDFC"]
    is_playable(user)
    expect(user.find("count-C").locator("td").first).to_have_text("3")


def test_turning_mirroring_and_another_size(visit: Browsers) -> None:
    user = workshop(visit(), ISLES)
    user.press("turn")
    assert rows(user) == ["KKTTFF", "DD2GGM", "CCWC1F", "TTDDGG"]
    user.press("mirror")
    assert rows(user)[0] == "FFTTKK"
    user.find("columns").fill("3")
    user.find("columns").press("Enter")
    assert rows(user) == ["FFT", "MGG", "F1C", "GGD"]
    assert text(user).startswith("## Isles | farm\n")
    user.find("rows").fill("99")
    user.find("rows").press("Enter")
    assert len(rows(user)) == 20
    expect(user.find("summary")).to_contain_text("1 problem")
    for _ in range(4):
        user.press("undo")
    assert text(user) == ISLES


def test_by_keyboard_alone_to_a_game_on_the_map(visit: Browsers) -> None:
    """From the start page to the first turn, without a mouse."""
    user = visit().open()
    keys = user.page.keyboard

    def tab_to(testid: str) -> None:
        for _ in range(80):
            if user.page.evaluate("document.activeElement?.dataset.testid ?? ''") == testid:
                return
            keys.press("Tab")
        raise AssertionError(f"Tab does not lead to {testid}")

    expect(user.find("play-now")).to_be_visible()
    tab_to("workshop")
    keys.press("Enter")
    expect(user.find("map")).to_be_visible()
    tab_to("begin")
    keys.type("an empty b")
    expect(user.find("begin")).to_have_value("board")
    keys.press("Tab")
    keys.press("Enter")
    expect(user.find("map")).to_be_focused()
    expect(user.find("summary")).to_contain_text("1 problem")
    expect(user.find("problems")).to_contain_text("400 hexes are still empty.")
    tab_to("columns")
    keys.press("ControlOrMeta+a")
    keys.type("5")
    keys.press("Tab")
    keys.press("ControlOrMeta+a")
    keys.type("4")
    keys.press("Enter")
    expect(user.find("problems")).to_contain_text("20 hexes are still empty.")

    user.page.keyboard.down("Shift")
    for _ in range(120):
        if user.page.evaluate("document.activeElement?.dataset.testid ?? ''") == "map":
            break
        keys.press("Tab")
    user.page.keyboard.up("Shift")
    expect(user.find("map")).to_be_focused()
    for letter, back in (("g", False), ("c", True), ("d", False), ("f", True)):
        keys.press(letter)
        expect(user.find("news")).to_contain_text("Brush: ")
        keys.press("Enter")
        for _ in range(4):
            keys.press("Shift+ArrowLeft" if back else "Shift+ArrowRight")
        keys.press("ArrowDown")
    assert rows(user) == ["GGGGG", "CCCCC", "DDDDD", "FFFFF"]
    keys.press("k")
    keys.press("ArrowRight")
    keys.press(" ")
    expect(user.find("news")).to_have_text("b4: castle")
    keys.press("ControlOrMeta+z")
    assert rows(user)[3] == "FFFFF"
    keys.press("ControlOrMeta+Shift+z")
    assert rows(user)[3] == "FKFFF"
    is_playable(user)
    tab_to("play")
    keys.press("Enter")
    expect(user.find("drawn")).to_have_value("My board")
    expect(user.find("preview").get_by_role("img")).to_have_attribute("aria-label", "Preview of the board: My board")
    tab_to("start-game")
    keys.press("Enter")
    user.await_turn()
    assert position(user).startswith("GGGGG/CCCCC/DDDDD/FKFFF ")


def test_from_a_drawn_board_back_to_sections(visit: Browsers) -> None:
    user = workshop(visit(), ISLES)
    is_playable(user)
    user.press("play")
    expect(user.find("drawn")).to_have_value("Isles")
    user.press("board-hand")
    expect(user.find("slot-3")).to_be_visible()


def position(user: BrowserUser) -> str:
    """The first position of the game on the page."""
    key = user.page.evaluate("Object.values(JSON.parse(localStorage['kb-tables']))[0].host")
    with user.server.http(key) as http:
        record = http.get("/api/table/record").text
    return record.partition('[Start "')[2].partition('"')[0]


def test_a_finger_paints_or_scrolls(visit: Browsers) -> None:
    user = workshop(visit.phone(), "## Wide\n" + "\n".join(["G" * 20] * 20))
    is_playable(user)
    user.press("brush-T")
    user.page.touchscreen.tap(*pixel(user, "d4"))
    assert rows(user)[3] == "GGGT" + "G" * 16
    user.press("larger")
    touch_action = "getComputedStyle(document.querySelector('[data-testid=map]')).touchAction"
    assert user.page.evaluate(touch_action) == "none", "a finger paints and does not scroll"
    user.press("move")
    assert user.page.evaluate(touch_action) == "pan-x pan-y"
    user.page.touchscreen.tap(*pixel(user, "c3"))
    assert rows(user)[2] == "G" * 20, "a finger scrolls and does not paint"
    assert user.page.evaluate(OVERFLOW) <= 0


def test_a_map_travels_by_link(visit: Browsers) -> None:
    first = visit(permissions=["clipboard-read", "clipboard-write"])
    workshop(first, ISLES)
    first.press("link")
    link = first.page.evaluate("navigator.clipboard.readText()")
    assert len(link) < 300
    second = visit()
    second.page.goto(link)
    expect(second.find("text")).to_have_value(ISLES)
    is_playable(second)


def test_maps_travel_as_a_file(visit: Browsers, tmp_path: Path) -> None:
    user = workshop(visit(), ISLES)
    is_playable(user)
    user.press("keep")
    user.find("text").fill("## Strait\nGCDFT\nWWWWW")
    is_playable(user)
    user.press("keep")
    with user.page.expect_download() as download:
        user.press("file-all")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.suffix == ".kbm"
    assert load_maps(path) == parse_maps(f"{ISLES}\n## Strait\nGCDFT\nWWWWW\n")
    other = workshop(visit())
    other.find("open").set_input_files(path)
    expect(other.find("kept").get_by_role("listitem")).to_have_count(2)
    expect(other.find("text")).to_have_value(ISLES)
    other.find("open").set_input_files({"name": "x.kbm", "mimeType": "text/plain", "buffer": b"nothing"})
    expect(other.page.get_by_text("There is no map in this file.")).to_be_visible()


def test_a_typed_in_section_replaces_the_stand_in_on_this_device(visit: Browsers) -> None:
    stand_in = printed_sections()["bazaar"]
    typed = tuple(row[::-1] for row in stand_in.rows)
    user = workshop(visit())
    user.press("type-in-bazaar")
    assert text(user).startswith("# bazaar: bazaar, water-mill | harvest | own\n..........\n")
    user.find("text").fill(text(user).splitlines()[0] + "\n" + "\n".join(typed))
    is_playable(user)
    user.press("keep")
    expect(user.find("type-in-bazaar")).to_contain_text("typed in")
    assert (
        parse_maps(user.page.evaluate("JSON.parse(localStorage['kb-maps'])[0].text")).sections["bazaar"].rows == typed
    )

    user.open("/new")
    user.press("set-harvest")
    user.press("board-hand")
    user.find("slot-0").select_option("bazaar")
    expect(user.find("preview").get_by_role("img")).to_have_attribute("aria-label", re.compile("board: bazaar"))
    is_turned = user.find("turn-0").get_attribute("aria-pressed") == "true"
    user.press("start-game")
    user.await_turn()
    board = parse_position(position(user)).setup.board
    corner = tuple(row[:10] for row in board.map[:10])
    assert corner == (replace(stand_in, rows=typed).turned() if is_turned else typed)


def test_own_sections_are_offered_in_the_set_up(visit: Browsers) -> None:
    user = workshop(visit(), "# my-isle: | own | own\n" + "\n".join(["GCDFTGCDFT"] * 10))
    is_playable(user)
    user.press("play")
    expect(user.find("set-own")).to_have_attribute("aria-pressed", "true")
    expect(user.find("slot-0")).to_have_value("my-isle")
    expect(user.find("start-game")).to_be_enabled()
    user.press("start-game")
    user.await_turn()
    assert position(user).startswith("GCDFTGCDFT")


def test_everyone_can_use_the_workshop(visit: Browsers) -> None:
    for user in (visit(), visit.phone()):
        workshop(user, ISLES + "\nGX")
        expect(user.find("problems").get_by_role("button").first).to_be_visible()
        user.find("map").focus()
        assert violations(user) == []


@pytest.mark.parametrize(
    ("language", "words"), [("en-GB", "Map workshop"), ("de-DE", "Kartenwerkstatt"), ("fr-FR", "Atelier de plans")]
)
def test_the_words_of_the_workshop_fit_on_desk_and_phone(visit: Browsers, language: str, words: str) -> None:
    user = visit(locale=language)
    workshop(user, ISLES + "\nGX")
    expect(user.find("problems").get_by_role("button").first).to_be_visible()
    expect(user.page.get_by_role("heading", level=1)).to_have_text(words)
    for size in (DESKTOP, PHONE):
        user.page.set_viewport_size(size)
        user.settle()
        assert user.page.evaluate(OVERFLOW) <= 0


def test_the_bench_survives_a_reload_and_a_shared_map(visit: Browsers) -> None:
    user = workshop(visit())
    user.find("text").fill(ISLES)
    user.page.reload()
    expect(user.find("text")).to_have_value(ISLES)
    shared = str(MapFile({}, parse_maps("## Strait\nGCDFT").boards)).partition("\n\n")[2].strip()
    user.page.goto(f"{user.server.address}#/workshop/{quote(shared, safe='')}")
    expect(user.find("text")).to_have_value(shared)
    user.press("undo")
    expect(user.find("text")).to_have_value(ISLES)
