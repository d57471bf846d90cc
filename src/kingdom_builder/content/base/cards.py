"""The ten Kingdom Builder cards of the base game and the castles (RULES 8.1 and 8.5)."""

from kingdom_builder.hexes import HexSet, areas, around
from kingdom_builder.rules import Card, State

STRICT_NOTE = {"donationStrictNote": "Fishermen and Miners: settlements on water or mountains never pay."}


class Fishermen(Card):
    key = "fishermen"
    name = "Fishermen"
    text = "1 gold for each of your settlements next to water, unless it stands on water."
    icon = (
        '<path fill="#3b2a14" d="M1 11.5Q7 4.5 15 9q2 1.2 3.5 2.5L23 7.5q-1 4.5 0 9l-4.5-3.5Q13 19.5 6 16.5 '
        '3 15 1 11.5z"/>'
        '<circle cx="6" cy="11" r="1.2" fill="#fdf3d6"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1" stroke-linecap="round" d="M9.5 9q2 3 0 6.5"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width=".9" stroke-linecap="round" d="M13 10.5q1 2 0 4M16 '
        '11.5q.5 1 0 2"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="1.5" stroke-linecap="round" d="M2 21q2.5-2.5 5 0t5 '
        '0 5 0 5 0"/>'
    )
    options = STRICT_NOTE

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        board = state.setup.board
        paying = state.own[seat] & board.beside_water & ~board.water
        if "donationStrictNote" in state.setup.options:
            paying &= ~board.mountains
        return paying.bit_count(), paying


class Merchants(Card):
    key = "merchants"
    name = "Merchants"
    text = "4 gold for each location, castle, nomad space or silo that your settlements connect to another one."
    icon = (
        '<path fill="none" stroke="#3b2a14" stroke-width="1.8" stroke-linecap="round" d="M12 3v17"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.7" stroke-linecap="round" d="M3.5 6.5 12 5l8.5 '
        '1.5"/>'
        '<circle cx="12" cy="3.5" r="1.8" fill="#3b2a14"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width=".9" stroke-linecap="round" d="M1.5 14 4 6.5 6.5 '
        '14M17.5 14 20 6.5l2.5 7.5"/>'
        '<path fill="#3b2a14" d="M.5 13.5h7q-.5 3.5-3.5 3.5T.5 13.5zM16.5 13.5h7q-.5 3.5-3.5 3.5t-3.5-3.5zM7 '
        '22.5q0-2.5 5-3 5 .5 5 3z"/>'
        '<circle cx="20" cy="12" r="1.7" fill="#8a6a3a"/>'
        '<circle cx="4" cy="12" r="1.7" fill="#8a6a3a"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        special = state.setup.board.special
        linked = paying = 0
        for area in areas(state.own[seat]):
            touched = around(area) & special
            if touched & touched - 1:
                linked |= touched
                paying |= area | touched
        return 4 * linked.bit_count(), paying


class Discoverers(Card):
    key = "discoverers"
    name = "Discoverers"
    text = "1 gold for each horizontal line on which you have a settlement."
    icon = (
        '<path fill="#3b2a14" d="M2 13.5 8 10l2.5 4.3-6 3.5z"/>'
        '<path fill="#8a6a3a" stroke="#3b2a14" stroke-width="1.3" stroke-linejoin="round" d="M8.5 9.5 14.5 '
        '6l3 5.2-6 3.5z"/>'
        '<path fill="#3b2a14" d="M14.5 5.5 21 1.5l2.5 4.3q-.3 3.5-5.5 5.7z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.4" stroke-linecap="round" d="M10.5 15 7 22.5M12 '
        '14.5l4 8M11.3 15v6"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1" stroke-linecap="round" d="M16.5 7.5 20.5 5"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        return sum([1 for row in state.setup.board.rows if own & row]), own


class Hermits(Card):
    key = "hermits"
    name = "Hermits"
    text = "1 gold for each of your separate settlement areas."
    icon = (
        '<path fill="#3b2a14" d="M10 1q4.5 1 5.5 6.5 3.5 5 3.5 15H2Q1.5 12.5 4.5 7.5 5.5 2 10 1z"/>'
        '<path fill="#8a6a3a" d="M7 9q0-4 3-4t3 4v2H7z"/>'
        '<path fill="#fdf3d6" d="M6.5 9.5q3.5 1.7 7 0 .5 6-3.5 9.5-4-3.5-3.5-9.5z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width=".9" stroke-linecap="round" d="M8.7 12.5h2.6"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="1.7" stroke-linecap="round" d="M21 '
        '22.5V5.5q0-3-2.5-2.5"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        return len(areas(own)), own


class Citizens(Card):
    key = "citizens"
    name = "Citizens"
    text = "1 gold for every two settlements in your largest settlement area."
    icon = (
        '<path fill="#8a6a3a" d="M1 21v-4q0-3.5 4-3.5T9 17v4zM15 21v-4q0-3.5 4-3.5t4 3.5v4z"/>'
        '<circle cx="5" cy="10" r="2.9" fill="#8a6a3a"/>'
        '<circle cx="19" cy="10" r="2.9" fill="#8a6a3a"/>'
        '<path fill="#3b2a14" stroke="#fdf3d6" d="M6.2 22.5V17q0-5 5.8-5t5.8 5v5.5z"/>'
        '<circle cx="12" cy="7" r="4.3" fill="#3b2a14" stroke="#fdf3d6" stroke-width="1"/>'
        '<path fill="#fdf3d6" d="M10.5 13.5q1.5 2 3 0l1 1q-2.5 3-5 0z"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        largest = max(areas(state.own[seat]), key=int.bit_count, default=0)
        return largest.bit_count() // 2, largest


class Miners(Card):
    key = "miners"
    name = "Miners"
    text = "1 gold for each of your settlements next to a mountain, unless it stands on a mountain."
    icon = (
        '<path fill="none" stroke="#8a6a3a" stroke-width="2.2" stroke-linecap="round" d="M4.5 21.5 17 7"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="2.2" stroke-linecap="round" d="M19.5 21.5 7 7"/>'
        '<path fill="#3b2a14" d="M9 9.5Q11 3.5 20 2q3.5 3.5 2 10-2-6-5.5-7Q12 5.5 9 9.5z"/>'
        '<path fill="#3b2a14" d="M3.5 10 9.5 3l3.5 3-6 7z"/>'
    )
    options = STRICT_NOTE

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        board = state.setup.board
        paying = state.own[seat] & board.beside_mountains & ~board.mountains
        if "donationStrictNote" in state.setup.options:
            paying &= ~board.water
        return paying.bit_count(), paying


class Workers(Card):
    key = "workers"
    name = "Workers"
    text = "1 gold for each of your settlements next to a location, castle, nomad space or silo."
    icon = (
        '<path fill="#3b2a14" d="M6 12.5h16.5v3q-4 0-6 2.5v1.5l2 1v2h-12v-2l2-1V18Q7.5 16.5 4.5 16 1.5 15.5 '
        '1 12.5z"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="2" stroke-linecap="round" d="M6 9.5 14 4"/>'
        '<path fill="#3b2a14" d="M12.5.8 18 3.8l-2.5 5-5.5-3z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width=".9" stroke-linecap="round" d="M7 14.2h11"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="1.1" stroke-linecap="round" d="M19 8.5l2-1M18 '
        '10.5h3"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        paying = state.own[seat] & state.setup.board.beside_special
        return paying.bit_count(), paying


class Knights(Card):
    key = "knights"
    name = "Knights"
    text = "2 gold for each of your settlements on the horizontal line with most of your settlements."
    icon = (
        '<path fill="#8a6a3a" d="M11 4Q12 .5 18 1q5 1 4.5 9-1.5-4.5-5-5z"/>'
        '<path fill="#3b2a14" d="M11.5 3.5q8 0 8 9v6l-3.5 4H8l-4-4v-6q0-9 7.5-9z"/>'
        '<path fill="#fdf3d6" d="M5.5 11.5h12.5v2H5.5z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1.3" d="M11.7 12v8"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width=".9" stroke-linecap="round" d="M7.5 16v3M9.5 '
        '16.5v3M14 16.5v3M16 16v3"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        best = max([own & row for row in state.setup.board.rows], key=int.bit_count)
        return 2 * best.bit_count(), best


class Lords(Card):
    key = "lords"
    name = "Lords"
    text = "In each sector: 12 gold for the most settlements, 6 gold for the second most; ties all get the gold."
    icon = (
        '<path fill="#3b2a14" d="M2 18.5 1 7l6 4.5L12 3l5 8.5L23 7l-1 11.5z"/>'
        '<path fill="#8a6a3a" d="M2.5 19.5h19v3h-19z"/>'
        '<circle cx="12" cy="3" r="1.8" fill="#8a6a3a"/>'
        '<circle cx="1.8" cy="6.5" r="1.6" fill="#8a6a3a"/>'
        '<circle cx="22.2" cy="6.5" r="1.6" fill="#8a6a3a"/>'
        '<path fill="#fdf3d6" d="M12 10.5l2 3-2 3-2-3z"/>'
        '<circle cx="6.5" cy="14.5" r="1.1" fill="#fdf3d6"/>'
        '<circle cx="17.5" cy="14.5" r="1.1" fill="#fdf3d6"/>'
    )
    options = {
        "lordsNeedPresence": "Lords: a player without a settlement in a sector is not second there.",
        "excludeLords": "Lords: the card is left out of random setups.",
    }
    excluded_by = "excludeLords"

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        least = 1 if "lordsNeedPresence" in state.setup.options else 0
        gold = paying = 0
        for sector in state.setup.board.sectors:
            counts = [(own & sector).bit_count() for own in state.own]
            mine = counts[seat]
            most = max(counts)
            if not most or mine < least:
                continue
            if mine == most:
                gold += 12
            elif mine == max([count for count in counts if count < most]):
                gold += 6
            else:
                continue
            paying |= state.own[seat] & sector
        return gold, paying


class Farmers(Card):
    key = "farmers"
    name = "Farmers"
    text = "3 gold for each of your settlements in the sector with fewest of your settlements."
    icon = (
        '<path fill="none" stroke="#8a6a3a" stroke-width="2.1" stroke-linecap="round" d="M8.5 11v11.5"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.8" stroke-linecap="round" d="M4 2v5.5q0 3.5 4.5 '
        '3.5T13 7.5V2M8.5 2v9"/>'
        '<path fill="none" stroke="#8a6a3a" stroke-width="2.1" stroke-linecap="round" d="M18 8v14.5"/>'
        '<path fill="#3b2a14" d="M14.8 1h6.4v6q0 3-3.2 3.5-3.2-.5-3.2-3.5z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1" stroke-linecap="round" d="M18 3v4.5"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        fewest = min([own & sector for sector in state.setup.board.sectors], key=int.bit_count)
        return 3 * fewest.bit_count(), fewest


class Castles(Card):
    key = "castles"
    name = "Castles"
    text = "3 gold for each castle with at least one of your settlements next to it."
    icon = (
        '<path fill="#8a6a3a" d="M7 22V12h10v10z"/>'
        '<path fill="#3b2a14" d="M1.5 '
        '22.5V6h2v2h1.4V6h2v2h1.4V6h1.2v6H11v-1.5h2V12h1.5V6h1.2v2h1.4V6h2v2h1.4V6h2v16.5z"/>'
        '<path fill="#fdf3d6" d="M9.5 22.5v-4.5q2.5-3.5 5 0v4.5zM4.5 11.5H6v3.5H4.5zM18 11.5h1.5v3.5H18z"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.2" stroke-linecap="round" d="M12 11V2"/>'
        '<path fill="#8a6a3a" d="M12 1.5l5.5 1.7L12 5z"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        castles = paying = 0
        for side in state.setup.castle_sides:
            if own & side:
                castles += 1
                paying |= own & side
        return 3 * castles, paying


CARDS: tuple[Card, ...] = (
    Fishermen(),
    Merchants(),
    Discoverers(),
    Hermits(),
    Citizens(),
    Miners(),
    Workers(),
    Knights(),
    Lords(),
    Farmers(),
)
ALWAYS: tuple[Card, ...] = (Castles(),)
