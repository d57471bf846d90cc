"""Every location, nomad tile and standing action is used through the page, from positions of the golden records."""

from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Browser, expect
from server.client import Server

from browser.guests import Guest, Sight, inn
from browser.positions import ACTIONS, Moment, first_uses
from kingdom_builder.content import COMPONENTS

NAMES = {component.key: component.name for component in COMPONENTS}
WITHOUT_BUTTON = {"crossroads", "silo", "treasure"}
"""What works by itself: a card to choose, the end of the game, a tile that pays at once."""

MOST_STEPS = 15


@pytest.fixture(scope="module")
def guest(browser: Browser, server: Server) -> Iterator[Guest]:
    """One page for all: only its address changes."""
    with inn(browser, server) as house:
        yield house()


def sit_down(guest: Guest, moment: Moment) -> None:
    made = guest.server.make_table(["person"] * moment.players, position=moment.position)
    guest.sit(made["seats"][moment.player])


def last_turn(guest: Guest) -> str:
    """The last turn of the log, with its single actions."""
    turn = guest.find("log").locator("ol > li").last
    opener = turn.locator("button.opener")
    if opener.get_attribute("aria-expanded") == "false":
        opener.click()
    return turn.inner_text()


def test_the_catalogue_is_covered(guest: Guest) -> None:
    guest.open()
    with guest.server.http() as http:
        components = http.get("/api/catalogue").json()["components"]
    shown = {thing["key"] for thing in components if thing["kind"] in ("location", "nomad")}
    assert shown <= set(ACTIONS)
    assert len(ACTIONS) >= 40


def finish(guest: Guest, sight: Sight, rng: Random) -> list[str]:
    """Choose targets, free hexes first, until the action is over; what was chosen."""
    moves: list[str] = []
    while sight.acting:
        assert len(moves) < MOST_STEPS, moves
        assert sight.step
        taken = {piece.split()[1] for piece in guest.pieces()}
        free = [hex_name for hex_name in sight.glowing if hex_name not in taken]
        if sight.glowing:
            moves.append(rng.choice(free or sight.glowing))
            sight = guest.take(sight, moves[-1])
        elif sight.tiles:
            moves.append(sight.tiles[0])
            sight = guest.do(sight, f"tile-{sight.tiles[0]}")
        else:
            moves.append(sight.choices[0])
            sight = guest.do(sight, f"choice-{sight.choices[0]}")
    return moves


@pytest.mark.parametrize("key", [key for key in ACTIONS if key not in WITHOUT_BUTTON])
def test_use(guest: Guest, key: str) -> None:
    sit_down(guest, first_uses()[key])
    sight = guest.look()
    assert key in sight.tiles
    before = guest.pieces()
    expect(guest.find(f"tile-{key}")).to_contain_text(NAMES[key])
    moves = [key, *finish(guest, guest.do(sight, f"tile-{key}"), Random(key))]
    told = last_turn(guest)
    for move in moves:
        assert move in told, f"the log does not tell {move}: {told}"
    assert guest.pieces() != before or key in CHANGES_NO_PIECE, moves


CHANGES_NO_PIECE = {"quarry", "outpost", "bazaar"}
"""Walls are no pieces, an outpost is used for the next build, and a bazaar may repeat something of that kind."""


def test_crossroads_let_choose_a_card(guest: Guest) -> None:
    moment = first_uses()["crossroads"]
    sit_down(guest, moment)
    sight = guest.look()
    assert moment.move in sight.choices
    assert guest.find("tile-crossroads").get_by_text("always works").is_visible()
    sight = guest.do(sight, f"choice-{moment.move}")
    assert sight.glowing
    assert moment.move in last_turn(guest)


def test_a_treasure_pays_at_once(guest: Guest) -> None:
    moment = first_uses()["treasure"]
    sit_down(guest, moment)
    before = guest.scores()[f"{moment.player}-treasures"]
    sight = guest.look()
    sight = guest.take(sight, moment.move)
    assert guest.scores()[f"{moment.player}-treasures"] == before + 3
    assert "reasure" in last_turn(guest)


def test_a_silo_works_after_the_last_turn(guest: Guest) -> None:
    moment = first_uses()["silo"]
    sit_down(guest, moment)
    sight = guest.look()
    sight = guest.take(sight, moment.move)
    assert "Silo" in sight.step
    before = guest.pieces()
    for _ in range(MOST_STEPS):
        sight = guest.act(sight, Random(1))
        if sight.over or not sight.my_turn:
            break
    assert guest.pieces() != before
    assert moment.move in last_turn(guest)
