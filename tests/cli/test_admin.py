"""`kb admin`: looks after people, while a server runs or not."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from server.inside import PATIENCE, world
from server.postgres_server import PostgresServer
from server.strangers import meet, open_table

from kingdom_builder.cli.main import main
from kingdom_builder.server.order import NO_TERMS


@pytest.fixture(params=["folder", "database"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """Where a server keeps its games, as options of commands."""
    if request.param == "folder":
        return "--data", str(tmp_path)
    postgres: PostgresServer = request.getfixturevalue("postgres")
    return "--database", asyncio.run(postgres.new_database())


def settings(place: tuple[str, str]) -> dict[str, Any]:
    """The settings of a server at that place."""
    option, value = place
    return {"data": Path(value)} if option == "--data" else {"database": value}


def kb(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The status and the output of a command."""
    with pytest.raises(SystemExit) as ended:
        main(["admin", *arguments])
    out, err = capsys.readouterr()
    return int(str(ended.value.code)), out + err


def test_an_operator_does_everything_at_the_command_line(
    place: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    async def play() -> tuple[str, str]:
        async with world(**settings(place)) as inside:
            ann, bob = await meet(inside, "Ann"), await meet(inside, "Bob", member=True)
            table = await open_table(inside, ann, bob)
            page = await bob.page(table)
            await page.ask(type="say", text="an insult", seat=1)
            wanted = {"table": table, "seat": 1, "reason": "insult", "text": "Look at this"}
            assert (await ann.ask("POST", "/api/reports", wanted)).status_code == 200
            return ann.id, bob.id

    _, bob = asyncio.run(play())
    status, out = kb(capsys, *place)
    report = out.split()[0]
    assert (status, "insult: P1" in out, "Look at this" in out) == (0, True, True)
    status, out = kb(capsys, "show", report, *place)
    assert (status, "an insult" in out, "Reported by Ann" in out, "Position: " in out) == (0, True, True, True)
    assert kb(capsys, "ban", bob, "--days", "30", "--why", "rude", *place)[0] == 0
    assert "ban until" in kb(capsys, "show", report, *place)[1]
    assert kb(capsys, "bans", *place)[1].startswith(f"{bob}  Bob: ban until")
    assert kb(capsys, "unban", bob, *place)[0] == 0
    assert kb(capsys, "bans", *place)[1] == "Nobody is muted or banned.\n"
    assert kb(capsys, "grant", bob, *place)[0] == 0
    assert kb(capsys, "find", "bo", *place)[1] == f"{bob}  Bob, member, admin\n"
    assert kb(capsys, "rename", bob, *place)[0] == 0
    assert kb(capsys, "find", bob, *place)[1] == f"{bob}  (no name), member, admin\n"
    assert kb(capsys, "close", report, *place)[0] == 0
    assert kb(capsys, "reports", *place)[1] == "No reports.\n"
    assert "(closed" in kb(capsys, "reports", "--all", *place)[1]
    assert kb(capsys, "delete", bob, *place)[0] == 0
    assert kb(capsys, "find", bob, *place)[1] == "Nobody.\n"
    log = kb(capsys, "log", *place)[1]
    assert [word in log for word in ("ban", "unban", "grant", "rename", "close", "delete", "rude")] == [True] * 7


def test_a_server_that_runs_notices_it(place: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    async def test() -> None:
        async with world(**settings(place)) as inside:
            ann, bob = await meet(inside, member=True), await meet(inside, member=True)
            table = await open_table(inside, ann, bob)
            page = await ann.page(table)
            assert (await page.ask(type="say", text="one", seat=0))["type"] == "done"
            for command in (("grant", bob.id), ("mute", ann.id)):
                assert (await asyncio.to_thread(kb, capsys, *command, *place))[0] == 0
            if place[0] == "--data":
                assert (await inside.http.get("/api/health")).status_code == 200  # it writes, and sees who else has
                await page.ended()
                page = await ann.page(table)
            else:
                (connection,) = inside.tables.connections
                async with asyncio.timeout(PATIENCE):  # the servers of a database are rung
                    while connection.terms == NO_TERMS:
                        await asyncio.sleep(0.02)
            assert await page.refused(type="say", text="two", seat=0) == "muted"
            assert (await bob.ask("GET", "/api/admin")).status_code == 200

    asyncio.run(test())


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["ban"], "expected a number after show"),
        (["reports", "x"], "expected a number after show"),
        (["show", "x"], "there is no report x"),
        (["ban", "x"], "There is nobody with this number here"),
        (["praise", "x"], "invalid choice"),
        (["ban", "x", "--days", "0"], "--days"),
        (["ban", "x", "--why", "x" * 201], "expected at most 200"),
        (["bans", "--database", "postgresql://x"], "a folder and a database are given"),
    ],
)
def test_what_is_wrong_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    async def make() -> None:
        async with world(data=tmp_path):
            pass

    asyncio.run(make())
    status, out = kb(capsys, *arguments, "--data", str(tmp_path))
    assert status == 2
    assert complaint in out
