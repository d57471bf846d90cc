"""Commands that look after the games of a server, in a folder or in a shared database."""

import asyncio
from pathlib import Path

import command_line
import pytest
from server.inside import World, world
from server.postgres_server import PostgresServer


def test_commands_work_on_a_shared_database(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    address = asyncio.run(postgres.new_database())

    async def make() -> None:
        async with World(database=address) as node:
            made = await node.make()
            page = await node.page(*made["seats"])
            await page.ask(type="join", seat=0, name="Ann", colour=3)

    asyncio.run(make())
    assert command_line.run("tables", "rebuild", "--database", address) == 0
    assert "1 game of 1 table" in capsys.readouterr().out
    monkeypatch.setenv("KB_DATABASE", address)
    assert command_line.run("daily", "list", "--date", "2026-11-18") == 0
    assert capsys.readouterr().out == "Nobody is on the list of 2026-11-18.\n"
    assert command_line.run("daily", "remove", "Ann") == 2
    assert "'Ann' is not on the list" in capsys.readouterr().err
    assert command_line.run("tables", "list") == 2
    assert "only rebuild is for one" in capsys.readouterr().err


def test_the_folder_of_the_environment_counts_if_nothing_else_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def make() -> None:
        async with world(data=tmp_path / "games"):
            pass

    asyncio.run(make())
    monkeypatch.setenv("KB_DATA", str(tmp_path / "games"))
    assert command_line.run("tables") == 0
    assert str(tmp_path / "games") in capsys.readouterr().out
    monkeypatch.setenv("KB_DATABASE", "postgresql://nobody@127.0.0.1:1/none")
    assert command_line.run("tables", "--data", str(tmp_path / "games")) == 0
    assert command_line.run("admin") == 2
    assert "cannot be used" in capsys.readouterr().err
