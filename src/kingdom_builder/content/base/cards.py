"""The ten Kingdom Builder cards of the base game and the castles (RULES 8.1 and 8.5)."""

from kingdom_builder.hexes import NEAR, Hex, HexSet, areas, around
from kingdom_builder.message import Listed, Message, SeatName
from kingdom_builder.rules import Card, HexCard, Setup, Shape, State

STRICT_NOTE = {"donationStrictNote": "Fishermen and Miners: settlements on water or mountains never pay."}


class Fishermen(HexCard):
    key = "fishermen"
    name = "Fishermen"
    text = "1 gold for each of your settlements next to water, unless it stands on water."
    options = STRICT_NOTE

    def hexes(self, setup: Setup) -> HexSet:
        paying = setup.board.beside_water & ~setup.board.water
        return paying & ~setup.board.mountains if "donationStrictNote" in setup.options else paying


class Merchants(Card):
    key = "merchants"
    name = "Merchants"
    text = "4 gold for each {special} that your settlements connect to another one."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        special = state.setup.board.special
        linked = paying = 0
        for area in areas(state.own[seat]):
            touched = around(area) & special
            if touched & touched - 1:
                linked |= touched
                paying |= area | touched
        return 4 * linked.bit_count(), paying

    def shape(self, setup: Setup) -> Shape:
        return Shape("links", (setup.board.special,), (4,))


class Discoverers(Card):
    key = "discoverers"
    name = "Discoverers"
    text = "1 gold for each horizontal line on which you have a settlement."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        return sum([1 for row in state.setup.board.rows if own & row]), own

    def shape(self, setup: Setup) -> Shape:
        return Shape("rows", (), (1,))


class Hermits(Card):
    key = "hermits"
    name = "Hermits"
    text = "1 gold for each of your separate settlement areas."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        return len(areas(own)), own

    def shape(self, setup: Setup) -> Shape:
        return Shape("areas", (), (1,))


class Citizens(Card):
    key = "citizens"
    name = "Citizens"
    text = "1 gold for every two settlements in your largest settlement area."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        largest = max(areas(state.own[seat]), key=int.bit_count, default=0)
        return largest.bit_count() // 2, largest

    def shape(self, setup: Setup) -> Shape:
        return Shape("largest_area", (), (1,))


class Miners(HexCard):
    key = "miners"
    name = "Miners"
    text = "1 gold for each of your settlements next to a mountain, unless it stands on a mountain."
    options = STRICT_NOTE

    def hexes(self, setup: Setup) -> HexSet:
        paying = setup.board.beside_mountains & ~setup.board.mountains
        return paying & ~setup.board.water if "donationStrictNote" in setup.options else paying


class Workers(HexCard):
    key = "workers"
    name = "Workers"
    text = "1 gold for each of your settlements next to a {special}."

    def hexes(self, setup: Setup) -> HexSet:
        return setup.board.beside_special


class Knights(Card):
    key = "knights"
    name = "Knights"
    text = "2 gold for each of your settlements on the horizontal line with most of your settlements."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        best = max([own & row for row in state.setup.board.rows], key=int.bit_count)
        return 2 * best.bit_count(), best

    def shape(self, setup: Setup) -> Shape:
        return Shape("fullest_row", (), (2,))


class Lords(Card):
    key = "lords"
    name = "Lords"
    text = "In each sector: 12 gold for the most settlements, 6 gold for the second most; ties all get the gold."
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

    def shape(self, setup: Setup) -> Shape:
        return Shape("majorities", (), (12, 6, "lordsNeedPresence" in setup.options))


class Farmers(Card):
    key = "farmers"
    name = "Farmers"
    text = "3 gold for each of your settlements in the sector with fewest of your settlements."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        fewest = min([own & sector for sector in state.setup.board.sectors], key=int.bit_count)
        return 3 * fewest.bit_count(), fewest

    def shape(self, setup: Setup) -> Shape:
        return Shape("thinnest_sector", (), (3,))


class Castles(Card):
    key = "castles"
    name = "Castles"
    text = "3 gold for each castle with at least one of your settlements next to it."

    def shown_on(self, setup: Setup) -> HexSet:
        return setup.castles

    def explain(self, state: State, seat: int | None, h: Hex | None) -> list[Message]:
        if h is None:
            return []
        beside = [who for who, own in enumerate(state.own) if own & NEAR[h]]
        others = [SeatName(who) for who in beside if who != seat]
        lines = []
        if seat in beside:
            lines.append(Message("You have its 3 gold."))
        elif seat is not None and not state.over:
            lines.append(Message("Put a piece next to it for its 3 gold."))
        if others:
            lines.append(Message("{seats} {n:has|have} its 3 gold.", seats=Listed.of(others), n=len(others)))
        return lines

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        castles = paying = 0
        for side in state.setup.castle_sides:
            if own & side:
                castles += 1
                paying |= own & side
        return 3 * castles, paying

    def shape(self, setup: Setup) -> Shape:
        return Shape("beside", setup.castle_sides, (3,))


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
