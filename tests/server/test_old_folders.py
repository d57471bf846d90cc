"""Data folders that older versions have written: everything in them is there, and their running games go on."""

import json
import shutil
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kingdom_builder.server.names import default_name
from server.client import Client, Server, play_on
from server.conftest import Start

Json = dict[str, Any]
DATA = Path(__file__).parents[1] / "data"
FOLDERS = ("folder-v1", "folder-v2", "folder-v3")
"""Written by tools/make_data_folder.py: formats 1 (commit 93ea07e) to 3 of the database, 2 and 3 of the entries."""


def tables_in(folder: str) -> list[Json]:
    tables: list[Json] = json.loads((DATA / folder / "expected.json").read_text("utf-8"))
    return [{"folder": folder, **table} for table in tables]


TABLES = [table for folder in FOLDERS for table in tables_in(folder)]
RUNNING = [table for table in TABLES if not table["over"]]


@pytest.fixture
def server(start: Start, tmp_path: Path, table: Json) -> Server:
    """The present server with a copy of the old folder."""
    shutil.copytree(DATA / table["folder"], tmp_path / "data")
    return start()


def table_name(table: Json) -> str:
    return f"{table['folder']} {table['about']}"


def record(server: Server, token: str, game: int = 0) -> str:
    with server.http(token) as http:
        answer = http.get("/api/table/record", params={"game": game})
    return answer.text if answer.status_code == 200 else ""


def moves(text: str) -> list[str]:
    """The turns and moves of a record, without its tags."""
    return [word for line in text.splitlines() if not line.startswith("[") for word in line.split()]


def start_tag(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("[Start ")]


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_everybody_sees_the_game_as_before(server: Server, table: Json) -> None:
    for token, seen in table["views"].items():
        with Client(server, token) as page, server.http(token) as http:
            assert (page.version, page.game, page.view["over"]) == (table["version"], table["game"], table["over"])
            assert page.table["yours"] == seen["seats"]
            assert [page.view[name] for name in ("hands", "legal", "undo")] == [
                seen[name] for name in ("hands", "legal", "undo")
            ]
            assert http.get("/api/table/replay").json()["frames"][-1]["position"] == seen["position"]
        assert record(server, token) == seen["record"]


@pytest.mark.parametrize("table", TABLES, ids=table_name)
def test_what_was_before_the_present_game_and_around_it_is_kept(server: Server, table: Json) -> None:
    with Client(server, table["watch"]) as page:
        shown = [seat["name"] or default_name(number) for number, seat in enumerate(page.table["seats"])]
        assert shown == [name or default_name(number) for number, name in enumerate(table["names"])]
        assert [[line["role"], line["name"], line["text"]] for line in page.chat] == table["chat"]
        notices = [[notice["kind"], notice["seat"], notice["name"]] for notice in page.table["notices"]]
        assert notices == table["notices"]
    assert [record(server, table["watch"], game) for game in range(1, table["game"])] == table["finished"]
    with Client(server, table["host"]) as host:
        for each in table["repeated"]:
            assert host.ask(**each["command"])["token"] == each["token"]
        assert host.version == table["version"], "a repeated command changes nothing"


@pytest.mark.parametrize("table", RUNNING, ids=table_name)
def test_a_running_game_goes_on_to_its_end(server: Server, table: Json) -> None:
    with ExitStack() as stack:
        pages = [stack.enter_context(Client(server, token)) for token in table["seats"] if token]
        assert play_on(pages, Random(1))
        assert pages[0].view["over"]
    final = record(server, table["watch"])
    for seen in table["views"].values():
        before = moves(seen["record"])
        assert moves(final)[: len(before)] == before
        assert start_tag(final) == start_tag(seen["record"] or final)


@pytest.mark.parametrize("table", RUNNING, ids=table_name)
def test_an_open_turn_can_be_taken_back_to_its_beginning(server: Server, table: Json) -> None:
    (token,) = [token for token, seen in table["views"].items() if seen["legal"]]
    with Client(server, token) as page:
        if table["views"][token]["undo"]:
            page.do("undo", version=page.version, whole_turn=True)
        assert page.in_turn
        assert not page.view["undo"]
        assert page.refused(type="undo", version=page.version) == "illegal"


@pytest.mark.parametrize("table", [table for table in TABLES if table["over"]], ids=table_name)
def test_after_a_finished_game_another_one_follows(server: Server, table: Json) -> None:
    with Client(server, table["host"], *table["seats"]) as page:
        page.do("rematch")
        play_on([page], Random(2), 20)
        assert (page.game, len(page.view["legal"]) > 0) == (2, True)
    assert record(server, table["watch"], 1) == table["views"][table["watch"]]["record"]


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_folder_has_a_game_in_every_phase(folder: str) -> None:
    """Otherwise the other tests would show less than they say."""
    tables = tables_in(folder)
    views = [view for table in tables if not table["over"] for view in table["views"].values()]
    acting = [seen["position"] for seen in views if seen["undo"]]
    assert len(acting) == 4
    assert any("/silo" in position for position in acting)
    assert {len(table["names"]) for table in tables} == {2, 3, 4, 5}
    (told,) = [table for table in tables if table["notices"]]
    assert {kind for kind, _, _ in told["notices"]} == {"watch-link-renewed", "new-player", "bot-took-over"}
    assert {role for role, _, _ in told["chat"]} == {"player", "host", "watcher"}
