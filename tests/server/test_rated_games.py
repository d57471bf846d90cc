"""Rated games: each counts once, in the order in which they ended, whatever happens to the server."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from kingdom_builder.server import entries
from kingdom_builder.server.clocks import Clock
from kingdom_builder.server.journal import Journal
from kingdom_builder.server.projector import Listed, put
from kingdom_builder.server.rated_games import RatedGames, rate_game, unrated
from kingdom_builder.server.ratings import NEW, Rated, Rating, anchor_of, rate
from kingdom_builder.server.store import Row, Sql, Steps
from server.inside import Json, World, run, world
from server.test_game_lists import ask
from server.test_persons import logged, visit
from server.test_projector import late_position

Player = tuple[str, str, int, int]
"""Person, level of a bot, rank, and whether they left."""


def stored() -> Steps[tuple[list[Row], list[Row]]]:
    ratings = yield Sql("SELECT person, pool, mu, sigma, games FROM ratings ORDER BY person, pool")
    rated = yield Sql("SELECT id, game, seat, person, before_mu, mu FROM rated ORDER BY id, game, seat")
    return ratings, rated


async def enter(journal: Journal, table: str, players: list[Player], at: int = 0, pool: str = "live-2") -> None:
    """Put a rated game that is over on the list."""
    row = (table, 1, 9, 0, at, "live 300 30", pool, 1, 0, len(players), 1, 20, -1, "", None, None)
    seats = tuple(
        (table, 1, seat, person, "", level, seat, 50 - rank, rank, left)
        for seat, (person, level, rank, left) in enumerate(players)
    )
    await journal.write(put, [Listed(row, seats)])


async def guests(inside: World, number: int) -> list[str]:
    return [(await visit(inside))[1]["id"] for _ in range(number)]


def test_games_are_rated_in_the_order_of_their_ends_and_once() -> None:
    async def test() -> None:
        async with world() as inside:
            journal = inside.tables.journal
            ann, bob = await guests(inside, 2)
            results = [(1, 2), (2, 1), (1, 2), (1, 1)]
            for number in (2, 0, 3, 1):
                first, second = results[number]
                await enter(journal, f"t{9 - number}", [(ann, "", first, 0), (bob, "", second, 0)], at=number)
            await RatedGames(journal).rate_all()
            one, two = NEW, NEW
            for first, second in results:
                one, two = rate([Rated(one, first), Rated(two, second)])
            ratings, rated = await journal.read(stored)
            expected = {(ann, one.mu, one.sigma, 4), (bob, two.mu, two.sigma, 4)}
            assert {(person, mu, sigma, games) for person, _, mu, sigma, games in ratings} == expected
            assert len(rated) == 8
            await RatedGames(journal).rate_all()
            for number in range(4):
                await journal.write(rate_game, f"t{9 - number}", 1)
            assert await journal.read(stored) == (ratings, rated)

    run(test())


@pytest.mark.parametrize("stop", range(5))
def test_a_crash_between_games_neither_loses_nor_repeats_one(stop: int, tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            ann, bob = await guests(inside, 2)
            for number in range(4):
                players: list[Player] = [(ann, "", 1 + number % 2, 0), (bob, "", 2 - number % 2, 0)]
                await enter(inside.tables.journal, f"t{number}", players, number)
            for table, game in (await inside.tables.journal.read(unrated, 99))[:stop]:
                await inside.tables.journal.write(rate_game, table, game)
        async with world(data=tmp_path) as inside:
            await inside.tables.rated_games.rate_all()
            found = await inside.tables.journal.read(stored)
            one, two = NEW, NEW
            for number in range(4):
                one, two = rate([Rated(one, 1 + number % 2), Rated(two, 2 - number % 2)])
            assert {row[2] for row in found[0]} == {one.mu, two.mu}

    run(test())


def test_bots_are_anchors_leavers_are_last_and_strangers_do_not_count() -> None:
    async def test() -> None:
        async with world() as inside:
            journal = inside.tables.journal
            ann, bob, cy = await guests(inside, 3)
            seats: list[Player] = [(ann, "", 2, 0), (bob, "greedy", 1, 1), ("", "hard", 3, 0), ("", "", 4, 0)]
            await enter(journal, "many", seats, pool="live-many")
            await enter(journal, "alone", [(cy, "", 1, 0), (cy, "", 2, 0)], at=1)
            await RatedGames(journal).rate_all()
            hard = anchor_of("hard")
            assert hard is not None
            mine, left, _ = rate([Rated(NEW, 2), Rated(NEW, 1, left=True), Rated(hard, 3, bot=True)])
            ratings, rated = await journal.read(stored)
            assert {row[0]: Rating(*row[2:]) for row in ratings} == {ann: mine, bob: left}
            assert left.mu < NEW.mu < mine.mu
            assert [row[3] for row in rated] == ["", "", ann, bob, "", ""]

    run(test())


async def rated_table(inside: World, cookies: list[str]) -> tuple[Json, str]:
    """A rated table whose game is about to end: the tokens, and its number."""
    made = await inside.make(position=late_position(2, 1))
    (opened,) = await logged(inside, made["id"])
    assert isinstance(opened, entries.Opened)
    table = "0123456789ab"
    body, _ = entries.encode(replace(opened, rated=True, clock=Clock("live", 300, 30)))
    await inside.tables.journal.create(table, entries.FORMAT, body)
    tokens = [f"{table}.{token.partition('.')[2]}" for token in made["seats"]]
    for token, cookie in zip(tokens, cookies, strict=True):
        await inside.page(token, cookie=cookie)
    return {**made, "watch": f"{table}.{made['watch'].partition('.')[2]}", "seats": tokens}, table


def test_a_rated_game_changes_the_leaderboard_and_gives_no_hints() -> None:
    async def test() -> None:
        async with world(Random(1)) as inside:
            (first, ann), (second, bob) = await visit(inside), await visit(inside)
            made, _ = await rated_table(inside, [first, second])
            pages = [await inside.page(made["seats"][seat], cookie=each) for seat, each in enumerate((first, second))]
            table = await inside.table(made)
            player = pages[table.game.player]
            assert await player.refused(type="hint") == "forbidden"
            while not table.game.over:
                page = pages[table.game.player]
                await page.ask(type="play", version=table.version, move=table.game.legal_moves()[0])
            await inside.tables.projector.flush()
            await inside.tables.rated_games.rate_all()
            board = await ask(inside, first, "/api/leaderboards/live-2")
            people = {line["person"]: line for line in board["lines"] if line["person"]}
            assert set(people) == {ann["id"], bob["id"]}
            assert people[ann["id"]]["you"]
            assert all(line["provisional"] and line["place"] is None for line in people.values())
            assert "hard" in [line["level"] for line in board["lines"]]
            gold = table.game.scores()
            if gold[0] != gold[1]:
                better = ann if gold[0] > gold[1] else bob
                assert people[better["id"]]["points"] > 1500
            seen = await ask(inside, second, f"/api/persons/{ann['id']}")
            assert seen["ratings"] == [
                {"pool": "live-2", "points": people[ann["id"]]["points"], "provisional": True, "games": 1}
            ]
            assert seen["results"]["games"] == 1

    run(test())


def test_unknown_pools_and_persons_are_refused() -> None:
    async def test() -> None:
        async with world() as inside:
            for path in ("leaderboards/chess", "persons/nobody", "persons/" + "x" * 100):
                answer = await inside.http.get(f"/api/{path}")
                assert answer.status_code in (404, 422)
                assert answer.json()["message"]["text"]

    run(test())


def test_deleted_and_merged_persons_are_on_no_leaderboard() -> None:
    async def test() -> None:
        async with world() as inside:
            journal = inside.tables.journal
            ann, bob, cy = await guests(inside, 3)
            await enter(journal, "a", [(ann, "", 1, 0), (bob, "", 2, 0), (cy, "", 3, 0)], pool="live-many")
            await RatedGames(journal).rate_all()

            def change() -> Steps[None]:
                yield Sql("UPDATE persons SET deleted = 1 WHERE id = ?", (ann,))
                yield Sql("UPDATE persons SET merged = ? WHERE id = ?", (cy, bob))

            await journal.write(change)
            lines = (await inside.http.get("/api/leaderboards/live-many")).json()["lines"]
            assert [line["person"] for line in lines if line["person"]] == [cy]
            assert (await inside.http.get(f"/api/persons/{ann}")).status_code == 404
            assert (await inside.http.get(f"/api/persons/{bob}")).json()["id"] == cy

    run(test())


def test_all_games_are_looked_for_only_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with world(clock=lambda: 1_800_000_000.0) as inside:
            journal, rated_games = inside.tables.journal, inside.tables.rated_games
            ann, bob = await guests(inside, 2)
            players: list[Player] = [(ann, "", 1, 0), (bob, "", 2, 0)]
            now = 1_800_000_000
            for number, ended in enumerate((5, now - 10, now, 6, now + 1)):
                if number == 3:
                    monkeypatch.setattr(rated_games._lately, "_next", float("inf"))
                await enter(journal, f"t{number}", players, at=ended)
                rated_games.look()
                while rated_games._rating is not None:
                    await asyncio.sleep(0.01)
                if number == 2:
                    assert await journal.read(unrated, 99) == []
            assert await journal.read(unrated, 99) == [("t3", 1)]
            monkeypatch.setattr(rated_games._lately, "_next", 0.0)
            rated_games.look()
            while rated_games._rating is not None:
                await asyncio.sleep(0.01)
            assert await journal.read(unrated, 99) == []

    run(test())
