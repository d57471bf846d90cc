"""Whoever is told only what has changed knows what all others know."""

import asyncio
import json
from random import Random
from typing import Any

import pytest

from kingdom_builder.content import ALL_SETS
from kingdom_builder.server import looking, sent_views
from kingdom_builder.server.differences import difference
from kingdom_builder.server.table import Table
from server.inside import Json, Page, World, run, world
from server.reader import Reader


class Pair:
    """Two pages of the same viewer: one is told everything, the other what has changed."""

    def __init__(self, full: Page, brief: Page) -> None:
        self.pages = full, brief
        self.readers = Reader(), Reader()
        self.bytes = [0, 0]
        self._read = [0, 0]

    @classmethod
    async def open(cls, inside: World, *tokens: str) -> "Pair":
        return cls(await inside.page(*tokens), await inside.page(*tokens, differences=True))

    async def check(self) -> None:
        """Both know the same, to the letter."""
        for number, (page, reader) in enumerate(zip(self.pages, self.readers, strict=True)):
            await page.sync()
            for sent in page.received[self._read[number] :]:
                message = json.loads(sent)
                assert number == 1 or message["type"] != "difference"
                self.bytes[number] += len(sent) if message["type"] in ("update", "difference") else 0
                reader.take(message)
            self._read[number] = len(page.received)
        full, brief = self.readers
        assert json.dumps([brief.view, brief.lines[-5:]]) == json.dumps([full.view, full.lines[-5:]])
        assert brief.lines == full.lines
        assert _without_now(brief.clock) == _without_now(full.clock)


def _without_now(clock: Json | None) -> Json | None:
    return clock and {**clock, "now": 0}


async def open_pairs(inside: World, made: Json) -> dict[str, Pair]:
    """All seats, people who share a device, the host, and somebody who looks on."""
    seats = {str(seat): [token] for seat, token in enumerate(made["seats"])}
    shared = {"0 and 1": made["seats"][:2], "all": made["seats"]}
    viewers = {**seats, **shared, "host": [made["host"]], "watcher": [made["watch"]]}
    return {viewer: await Pair.open(inside, *tokens) for viewer, tokens in viewers.items()}


async def act(table: Table, pairs: dict[str, Pair], rng: Random) -> None:
    """A random move of the seat in turn, sometimes a step back."""
    keys = frozenset([table.party.seats[table.game.player].token_hash])
    view = looking.view(table, keys)
    command: Json = {"type": "play", "move": rng.choice(view.legal)}
    if view.undo and rng.random() < 0.15:
        command = {"type": "undo", "whole_turn": rng.random() < 0.3}
    answer = await pairs["all"].pages[0].ask(version=table.version, **command)
    assert answer["type"] == "done", answer


CASES = [(2, ("base",)), (3, ALL_SETS), (4, ("base", "crossroads")), (5, ALL_SETS)]
CLOCK = {"kind": "live", "start": 7200, "add": 600}


@pytest.mark.parametrize(("players", "sets"), CASES, ids=["2", "3-all", "4-crossroads", "5-all"])
def test_whoever_is_told_what_has_changed_knows_what_all_others_know(players: int, sets: tuple[str, ...]) -> None:
    async def test() -> None:
        rng = Random(players)
        async with world(Random(players)) as inside:
            seats = [{"kind": "person"}] * players
            asked = {"seats": seats, "setup": {"sets": list(sets), "seed": "1"}, "clock": CLOCK}
            made = (await inside.http.post("/api/tables", json=asked)).json()
            table = await inside.table(made)
            pairs = await open_pairs(inside, made)
            host = pairs["host"].pages[0]
            for game in (1, 2):
                steps = 0
                while not table.over and (game == 1 or steps < 40):
                    steps += 1
                    changes = rng.choice([1, 1, 1, 2, 5])
                    slow = rng.choice(list(pairs.values())).pages[1]
                    slow.stalled = asyncio.Event()
                    for _ in range(changes):
                        if not table.over:
                            await act(table, pairs, rng)
                    slow.stalled.set()
                    if rng.random() < 0.1:
                        await host.ask(type="say", text=f"{steps}", name="Host")
                    for pair in pairs.values():
                        await pair.check()
                if game == 1:
                    assert (await host.ask(type="rematch"))["type"] == "done"
            for viewer, pair in pairs.items():
                assert pair.readers[1].differences > 100, viewer
            full, brief = pairs["watcher"].bytes
            assert brief < full / 5

    run(test())


class Small:
    """A game of two with somebody who looks on and is told what has changed."""

    def __init__(self, inside: World, made: Json, table: Table, players: Page, watcher: Page) -> None:
        self.inside, self.made, self.table = inside, made, table
        self.players, self.watcher = players, watcher

    @classmethod
    async def begin(cls, inside: World, **hello: Any) -> "Small":
        made = await inside.make(2, seed="1")
        players = await inside.page(*made["seats"])
        watcher = await inside.page(made["watch"], **{"differences": True, **hello})
        return cls(inside, made, await inside.table(made), players, watcher)

    async def play(self) -> None:
        view = looking.view(self.table, frozenset(seat.token_hash for seat in self.table.party.seats))
        answer = await self.players.ask(type="play", version=self.table.version, move=view.legal[0])
        assert answer["type"] == "done", answer

    async def news(self) -> list[Json]:
        """The messages about the game that the watcher got since the last time."""
        await self.watcher.sync()
        return [each for each in self.watcher.messages() if each["type"] in ("welcome", "update", "difference")]


def kinds(news: list[Json]) -> list[str]:
    return [message["type"] for message in news]


def test_only_those_who_ask_for_differences_get_them() -> None:
    async def test() -> None:
        async with world() as inside:
            for asks, expected in ((False, "update"), (True, "difference")):
                game = await Small.begin(inside, differences=asks)
                assert kinds(await game.news()) == ["welcome"]
                await game.play()
                assert kinds(await game.news()) == [expected]

    run(test())


def test_a_slow_reader_gets_the_difference_to_what_it_was_sent_last() -> None:
    async def test() -> None:
        async with world() as inside:
            game, reader = await Small.begin(inside), Reader()
            reader.take(*await game.news())
            game.watcher.stalled = asyncio.Event()
            for _ in range(7):
                await game.play()
            game.watcher.stalled.set()
            news = await game.news()
            assert kinds(news) == ["difference", "difference"]  # the first one was under way
            assert news[1]["spans"] == 6
            for message in news:
                reader.take(message)
            (welcome,) = [each for each in (await inside.page(game.made["watch"])).messages() if "setup" in each]
            assert (reader.view, reader.lines) == (welcome["view"], welcome["lines"])

    run(test())


def test_whoever_acted_too_late_gets_the_whole_view() -> None:
    async def test() -> None:
        async with world() as inside:
            game = await Small.begin(inside)
            both = await inside.page(*game.made["seats"], differences=True)
            await game.play()
            await both.sync()
            assert "difference" in kinds(both.messages())
            assert await both.refused(type="play", version=1, move="a1") == "stale"
            await both.sync()
            (update,) = [each for each in both.everything() if each["type"] == "update"]
            assert update["view"]["ply"] == len(game.table.game.plies)
            await game.play()
            await both.sync()
            assert kinds(both.messages())[-2:] == ["difference", "pong"]

    run(test())


def test_whoever_comes_back_gets_the_whole_view() -> None:
    async def test() -> None:
        async with world() as inside:
            game = await Small.begin(inside)
            await game.play()
            version = (await game.news())[-1]["version"]
            game.watcher = await inside.page(game.made["watch"], differences=True, version=version, game=1)
            await game.play()
            assert kinds(await game.news()) == ["update", "difference"]

    run(test())


def test_the_whole_view_comes_where_a_difference_is_not_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sent_views, "difference", lambda old, new: {"is": [new] * 100})

    async def test() -> None:
        async with world() as inside:
            game = await Small.begin(inside)
            await game.play()
            assert kinds(await game.news()) == ["welcome", "update"]

    run(test())


def test_a_difference_is_worked_out_once_for_all_who_see_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def counted(old: Any, new: Any) -> Any:
        made.append(json.dumps([old, new]))
        return difference(old, new)

    monkeypatch.setattr(sent_views, "difference", counted)

    async def test() -> None:
        async with world() as inside:
            game = await Small.begin(inside)
            pages = [await inside.page(game.made["watch"], differences=True) for _ in range(5)]
            await game.play()
            for page in pages:
                await page.sync()
                assert "difference" in kinds(page.messages())
            assert len(made) == len(set(made)) > 0
            assert len({id(viewer.seen.view) for viewer in game.table.viewers if viewer.reads_differences}) == 1

    run(test())


def test_a_line_is_like_one_that_the_reader_has() -> None:
    """Somebody to whom a seat was given does not have the lines that its former player saw."""

    async def test() -> None:
        async with world() as inside:
            made = await inside.make(3, seed="1")
            table = await inside.table(made)
            host = await inside.page(made["host"])
            others = await inside.page(*made["seats"][:2])
            done = await host.ask(type="reseat", seat=2)
            pair = await Pair.open(inside, done["token"])
            await pair.check()
            mine = frozenset([table.party.seats[2].token_hash])
            rng = Random(1)
            while table.game.turn.round < 6:
                is_mine = table.game.player == 2
                keys = mine if is_mine else frozenset(seat.token_hash for seat in table.party.seats)
                view = looking.view(table, keys)
                page = pair.pages[0] if is_mine else others
                command = {"type": "play", "version": table.version, "move": rng.choice(view.legal)}
                assert (await page.ask(**command))["type"] == "done"
                await pair.check()
            draws = [line["move"] for line in pair.readers[1].lines if line["seat"] == 2 and line["move"][0] == "="]
            assert draws[0] == "=?" != draws[-1]
            assert pair.readers[1].differences > 20

    run(test())
