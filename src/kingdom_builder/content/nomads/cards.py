"""The three cards of Nomads, which pay during the game (RULES 8.2)."""

from kingdom_builder.board.terrain import CAVE, MOUNTAIN
from kingdom_builder.content.red_cards import RedCard
from kingdom_builder.hexes import AXES, BIT, NEAR, Hex, runs
from kingdom_builder.rules import Card, State
from kingdom_builder.rules.components import BY_SEAT, HEXES


class Families(RedCard):
    key = "families"
    name = "Families"
    text = "2 gold at once if the three settlements of your mandatory action lie next to each other in a straight line."
    icon = (
        '<circle cx="5.5" cy="4.8" r="2.8" fill="#3b2a14"/>'
        '<path fill="#3b2a14" d="M1.5 22l1-9.5q0-4 3-4t3.3 4l.7 3.5-1.5 1-1-2.5V22z"/>'
        '<circle cx="18.5" cy="4.8" r="2.8" fill="#8a6a3a"/>'
        '<path fill="#8a6a3a" d="M22.5 22l-1-9.5q0-4-3-4t-3.3 4l-.7 3.5 1.5 1 1-2.5V22z"/>'
        '<circle cx="12" cy="12" r="2.2" fill="#3b2a14"/>'
        '<path fill="#3b2a14" d="M9.5 22v-4q0-3.2 2.5-3.2t2.5 3.2v4z"/>'
    )
    fields = {"families": BY_SEAT, "family": HEXES}

    def built(self, state: State, h: Hex) -> None:
        if state.acting is not None:
            return
        family = state.memory.get("family", 0) | BIT[h]
        state.remember("family", family)
        if any(runs(family, axis, 3) for axis in AXES):
            state.add_for("families", state.player, 2)

    def turn_ended(self, state: State) -> None:
        state.remember("family", 0)


class Shepherds(RedCard):
    key = "shepherds"
    name = "Shepherds"
    text = "2 gold at once for each settlement built where no free hex of the same terrain type is next to it."
    icon = (
        '<path fill="none" stroke="#3b2a14" stroke-width="1.8" stroke-linecap="round" d="M7.5 17v5M10.5 '
        '17v5M15 17v5"/>'
        '<path fill="#fdf3d6" stroke="#3b2a14" stroke-width="1.5" stroke-linejoin="round" d="M4.5 16.5Q1 '
        "15.5 2.5 12.5 1 9 4.5 8 5.5 4.5 9 6q3-2.5 5.5 0 3.5 0 3.5 3.5 2 3-.5 5 0 3.5-3.5 3-2.5 2-5 0-3 "
        '1.5-4.5-1z"/>'
        '<path fill="#3b2a14" d="M15.5 9q0-3 3-3.5l1-2 1.2 2.2Q23 8.5 22.5 12q-2 2.5-4 1-3-1-3-4z"/>'
        '<circle cx="19.5" cy="8.7" r=".8" fill="#fdf3d6"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="1.1" stroke-linecap="round" d="M6 11q1.5-2 3 0M9 '
        '14q1.5-2 3 0"/>'
    )
    fields = {"shepherds": BY_SEAT}

    def built(self, state: State, h: Hex) -> None:
        letter = state.setup.board.letter(h)
        terrain = state.setup.board.terrain[MOUNTAIN if letter == CAVE else letter]
        if not NEAR[h] & terrain & (state.empty() | state.scouts):
            state.add_for("shepherds", state.player, 2)


class Ambassadors(RedCard):
    key = "ambassadors"
    name = "Ambassadors"
    text = "1 gold at once for each settlement built next to a settlement of another player."
    icon = (
        '<path fill="#fdf3d6" stroke="#3b2a14" stroke-width="1.4" stroke-linejoin="round" d="M6 4.5h14q-2 '
        '1.5-2 4V20H5.5V8z"/>'
        '<path fill="#3b2a14" d="M20 3.5q3 .5 2.5 5H18q0-4.5 2-5zM1.5 17.5h13q0 4.5 3 4.5H5q-3.5 '
        '0-3.5-4.5zM6 3.5h14l-1.5 2H4.5q0-2 1.5-2z"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="1.1" stroke-linecap="round" d="M8.5 9h6.5M8.5 '
        '12h6.5"/>'
        '<path fill="#8a6a3a" d="M12.5 17l-.8 6 2.3-1.5 2.3 1.5-.8-6z"/>'
        '<circle cx="14" cy="16" r="2.7" fill="#3b2a14"/>'
        '<circle cx="14" cy="16" r="1" fill="#fdf3d6"/>'
    )
    fields = {"ambassadors": BY_SEAT}

    def built(self, state: State, h: Hex) -> None:
        if any(own & NEAR[h] for seat, own in enumerate(state.own) if seat != state.player):
            state.add_for("ambassadors", state.player, 1)


CARDS: tuple[Card, ...] = (Families(), Shepherds(), Ambassadors())
