"""`kb migrate`: everything from a folder to PostgreSQL, and back."""

import asyncio
import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import asyncpg
import command_line
import pytest

from kingdom_builder.server import looking
from kingdom_builder.server.backup import backup
from kingdom_builder.server.database import DATABASE, open_database
from kingdom_builder.server.moving import move
from kingdom_builder.server.schema import CLOCK, RELATIONS
from kingdom_builder.server.sqlite_journal import SqliteJournal
from kingdom_builder.server.store import StoreError
from server.inside import Json, frozen, run, world
from server.postgres_server import PostgresServer
from server.strangers import meet, open_table

DATA = Path(__file__).parents[1] / "data"


def rows_of(folder: Path, tmp_path: Path) -> dict[str, list[Any]]:
    """Everything in a folder, as the present format has it; the folder stays as it is."""
    place = tmp_path / f"copy-{len(list(tmp_path.iterdir()))}"
    place.mkdir()
    backup(folder, place / DATABASE)
    with closing(open_database(place, 5)) as database:
        names = [relation.name for relation in RELATIONS]
        return {name: sorted(database.execute(f"SELECT * FROM {name}"), key=repr) for name in names}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A folder of an older format."""
    shutil.copytree(DATA / "folder-v3", tmp_path / "old")
    return tmp_path / "old"


@pytest.fixture
def played(tmp_path: Path) -> tuple[Path, Json]:
    """A folder of the present format with people, words and a game."""
    made: list[Json] = []

    async def play() -> None:
        async with world(data=tmp_path / "played") as inside:
            ann, bob = await meet(inside, "Ann"), await meet(inside, "Bob", member=True)
            page = await bob.page(await open_table(inside, ann, bob))
            await page.ask(type="say", text="Grüße \U0001f3f0", seat=1)
            made.append(await inside.make())
            page, table, rng = await inside.page(*made[0]["seats"]), await inside.table(made[0]), Random(3)
            for _ in range(25):
                seats = frozenset(seat.token_hash for seat in table.party.seats)
                move = rng.choice(looking.view(table, seats).legal)
                answer = await page.ask(type="play", move=move, version=table.version)
                assert answer["type"] == "done"

    run(play())
    return tmp_path / "played", made[0]


def test_everything_comes_back_as_it_was(
    old: Path, played: tuple[Path, Json], tmp_path: Path, postgres: PostgresServer
) -> None:
    for number, folder in enumerate((old, played[0])):
        file = (folder / DATABASE).read_bytes()
        address, back = postgres.make_database(), tmp_path / f"back-{number}"
        moved = move(str(folder), address)
        before = rows_of(folder, tmp_path)
        assert moved.rows == sum(map(len, before.values()))
        assert (moved.tables, moved.entries) == (len(before["tables"]), len(before["entries"]))
        assert moved.entries > 20
        assert move(address, str(back)) == moved
        assert rows_of(back, tmp_path) == before
        assert (folder / DATABASE).read_bytes() == file, "the source stays as it is"
    assert before["persons"]
    assert before["words"]


def test_servers_of_both_show_the_same_game(played: tuple[Path, Json], postgres: PostgresServer) -> None:
    folder, made = played
    address = postgres.make_database()
    move(str(folder), address)

    async def test() -> None:
        seen = []
        for place in ({"data": folder}, {"database": address}):
            async with world(Random(1), frozen, **place) as inside:
                page = await inside.page(made["seats"][0])
                (view,) = [message for message in page.everything() if message["type"] == "welcome"]
                record = await inside.get("/api/table/record", made["seats"][0])
                assert record.status_code == 200
                seen.append((view, record.text))
        assert json.dumps(seen[0]) == json.dumps(seen[1])

    run(test())


def test_an_old_folder_is_played_on_in_postgresql(old: Path, postgres: PostgresServer) -> None:
    address = postgres.make_database()
    move(str(old), address)
    tables = json.loads((old / "expected.json").read_text("utf-8"))

    async def test() -> None:
        async with world(database=address) as inside:
            for table in tables:
                for token in table["views"]:
                    page = await inside.page(token)
                    assert page.closed is None
                    await page.close()
                    inside.pages.remove(page)

    run(test())


def test_a_target_with_something_in_it_is_refused(
    old: Path, played: tuple[Path, Json], postgres: PostgresServer
) -> None:
    address = postgres.make_database()
    move(str(old), address)
    for source, target in ((str(played[0]), address), (address, str(played[0])), (address, str(old))):
        with pytest.raises(StoreError, match="has games or people already: choose one that is empty"):
            move(source, target)


def test_a_place_in_use_by_a_server_is_refused(old: Path, tmp_path: Path, postgres: PostgresServer) -> None:
    address = postgres.make_database()
    journal = SqliteJournal(tmp_path / "used")
    try:
        for source, target in ((str(tmp_path / "used"), address), (str(old), str(tmp_path / "used"))):
            with pytest.raises(StoreError, match="are in use by another server"):
                move(source, target)
    finally:
        journal.close()

    async def test() -> None:
        async with world(database=address):
            for source, target in ((str(old), address), (address, str(tmp_path / "new"))):
                with pytest.raises(StoreError, match="is in use by a server"):
                    await asyncio.to_thread(move, source, target)

    run(test())


def test_what_is_damaged_or_of_another_type_leaves_the_target_empty(
    played: tuple[Path, Json], tmp_path: Path, postgres: PostgresServer
) -> None:
    address = postgres.make_database()
    for number, damage in enumerate(("UPDATE games SET round = 'x'", "UPDATE entries SET crc = 1 WHERE version = 2")):
        folder = tmp_path / f"damaged-{number}"
        shutil.copytree(played[0], folder)
        with closing(sqlite3.connect(folder / DATABASE)) as database, database:
            database.execute(damage)
        with pytest.raises(StoreError, match=r"expected integer|is damaged"):
            move(str(folder), address)
    moved = move(str(played[0]), address)

    async def spoil() -> None:
        connection = await asyncpg.connect(address)
        await connection.execute("UPDATE entries SET body = 'x' WHERE version = 2")
        await connection.close()

    run(spoil())
    with pytest.raises(StoreError, match=r"Entry 2 of table [0-9a-f]+ is damaged: nothing was copied"):
        move(address, str(tmp_path / "back"))
    with closing(open_database(tmp_path / "back", 1)) as database:
        names = [relation.name for relation in RELATIONS if relation != CLOCK]
        assert not any(database.execute(f"SELECT 1 FROM {name}").fetchone() for name in names)
    assert moved.tables == 2


def test_the_command_says_what_it_did(
    old: Path, tmp_path: Path, postgres: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    address = postgres.make_database()
    (old / "sections.kbm").write_text("")
    assert command_line.run("migrate", "--from", str(old), "--to", address) == 0
    said = capsys.readouterr().out
    assert re.match(r"\d+ tables with [\d,]+ entries copied, [\d,]+ rows in all, and checked\.\n", said)
    assert "sections.kbm is in no database" in said
    for source, target, complaint in (
        (str(tmp_path / "none"), address, "There are no games in"),
        (postgres.make_database(), str(tmp_path / "x"), "There are no games in"),
        (address, address, "expected two different ones"),
        ("postgresql://kb@/none?host=/none", str(tmp_path / "y"), "the database cannot be reached"),
        (str(old), address, "has games or people already"),
    ):
        assert command_line.run("migrate", "--from", source, "--to", target) == 2
        assert complaint in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
