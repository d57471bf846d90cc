"""The actions that are not a single build or move (RULES 6 and 7), for the reference model."""

from collections.abc import Callable
from dataclasses import replace

from reference.position import (
    BUILDABLE,
    BUILDS,
    MOUNTAIN,
    MOVES,
    RULE_3_BUILDS,
    WATER,
    Place,
    Position,
    by_adjacency,
    movers,
    neighbours,
    on_map,
    resettlement,
    touches,
)

EVERYWHERE = BUILDABLE + WATER + MOUNTAIN


def quarry(position: Position) -> set[Place]:
    """Where the next wall may stand; 25 in all."""
    if len(position.walls) >= 25:
        return set()
    return {place for place in position.free(position.card) if touches(place, position.support)}


def scout_cabin(position: Position) -> set[Place]:
    """Where the next scout may stand; two in all, and those on the board stay there."""
    if len(position.scouts) >= 2:
        return set()
    return {place for place in position.free(EVERYWHERE) if touches(place, position.support)}


def place_warrior(position: Position) -> set[Place]:
    if len(position.own & position.warriors) == 2:
        return set()
    return by_adjacency(position.free(BUILDABLE), position)


def barracks(position: Position) -> set[Place]:
    """Place a warrior, or take one back."""
    return place_warrior(position) | (set() if position.anywhere else position.own & position.warriors)


def wagon(position: Position) -> set[Place]:
    """Place it, or choose it to be moved or taken back."""
    return set(position.own & position.wagons) or by_adjacency(position.free(BUILDABLE + MOUNTAIN), position)


def lighthouse(position: Position) -> set[Place]:
    return set(position.own & position.ships) or by_adjacency(position.free(WATER), position)


def wagon_step(position: Position, source: Place) -> set[Place]:
    return position.free(BUILDABLE + MOUNTAIN) & neighbours(source)


def ship_step(position: Position, source: Place) -> set[Place]:
    return position.free(WATER) & neighbours(source)


VEHICLE_STEPS: dict[str, Callable[[Position, Place], set[Place]]] = {"wagon": wagon_step, "lighthouse": ship_step}


def city_hall(position: Position) -> set[Place]:
    """The centres of seven free hexes of land, one of which touches an own piece."""
    if position.own & position.city_halls:
        return set()
    return _centres(position)


def relocated_city_hall(position: Position) -> set[Place]:
    """The centres that a city hall of this turn may go to, repeated by the Bazaar: taken up first, and elsewhere."""
    hall = position.own & position.city_halls
    if "cityHallStays" in position.options:
        return set()
    lifted = replace(
        position,
        pieces=tuple(pieces - hall for pieces in position.pieces),
        city_halls=position.city_halls - hall,
    )
    return {centre for centre in _centres(lifted) if {centre} | neighbours(centre) != hall}


def _centres(position: Position) -> set[Place]:
    land = position.free(BUILDABLE)
    return {
        centre
        for centre in on_map(position.map)
        if {centre} | neighbours(centre) <= land
        and any(touches(place, position.support) for place in {centre} | neighbours(centre))
    }


def cathedral(position: Position) -> set[Place]:
    """Where a number tile may be turned into a settlement."""
    if not position.numbers or not position.supply:
        return set()
    return by_adjacency(position.free(position.card), position)


def resettlers(position: Position) -> set[Place]:
    return movers(resettlement, position)


def victims(position: Position, seat: int) -> set[Place]:
    """What the Sword can take from a seat: anything but the city hall."""
    return set(position.pieces[seat] - position.city_halls)


SPOTS: dict[str, Callable[[Position], set[Place]]] = {
    "quarry": quarry,
    "scout-cabin": scout_cabin,
    "barracks": barracks,
    "wagon": wagon,
    "lighthouse": lighthouse,
    "city-hall": city_hall,
    "cathedral": cathedral,
    "resettlement": resettlers,
}
RULE_3 = {*RULE_3_BUILDS, "barracks", "wagon", "lighthouse", "cathedral"}
"""The actions that build by rule 3, for which an Outpost may be declared; the Fort too, once its card is drawn."""


def first_spots(position: Position, key: str) -> set[Place]:
    """The hexes with which an action may begin; none for those that begin otherwise (Fort, Bazaar, Sword)."""
    if key in BUILDS:
        return BUILDS[key](position) if position.supply else set()
    if key in MOVES:
        return movers(MOVES[key], position)
    return SPOTS[key](position) if key in SPOTS else set()
