"""The daily game at a server: its tables, and who gets on the list."""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from kingdom_builder.cli.main import main
from kingdom_builder.daily import OPPONENT, PERSON, Daily
from kingdom_builder.message import Refusal
from kingdom_builder.notation import action_text, position_of
from kingdom_builder.rules import DRAWN
from kingdom_builder.server.backup import backup, restore
from kingdom_builder.server.daily import SHOWN, DailyGames
from kingdom_builder.server.daily_list import DAYS_KEPT, RESULTS_KEPT, StoredResult, best, enter
from kingdom_builder.server.database import DATABASE, FORMAT, open_database
from kingdom_builder.server.messages import TableMade
from kingdom_builder.server.sqlite_journal import SqliteJournal
from kingdom_builder.server.table import Table
from server.inside import PATIENCE, Json, Page, World, run, world

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
OLD_FOLDER = Path(__file__).parents[1] / "data" / "folder-v1"


async def made_daily(inside: World, name: str = "") -> Json:
    answer = await inside.http.post("/api/daily", json={"name": name})
    assert answer.status_code == 200, answer.text
    made: Json = answer.json()
    return made


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.002)


async def finish(inside: World, made: Json, which: Callable[[int], int] = lambda _: 0) -> Table:
    """Play the game of a table to its end; `which` chooses among the legal moves by their number."""
    page = await inside.page(made["seats"][PERSON])
    table = await inside.table(made)
    while not table.game.over:
        if table.game.player != PERSON:
            await until(lambda: table.game.player == PERSON or table.game.over)
            continue
        await step(page, table, which)
    await page.close()
    return table


async def step(page: Page, table: Table, which: Callable[[int], int] = lambda _: 0) -> None:
    legal = table.game.legal_moves()
    answer = await page.ask(type="play", version=table.version, move=legal[which(len(legal))])
    assert answer["type"] == "done", answer


def drawn(table: Table) -> list[str]:
    return [action_text(ply.state.setup, ply.action) for ply in table.game.plies if ply.action in DRAWN]


def test_everybody_gets_the_board_and_the_draws_of_the_day_from_every_server() -> None:
    async def test() -> None:
        draws = []
        for number in range(2):
            async with world() as inside:
                made = await made_daily(inside)
                table = await finish(inside, made, lambda n, number=number: number * (n - 1))  # type: ignore[misc]  # defaults bind
                today = date.fromisoformat(table.daily)
                assert position_of(table.game.start) == position_of(Daily(today).start())
                assert [seat.level for seat in table.party.seats] == ["", OPPONENT]
                draws.append(drawn(table))
        shorter = min(map(len, draws))
        assert shorter > 10
        assert draws[0][:shorter] == draws[1][:shorter]

    run(test())


def test_a_table_still_draws_the_cards_of_the_day_after_a_restart(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await made_daily(inside)
            page = await inside.page(made["seats"][PERSON])
            table = await inside.table(made)
            for _ in range(4):
                await step(page, table)
        async with world(data=tmp_path) as inside:
            table = await finish(inside, made)
            whole = drawn(table)
        async with world() as inside:
            other = await finish(inside, await made_daily(inside))
        assert whole == drawn(other)

    run(test())


def test_a_finished_game_gets_on_the_list_with_its_own_gold_once() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await made_daily(inside)
            token = made["seats"][PERSON]
            head = {"Authorization": f"Bearer {token}"}

            async def enter(name: str, headers: Json = head) -> Json:
                answer = await inside.http.post("/api/daily/results", json={"name": name}, headers=headers)
                found: Json = answer.json()
                return found

            assert (await enter("Anna"))["code"] == "illegal"
            table = await finish(inside, made)
            gold = table.game.scores()[PERSON]
            for headers in ({}, {"Authorization": f"Bearer {made['watch']}"}, {"Authorization": "Bearer x.y"}):
                assert (await enter("Anna", headers))["code"] == "forbidden"
            assert (await enter(" \u200b "))["code"] == "illegal"
            assert (await enter("x" * 25))["code"] == "too-large"
            assert (await enter("  Anna\n"))["results"] == [{"name": "Anna", "gold": gold, "mine": True}]
            assert (await enter("Bert"))["results"] == [{"name": "Bert", "gold": gold, "mine": True}]
            seen = (await inside.get("/api/daily", token)).json()
            assert seen["mine"] == {
                "id": made["id"],
                "date": table.daily,
                "over": True,
                "round": table.game.turn.round,
                "gold": table.game.scores(),
            }
            assert seen["today"]["results"] == [{"name": "Bert", "gold": gold, "mine": True}]
            stranger = (await inside.get("/api/daily")).json()
            assert stranger["mine"] is None
            assert stranger["today"]["results"] == [{"name": "Bert", "gold": gold, "mine": False}]
            assert made["id"] not in str(stranger)

    run(test())


def test_any_other_game_does_not_get_on_the_list() -> None:
    async def test() -> None:
        async with world() as inside:
            usual = await inside.make(2)
            daily = await made_daily(inside)
            page = await inside.page(daily["host"])
            table = await inside.table(daily)
            answer = await page.ask(type="reseat", seat=PERSON, level="greedy")
            assert answer["type"] == "done"
            assert table.daily == ""
            for token in (usual["seats"][0], daily["seats"][PERSON], daily["host"]):
                head = {"Authorization": f"Bearer {token}"}
                refused = await inside.http.post("/api/daily/results", json={"name": "Anna"}, headers=head)
                assert refused.json()["code"] == "forbidden"

    run(test())


def test_a_rematch_is_not_a_daily_game() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await made_daily(inside)
            table = await finish(inside, made)
            page = await inside.page(made["host"], made["seats"][PERSON])
            assert (await page.ask(type="rematch", same_board=True))["type"] == "done"
            assert table.daily == ""
            assert (await inside.get("/api/daily", made["seats"][PERSON])).json()["mine"] is None
            assert (await page.ask(type="ping"))["type"] == "pong"

    run(test())


def test_there_are_no_hints_before_the_end() -> None:
    async def test() -> None:
        async with world() as inside:
            made = await made_daily(inside)
            token = made["seats"][PERSON]
            page = await inside.page(token)
            table = await inside.table(made)
            await until(lambda: table.game.player == PERSON)
            assert await page.refused(type="hint") == "forbidden"
            assert not (await inside.get("/api/table/replay", token)).json()["hints"]
            await page.close()
            await finish(inside, made)
            assert (await inside.get("/api/table/replay", token)).json()["hints"]

    run(test())


def test_the_list_of_a_day_closes_at_the_end_of_the_next() -> None:
    async def test() -> None:
        async with world() as inside:
            now = [NOON]
            games = DailyGames(inside.tables, lambda: now[0])
            made = await games.make("")
            table = await inside.table({"watch": made.watch})
            assert table.daily == "2026-11-18"
            table.game.state.over = True  # how it ends does not matter here
            tokens = [made.seats[PERSON]]
            view = await games.view(tokens, "test")
            assert (view.today.date, view.yesterday.date, view.next) == ("2026-11-18", "2026-11-17", 12 * 3600)
            now[0] = NOON + timedelta(days=1)
            assert (await games.enter(tokens, "test", "Anna")).date == "2026-11-18"
            view = await games.view(tokens, "test")
            assert [result.name for result in view.yesterday.results] == ["Anna"]
            assert view.today.results == []
            now[0] = NOON + timedelta(days=2)
            with pytest.raises(Refusal, match="The list of this day is closed"):
                await games.enter(tokens, "test", "Anna")

    run(test())


def test_lists_are_bounded_and_the_best_stay() -> None:
    async def test() -> None:
        journal = SqliteJournal(None)
        for number in range(RESULTS_KEPT + 30):
            await journal.write(enter, StoredResult("2026-11-18", f"t{number}", f"P{number}", number), 0)
        found = await journal.read(best, "2026-11-18", 1000)
        assert [each.gold for each in found] == list(range(RESULTS_KEPT + 29, 29, -1))
        for number in range(DAYS_KEPT + 5):
            day = str(date(2027, 1, 1) + timedelta(days=number))
            await journal.write(enter, StoredResult(day, "t", "P", 1), 0)
        assert await journal.read(best, "2026-11-18", 1000) == []
        assert await journal.read(best, "2027-01-05", 1000) == []
        assert len(await journal.read(best, "2027-01-06", 1000)) == 1
        journal.close()

    run(test())
    assert SHOWN <= RESULTS_KEPT


def test_results_survive_a_restart_and_a_backup(tmp_path: Path) -> None:
    folder, other = tmp_path / "one", tmp_path / "other"

    async def results(data: Path) -> list[str]:
        journal = SqliteJournal(data)
        found = await journal.read(best, "2026-11-18", 10)
        journal.close()
        return [each.name for each in found]

    async def store() -> None:
        journal = SqliteJournal(folder)
        await journal.write(enter, StoredResult("2026-11-18", "t", "Anna", 50), 0)
        journal.close()

    run(store())
    assert asyncio.run(results(folder)) == ["Anna"]
    backup(folder, tmp_path / "copy.sqlite")
    restore(other, tmp_path / "copy.sqlite")
    assert asyncio.run(results(other)) == ["Anna"]


def test_the_operator_removes_a_name_and_it_does_not_come_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def kb(*arguments: str) -> str:
        with pytest.raises(SystemExit) as end:
            main(["daily", *arguments, "--date", "2026-11-18", "--data", str(tmp_path)])
        printed = capsys.readouterr()
        assert end.value.code == (2 if printed.err else 0)
        return printed.out + printed.err

    async def test() -> None:
        assert "There are no games in" in kb("list")
        async with world(data=tmp_path) as inside:
            games = DailyGames(inside.tables, lambda: NOON)

            async def enter(made: TableMade, name: str) -> None:
                table = await inside.table({"watch": made.watch})
                table.game.state.over = True  # how it ends does not matter here
                await games.enter([made.seats[PERSON]], "test", name)

            made = {}
            for name in ("Anna", "Rude", "Bert", "Rude"):
                made[name] = await games.make("")
                await enter(made[name], name)
            assert sorted(line.split()[-1] for line in kb("list").splitlines()) == ["Anna", "Bert", "Rude", "Rude"]
            assert "'rude' is not on the list of 2026-11-18" in kb("remove", "rude")
            assert kb("remove", "Rude") == "Rude removed from the list of 2026-11-18, 2 times.\n"
            shown = (await games.view([], "test")).today.results
            assert sorted(each.name for each in shown) == ["Anna", "Bert"]
            with pytest.raises(Refusal, match="has taken this result off the list"):
                await enter(made["Rude"], "Ruder")
            await enter(made["Anna"], "Annie")
            shown = (await games.view([], "test")).today.results
            assert sorted(each.name for each in shown) == ["Annie", "Bert"]
        assert "is not on the list" in kb("remove", "Rude")
        for words in (["remove"], ["remove", ""]):
            assert "expected a name after remove" in kb(*words)
        assert "expected a name after remove" in kb("list", "Anna")

    run(test())


def test_a_folder_from_before_daily_games_gets_their_table(tmp_path: Path) -> None:
    shutil.copy(OLD_FOLDER / DATABASE, tmp_path / DATABASE)
    with sqlite3.connect(tmp_path / DATABASE) as old:
        before = old.execute("SELECT count(*) FROM entries").fetchone()
        assert old.execute("PRAGMA user_version").fetchone() == (1,)
    database = open_database(tmp_path, 1)
    assert database.execute("PRAGMA user_version").fetchone() == (FORMAT,)
    assert database.execute("SELECT count(*) FROM entries").fetchone() == before
    assert database.execute("SELECT count(*) FROM daily").fetchone() == (0,)
    database.close()
