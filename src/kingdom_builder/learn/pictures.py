"""What environments render: the board as characters, or as an array of colours."""

from io import StringIO
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from kingdom_builder.board.terrain import DIGITS
from kingdom_builder.drawing.palette import GROUND, INK, LOCATION, PAPER, SEATS
from kingdom_builder.drawing.text import table
from kingdom_builder.hexes import bits, row_col
from kingdom_builder.rules import State, observe

RenderMode = Literal["ansi", "rgb_array"]
RENDER_MODES: list[RenderMode] = ["ansi", "rgb_array"]

_SIZE = 12
"""Pixels of a hex in either direction."""


def render(state: State, mode: str | None) -> str | NDArray[np.uint8] | None:
    """The game as the seat in turn sees it, in a render mode; nothing without one."""
    match mode:
        case "ansi":
            return characters(state)
        case "rgb_array":
            return colours(state)
        case _:
            return None


def characters(state: State) -> str:
    """The board and all that lies beside it, drawn with characters."""
    console = Console(file=StringIO(), width=120, color_system=None)
    with console.capture() as capture:
        console.print(table(observe(state, state.player)))
    return capture.get()


def colours(state: State) -> NDArray[np.uint8]:
    """The board as pixels: a square for each hex, odd rows half a hex to the right, pieces as smaller squares."""
    board = state.setup.board
    pixels = np.empty((board.height * _SIZE, board.width * _SIZE + _SIZE // 2, 3), np.uint8)
    pixels[:] = _rgb(PAPER)
    owners = {h: seat for seat, own in enumerate(state.own) for h in bits(own)}
    for h in bits(board.hexes):
        row, col = row_col(h)
        letter = board.letter(h)
        left = col * _SIZE + row % 2 * _SIZE // 2
        pixels[row * _SIZE : (row + 1) * _SIZE, left : left + _SIZE] = _rgb(
            GROUND[LOCATION if letter in DIGITS else letter]
        )
        if h in owners:
            inside = pixels[row * _SIZE + 2 : (row + 1) * _SIZE - 2, left + 2 : left + _SIZE - 2]
            inside[:] = _rgb(INK)
            inside[1:-1, 1:-1] = _rgb(SEATS[owners[h]].roof)
    return pixels


def _rgb(colour: str) -> tuple[int, int, int]:
    """The parts of a colour that is written with six digits or with three."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
