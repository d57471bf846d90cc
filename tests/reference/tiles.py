"""The tiles of all seats (RULES 5 and 7), for the reference model."""

from collections.abc import Iterable, Set
from dataclasses import dataclass, field

from reference.position import Place, neighbours, touches

READY, FRESH, USED = "ready", "fresh", "used"


@dataclass
class Tiles:
    """A tile is only its kind and what may be done with it in this turn."""

    locations: dict[Place, str]
    """The location hexes and the kind of each."""
    nomads: dict[Place, str]
    """The nomad spaces and the tile on each."""
    standing: list[str]
    """The actions that everybody has without a tile."""
    seats: int
    stock: dict[Place, int] = field(init=False)
    taken_from: list[set[Place]] = field(init=False)
    """The hexes that a seat ever took a tile from: never again from there."""
    supported_by: list[set[Place]] = field(init=False)
    """Those of the locations among them that it has touched ever since."""
    owned: list[dict[str, list[str]]] = field(init=False)
    """The tiles of a seat: for each kind, the state of each tile."""

    def __post_init__(self) -> None:
        self.stock = {**dict.fromkeys(self.locations, 2), **dict.fromkeys(self.nomads, 1)}
        self.taken_from = [set() for _ in range(self.seats)]
        self.supported_by = [set() for _ in range(self.seats)]
        kinds = [*self.locations.values(), *self.nomads.values()]
        self.owned = [{**{kind: [] for kind in kinds}, **{kind: [READY] for kind in self.standing}} for _ in self._all]

    @property
    def _all(self) -> Iterable[int]:
        return range(self.seats)

    def begin_turn(self, seat: int) -> None:
        for kind, states in self.owned[seat].items():
            self.owned[seat][kind] = [READY] * len(states)

    def end_turn(self, seat: int) -> None:
        """Nomad tiles that were usable in this turn are gone, used or not (7)."""
        for kind in self.nomads.values():
            self.owned[seat][kind] = [state for state in self.owned[seat][kind] if state == FRESH]

    def has(self, seat: int, kind: str, state: str) -> bool:
        return state in self.owned[seat].get(kind, [])

    def use(self, seat: int, kind: str) -> None:
        states = self.owned[seat][kind]
        states[states.index(READY)] = USED

    def lose(self, seat: int, own: Set[Place]) -> list[str]:
        """The tiles of locations that no piece touches any more are lost (5.5, 5.7). Returns their kinds."""
        lost = []
        for location in sorted(self.supported_by[seat]):
            if not touches(location, own):
                self.supported_by[seat].remove(location)
                kind = self.locations[location]
                states = self.owned[seat][kind]
                worst = next(state for state in (USED, FRESH, READY) if state in states)
                states.remove(worst)
                lost.append(kind)
        return lost

    def take(self, seat: int, arrived: Place) -> list[str]:
        """A built or moved piece has arrived: one tile from each hex that it touches (5.1). Returns their kinds."""
        took = []
        for place in neighbours(arrived) & self.stock.keys():
            if self.stock[place] and place not in self.taken_from[seat]:
                self.stock[place] -= 1
                self.taken_from[seat].add(place)
                if place in self.locations:
                    self.supported_by[seat].add(place)
                kind = self.locations.get(place) or self.nomads[place]
                if kind != "treasure":
                    self.owned[seat][kind].append(FRESH)
                took.append(kind)
        return took
