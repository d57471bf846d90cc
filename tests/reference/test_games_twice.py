"""The library against a second implementation: whole games side by side, every choice, every table."""

import random
from collections import Counter

import pytest
from base_box import LOCATIONS as BASE_LOCATIONS

from kingdom_builder.board import Board
from kingdom_builder.content import ALL_SETS, BOXES, CARDS, LOCATIONS, NOMAD_TILES, OPTIONS, make_setup, random_setup
from kingdom_builder.hexes import bits, parse_hex
from kingdom_builder.notation import parse_position
from kingdom_builder.rules import DRAWING, END, Setup
from kingdom_builder.rules.actions import CHOOSING, CHOSEN
from reference.bridge import play_side_by_side

PAID_IN_THE_GAME = ["families", "shepherds", "ambassadors", "mayors", "rovers"]


def some_options(rng: random.Random, chance: float = 0.3) -> list[str]:
    return [option for option in sorted(OPTIONS) if rng.random() < chance]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("sets", [("base",), *[("base", box) for box in BOXES if box != "base"], ALL_SETS])
def test_random_games_on_official_boards(sets: tuple[str, ...], players: int) -> None:
    rng = random.Random(f"{players} players, {sets}")
    cards = rng.sample(sorted(CARDS), 3) if rng.random() < 0.5 else PAID_IN_THE_GAME
    setup = random_setup(rng, players, sets=sets, cards=cards, options=some_options(rng))
    play_side_by_side(setup, rng, look_every=12 * players)


SINGLE = [location.key for box in ("crossroads", "harvest") for location in BOXES[box].locations]
"""Locations that exist on one hex only."""


def small_setup(rng: random.Random) -> Setup:
    """A small map with nine locations of all boxes, nomad tiles, caves, silos, farmland, and all cards paid at once."""
    height, width = rng.randint(7, 11), rng.randint(8, 11)
    rows = [rng.choices("GGGCCCDDDFFFTTTAAWWMVKNNI", k=width) for _ in range(height)]
    keys = rng.sample(sorted(LOCATIONS), 9)
    if rng.random() < 0.5:
        keys = ["bazaar", *[key for key in keys if key != "bazaar"][:8]]
    tiles = sorted(NOMAD_TILES)
    if rng.random() < 0.3:  # what seldom comes together at random
        keys = ["barn", "harbor", *[key for key in keys if key not in ("barn", "harbor")][:7]]
        tiles = ["outpost", "sword", "resettlement"]
    spots = rng.sample([(row, col) for row in range(height) for col in range(width)], 18)
    for number, key in enumerate(keys):
        for row, col in spots[2 * number : 2 * number + (1 if key in SINGLE else 2)]:
            rows[row][col] = str(number + 1)
    board = Board(["".join(row) for row in rows], keys)
    nomads = {h: rng.choice(tiles) for h in bits(board.nomad_spaces) if rng.random() < 0.9}
    cards = [card for card in PAID_IN_THE_GAME if rng.random() < 0.7]
    return make_setup(board, cards, rng.choice([2, 2, 3, 4]), some_options(rng, 0.4), nomads=nomads)


@pytest.mark.parametrize("seed", range(60))
def test_random_games_with_everything_on_small_maps(seed: int) -> None:
    rng = random.Random(seed)
    play_side_by_side(small_setup(rng), rng, look_every=20)


def test_city_halls_are_relocated_and_scout_cabins_share_their_scouts() -> None:
    """Meadows with city halls, Bazaars and scout cabins, and cards that look at every piece that arrives."""
    done: Counter[str] = Counter()
    for seed in range(16):
        rng = random.Random(f"halls {seed}")
        rows = [rng.choices("GGGGGCCCDDDFFFTTTAWMK", k=12) for _ in range(12)]
        others = rng.sample(["paddock", "tower", "farm", "oracle", "cathedral", "barracks"], 3)
        keys = ["city-hall", "bazaar", "scout-cabin", "city-hall", "bazaar", "scout-cabin", *others]
        spots = rng.sample([(row, col) for row in range(1, 11) for col in range(1, 11)], len(keys))
        for number, (row, col) in enumerate(spots):
            rows[row][col] = str(number + 1)
        options = [option for option in some_options(rng) if seed % 4 == 3 or option != "cityHallStays"]
        setup = make_setup(Board(["".join(row) for row in rows], keys), PAID_IN_THE_GAME, 2 + seed % 2, options)
        preferred = ("city-hall", "bazaar", "scout-cabin")
        done += play_side_by_side(setup, rng, look_every=15, preferred=preferred)
    assert done["relocated city hall"] > 10
    assert done["second scout cabin"] > 50


@pytest.mark.parametrize("seed", range(24))
def test_random_games_of_the_base_box_on_small_maps(seed: int) -> None:
    """Where terrain fills up, cards are replaced at every stage of a turn; hexes touch several locations at once."""
    rng = random.Random(seed)
    rows = ["".join(rng.choices("GGCCDDFFTTWM12345K", k=9 + seed % 2)) for _ in range(8 + seed % 3)]
    board = Board(rows, rng.sample(sorted(BASE_LOCATIONS), 5))
    setup = make_setup(board, (), rng.choice([2, 2, 3]), some_options(rng))
    assert play_side_by_side(setup, rng, look_every=11)["replaced"] > 0


@pytest.mark.parametrize("seed", range(40))
def test_random_games_until_the_cards_run_out(seed: int) -> None:
    """On a scrap of land the draw pile is soon exhausted, then the cards are."""
    rng = random.Random(seed)
    rows = ["".join(rng.choices("GGCCDDFFTTTWA12", k=5)) for _ in range(rng.choice([3, 5]))]
    board = Board(rows, rng.sample(sorted(LOCATIONS), 2))
    setup = make_setup(board, (), rng.choice([2, 4, 5, 5]), some_options(rng))
    play_side_by_side(setup, rng, look_every=7)


def test_the_last_card_is_shuffled_and_drawn_again() -> None:
    """Nothing is left in either pile: the card that A discards at the end of the turn is the new pile."""
    state = parse_position("GGG/GGG - - - - - 3A/G/0/- 37:a1,b1,c1::G 40:::C")
    state.apply(END)
    assert bits(state.legal()) == [DRAWING["G"]]
    state.apply(DRAWING["G"])
    assert (state.hands, state.deck, state.discard) == (["G", ""], "", ""), "B's canyon card found no canyon"


def test_a_chosen_card_that_is_full_is_not_replaced_by_another_in_hand() -> None:
    """RULES 4.3: with an empty draw pile the rest of the mandatory action is void, whatever else A holds."""
    state = parse_position("1GCCD/CCCDD(crossroads) - - 2 - - 3A/-/3/- 40:::CDG 40:::C")
    assert [CHOSEN[action] for action in bits(state.legal())] == ["C", "D", "G"]
    state.apply(CHOOSING["G"])
    state.apply(parse_hex("b1"))
    assert (state.hands[0], state.card, state.builds_left) == ("CD", "", 0)
    assert bits(state.legal()) == [END]
