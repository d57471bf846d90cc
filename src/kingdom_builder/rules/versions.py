"""Versions of the rules: what each one fixed, and how older games continue under the rules they began with.

For each fixed rule there is a kept ruling: an option that brings the old rule back. It is only for stored games, and
people cannot choose it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kingdom_builder.rules.setup import Setup
    from kingdom_builder.rules.state import State

RULES_VERSION = 3
"""Changes whenever an action or its effect changes in a position that can be written down."""

EMPTY_SUPPLY_GOES_ON = "emptySupplyGoesOn"
CHOICE_LASTS = "choiceLasts"
SCOUTS_PICKED_UP = "scoutsPickedUp"

MENDED: dict[int, dict[str, str]] = {
    2: {
        EMPTY_SUPPLY_GOES_ON: (
            "A round in which a supply is empty is the last round, even if a position written by hand does not say so."
        ),
    },
    3: {
        CHOICE_LASTS: "With several cards in hand every turn has its own choice, also on a map without a Crossroads.",
        SCOUTS_PICKED_UP: "Who has two tiles that put scouts on the board does not move the scouts with the second.",
    },
}
"""What each version fixed, by the kept ruling that brings the old rule back."""

KEPT_RULINGS: dict[str, str] = {key: text for mended in MENDED.values() for key, text in mended.items()}


def rulings_kept_from(version: int, state: "State") -> list[str]:
    """The options and kept rulings by which a game goes on that began with a state under a version of the rules.

    Of what was changed after version 2 only what can make a difference in this game.
    """
    if not 1 <= version <= RULES_VERSION:
        raise ValueError(f"version {version} of the rules: expected 1 to {RULES_VERSION}")
    kept = [EMPTY_SUPPLY_GOES_ON] if version < 2 else []
    if version < 3 and not state.setup.on_turn_end and any(len(hand) > 1 for hand in state.hands):
        kept.append(CHOICE_LASTS)
    for component in state.setup.components:
        kept += component.rulings_before(version, state.setup)
    return kept


def kept_rulings(setup: "Setup") -> frozenset[str]:
    """The kept rulings in force: none in a game that begins now."""
    return setup.options & KEPT_RULINGS.keys()
