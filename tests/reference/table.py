"""What lies on the table in a game and what builds and moves change there (RULES 3 and 5), for the reference model."""

from collections import Counter
from collections.abc import Iterable

from reference.position import MOUNTAIN, Place, Position, sector, step, touches
from reference.tiles import Tiles

SETTLEMENT, WARRIOR, WAGON, SHIP, CITY_HALL = "settlement", "warrior", "wagon", "ship", "city hall"
TERRAINS = "CDFGT"


class Table:
    """Everything on the table, before the first cards are dealt."""

    def __init__(
        self,
        map_: tuple[str, ...],
        locations: dict[Place, str],
        seats: int,
        options: Iterable[str] = (),
        cards: Iterable[str] = (),
        nomads: dict[Place, str] | None = None,
    ) -> None:
        self.map = map_
        letters = "".join(map_)
        self.options = frozenset(options)
        self.cards = set(cards)
        self.seats = seats
        self.kind_on: list[dict[Place, str]] = [{} for _ in range(seats)]
        """The pieces of each seat and the kind of each."""
        self.walls: set[Place] = set()
        self.scouts: set[Place] = set()
        self.supply = [40] * seats
        standing = [key for letter, key in (("A", "farm-action"), ("V", "cave-move")) if letter in letters]
        self.tiles = Tiles(locations, nomads or {}, standing, seats)
        self.numbers = [0] * seats
        self.gold = [Counter[str]() for _ in range(seats)]
        """What was paid during the game."""
        self.markers: dict[int, int] = {}
        """Rows marked by the Mayors, and the seat of each marker."""
        self.deck = list(TERRAINS * 5)
        self.discarded: list[str] = []
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.round = 0
        self.seat = 0
        self.card = ""
        self.card_was_chosen = False
        self.builds_left = 0
        self.family: list[Place] = []
        """The settlements of this turn's mandatory action."""
        self.built_in: set[tuple[int, int]] = set()
        """The sections built in, in this turn."""
        self.crossroads_repeated = False
        self.outpost_declared = False
        self.acting = ""
        self.repeating = False
        """The action in progress is the Bazaar's repetition."""
        self.lifted: Place | None = None
        self.steps_left = 0
        self.fort_card = ""
        self.to_lose: list[int] = []
        """The seats that the Sword has not dealt with."""
        self.silos: list[Place] = []
        self.silo_use = ""
        self.draws_for = "hand"
        self.to_draw = 1
        self.ending = False
        self.over = False

    @property
    def position(self) -> Position:
        def all_of(kind: str) -> frozenset[Place]:
            return frozenset(place for pieces in self.kind_on for place, on in pieces.items() if on == kind)

        return Position(
            self.map,
            tuple(frozenset(pieces) for pieces in self.kind_on),
            self.seat,
            self.card,
            self.supply[self.seat],
            self.options,
            all_of(WARRIOR),
            all_of(WAGON),
            all_of(SHIP),
            all_of(CITY_HALL),
            frozenset(self.walls),
            frozenset(self.scouts),
            self.numbers[self.seat],
            self.outpost_declared,
        )

    def _others(self) -> list[int]:
        """The other seats in the order of turns."""
        return [(self.seat + i) % self.seats for i in range(1, self.seats)]

    # ---- pieces: the events of builds and moves in their order (3) ---------------------------------------------------

    def _build(self, place: Place, mandatory: bool = False) -> None:
        self.kind_on[self.seat][place] = SETTLEMENT
        self.supply[self.seat] -= 1
        if mandatory:
            self.family.append(place)
        self._after_building([place])
        self._end_if_supply_is_empty()
        if mandatory and self._is_family() and "families" in self.cards:
            self.gold[self.seat]["families"] += 2

    def _is_family(self) -> bool:
        """Three settlements on three consecutive hexes of a line, in any order."""
        return any(
            {place, step(place, way), step(step(place, way), way)} == set(self.family)
            for place in self.family
            for way in ("E", "SE", "SW")
        )

    def _place(self, kind: str, places: list[Place]) -> None:
        for place in places:
            self.kind_on[self.seat][place] = kind
        self._after_building(places)

    def _after_building(self, places: list[Place]) -> None:
        self.outpost_declared = False
        if self.acting != "silo":
            for place in places:
                self._pay_red_cards(place)
                self.built_in.add(sector(place))
        for place in places:
            self._arrive(place)

    def _pay_red_cards(self, place: Place) -> None:
        here = self.position
        foreign = {other for seat in self._others() for other in here.pieces[seat]}
        if "ambassadors" in self.cards and touches(place, foreign):
            self.gold[self.seat]["ambassadors"] += 1
        letters = MOUNTAIN if here.letter(place) in MOUNTAIN else here.letter(place)
        empty = here.printed(letters) - here.own - foreign - here.walls
        if "shepherds" in self.cards and not touches(place, empty):
            self.gold[self.seat]["shepherds"] += 2

    def _arrive(self, place: Place) -> None:
        """Tiles are taken, then the Mayors look at the row."""
        for kind in self.tiles.take(self.seat, place):
            self.numbers[self.seat] += kind == "cathedral"
            self.gold[self.seat]["treasures"] += 3 * (kind == "treasure")
        row = place[0]
        on_row = [other for other in self.kind_on[self.seat] if other[0] == row]
        if "mayors" in self.cards and len(on_row) >= 4 and row not in self.markers and self.supply[self.seat]:
            self.markers[row] = self.seat
            self.supply[self.seat] -= 1
            self._end_if_supply_is_empty()

    def _end_if_supply_is_empty(self) -> None:
        if self.supply[self.seat] == 0:
            self.ending = True
            self.builds_left = 0

    def _move(self, source: Place, target: Place) -> None:
        own = self.kind_on[self.seat]
        own[target] = own.pop(source)
        self.outpost_declared = False
        self._lose_tiles(self.seat)
        self._arrive(target)

    def _relocate(self, kind: str, places: list[Place]) -> None:
        """All hexes of a piece go elsewhere at once: a move, for which no card pays."""
        own = self.kind_on[self.seat]
        for place in [place for place, on in own.items() if on == kind]:
            del own[place]
        own.update(dict.fromkeys(places, kind))
        self._lose_tiles(self.seat)
        for place in places:
            self._arrive(place)

    def _remove(self, seat: int, place: Place) -> None:
        if self.kind_on[seat].pop(place) == SETTLEMENT:
            self.supply[seat] += 1
        self._lose_tiles(seat)

    def _lose_tiles(self, seat: int) -> None:
        if "cathedral" in self.tiles.lose(seat, self.kind_on[seat].keys()):
            self.numbers[seat] = 0
