"""Tables for people who play at their own devices, with clocks, and the ways to them."""

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import expect
from server.client import Json, Server

from browser.users import BrowserUser

FAST = {"kind": "live", "start": 60, "add": 0}
"""The shortest clock that a game can have."""

DAY = {"kind": "days", "start": 0, "add": 86_400}


def make_table(server: Server, players: int = 2, clock: Json | None = None, **more: Any) -> Json:
    """A new table with free seats only, made by nobody in particular."""
    seats = [{"kind": "open"}] * players
    wanted = {"seats": seats, "setup": {"board": "first"}, "clock": clock or {"kind": "none"}, **more}
    with server.http() as http:
        answer = http.post("/api/tables", json=wanted)
    assert answer.status_code == 200, answer.text
    made: Json = answer.json()
    return made


def come(user: BrowserUser, made: Json) -> BrowserUser:
    """Come to a table by its link."""
    user.tokens.add(made["invite"])
    user.open(f"/join/{made['invite']}")
    user.find("board").wait_for()
    user.page.wait_for_function("(id) => location.hash === `#/table/${id}`", arg=made["id"])
    return user


def sit(user: BrowserUser, name: str, seat: int) -> BrowserUser:
    """Take a free seat at the table where the choice is offered."""
    user.find(f"sit-{seat}").check()
    user.find("sit-name").fill(name)
    user.press("sit")
    expect(user.find("sit")).to_be_hidden()
    return user


def gather(made: Json, *users: BrowserUser, names: Sequence[str] = ("Ann", "Ben", "Cleo", "Dora")) -> None:
    """Let users take the seats of a table in their order, and wait until no page shows the line about who is missing:
    the board moves up when it goes, under the pointer of somebody who is about to press a hex."""
    for seat, (user, name) in enumerate(zip(users, names, strict=False)):
        sit(come(user, made), name, seat)
    for user in users:
        expect(user.find("arrivals")).to_be_hidden()
