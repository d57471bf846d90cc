"""Pairing: whoever waits, for whatever and with whomever they have blocked, the tables are right and come in time."""

import time
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingdom_builder.server.clocks import FAST, NORMAL, ONE_DAY
from kingdom_builder.server.pairing import (
    FEWER_AFTER,
    PATIENCE,
    WAVE_SECONDS,
    Pair,
    Seeker,
    Wish,
    is_close,
    paired,
    window,
)

TWO = Wish(2, 2, ("base",), NORMAL, True)
FOUR = Wish(3, 4, ("base",), NORMAL, True)
WISHES = [
    TWO,
    FOUR,
    Wish(2, 2, ("base",), FAST, True),
    Wish(2, 2, ("base",), NORMAL, False),
    Wish(2, 2, ("base", "nomads"), NORMAL, True),
    Wish(2, 2, ("base",), ONE_DAY, True),
]
PEOPLE = "abcdefghijkl"

Tables = list[tuple[Seeker, ...]]


def somebody(person: str, since: float = 0, points: int | None = None, wish: Wish = TWO) -> Seeker:
    return Seeker(f"seek {person} {WISHES.index(wish)}", person, wish, since, points)


def names(tables: Tables) -> list[str]:
    return ["".join(sorted(each.person for each in table)) for table in tables]


crowds = st.lists(
    st.builds(
        somebody,
        st.sampled_from(PEOPLE),
        st.floats(-60, 0),
        st.none() | st.integers(0, 3000),
        st.sampled_from(WISHES[:3]),
    ),
    max_size=14,
    unique_by=lambda each: (each.person, each.wish),
)
blocks = st.sets(st.frozensets(st.sampled_from(PEOPLE), min_size=2, max_size=2), max_size=12)


def could_play(group: Sequence[Seeker], blocked: set[Pair], now: float) -> bool:
    """Whether these could sit at one table, however they are searched for."""
    return len({each.person for each in group}) == len(group) and all(
        frozenset((one.person, other.person)) not in blocked and is_close(one, other, now) and one.wish == other.wish
        for one, other in combinations(group, 2)
    )


@settings(max_examples=400)
@given(crowds, blocks)
def test_a_wave_is_right_whoever_waits(crowd: list[Seeker], blocked: set[Pair]) -> None:
    tables = paired(crowd, blocked, 0)
    seated = [each for table in tables for each in table]
    assert len({each.person for each in seated}) == len(seated), "somebody is at two tables"
    for table in tables:
        assert could_play(table, blocked, 0)
        wish = table[0].wish
        waited = max(-each.since for each in table)
        assert wish.most == len(table) or (wish.least <= len(table) and waited >= FEWER_AFTER)


@settings(max_examples=400)
@given(crowds, blocks)
def test_nobody_is_left_who_could_play(crowd: list[Seeker], blocked: set[Pair]) -> None:
    taken = {each.person for table in paired(crowd, blocked, 0) for each in table}
    left = [each for each in crowd if each.person not in taken]
    for players in (2, 3, 4):
        for group in combinations(left, players):
            wish, waited = group[0].wish, max(-each.since for each in group)
            if wish.most == players or (wish.least <= players and waited >= FEWER_AFTER):
                assert not could_play(group, blocked, 0)


@given(crowds, blocks, st.randoms())
def test_the_order_in_which_they_are_stored_does_not_matter(
    crowd: list[Seeker], blocked: set[Pair], rng: Random
) -> None:
    mixed = list(crowd)
    rng.shuffle(mixed)
    assert paired(mixed, blocked, 0) == paired(crowd, blocked, 0)


ratings = st.sampled_from([None, 0, 700, 1500, 2300, 3000])


@given(st.floats(0, 12), ratings, ratings, st.floats(0, 3))
def test_two_strangers_meet_within_ten_seconds(apart: float, one: int | None, other: int | None, first: float) -> None:
    """Whatever their ratings: the second comes, there is a wave at once and then one every three seconds."""
    crowd = [somebody("a", 0, one), somebody("b", apart, other)]
    waves = [0, *(first + n * WAVE_SECONDS for n in range(10))]
    met = next(after for after in waves if paired(crowd, set(), apart + after))
    assert met < 10


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.integers(0, 60))
def test_nobody_starves_while_others_come_and_go(seed: int, number: int) -> None:
    """People of all strengths keep coming. Two who have waited are left only if they do not want to meet."""
    rng = Random(seed)
    blocked = {frozenset((f"p{rng.randrange(80)}", f"p{rng.randrange(80)}")) for _ in range(number)}
    waiting: list[Seeker] = []
    for wave in range(40):
        now = wave * WAVE_SECONDS
        for n in range(rng.randrange(3)):
            points = rng.choice([None, rng.randrange(3000)])
            waiting.append(somebody(f"p{wave * 2 + n}", now - rng.random(), points))
        seated = {each.person for table in paired(waiting, blocked, now) for each in table}
        waiting = [each for each in waiting if each.person not in seated]
        old = [each.person for each in waiting if now - each.since > PATIENCE]
        assert all(frozenset(pair) in blocked for pair in combinations(old, 2))


def test_the_one_who_waited_longest_takes_the_closest() -> None:
    crowd = [somebody("a", -5, 1500), somebody("b", -1, 1600), somebody("c", 0, 1510), somebody("d", -2, 1900)]
    assert names(paired(crowd, set(), 0)) == ["ac"]
    assert names(paired(crowd, set(), PATIENCE)) == ["ac", "bd"]


@pytest.mark.parametrize(("waited", "met"), [(0.0, False), (3.9, False), (4.0, True)])
def test_the_window_widens(waited: float, met: bool) -> None:
    crowd = [somebody("a", 0, 1500), somebody("b", 0, 1800)]
    assert bool(paired(crowd, set(), waited)) is met
    assert window(waited) <= window(waited + 1)


def test_the_one_who_has_waited_decides_what_is_close() -> None:
    assert names(paired([somebody("a", -PATIENCE, 0), somebody("b", 0, 3000)], set(), 0)) == ["ab"]


def test_a_provisional_rating_is_close_to_all() -> None:
    assert names(paired([somebody("a", 0, 2900), somebody("b", 0, None)], set(), 0)) == ["ab"]


def test_a_table_of_four_comes_at_once_and_one_of_three_after_a_while() -> None:
    crowd = [somebody(name, 0, None, FOUR) for name in "abcd"]
    assert names(paired(crowd, set(), 0)) == ["abcd"]
    assert paired(crowd[:3], set(), FEWER_AFTER - 0.1) == []
    assert names(paired(crowd[:3], set(), FEWER_AFTER)) == ["abc"]
    assert paired(crowd[:2], set(), 1000) == []
    assert names(paired([*crowd, somebody("e", 0, None, FOUR)], set(), 1000)) == ["abcd"]


def test_blocked_persons_never_share_a_table_of_four() -> None:
    crowd = [somebody(name, 0, None, FOUR) for name in "abcde"]
    blocked = {frozenset("bd")}
    assert names(paired(crowd, blocked, 0)) == ["abce"]
    assert paired(crowd[:4], blocked, 0) == []
    assert names(paired(crowd[:4], blocked, FEWER_AFTER)) == ["abc"]


def test_somebody_with_two_wishes_plays_one_game_at_a_time() -> None:
    four = [somebody(name, 0, None, FOUR) for name in "cde"]
    crowd = [somebody("a", -2), somebody("a", -1, None, FOUR), somebody("b"), *four]
    assert names(paired(crowd, set(), 0)) == ["ab"]


@pytest.mark.parametrize("wish", [TWO, FOUR])
def test_a_crowd_does_not_hold_the_server_up(wish: Wish) -> None:
    """Those with an even number have blocked those with an odd one, and there are a thousand of them."""
    crowd = [somebody(f"p{n}", 0, None, wish) for n in range(1000)]
    blocked = {frozenset((f"p{n}", f"p{m}")) for n in range(0, 1000, 2) for m in range(1, 1000, 2)}
    began = time.process_time()
    tables = paired(crowd, blocked, FEWER_AFTER)
    assert time.process_time() - began < 2
    assert len(tables) == 1000 // wish.most
    assert all(could_play(table, blocked, FEWER_AFTER) for table in tables)
