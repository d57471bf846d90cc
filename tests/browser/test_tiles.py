"""Every location, nomad tile and standing action is used through the page, from positions of the golden records."""

from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Browser, expect
from server.client import Server

from browser.positions import ACTIONS, Moment, first_uses
from browser.users import BrowserUser, Sight, browsers
from kingdom_builder.content import COMPONENTS

NAMES = {component.key: component.name for component in COMPONENTS}
WITHOUT_BUTTON = {"crossroads", "silo", "treasure"}
"""What works by itself: a card to choose, the end of the game, a tile that pays at once."""

MOST_STEPS = 15


@pytest.fixture(scope="module")
def user(browser: Browser, server: Server) -> Iterator[BrowserUser]:
    """One page for all: only its address changes."""
    with browsers(browser, server) as house:
        yield house()


def sit_down(user: BrowserUser, moment: Moment) -> None:
    made = user.server.make_table(["person"] * moment.players, position=moment.position)
    user.sit(made["seats"][moment.player])


def last_turn(user: BrowserUser) -> str:
    """The last turn of the log, with its single actions."""
    turn = user.find("log").locator("ol > li").last
    opener = turn.locator("button.opener")
    if opener.get_attribute("aria-expanded") == "false":
        opener.click()
    return turn.inner_text()


def test_the_catalogue_is_covered(user: BrowserUser) -> None:
    user.open()
    with user.server.http() as http:
        components = http.get("/api/catalogue").json()["components"]
    shown = {thing["key"] for thing in components if thing["kind"] in ("location", "nomad")}
    assert shown <= set(ACTIONS)
    assert len(ACTIONS) >= 40


def finish(user: BrowserUser, sight: Sight, rng: Random) -> list[str]:
    """Choose targets, free hexes first, until the action is over; what was chosen."""
    moves: list[str] = []
    while sight.acting:
        assert len(moves) < MOST_STEPS, moves
        assert sight.step
        taken = {piece.split()[1] for piece in user.pieces()}
        free = [hex_name for hex_name in sight.glowing if hex_name not in taken]
        if sight.glowing:
            moves.append(rng.choice(free or sight.glowing))
            sight = user.take(sight, moves[-1])
        elif sight.tiles:
            moves.append(sight.tiles[0])
            sight = user.do(sight, f"tile-{sight.tiles[0]}")
        else:
            moves.append(sight.choices[0])
            sight = user.do(sight, f"choice-{sight.choices[0]}")
    return moves


@pytest.mark.parametrize("key", [key for key in ACTIONS if key not in WITHOUT_BUTTON])
def test_use(user: BrowserUser, key: str) -> None:
    sit_down(user, first_uses()[key])
    sight = user.look()
    assert key in sight.tiles
    before = user.pieces()
    expect(user.find(f"tile-{key}")).to_contain_text(NAMES[key])
    moves = [key, *finish(user, user.do(sight, f"tile-{key}"), Random(key))]
    told = last_turn(user)
    for move in moves:
        assert move in told, f"the log does not tell {move}: {told}"
    assert user.pieces() != before or key in CHANGES_NO_PIECE, moves


CHANGES_NO_PIECE = {"quarry", "outpost", "bazaar"}
"""Walls are not pieces, an outpost is used for the next build, and a bazaar may repeat something of that kind."""


def test_crossroads_let_choose_a_card(user: BrowserUser) -> None:
    moment = first_uses()["crossroads"]
    sit_down(user, moment)
    sight = user.look()
    assert moment.move in sight.choices
    assert user.find("tile-crossroads").get_by_text("always works").is_visible()
    sight = user.do(sight, f"choice-{moment.move}")
    assert sight.glowing
    assert moment.move in last_turn(user)


def test_a_treasure_pays_at_once(user: BrowserUser) -> None:
    moment = first_uses()["treasure"]
    sit_down(user, moment)
    before = user.scores()[f"{moment.player}-treasures"]
    sight = user.look()
    sight = user.take(sight, moment.move)
    assert user.scores()[f"{moment.player}-treasures"] == before + 3
    assert "reasure" in last_turn(user)


def test_a_silo_works_after_the_last_turn(user: BrowserUser) -> None:
    moment = first_uses()["silo"]
    sit_down(user, moment)
    sight = user.look()
    sight = user.take(sight, moment.move)
    assert "Silo" in sight.step
    before = user.pieces()
    for _ in range(MOST_STEPS):
        sight = user.act(sight, Random(1))
        if sight.over or not sight.my_turn:
            break
    assert user.pieces() != before
    assert moment.move in last_turn(user)
