"""The six cards of Harvest (RULES 8.2 and 8.3)."""

from kingdom_builder.content.red_cards import RedCard
from kingdom_builder.hexes import HexSet, neighbour_counts, row_col
from kingdom_builder.message import Message
from kingdom_builder.rules import Card, HexCard, Setup, Shape, State
from kingdom_builder.rules.components import BY_SEAT, NUMBER


class Rangers(Card):
    key = "rangers"
    name = "Rangers"
    text = "2 gold for each horizontal line with exactly one of your settlements."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        alone = [own & row for row in state.setup.board.rows if (own & row).bit_count() == 1]
        return 2 * len(alone), sum(alone)

    def shape(self, setup: Setup) -> Shape:
        return Shape("lonely_rows", (), (2,))


class Travellers(HexCard):
    key = "travellers"
    name = "Travellers"
    text = "1 gold for each of your settlements at the edge of the board."

    def hexes(self, setup: Setup) -> HexSet:
        return setup.board.edge


class Chainers(Card):
    key = "chainers"
    name = "Chainers"
    text = "1 gold for each of your settlements next to exactly two others of your settlements."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        ones, twos, fours = neighbour_counts(own)
        paying = own & twos & ~ones & ~fours
        return paying.bit_count(), paying

    def shape(self, setup: Setup) -> Shape:
        return Shape("chains", (), (1,))


class Homesteaders(Card):
    key = "homesteaders"
    name = "Homesteaders"
    text = "1 gold for each of your settlements in the sector with most of your settlements."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        most = max([own & sector for sector in state.setup.board.sectors], key=int.bit_count)
        return most.bit_count(), most

    def shape(self, setup: Setup) -> Shape:
        return Shape("fullest_sector", (), (1,))


class Mayors(Card):
    key = "mayors"
    name = "Mayors"
    text = "Be first with four settlements on a horizontal line: mark it with one of your supply, worth 4 gold."
    fields = {"mayors": BY_SEAT}
    spends_settlements = ("mayors",)

    def describe_change(self, before: int, after: int) -> Message:
        return Message("marks row {n} for {card}", n=(before ^ after).bit_length(), card=self)

    def gold_of_change(self, before: int, after: int) -> int:
        return 4 * (after.bit_count() - before.bit_count())

    def rows_marked(self, state: State, seat: int) -> int:
        return state.of_seat("mayors", seat)

    def arrived(self, state: State, h: int) -> None:
        row = row_col(h)[0]
        player = state.player
        if not state.supply[player] or (state.own[player] & state.setup.board.rows[row]).bit_count() < 4:
            return
        if not any(state.of_seat("mayors", seat) >> row & 1 for seat in range(state.setup.players)):
            state.add_for("mayors", player, 1 << row)
            state.spend()

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        return 4 * state.of_seat("mayors", seat).bit_count(), 0

    def shape(self, setup: Setup) -> Shape:
        return Shape("marks", (), (4,), ("mayors",))

    def hook_shape(self, setup: Setup) -> Shape:
        return Shape("first_in_row", (), (4,), ("mayors",))


class Rovers(RedCard):
    key = "rovers"
    name = "Rovers"
    text = "At the end of your turn 1 gold for each sector in which you have built in this turn."
    fields = {"rovers": BY_SEAT, "roved": NUMBER}

    def built(self, state: State, h: int) -> None:
        for number, sector in enumerate(state.setup.board.sectors):
            if sector >> h & 1:
                state.remember("roved", state.memory.get("roved", 0) | 1 << number)

    def turn_ended(self, state: State) -> None:
        state.add_for("rovers", state.player, state.memory.get("roved", 0).bit_count())
        state.remember("roved", 0)

    def hook_shape(self, setup: Setup) -> Shape:
        return Shape("sectors_built", (), (1,), ("rovers", "roved"))


CARDS: tuple[Card, ...] = (Rangers(), Travellers(), Chainers(), Homesteaders(), Mayors(), Rovers())
