"""Who does not want to meet whom: blocked people are not paired, share no open table, and are not heard.

Whoever was blocked is not told. A person and the guests that they were are one: what is said of one counts for all.
"""

from collections.abc import Collection, Iterator

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.messages import Blocked
from kingdom_builder.server.store import Sql, Steps

AT_ONCE = 200
"""The most values in one question; the rest is asked in others."""

MOST_BLOCKED = 500
"""The most people whom somebody can block."""

MOST_BLOCKING = 2_000
"""The most people who have blocked somebody and are remembered at once."""


def selves(persons: Collection[str]) -> Steps[frozenset[str]]:
    """All numbers of some people: those given, their own, and those of the guests that they were."""
    if not persons:
        return frozenset()
    found = yield Sql(
        f"SELECT coalesce(nullif(merged, ''), id) FROM persons WHERE id IN ({_marks(persons)})", tuple(persons)
    )
    own = {person for (person,) in found}
    guests = (yield Sql(f"SELECT id FROM persons WHERE merged IN ({_marks(own)})", tuple(own))) if own else []
    return frozenset({*persons, *own, *(guest for (guest,) in guests)})


def blocked_by(person: str) -> Steps[frozenset[str]]:
    """The people whom somebody has blocked, under all their numbers."""
    mine = yield from selves([person])
    rows = yield Sql(f"SELECT other FROM blocks WHERE person IN ({_marks(mine)}) LIMIT ?", (*mine, MOST_BLOCKED))
    return (yield from selves([other for (other,) in rows]))


def avoided_by(person: str) -> Steps[frozenset[str]]:
    """The people whom somebody does not meet, under all their numbers: one of the two has blocked the other."""
    mine = yield from selves([person])
    rows = yield Sql(f"SELECT person FROM blocks WHERE other IN ({_marks(mine)}) LIMIT ?", (*mine, MOST_BLOCKING))
    blocking = yield from selves([other for (other,) in rows])
    return blocking | (yield from blocked_by(person))


def blocked_among(person: str, others: Collection[str]) -> Steps[bool]:
    """Whether somebody and one of these others do not meet."""
    return not (yield from avoided_by(person)).isdisjoint(others)


def blocked_around(persons: Collection[str]) -> Steps[dict[str, frozenset[str]]]:
    """For each of these persons all those whom they have blocked or who have blocked them, by all their numbers.

    Those who have nothing to do with any block are missing.
    """
    owners = yield from _owners(persons)
    mine = yield from _numbers(owners.values())
    blocked: dict[str, set[str]] = {}
    for part in parts(mine):
        marks = ", ".join("?" * len(part))
        rows = yield Sql(f"SELECT person, other FROM blocks WHERE person IN ({marks}) OR other IN ({marks})", part * 2)
        for one, other in rows:
            if one in mine:
                blocked.setdefault(mine[one], set()).add(other)
            if other in mine:
                blocked.setdefault(mine[other], set()).add(one)
    others = yield from _owners({other for each in blocked.values() for other in each})
    numbers: dict[str, set[str]] = {}
    for number, owner in (yield from _numbers(others.values())).items():
        numbers.setdefault(owner, set()).add(number)
    return {
        person: frozenset(number for other in blocked[owner] for number in numbers[others[other]])
        for person, owner in owners.items()
        if owner in blocked
    }


def put_block(person: str, other: str, now: int) -> Steps[Refusal | None]:
    """Block somebody, or say why not."""
    found = yield Sql(
        "SELECT id FROM persons WHERE deleted = 0 AND id ="
        " (SELECT coalesce(nullif(merged, ''), id) FROM persons WHERE id = ?)",
        (other,),
    )
    if not found:
        return Refusal(Message("There is nobody with this number here, or not any more."), "unknown-key")
    if other in (yield from selves([person])):
        return Refusal(Message("You cannot block yourself: choose somebody else."))
    rows = yield Sql("SELECT count(*) FROM blocks WHERE person = ?", (person,))
    if rows[0][0] >= MOST_BLOCKED:
        return Refusal(
            Message("You have blocked {n} people, which is the most: unblock some first.", n=rows[0][0]), "full"
        )
    yield Sql(
        "INSERT INTO blocks (person, other, at) VALUES (?, ?, ?) ON CONFLICT (person, other) DO NOTHING",
        (person, found[0][0], now),
    )
    return None


def lift_block(person: str, other: str) -> Steps[None]:
    """Take a block back, whichever of their numbers it names."""
    mine, theirs = (yield from selves([person])), (yield from selves([other]))
    yield Sql(f"DELETE FROM blocks WHERE person IN ({_marks(mine)}) AND other IN ({_marks(theirs)})", (*mine, *theirs))


def list_blocks(person: str) -> Steps[list[Blocked]]:
    """The people whom somebody has blocked, the latest first."""
    mine = yield from selves([person])
    rows = yield Sql(
        "SELECT other, coalesce(name, '') FROM blocks LEFT JOIN persons ON persons.id = other"
        f" WHERE person IN ({_marks(mine)}) ORDER BY at DESC, other LIMIT ?",
        (*mine, MOST_BLOCKED),
    )
    return [Blocked(other, name) for other, name in rows]


def _marks(values: Collection[str]) -> str:
    return ", ".join("?" * len(values))


def _owners(numbers: Collection[str]) -> Steps[dict[str, str]]:
    """The person to whom each number belongs now."""
    owners = {number: number for number in numbers if number}
    for part in parts(list(owners)):
        marks = ", ".join("?" * len(part))
        owners |= dict((yield Sql(f"SELECT id, merged FROM persons WHERE merged != '' AND id IN ({marks})", part)))
    return owners


def _numbers(owners: Collection[str]) -> Steps[dict[str, str]]:
    """All numbers that belong to some persons now, each with that person."""
    numbers = {owner: owner for owner in owners}
    for part in parts(list(numbers)):
        marks = ", ".join("?" * len(part))
        numbers |= dict((yield Sql(f"SELECT id, merged FROM persons WHERE merged IN ({marks})", part)))
    return numbers


def parts(values: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Values in parts that fit into one question."""
    listed = sorted(values)
    for begin in range(0, len(listed), AT_ONCE):
        yield tuple(listed[begin : begin + AT_ONCE])
