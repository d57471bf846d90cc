"""Power cuts: what was written and not synced is lost in any way, and nothing that was acknowledged is."""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from kingdom_builder.server import looking
from kingdom_builder.server import sqlite_journal as journals
from kingdom_builder.server.database import DATABASE, open_database
from kingdom_builder.server.sqlite_journal import SqliteJournal
from kingdom_builder.server.store import StoreError
from server.disk import Disk, Operation, after_a_power_cut, disk, put
from server.inside import Json, Page, World, run, world

CUTS = int(os.environ.get("POWER_CUTS", "60"))
COMMANDS = 250
"""At each of two tables: enough for a checkpoint while they play."""


class Acknowledged(NamedTuple):
    """An acknowledged entry, and how much had been done on the disk by then."""

    table: str
    version: int
    operations: int


async def play(inside: World, page: Page, made: Json, rng: Random, told: Callable[[Json], None]) -> None:
    table = await inside.table(made)
    for _ in range(COMMANDS):
        if table.game.state.over or rng.random() < 0.2:
            done = await page.ask(type="say", text="x" * rng.randrange(1, 300), name="Ann")
        else:
            legal = looking.view(table, frozenset(chair.token_hash for chair in table.party.seats)).legal
            done = await page.ask(type="play", version=table.version, move=rng.choice(legal))
        assert done["type"] == "done", done
        told(done)


def recorded(folder: Path, medium: Disk, rng: Random) -> list[Acknowledged]:
    """Play at two tables at once, and note what was acknowledged when."""
    acknowledged: list[Acknowledged] = []

    async def test() -> None:
        async with world(data=folder) as inside:
            plays = []
            for number in range(2):
                made = await inside.make(seed=str(number))
                acknowledged.append(Acknowledged(made["id"], 1, len(medium.operations)))
                page = await inside.page(*made["seats"])

                def told(done: Json, table: str = made["id"]) -> None:
                    acknowledged.append(Acknowledged(table, done["version"], len(medium.operations)))

                plays.append(play(inside, page, made, rng, told))
            await asyncio.gather(*plays)

    run(test())
    return acknowledged


def lost(acknowledged: list[Acknowledged], operations: int, folder: Path) -> list[Acknowledged]:
    """What is missing in a folder of what was acknowledged by then. Anything else that is wrong fails."""
    missing: list[Acknowledged] = []

    async def test() -> None:
        journal = SqliteJournal(folder)
        try:
            for table in {each.table for each in acknowledged}:
                _, entries = await journal.load(table)
                assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
                assert all(entry.intact for entry in entries)
                known = [each for each in acknowledged if each.table == table and each.operations <= operations]
                missing.extend(each for each in known if each.version > len(entries))
        finally:
            journal.close()
        with sqlite3.connect(folder / DATABASE) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        database.close()

    run(test())
    return missing


def cut_often(tmp_path: Path, cuts: int) -> list[Acknowledged]:
    """What is lost in this many power cuts."""
    rng = Random(15)
    played = tmp_path / "played"
    played.mkdir()
    with disk() as medium:
        acknowledged = recorded(played, medium, rng)
    all_lost = []
    for number in range(cuts):
        point = rng.randrange(len(medium.operations) + 1)
        folder = tmp_path / str(number)
        folder.mkdir()
        put(after_a_power_cut(medium.operations[:point], rng), folder)
        all_lost += lost(acknowledged, point, folder)
        for file in folder.iterdir():
            file.unlink()
    return all_lost


def test_power_cuts_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    assert cut_often(tmp_path, CUTS) == []


def test_power_cuts_in_this_test_do_lose_what_is_not_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of the test: a database that does not sync is found out."""

    def careless(folder: Path | None, patience: float) -> sqlite3.Connection:
        database = open_database(folder, patience)
        database.execute("PRAGMA synchronous = OFF")
        return database

    monkeypatch.setattr(journals, "open_database", careless)
    try:
        is_found_out = bool(cut_often(tmp_path, 20))
    except (AssertionError, StoreError, sqlite3.Error):
        is_found_out = True  # it is damaged beyond reading
    assert is_found_out


def test_a_power_cut_while_an_old_folder_is_brought_to_the_present_format(tmp_path: Path) -> None:
    """It has the old format or the new one, with all entries."""
    old = Path(__file__).parents[1] / "data" / "folder-v0" / DATABASE
    rng = Random(16)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / DATABASE).write_bytes(old.read_bytes())
    with disk() as medium:
        SqliteJournal(folder).close()
    with sqlite3.connect(folder / DATABASE) as database:
        expected = database.execute("SELECT id, max(version) FROM entries GROUP BY id").fetchall()
    database.close()
    assert sum(last for _, last in expected) > 200
    path = str(folder / DATABASE)
    start = [Operation("write", path, 0, old.read_bytes()), Operation("sync", path)]
    for point in range(len(medium.operations) + 1):
        cut = tmp_path / str(point)
        cut.mkdir()
        put(after_a_power_cut([*start, *medium.operations[:point]], rng), cut)
        assert lost([Acknowledged(table, last, 0) for table, last in expected], 0, cut) == []
