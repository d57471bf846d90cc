"""Lists of one's own games: what runs, what is over, and whose turn it is."""

from random import Random
from typing import Any

import pytest

from kingdom_builder.server.persons import COOKIE
from kingdom_builder.server.projector import Listed, put
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.visitors import Visitor
from server.inside import Json, World, run, world
from server.test_persons import visit

Seat = tuple[str, str, int | None, int | None]
"""Person, name, gold and rank."""


async def ask(inside: World, cookie: str, path: str) -> Json:
    inside.http.cookies.clear()
    inside.http.cookies.set(COOKIE, cookie)
    answer = await inside.http.get(path)
    inside.http.cookies.clear()
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def enter(inside: World, table: str, seats: list[Seat], *, turn: int = -1, **game: Any) -> None:
    """Put a game on the list."""
    deadline, changed = game.get("deadline"), game.get("changed", 0)
    person = "" if turn < 0 else seats[turn][0]
    row = (
        table,
        1,
        game.get("version", 1),
        0,
        changed,
        "days 0 1",
        "days-2",
        0,
        0,
        len(seats),
        int(turn < 0),
        1,
        turn,
        person,
    )
    left = game.get("left", ())
    players = [
        (table, 1, n, person, name, "" if name else "easy", n, gold, rank, int(n in left))
        for n, (person, name, gold, rank) in enumerate(seats)
    ]
    await inside.tables.journal.write(put, [Listed((*row, deadline, None), tuple(players))])


def test_my_turn_comes_first_then_the_least_time_then_the_latest() -> None:
    async def test() -> None:
        async with world() as inside:
            (cookie, me), (_, other) = await visit(inside), await visit(inside)
            both: list[Seat] = [(me["id"], "Ann", None, None), (other["id"], "Bob", None, None)]
            wanted = [
                ("a", {"turn": 0, "deadline": 10}),
                ("b", {"turn": 0, "deadline": 20, "changed": 99}),
                ("c", {"turn": 0, "changed": 9}),
                ("d", {"turn": 0, "changed": 8}),
                ("e", {"turn": 1, "deadline": 5}),
                ("f", {"turn": 1, "changed": 7}),
            ]
            for table, game in Random(3).sample(wanted, len(wanted)):
                await enter(inside, table, both, **game)
            await enter(inside, "g", [(other["id"], "Bob", None, None), ("", "Cy", None, None)], turn=0)
            found = await ask(inside, cookie, "/api/me/games")
            assert "".join(game["table"] for game in found["games"]) == "abcdef"
            assert found["waiting"] == 4
            assert [seat["name"] for seat in found["games"][0]["seats"]] == ["Ann", "Bob"]

    run(test())


def test_games_of_a_merged_guest_are_mine() -> None:
    async def test() -> None:
        async with world() as inside:
            (cookie, me), (_, guest) = await visit(inside), await visit(inside)
            await enter(inside, "a", [(guest["id"], "Ann", 40, 1), ("", "", 20, 2)])
            await enter(inside, "b", [(guest["id"], "Ann", None, None), ("", "", None, None)], turn=0)
            assert (await ask(inside, cookie, "/api/me/games"))["games"] == []

            def merge() -> Steps[None]:
                yield Sql("UPDATE persons SET merged = ? WHERE id = ?", (me["id"], guest["id"]))

            await inside.tables.journal.write(merge)
            games = (await ask(inside, cookie, "/api/me/games"))["games"]
            assert [(game["table"], game["yours"]) for game in games] == [("b", [0])]
            history = await ask(inside, cookie, "/api/me/history")
            assert [game["yours"] for game in history["games"]] == [[0]]
            assert history["bests"] == {"games": 1, "won": 1, "gold": 40, "mean": 40.0, "left": 0}

    run(test())


def test_the_gold_of_a_bot_is_nobodys_best() -> None:
    async def test() -> None:
        async with world() as inside:
            cookie, me = await visit(inside)
            await enter(inside, "a", [(me["id"], "Ann", 90, 1), ("", "Bob", 20, 2)], left=[0])
            only = {"games": 1, "won": 0, "gold": 0, "mean": 0.0, "left": 1}
            assert (await ask(inside, cookie, "/api/me/history"))["bests"] == only
            await enter(inside, "b", [(me["id"], "Ann", 30, 2), ("", "Bob", 50, 1)], left=[1])
            await enter(inside, "c", [(me["id"], "Ann", 41, 1), ("", "Bob", 20, 2)])
            history = await ask(inside, cookie, "/api/me/history")
            assert history["bests"] == {"games": 3, "won": 1, "gold": 41, "mean": 35.5, "left": 1}
            assert (await ask(inside, cookie, f"/api/persons/{me['id']}"))["results"] == history["bests"]
            left = {game["table"]: [seat["left"] for seat in game["seats"]] for game in history["games"]}
            assert left == {"a": [True, False], "b": [False, True], "c": [False, False]}

    run(test())


def test_all_pages_of_the_history_are_all_games_once_and_latest_first() -> None:
    async def test() -> None:
        async with world() as inside:
            (cookie, me), rng = await visit(inside), Random(1)
            entered = [(f"t{number}", rng.randrange(20)) for number in range(75)]
            for table, changed in entered:
                await enter(inside, table, [(me["id"], "Ann", 3, 1), ("", "Bob", 2, 2)], changed=changed)
            found: list[tuple[str, int]] = []
            before, pages = "", 0
            while pages == 0 or before:
                page = await ask(inside, cookie, f"/api/me/history?before={before}")
                found += [(game["table"], game["changed"]) for game in page["games"]]
                assert (page["bests"] is not None) == (pages == 0)
                before, pages = page["before"], pages + 1
            assert sorted(found) == sorted(entered)
            assert [changed for _, changed in found] == sorted((changed for _, changed in entered), reverse=True)
            assert pages == 3

    run(test())


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("bob", ["a"]),
        ("100%", ["b"]),
        ("%", ["b"]),
        ("_", []),
        ("Zoë", ["c"]),
        ("ZOË", ["c"]),
        ("ärg", ["d"]),
        ("ÄRGER", ["d"]),
        ("strasse", ["e"]),
        ("\\", []),
        ("'", []),
    ],
)
def test_the_history_is_searched_by_name(search: str, found: list[str]) -> None:
    async def test() -> None:
        async with world() as inside:
            cookie, me = await visit(inside)
            for table, name in (("a", "Bob"), ("b", "100%"), ("c", "Zoë"), ("d", "Ärger"), ("e", "Straße")):
                await enter(inside, table, [(me["id"], "Ann", 3, 1), ("", name, 2, 2)])
            inside.http.cookies.set(COOKIE, cookie)
            answer = await inside.http.get("/api/me/history", params={"search": search})
            assert [game["table"] for game in answer.json()["games"]] == found

    run(test())


def test_all_pages_of_a_search_are_all_games_that_it_finds() -> None:
    async def test() -> None:
        async with world() as inside:
            cookie, me = await visit(inside)
            for number in range(140):
                seats: list[Seat] = [(me["id"], "Ann", 3, 1), ("", "Bob" if number % 2 else "Ärger", 2, 2)]
                seats += [] if number % 2 else [("", "ärgernis", 1, 3)]  # a game that is found twice is one
                await enter(inside, f"t{number:03}", seats, changed=number // 7)
            await enter(inside, "other", [("", "Ärger", 3, 1), ("", "Bob", 2, 2)])  # not mine
            found: list[str] = []
            before, pages = "", 0
            while pages == 0 or before:
                page = await ask(inside, cookie, f"/api/me/history?search=%C3%A4RG&before={before}")
                found += [game["table"] for game in page["games"]]
                before, pages = page["before"], pages + 1
            assert sorted(found) == [f"t{number:03}" for number in range(0, 140, 2)]
            assert pages == 3

    run(test())


def test_the_history_says_with_which_boxes_a_table_was_made() -> None:
    async def test() -> None:
        async with world(Random(1)) as inside:
            cookie, me = await visit(inside)
            made = await inside.make(2, sets=["base", "nomads"])
            for table in (made["id"], "without a log"):
                await enter(inside, table, [(me["id"], "Ann", 3, 1), ("", "Bob", 2, 2)], version=9)
            games = (await ask(inside, cookie, "/api/me/history"))["games"]
            found = {game["table"]: game["sets"] for game in games}
            assert found == {made["id"]: ["base", "nomads"], "without a log": []}

    run(test())


def test_lists_that_take_long_cost_more_than_other_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading the history of somebody with thousands of games takes milliseconds, for which all others wait."""

    async def test() -> None:
        async with world() as inside:
            cookie, me = await visit(inside)
            charged: list[float] = []

            def charge(_: Visitor, work: float) -> float:
                charged.append(work)
                return 0.0

            monkeypatch.setattr(Visitor, "charge", charge)
            for path, least in (
                ("/api/me/history?search=x", 50),
                ("/api/me/history", 5),
                ("/api/me/games", 5),
                (f"/api/persons/{me['id']}", 5),
                ("/api/leaderboards/live-2", 5),
            ):
                charged.clear()
                await ask(inside, cookie, path)
                assert sum(charged) >= least, path

    run(test())


@pytest.mark.parametrize("query", ["before=x", "before=1-a-1;", "before=" + "9" * 60, "search=" + "x" * 1000])
def test_bad_questions_are_refused(query: str) -> None:
    async def test() -> None:
        async with world() as inside:
            cookie, _ = await visit(inside)
            assert (await inside.http.get("/api/me/history")).status_code == 401
            inside.http.cookies.set(COOKIE, cookie)
            answer = await inside.http.get(f"/api/me/history?{query}")
            assert answer.status_code in (400, 422)
            assert answer.json()["message"]["text"]

    run(test())
