"""People who do not know each other, for tests of order among them."""

from typing import Any, NamedTuple

import httpx

from kingdom_builder.server.clocks import Clock
from kingdom_builder.server.messages import SetupChoice
from kingdom_builder.server.persons import COOKIE
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.tables import Player
from server.inside import Json, Page, World

LIVE = Clock("live", 600, 10)


class Somebody(NamedTuple):
    """A person at a device."""

    world: World
    id: str
    secret: str

    async def ask(self, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        """The answer to a request from their device."""
        self.world.http.cookies.clear()
        everything = {"cookie": f"{COOKIE}={self.secret}", **headers}
        return await self.world.http.request(method, path, json=body, headers=everything)

    async def page(self, table: str = "", *tokens: str, client: str = "test") -> Page:
        """Their page of a table."""
        return await self.world.page(*tokens, table="" if tokens else table, cookie=self.secret, client=client)


async def meet(inside: World, name: str = "", *, member: bool = False) -> Somebody:
    """Somebody new."""
    inside.http.cookies.clear()
    answer = await inside.http.post("/api/me", json={})
    assert answer.status_code == 200, answer.text
    inside.http.cookies.clear()
    person = answer.json()["id"]
    await change(inside, "UPDATE persons SET name = ?, member = ? WHERE id = ?", name, int(member), person)
    inside.tables.persons.forget(person)
    return Somebody(inside, person, answer.cookies[COOKIE])


async def change(inside: World, text: str, *values: object) -> list[tuple[Any, ...]]:
    """Change the database; the rows that come back."""

    def work() -> Steps[list[tuple[Any, ...]]]:
        return (yield Sql(text, values))

    return await inside.tables.journal.write(work)


async def open_table(inside: World, *players: Somebody, rated: bool = False, bots: int = 0) -> str:
    """A table that is open to everybody, where these people play; at least two seats."""
    seats = [Player(each.id, f"P{number}") for number, each in enumerate(players)]
    return await inside.tables.make_for([*seats, *["random"] * bots], SetupChoice(board="first"), LIVE, rated=rated)


def said(page: Page) -> list[str]:
    """Everything that a page was ever told of the chat."""
    lines: list[Json] = []
    for message in page.everything():
        lines += message["chat"] if message["type"] == "welcome" else message.get("lines", [])
    return [line["text"] for line in lines if "role" in line]
