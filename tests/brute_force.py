"""The base game a second time: naive, slow, and written from the rules alone, to hold the library against.

Nothing here is shared with the library. A hex is a plain `(row, col)`, row 0 on top; a set of hexes is a Python set;
every rule is a set comprehension that says what the rulebook says. Numbers such as 4.1 are sections of RULES.md.

The letters of the map: G grass, C canyon, D desert, F flower field, T forest, A farmland, W water, M mountain,
V mountain with a cave, K castle, N nomad space, I silo, and a digit for each kind of location.
"""

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field, replace
from functools import cache

Place = tuple[int, int]

BUILDABLE = "GCDFTA"
WATER = "W"
MOUNTAIN = "MV"
CASTLE = "K"
DIGITS = "123456789"
SPECIAL = CASTLE + "NI" + DIGITS


def drawn(picture: str) -> tuple[str, ...]:
    """The rows of a map drawn with spaces between its hexes; how far a line is indented does not matter."""
    return tuple(line.replace(" ", "") for line in picture.split("\n") if line.strip())


# ---- geometry (0) ----------------------------------------------------------------------------------------------------


@cache
def neighbours(place: Place) -> frozenset[Place]:
    """The six hexes around a hex, whether on the board or not: odd rows are shifted half a hex to the right."""
    r, c = place
    if r % 2 == 0:
        return frozenset({(r, c - 1), (r, c + 1), (r - 1, c - 1), (r - 1, c), (r + 1, c - 1), (r + 1, c)})
    return frozenset({(r, c - 1), (r, c + 1), (r - 1, c), (r - 1, c + 1), (r + 1, c), (r + 1, c + 1)})


DIRECTIONS = ("E", "W", "NE", "SW", "NW", "SE")
OPPOSITE = {"E": "W", "W": "E", "NE": "SW", "SW": "NE", "NW": "SE", "SE": "NW"}


def step(place: Place, direction: str) -> Place:
    """The next hex in one of the six directions."""
    row, col = place
    east_of_it = col + row % 2
    return {
        "E": (row, col + 1),
        "W": (row, col - 1),
        "NE": (row - 1, east_of_it),
        "NW": (row - 1, east_of_it - 1),
        "SE": (row + 1, east_of_it),
        "SW": (row + 1, east_of_it - 1),
    }[direction]


def touches(place: Place, others: Set[Place]) -> bool:
    """Whether a hex has a neighbour among others."""
    return any(neighbour in others for neighbour in neighbours(place))


def within(place: Place, steps: int) -> set[Place]:
    """The hexes at most so many steps from a hex, itself included."""
    reached = {place}
    for _ in range(steps):
        reached |= {neighbour for each in reached for neighbour in neighbours(each)}
    return reached


def areas(pieces: Set[Place]) -> list[set[Place]]:
    """The maximal connected sets of pieces."""
    left = set(pieces)
    found = []
    while left:
        area: set[Place] = set()
        to_visit = [left.pop()]
        while to_visit:
            place = to_visit.pop()
            area.add(place)
            for neighbour in neighbours(place):
                if neighbour in left:
                    left.remove(neighbour)
                    to_visit.append(neighbour)
        found.append(area)
    return found


def on_map(map_: tuple[str, ...]) -> set[Place]:
    """Every hex of a map."""
    return {(row, col) for row in range(len(map_)) for col in range(len(map_[0]))}


def on_edge(map_: tuple[str, ...]) -> set[Place]:
    """The hexes of the first and last row and the first and last column."""
    last_row, last_col = len(map_) - 1, len(map_[0]) - 1
    return {(row, col) for row, col in on_map(map_) if row in (0, last_row) or col in (0, last_col)}


SECTORS = ((0, 0), (0, 1), (1, 0), (1, 1))


def sector(place: Place) -> tuple[int, int]:
    """The quadrant of 10 x 10 hexes that a hex lies in."""
    row, col = place
    return row // 10, col // 10


# ---- a position and what may be done in it ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """What the legal hexes and the gold depend on."""

    map: tuple[str, ...]
    pieces: tuple[frozenset[Place], ...]
    """The pieces of each seat."""
    seat: int = 0
    """The seat in turn."""
    card: str = ""
    """The terrain of its card in play."""
    supply: int = 40
    """Its settlements off the board."""
    options: frozenset[str] = frozenset()

    @property
    def own(self) -> frozenset[Place]:
        return self.pieces[self.seat]

    def letter(self, place: Place) -> str:
        row, col = place
        return self.map[row][col]

    def printed(self, letters: str) -> set[Place]:
        """The hexes that carry one of these letters."""
        return {place for place in on_map(self.map) if self.letter(place) in letters}

    def free(self, letters: str) -> set[Place]:
        """The hexes with one of these letters and without a piece: one piece a hex (4.1)."""
        occupied = {place for pieces in self.pieces for place in pieces}
        return self.printed(letters) - occupied

    def without(self, piece: Place) -> "Position":
        """The position while this piece of the seat in turn is lifted."""
        lifted = [pieces - {piece} for pieces in self.pieces]
        return replace(self, pieces=tuple(lifted))


def by_adjacency(candidates: set[Place], own: Set[Place]) -> set[Place]:
    """Rule 3 (4.1): next to an own piece if any candidate is, else anywhere among the candidates."""
    return {place for place in candidates if touches(place, own)} or candidates


def mandatory(position: Position) -> set[Place]:
    """Where the next settlement of the mandatory action may be built."""
    return by_adjacency(position.free(position.card), position.own) if position.supply else set()


def oracle(position: Position) -> set[Place]:
    return by_adjacency(position.free(position.card), position.own)


def farm(position: Position) -> set[Place]:
    return by_adjacency(position.free("G"), position.own)


def oasis(position: Position) -> set[Place]:
    return by_adjacency(position.free("D"), position.own)


def tower(position: Position) -> set[Place]:
    return by_adjacency(position.free(BUILDABLE) & on_edge(position.map), position.own)


def tavern(position: Position) -> set[Place]:
    """Free land directly beyond either end of three or more own pieces in a straight line."""
    return {
        place
        for place in position.free(BUILDABLE)
        for direction in DIRECTIONS
        if {
            step(place, direction),
            step(step(place, direction), direction),
            step(step(step(place, direction), direction), direction),
        }
        <= position.own
    }


def barn(position: Position, source: Place) -> set[Place]:
    """Lifted first (4.2): it does not support its target, and the hex it leaves is one of those available."""
    lifted = position.without(source)
    return by_adjacency(lifted.free(position.card), lifted.own) - {source}


def harbor(position: Position, source: Place) -> set[Place]:
    """Lifted first, as with the Barn."""
    lifted = position.without(source)
    return by_adjacency(lifted.free(WATER), lifted.own) - {source}


def paddock(position: Position, source: Place) -> set[Place]:
    """Two hexes in a straight line to free land, whatever is jumped."""
    return {step(step(source, direction), direction) for direction in DIRECTIONS} & position.free(BUILDABLE)


BUILDS: dict[str, Callable[[Position], set[Place]]] = {
    "oracle": oracle,
    "farm": farm,
    "oasis": oasis,
    "tower": tower,
    "tavern": tavern,
}
MOVES: dict[str, Callable[[Position, Place], set[Place]]] = {"barn": barn, "harbor": harbor, "paddock": paddock}


def first_choices(position: Position, kind: str) -> set[Place]:
    """The first step of a location's action: where to build, or which piece to move."""
    if kind in BUILDS:
        return BUILDS[kind](position) if position.supply else set()
    return {piece for piece in position.own if MOVES[kind](position, piece)}


# ---- gold (8.1, 8.5) -------------------------------------------------------------------------------------------------


def fishermen(position: Position, seat: int) -> int:
    water = position.printed(WATER)
    return sum(1 for place in position.pieces[seat] if place not in water and touches(place, water))


def miners(position: Position, seat: int) -> int:
    mountains = position.printed(MOUNTAIN)
    return sum(1 for place in position.pieces[seat] if place not in mountains and touches(place, mountains))


def workers(position: Position, seat: int) -> int:
    special = position.printed(SPECIAL)
    return sum(1 for place in position.pieces[seat] if touches(place, special))


def discoverers(position: Position, seat: int) -> int:
    return len({row for row, _ in position.pieces[seat]})


def knights(position: Position, seat: int) -> int:
    rows = [row for row, _ in position.pieces[seat]]
    return max((2 * rows.count(row) for row in rows), default=0)


def hermits(position: Position, seat: int) -> int:
    return len(areas(position.pieces[seat]))


def citizens(position: Position, seat: int) -> int:
    return max((len(area) // 2 for area in areas(position.pieces[seat])), default=0)


def merchants(position: Position, seat: int) -> int:
    linked: set[Place] = set()
    for area in areas(position.pieces[seat]):
        touched = {special for special in position.printed(SPECIAL) if touches(special, area)}
        if len(touched) >= 2:
            linked |= touched
    return 4 * len(linked)


def lords(position: Position, seat: int) -> int:
    gold = 0
    for here in SECTORS:
        counts = [sum(1 for place in pieces if sector(place) == here) for pieces in position.pieces]
        ranking = sorted(set(counts), reverse=True)
        if ranking[0] == 0:
            continue
        if counts[seat] == ranking[0]:
            gold += 12
        elif counts[seat] == ranking[1] and (counts[seat] > 0 or "lordsNeedPresence" not in position.options):
            gold += 6
    return gold


def farmers(position: Position, seat: int) -> int:
    return 3 * min(sum(1 for place in position.pieces[seat] if sector(place) == here) for here in SECTORS)


def castles(position: Position, seat: int) -> int:
    return sum(3 for castle in position.printed(CASTLE) if touches(castle, position.pieces[seat]))


CARDS: dict[str, Callable[[Position, int], int]] = {
    "fishermen": fishermen,
    "merchants": merchants,
    "discoverers": discoverers,
    "hermits": hermits,
    "citizens": citizens,
    "miners": miners,
    "workers": workers,
    "knights": knights,
    "lords": lords,
    "farmers": farmers,
    "castles": castles,
}
"""The ten cards of the base game, and the castles, which pay in every game."""


# ---- location tiles (5) ----------------------------------------------------------------------------------------------

READY, FRESH, USED = "ready", "fresh", "used"


@dataclass
class Tiles:
    """The location tiles of all seats. A tile is only its kind and what may be done with it in this turn."""

    kinds: dict[Place, str]
    """The location hexes and the kind of each."""
    seats: int
    stock: dict[Place, int] = field(init=False)
    taken_from: list[set[Place]] = field(init=False)
    """The hexes that a seat ever took a tile from: never again from there."""
    supported_by: list[set[Place]] = field(init=False)
    """Those of them that it has touched ever since."""
    owned: list[dict[str, list[str]]] = field(init=False)
    """The tiles of a seat: for each kind, the state of each tile."""

    def __post_init__(self) -> None:
        self.stock = dict.fromkeys(self.kinds, 2)
        self.taken_from = [set() for _ in range(self.seats)]
        self.supported_by = [set() for _ in range(self.seats)]
        self.owned = [{kind: [] for kind in self.kinds.values()} for _ in range(self.seats)]

    def begin_turn(self, seat: int) -> None:
        for kind, states in self.owned[seat].items():
            self.owned[seat][kind] = [READY] * len(states)

    def use(self, seat: int, kind: str) -> None:
        states = self.owned[seat][kind]
        states[states.index(READY)] = USED

    def after_arrival(self, seat: int, arrived: Place, own: Set[Place]) -> None:
        """Tiles are lost and then taken, once a built or moved piece has arrived (5.1, 5.5)."""
        for location in sorted(self.supported_by[seat]):
            if not touches(location, own):
                self.supported_by[seat].remove(location)
                states = self.owned[seat][self.kinds[location]]
                worst = next(state for state in (USED, FRESH, READY) if state in states)
                states.remove(worst)
        for location in neighbours(arrived) & self.kinds.keys():
            if self.stock[location] and location not in self.taken_from[seat]:
                self.stock[location] -= 1
                self.taken_from[seat].add(location)
                self.supported_by[seat].add(location)
                self.owned[seat][self.kinds[location]].append(FRESH)


# ---- the turn (3, 4.3, 4.6, 9) ---------------------------------------------------------------------------------------

END = "end"
Choice = Place | str | tuple[str, str]
"""A hex, the end of the turn, `("draw", terrain)` or `("use", location)`."""


class Game:
    """A whole game, from the dealing of the first cards on."""

    def __init__(self, map_: tuple[str, ...], kinds: dict[Place, str], seats: int, options: Iterable[str] = ()) -> None:
        self.map = map_
        self.options = frozenset(options)
        self.seats = seats
        self.pieces: list[set[Place]] = [set() for _ in range(seats)]
        self.supply = [40] * seats
        self.tiles = Tiles(kinds, seats)
        self.deck = list("CDFGT" * 5)
        self.discarded: list[str] = []
        self.hands = [""] * seats
        self.round = 0
        self.seat = 0
        self.card = ""
        self.builds_left = 0
        self.acting = ""
        self.lifted: Place | None = None
        self.draws_for = "hand"
        self.ending = False
        self.over = False

    @property
    def position(self) -> Position:
        pieces = tuple(frozenset(own) for own in self.pieces)
        return Position(self.map, pieces, self.seat, self.card, self.supply[self.seat], self.options)

    def choices(self) -> set[Choice]:
        """Everything that may be done now."""
        if self.over:
            return set()
        if self.draws_for:
            return {("draw", terrain) for terrain in self.deck}
        if self.lifted is not None:
            return {*MOVES[self.acting](self.position, self.lifted)}
        if self.acting:
            return {*first_choices(self.position, self.acting)}
        found: set[Choice] = {*mandatory(self.position)} if self.builds_left else {END}
        if self.builds_left in (0, 3):  # before or after the mandatory action, never between its builds
            for kind, states in self.tiles.owned[self.seat].items():
                if READY in states and first_choices(self.position, kind):
                    found.add(("use", kind))
        return found

    def play(self, choice: Choice) -> None:
        """Carry out one of the choices."""
        if choice == END:
            self._end_turn()
        elif isinstance(choice[0], str):
            word, key = str(choice[0]), str(choice[1])
            if word == "draw":
                self._draw(key)
            else:
                self.tiles.use(self.seat, key)
                self.acting = key
        else:
            self._choose((int(choice[0]), int(choice[1])))

    def _choose(self, place: Place) -> None:
        if not self.acting:
            self.builds_left -= 1
            self._build(place)
        elif self.acting in BUILDS:
            self._build(place)
        elif self.lifted is None:
            self.lifted = place
            return
        else:
            self.pieces[self.seat].remove(self.lifted)
            self._put(place)
        self.acting = ""
        self.lifted = None
        self._check_card()

    def _build(self, place: Place) -> None:
        self.supply[self.seat] -= 1
        self._put(place)
        if self.supply[self.seat] == 0:
            self.ending = True
            self.builds_left = 0

    def _put(self, place: Place) -> None:
        self.pieces[self.seat].add(place)
        self.tiles.after_arrival(self.seat, place, self.pieces[self.seat])

    def _check_card(self) -> None:
        """No free hex of the card's terrain: it leaves the game and another is drawn, at once (4.3)."""
        if self.position.free(self.card):
            return
        if self.builds_left == 0 and "redrawOnlyForMandatory" in self.options:
            return
        self.card = self.hands[self.seat] = ""
        if self.deck:
            self.draws_for = "card"
            return
        if not any(self.hands):
            self.ending = True  # not in the rules: without it a game that ran out of cards would never end
        self.builds_left = 0

    def _draw(self, terrain: str) -> None:
        purpose, self.draws_for = self.draws_for, ""
        self.deck.remove(terrain)
        self.hands[self.seat] = terrain
        self._shuffle_if_exhausted()
        if purpose == "hand":
            self._next_seat()
        else:
            self.card = terrain
            self._check_card()

    def _shuffle_if_exhausted(self) -> None:
        if not self.deck:
            self.deck, self.discarded = self.discarded, []

    def _end_turn(self) -> None:
        if self.ending and self.seat == self.seats - 1:
            self.over = True
            return
        if self.hands[self.seat]:
            self.discarded.append(self.hands[self.seat])
        self.hands[self.seat] = self.card = ""
        self._shuffle_if_exhausted()
        if self.deck:
            self.draws_for = "hand"
        else:
            self._next_seat()

    def _next_seat(self) -> None:
        self.seat = (self.seat + 1) % self.seats
        if self.seat == 0:
            self.round += 1
        if self.round == 0:
            self.draws_for = "hand"
            return
        self.builds_left = 3 if self.supply[self.seat] else 0
        self.tiles.begin_turn(self.seat)
        self.card = self.hands[self.seat]
        self._check_card()
