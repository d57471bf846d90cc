"""The game a second time: naive, slow, and written from the rules alone, to hold the library against.

Nothing here is shared with the library. A hex is a plain `(row, col)`, row 0 on top; a set of hexes is a Python set;
every rule is a set comprehension that says what the rulebook says. Numbers such as 4.1 are sections of docs/rules.md.
Here are geometry, positions and the actions that build or move one piece; `steps` has the actions of several steps,
`gold` the gold and `game` the flow of a game.

The letters of the map: G grass, C canyon, D desert, F flower field, T forest, A farmland, W water, M mountain,
V mountain with a cave, K castle, N nomad space, I silo, and a digit for each kind of location.
"""

from collections.abc import Callable, Set
from dataclasses import dataclass, replace
from functools import cache

Place = tuple[int, int]

BUILDABLE = "GCDFTA"
WATER = "W"
MOUNTAIN = "MV"
CAVE = "V"
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
    """The hexes at most this many steps from a hex, itself included."""
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


@cache
def on_map(map_: tuple[str, ...]) -> frozenset[Place]:
    """Every hex of a map."""
    return frozenset((row, col) for row in range(len(map_)) for col in range(len(map_[0])))


@cache
def printed(map_: tuple[str, ...], letters: str) -> frozenset[Place]:
    """The hexes of a map that carry one of these letters."""
    return frozenset((row, col) for row, col in on_map(map_) if map_[row][col] in letters)


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
    """The pieces of each seat, whatever their kind."""
    seat: int = 0
    """The current seat."""
    card: str = ""
    """The terrain of its card in play."""
    supply: int = 40
    """Its settlements off the board."""
    options: frozenset[str] = frozenset()
    warriors: frozenset[Place] = frozenset()
    """Those of the pieces that are warriors; and so on. All other pieces are settlements."""
    wagons: frozenset[Place] = frozenset()
    ships: frozenset[Place] = frozenset()
    city_halls: frozenset[Place] = frozenset()
    walls: frozenset[Place] = frozenset()
    scouts: frozenset[Place] = frozenset()
    numbers: int = 0
    """The number tiles of the current seat (Cathedral)."""
    anywhere: bool = False
    """An Outpost is declared for the next build."""
    capitols: frozenset[Place] = frozenset()

    @property
    def own(self) -> frozenset[Place]:
        return self.pieces[self.seat]

    @property
    def support(self) -> frozenset[Place]:
        """What counts as an own piece for adjacency: scouts do, in the turn of who placed them (4.2)."""
        return self.own | self.scouts

    def letter(self, place: Place) -> str:
        row, col = place
        return self.map[row][col]

    def printed(self, letters: str) -> frozenset[Place]:
        """The hexes that carry one of these letters."""
        return printed(self.map, letters)

    def free(self, letters: str) -> set[Place]:
        """The hexes with one of these letters that are empty and not blocked by a warrior (0, 4.1, 4.4)."""
        occupied = {place for pieces in self.pieces for place in pieces} | self.walls | self.scouts
        blocked = {neighbour for warrior in self.warriors for neighbour in neighbours(warrior)}
        return set(self.printed(letters) - occupied - blocked)

    def without(self, piece: Place) -> "Position":
        """The position while this piece is lifted; a lifted warrior does not block (4.4)."""
        return replace(
            self,
            pieces=tuple(pieces - {piece} for pieces in self.pieces),
            warriors=self.warriors - {piece},
            wagons=self.wagons - {piece},
            ships=self.ships - {piece},
        )

    def footing(self, piece: Place) -> str:
        """The letters of the hexes that a piece may be moved to (6.1)."""
        if piece in self.warriors:
            return BUILDABLE
        if piece in self.wagons:
            return BUILDABLE + MOUNTAIN
        if piece in self.ships:
            return WATER
        if piece in self.city_halls:
            return ""
        return BUILDABLE + MOUNTAIN + WATER

    def movable(self) -> set[Place]:
        """The own pieces that any action may move (6.1)."""
        meeples = self.warriors | self.wagons | self.ships
        fixed = self.city_halls | (meeples if "meeplesOnlyByOwnAction" in self.options else set())
        return set(self.own - fixed)


def by_adjacency(candidates: set[Place], position: Position) -> set[Place]:
    """Rule 3 (4.1): next to the player's own pieces if any candidate is, else anywhere among the candidates."""
    if position.anywhere:
        return candidates
    return {place for place in candidates if touches(place, position.support)} or candidates


# ---- building one settlement (6, 7) ----------------------------------------------------------------------------------


def mandatory(position: Position) -> set[Place]:
    """Where the next settlement of the mandatory action may be built."""
    return by_adjacency(position.free(position.card), position) if position.supply else set()


def on_terrain(letters: str) -> Callable[[Position], set[Place]]:
    """A location or donation that builds on these letters, by rule 3."""
    return lambda position: by_adjacency(position.free(letters), position)


def oracle(position: Position) -> set[Place]:
    return by_adjacency(position.free(position.card), position)


def tower(position: Position) -> set[Place]:
    return by_adjacency(position.free(BUILDABLE) & on_edge(position.map), position)


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
        <= position.support
    }


def village(position: Position) -> set[Place]:
    return {place for place in position.free(BUILDABLE) if len(neighbours(place) & position.support) >= 3}


def beside(letters: str) -> Callable[[Position], set[Place]]:
    """A location that builds on land next to hexes with these letters, by rule 3."""

    def build(position: Position) -> set[Place]:
        wanted = position.printed(letters)
        return by_adjacency({place for place in position.free(BUILDABLE) if touches(place, wanted)}, position)

    return build


def watchtower(position: Position) -> set[Place]:
    foreign = {place for seat, pieces in enumerate(position.pieces) if seat != position.seat for place in pieces}
    return by_adjacency({place for place in position.free(BUILDABLE) if touches(place, foreign)}, position)


def farm_action(position: Position) -> set[Place]:
    return {place for place in position.free("A") if touches(place, position.support)}


DONATIONS: dict[str, Callable[[Position], set[Place]]] = {
    "donation-grass": on_terrain("G"),
    "donation-canyon": on_terrain("C"),
    "donation-desert": on_terrain("D"),
    "donation-flowers": on_terrain("F"),
    "donation-forest": on_terrain("T"),
    "donation-water": on_terrain(WATER),
    "donation-mountain": on_terrain(MOUNTAIN),
}
RULE_3_BUILDS: dict[str, Callable[[Position], set[Place]]] = {
    "oracle": oracle,
    "farm": on_terrain("G"),
    "oasis": on_terrain("D"),
    "tower": tower,
    "garden": on_terrain("F"),
    "foresters-lodge": on_terrain("T"),
    "monastery": on_terrain("C"),
    "water-mill": beside(WATER),
    "mountain-station": beside(MOUNTAIN),
    "university": beside(SPECIAL),
    "watchtower": watchtower,
    **DONATIONS,
}
BUILDS: dict[str, Callable[[Position], set[Place]]] = {
    **RULE_3_BUILDS,
    "tavern": tavern,
    "village": village,
    "farm-action": farm_action,
}
"""The actions whose every step builds a settlement."""


# ---- moving one piece (6): each gets where the lifted piece came from ------------------------------------------------


def barn(lifted: Position, source: Place) -> set[Place]:
    """Lifted first (4.2): it does not support its target, and the hex it leaves is one of those available."""
    return by_adjacency(lifted.free(lifted.card), lifted)


def harbor(lifted: Position, source: Place) -> set[Place]:
    """Lifted first, as with the Barn."""
    return by_adjacency(lifted.free(WATER), lifted)


def paddock(lifted: Position, source: Place) -> set[Place]:
    """Two hexes in a straight line to free land, whatever is jumped."""
    return {step(step(source, direction), direction) for direction in DIRECTIONS} & lifted.free(BUILDABLE)


def caravan(lifted: Position, source: Place) -> set[Place]:
    """In a straight line over free land as far as it goes."""
    land = lifted.free(BUILDABLE)
    ends = set()
    for direction in DIRECTIONS:
        place = source
        while step(place, direction) in land:
            place = step(place, direction)
        ends.add(place)
    return ends


def palisade(lifted: Position, source: Place) -> set[Place]:
    """To land next to any rest of the area that it leaves."""
    area = next(area for area in areas(lifted.support | {source}) if source in area)
    return {place for place in lifted.free(BUILDABLE) if touches(place, area - {source})}


def cave_move(lifted: Position, source: Place) -> set[Place]:
    caves = lifted.printed(CAVE)
    if not touches(source, caves):
        return set()
    return {place for place in lifted.free(BUILDABLE) if touches(place, caves)}


def resettlement(lifted: Position, source: Place) -> set[Place]:
    """One step of it."""
    return lifted.free(BUILDABLE) & neighbours(source)


def silo_move(lifted: Position, source: Place) -> set[Place]:
    return {place for place in lifted.free(BUILDABLE) if touches(place, lifted.own)}


MOVES: dict[str, Callable[[Position, Place], set[Place]]] = {
    "barn": barn,
    "harbor": harbor,
    "paddock": paddock,
    "caravan": caravan,
    "palisade": palisade,
    "cave-move": cave_move,
}
"""The actions that move one piece once."""


def targets(
    move: Callable[[Position, Place], set[Place]],
    position: Position,
    source: Place,
) -> set[Place]:
    """Where a move may take a piece; going back to where it stands is not a move."""
    if source not in position.movable():
        return set()
    return move(position.without(source), source) & position.printed(position.footing(source)) - {source}


def movers(move: Callable[[Position, Place], set[Place]], position: Position) -> set[Place]:
    """The own pieces that a move can take somewhere."""
    return {piece for piece in position.movable() if targets(move, position, piece)}
