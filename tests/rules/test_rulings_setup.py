"""Rulings on the setup (RULES 2): what is drawn from which pool, and how much of it."""

from collections import Counter
from random import Random

import pytest

from kingdom_builder.board import Board, printed_sections
from kingdom_builder.content import ALL_SETS, BOXES, LOCATIONS, board_of, make_setup, random_setup, sections_of
from kingdom_builder.content.queenies.caves import possible_caves
from kingdom_builder.hexes import BIT, NEAR, bits, within
from kingdom_builder.notation import position_of
from kingdom_builder.rules import State

SEEDS = range(60)


def test_rule_2_1_the_pool_has_the_sections_of_the_sets_in_use() -> None:
    assert len(sections_of(["base"])) == 8
    assert len(sections_of(["base", "nomads"])) == 12
    assert len(sections_of(["base", "nomads", "crossroads"])) == 16


@pytest.mark.parametrize("sets", [("base",), ("base", "nomads"), ("base", "nomads", "crossroads", "capitol", "caves")])
def test_rule_2_1_four_different_sections_each_perhaps_turned(sets: tuple[str, ...]) -> None:
    seen: set[str] = set()
    turned: set[bool] = set()
    for seed in SEEDS:
        setup = random_setup(Random(seed), 2, sets=sets)
        keys = [place.section.key for place in setup.board.placed]
        assert len(set(keys)) == 4
        assert {place.section.expansion for place in setup.board.placed} <= set(sets)
        seen |= set(keys)
        turned |= {place.turned for place in setup.board.placed}
    assert seen == set(sections_of(sets))
    assert turned == {True, False}


def test_what_is_given_does_not_change_what_is_random() -> None:
    """So that somebody who takes the random board, and turns one section of it, keeps cards, tasks and tiles."""
    for seed in SEEDS:
        rng = Random(seed)
        sets = rng.sample(ALL_SETS, rng.randint(1, len(ALL_SETS)))
        if len(sections_of(sets)) < 4 or sum(len(BOXES[key].cards) for key in sets) < 3:
            continue
        free = random_setup(Random(seed), 3, sets=sets)
        board = board_of("/".join(f"{place.section.key}{place.turned * chr(39)}" for place in free.board.placed))
        cards = [card.key for card in free.cards]
        for given in (
            random_setup(Random(seed), 3, sets=sets, board=board),
            random_setup(Random(seed), 3, sets=sets, cards=cards),
            random_setup(Random(seed), 3, sets=sets, board=board, cards=cards),
        ):
            assert position_of(State(given)) == position_of(State(free))


def test_rule_2_2_two_tiles_on_each_location_hex() -> None:
    state = State(make_setup(board_of("quarry/barracks/oracle/farm"), ["lords"]))
    assert state.tiles_left[: len(state.setup.board.locations)] == [2] * len(state.setup.board.locations)


def test_rule_2_3_one_nomad_tile_on_each_space_and_none_twice_too_often() -> None:
    """Quarry has three spaces, the others one each."""
    for board, spaces in [
        ("quarry/caravan/village/garden", 6),
        ("quarry/farm/oracle/tower", 3),
        ("farm/oasis/oracle/tower", 0),
    ]:
        found: Counter[str] = Counter()
        for seed in SEEDS:
            setup = random_setup(Random(seed), 2, sets=["base", "nomads"], board=board_of(board))
            assert len(setup.nomads) == spaces
            assert set(setup.nomads) == set(bits(setup.board.nomad_spaces))
            tiles = Counter(tile.key for tile in setup.nomads.values())
            assert all(number <= (1 if key.startswith("donation") else 2) for key, number in tiles.items())
            found += tiles
        assert len(found) == (11 if spaces else 0), "seven donations and four other kinds"


@pytest.mark.parametrize(
    ("sets", "number"),
    [(("base",), 10), (("base", "nomads"), 13), (("base", "harvest"), 16), (("base", "nomads", "harvest"), 19)],
)
def test_rule_2_4_three_cards_from_the_pool_of_the_sets(sets: tuple[str, ...], number: int) -> None:
    seen: set[str] = set()
    for seed in range(150):
        setup = random_setup(Random(seed), 2, sets=sets, board=board_of("farm/oasis/oracle/tower"))
        assert len({card.key for card in setup.cards}) == 3
        seen |= {card.key for card in setup.cards}
    assert len(seen) == number, "whether or not one of its sections was drawn"


@pytest.mark.parametrize(("options", "there"), [((), True), (("excludeLords",), False)])
def test_ambiguity_4_exclude_lords(options: tuple[str, ...], there: bool) -> None:
    drawn = {card.key for seed in range(100) for card in random_setup(Random(seed), options=options).cards}
    assert ("lords" in drawn) == there


@pytest.mark.parametrize(
    ("board", "tasks"),
    [
        ("farm/oasis/oracle/tower", 0),
        ("farm/oasis/oracle/barracks", 1),
        ("lighthouse/oasis/oracle/barracks", 2),
        ("lighthouse/barracks/city-hall/monastery", 4),
    ],
)
def test_rule_2_5_a_task_for_each_section_of_crossroads(board: str, tasks: int) -> None:
    seen: set[str] = set()
    for seed in SEEDS:
        setup = random_setup(Random(seed), 2, sets=["base", "crossroads"], board=board_of(board))
        assert len({task.key for task in setup.tasks}) == tasks
        seen |= {task.key for task in setup.tasks}
    assert len(seen) == (6 if tasks else 0)


@pytest.mark.parametrize(
    ("board", "number"),
    [("oracle/harbor/farm/oasis", 2), ("oracle/tavern/farm/oasis", 1), ("tavern/barn/farm/oasis", 0)],
)
def test_rule_2_7_a_capitol_on_one_castle_of_oracle_and_harbor(board: str, number: int) -> None:
    seen = 0
    for seed in SEEDS:
        setup = random_setup(Random(seed), 2, sets=["base", "capitol"], board=board_of(board))
        assert setup.capitols.bit_count() == number
        assert not setup.capitols & ~setup.board.castles
        assert all((setup.capitols & sector).bit_count() <= 1 for sector in setup.board.sectors)
        seen |= setup.capitols
    assert seen.bit_count() == 2 * number, "either of the two castles"
    without = random_setup(Random(1), 2, board=board_of(board))
    assert not without.capitols


CANDIDATES = {
    "farm": 2,
    "oasis": 0,
    "oracle": 2,
    "tower": 9,
    "tavern": 9,
    "paddock": 13,
    "barn": 8,
    "harbor": 1,
    "caravan": 1,
    "garden": 5,
    "quarry": 3,
    "village": 4,
    "lighthouse": 3,
    "barracks": 1,
    "city-hall": 6,
    "monastery": 6,
}


@pytest.mark.parametrize(("key", "number"), CANDIDATES.items())
def test_rule_2_8_mountains_that_may_have_a_cave(key: str, number: int) -> None:
    section = printed_sections()[key]
    board = Board(section.rows, section.locations)
    assert len(possible_caves(board)[0]) == number
    for h in possible_caves(board)[0]:
        assert not within(BIT[h], 2) & board.special


def test_rule_2_8_one_cave_in_each_section_that_has_room() -> None:
    for seed in SEEDS:
        setup = random_setup(Random(seed), 2, sets=["base", "caves"], board=board_of("tavern/paddock/oasis/barn"))
        assert [(setup.board.caves & sector).bit_count() for sector in setup.board.sectors] == [1, 1, 0, 1]
        assert not setup.board.caves & ~setup.board.mountains


@pytest.mark.parametrize(
    ("board", "options", "caves"),
    [
        ("tower/paddock/oasis/barn", (), True),
        ("tower/paddock/oasis/barn", ("cavesOnlyWithTavern",), False),
        ("tavern/paddock/oasis/barn", ("cavesOnlyWithTavern",), True),
    ],
)
def test_ambiguity_29_caves_only_with_tavern(board: str, options: tuple[str, ...], caves: bool) -> None:
    setup = random_setup(Random(3), 2, sets=["base", "caves"], board=board_of(board), options=options)
    assert bool(setup.board.caves) == caves


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_rule_2_9_and_ambiguity_43_nothing_changes_with_the_number_of_players(players: int) -> None:
    state = State(random_setup(Random(5), players, sets=["base", "nomads", "harvest"]))
    assert state.supply == [40] * players
    assert (len(state.deck), len(set(state.deck))) == (25, 5)
    assert state.hands == [""] * players


def test_rule_1_every_section_has_its_special_hexes() -> None:
    """Two locations and a castle, but for Oracle, Harbor, the sections of Nomads, and the silos of Harvest."""
    expected = {
        **dict.fromkeys(("oracle", "harbor"), (1, 2, 0)),
        **dict.fromkeys(("caravan", "village", "garden"), (2, 0, 1)),
        "quarry": (1, 0, 3),
    }
    for key, section in printed_sections().items():
        board = Board(section.rows, section.locations)
        assert board.silos.bit_count() == (section.expansion == "harvest")
        assert all(not NEAR[h] & board.special for h in bits(board.special))
        if section.expansion == "harvest":
            assert len({location for _, location in board.locations}) == len(board.locations) == 2
            continue
        found = (len(board.locations), board.castles.bit_count(), board.nomad_spaces.bit_count())
        assert found == expected.get(key, (2, 1, 0)), key


def test_rule_1_locations_of_each_box() -> None:
    assert {key: len(box.locations) for key, box in BOXES.items()} == {
        "base": 8,
        "nomads": 4,
        "crossroads": 8,
        "harvest": 8,
        "capitol": 0,
        "caves": 0,
    }
    assert len(LOCATIONS) == 28
