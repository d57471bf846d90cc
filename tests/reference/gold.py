"""Gold (RULES 8), card by card, for the reference model: everything that follows from the position alone."""

from collections.abc import Callable

from reference.position import (
    CASTLE,
    DIRECTIONS,
    MOUNTAIN,
    SECTORS,
    SPECIAL,
    WATER,
    Place,
    Position,
    areas,
    neighbours,
    on_edge,
    sector,
    step,
    touches,
    within,
)


def on_forbidden(position: Position, place: Place, terrain: str) -> bool:
    """On water the Fishermen do not count, on mountains the Miners do not; by a strict note neither on either."""
    strict = "donationStrictNote" in position.options
    return position.letter(place) in (WATER + MOUNTAIN if strict else terrain)


def fishermen(position: Position, seat: int) -> int:
    water = position.printed(WATER)
    return sum(touches(place, water) and not on_forbidden(position, place, WATER) for place in position.pieces[seat])


def miners(position: Position, seat: int) -> int:
    rock = position.printed(MOUNTAIN)
    return sum(touches(place, rock) and not on_forbidden(position, place, MOUNTAIN) for place in position.pieces[seat])


def workers(position: Position, seat: int) -> int:
    special = position.printed(SPECIAL)
    return sum(1 for place in position.pieces[seat] if touches(place, special))


def on_rows(position: Position, seat: int) -> list[int]:
    """How many pieces a seat has on each row on which it has any."""
    rows = [row for row, _ in position.pieces[seat]]
    return [rows.count(row) for row in set(rows)]


def discoverers(position: Position, seat: int) -> int:
    return len(on_rows(position, seat))


def knights(position: Position, seat: int) -> int:
    return 2 * max(on_rows(position, seat), default=0)


def rangers(position: Position, seat: int) -> int:
    return 2 * on_rows(position, seat).count(1)


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


def in_sectors(position: Position, seat: int) -> list[int]:
    """How many pieces a seat has in each of the four sectors."""
    return [sum(1 for place in position.pieces[seat] if sector(place) == here) for here in SECTORS]


def lords(position: Position, seat: int) -> int:
    gold = 0
    for here in range(len(SECTORS)):
        counts = [in_sectors(position, each)[here] for each in range(len(position.pieces))]
        ranking = sorted(set(counts), reverse=True)
        if ranking[0] == 0:
            continue
        if counts[seat] == ranking[0]:
            gold += 12
        elif counts[seat] == ranking[1] and (counts[seat] > 0 or "lordsNeedPresence" not in position.options):
            gold += 6
    return gold


def farmers(position: Position, seat: int) -> int:
    return 3 * min(in_sectors(position, seat))


def homesteaders(position: Position, seat: int) -> int:
    return max(in_sectors(position, seat))


def travellers(position: Position, seat: int) -> int:
    return len(position.pieces[seat] & on_edge(position.map))


def chainers(position: Position, seat: int) -> int:
    own = position.pieces[seat]
    return sum(1 for place in own if len(neighbours(place) & own) == 2)


def castles(position: Position, seat: int) -> int:
    paying = set(position.printed(CASTLE))
    if "capitolReplacesCastle" in position.options:
        paying -= position.capitols
    return sum(3 for castle in paying if touches(castle, position.pieces[seat]))


def capitol(position: Position, seat: int) -> int:
    return sum(len(within(capitol, 2) & position.pieces[seat]) for capitol in position.capitols)


# ---- tasks (8.4) -----------------------------------------------------------------------------------------------------


def home_country(position: Position, seat: int) -> int:
    terrains = ["G", "C", "D", "F", "T", "A", WATER, MOUNTAIN]
    filled = [area <= position.pieces[seat] for letters in terrains for area in areas(position.printed(letters))]
    return 5 if any(filled) else 0


def fortress(position: Position, seat: int) -> int:
    own = position.pieces[seat]
    return 6 if any(neighbours(place) <= own for place in own) else 0


def road(position: Position, seat: int) -> int:
    own = position.pieces[seat]
    for direction in DIRECTIONS:
        if direction in ("E", "W"):
            continue
        for place in own:
            line = [place]
            while len(line) < 7:
                line.append(step(line[-1], direction))
            if set(line) <= own:
                return 7
    return 0


def place_of_refuge(position: Position, seat: int) -> int:
    own = position.pieces[seat]
    return 8 if any(neighbours(special) <= own for special in position.printed(SPECIAL)) else 0


def on_edges(position: Position, seat: int) -> list[int]:
    """How many pieces a seat has on the top, bottom, left and right edge."""
    bottom, right = len(position.map) - 1, len(position.map[0]) - 1
    own = position.pieces[seat]
    return [
        sum(1 for row, _ in own if row == 0),
        sum(1 for row, _ in own if row == bottom),
        sum(1 for _, col in own if col == 0),
        sum(1 for _, col in own if col == right),
    ]


def advance(position: Position, seat: int) -> int:
    return 9 if max(on_edges(position, seat)) >= 7 else 0


def compass_points(position: Position, seat: int) -> int:
    return 10 if min(on_edges(position, seat)) >= 1 else 0


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
    "rangers": rangers,
    "travellers": travellers,
    "chainers": chainers,
    "homesteaders": homesteaders,
}
"""The cards that are paid at the end by what stands on the board."""
TASKS: dict[str, Callable[[Position, int], int]] = {
    "home-country": home_country,
    "fortress": fortress,
    "road": road,
    "place-of-refuge": place_of_refuge,
    "advance": advance,
    "compass-points": compass_points,
}
ALWAYS: dict[str, Callable[[Position, int], int]] = {"castles": castles, "capitol": capitol}
DURING_THE_GAME = ("families", "shepherds", "ambassadors", "rovers", "mayors", "treasures")
"""What is paid, or marked, during the game: `reference_game` keeps the books."""
