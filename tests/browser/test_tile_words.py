"""What tiles and the log say: numbers, warnings before a draw, one line for one piece, no word of what is not there."""

import pytest
from playwright.sync_api import expect

from browser.users import Browsers, BrowserUser

FORT = (
    "CGGGGG/GGDDTG/GGGDTW/FF1DTT/FFFDDT(fort) - - 1 C5D4F5G5T4 - 4A/D/3/- 38:c2,d3:c4:D 38:e3,e5::T",
    "fort",
)
LAST_HEX = "GGGGGG/GGDTTG/GGGTTW/FFGTTT/FFFTTT - - - C5D4F5G5T4 - 4A/D/3/- 38:c1,c3::D 38:e3,e5::T"
CATHEDRAL = (
    "GGGGGG/GGDDTG/GGGDTW/FF1DTT/FFFDDT(cathedral) - - 0 C5D4F5G5T4 - 4A/D/3/- 38:c2,d3:c4:D 38:c5,e5:c4:T "
    "cathedral=3,7"
)
CITY_HALL = (
    "GGGGGGG/GGDDTGG/GGGDTTG/FF1DTTG/FFFDDTG(city-hall) - - 1 C5D5F5G4T4 - 4A/G/0/city-hall 38:b2,d4:c4*:G 38:g3::T"
)


def sit_at(user: BrowserUser, position: str) -> BrowserUser:
    made = user.server.make_table(["person", "person"], position=position)
    return user.sit(made["seats"][0])


def test_a_tile_that_draws_says_so_before_and_leaves_nothing_to_cancel(visit: Browsers) -> None:
    position, tile = FORT
    user = sit_at(visit(), position)
    button = user.find(f"tile-{tile}")
    expect(button).to_contain_text("draws a card, no way back")
    sight = user.do(user.look(), f"tile-{tile}")
    assert sight.acting
    expect(user.find("undo")).to_be_disabled()
    expect(user.find("cancel")).to_have_count(0)
    user.page.keyboard.press("Escape")
    user.settle()
    assert user.look().acting


@pytest.mark.parametrize("phone", [False, True])
def test_a_hex_that_draws_is_named_before(visit: Browsers, phone: bool) -> None:
    user = sit_at(visit.phone() if phone else visit(), LAST_HEX)
    assert user.look().glowing == ["c2"]
    expect(user.find("draws")).to_have_text("c2 draws a new card: nothing before it can be taken back.")
    user.take(user.look(), "c2")
    expect(user.find("draws")).to_have_text("")
    expect(user.find("undo")).to_be_disabled()


def test_the_number_on_a_tile_is_in_the_panel_and_at_each_seat(visit: Browsers) -> None:
    user = sit_at(visit(), CATHEDRAL)
    expect(user.find("tile-cathedral").get_by_test_id("number")).to_have_text("number 3")
    held = user.page.locator("[data-tiles] button")
    assert [each.get_attribute("aria-label") for each in held.all()] == ["Cathedral, number 3", "Cathedral, number 7"]
    assert [each.inner_text() for each in held.all()] == ["3", "7"]
    sight = user.do(user.look(), "tile-cathedral")
    user.do(sight, f"choice-{sight.choices[0]}")
    expect(user.find("tile-cathedral").get_by_test_id("number")).to_have_text("number 4")


def test_a_city_hall_is_one_line_of_the_log(visit: Browsers) -> None:
    user = sit_at(visit(), CITY_HALL)
    sight = user.look()
    user.take(sight, "d2")
    expect(user.find("log").locator("ol > li")).to_have_count(1)
    assert "places the city hall around d2" in user.log()
    assert user.log().count("city hall") == 1


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "next to a location or castle."),
        ("de", "neben Ort oder Burg."),
        ("fr", "un lieu ou d\u2019un château."),
    ],
)
def test_a_card_names_only_what_is_on_the_board(visit: Browsers, language: str, words: str) -> None:
    base = (
        "GGGTTT/GG1TTT/GGWWKD/FFFWDD/FFFFDD(farm) workers - 1 C5D5F5G4T4 - 9A/G/3/- 33:b1,c1,b2,d1,e2,e4,f5:c2:G 40:::T"
    )
    user = sit_at(visit(locale=language), base)
    user.press("card-workers")
    expect(user.page.get_by_role("dialog")).to_contain_text(words)
