"""What things are worth to one player, by hand for two small games."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import run

from kingdom_builder import Game
from kingdom_builder.arena.openings import Opening, openings
from kingdom_builder.arena.player_statistics import player_statistics
from kingdom_builder.arena.results import Result
from kingdom_builder.arena.statistics import Row, Table
from kingdom_builder.arena.tournament import Tournament

SETUP = "tavern/paddock/oasis/farm fishermen,knights,merchants - 22222222 C5D5F5G5T5 - 0A/-/0/= 40::: 40:::"
START = "WDDDT/D1DDG/TTGGW/CCFFW(farm) fishermen - 2 C5D4F5G5T4 - 1A/D/3/- 9:::D 9:::T"


def record_of(*moves: str) -> str:
    """The record of a game in which A has a desert card and B a forest card."""
    game = Game.from_position(START, seed=5)
    for move in moves:
        game.play(move)
    return str(game.record())


@pytest.fixture(scope="module")
def games() -> list[Result]:
    """Two games of a against b: a wins the first as A with a farm, they share the second, in which a is B."""
    first = replace(
        Tournament(["random", "random"]).play(0),
        setup=SETUP,
        players=["a", "b"],
        gold=[40, 30],
        breakdown=[
            {"fishermen": 10, "knights": 20, "merchants": 4, "castles": 6},
            {"fishermen": 12, "knights": 10, "merchants": 8, "castles": 0},
        ],
        tiles=[["farm", "oasis"], ["farm"]],
        winners=[0],
        record=record_of("b1", "c1", "d1", ".", "a3", "b3", "e1", ".", "d2", "c2", "a2", "."),
    )
    second = replace(
        first,
        game=1,
        players=["b", "a"],
        gold=[20, 20],
        breakdown=[{"fishermen": 20, "knights": 0, "merchants": 0, "castles": 0}] * 2,
        tiles=[[], ["farm", "farm"]],
        winners=[0, 1],
        record=record_of("d2", "d1", "c1", ".", "e1", "a3", "b3", "."),
    )
    return [first, second]


def rows(tables: list[Table], key: str) -> dict[str, Row]:
    [table] = [table for table in tables if table.key == key]
    return {row.key: row for row in table.rows}


def worth(tables: list[Table], key: str) -> dict[str, tuple[int, float, float]]:
    return {row.key: (row.games, row.gold, row.wins) for row in rows(tables, key).values()}


def test_seats_and_opponents(games: list[Result]) -> None:
    tables = player_statistics(games, "a")
    assert worth(tables, "seats") == {"A of 2": (1, 40, 1), "B of 2": (1, 20, 0.5)}
    assert worth(tables, "opponents") == {"b": (2, 30, 0.75)}


def test_cards(games: list[Result]) -> None:
    tables = player_statistics(games, "a")
    assert worth(tables, "cards") == {
        "fishermen": (2, 15, 0.75), "knights": (2, 10, 0.75), "merchants": (2, 2, 0.75), "castles": (2, 3, 0.75),
    }  # fmt: skip
    assert set(worth(tables, "cards-in-play").values()) == {(2, 30, 0.75)}


def test_sections_and_tiles(games: list[Result]) -> None:
    tables = player_statistics(games, "a")
    assert worth(tables, "sections") == dict.fromkeys(("tavern", "paddock", "oasis", "farm"), (2, 30, 0.75))
    assert worth(tables, "tiles-taken") == {"farm": (2, 30, 0.75), "oasis": (1, 40, 1)}
    assert worth(tables, "tiles-not-taken") == {
        "oasis": (1, 20, 0.5), "paddock": (2, 30, 0.75), "tavern": (2, 30, 0.75),
    }  # fmt: skip


def test_openings(games: list[Result]) -> None:
    tables = player_statistics(games, "a")
    assert worth(tables, "opening-cards") == {"desert": (1, 40, 1), "forest": (1, 20, 0.5)}
    assert worth(tables, "opening-tiles") == {"farm": (2, 30, 0.75)}
    assert worth(player_statistics(games, "b"), "opening-tiles") == {"farm": (2, 25, 0.25)}


def test_an_opening_is_the_first_turn_alone() -> None:
    record = record_of("d2", "d1", "c2", ".", "e1", "a3", "b3", ".", "c1", "b1", "a2", ".")
    assert openings(record) == [Opening("desert", ("farm",)), Opening("forest", ("farm",))]
    later = "WDDDT/DDDDG/TTG1W/CCFFW(farm) fishermen - 2 C5D4F5G5T4 - 1A/D/3/- 9:::D 9:::T"
    game = Game.from_position(later, seed=5)
    for move in ("b1", "c1", "d1", ".", "a3", "b3", "e1", ".", "b2", "c2", "d2", "."):
        game.play(move)
    assert game.state.taken[0], "in the second turn"
    assert openings(str(game.record()))[0] == Opening("desert", ())


def test_a_player_against_itself_counts_with_both_seats(games: list[Result]) -> None:
    own = [replace(game, players=["a", "a"]) for game in games]
    assert worth(player_statistics(own, "a"), "seats") == {"A of 2": (2, 30, 0.75), "B of 2": (2, 25, 0.25)}


def test_a_player_is_called_as_in_all_tables(games: list[Result]) -> None:
    named = [
        replace(game, players=["run:x" if name == "a" else name for name in game.players], called=called)
        for game, called in zip(games, (["badger", ""], ["", "badger"]), strict=True)
    ]
    assert player_statistics(named, "badger") == [
        replace(table, gold=table.gold.replace(" a", " badger"), wins=table.wins.replace(" a ", " badger "))
        for table in player_statistics(games, "a")
    ]
    with pytest.raises(ValueError, match="no games of 'run:x': expected one of badger, b"):
        player_statistics(named, "run:x")


def test_the_command_prints_tables_json_and_plots(
    games: list[Result], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, plots = tmp_path / "results.jsonl", tmp_path / "plots"
    file.write_text("".join(game.line() for game in games))
    assert run("stats", str(file), "--player", "a") == 0
    printed = capsys.readouterr().out
    for word in ("Seats", "Games against", "gold paid to a", "Openings: the first card", "desert"):
        assert word in printed
    assert run("stats", str(file), "--player", "a", "--json", "--svg", str(plots)) == 0
    keys = [table["key"] for table in json.loads(capsys.readouterr().out)["tables"]]
    assert keys == [
        "seats", "opponents", "cards", "cards-in-play", "sections", "tiles-taken", "tiles-not-taken",
        "opening-cards", "opening-tiles",
    ]  # fmt: skip
    assert len(list(plots.iterdir())) == 2 * len(keys)
    assert run("stats", str(file), "--player", "nobody") == 2
    assert capsys.readouterr().err == "kb stats: no games of 'nobody': expected one of a, b\n"
