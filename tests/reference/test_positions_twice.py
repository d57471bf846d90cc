"""The library against a second implementation: legal hexes and gold on thousands of positions of chance."""

import random

import pytest
from base_box import ALWAYS

from kingdom_builder.board import Board
from kingdom_builder.content import LOCATIONS, NOMAD_TILES, OPTIONS, make_setup
from kingdom_builder.hexes import AREA, HexSet, around, hex_at
from kingdom_builder.notation import parse_position
from kingdom_builder.rules import State
from reference import position as reference
from reference.bridge import (
    compare_actions,
    compare_mandatory,
    compare_scores,
    compare_silo,
    compare_steps,
    hexset,
    places,
    plain,
)
from reference.position import Place

LETTERS = "GCDFTAGCDFTAGCDFTAGCDFTWWWMMVKNI123456789"
"""Mostly land; every letter that a map can have, and special hexes next to each other and on the edge."""
MEADOW = "G" * 30 + "TTWMVAN123456789"
"""Mostly one terrain: room for city halls, caravans, warriors."""
SIZES = [(1, 7), (6, 1), (3, 4), (6, 7), (9, 11), (12, 10), (12, 12), (20, 20)]
PIECES = {"warriors": (2, "GCDFTA"), "wagons": (1, "GCDFTAMV"), "ships": (1, "W")}


def scattered(rng: random.Random) -> State:
    """Pieces thrown on a map of chance, on water and mountains too, a third of them in clumps."""
    height, width = rng.choice(SIZES)
    rows = ["".join(rng.choices(rng.choice([LETTERS, MEADOW]), k=width)) for _ in range(height)]
    needed = ["barracks", "wagon", "lighthouse", "city-hall", "quarry"] if rng.random() < 0.6 else []
    others = rng.sample([key for key in LOCATIONS if key not in needed], 9 - len(needed))
    board = Board(rows, needed + others)
    options = [option for option in sorted(OPTIONS) if rng.random() < 0.4]
    tiles = ["sword", "resettlement", *sorted(NOMAD_TILES)]
    nomads = {hex_at(*place): rng.choice(tiles) for place in reference.printed(board.map, "N")}
    castles = sorted(reference.printed(board.map, "K"))
    capitols = hexset(set(rng.sample(castles, min(len(castles), 2))))
    state = State(make_setup(board, (), rng.randint(2, 5), options, nomads=nomads, capitols=capitols))
    throw_pieces(state, rng, rows)
    state.player = rng.randrange(state.setup.players)
    state.card = rng.choice("CDFGT")
    state.card_hexes = state.setup.terrain[state.card]
    state.supply = [rng.choice([0, 1, 40]) for _ in state.own]
    state.awaiting, state.steps, state.round = None, 0, 7
    if "cathedral" in others:
        state.remember("cathedral", 0)
        state.add_for("cathedral", state.player, rng.choice([0, 1, 3]))
    for place in sorted(places(state.free)):
        if rng.random() < 0.02:
            state.scouts |= hexset({place})
    state.update_blocked()
    for seat, own in enumerate(state.own):
        state.near[seat] = around(own | state.scouts if seat == state.player else own) & AREA
    return state


def throw_pieces(state: State, rng: random.Random, rows: list[str]) -> None:
    players = state.setup.players
    room = [p for p in sorted(reference.on_map(tuple(rows))) if rows[p[0]][p[1]] not in reference.SPECIAL]
    rng.shuffle(room)
    thrown: list[set[Place]] = [set() for _ in range(players)]
    fullness = rng.choice([0.1, 0.3, 0.6, 1])
    clumped, mostly_first = (0.3, 0.0) if rng.random() < 0.7 else (0.0, 0.93)
    for row, col in room[: int(len(room) * fullness * rng.random())]:
        seat = col // 3 % players if rng.random() < clumped else rng.randrange(players)
        seat = 0 if rng.random() < mostly_first else seat
        thrown[seat].add((row, col))
    walls: HexSet = 0
    for place in room[::-1][: rng.choice([0, 0, 1, 3, 24, 25, 25])]:
        if not any(place in own for own in thrown):
            walls |= hexset({place})
    state.own = [hexset(own) for own in thrown]
    keys = {action.key for action in state.setup.actions}
    if "quarry" in keys:
        state.remember("walls", walls)
    for own in thrown:
        left = sorted(own)
        rng.shuffle(left)
        for (key, (most, letters)), location in zip(PIECES.items(), ("barracks", "wagon", "lighthouse"), strict=True):
            fitting = [p for p in left if rows[p[0]][p[1]] in letters][: rng.randint(0, most)]
            if location in keys:
                state.remember(key, state.memory.get(key, 0) | hexset(set(fitting)))
                state.special_pieces |= hexset(set(fitting))
                left = [place for place in left if place not in fitting]
    if "city-hall" in keys:
        put_city_halls(state, rng)


def put_city_halls(state: State, rng: random.Random) -> None:
    """Where there is room for one."""
    taken = places(state.memory.get("walls", 0)).union(*[places(own) for own in state.own])
    land = reference.printed(state.setup.board.map, reference.BUILDABLE) - taken
    for seat in range(state.setup.players):
        centres = [place for place in sorted(land) if reference.neighbours(place) <= land]
        if centres and rng.random() < 0.5:
            centre = rng.choice(centres)
            hall = {centre, *reference.neighbours(centre)}
            land -= hall
            state.own[seat] |= hexset(hall)
            state.remember("city-halls", state.memory.get("city-halls", 0) | hexset(hall))
            state.special_pieces |= hexset(hall)


@pytest.mark.parametrize("seed", range(40))
def test_scattered_pieces(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(18):
        state = scattered(rng)
        position = plain(state)
        compare_mandatory(state, position)
        compare_actions(state, position)
        compare_steps(state, position)
        compare_silo(state, position)
        compare_scores(state, position)


def test_a_settlement_between_two_castles_pays_for_both_and_is_shown_once() -> None:
    """Two castles with one settlement between them: 6 gold, and the hex that pays is that of the settlement."""
    state = parse_position("KGK/GGG - - - C4D4F4G4T4 - 1A/G/3/- 39:b1::G 40:::")
    gold, paying = ALWAYS[0].score(state, 0)
    assert gold == 6
    assert places(paying) == {(0, 1)}
