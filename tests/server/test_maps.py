"""Maps of one's own at a server: checked, played on, and carried by the games themselves."""

from pathlib import Path
from typing import Any

import pytest

from kingdom_builder.board import MapFile, Section, parse_maps, printed_sections
from kingdom_builder.notation import board_text, parse_position, parse_record
from kingdom_builder.server import setups
from kingdom_builder.server.backup import backup, restore
from kingdom_builder.server.messages import MAP_LENGTH, SetupChoice
from server.client import Client, Server, kb_serve

STAND_IN = printed_sections()["bazaar"]
TYPED_IN = Section("bazaar", STAND_IN.locations, "harvest", "own", STAND_IN.turned())
"""What somebody typed in from their box: some map that is not our stand-in."""

LAST_TURN = "GGGG/DDDD - - - C5D5F5G4T5 - 5B!/G/1/- 3:d2:: 1:d1::G"
BARE = Section("my-isle", (), "own", "own", ("GCDFTGCDFT",) * 10)


def file(*sections: Section) -> str:
    return str(MapFile({section.key: section for section in sections}))


def post(server: Server, path: str, body: dict[str, Any]) -> Any:
    with server.http() as http:
        return http.post(path, json=body)


def test_a_map_is_checked(server: Server) -> None:
    found = post(server, "/api/maps", {"text": "## x | farm\nGG1\nDDX"}).json()
    [problem] = found["problems"]
    assert problem["message"]["text"].startswith("Unknown letter 'X' in column 3: expected")
    assert (problem["stops"], problem["line"], problem["row"], problem["column"]) == (True, 3, 2, 3)
    assert (found["text"], found["board"], found["map"]) == ("", "", "")
    found = post(server, "/api/maps", {"text": "## x | Farm\nGG1\nDDD"}).json()
    assert found["board"] == "GG1/DDD(farm)"
    assert found["rows"] == ["GG1", "DDD"]
    assert "kb-G0" in found["map"]
    assert [*parse_maps(found["text"]).boards] == ["x"]
    found = post(server, "/api/maps", {"text": file(TYPED_IN)}).json()
    assert found["section"]["key"] == "bazaar"
    assert found["section"]["stand_in"] is False


def test_a_map_to_check_is_bounded(server: Server) -> None:
    assert post(server, "/api/maps", {"text": "#" * (MAP_LENGTH + 1)}).status_code == 422
    found = post(server, "/api/maps", {"text": "## x\n" + "XXXXXXXXXXXXXXXXXXXX\n" * 200}).json()
    assert len(found["problems"]) == 20


def start_of(server: Server, **setup: Any) -> str:
    """The first position of a new game with this setup."""
    made = server.make_table(**setup)
    with Client(server, made["seats"][0]) as client:
        start: str = client.setup["start"]
    return start


def test_typed_in_sections_take_the_place_of_stand_ins(server: Server) -> None:
    setup = {"sets": ["base", "harvest"], "board": "bazaar/farm/oasis'/tower", "seed": "1"}
    assert start_of(server, **setup).startswith("bazaar/farm/oasis'/tower ")
    board = parse_position(start_of(server, **setup, sections=file(TYPED_IN))).setup.board
    assert tuple(row[:10] for row in board.map[:10]) == TYPED_IN.rows
    assert board.location_keys[:2] == TYPED_IN.locations
    assert not board.placed


def test_the_record_of_such_a_game_can_be_read_by_a_program_without_the_file(server: Server) -> None:
    made = server.make_table(sets=["base", "harvest"], board="bazaar/farm/oasis/tower", sections=file(TYPED_IN))
    with server.http(made["seats"][0]) as http:
        text = http.get("/api/table/record").text
        replay = http.post("/api/records", json={"text": text}).json()
    record = parse_record(text)
    assert "bazaar/" not in text
    assert str(record) == text
    assert board_text(record.start.setup.board) == replay["setup"]["board"]
    assert replay["setup"]["stand_ins"] == []


def test_own_sections_are_drawn_if_they_are_among_the_sets(server: Server) -> None:
    others = [Section(f"isle-{n}", (), "own", "own", BARE.rows) for n in range(3)]
    answer = post(server, "/api/previews", {"sets": ["own"], "sections": file(BARE, *others)})
    assert answer.json()["message"]["text"] == "Sets own: expected one with cards, such as base."
    drawn = set()
    for seed in range(12):
        sent = {"sets": ["base", "own"], "seed": str(seed), "sections": file(BARE, *others)}
        preview = post(server, "/api/previews", sent).json()
        drawn |= {key.removesuffix("'") for key in preview["setup"]["sections"]}
    assert {"my-isle", "isle-0"} <= drawn
    for seed in range(12):
        preview = post(server, "/api/previews", {"seed": str(seed), "sections": file(BARE, *others)}).json()
        assert not [key for key in preview["setup"]["sections"] if "isle" in key]


def test_a_rematch_on_another_board_keeps_the_sections() -> None:
    choice = SetupChoice(sets=["harvest"], board="GG/DD", seed="5", sections=file(TYPED_IN))
    board = setups.start_of(setups.another(choice), 2, {})[0].setup.board
    assert {str(place.section) for place in board.placed} == {
        "bazaar",
        "mountain-station (stand-in)",
        "cathedral (stand-in)",
        "university (stand-in)",
    }


def test_a_game_is_played_on_a_drawn_board(server: Server) -> None:
    start = start_of(server, board="GGGGG/DD1DD/TTTTT/CCKCC/FFFFF(farm)")
    assert start.startswith("GGGGG/DD1DD/TTTTT/CCKCC/FFFFF(farm) ")


@pytest.mark.parametrize(
    ("setup", "sentence"),
    [
        ({"board": "GGG/GG"}, "2 hexes in this row: expected 3 as in the first"),
        ({"board": "GG1(nowhere)"}, "Unknown location 'nowhere'"),
        ({"board": "/".join(["G" * 21] * 3)}, "expected 1 to 20"),
        ({"sections": "nonsense"}, "'nonsense' stands before the first header"),
        ({"sections": file(BARE).replace("my-isle: ", "nowhere").replace("G", "1", 1)}, "Unknown location"),
        ({"board": "my-isle/farm/oasis/tower"}, "Unknown section 'my-isle'"),
        ({"sections": file(BARE) * 2}, "'kingdom-builder-maps 1'"),
    ],
)
def test_a_setup_with_a_bad_map_is_refused_with_one_sentence(
    server: Server, setup: dict[str, Any], sentence: str
) -> None:
    for path, body in (
        ("/api/previews", setup),
        ("/api/tables", {"seats": [{"kind": "person"}] * 2, "setup": setup}),
    ):
        answer = post(server, path, body)
        assert answer.status_code == 400, answer.text
        assert sentence in answer.json()["message"]["text"]


def test_a_server_with_a_map_file_uses_it_for_everybody(tmp_path: Path) -> None:
    path = tmp_path / "mine.kbm"
    path.write_text(file(TYPED_IN, BARE), "utf-8")
    with kb_serve(tmp_path / "data", "--sections", str(path)) as server:
        _check_own(server)


def test_the_data_folder_may_hold_the_map_file(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "sections.kbm").write_text(file(TYPED_IN, BARE), "utf-8")
    with kb_serve(folder) as server:
        _check_own(server)


def test_a_backup_that_is_put_back_plays_on_with_the_same_maps(tmp_path: Path) -> None:
    folder, copy = tmp_path / "data", tmp_path / "copy"
    folder.mkdir()
    (folder / "sections.kbm").write_text(file(TYPED_IN, BARE), "utf-8")
    with kb_serve(folder) as server:
        made = server.make_table(sets=["base", "harvest"], board="bazaar/farm/oasis/my-isle")
        backup(folder, tmp_path / "file")
        with Client(server, made["watch"]) as client:
            before = client.setup
    restore(copy, tmp_path / "file")
    with kb_serve(copy) as server:
        with Client(server, made["watch"]) as client:
            assert client.setup == before
        _check_own(server)


def _check_own(server: Server) -> None:
    with server.http() as http:
        sections = {section["key"]: section for section in http.get("/api/catalogue").json()["sections"]}
    assert sections["bazaar"]["rows"] == list(TYPED_IN.rows)
    assert sections["bazaar"]["stand_in"] is False
    assert sections["cathedral"]["stand_in"] is True
    assert sections["my-isle"]["set"] == "own"
    brought = file(Section("her-isle", (), "own", "own", BARE.rows))
    start = start_of(server, sets=["base", "harvest"], board="bazaar/her-isle/oasis/my-isle", sections=brought)
    assert start.startswith(f"{TYPED_IN.rows[0]}{BARE.rows[0]}/")
    made = server.make_table(sets=["harvest"], position=LAST_TURN)
    with Client(server, *made["seats"], made["host"]) as client:
        for move in ("c1", "."):
            client.play(move)
        client.do("rematch", same_board=False)
    with Client(server, made["watch"]) as client:
        assert (client.setup["width"], client.setup["height"]) == (20, 20)
        assert client.setup["board"][0].isupper(), "a map, since one of the four is the server's own"
