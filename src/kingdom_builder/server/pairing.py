"""Who plays with whom: tables for people who look for a game, as a pure function of who waits, how long, and for what.

People who want the same game are compatible if nobody of them has blocked another, and if their ratings are close
enough. What is close enough grows while they wait, so that good games come first, and nobody waits in vain.
"""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from kingdom_builder.server.clocks import Clock

WAVE_SECONDS = 3.0
"""How often those who wait are looked at; they also are when somebody comes."""

FIRST_WINDOW, WIDER_BY = 100, 50
"""The points that two players may differ by at first, and how many more each second of waiting adds."""

PATIENCE = 6.0
"""Seconds after which any rating will do. With the wave that follows, two people meet within ten seconds."""

FEWER_AFTER = 15.0
"""Seconds for which a table of three or four waits for the fourth."""

MOST_COMPARED = 200
"""The most people whom one person is compared with in a wave, those who have waited longest."""

MOST_STEPS = 2_000
"""The most combinations that are tried for one person in a wave, however they have blocked each other."""

Pair: TypeAlias = frozenset[str]
"""Two persons."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The game that somebody looks for. Only the same wishes meet."""

    least: int
    """The fewest players."""
    most: int
    sets: tuple[str, ...]
    """The boxes, in the order of their keys."""
    clock: Clock
    rated: bool


@dataclass(frozen=True, slots=True)
class Seeker:
    """Somebody who looks for a game."""

    seek: str
    person: str
    wish: Wish
    since: float
    """When they began to wait, in seconds."""
    points: int | None
    """Their rating; None if it is provisional, which says so little that it is close to every other."""


def window(waited: float) -> float:
    """The points by which the rating of an opponent may differ for somebody who has waited this long.

    >>> window(0), window(2), window(PATIENCE)
    (100, 200, inf)
    """
    return float("inf") if waited >= PATIENCE else FIRST_WINDOW + WIDER_BY * max(0, waited)


def is_close(one: Seeker, other: Seeker, now: float) -> bool:
    """Whether two ratings are close enough: the one who has waited longer decides."""
    return _difference(one, other) <= window(now - min(one.since, other.since))


def _difference(one: Seeker, other: Seeker) -> int:
    if one.points is None or other.points is None:
        return 0
    return abs(one.points - other.points)


def paired(seekers: Iterable[Seeker], blocked: Set[Pair], now: float) -> list[tuple[Seeker, ...]]:
    """The tables of a wave: each is a group that plays together. Nobody is at two of them.

    Whoever has waited longest chooses first, and takes those whose rating is closest.
    """
    groups: dict[Wish, list[Seeker]] = {}
    for seeker in sorted(seekers, key=lambda each: (each.since, each.seek)):
        groups.setdefault(seeker.wish, []).append(seeker)
    first = {wish: group[0] for wish, group in groups.items()}
    tables: list[tuple[Seeker, ...]] = []
    taken: set[str] = set()
    for wish in sorted(groups, key=lambda each: (first[each].since, first[each].seek)):
        tables += _tables(groups[wish], taken, blocked, now)
    return tables


def _tables(group: Sequence[Seeker], taken: set[str], blocked: Set[Pair], now: float) -> list[tuple[Seeker, ...]]:
    """The tables of those with the same wish, longest waiting first; adds their persons to `taken`."""
    found = []
    for seeker in group:
        if seeker.person in taken:
            continue
        free = (each for each in group if each.person not in taken and each.person != seeker.person)
        others = list(islice((each for each in free if _fit(seeker, each, blocked, now)), MOST_COMPARED))
        others.sort(key=lambda each: (_difference(seeker, each), each.since, each.seek))
        for players in _sizes(seeker, now):
            if table := _together([seeker], others, players, blocked, now, [MOST_STEPS]):
                found.append(tuple(table))
                taken.update(each.person for each in table)
                break
    return found


def _sizes(seeker: Seeker, now: float) -> Iterable[int]:
    """The numbers of players to try for somebody: fewer than they would like only after a while."""
    fewest = seeker.wish.least if now - seeker.since >= FEWER_AFTER else seeker.wish.most
    return range(seeker.wish.most, fewest - 1, -1)


def _fit(one: Seeker, other: Seeker, blocked: Set[Pair], now: float) -> bool:
    return frozenset((one.person, other.person)) not in blocked and is_close(one, other, now)


def _together(
    table: list[Seeker], others: Sequence[Seeker], players: int, blocked: Set[Pair], now: float, steps: list[int]
) -> list[Seeker] | None:
    """A table of this size that begins with these, where everybody fits everybody; None if there is none.

    `others` fit all of those at the table; `steps` counts what may still be tried.
    """
    if len(table) == players:
        return table
    for place, seeker in enumerate(others):
        steps[0] -= 1
        if steps[0] < 0 or len(table) + len(others) - place < players:
            return None
        left = (
            [each for each in others[place + 1 :] if each.person != seeker.person and _fit(seeker, each, blocked, now)]
            if len(table) + 1 < players
            else []
        )
        if found := _together([*table, seeker], left, players, blocked, now, steps):
            return found
    return None
