"""The three cards of Nomads, which pay during the game (RULES 8.2)."""

from kingdom_builder.board.terrain import CAVE, MOUNTAIN
from kingdom_builder.content.red_cards import RedCard
from kingdom_builder.hexes import AXES, BIT, NEAR, Hex, runs
from kingdom_builder.rules import Card, Setup, Shape, State
from kingdom_builder.rules.components import BY_SEAT, HEXES


class Families(RedCard):
    key = "families"
    name = "Families"
    text = "2 gold at once if the three settlements of your mandatory action lie next to each other in a straight line."
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

    def hook_shape(self, setup: Setup) -> Shape:
        return Shape("row_of_three", (), (2,), ("families", "family"))


class Shepherds(RedCard):
    key = "shepherds"
    name = "Shepherds"
    text = "2 gold at once for each settlement built where no empty hex of the same terrain type is next to it."
    fields = {"shepherds": BY_SEAT}

    def built(self, state: State, h: Hex) -> None:
        letter = state.setup.board.letter(h)
        terrain = state.setup.board.terrain[MOUNTAIN if letter == CAVE else letter]
        if not NEAR[h] & terrain & (state.empty() | state.scouts):
            state.add_for("shepherds", state.player, 2)

    def hook_shape(self, setup: Setup) -> Shape:
        return Shape("cut_off", tuple(setup.board.terrain.values()), (2,), ("shepherds",))


class Ambassadors(RedCard):
    key = "ambassadors"
    name = "Ambassadors"
    text = "1 gold at once for each settlement built next to a settlement of another player."
    fields = {"ambassadors": BY_SEAT}

    def built(self, state: State, h: Hex) -> None:
        if any(own & NEAR[h] for seat, own in enumerate(state.own) if seat != state.player):
            state.add_for("ambassadors", state.player, 1)

    def hook_shape(self, setup: Setup) -> Shape:
        return Shape("near_others", (), (1,), ("ambassadors",))


CARDS: tuple[Card, ...] = (Families(), Shepherds(), Ambassadors())
