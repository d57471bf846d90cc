"""Nothing is lost: reloads, broken networks, a killed server, several tabs, and pages that are not quite secure."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, expect
from server.client import Client, Server, ServerPool, play_on

from browser.guests import Guest, Inn, inn
from kingdom_builder.notation import parse_record
from kingdom_builder.server.journal import DATABASE

BROKEN = r"net::ERR_|WebSocket connection to|Failed to load resource"
"""What the browser itself says about a network that is not there."""


def at_table(guest: Guest, *kinds: str) -> Guest:
    made = guest.server.make_table(kinds or ("person", "person"), board="first")
    return guest.sit(made["seats"][0])


def build_one(guest: Guest) -> list[str]:
    sight = guest.await_turn()
    guest.take(sight, sight.glowing[0])
    return guest.pieces()


def test_a_reload_in_mid_turn(visit: Inn) -> None:
    guest = at_table(visit())
    pieces = build_one(guest)
    before = guest.look()
    guest.page.reload()
    guest.await_turn()
    assert guest.look() == before
    assert guest.pieces() == pieces
    guest.press("undo")
    guest.moved_from(before.ply)
    assert guest.pieces() == []
    guest.play_turn(Random(1))


def test_a_network_break_keeps_the_board_and_the_move(visit: Inn) -> None:
    guest = at_table(visit())
    guest.allow(BROKEN)
    pieces = build_one(guest)
    sight = guest.look()
    guest.context.set_offline(True)
    guest.point(sight.glowing[0])
    expect(guest.find("banner")).to_contain_text("The game is safe")
    assert guest.pieces() == pieces
    guest.context.set_offline(False)
    expect(guest.find("banner")).to_be_hidden()
    guest.reaches(sight.ply + 1)
    assert len(guest.pieces()) == len(pieces) + 1, "the move is made once, now that the network is back"
    guest.build_all()
    guest.press("end-turn")


def test_a_killed_server_goes_on_where_it_was(browser: Browser, server_pool: ServerPool, tmp_path: Path) -> None:
    server = server_pool.start(tmp_path / "data")
    with inn(browser, server) as house:
        guest = house().open()
        guest.allow(BROKEN)
        guest.press("play-now")
        for _ in range(2):
            guest.play_turn(Random(1))
        pieces = build_one(guest)
        before = guest.look()
        server.kill()
        expect(guest.find("banner")).to_be_visible()
        assert guest.pieces() == pieces
        again = server_pool.start(tmp_path / "data", server.port)
        expect(guest.find("banner")).to_be_hidden()
        assert guest.look() == before
        assert guest.pieces() == pieces
        guest.press("undo")
        guest.moved_from(before.ply)
        guest.play_turn(Random(2))
        guest.page.reload()
        guest.play_turn(Random(3))
    again.kill()


def test_a_move_during_the_outage_is_made_afterwards(browser: Browser, server_pool: ServerPool, tmp_path: Path) -> None:
    server = server_pool.start(tmp_path / "data")
    with inn(browser, server) as house:
        guest = at_table(house())
        guest.allow(BROKEN)
        sight = guest.look()
        server.kill()
        guest.point(sight.glowing[0])
        expect(guest.find("banner")).to_be_visible()
        again = server_pool.start(tmp_path / "data", server.port)
        guest.reaches(sight.ply + 1)
        assert len(guest.pieces()) == 1
    again.kill()


def test_two_tabs_of_one_seat_stay_in_step(visit: Inn) -> None:
    guest = at_table(visit())
    other = guest.another_tab()
    other.open(guest.page.url.partition("#")[2])
    other.await_turn()
    sight = guest.look()
    guest.take(sight, sight.glowing[0])
    other.reaches(sight.ply + 1)
    assert other.pieces() == guest.pieces()
    other.press("undo")
    guest.reaches(sight.ply)
    assert guest.pieces() == other.pieces() == []
    assert guest.look() == other.look()
    other.build_all()
    other.press("end-turn")
    expect(guest.find("game")).to_have_attribute("data-my-turn", "false")


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
    with inn(browser, server_pool.start(tmp_path / "data")) as house:
        guest = house().open(f"/seat/{made['seats'][0]}")
        expect(guest.find("trouble")).to_contain_text("The log of this table is damaged")
        with guest.page.expect_download() as download:
            guest.press("save-rest")
        assert parse_record(Path(download.value.path()).read_text()).actions()
        guest.press("read-rest")
        expect(guest.find("replay")).to_be_visible()
        guest.page.keyboard.press("End")
        expect(guest.find("replay-problem")).to_contain_text("damaged")


@pytest.mark.parametrize("way", ["/seat/0123456789abcdef.0123456789abcdef0123456789abcdef", "/table/0123456789abcdef"])
def test_a_wrong_link_says_so_and_leads_on(visit: Inn, way: str) -> None:
    guest = visit().open(way)
    expect(guest.find("trouble")).to_be_visible()
    guest.find("trouble").get_by_role("link").first.click()
    expect(guest.find("play-now")).to_be_visible()


def test_a_friend_in_the_local_network_can_play(visit: Inn) -> None:
    """Without https a page of another host lacks what browsers give to secure pages only."""
    guest = visit()
    guest.allow("Cross-Origin-Opener-Policy header has been ignored")
    made = guest.server.make_table(board="first")
    guest.server = Server(guest.server.pid, f"http://kb.test:{guest.server.port}/", guest.server.output)
    guest.sit(made["seats"][0])
    assert not guest.page.evaluate("window.isSecureContext")
    guest.play_turn(Random(1))
    guest.press("copy-position")
    guest.page.get_by_role("button", name="Copy").click()
    expect(guest.page.get_by_text("Copied.")).to_be_visible()
