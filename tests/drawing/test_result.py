"""The picture of a result has the names, the gold and the colours of the seats, whatever their names are."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom_builder.drawing.palette import SEATS
from kingdom_builder.drawing.result import result_picture
from kingdom_builder.message import Refusal
from kingdom_builder.notation import parse_record, position_of
from kingdom_builder.rules import State, scores
from kingdom_builder.server import desk

SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.kbr"))


def final(record: Path) -> State:
    return parse_record(record.read_text("utf-8")).game(draws=False).state


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("record", GOLDEN[::5], ids=lambda record: record.stem)
def test_names_and_gold_stand_above_the_board_the_best_first(record: Path) -> None:
    state = final(record)
    players = state.setup.players
    names = ["Ann", "Bob & Co", "<Cleo>", "Dora", "Emil"][:players]
    colours = list(range(players))[::-1]
    svg = result_picture(state, names, colours)
    gold = scores(state)
    said = texts(svg)[1 : 1 + 3 * players]
    shown = [(said[i + 1], int(said[i + 2])) for i in range(0, len(said), 3)]
    assert sorted(shown) == sorted(zip(names, gold, strict=True))
    assert [each for _, each in shown] == sorted(gold, reverse=True)
    places = [int(said[i].rstrip(".")) for i in range(0, len(said), 3)]
    assert places == [1 + sum(other > each for other in gold) for _, each in shown]


def test_the_pieces_have_the_colours_of_their_seats() -> None:
    state = final(GOLDEN[0])
    svg = result_picture(state, ["Ann", "Bob"], [4, 2])
    assert SEATS[4].roof in svg
    assert SEATS[2].roof in svg
    assert SEATS[0].roof not in svg
    assert svg.count('href="#kb-settlement-5"') == (state.own[0] & ~state.special_pieces).bit_count()


def test_no_id_comes_twice() -> None:
    svg = ElementTree.fromstring(result_picture(final(GOLDEN[0]), ["Ann", "Bob"], [0, 1]))
    identities = [each.get("id") for each in svg.iter() if each.get("id")]
    assert len(identities) == len(set(identities))


@given(st.lists(st.text(max_size=24), min_size=2, max_size=2))
def test_any_name_that_the_server_takes_gives_a_picture(names: list[str]) -> None:
    state = final(GOLDEN[0])
    svg = desk.picture_of(position_of(state), "", False, names, [0, 1]).decode()
    assert len(texts(svg)) >= 7


@pytest.mark.parametrize(
    ("names", "colours", "reason"),
    [
        (["Ann"], [0, 1], "1 names: expected 2"),
        (["Ann", "Bob"], [0], "expected different ones"),
        (["Ann", "Bob"], [1, 1], "expected different ones"),
        (["Ann", "Bob"], [0, 5], "expected different ones"),
        (["Ann", "B" * 25], [0, 1], "expected at most 24"),
    ],
)
def test_other_names_and_colours_are_refused(names: list[str], colours: list[int], reason: str) -> None:
    with pytest.raises(Refusal, match=reason):
        desk.picture_of(position_of(final(GOLDEN[0])), "", False, names, colours)
