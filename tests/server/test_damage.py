"""Logs that cannot be read to their end: everybody learns why, and gets what can be read."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kingdom_builder.message import Message
from kingdom_builder.notation import parse_record
from kingdom_builder.rules import IllegalAction, State
from kingdom_builder.server import entries, looking
from kingdom_builder.server.database import DATABASE
from server.inside import Json, World, run, world

PLAYED = 12


async def play(inside: World, made: Json, moves: int) -> None:
    page = await inside.page(*made["seats"])
    rng = Random(1)
    for _ in range(moves):
        shown = await inside.table(made)
        keys = frozenset(chair.token_hash for chair in shown.party.seats)
        move = rng.choice(looking.view(shown, keys).legal)
        assert (await page.ask(type="play", version=shown.version, move=move))["type"] == "done"


def change(data: Path, statement: str, *values: Any) -> None:
    with closing(sqlite3.connect(data / DATABASE, isolation_level=None)) as database:
        assert database.execute(statement, values).rowcount == 1


DAMAGES: dict[str, tuple[str, Callable[[Path, str], None]]] = {
    "a hole": (
        "damaged",
        lambda data, name: change(data, "DELETE FROM entries WHERE id = ? AND version = 8", name),
    ),
    "another body": (
        "damaged",
        lambda data, name: change(
            data, "UPDATE entries SET body = replace(body, 'a', 'b') WHERE id = ? AND version = 8", name
        ),
    ),
    "another number": (
        "damaged",
        lambda data, name: change(data, "UPDATE entries SET version = 99 WHERE id = ? AND version = 8", name),
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_log_is_told_as_what_it_is(tmp_path: Path, damage: str) -> None:
    code, spoil = DAMAGES[damage]

    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made, sound = await inside.make(), await inside.make()
            await play(inside, made, PLAYED)
            before = (await inside.get("/api/table/replay", made["watch"])).json()
        spoil(tmp_path, made["id"])
        async with world(data=tmp_path) as inside:
            await told_and_given(inside, made, code, before)
            await play(inside, sound, 3)

    run(test())


async def told_and_given(inside: World, made: Json, code: str, before: Json) -> None:
    """Over WebSocket and HTTP; and what can be read is what was there."""
    for tokens in ([made["seats"][0]], made["seats"], [made["watch"]], [made["host"]]):
        page = await inside.page(*tokens)
        (refused,) = page.everything()
        assert (refused["type"], refused["id"], refused["refusal"]["code"]) == ("refused", "", code)
        assert refused["refusal"]["message"]["text"].endswith(".")
        assert page.closed == 1008
        replay = (await inside.get("/api/table/replay", *tokens)).json()
        assert replay["refusal"]["code"] == code
        record = await inside.get("/api/table/record", made["watch"])
        assert record.status_code == 200
        assert parse_record(record.text).actions()
    replay = (await inside.get("/api/table/replay", made["watch"])).json()
    frames = replay["frames"]
    assert 5 < len(frames) < len(before["frames"])
    assert frames[:-3] == before["frames"][: len(frames) - 3]


def test_a_log_without_a_beginning_is_reported_too(tmp_path: Path) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await inside.make()
            await play(inside, made, PLAYED)
        change(tmp_path, "UPDATE entries SET body = x'00' WHERE id = ? AND version = 1", made["id"])
        async with world(data=tmp_path) as inside:
            page = await inside.page(made["seats"][0])
            assert page.everything()[-1]["refusal"]["code"] == "damaged"
            answer = await inside.get("/api/table/replay", made["seats"][0])
            assert (answer.status_code, answer.json()["code"]) == (409, "damaged")

    run(test())


def test_a_log_of_a_newer_version_is_told_as_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await inside.make()
            await play(inside, made, 4)
            present = entries.FORMAT
            monkeypatch.setattr(entries, "FORMAT", 99)
            await play(inside, made, 4)
            monkeypatch.setattr(entries, "FORMAT", present)
            before = (await inside.get("/api/table/replay", made["watch"])).json()
        async with world(data=tmp_path) as inside:
            await told_and_given(inside, made, "newer", before)

    run(test())


def test_a_game_that_is_no_longer_legal_opens_up_to_the_last_legal_action(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if a rule had been mended without keeping the old one for games that began under it."""

    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await inside.make()
            await play(inside, made, PLAYED)
            shown = await inside.table(made)
            forbidden = shown.game.plies[9][1]
            before = (await inside.get("/api/table/replay", made["watch"])).json()
        apply = State.apply

        def stricter(state: State, action: int) -> None:
            if action == forbidden:
                raise IllegalAction(action, Message("This is not legal any more."))
            apply(state, action)

        monkeypatch.setattr(State, "apply", stricter)
        async with world(data=tmp_path) as inside:
            shown = await inside.table(made)
            assert shown.trouble is not None
            assert len(shown.game.plies) >= 9
            await told_and_given(inside, made, "outdated", before)

    run(test())


ENDLESS = "DDDDDDDD/DDDDDDDD/D1DDDDDD/DDDDDDDD(paddock) - - 1 C5D4F5G5T4 - 1A/D/0/- 0:a1,d4:b3:D 0:h1::T"


def test_an_old_table_goes_on_under_the_rules_that_it_began_with(tmp_path: Path) -> None:
    """Under the present rules its game would have been over after the first round."""

    async def test() -> None:
        async with world(data=tmp_path) as inside:
            made = await inside.make(position=ENDLESS.replace(" 1A/", " 1A!/"))
            shown = await inside.table(made)
            await play(inside, made, 2)
            assert shown.game.state.over
        with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
            (body,) = database.execute(
                "SELECT body FROM entries WHERE id = ? AND version = 1", (made["id"],)
            ).fetchone()
        opened = entries.decode(body)
        assert isinstance(opened, entries.Opened)
        opened.start, opened.rules = ENDLESS, 1
        old = tmp_path / "old"
        async with world(data=old) as inside:
            await inside.tables.journal.create(made["id"], 1, entries.encode(opened)[0])
        async with world(data=old) as inside:
            await play(inside, made, 30)
            shown = await inside.table(made)
            assert not shown.game.state.over
        async with world(data=old) as inside:
            again = await inside.table(made)
            assert again.trouble is None
            assert again.version == 31
            replay = (await inside.get("/api/table/replay", made["watch"])).json()
            assert replay["setup"]["options"] == []
            last: str = replay["frames"][-1]["position"]
            seats = [{"kind": "person"}] * 2
            refused = await inside.http.post("/api/tables", json={"seats": seats, "setup": {"position": last}})
            assert refused.status_code == 400, "nobody may begin from there any more"
            assert "supply 0" in refused.text
            new = await inside.make(position=last.replace("A/", "A!/", 1).replace("B/", "B!/", 1))
            shown = await inside.table(new)
            while not shown.game.state.over:  # a new table goes by the present rules
                await play(inside, new, 1)
            assert shown.version < 10

    run(test())
