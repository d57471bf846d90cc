"""Positions, games and maps that are hard on whoever has to read them or think about them."""

import re
from functools import cache
from random import Random

from kingdom_builder.board import printed_sections
from kingdom_builder.board.sections import SIDE
from kingdom_builder.board.terrain import DIGITS
from kingdom_builder.content import ALL_SETS, random_setup
from kingdom_builder.game import Game
from kingdom_builder.hexes import hex_name
from kingdom_builder.notation import parse_position
from kingdom_builder.rules import State
from kingdom_builder.server.messages import MAP_LENGTH

ENDLESS = "DDDDDDDD/DDDDDDDD/D1DDDDDD/DDDDDDDD(paddock) - - 1 C5D4F5G5T4 - 1A/D/0/- 0:a1,d4:b3:D 0:h1::T"
"""Nobody has a settlement left, and nobody has ended the game: it could go on forever."""

LAST_ROUND = ENDLESS.replace(" 1A/", " 1A!/")
"""The same, as a new table may begin from it."""

CIRCLE = (
    "oasis'/caravan'/tower'/lighthouse farmers,merchants,knights - 222222221 C2D1F2G2T3 CDGTGFDCTC 3A/D/0/-"
    " 28:r1,c2,a3,b3,c3,a4,b4,a5,c5,a6,b6,a7,t7:e3-,n3*,r4*,c8*,h13*,m14*,e17,q17*,q7:D 34:o5,m6,n6,n7,l8,m8::F"
    " 34:s1,t1,t2,o18,o19,p19::G 34:l11,m11,n11,k12,l12,l13::F 34:b10,b11,c11,j13,k13,k14::D tasks=road"
    " nomads=q7:resettlement caves=m7,b17,s19 ships=a3"
)
"""A position in which a player can choose one piece after the other to be moved, forever."""

ROUND_AND_ROUND = "resettlement:r1-q1" + "-c2-b4-a6" * 440

RECORD_BYTES = 950_000
PASSING_ROUNDS = 36_000
UNTIL_THE_DECK_IS_EMPTY = """\
1A . =D
1B =T =D . =T
2A . =C
2B =C =D . =F
3A =D . =F
3B =F =T =G =G =C =C =C =G =F =T =G =F =G =D . =D
4A =D . =D
4B . =D
"""
"""The first rounds from there; from then on there is one card to draw."""


@cache
def rich_game(seed: int, players: int = 5) -> list[str]:
    """The positions of a game with all boxes, played at random, in which somebody has to act."""
    rng = Random(seed)
    game = Game(State(random_setup(rng, players, sets=ALL_SETS)), seed)
    found: list[str] = []
    while not game.over and len(found) < 500:
        found.append(game.position)
        game.play(rng.choice(game.legal_moves()))
    return found


TURN = re.compile(r" \d+([A-E])(!?/\S+) ")
"""The round, the current seat and what it may do, in a position."""


def in_round(position: str, number: int) -> str:
    """The same position in another round, so that nobody has thought about it before."""
    return TURN.sub(rf" {number}\1\2 ", position, count=1)


def with_all_tiles(position: str) -> str:
    """The same position with all tiles of the board for the current seat."""
    setup = parse_position(position).setup
    hexes = sorted({h for h in setup.tile_hex if h is not None})
    found = TURN.search(position)
    assert found is not None
    seats = position[found.end() :].split(" ")
    supply, settlements, _, hand = seats[ord(found[1]) - ord("A")].split(":")
    seats[ord(found[1]) - ord("A")] = f"{supply}:{settlements}:{','.join(map(hex_name, hexes))}:{hand}"
    return position[: found.end()] + " ".join(seats)


@cache
def puzzling() -> list[str]:
    """Positions that it takes long to find a good move in."""
    game = rich_game(39)
    few = [with_all_tiles(game[number]) for number in range(35, 300, 17)]
    return [in_round(few[number % len(few)], number) for number in range(100, 300)]


@cache
def endless_record() -> str:
    """A game from the endless position in which everybody passes, as long as a request may be."""
    rounds = [f"{number}A . =D\n{number}B . =D\n" for number in range(5, PASSING_ROUNDS)]
    return f'[Start "{ENDLESS}"]\n\n{UNTIL_THE_DECK_IS_EMPTY}' + "".join(rounds)


@cache
def record_of_variations() -> str:
    """A game in which one move has as many variations as a request may have."""
    game = Game.first(seed=1)
    first, second = game.legal_moves()[:2]
    game.play(first)
    head, _, _ = str(game.record()).rpartition(first)
    variation = f" ({second})"
    return head + first + variation * ((RECORD_BYTES - len(head)) // len(variation))


@cache
def hard_maps() -> list[str]:
    """Texts of maps, as long as they may be: without end, wrong all over, or full of things to draw."""
    locations = [key for section in printed_sections().values() for key in section.locations][: len(DIGITS)]
    full = f"## x | {', '.join(locations)}\n" + f"{(DIGITS * SIDE)[: 2 * SIDE]}\n" * 2 * SIDE
    wrong = ("## x | " + "f," * MAP_LENGTH, "#\n" * MAP_LENGTH, "## x\n" + ("X" * 2 * SIDE + "\n") * MAP_LENGTH)
    return [full, *(text[:MAP_LENGTH] for text in wrong), "## x\n" + ("N" * 2 * SIDE + "\n") * 2 * SIDE]


@cache
def ordinary_game(seed: int = 1) -> list[str]:
    """The moves of a whole game, and so the longest that people play."""
    rng = Random(seed)
    game = Game.first(seed=seed)
    moves = []
    while not game.over:
        moves.append(rng.choice(game.legal_moves()))
        game.play(moves[-1])
    return moves


@cache
def nearly_over() -> str:
    """A position in which any action may end the game."""
    game = Game.first(seed=1)
    before = game.position
    for move in ordinary_game():
        before = game.position
        game.play(move)
    return before
