"""Nothing is lost: reloads, broken networks, a killed server, several tabs, and pages that are not quite secure."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, expect
from server.client import Client, Server, ServerPool, play_on

from browser.users import Browsers, BrowserUser, browsers
from kingdom_builder.notation import parse_record
from kingdom_builder.server.database import DATABASE

BROKEN = r"net::ERR_|WebSocket connection to|Failed to load resource"
"""What the browser itself says about a network that is not there."""


def at_table(user: BrowserUser, *kinds: str) -> BrowserUser:
    made = user.server.make_table(kinds or ("person", "person"), board="first")
    return user.sit(made["seats"][0])


def build_one(user: BrowserUser) -> list[str]:
    sight = user.await_turn()
    user.take(sight, sight.glowing[0])
    return user.pieces()


def test_a_reload_in_mid_turn(visit: Browsers) -> None:
    user = at_table(visit())
    pieces = build_one(user)
    before = user.look()
    user.page.reload()
    user.await_turn()
    assert user.look() == before
    assert user.pieces() == pieces
    user.press("undo")
    user.moved_from(before.ply)
    assert user.pieces() == []
    user.play_turn(Random(1))


def test_a_network_break_keeps_the_board_and_the_move(visit: Browsers) -> None:
    user = at_table(visit())
    user.allow(BROKEN)
    pieces = build_one(user)
    sight = user.look()
    user.context.set_offline(True)
    user.point(sight.glowing[0])
    expect(user.find("banner")).to_contain_text("The game is safe")
    assert user.pieces() == pieces
    user.context.set_offline(False)
    expect(user.find("banner")).to_be_hidden()
    user.reaches(sight.ply + 1)
    assert len(user.pieces()) == len(pieces) + 1, "the move is made once, now that the network is back"
    user.build_all()
    user.press("end-turn")


def test_a_killed_server_goes_on_where_it_was(browser: Browser, server_pool: ServerPool, tmp_path: Path) -> None:
    server = server_pool.start(tmp_path / "data")
    with browsers(browser, server) as house:
        user = house().open()
        user.allow(BROKEN)
        user.press("play-now")
        for _ in range(2):
            user.play_turn(Random(1))
        pieces = build_one(user)
        before = user.look()
        server.kill()
        expect(user.find("banner")).to_be_visible()
        assert user.pieces() == pieces
        again = server_pool.start(tmp_path / "data", server.port)
        expect(user.find("banner")).to_be_hidden()
        assert user.look() == before
        assert user.pieces() == pieces
        user.press("undo")
        user.moved_from(before.ply)
        user.play_turn(Random(2))
        user.page.reload()
        user.play_turn(Random(3))
    again.kill()


def test_a_move_during_the_outage_is_made_afterwards(browser: Browser, server_pool: ServerPool, tmp_path: Path) -> None:
    server = server_pool.start(tmp_path / "data")
    with browsers(browser, server) as house:
        user = at_table(house())
        user.allow(BROKEN)
        sight = user.look()
        server.kill()
        user.point(sight.glowing[0])
        expect(user.find("banner")).to_be_visible()
        again = server_pool.start(tmp_path / "data", server.port)
        user.reaches(sight.ply + 1)
        assert len(user.pieces()) == 1
    again.kill()


def test_two_tabs_of_one_seat_stay_in_step(visit: Browsers) -> None:
    user = at_table(visit())
    other = user.another_tab()
    other.open(user.page.url.partition("#")[2])
    other.await_turn()
    sight = user.look()
    user.take(sight, sight.glowing[0])
    other.reaches(sight.ply + 1)
    assert other.pieces() == user.pieces()
    other.press("undo")
    user.reaches(sight.ply)
    assert user.pieces() == other.pieces() == []
    assert user.look() == other.look()
    other.build_all()
    other.press("end-turn")
    expect(user.find("game")).to_have_attribute("data-my-turn", "false")


def test_a_damaged_log_is_told_as_that_and_what_can_be_read_is_offered(
    browser: Browser, server_pool: ServerPool, tmp_path: Path
) -> None:
    server = server_pool.start(tmp_path / "data")
    made = server.make_table(board="first")
    with Client(server, *made["seats"]) as players:
        play_on([players], Random(1), most=8)
    server.kill()
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE)) as database, database:
        database.execute("UPDATE entries SET body = x'7b' WHERE version = 6")
    with browsers(browser, server_pool.start(tmp_path / "data")) as house:
        user = house().open(f"/seat/{made['seats'][0]}")
        expect(user.find("trouble")).to_contain_text("The log of this table is damaged")
        with user.page.expect_download() as download:
            user.press("save-rest")
        assert parse_record(Path(download.value.path()).read_text()).actions()
        user.press("read-rest")
        expect(user.find("replay")).to_be_visible()
        user.page.keyboard.press("End")
        expect(user.find("replay-problem")).to_contain_text("damaged")


@pytest.mark.parametrize("way", ["/seat/0123456789abcdef.0123456789abcdef0123456789abcdef", "/table/0123456789abcdef"])
def test_a_wrong_link_says_so_and_leads_on(visit: Browsers, way: str) -> None:
    user = visit().open(way)
    expect(user.find("trouble")).to_be_visible()
    user.find("trouble").get_by_role("link").first.click()
    expect(user.find("play-now")).to_be_visible()


def test_a_friend_in_the_local_network_can_play(visit: Browsers) -> None:
    """Without https a page of another host lacks what browsers give to secure pages only."""
    user = visit()
    user.allow("Cross-Origin-Opener-Policy header has been ignored")
    made = user.server.make_table(board="first")
    user.server = Server(user.server.pid, f"http://kb.test:{user.server.port}/", user.server.output)
    user.sit(made["seats"][0])
    assert not user.page.evaluate("window.isSecureContext")
    user.play_turn(Random(1))
    user.press("copy-position")
    user.page.get_by_role("button", name="Copy").click()
    expect(user.page.get_by_text("Copied.")).to_be_visible()
