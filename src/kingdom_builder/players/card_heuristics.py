"""What cards will still pay: the only place where players know individual cards.

`TILES` is what individual tiles are worth in a turn, where they differ from others of their kind. `WANTED` gives for a
card the hexes on which one more settlement is likely to pay, and how much. `PROGRESS` gives for a card that pays in
steps how much more or less than now it is likely to pay at the end. A card that is in neither counts as the gold that
it pays now. `ATTRACTIONS` are the hexes to build on in rollouts.
"""

from collections.abc import Callable, Sequence
from math import sqrt, tanh

from kingdom_builder.board.terrain import CARDS as TERRAINS
from kingdom_builder.content import CARDS
from kingdom_builder.hexes import SE, SW, HexSet, areas, around, neighbour_counts, runs
from kingdom_builder.rules import Setup, State

Wanted = Callable[[State, int], tuple[HexSet, float]]
"""For a state and a seat: the hexes, and the gold for each."""

Progress = Callable[[State, int, float], float]
"""For a state, a seat and the settlements that it will still build: the gold to come."""

TILES: dict[str, float] = {"harbor": 1.4, "paddock": 0.6, "barn": 0.35}


def _beside_water(state: State, seat: int) -> tuple[HexSet, float]:
    return state.setup.board.beside_water, 1.0


def _beside_mountains(state: State, seat: int) -> tuple[HexSet, float]:
    return state.setup.board.beside_mountains, 1.0


def _beside_special(state: State, seat: int) -> tuple[HexSet, float]:
    return state.setup.board.beside_special, 1.0


def _edge(state: State, seat: int) -> tuple[HexSet, float]:
    return state.setup.board.edge, 1.0


def _new_rows(state: State, seat: int) -> tuple[HexSet, float]:
    own = state.own[seat]
    return sum([row for row in state.setup.board.rows if not own & row]), 1.0


def _fullest_row(state: State, seat: int) -> tuple[HexSet, float]:
    own, free = state.own[seat], state.free & state.setup.board.buildable
    rows = [row for row in state.setup.board.rows if row & free]
    counts = [(row & own).bit_count() for row in rows]
    return (rows[counts.index(max(counts))] if rows else 0), 2.0


def _apart(state: State, seat: int) -> tuple[HexSet, float]:
    return ~state.near[seat], 1.0


def _beside_largest_area(state: State, seat: int) -> tuple[HexSet, float]:
    return around(max(areas(state.own[seat]), key=int.bit_count, default=0)), 0.5


def _thinnest_sector(state: State, seat: int) -> tuple[HexSet, float]:
    own = state.own[seat]
    return min(state.setup.board.sectors, key=lambda sector: (sector & own).bit_count()), 2.0


def _fullest_sector(state: State, seat: int) -> tuple[HexSet, float]:
    own = state.own[seat]
    return max(state.setup.board.sectors, key=lambda sector: (sector & own).bit_count()), 1.0


def _beside_others(state: State, seat: int) -> tuple[HexSet, float]:
    beside = 0
    for other, near in enumerate(state.near):
        if other != seat:
            beside |= near
    return beside, 1.0


WANTED: dict[str, Wanted] = {
    "fishermen": _beside_water,
    "miners": _beside_mountains,
    "workers": _beside_special,
    "travellers": _edge,
    "discoverers": _new_rows,
    "rangers": _new_rows,
    "knights": _fullest_row,
    "hermits": _apart,
    "citizens": _beside_largest_area,
    "farmers": _thinnest_sector,
    "homesteaders": _fullest_sector,
    "ambassadors": _beside_others,
}


def _contested_sectors(state: State, seat: int) -> tuple[HexSet, float]:
    """Lords: the sectors in which the seat is level with the others, or up to three settlements behind."""
    others = state.own[:seat] + state.own[seat + 1 :]
    contested = 0
    for sector in state.setup.board.sectors:
        ahead = (state.own[seat] & sector).bit_count() - max([(own & sector).bit_count() for own in others])
        if -3 <= ahead <= 0:
            contested |= sector
    return contested, 1.5


def _new_links(state: State, seat: int) -> tuple[HexSet, float]:
    """Merchants: the hexes that would connect an area next to a special hex to another one."""
    special = state.setup.board.special
    unlinked, linked = special, 0
    for area in areas(state.own[seat]):
        beside = around(area)
        if beside & special:
            unlinked &= ~beside
            linked |= beside
    return around(unlinked) & linked, 2.5


def _new_castles(state: State, seat: int) -> tuple[HexSet, float]:
    own = state.own[seat]
    hexes = 0
    for side in state.setup.castle_sides:
        if not side & own:
            hexes |= side
    return hexes, 4.0


ATTRACTIONS: dict[str, Wanted] = {
    **WANTED,
    "castles": _new_castles,
    "lords": _contested_sectors,
    "merchants": _new_links,
}


REACH_STEPS = 6
"""How many steps away hexes are looked for that pieces of a seat may come to."""


def _within_steps(state: State, seat: int, steps: int) -> HexSet:
    """The free land that is at most this many steps away, or of a terrain that the seat may build on anywhere."""
    free, near = state.free, state.near[seat]
    land = free & state.setup.board.buildable
    reach = near & land
    for terrain in TERRAINS:
        open_land = free & state.setup.terrain[terrain]
        if not open_land & near:
            reach |= open_land
    for _ in range(min(steps, REACH_STEPS)):
        reach |= around(reach) & land
    return reach


def _farmers(state: State, seat: int, builds: float) -> float:
    """Farmers: how far half of the settlements to come can fill up the emptiest sectors, as far as these have room."""
    own = state.own[seat]
    sectors = state.setup.board.sectors
    reach = _within_steps(state, seat, int(builds / 2))
    counts = sorted([(sector & own).bit_count() for sector in sectors])
    left = builds * 0.5
    level = float(counts[0])
    for filled, upper in enumerate(counts[1:], 1):
        step = min(upper - level, left / filled)
        level += step
        left -= step * filled
    level += left / len(counts)
    for sector in sectors:
        level = min(level, float((sector & (own | reach)).bit_count()))
    return 3 * (level - counts[0]) * 0.35


JOINED = (0.7, 0.45, 0.25)
"""How likely another settlement area becomes a part of the largest one, by the number of builds that are missing."""


def _citizens(state: State, seat: int, builds: float) -> float:
    """Citizens: areas at most three builds away from the largest one."""
    parts = areas(state.own[seat])
    largest = max(parts, key=int.bit_count, default=0)
    land = state.free & state.setup.board.buildable
    reach = largest
    joined = 0.0
    for share in JOINED:
        reach |= around(reach) & land
        beside = around(reach)
        for part in parts:
            if part & beside and not part & reach:
                joined += share * part.bit_count()
                reach |= part
    return 0.5 * joined * min(1.0, builds / 6)


def _lords(state: State, seat: int, builds: float) -> float:
    """Lords: how much more or less than now the sectors will pay; less certain the more there is to build."""
    if not builds:
        return 0.0
    swing = sqrt(builds)
    total = 0.0
    for sector in state.setup.board.sectors:
        counts = [(own & sector).bit_count() for own in state.own]
        mine = counts.pop(seat)
        best = max(counts)
        first = 0.5 + 0.5 * tanh((mine - best) / swing)
        total += 12 * first
        if len(counts) == 1:
            total += 6 * (1 - first)
        else:
            counts.remove(best)
            total += 6 * (1 - first) * (0.5 + 0.5 * tanh((mine - max(counts)) / swing))
    return 0.4 * (total - CARDS["lords"].score(state, seat)[0])


def _merchants(state: State, seat: int, builds: float) -> float:
    """Merchants: special hexes at most two builds away from an area that touches one."""
    board = state.setup.board
    free = state.free & board.buildable
    total = 0.0
    for area in areas(state.own[seat]):
        beside = around(area)
        seen = beside & board.special
        if not seen:
            continue
        reach = area
        for gold in (2.7, 1.6, 0.9):
            reach |= beside & free
            beside = around(reach)
            found = beside & board.special & ~seen
            total += gold * found.bit_count()
            seen |= found
    return min(total, 16.0) * min(1.0, builds / 6)


def _unfinished_task(gold: float, done: int, needed: int, builds: float) -> float:
    """The worth of a partly done task; nothing once it is finished or out of reach."""
    missing = needed - done
    if missing <= 0 or missing > builds:
        return 0.0
    return gold * (done / needed) ** 2 * 0.7


def _compass_points(state: State, seat: int, builds: float) -> float:
    own = state.own[seat]
    return _unfinished_task(10, sum([1 for edge in state.setup.board.edges if edge & own]), 4, builds / 3)


def _advance(state: State, seat: int, builds: float) -> float:
    own = state.own[seat]
    return _unfinished_task(9, max([(edge & own).bit_count() for edge in state.setup.board.edges]), 7, builds / 2)


def _surrounded(state: State, seat: int, builds: float, centres: HexSet, gold: int) -> float:
    """The worth of the task to surround one of these hexes."""
    own = state.own[seat]
    ones, twos, fours = neighbour_counts(own)
    if fours & twos & centres:
        return 0.0
    if fours & ones & centres:
        return _unfinished_task(gold, 5, 6, builds / 2)
    if fours & centres:
        return _unfinished_task(gold, 4, 6, builds / 2)
    return _unfinished_task(gold, 2, 6, builds / 2) if twos & centres else 0.0


def _fortress(state: State, seat: int, builds: float) -> float:
    return _surrounded(state, seat, builds, state.own[seat], 6)


def _place_of_refuge(state: State, seat: int, builds: float) -> float:
    return _surrounded(state, seat, builds, state.setup.board.special, 8)


def _road(state: State, seat: int, builds: float) -> float:
    own = state.own[seat]
    for length in (7, 6, 5, 4, 3):
        if runs(own, SE, length) or runs(own, SW, length):
            return _unfinished_task(7, length, 7, builds / 2)
    return 0.0


def _rovers(state: State, seat: int, builds: float) -> float:
    """Rovers: what the end of the turn will pay."""
    return float(state.memory.get("roved", 0).bit_count()) if seat == state.player else 0.0


PROGRESS: dict[str, Progress] = {
    "citizens": _citizens,
    "farmers": _farmers,
    "lords": _lords,
    "merchants": _merchants,
    "compass-points": _compass_points,
    "advance": _advance,
    "fortress": _fortress,
    "place-of-refuge": _place_of_refuge,
    "road": _road,
    "rovers": _rovers,
}


Sets = Callable[[Setup], Sequence[HexSet]]
"""The sets of a setup that a shape needs."""


def _no_sets(setup: Setup) -> Sequence[HexSet]:
    return ()


def _land(setup: Setup) -> Sequence[HexSet]:
    return (setup.board.buildable,)


def _special(setup: Setup) -> Sequence[HexSet]:
    return (setup.board.special,)


def _land_and_special(setup: Setup) -> Sequence[HexSet]:
    return setup.board.buildable, setup.board.special


def _edges(setup: Setup) -> Sequence[HexSet]:
    return setup.board.edges


WANTED_SHAPES: dict[Wanted, tuple[str, Sets]] = {
    _beside_water: ("on", lambda setup: (setup.board.beside_water,)),
    _beside_mountains: ("on", lambda setup: (setup.board.beside_mountains,)),
    _beside_special: ("on", lambda setup: (setup.board.beside_special,)),
    _edge: ("on", lambda setup: (setup.board.edge,)),
    _new_rows: ("new_rows", _no_sets),
    _fullest_row: ("fullest_row", _land),
    _apart: ("apart", _no_sets),
    _beside_largest_area: ("beside_largest", _no_sets),
    _thinnest_sector: ("thinnest_sector", _no_sets),
    _fullest_sector: ("fullest_sector", _no_sets),
    _beside_others: ("beside_others", _no_sets),
    _contested_sectors: ("contested", _no_sets),
    _new_links: ("links", _special),
    _new_castles: ("new_sets", lambda setup: setup.castle_sides),
}
"""The shape of each function in the native core (`native/core/evaluation.h`), and its sets."""

PROGRESS_SHAPES: dict[Progress, tuple[str, Sets, float, str]] = {
    _citizens: ("joined_areas", _land, 0, ""),
    _farmers: ("level_sectors", _land, 0, ""),
    _lords: ("majorities", _no_sets, 0, ""),
    _merchants: ("links", _land_and_special, 0, ""),
    _compass_points: ("every_set", _edges, 10, ""),
    _advance: ("crowded_set", _edges, 9, ""),
    _fortress: ("ring", _no_sets, 6, ""),
    _place_of_refuge: ("ring_around", _special, 8, ""),
    _road: ("diagonal", _no_sets, 7, ""),
    _rovers: ("turn_end", _no_sets, 0, "roved"),
}
"""Likewise, with the gold of a task and the field that it needs."""
