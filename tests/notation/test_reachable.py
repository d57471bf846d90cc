"""Positions that no game comes to are refused, each in one sentence that points at its cause; all others are read."""

from random import Random

import pytest
from playing import PRINTED, SET_CHOICES, SMALL, WIDE, Case, check_place, game, play_on
from scenes import legal, play_all, scene

from kingdom_builder.content import ALL_SETS, OPTIONS
from kingdom_builder.notation import (
    NotationError,
    as_played_under,
    parse_position,
    parse_record,
    parse_stored_position,
    position_of,
)
from kingdom_builder.rules import KEPT_RULINGS, State
from kingdom_builder.rules.versions import CHOICE_LASTS, SCOUTS_PICKED_UP

BASE = "GGGGG/DDWDD/GG1GG/TMTKG/CCCFF({location}) {cards} {options} {stock} C3D3F3G3T3 - {turn} {a} {b}{more}"


def line(
    a: str = "38:a1,b1::G",
    b: str = "39:e1::T",
    *,
    turn: str = "3A/G/3/-",
    location: str = "farm",
    cards: str = "-",
    options: str = "-",
    stock: str = "2",
    more: str = "",
) -> str:
    return BASE.format(a=a, b=b, turn=turn, location=location, cards=cards, options=options, stock=stock, more=more)


FULL_DESERT = "36:a2,b2,d2,e2::D"
WRONG = {
    "41 settlements": (line("39:a1,b1::G"), "39:a1", "41 settlements of seat A, 39 of them in supply"),
    "41 settlements of another seat": (line(b="40:e1::T"), "40:e1", "41 settlements of seat B"),
    "a marker too many": (line(cards="mayors", more=" mayors=2,0"), "38:a1", "41 settlements of seat A"),
    "supply 0 without the mark": (line("0:a1,b1::G", turn="3A/G/0/-"), "0:a1", "supply 0: expected '!'"),
    "supply 0 of another seat": (line(b="0:e1::T"), "0:e1", "supply 0: expected '!' behind the seat in turn"),
    "~ with nothing to build": (line(turn="3A/G/0~/-"), "3A/", "'~' without a build"),
    "~ while a card is drawn": (line("38:a1,b1::", turn="3A/=/2~/-"), "3A/", "'~' without a build"),
    "~ in a move": (
        line("38:a1,b1:c3*:G", turn="3A/G/0~/paddock", location="paddock", stock="1"),
        "3A/",
        "'~' without a build",
    ),
    "~ without an outpost": (line(turn="3A/G/3~/-"), "3A/", "'~' without a tile for it"),
    "three warriors": (
        line("40:a1,b1,c1::G", location="barracks", more=" warriors=a1,b1,c1"),
        "warriors=",
        "3 hexes with a warrior of seat A: expected at most 2",
    ),
    "two ships": (
        line("40:c2,b1::G".replace("b1", "b4"), location="lighthouse", more=" ships=c2,b4"),
        "b4",
        "a ship on b4 (mountain): expected a hex on which it may stand",
    ),
    "two wagons": (
        line("40:a1,b1::G", location="wagon", more=" wagons=a1,b1"),
        "wagons=",
        "2 hexes with a wagon of seat A: expected at most 1",
    ),
    "a warrior on water": (
        line("40:c2::G", location="barracks", more=" warriors=c2"),
        "c2\0",
        "a warrior on c2 (water): expected a hex on which it may stand",
    ),
    "a wagon on water": (line("40:c2::G", location="wagon", more=" wagons=c2"), "c2\0", "a wagon on c2 (water)"),
    "a city hall of three hexes": (
        line("40:a1,b1,c1::G", location="city-hall", more=" city-halls=a1,b1,c1"),
        "city-halls=",
        "the city hall of seat A: expected a hex and the six around it",
    ),
    "a city hall on water": (
        line("40:c2::G", location="city-hall", more=" city-halls=c2"),
        "c2\0",
        "a city hall on c2 (water)",
    ),
    "three scouts": (
        line("39:a1:c3*:G", location="scout-cabin", stock="1", more=" scouts=b1,a2,b2"),
        "scouts=",
        "3 scouts: expected at most 2",
    ),
    "a wall on water": (
        line(location="quarry", more=" walls=c2"),
        "walls=",
        "a stone wall on c2 (water): expected a hex on which it may stand",
    ),
    "26 walls": (
        f"{'G' * 20}/{'G' * 19}1(quarry) - - 2 C3D3F3G3T3 - 3A/G/3/- 40:::G 40:::T "
        f"walls={','.join([f'{c}1' for c in 'abcdefghijklmnopqrst'] + [f'{c}2' for c in 'abcdef'])}",
        "walls=",
        "26 stone walls: expected at most 25",
    ),
    "a row marked twice": (
        line("36:a1,b1::G", "38:e1::T", cards="mayors", more=" mayors=5,4"),
        "mayors=",
        "row 3 marked by seat B: expected a row of the board that nobody else has marked",
    ),
    "a row that the board does not have": (
        line("37:a1,b1::G", cards="mayors", more=" mayors=32,0"),
        "mayors=",
        "row 6 marked by seat A: expected a row of the board",
    ),
    "a full card after the mandatory action": (
        line(FULL_DESERT, turn="3A/D/0/-"),
        "3A/",
        "the card allows no hex: expected a card with a free hex, or '=' to replace it",
    ),
    "a full card and a tile to use": (
        line("35:a2,b2,d2,e2,c4:c3:D", turn="3A/D/0/-", stock="1"),
        "3A/",
        "the card allows no hex",
    ),
    "a full card in the middle of an action": (
        line("35:a2,b2,d2,e2,c4:c3*:D", turn="3A/D/0/farm", stock="1"),
        "3A/",
        "the card allows no hex",
    ),
    "a full card that only a warrior blocks": (
        line("39:a2,b2,d2::D", turn="3A/D/0/-", location="barracks", more=" warriors=a2,d2"),
        "3A/",
        "the card allows no hex",
    ),
    "two full cards to choose from after the mandatory action": (
        line("36:a2,b2,d2,e2::DD", turn="3A/-/0/-", location="crossroads"),
        "3A/",
        "the card allows no hex",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "at", "sentence"), WRONG.values(), ids=[*WRONG])
def test_what_no_game_comes_to_is_refused_in_one_sentence(text: str, at: str, sentence: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_position(text)
    assert sentence in error.value.reason
    assert "\n" not in error.value.reason
    assert (text + "\0")[error.value.offset :].startswith(at)
    check_place(error.value, text)


@pytest.mark.parametrize("text", [text for text, _, _ in WRONG.values()], ids=[*WRONG])
def test_a_stored_game_that_began_from_such_a_position_goes_on(text: str) -> None:
    state = parse_stored_position(text)
    assert position_of(parse_stored_position(position_of(state))) == position_of(state)
    for _ in play_on(state, Random(1)):
        pass
    start, moves = position_of(state), [*play_on(state, Random(1))]
    assert moves
    assert parse_record(f'[Start "{start}"]\n\n').start == state


RIGHT = {
    "supply 0 with the mark": line("0:a1,b1::G", turn="3A!/G/0/-"),
    "supply 0 in a game of older rules": line("0:a1,b1::G", turn="3A/G/0/-", options="emptySupplyGoesOn"),
    "fewer than 40": line("5:a1,b1::G", "4:e1::T"),
    "40 with a marker": line("37:a1,b1::G", cards="mayors", more=" mayors=2,0"),
    "two warriors": line("40:a1,b1::G", location="barracks", more=" warriors=a1,b1"),
    "a wagon on a mountain": line("40:b4::G", location="wagon", more=" wagons=b4"),
    "a settlement on water and on a mountain": line("38:c2,b4::G"),
    "a full card that stays by an option": line(FULL_DESERT, turn="3A/D/0/-", options="redrawOnlyForMandatory"),
    "a full card that is being replaced": line("36:a2,b2,d2,e2::", turn="3A/=/0/-"),
    "no card left": line("36:a2,b2,d2,e2::", turn="3A/-/0/-"),
    "a full card among others in hand": line("36:a2,b2,d2,e2::DG", turn="3A/-/3/-", location="crossroads"),
    "a full card of a seat that is not in turn": line("38:a1,b1::G", "36:a2,b2,d2,e2::D"),
    "a full card when the turn is over": line("36:a2,b2,d2,e2::", "40:::D", turn="3A/-/0/="),
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=[*RIGHT])
def test_what_a_game_may_come_to_is_read(text: str) -> None:
    assert position_of(parse_position(text)) == text


CASES = [
    *[Case(2 + n % 4, board, n, (), sets) for n, sets in enumerate(SET_CHOICES) for board in (PRINTED, SMALL)],
    *[Case(2 + n % 4, SMALL, 20 + n, tuple(sorted(OPTIONS)[n::6]), ALL_SETS) for n in range(12)],
    *[Case(players, WIDE, 9, (), ALL_SETS) for players in (2, 5)],
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_position_of_a_game_is_read_and_written_the_same(case: Case) -> None:
    for number, step in enumerate(game(case)):
        if number % 3 == 0 or step.before.acting is not None or step.before.adjacency_lifted:
            text = position_of(step.before)
            assert position_of(parse_position(text)) == text
    assert parse_position(position_of(game(case)[-1].after)).over


# ---- what an odd position did to later turns -------------------------------------------------------------------------

CHOICES = "GGGG/DDDD/GGDD - - - C4D2F4G2T4 - 1A/-/3/- 40:::DG 40:::DG"
"""A map without a Crossroads; both seats have two cards."""


def test_every_seat_chooses_its_own_card_on_a_map_without_a_crossroads() -> None:
    state = parse_position(CHOICES)
    play_all(state, "!D a2 b2 c2 . =C")
    assert state.player == 1
    assert state.choice_is_open()
    assert legal(state) == {"!D", "!G"}
    assert position_of(state) == position_of(parse_position(position_of(state)))


def test_a_stored_game_goes_on_with_a_choice_that_lasts() -> None:
    kept = as_played_under(CHOICES, 2)
    assert kept.split()[2] == CHOICE_LASTS
    assert as_played_under(CHOICES, 3) == CHOICES
    state = parse_stored_position(kept)
    play_all(state, "!D a2 b2 c2 . =C")
    assert not state.choice_is_open()
    one_card = CHOICES.replace("DG", "D").replace("/-/3/-", "/D/3/-")
    assert as_played_under(one_card, 2) == one_card, "where it makes no difference nothing is written"


def two_cabins(**fields: str) -> State:
    return scene(
        "GGGGG/G1GGG/GGGGG/GGG2G/GGGGG/3GGGG",
        "3A/G/0/-",
        "38:a1,e4:b2,d4,a6:G",
        "40:::T",
        locations="scout-cabin,scout-cabin,bazaar",
        **fields,
    )


def test_a_second_scout_cabin_does_not_pick_up_the_scouts_of_the_first() -> None:
    state = two_cabins()
    play_all(state, "scout-cabin:b1,a2")
    assert "scout-cabin" not in legal(state), "both scouts are on the board"
    state = two_cabins()
    play_all(state, "scout-cabin:b1,done scout-cabin:e3")
    assert position_of(state).endswith("scouts=b1,e3"), "the first stays where it is"
    assert state.acting is None


def test_the_bazaar_still_relocates_the_scouts() -> None:
    state = two_cabins()
    play_all(state, "scout-cabin:b1,a2 bazaar:scout-cabin,e3,done")
    assert position_of(state).split("scouts=")[1].startswith("e3")


def test_a_stored_game_goes_on_with_scouts_that_are_picked_up() -> None:
    line = position_of(two_cabins())
    kept = as_played_under(line, 2)
    assert kept.split()[2] == SCOUTS_PICKED_UP
    state = parse_stored_position(kept)
    play_all(state, "scout-cabin:b1,a2 scout-cabin:e3,e5")
    assert position_of(state).endswith("scouts=e3,e5")
    single = line.replace("(scout-cabin,scout-cabin,", "(scout-cabin,farm,")
    assert as_played_under(single, 2) == single


def test_kept_rulings_have_a_sentence() -> None:
    assert {CHOICE_LASTS, SCOUTS_PICKED_UP} < set(KEPT_RULINGS)
