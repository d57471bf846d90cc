"""A folder of an older format with many tables: all games are as they were."""

import asyncio
from pathlib import Path

import pytest
from measure_migration import Seen, fill, measure, old_logs, seen

from kingdom_builder.server.database import FORMAT
from kingdom_builder.server.sqlite_journal import SqliteJournal


@pytest.mark.parametrize("number", range(FORMAT))
def test_all_games_are_equal_before_and_after(tmp_path: Path, number: int) -> None:
    fill(tmp_path, number, 30)
    found = asyncio.run(measure(tmp_path))
    assert found.tables == 30
    assert found.entries > 1_000


def test_names_that_the_old_folder_has_are_expected_in_the_new_one(tmp_path: Path) -> None:
    """What is read before is not empty: a folder of format 3 keeps names and chat beside the log."""

    async def looks(number: int) -> list[Seen]:
        fill(tmp_path / str(number), number, 6)
        memory = SqliteJournal(None)
        found = [await seen(table, loaded, memory) for table, loaded in old_logs(tmp_path / str(number))]
        memory.close()
        return found

    for number in range(1, FORMAT):
        found = asyncio.run(looks(number))
        assert sum(len(each.chat) for each in found) > 0, number
        assert all(text for each in found for _, text in each.chat), number
