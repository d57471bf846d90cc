"""The six task cards (RULES 8.4)."""

from random import Random

from kingdom_builder.content.box import Draft
from kingdom_builder.hexes import BIT, NEAR, SE, SW, HexSet, bits, runs, surrounded
from kingdom_builder.rules import Card, Setup, Shape, State


class HomeCountry(Card):
    key = "home-country"
    name = "Home country"
    text = "5 gold if your settlements fill a whole terrain area."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        for area in state.setup.board.terrain_areas:
            if not area & ~own:
                return 5, area
        return 0, 0

    def shape(self, setup: Setup) -> Shape:
        return Shape("filled", setup.board.terrain_areas, (5,))


class Fortress(Card):
    key = "fortress"
    name = "Fortress"
    text = "6 gold if one of your settlements is surrounded by six of your settlements."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        centres = own & surrounded(own)
        return (6, _with_ring(centres)) if centres else (0, 0)

    def shape(self, setup: Setup) -> Shape:
        return Shape("ring", (), (6,))


class Road(Card):
    key = "road"
    name = "Road"
    text = "7 gold if at least seven of your settlements stand next to each other on a diagonal line."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        for axis in (SE, SW):
            starts = runs(own, axis, 7)
            if starts:
                first = starts & -starts
                return 7, sum([first << axis * i for i in range(7)])
        return 0, 0

    def shape(self, setup: Setup) -> Shape:
        return Shape("diagonal", (), (7, 7))


class PlaceOfRefuge(Card):
    key = "place-of-refuge"
    name = "Place of refuge"
    text = "8 gold if a {special} is surrounded by six of your settlements."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        centres = state.setup.board.special & surrounded(state.own[seat])
        return (8, _with_ring(centres)) if centres else (0, 0)

    def shape(self, setup: Setup) -> Shape:
        return Shape("ring_around", (setup.board.special,), (8,))


class Advance(Card):
    key = "advance"
    name = "Advance"
    text = "9 gold if at least seven of your settlements stand on one of the four edges of the board."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        best = max([edge & state.own[seat] for edge in state.setup.board.edges], key=int.bit_count)
        return (9, best) if best.bit_count() >= 7 else (0, 0)

    def shape(self, setup: Setup) -> Shape:
        return Shape("crowded_set", setup.board.edges, (9, 7))


class CompassPoints(Card):
    key = "compass-points"
    name = "Compass points"
    text = "10 gold if you have a settlement on each of the four edges of the board."

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        if all(edge & own for edge in state.setup.board.edges):
            return 10, own & state.setup.board.edge
        return 0, 0

    def shape(self, setup: Setup) -> Shape:
        return Shape("all_sets", setup.board.edges, (10,))


def _with_ring(centres: HexSet) -> HexSet:
    """The first of these hexes and its six neighbours."""
    centre = bits(centres)[0]
    return BIT[centre] | NEAR[centre]


TASKS: tuple[Card, ...] = (HomeCountry(), Fortress(), Road(), PlaceOfRefuge(), Advance(), CompassPoints())


def reveal(draft: Draft, rng: Random) -> None:
    """One random task for each section of Crossroads on the board (RULES 2.5)."""
    sections = [place for place in draft.board.placed if place.section.expansion == "crossroads"]
    draft.tasks = [task.key for task in rng.sample(TASKS, len(sections))]
