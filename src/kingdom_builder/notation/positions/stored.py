"""Positions of stored games, which go on by the rules that they began with."""

from kingdom_builder.notation.positions.reading import parse_stored_position
from kingdom_builder.notation.positions.writing import NONE
from kingdom_builder.rules import KEPT_RULINGS
from kingdom_builder.rules.versions import rulings_kept_from


def as_played_under(position: str, version: int) -> str:
    """The line of a position in a game that began under some version of the rules, so that it goes on under them."""
    return _with_rulings(position, rulings_kept_from(version, parse_stored_position(position)))


def under_present_rules(position: str) -> str:
    """The line of a position from whatever game, for one that begins now."""
    return _with_rulings(position, [])


def _with_rulings(position: str, kept: list[str]) -> str:
    """The line with these rulings and no other kept ones. Anything else is returned unchanged."""
    fields = position.split(" ")
    if len(fields) > 2:
        options = [key for key in fields[2].split(",") if key not in KEPT_RULINGS and key != NONE]
        fields[2] = ",".join(sorted({*options, *kept})) or NONE
    return " ".join(fields)
