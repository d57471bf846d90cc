"""Scenes for the tests of rulings: a small drawn map, whose turn it is, who has what; and short ways to look at them.

Seats, turns and further fields are written as in a position (`docs/notation.md`). Player A is the first seat.
"""

import json
import re
from pathlib import Path
from typing import Any

from kingdom_builder.content import ALWAYS, CARDS, TASKS
from kingdom_builder.hexes import bits, hex_at, hex_name, hex_names, parse_hex, row_col
from kingdom_builder.notation import legal_texts, parse_position, play
from kingdom_builder.rules import Card, State

DECK = "C3D3F3G3T3"
"""A draw pile without the cards in the hands of a scene: two of each terrain may be there or among the discards."""

EXAMPLES: dict[str, dict[str, Any]] = {
    example["id"]: example for example in json.loads((Path(__file__).parent / "data" / "examples.json").read_text())
}
"""The worked examples of the rules reference (RULES 11)."""

PIECES = {"w": "warriors", "g": "wagons", "h": "ships", "y": "city_halls"}
"""The fields of the pieces other than settlements, by their letters in the examples."""


def drawn(picture: str) -> list[str]:
    """The rows of a map drawn with spaces between its hexes, however indented, or written with `/` between the rows."""
    return [line.replace(" ", "") for line in picture.replace("/", "\n").split("\n") if line.strip()]


def scene(
    picture: str,
    turn: str,
    *seats: str,
    locations: str = "",
    cards: str = "-",
    options: str = "-",
    deck: str = DECK,
    discard: str = "-",
    stock: str = "",
    **fields: str,
) -> State:
    """A map with digits for the locations named, and a position on it; the tiles that no seat took are left there."""
    rows = drawn(picture)
    tiles_at = [
        (hex_name(hex_at(row, col)), 2)
        for row, line in enumerate(rows)
        for col, letter in enumerate(line)
        if letter.isdigit()
    ]
    tiles_at += [(part.partition(":")[0], 1) for part in fields.get("nomads", "").split(",") if part]
    taken = [tile.rstrip("*+-") for seat in seats for tile in seat.split(":")[2].split(",")]
    left = stock or "".join(str(number - taken.count(place)) for place, number in tiles_at)
    legend = f"({locations})" if locations else ""
    further = " ".join(f"{key.replace('_', '-')}={value}" for key, value in fields.items())
    return parse_position(
        f"{'/'.join(rows)}{legend} {cards} {options} {left or '-'} {deck} {discard} {turn} {' '.join(seats)} {further}"
    )


def example(
    key: str, turn: str = "3A/D/3/-", locations: str = "farm", tile: str = "", printed: str = "", **fields: str
) -> State:
    """The board and the pieces of an example; `tile` is what A owns, by the hex it came from.

    `printed`, such as `e5=1`, puts a location or nomad space on a hex that plays no part.
    """
    record = EXAMPLES[key]
    rows = [list(row.replace("L", "1")) for row in record["board"]]
    for place, _, letter in [part.partition("=") for part in printed.split()]:
        row, col = row_col(parse_hex(place))
        rows[row][col] = letter
    board = "\n".join(map("".join, rows))
    pieces: dict[str, list[str]] = {"A": [], "B": []}
    settlements = {"A": 0, "B": 0}
    for (row, col), owner, kind in record["pieces"]:
        place = hex_name(hex_at(row, col))
        pieces[owner].append(place)
        settlements[owner] += kind == "s"
        if kind in PIECES:
            before = fields.get(PIECES[kind])
            fields[PIECES[kind]] = f"{before},{place}" if before else place
    tiles = {"A": tile, "B": ""}
    hands = {"A": "", "B": "", turn[1]: turn.split("/")[1].strip("-=")}
    seats = [f"{40 - settlements[who]}:{','.join(pieces[who])}:{tiles[who]}:{hands[who]}" for who in "AB"]
    return scene(board, turn, *seats, locations=locations if "1" in board else "", **fields)


def places(text: str) -> set[str]:
    """The names of all hexes that a text gives as `(row,col)`."""
    return {hex_name(hex_at(int(row), int(col))) for row, col in re.findall(r"\((\d+),(\d+)\)", text)}


def expected(key: str) -> set[str]:
    """The hexes named in the expectation of an example."""
    return places(EXAMPLES[key]["expect"])


def legal(state: State) -> set[str]:
    """What may be done now."""
    return set(legal_texts(state))


def after(state: State, moves: str) -> set[str]:
    """What may be done after these moves."""
    play_all(state, moves)
    return legal(state)


def play_all(state: State, moves: str) -> None:
    for move in moves.split():
        play(state, move)


def gold(state: State, key: str, seat: int = 0) -> int:
    """What a card pays a seat, whether it is in play or not."""
    always = {card.key: card for card in ALWAYS if isinstance(card, Card)}
    return {**CARDS, **TASKS, **always}[key].score(state, seat)[0]


def pieces(state: State, seat: int = 0) -> set[str]:
    """Where a seat has pieces."""
    return set(hex_names(state.own[seat]))


def tiles(state: State, seat: int = 0) -> list[str]:
    """The tiles that a seat has, by their kinds."""
    held = state.held[seat] & ~state.setup.standing
    return sorted(state.setup.actions[state.setup.tile_kind[tile]].key for tile in bits(held))


def walls(state: State) -> set[str]:
    return set(hex_names(state.memory.get("walls", 0)))


def cards_left(state: State, terrain: str) -> int:
    """How many cards of a terrain are still in the game."""
    return (state.deck + state.discard + "".join(state.hands)).count(terrain)
