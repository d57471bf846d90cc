"""The list of games: it follows from the logs, whatever happens at the tables and whenever the server stops."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import command_line
import pytest
from msgspec.structs import replace

from kingdom_builder.game import Game
from kingdom_builder.notation import parse_stored_position, position_of
from kingdom_builder.server import entries
from kingdom_builder.server.bots import act_for_bot
from kingdom_builder.server.database import DATABASE, StoreError
from kingdom_builder.server.entries import Seat
from kingdom_builder.server.projector import Listed, put, rebuild
from kingdom_builder.server.schema import RATINGS, insert
from kingdom_builder.server.store import Row, Sql, Steps
from server.inside import Json, Page, World, run, world
from server.test_persons import logged, visit

Rows = tuple[list[Row], list[Row]]


def stored_rows() -> Steps[Rows]:
    games = yield Sql("SELECT * FROM games ORDER BY id, game")
    players = yield Sql("SELECT * FROM players ORDER BY id, game, seat")
    return games, players


async def rows(inside: World) -> Rows:
    await inside.tables.projector.flush()
    return await inside.tables.journal.read(stored_rows)


def late_position(players: int, seed: int) -> str:
    """A position of a random game some actions before its end."""
    game, rng = Game.first(players, seed=seed), Random(seed)
    while not game.over:
        game.play(rng.choice(game.legal_moves()))
    return position_of(game.plies[-30].state)


# ---- the same by another way -----------------------------------------------------------------------------------------


class Naive:
    """The list as somebody would make it who reads a log from its beginning, and plays every game again each time."""

    def __init__(self, table: str, log: list[entries.AnyEntry]) -> None:
        self.games: list[Row] = []
        self.players: list[Row] = []
        opened, *others = log
        assert isinstance(opened, entries.Opened)
        self._table, self._number = table, 1
        self._seats = list(opened.seats)
        self._begin(opened.start, opened.moves, int(opened.created))
        for version, entry in enumerate(others, 2):
            self._follow(entry, version)
        self._finish(len(log))

    def _begin(self, start: str, moves: str, at: int) -> None:
        self._start, self._actions, self._began, self._moved = start, moves.split(), at, at
        self._result: list[tuple[Seat, int, int]] = []

    def _game(self) -> Game:
        return Game.restore(parse_stored_position(self._start), " ".join(self._actions))

    def _follow(self, entry: entries.AnyEntry, version: int) -> None:
        match entry:
            case entries.Played():
                self._actions += entry.moves.split()
                self._moved = entry.at // 1000
                if (game := self._game()).over:
                    gold = game.scores()
                    ranks = [sorted(gold, reverse=True).index(each) + 1 for each in gold]
                    self._result = list(zip(self._seats, gold, ranks, strict=True))
            case entries.Undone():
                del self._actions[entry.ply :]
                self._moved = entry.at // 1000
            case entries.Joined():
                self._seat(entry.seat, name=entry.name, colour=entry.colour)
            case entries.Bound():
                self._seat(entry.seat, person=entry.person)
            case entries.Reseated():
                self._seats[entry.seat] = entry.seated
            case entries.Restarted():
                self._finish(version - 1)
                self._number += 1
                self._seats = [*self._seats[1:], self._seats[0]]
                self._begin(entry.start, entry.moves, entry.at // 1000)

    def _seat(self, number: int, **changes: Any) -> None:
        before = self._seats[number]
        self._seats[number] = replace(before, **changes)
        if self._result and self._result[number][0].token_hash == before.token_hash != "":
            self._result[number] = (self._seats[number], *self._result[number][1:])

    def _finish(self, version: int) -> None:
        game = self._game()
        turn = -1 if game.over else game.state.player
        mover = None if game.over else self._seats[turn]
        person = mover.person if mover and mover.kind != "bot" else ""
        head = (self._table, self._number, version, self._began, self._moved, "none", "", 0, 0, len(self._seats))
        self.games.append((*head, int(game.over), game.turn.round, turn, person, None, None))
        none: list[tuple[Seat, int | None, int | None]] = [(seat, None, None) for seat in self._seats]
        results = self._result or none
        for number, (seat, gold, rank) in enumerate(results):
            left = int(seat.kind == "bot" and (seat.owner != "" or seat.person != ""))
            row = (self._table, self._number, number, seat.person, seat.name, seat.level, seat.colour)
            self.players.append((*row, gold, rank, left))


class Evening:
    """People who do at random whatever people do at a table."""

    def __init__(self, inside: World, made: Json, pages: list[Page], cookie: str, rng: Random) -> None:
        self.inside, self.made, self.pages, self.rng = inside, made, pages, rng
        self.cookie = cookie
        """Of whoever takes a seat that the host gives away."""

    async def act(self) -> None:
        table = await self.inside.table(self.made)
        page = self.rng.choice(self.pages)
        kinds: dict[str, Callable[[], Json]] = {
            "play": lambda: {"version": table.version, "move": self.rng.choice(table.game.legal_moves() or ["end"])},
            "undo": lambda: {"version": table.version},
            "say": lambda: {"text": "Hm"},
            "join": lambda: {"seat": self._seat(), "name": f"N{self.rng.randrange(99)}", "colour": self._colour()},
            "reseat": lambda: {"seat": self._seat(), "level": self.rng.choice(["", "random"])},
            "take-back": lambda: {"seat": self._seat()},
            "rematch": dict,
        }
        weights = [30, 2, 1, 1, 1, 3, 2]
        (kind,) = self.rng.choices(list(kinds), weights)
        for each in self.pages if kind == "play" else self.pages[:1] if kind in ("reseat", "rematch") else [page]:
            answer = await each.ask(type=kind, **kinds[kind]())
            if token := answer.get("token"):
                self.pages.append(await self.inside.page(token, cookie=self.cookie))
                for other in self.pages:
                    await other.sync()
        self.pages = [each for each in self.pages if not each.task.done()]

    def _seat(self) -> int:
        return self.rng.randrange(len(self.made["seats"]))

    def _colour(self) -> int:
        return self.rng.randrange(5)


@pytest.mark.parametrize("seed", range(4))
def test_the_list_is_what_the_logs_say(seed: int) -> None:
    async def test() -> None:
        rng = Random(seed)
        async with world(rng) as inside:
            inside.tables.bots.close()  # bots act below, one action at a time
            made = await inside.make(2 + seed % 2, position=late_position(2 + seed % 2, seed))
            (first, _), (second, _) = await visit(inside), await visit(inside)
            host = await inside.page(made["host"], made["seats"][0], cookie=first)
            others = [await inside.page(token, cookie=second) for token in made["seats"][1:]]
            evening = Evening(inside, made, [host, *others], second, rng)
            for step in range(150):
                await evening.act()
                table = await inside.table(made)
                if table.bot_in_turn():
                    await act_for_bot(table, table.changed, rng.choice(table.game.legal_moves()))
                if step % 40 == 0:
                    naive = Naive(made["id"], await logged(inside, made["id"]))
                    assert await rows(inside) == (naive.games, naive.players)
            naive = Naive(made["id"], await logged(inside, made["id"]))
            assert await rows(inside) == (naive.games, naive.players)
            assert len(naive.games) > 1
            assert await rebuild(inside.tables.journal) == len(naive.games)
            assert await rows(inside) == (naive.games, naive.players)

    run(test())


# ---- once, and never backwards ---------------------------------------------------------------------------------------


def test_a_new_table_is_listed_with_its_first_entry() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await inside.make(3)
            games, players = await inside.tables.journal.read(stored_rows)
            assert [row[:3] for row in games] == [(made["id"], 1, 1)]
            assert [row[:3] for row in players] == [(made["id"], 1, seat) for seat in range(3)]

    run(test())


def test_an_older_version_of_a_game_changes_nothing() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await inside.make()
            games, players = await rows(inside)
            page = await inside.page(*made["seats"])
            table = await inside.table(made)
            await page.ask(type="play", version=table.version, move=table.game.legal_moves()[0])
            await page.ask(type="join", seat=0, name="Ann", colour=3)
            new = await rows(inside)
            assert new != (games, players)
            await inside.tables.journal.write(put, [Listed(games[0], tuple(players))])
            assert await rows(inside) == new

    run(test())


def test_lessons_are_not_listed() -> None:
    async def test() -> None:
        async with world() as inside:
            wanted = {"seats": [{"kind": "person"}, {"kind": "bot", "level": "easy"}], "lesson": "turn"}
            answer = await inside.http.get("/api/lessons")
            wanted["lesson"] = answer.json()[0]["key"]
            made = (await inside.http.post("/api/tables", json=wanted)).json()
            page = await inside.page(made["seats"][0])
            await page.ask(type="join", seat=0, name="Ann", colour=0)
            assert await rows(inside) == ([], [])
            assert await rebuild(inside.tables.journal) == 0

    run(test())


def test_what_a_crash_kept_from_the_list_is_made_at_the_next_start(tmp_path: Path) -> None:
    async def test(lose: Callable[[], Steps[None]], folder: Path) -> None:
        async with world(data=folder) as inside:
            made = await inside.make(position=late_position(2, 1))
            page = await inside.page(made["host"], *made["seats"])
            table = await inside.table(made)
            while not table.game.over:
                await page.ask(type="play", version=table.version, move=table.game.legal_moves()[0])
            await page.ask(type="rematch")
            right = await rows(inside)
            await inside.tables.journal.write(lose)
        async with world(data=folder) as inside:
            assert await inside.tables.journal.read(stored_rows) != right
            await inside.tables.projector.catch_up()
            assert await inside.tables.journal.read(stored_rows) == right
            await inside.tables.projector.catch_up()
            assert await inside.tables.journal.read(stored_rows) == right

    def older() -> Steps[None]:
        yield Sql("UPDATE games SET version = 1, over = 0, seat = 0 WHERE game = 1")
        yield Sql("DELETE FROM games WHERE game = 2")
        yield Sql("UPDATE players SET gold = NULL, rank = NULL WHERE game = 1")
        yield Sql("DELETE FROM players WHERE game = 2")

    def nothing() -> Steps[None]:
        yield Sql("DELETE FROM games")
        yield Sql("DELETE FROM players")

    for loss in (older, nothing):
        run(test(loss, tmp_path / loss.__name__))


def test_a_failing_disk_delays_the_list_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with world() as inside:
            made = await inside.make()
            page = await inside.page(*made["seats"])
            write = inside.tables.journal.write

            async def fails(*_: object) -> None:
                raise StoreError("no")

            monkeypatch.setattr(inside.tables.journal, "write", fails)
            assert (await page.ask(type="join", seat=0, name="Ann", colour=3))["type"] == "done"
            with pytest.raises(StoreError):
                await inside.tables.projector.flush()
            monkeypatch.setattr(inside.tables.journal, "write", write)
            assert "Ann" in [row[4] for row in (await rows(inside))[1]]

    run(test())


def test_changes_are_written_at_the_end_of_the_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await inside.make()
            page = await inside.page(*made["seats"])
            await page.ask(type="join", seat=0, name="Ann", colour=3)
            await page.close()

    asyncio.run(test())
    database = sqlite3.connect(tmp_path / DATABASE)
    assert database.execute("SELECT name FROM players WHERE seat = 0").fetchall() == [("Ann",)]
    database.execute("DELETE FROM players")
    rating = ("ann", "live-2", 30.0, 3.0, 20, 0)
    database.execute(insert(RATINGS), rating)  # from games whose tables are gone
    database.commit()
    database.close()
    assert command_line.run("tables", "rebuild", "--data", str(tmp_path)) == 0
    out = capsys.readouterr().out
    assert "1 game of 1 table" in out
    assert "Ratings and points for leaving stay as they are." in out
    database = sqlite3.connect(tmp_path / DATABASE)
    assert database.execute("SELECT * FROM ratings").fetchall() == [rating]
    assert database.execute("SELECT name FROM players WHERE seat = 0").fetchall() == [("Ann",)]
    database.close()
