"""Versions of the rules: what each one fixed, and how older games continue under the rules they began with.

For each fixed rule there is a kept ruling: an option that brings the old rule back. It is only for stored games, and
people cannot choose it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kingdom_builder.rules.setup import Setup

RULES_VERSION = 2
"""Changes whenever an action or its effect changes in a position that can be written down."""

EMPTY_SUPPLY_GOES_ON = "emptySupplyGoesOn"

MENDED: dict[int, dict[str, str]] = {
    2: {
        EMPTY_SUPPLY_GOES_ON: (
            "A round in which a supply is empty is the last round, even if a position written by hand does not say so."
        ),
    },
}
"""What each version fixed, by the kept ruling that brings the old rule back."""

KEPT_RULINGS: dict[str, str] = {key: text for mended in MENDED.values() for key, text in mended.items()}


def rulings_kept_from(version: int) -> list[str]:
    """The kept rulings of everything that was fixed after a version."""
    if not 1 <= version <= RULES_VERSION:
        raise ValueError(f"version {version} of the rules: expected 1 to {RULES_VERSION}")
    return [key for number, mended in MENDED.items() if number > version for key in mended]


def kept_rulings(setup: "Setup") -> frozenset[str]:
    """The kept rulings in force: none in a game that begins now."""
    return setup.options & KEPT_RULINGS.keys()
