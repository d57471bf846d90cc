"""Hidden cards are in no list: neither in those of games, nor in the lobby, nor in profiles and leaderboards.

Two servers have the same people and the same tables; in one of them a hidden card is another one. Whatever anybody asks
for is the same, byte for byte.
"""

import dataclasses
import re
import zlib
from random import Random

import pytest
from msgspec.structs import replace

from kingdom_builder.server import entries, game_lists, profiles
from kingdom_builder.server.clocks import Clock
from kingdom_builder.server.game_lists import running
from kingdom_builder.server.messages import Bests, ListedGame, Standing
from kingdom_builder.server.persons import COOKIE, insert_guest
from kingdom_builder.server.profiles import leaders
from kingdom_builder.server.rated_games import RatedGames
from kingdom_builder.server.ratings import POOLS
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.table import Table
from kingdom_builder.server.tokens import token_hash
from server.inside import Dealer, Json, World, dealers, frozen, run, world
from server.test_game_lists import ask
from server.test_persons import logged, visit
from server.test_rated_games import enter
from server.test_secrets import forge

__all__ = ["dealers"]

PLACES = {
    "games": "/api/me/games",
    "history": "/api/me/history",
    "lobby": "/api/lobby",
    **{pool: f"/api/leaderboards/{pool}" for pool in POOLS},
}


class Twins:
    """Two servers with the same people, and tables that differ in a hidden card."""

    def __init__(self, left: World, right: World, people: list[tuple[str, Json]]) -> None:
        self.both = (left, right)
        self.people = [(cookie, me["id"]) for cookie, me in people]
        self.pages = {each: f"/api/persons/{each}" for _, each in self.people}

    async def prepare(self) -> None:
        """Let everybody be known in both, with a result that counts."""
        first, second, *_ = (person for _, person in self.people)
        for twin in self.both:
            for cookie, person in self.people:
                await twin.tables.journal.write(insert_guest, person, token_hash(cookie), "", 0)
            await enter(twin.tables.journal, "over", [(first, "", 1, 0), (second, "", 2, 0)], int(frozen()))
            await RatedGames(twin.tables.journal).rate_all()

    async def lay(self, identity: str, logs: tuple[list[bytes], list[bytes]]) -> tuple[Table, Table]:
        """Put a table on both servers, each with its own log, and load it."""
        return await self._copy(self.both[0], identity, logs[0]), await self._copy(self.both[1], identity, logs[1])

    async def _copy(self, twin: World, identity: str, bodies: list[bytes]) -> Table:
        journal = twin.tables.journal
        generation = await journal.create(identity, entries.FORMAT, bodies[0])
        for version, body in enumerate(bodies[1:], 2):
            await journal.append(identity, version, entries.FORMAT, body, generation)
        await twin.tables.projector.catch_up()
        table, _ = await twin.tables.find([], "test", table=identity)
        return table

    async def differences(self, identity: str) -> list[str]:
        """What is not the same for everybody. All that has a table in it must have this one."""
        found = []
        for cookie, _ in self.people:
            for name, path in (PLACES | self.pages).items():
                left, right = [await self._bytes(twin, cookie, path) for twin in self.both]
                assert (identity.encode() in left) == (name in ("games", "lobby")), name
                if left != right:
                    found.append("/api/persons/ID" if name in self.pages else path)
            lobbies = [await twin.page(table="lobby", cookie=cookie) for twin in self.both]
            lists = [[text for text in page.received if '"type":"lobby"' in text] for page in lobbies]
            assert len(lists[0]) == 1
            assert identity in lists[0][0]
            if _without_online(lists[0]) != _without_online(lists[1]):
                found.append("/ws/lobby")
            for page in lobbies:
                await page.close()
        return found

    async def _bytes(self, twin: World, cookie: str, path: str) -> bytes:
        twin.http.cookies.clear()
        twin.http.cookies.set(COOKIE, cookie)
        answer = await twin.http.get(path)
        assert answer.status_code == 200, answer.text
        return answer.content


def _without_online(texts: list[str]) -> list[str]:
    """Lists without the number of people there, which are counted a moment after somebody has come."""
    return [re.sub('"online":[0-9]+', "", text) for text in texts]


async def compare(times: int) -> list[str]:
    """Play a rated game at an open table, and compare the twins so often when somebody has got a hidden card."""
    differences, compared = list[str](), 0
    async with world(Dealer(1), frozen) as main, world(Dealer(2), frozen) as left, world(Dealer(2), frozen) as right:
        people = [await visit(main) for _ in range(3)]
        twins = Twins(left, right, people)
        await twins.prepare()
        made = await main.make(3)
        (opened,) = await logged(main, made["id"])
        assert isinstance(opened, entries.Opened)
        identity = "0123456789ab"
        body, _ = entries.encode(replace(opened, rated=True, open=True, clock=Clock("live", 300, 30)))
        await main.tables.journal.create(identity, entries.FORMAT, body)
        tokens = [f"{identity}.{token.partition('.')[2]}" for token in made["seats"]]
        pages = [await main.page(token, cookie=each[0]) for token, each in zip(tokens, people, strict=True)]
        table, _ = await main.tables.find([], "test", table=identity)
        for turn in range(40):
            player = pages[table.game.player]
            await player.ask(type="play", version=table.version, move=table.game.legal_moves()[0])
            bodies = [stored.body for stored in (await main.tables.journal.load(identity)).entries]
            forged = forge(bodies, table, Random(turn))
            if forged is None:
                continue
            copy = f"{turn:012x}"
            one, other = await twins.lay(copy, (bodies, forged[1]))
            assert one.game.state.hands != other.game.state.hands
            differences += await twins.differences(copy)
            compared += 1
            if compared == times:
                break
        board = await ask(left, people[0][0], "/api/leaderboards/live-2")
        assert {line["person"] for line in board["lines"]} > {person for _, person in twins.people[:2]}
        assert (await ask(left, people[0][0], "/api/me/history"))["bests"]["won"] == 1
    assert compared == times
    return differences


@pytest.mark.usefixtures("dealers")
def test_hidden_cards_are_in_no_list() -> None:
    async def test() -> None:
        assert await compare(4) == []

    run(test())


# ---- leaks that it would find ----------------------------------------------------------------------------------------


def secret() -> Steps[int]:
    """A number that depends on the hidden cards."""
    return zlib.crc32(repr((yield Sql("SELECT body FROM entries ORDER BY id, version"))).encode()) % 10_000


def leaking_bests(person: str) -> Steps[Bests]:
    return Bests(1, 1, (yield from secret()), 0.0, 0)


def leaking_leaders(pool: str, you: str) -> Steps[list[Standing]]:
    lines, leaked = (yield from leaders(pool, you)), (yield from secret())
    return [dataclasses.replace(line, points=leaked) for line in lines]


def leaking_games(person: str, now: int) -> Steps[list[ListedGame]]:
    games, leaked = (yield from running(person, now)), (yield from secret())
    return [dataclasses.replace(game, round=leaked) for game in games]


@pytest.mark.parametrize(
    ("place", "name", "leak", "found"),
    [
        (profiles, "bests", leaking_bests, {"/api/persons/ID"}),
        (profiles, "leaders", leaking_leaders, {f"/api/leaderboards/{pool}" for pool in POOLS}),
        (game_lists, "bests", leaking_bests, {"/api/me/history"}),
        (game_lists, "running", leaking_games, {"/api/me/games"}),
        (Table, "boxes", property(lambda table: [repr(table.game.state.hands)]), {"/api/lobby", "/ws/lobby"}),
    ],
    ids=["profile", "leaderboard", "history", "games", "lobby"],
)
@pytest.mark.usefixtures("dealers")
def test_a_leak_would_be_found(
    place: object, name: str, leak: object, found: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, name, leak)

    async def test() -> None:
        assert set(await compare(1)) == found

    run(test())
