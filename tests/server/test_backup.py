"""Backups: made and put back while people play."""

import asyncio
import contextlib
import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from kingdom_builder.server.backup import Copied, backup, restore
from kingdom_builder.server.database import DATABASE, StoreError
from kingdom_builder.server.settings import OWN_SECTIONS
from kingdom_builder.server.sqlite_journal import SqliteJournal
from server.client import PATIENCE, Client
from server.conftest import Start
from server.inside import run
from server.player import Player, last_versions, wait_until

OLD = Path(__file__).parents[1] / "data" / "folder-v0" / DATABASE


def kb(*arguments: object) -> str:
    """What a command prints."""
    command = [sys.executable, "-m", "kingdom_builder", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode in (0, 2), done.stderr
    return done.stdout + done.stderr


def rows(path: Path) -> list[tuple[object, ...]]:
    """All entries, without their times."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return database.execute("SELECT id, version, format, crc, body FROM entries ORDER BY id, version").fetchall()


def fill(folder: Path, name: str, tables: int = 3, entries: int = 10, size: int = 100) -> None:
    body = name.encode().ljust(size, b".")

    async def test() -> None:
        journal = SqliteJournal(folder)
        names = [f"{name}{number}" for number in range(tables)]
        await asyncio.gather(*[journal.create(table, 1, body) for table in names])
        for version in range(2, entries + 1):
            await asyncio.gather(*[journal.append(table, version, 1, body, journal.generation) for table in names])
        journal.close()

    run(test())


def test_a_backup_is_put_back_into_an_empty_folder(tmp_path: Path) -> None:
    fill(tmp_path / "data", "a")
    assert backup(tmp_path / "data", tmp_path / "file") == Copied(3, sections=False)
    assert restore(tmp_path / "new", tmp_path / "file") == Copied(3, sections=False)
    assert rows(tmp_path / "new" / DATABASE) == rows(tmp_path / "file") == rows(tmp_path / "data" / DATABASE)
    assert not list(tmp_path.glob("**/*restoring*"))
    assert not list(tmp_path.glob("*.part"))


def test_what_was_there_is_kept(tmp_path: Path) -> None:
    fill(tmp_path / "data", "a")
    backup(tmp_path / "data", tmp_path / "file")
    fill(tmp_path / "data", "b")
    before = rows(tmp_path / "data" / DATABASE)
    tables, _, (kept,) = restore(tmp_path / "data", tmp_path / "file")
    assert tables == 3
    assert kept.name == "games-before-restore-1.sqlite"
    assert rows(kept) == before
    tables, _, (again,) = restore(tmp_path / "data", kept)
    assert tables == 6
    assert again.name == "games-before-restore-2.sqlite"
    assert rows(tmp_path / "data" / DATABASE) == before


def test_own_sections_are_put_back_and_those_that_were_there_are_kept(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "file"
    fill(data, "a")
    typed_in = bytes(range(256))
    (data / OWN_SECTIONS).write_bytes(typed_in)
    assert kb("backup", file, "--data", data) == f"3 tables and {OWN_SECTIONS} copied to {file}.\n"
    restored = restore(tmp_path / "new", file)
    assert restored == Copied(3, sections=True)
    assert (tmp_path / "new" / OWN_SECTIONS).read_bytes() == typed_in
    assert sorted(os.listdir(tmp_path / "new")) == [DATABASE, OWN_SECTIONS, "server.lock"]
    SqliteJournal(tmp_path / "new").close()
    assert len(restore(data, file).kept) == 1, "the same sections are not kept twice"
    (data / OWN_SECTIONS).write_bytes(b"newer")
    printed = kb("restore", file, "--data", data)
    kept = data / "sections-before-restore-1.kbm"
    assert printed.splitlines()[0].startswith(
        f"3 tables and {OWN_SECTIONS}, which the server reads when it starts, put"
    )
    assert printed.endswith(f"games-before-restore-2.sqlite and {kept}.\n")
    assert ((data / OWN_SECTIONS).read_bytes(), kept.read_bytes()) == (typed_in, b"newer")


def test_a_backup_without_own_sections_leaves_those_of_the_folder(tmp_path: Path) -> None:
    fill(tmp_path / "data", "a")
    backup(tmp_path / "data", tmp_path / "file")
    (tmp_path / "data" / OWN_SECTIONS).write_bytes(b"newer")
    assert len(restore(tmp_path / "data", tmp_path / "file").kept) == 1
    assert (tmp_path / "data" / OWN_SECTIONS).read_bytes() == b"newer"


def test_a_backup_in_the_place_of_the_database_does_not_keep_its_sections_for_later(tmp_path: Path) -> None:
    fill(tmp_path / "data", "a")
    (tmp_path / "data" / OWN_SECTIONS).write_bytes(b"some")
    backup(tmp_path / "data", tmp_path / "file")
    (tmp_path / "new").mkdir()
    shutil.copy(tmp_path / "file", tmp_path / "new" / DATABASE)
    SqliteJournal(tmp_path / "new").close()
    assert backup(tmp_path / "new", tmp_path / "again") == Copied(3, sections=False)
    assert restore(tmp_path / "other", tmp_path / "again") == Copied(3, sections=False)


def test_own_sections_that_cannot_be_written_are_told_as_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path / "data", "a")
    (tmp_path / "data" / OWN_SECTIONS).write_bytes(b"some")
    backup(tmp_path / "data", tmp_path / "file")
    replace = os.replace

    def refuse(source: Path, target: Path) -> None:
        if target.name == OWN_SECTIONS:
            raise OSError(errno.EBUSY, "Device or resource busy")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(
        StoreError, match=r"The tables were put back, but .* cannot be written: Device or resource busy"
    ):
        restore(tmp_path / "new", tmp_path / "file")
    assert rows(tmp_path / "new" / DATABASE) == rows(tmp_path / "data" / DATABASE)


def test_a_backup_of_an_old_folder_is_put_back_in_the_present_format(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    shutil.copy(OLD, tmp_path / "old")
    (tmp_path / "old" / OWN_SECTIONS).write_bytes(b"some")
    assert backup(tmp_path / "old", tmp_path / "file") == Copied(3, sections=True)
    restore(tmp_path / "new", tmp_path / "file")
    assert len(rows(tmp_path / "new" / DATABASE)) == len(list(_old_rows(tmp_path / "file")))
    assert (tmp_path / "new" / OWN_SECTIONS).read_bytes() == b"some"


def _old_rows(path: Path) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT id, version, body FROM entries").fetchall()


def test_tables_that_are_put_back_count_as_used(tmp_path: Path) -> None:
    """Not removed at the next start because the backup is old."""
    now = [1e9]

    def server() -> SqliteJournal:
        return SqliteJournal(tmp_path / "data", clock=lambda: now[0], stopwatch=lambda: now[0])

    async def test() -> None:
        journal = server()
        await journal.create("table", 1, b"")
        backup(tmp_path / "data", tmp_path / "file")
        now[0] += 300 * 86_400
        journal.close()
        restore(tmp_path / "data", tmp_path / "file")
        journal = server()
        await journal.create("new", 1, b"")
        assert await journal.expire(180) == (0, 0, "")
        journal.close()

    run(test())


def test_a_damaged_database_is_replaced_by_a_backup(tmp_path: Path) -> None:
    fill(tmp_path / "data", "a", tables=20, entries=20, size=1000)
    (tmp_path / "data" / OWN_SECTIONS).write_bytes(b"some")
    backup(tmp_path / "data", tmp_path / "file")
    path = tmp_path / "data" / DATABASE
    damaged = bytearray(path.read_bytes())
    for page in range(len(damaged) * 3 // 4 // 4096, len(damaged) // 4096, 2):  # behind the schema
        damaged[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    path.write_bytes(damaged)
    with pytest.raises(StoreError, match="damaged"):
        backup(tmp_path / "data", tmp_path / "other")
    assert not (tmp_path / "other").exists()
    assert restore(tmp_path / "data", tmp_path / "file").kept
    assert rows(path) == rows(tmp_path / "file")
    assert backup(tmp_path / "data", tmp_path / "again") == Copied(20, sections=True)


def _text(path: Path) -> None:
    path.write_text("no database")


def _newer(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 99")


def _foreign(path: Path) -> None:
    path.unlink()
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE x (y)")


def _changed(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("UPDATE entries SET body = x'00' WHERE id = 'a1' AND version = 2")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-4096])


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (_text, "cannot be read as a database"),
        (_newer, "newer version"),
        (_foreign, "of another program"),
        (_changed, "entry 2 of table a1 is damaged"),
        (_cut, "."),
        (Path.unlink, "There is no file"),
    ],
)
def test_a_bad_backup_is_refused_and_nothing_is_changed(
    tmp_path: Path, spoil: Callable[[Path], None], expected: str
) -> None:
    fill(tmp_path / "data", "a")
    backup(tmp_path / "data", tmp_path / "file")
    spoil(tmp_path / "file")
    before = (tmp_path / "data" / DATABASE).read_bytes()
    with pytest.raises(StoreError) as refusal:
        restore(tmp_path / "data", tmp_path / "file")
    assert expected in str(refusal.value)
    assert (tmp_path / "data" / DATABASE).read_bytes() == before
    assert sorted(os.listdir(tmp_path / "data")) == [DATABASE, "server.lock"]


def test_commands_say_what_they_did_or_why_not(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "file"
    assert kb("backup", file, "--data", data) == f"kb backup: There are no games in {data}: nothing was copied.\n"
    assert kb("tables", "--data", data) == f"kb tables: There are no games in {data}.\n"
    fill(data, "a")
    assert kb("backup", file, "--data", data) == f"3 tables copied to {file}.\n"
    assert kb("backup", file, "--data", data) == f"kb backup: {file} is there already: choose another name.\n"
    assert kb("restore", file, "--data", data) == (
        f"3 tables put back into {data}.\nWhat was there before is in {data / 'games-before-restore-1.sqlite'}.\n"
    )
    assert kb("tables", "--data", data).startswith(f"{data}: 3 tables, ")
    assert kb("tables", "expire", "--data", data) == "0 tables not used for 180 days in which a server ran.\n"
    _make_old(data / DATABASE, "a0")
    old = kb("tables", "expire", "--data", data, "--trust-clock")
    assert old == "1 table not used for 180 days. They go with --remove.\n"
    removed = kb("tables", "expire", "--data", data, "--trust-clock", "--remove")
    assert removed == "1 table removed: not used for 180 days.\n"
    assert kb("tables", "--data", data).startswith(f"{data}: 2 tables, ")
    _make_old(data / DATABASE, "a1", "a2")
    assert "no table was used for 200 days" in kb("tables", "expire", "--data", data, "--remove")
    assert kb("tables", "--data", data).startswith(f"{data}: 2 tables, ")


def _make_old(path: Path, *tables: str) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        for table in tables:
            database.execute("UPDATE entries SET at = at - 200 * 86400 WHERE id = ?", (table,))


# ---- while a server runs -------------------------------------------------------------------------------------------


def test_a_backup_while_people_play_has_all_that_was_acknowledged_before(start: Start, tmp_path: Path) -> None:
    server = start()
    players = [Player(server, seed) for seed in range(3)]
    for player in players:
        player.start()
    for number in range(3):
        before = {player.made["id"]: player.last() for player in players}
        assert kb("backup", tmp_path / str(number), "--data", tmp_path / "data").startswith("3 tables copied")
        found = last_versions(tmp_path / str(number))
        assert all(found[table] >= version for table, version in before.items())
    for player in players:
        played = len(player.acknowledged)
        wait_until(lambda player=player, played=played: len(player.acknowledged) > played)  # type: ignore[misc]  # defaults bind
        player.end()
    assert server.log() == ""


def test_a_restore_while_people_play_is_seen_by_all_at_once(start: Start, tmp_path: Path) -> None:
    """They go on from what was put back, and what is acknowledged after that is kept."""
    server = start()
    players = [Player(server, seed) for seed in range(3)]
    for player in players:
        player.start()
    wait_until(lambda: all(player.last() > 20 for player in players))
    kb("backup", tmp_path / "file", "--data", tmp_path / "data")
    then = last_versions(tmp_path / "file")
    wait_until(lambda: all(player.last() > then[player.made["id"]] + 20 for player in players))
    late = server.make_table()
    printed = kb("restore", tmp_path / "file", "--data", tmp_path / "data")
    restored = time.monotonic()
    assert printed.startswith("3 tables put back")
    for player in players:
        wait_until(lambda player=player: player.acknowledged[-1][0] > restored + 0.2)  # type: ignore[misc]  # defaults bind
        player.end()
    server.kill()
    found = last_versions(tmp_path / "data" / DATABASE)
    assert late["id"] not in found
    for player in players:
        assert found[player.made["id"]] == player.last() or found[player.made["id"]] == player.last() + 1
    kept = last_versions(tmp_path / "data" / "games-before-restore-1.sqlite")
    assert set(kept) == {*found, late["id"]}


def test_tables_that_expire_while_the_server_runs_are_gone_for_it_too(start: Start, tmp_path: Path) -> None:
    server = start()
    old, new = server.make_table(), server.make_table()
    _make_old(tmp_path / "data" / DATABASE, old["id"])
    printed = kb("tables", "expire", "--data", tmp_path / "data", "--trust-clock", "--remove")
    assert printed == "1 table removed: not used for 180 days.\n"

    def said() -> bool:
        with contextlib.suppress(ConnectionClosed), Client(server, *new["seats"]) as client:
            return bool(client.ask(type="say", text="x", name="Ann")["type"] == "done")
        return False

    wait_until(said)
    with server.http(old["watch"]) as http:
        assert http.get("/api/table/record").status_code == 404


def test_a_kill_in_the_middle_of_a_restore_leaves_the_old_or_the_new(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "file"
    fill(tmp_path / "other", "new", tables=200, entries=30, size=1000)
    backup(tmp_path / "other", file)
    fill(data, "old", tables=200, entries=30, size=1000)
    old, new = rows(data / DATABASE), rows(file)
    for seconds in (0.0, 0.05, 0.1, 0.15, 0.2, 0.3):
        copy = tmp_path / f"after {seconds}"
        shutil.copytree(data, copy)
        program = "import sys; from pathlib import Path; from kingdom_builder.server.backup import restore; "
        program += "print(flush=True); restore(Path(sys.argv[1]), Path(sys.argv[2]))"
        process = subprocess.Popen([sys.executable, "-c", program, copy, file], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
        SqliteJournal(copy).close()
        assert rows(copy / DATABASE) in (old, new)
        restore(copy, file)
        assert rows(copy / DATABASE) == new
