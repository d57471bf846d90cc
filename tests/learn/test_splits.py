"""Splits: what the test of each shows is never seen in training, and nobody can change them unnoticed."""

import json
import pickle
from collections.abc import Callable, Hashable
from importlib.resources import files
from itertools import combinations
from random import Random

import pytest

from kingdom_builder.board.terrain import CARDS as TERRAINS
from kingdom_builder.content import BOXES, first_game, random_setup
from kingdom_builder.learn import splits
from kingdom_builder.learn.games import Games
from kingdom_builder.learn.splits import SIDES, Part, read_splits, sample_hash, split, split_names
from kingdom_builder.notation import parse_position, position_of
from kingdom_builder.players import random_rollout
from kingdom_builder.rules import Setup, State

NAMES = ["board", "goal", "combination", "content", "players", "size"]
TEXT = files("kingdom_builder.learn").joinpath("splits.json").read_text(encoding="utf-8")


def drawn(name: str, side: splits.Side, games: int = 150) -> list[Setup]:
    rng = Random(f"{name} {side}")
    part = split(name).part(side)
    return [part(rng) for _ in range(games)]


def cards(setup: Setup) -> frozenset[str]:
    return frozenset(card.key for card in setup.cards)


def sections(setup: Setup) -> set[Hashable]:
    """The terrain of the sections, either way up."""
    return {min(block, tuple(row[::-1] for row in reversed(block))) for block in splits.blocks(setup.board)}


def of_boxes(setup: Setup) -> set[Hashable]:
    """The cards, tasks and locations, and the terrain of the sections."""
    return {*cards(setup), *[task.key for task in setup.tasks], *setup.board.location_keys, *sections(setup)}


ABOUT: dict[str, Callable[[Setup], set[Hashable]]] = {
    "board": sections,
    "goal": lambda setup: set(cards(setup)),
    "combination": lambda setup: {cards(setup)},
    "content": of_boxes,
    "players": lambda setup: {setup.players},
    "size": lambda setup: {(setup.board.height, setup.board.width)},
}
"""What a setup shows of what each split is about."""


def seen(name: str, side: splits.Side, about: str) -> set[Hashable]:
    return {each for setup in drawn(name, side) for each in ABOUT[about](setup)}


def test_there_are_six_splits() -> None:
    assert split_names() == NAMES == list(ABOUT)


@pytest.mark.parametrize("name", NAMES)
def test_the_test_shows_nothing_that_training_has_shown(name: str) -> None:
    assert not seen(name, "train", name) & seen(name, "test", name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("board", "goal"),
        ("board", "players"),
        ("goal", "board"),
        ("goal", "size"),
        ("combination", "goal"),
        ("combination", "board"),
        ("players", "board"),
        ("players", "goal"),
        ("size", "goal"),
        ("size", "players"),
    ],
)
def test_the_parts_differ_in_nothing_else(name: str, other: str) -> None:
    assert seen(name, "train", other) == seen(name, "test", other)


def test_unseen_boards_have_locations_that_training_has_too() -> None:
    train, test = ({key for setup in drawn("board", side) for key in setup.board.location_keys} for side in SIDES)
    assert train == test == {location.key for location in BOXES["base"].locations}


def test_every_pair_of_cards_of_an_unseen_triple_is_seen_in_training() -> None:
    train, test = (split("combination").part(side).triples for side in SIDES)
    assert (len(train), len(test)) == (90, 30)
    pairs = {pair for triple in train for pair in combinations(triple, 2)}
    assert {pair for triple in test for pair in combinations(triple, 2)} <= pairs


def test_a_window_keeps_neighbours_and_can_be_played_on() -> None:
    for setup in drawn("size", "train", 30):
        assert setup.board.height in (8, 10, 12)
        assert setup.board.locations
        assert all(setup.board.terrain[letter] for letter in TERRAINS)
        state = State(setup)
        random_rollout(state, Random(1).random)
        assert state.over
    board = first_game().board
    cut = splits.window(board, 12, Random(3))
    places = [
        (top, left)
        for top in range(9)
        for left in range(9)
        if all(
            row.translate(SIGNS) == whole[left : left + 12].translate(SIGNS)
            for row, whole in zip(cut.map, board.map[top : top + 12], strict=True)
        )
    ]
    assert [top % 2 for top, _ in places] == [0]


SIGNS = {ord(digit): "1" for digit in "123456789"}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", NAMES)
def test_a_part_draws_the_same_setups_again_and_knows_them(name: str, side: splits.Side) -> None:
    part = pickle.loads(pickle.dumps(split(name).part(side)))
    assert [part(Random(seed)) for seed in range(5)] == [Games(draw=part).next_setup(Random(seed)) for seed in range(5)]
    for setup in drawn(name, side, 10):
        written = parse_position(position_of(State(setup))).setup
        assert split(name).side_of(written) == split(name).side_of(setup) == side


def test_a_setup_of_neither_part_is_known_as_such() -> None:
    everything = random_setup(Random(1), 2, sets=tuple(BOXES))
    assert [split(name).side_of(everything) for name in NAMES] == [None] * len(NAMES)
    assert split("size").side_of(first_game()) == "test"
    assert split("players").side_of(first_game(5)) == "test"


@pytest.mark.parametrize("name", NAMES)
def test_the_first_setups_are_those_of_the_file(name: str) -> None:
    samples = json.loads(TEXT)["splits"][name]["samples"]
    assert {side: sample_hash(split(name).part(side)) for side in SIDES} == samples


def test_the_file_is_made_by_the_code_from_what_it_says() -> None:
    assert splits.file_text() == TEXT


def test_the_hashes_stay() -> None:
    """A split that people have published results for never changes: another one is a new version."""
    assert json.loads(TEXT)["version"] == 1
    assert {name: split(name).hash[:8] for name in NAMES} == HASHES


HASHES = {
    "board": "0d9fce3a",
    "goal": "d8b56359",
    "combination": "47e76d30",
    "content": "d41bd56b",
    "players": "63bf9c96",
    "size": "b9bb7f8f",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_split_that_somebody_edits_is_refused(name: str) -> None:
    data = json.loads(TEXT)
    data["splits"][name]["train"]["players"] = [2, 3]
    with pytest.raises(ValueError, match=f"split {name} is not the one with the hash"):
        read_splits(json.dumps(data))


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(ValueError, match="'boards' is not a split: expected one of board, goal"):
        split("boards")
    with pytest.raises(ValueError, match="'valid' is not a part of a split: expected train or test"):
        split("goal").part("valid")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_a_part_draws_any_number_of_players() -> None:
    assert {Part(players=(3, 5))(Random(seed)).players for seed in range(20)} == {3, 5}


def test_a_window_that_no_board_has_is_refused() -> None:
    with pytest.raises(ValueError, match="no 2 x 2 hexes of the board have each terrain and a location"):
        splits.window(first_game().board, 2, Random(1))
