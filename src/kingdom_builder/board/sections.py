"""Sections: maps of 10 x 10 hexes, four of which make a board."""

from dataclasses import dataclass
from functools import lru_cache

SIDE = 10
STAND_IN = "stand-in"
OWN = "own"
STANDINGS = ("verified", "single", STAND_IN, OWN)
"""How reliable a layout is: checked by several people, transcribed once, ours until the printed one is found, or typed
in or drawn by whoever plays with it."""


@dataclass(frozen=True)
class Section:
    """One map of 10 x 10 hexes."""

    key: str
    locations: tuple[str, ...]
    """Keys of the locations that the digits in the rows stand for."""
    expansion: str
    standing: str
    rows: tuple[str, ...]

    def __post_init__(self) -> None:
        if [len(row) for row in self.rows] != [SIDE] * SIDE:
            raise ValueError(f"section {self.key}: expected {SIDE} rows of {SIDE} letters")

    def __str__(self) -> str:
        """The key, with a note if the map is not the printed one."""
        return f"{self.key} (stand-in)" if self.standing == STAND_IN else self.key

    def __hash__(self) -> int:
        """Of the key alone, since boards look sections up all the time."""
        return hash(self.key)

    def turned(self) -> tuple[str, ...]:
        """The rows after turning the section by 180 degrees."""
        return _turned(self.rows)


@lru_cache(maxsize=1024)
def _turned(rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(row[::-1] for row in reversed(rows))
