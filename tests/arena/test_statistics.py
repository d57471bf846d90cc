"""Statistics of results: what is worth what, by hand for two small games; plots."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command_line import run

from kingdom_builder.arena.ratings import mean_interval, wilson
from kingdom_builder.arena.results import Result
from kingdom_builder.arena.statistics import Row, Table, statistics
from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.cli.stats import charts
from kingdom_builder.drawing.charts import Bar, bar_chart

SETUP = "tavern/paddock/oasis/farm fishermen,knights,merchants - 22222222 C5D5F5G5T5 - 0A/-/0/= 40::: 40:::"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def games() -> list[Result]:
    """Two games on the printed first board: the first seat wins, then both share."""
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
    )
    second = replace(
        first,
        game=1,
        players=["b", "a"],
        gold=[20, 20],
        breakdown=[{"fishermen": 20, "knights": 0, "merchants": 0, "castles": 0}] * 2,
        tiles=[[], ["farm", "farm"]],
        winners=[0, 1],
    )
    return [first, second]


def rows(tables: list[Table], key: str) -> dict[str, Row]:
    [table] = [table for table in tables if table.key == key]
    assert [row.gold for row in table.rows] == sorted([row.gold for row in table.rows], reverse=True)
    return {row.key: row for row in table.rows}


def test_players_and_seats(games: list[Result]) -> None:
    tables = statistics(games)
    players, seats = rows(tables, "players"), rows(tables, "seats")
    assert (players["a"].games, players["a"].gold, players["a"].wins) == (2, 30, 0.75)
    assert (players["b"].gold, players["b"].wins) == (25, 0.25)
    assert players["a"].wins_interval == wilson(1.5, 2)
    assert players["a"].gold_interval == mean_interval([40, 20])
    assert (seats["A of 2"].gold, seats["A of 2"].wins) == (30, 0.75)
    assert (seats["B of 2"].gold, seats["B of 2"].wins) == (25, 0.25)


def test_cards_pay_and_win(games: list[Result]) -> None:
    """The seat with most by fishermen lost the first game; in the second both had most and shared."""
    cards = rows(statistics(games), "cards")
    assert cards.keys() == {"fishermen", "knights", "merchants", "castles"}
    assert cards["fishermen"].gold == (10 + 12 + 20 + 20) / 4
    assert cards["fishermen"].wins == pytest.approx((0 + 0.5 + 0.5) / 3)
    assert cards["knights"].wins == pytest.approx((1 + 0.5 + 0.5) / 3)


def test_what_is_on_the_board(games: list[Result]) -> None:
    tables = statistics(games)
    for key, names in (
        ("sections", {"tavern", "paddock", "oasis", "farm"}),
        ("locations", {"tavern", "paddock", "oasis", "farm"}),
        ("cards-in-play", {"fishermen", "knights", "merchants", "castles"}),
    ):
        found = rows(tables, key)
        assert found.keys() == names
        assert {(row.games, row.gold, row.wins) for row in found.values()} == {(2, 27.5, 0.75)}


def test_tiles_that_were_taken(games: list[Result]) -> None:
    tables = statistics(games)
    taken, not_taken = rows(tables, "tiles-taken"), rows(tables, "tiles-not-taken")
    assert taken.keys() == {"farm", "oasis"}
    assert (taken["farm"].games, taken["farm"].gold, taken["farm"].wins) == (2, 30, 0.5)
    assert (taken["oasis"].games, taken["oasis"].gold, taken["oasis"].wins) == (1, 40, 1)
    assert (not_taken["farm"].games, not_taken["farm"].gold) == (1, 20)
    assert not_taken["oasis"].games == 2
    assert not_taken["oasis"].gold == pytest.approx(70 / 3)


def test_nomad_tiles_and_tasks_count_too() -> None:
    tournament = Tournament(["greedy", "random"], sets=("base", "nomads", "crossroads"), seed=3)
    results = [tournament.play(game) for game in (0, 2)]
    tables = statistics(results)
    taken = rows(tables, "tiles-taken")
    assert taken.keys() == {tile for result in results for seat in result.tiles for tile in seat}
    assert rows(tables, "cards").keys() == {card for result in results for card in result.breakdown[0]}


# ---- plots -----------------------------------------------------------------------------------------------------------


def bars_of(picture: str) -> list[float]:
    """The lengths of the bars of a plot, from the top."""
    root = ElementTree.fromstring(picture)
    return [float(rect.get("width", "")) for rect in root.iter(f"{SVG}rect") if rect.get("x")]


def test_bars_are_as_long_as_their_values_longest_first() -> None:
    picture = bar_chart("<Gold>", [Bar("low", 5, (2, 6), "5"), Bar("high & mighty", 10, (8, 20), "10")], "#fff")
    root = ElementTree.fromstring(picture)
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts[0] == "<Gold>"
    assert texts.index("high & mighty") < texts.index("low")
    long, short = bars_of(picture)
    assert long == 2 * short
    whiskers = [path.get("d", "") for path in root.iter(f"{SVG}path") if "H" in path.get("d", "")]
    left = min(float(rect.get("x", "")) for rect in root.iter(f"{SVG}rect") if rect.get("x"))
    low, high = (float(number) for number in whiskers[0].removeprefix("M").replace("H", " ").split("M")[0].split()[::2])
    assert (low - left) / long == pytest.approx(0.8), "8 is 0.8 of 10"
    assert (high - left) / long == pytest.approx(2)


@pytest.mark.parametrize("bars", [[], [Bar("nothing", 0, (0, 0), "0")], [Bar("below", 1, (-3, 5), "1")]])
def test_odd_bars_can_be_drawn(bars: list[Bar]) -> None:
    assert len(bars_of(bar_chart("Odd", bars, "#fff"))) == len(bars)


def test_a_table_has_two_plots(games: list[Result]) -> None:
    for table in statistics(games):
        plots = charts(table)
        assert plots.keys() == {f"{table.key}-gold.svg", f"{table.key}-wins.svg"}
        assert all(len(bars_of(plot)) == len(table.rows) for plot in plots.values())


# ---- the command -----------------------------------------------------------------------------------------------------


def test_the_command_prints_tables_json_and_plots(
    games: list[Result], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, plots = tmp_path / "results.jsonl", tmp_path / "deep" / "plots"
    file.write_text("".join(game.line() for game in games))
    assert run("stats", str(file)) == 0
    printed = capsys.readouterr().out
    for word in ("Players", "Seats", "Cards", "fishermen", "A of 2", "oasis", "75.0"):
        assert word in printed
    assert run("stats", str(file), "--json", "--svg", str(plots)) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["games"] == 2
    assert [table["key"] for table in result["tables"]] == [
        "players", "seats", "cards", "cards-in-play", "sections", "locations", "tiles-taken", "tiles-not-taken",
    ]  # fmt: skip
    assert result["tables"][0]["rows"][0].keys() == {
        "key", "games", "gold", "gold_interval", "wins", "wins_interval",
    }  # fmt: skip
    assert len(list(plots.iterdir())) == 16


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "No such file"),
        ("", "no games, expected some that kb arena --out wrote"),
        ("{}\n", "line 1: not the result"),
    ],
)
def test_a_wrong_file_gives_one_sentence(
    content: str | None, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.jsonl"
    if content is not None:
        file.write_text(content)
    assert run("stats", str(file)) == 2
    error = capsys.readouterr().err
    assert expected in error
    assert str(file) in error
    assert error.count("\n") == 1
