"""The six cards of Harvest (RULES 8.2 and 8.3)."""

from kingdom_builder.content.red_cards import RedCard
from kingdom_builder.hexes import HexSet, neighbour_counts, row_col
from kingdom_builder.message import Message
from kingdom_builder.rules import Card, State
from kingdom_builder.rules.components import BY_SEAT, NUMBER


class Rangers(Card):
    key = "rangers"
    name = "Rangers"
    text = "2 gold for each horizontal line with exactly one of your settlements."
    icon = (
        '<path fill="none" stroke="#8a6a3a" stroke-width="2.2" stroke-linecap="round" d="M7 1.5Q22 3 22.5 '
        '17.5"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1" stroke-linecap="round" d="M7 1.5L22.5 17.5 22.5 '
        '17.5"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.6" stroke-linecap="round" d="M3.5 20.5 19 5"/>'
        '<path fill="#3b2a14" d="M22 2l-1.5 6.5-5-5zM2 17.5l3.5-.5 1.5 1.5-.5 3.5-3 1.5.2-3.2L.5 20.5z"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        alone = [own & row for row in state.setup.board.rows if (own & row).bit_count() == 1]
        return 2 * len(alone), sum(alone)


class Travellers(Card):
    key = "travellers"
    name = "Travellers"
    text = "1 gold for each of your settlements at the edge of the board."
    icon = (
        '<path fill="#3b2a14" d="M7 1.5h8.5v9q1 3.5 4.5 4.2 3 .6 2.7 4.8H6Q6 15 7.2 11z"/>'
        '<path fill="#8a6a3a" d="M5.5 20h17.7v2.5h-6l-1.5-1-2.5 1H5.5z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1.1" stroke-linecap="round" d="M7.5 4.7h7.5"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1" stroke-linecap="round" d="M12.5 8.5l3-.7M12.7 '
        '11l3-.9M14 13.5l2.5-1.5"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="1.4" stroke-linecap="round" d="M1 9.5h3.5M1 '
        '13h2.7M1 16.5h2.5"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        paying = state.own[seat] & state.setup.board.edge
        return paying.bit_count(), paying


class Chainers(Card):
    key = "chainers"
    name = "Chainers"
    text = "1 gold for each of your settlements next to exactly two others of your settlements."
    icon = (
        '<g fill="none" stroke-width="2.6" transform="rotate(-45 12 12)">'
        '<rect x="-1" y="8.5" width="10" height="7" rx="3.5" stroke="#3b2a14"/>'
        '<rect x="15" y="8.5" width="10" height="7" rx="3.5" stroke="#3b2a14"/>'
        '<path stroke="#fdf3d6" stroke-width="4.5" d="M9.5 12h5"/>'
        '<path stroke="#8a6a3a" stroke-linecap="round" d="M6 12h12"/>'
        "</g>"
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        ones, twos, fours = neighbour_counts(own)
        paying = own & twos & ~ones & ~fours
        return paying.bit_count(), paying


class Homesteaders(Card):
    key = "homesteaders"
    name = "Homesteaders"
    text = "1 gold for each of your settlements in the sector with most of your settlements."
    icon = (
        '<path fill="#fdf3d6" stroke="#3b2a14" stroke-width="1.5" stroke-linejoin="round" d="M1.5 '
        '1.5h21v21h-21z"/>'
        '<path fill="#8a6a3a" d="M12 2v10H2V2z"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="1.1" d="M12 2v20M2 12h20"/>'
        '<path fill="#3b2a14" d="M10.5 22V15L17 9l5.5 5v8z"/>'
        '<path fill="#3b2a14" d="M8.7 15.8 16.5 8l6.7 6.7-1 1.3-5.7-5.3-6.7 6.3z"/>'
        '<path fill="#fdf3d6" d="M15 22v-4.5h3V22z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1" stroke-linecap="round" d="M4.5 4.5v5M7 '
        '4.5v5M9.5 4.5v5"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        most = max([own & sector for sector in state.setup.board.sectors], key=int.bit_count)
        return most.bit_count(), most


class Mayors(Card):
    key = "mayors"
    name = "Mayors"
    text = "Be first with four settlements on a horizontal line: mark it with one of your supply, worth 4 gold."
    icon = (
        '<g transform="rotate(45 12 12)">'
        '<circle cx="12" cy="3" r="4" fill="none" stroke="#3b2a14" stroke-width="2.6"/>'
        '<path fill="#3b2a14" d="M10.7 7h2.6v17h-2.6z"/>'
        '<path fill="#3b2a14" d="M13 17.5h4.5v2.2H13zM13 21h5.5v2.7H13z"/>'
        '<path fill="#8a6a3a" d="M9 7.5h6v2.3H9z"/>'
        "</g>"
    )
    fields = {"mayors": BY_SEAT}
    spends_settlements = ("mayors",)

    def describe_change(self, before: int, after: int) -> Message:
        return Message("marks row {n} for {card}", n=(before ^ after).bit_length(), card=self)

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


class Rovers(RedCard):
    key = "rovers"
    name = "Rovers"
    text = "At the end of your turn 1 gold for each sector in which you have built in this turn."
    icon = (
        '<path fill="#fdf3d6" stroke="#3b2a14" stroke-width="1.5" stroke-linejoin="round" d="M1.5 5 8.5 2l7 '
        '3 7-3v17l-7 3-7-3-7 3z"/>'
        '<path fill="#8a6a3a" d="M8.5 2l7 3v17l-7-3z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.6" stroke-linecap="round" stroke-dasharray="1.5 '
        '2.6" d="M4.5 17.5Q5 10 10 11.5t7-1.5"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.7" stroke-linecap="round" d="M17.5 6.5l3.5 '
        '3.5M21 6.5 17.5 10"/>'
        '<circle cx="4.5" cy="18" r="1.5" fill="#3b2a14"/>'
    )
    fields = {"rovers": BY_SEAT, "roved": NUMBER}

    def built(self, state: State, h: int) -> None:
        for number, sector in enumerate(state.setup.board.sectors):
            if sector >> h & 1:
                state.remember("roved", state.memory.get("roved", 0) | 1 << number)

    def turn_ended(self, state: State) -> None:
        state.add_for("rovers", state.player, state.memory.get("roved", 0).bit_count())
        state.remember("roved", 0)


CARDS: tuple[Card, ...] = (Rangers(), Travellers(), Chainers(), Homesteaders(), Mayors(), Rovers())
