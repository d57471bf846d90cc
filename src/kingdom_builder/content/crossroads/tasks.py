"""The six task cards (RULES 8.4)."""

from random import Random

from kingdom_builder.content.box import Draft
from kingdom_builder.hexes import BIT, NEAR, SE, SW, HexSet, bits, runs, surrounded
from kingdom_builder.rules import Card, State


class HomeCountry(Card):
    key = "home-country"
    name = "Home country"
    text = "5 gold if your settlements fill a whole terrain area."
    icon = (
        '<path fill="#3b2a14" d="M12 1.5 1 11.5l1.5 1.7L4 12v8h16v-8l1.5 1.2L23 11.5z"/>'
        '<path fill="#fdf3d6" d="M12 18q-5-3.5-5-6.2 0-2.3 2.3-2.3 2 0 2.7 2 .7-2 2.7-2 2.3 0 2.3 2.3Q17 '
        '14.5 12 18z"/>'
        '<path fill="#8a6a3a" d="M1 20.5h22v2H1z"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        for area in state.setup.board.terrain_areas:
            if not area & ~own:
                return 5, area
        return 0, 0


class Fortress(Card):
    key = "fortress"
    name = "Fortress"
    text = "6 gold if one of your settlements is surrounded by six of your settlements."
    icon = (
        '<path fill="#8a6a3a" d="M4.5 18V9h15v9z"/>'
        '<path fill="#3b2a14" d="M8 14V2h1.8v1.7h1.4V2h1.6v1.7h1.4V2H16v12z"/>'
        '<path fill="#3b2a14" d="M1 '
        '22.5V9.5h1.5V11h1.3V9.5h1.4V11h1.3V9.5H8V13h8V9.5h1.5V11h1.3V9.5h1.4V11h1.3V9.5H23v13z"/>'
        '<path fill="#fdf3d6" d="M10.8 6h2.4v3.5h-2.4zM9.5 22.5v-4q2.5-3.5 5 0v4zM3.8 14h1.5v3H3.8zM18.7 '
        '14h1.5v3h-1.5z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1" stroke-linecap="round" d="M8.5 15.5h7"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        centres = own & surrounded(own)
        return (6, _with_ring(centres)) if centres else (0, 0)


class Road(Card):
    key = "road"
    name = "Road"
    text = "7 gold if at least seven of your settlements stand next to each other on a diagonal line."
    icon = (
        '<path fill="#3b2a14" d="M9.5 1.5h3.5q1 3-3 5.5-2.5 2 1.5 4 11 4 7 11.5H2.5Q8 17 6 13 1 8 9.5 1.5z"/>'
        '<path fill="none" stroke="#fdf3d6" stroke-width="1.1" stroke-linecap="round" d="M10.2 4.5Q6.5 7.5 9 '
        '10.5M10.8 13.2q2.6 2 1.4 4.3M11.5 20.5l-.8 1.5"/>'
        '<path fill="none" stroke="#3b2a14" stroke-width="1.5" stroke-linecap="round" d="M18 9V4.5"/>'
        '<path fill="#8a6a3a" d="M18 1l3.5 5h-7zM3.5 6.5 6 10.5H1zM20.5 9l2.5 4h-5z"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        for axis in (SE, SW):
            starts = runs(own, axis, 7)
            if starts:
                first = starts & -starts
                return 7, sum([first << axis * i for i in range(7)])
        return 0, 0


class PlaceOfRefuge(Card):
    key = "place-of-refuge"
    name = "Place of refuge"
    text = "8 gold if a location, castle, nomad space or silo is surrounded by six of your settlements."
    icon = (
        '<path fill="#8a6a3a" d="M3.5 6.5v-3.2l3-2.8 3 2.8v3.2z"/>'
        '<path fill="#8a6a3a" d="M14.5 6.5v-3.2l3-2.8 3 2.8v3.2z"/>'
        '<path fill="#8a6a3a" d="M.5 15v-3.2l3-2.8 3 2.8v3.2z"/>'
        '<path fill="#8a6a3a" d="M17.5 15v-3.2l3-2.8 3 2.8v3.2z"/>'
        '<path fill="#8a6a3a" d="M3.5 23.5v-3.2l3-2.8 3 2.8v3.2z"/>'
        '<path fill="#8a6a3a" d="M14.5 23.5v-3.2l3-2.8 3 2.8v3.2z"/>'
        '<path fill="#3b2a14" d="M12 6.5 17 12v5.5H7V12z"/>'
        '<path fill="#fdf3d6" d="M10.7 17.5v-3.5q1.3-1.5 2.6 0v3.5z"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        centres = state.setup.board.special & surrounded(state.own[seat])
        return (8, _with_ring(centres)) if centres else (0, 0)


class Advance(Card):
    key = "advance"
    name = "Advance"
    text = "9 gold if at least seven of your settlements stand on one of the four edges of the board."
    icon = (
        '<path fill="none" stroke="#3b2a14" stroke-width="1.9" stroke-linecap="round" d="M3.5 22.5V2"/>'
        '<path fill="#3b2a14" d="M3.5 2h12l-3.5 4.7 3.5 4.8h-12z"/>'
        '<path fill="#8a6a3a" d="M8 16h8v-4l7.5 6L16 23.5V20H8z"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        best = max([edge & state.own[seat] for edge in state.setup.board.edges], key=int.bit_count)
        return (9, best) if best.bit_count() >= 7 else (0, 0)


class CompassPoints(Card):
    key = "compass-points"
    name = "Compass points"
    text = "10 gold if you have a settlement on each of the four edges of the board."
    icon = (
        '<circle cx="12" cy="12" r="8.3" fill="none" stroke="#8a6a3a" stroke-width="1.4"/>'
        '<path fill="#3b2a14" d="M12 .5l2.7 8.8L23.5 12l-8.8 2.7L12 23.5l-2.7-8.8L.5 12l8.8-2.7z"/>'
        '<path fill="#fdf3d6" d="M12 4v8h-1.7zM20 12h-8v-1.7zM12 20v-8h1.7zM4 12h8v1.7z"/>'
    )

    def score(self, state: State, seat: int) -> tuple[int, HexSet]:
        own = state.own[seat]
        if all(edge & own for edge in state.setup.board.edges):
            return 10, own & state.setup.board.edge
        return 0, 0


def _with_ring(centres: HexSet) -> HexSet:
    """The first of these hexes and its six neighbours."""
    centre = bits(centres)[0]
    return BIT[centre] | NEAR[centre]


TASKS: tuple[Card, ...] = (HomeCountry(), Fortress(), Road(), PlaceOfRefuge(), Advance(), CompassPoints())


def reveal(draft: Draft, rng: Random) -> None:
    """One random task for each section of Crossroads on the board (RULES 2.5)."""
    sections = [place for place in draft.board.placed if place.section.expansion == "crossroads"]
    draft.tasks = [task.key for task in rng.sample(TASKS, len(sections))]
