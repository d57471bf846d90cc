"""The outbox: what people are still to be told, one row for each person, turn and way.

Rows are written together with the list of games, so that none is lost, and their key keeps them from being written
twice: whatever happens in a turn, its player is told once. Whoever sends a row claims it first, for as long as sending
may take. If a server dies between sending and noting it, the row is sent again: better twice than never.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Literal, NamedTuple

from kingdom_builder.server.projector import Listed
from kingdom_builder.server.store import Row, Sql, Steps

Kind = Literal["turn", "reminder", "still", "over", "paired"]
"""What somebody is told; `still` is the reminder in games without a clock."""
Way = Literal["push", "webhook", "mail"]
State = Literal["waiting", "sent", "dropped", "failed"]

WAYS_OF_TELLING: tuple[Way, ...] = ("push", "webhook", "mail")

DAY = 86_400
KEPT_DAYS = 30
"""How long rows of finished games stay after they are done."""

ASK_AGAIN = 3_600
"""After how many seconds a reminder is looked at again whose clock does not run."""

WHO = "coalesce(nullif(persons.merged, ''), persons.id)"
"""The person that somebody turned out to be."""

TELL = f"""
INSERT INTO outbox (id, game, ply, person, kind, way, target, due, tries, state, claimed, at)
SELECT CAST(? AS TEXT), CAST(? AS INTEGER), CAST(? AS INTEGER), ways.person, CAST(? AS TEXT), ways.way, ways.target,
CAST(? AS INTEGER), 0, 'waiting', 0, CAST(? AS INTEGER)
FROM ways WHERE ways.person = (SELECT {WHO} FROM persons WHERE persons.id = ? AND deleted = 0)
AND EXISTS (SELECT 1 FROM players JOIN persons ON persons.id = players.person
 WHERE players.id = ? AND players.game = ? AND {WHO} != ways.person)
ON CONFLICT (id, game, ply, person, kind, way, target) DO
"""
TELL_ONCE = f"{TELL} NOTHING"
TELL_LATER = f"{TELL} UPDATE SET due = excluded.due WHERE outbox.state = 'waiting' AND outbox.tries = 0"

DROP_OLDER = (
    "UPDATE outbox SET state = 'dropped' WHERE id = ? AND state = 'waiting' AND kind IN ('turn', 'reminder', 'still')"
    " AND (game < ? OR (game = ? AND ply < ?))"
)

OF_KEY = "id = ? AND game = ? AND ply = ? AND person = ? AND kind = ? AND way = ? AND target = ?"


class Key(NamedTuple):
    """What distinguishes a row."""

    table: str
    game: int
    ply: int
    person: str
    kind: Kind
    way: Way
    target: str


class Due(NamedTuple):
    """A row whose time has come, with what is needed to judge and to send it."""

    key: Key
    tries: int
    address: str
    """Where pushes and webhooks go; for mail the mail address, once it is looked up."""
    browser_key: str
    secret: str
    told: int
    """When the person was last told in this way."""
    language: str
    persons: frozenset[str]
    """The person, and the guests that they were."""
    others: tuple[str, ...]
    """The names of the other people; empty for those without one."""
    wait: int | None
    """None if the row has lost its meaning; else the moment from which it has one."""


# ---- writing rows ----------------------------------------------------------------------------------------------------


def told(game: Listed, now: int, delay: int) -> Iterator[Sql]:
    """The statements that go with a game in the list: who is to be told of it, and who is not any more."""
    table, number, _, _, changed, clock, *_ = game.game
    is_over, person, remind = game.game[10], game.game[13], game.game[15]
    people = {each[3] for each in game.players if each[3]}
    if clock.startswith("live") or len(people) < 2:
        return
    is_days = clock.startswith("days")
    yield Sql(DROP_OLDER, (table, number, number, game.since))
    if is_over:
        for each in sorted(people) if is_days and changed > now - DAY else ():
            yield _tell("over", game, each, now + delay, now)
    elif person:
        yield _tell("turn", game, person, now + delay, now)
        if is_days and remind is not None:
            yield _tell("reminder", game, person, max(remind, now + delay), now)
        elif not is_days:
            yield _tell("still", game, person, now + DAY, now)


def _tell(kind: Kind, game: Listed, person: str, due: int, now: int) -> Sql:
    table, number = game.game[:2]
    statement = TELL_LATER if kind == "reminder" else TELL_ONCE
    return Sql(statement, (table, number, game.since, kind, due, now, person, table, number))


def paired(person: str, table: str, due: int, now: int) -> Steps[None]:
    """Note that a person is to be told of a new table that was made for them and others."""
    yield Sql(TELL_ONCE, (table, 1, 0, "paired", due, now, person, table, 1))


# ---- what is due -----------------------------------------------------------------------------------------------------


def due_rows(way: Way, now: int, most: int) -> Steps[list[Due]]:
    """The rows of a way whose time has come and that nobody has claimed, longest due first."""
    rows = yield Sql(
        "SELECT id, game, ply, person, kind, way, target, tries FROM outbox"
        " WHERE state = 'waiting' AND way = ? AND due <= ? AND claimed <= ? ORDER BY due, id, person LIMIT ?",
        (way, now, now, most),
    )
    found = []
    for row in rows:
        found.append((yield from _detailed(Key(*row[:7]), row[7], now)))
    return found


def _detailed(key: Key, tries: int, now: int) -> Steps[Due]:
    # A browser that was signed out, or belongs to somebody else by now, is not told.
    ways = yield Sql(
        "SELECT address, browser_key, secret, told, language FROM ways JOIN persons ON persons.id = ways.person"
        " WHERE ways.person = ? AND way = ? AND target = ? AND deleted = 0 AND (device = '' OR EXISTS"
        " (SELECT 1 FROM devices WHERE secret_hash = device AND devices.person = ways.person))",
        (key.person, key.way, key.target),
    )
    guests = yield Sql("SELECT id FROM persons WHERE merged = ?", (key.person,))
    others = yield Sql(
        f"SELECT players.name FROM players JOIN persons ON persons.id = players.person"
        f" WHERE players.id = ? AND players.game = ? AND {WHO} != ? ORDER BY seat",
        (key.table, key.game, key.person),
    )
    games = yield Sql(
        f"SELECT over, {WHO}, remind FROM games LEFT JOIN persons ON persons.id = games.person"
        " WHERE games.id = ? AND game = ?",
        (key.table, key.game),
    )
    address, browser_key, secret, last, language = ways[0] if ways else ("", "", "", 0, "")
    persons = frozenset([key.person, *(guest for (guest,) in guests)])
    names = tuple(name for (name,) in others)
    wait = _wait(key, games[0], now) if ways and games else None
    if key.kind == "still":  # after a day without the server they are told of the turn itself now
        turn = yield Sql(f"SELECT 1 FROM outbox WHERE {OF_KEY} AND state = 'waiting'", key._replace(kind="turn"))
        wait = None if turn else wait
    return Due(key, tries, address, browser_key, secret, last, language, persons, names, wait)


def _wait(key: Key, game: Row, now: int) -> int | None:
    """From when a row has a meaning; None if it has none any more."""
    over, in_turn, remind = game
    match key.kind:
        case "over":
            return now if over else None
        case "paired":
            return None if over or in_turn == key.person else now  # that it is their turn they are told as well
        case "turn" | "still":
            return now if not over and in_turn == key.person else None
        case "reminder":
            if over or in_turn != key.person:
                return None
            return now + ASK_AGAIN if remind is None else remind


def next_due() -> Steps[int | None]:
    """When the next row is due; None if none waits."""
    ((due,),) = yield Sql(
        "SELECT min(CASE WHEN claimed > due THEN claimed ELSE due END) FROM outbox WHERE state = 'waiting'"
    )
    return None if due is None else int(due)


# ---- what becomes of rows --------------------------------------------------------------------------------------------


class Change(NamedTuple):
    """What becomes of a row that is not sent now."""

    key: Key
    state: State
    due: int = 0
    """When it is due again, if it waits."""
    tries: int = 0


def claim(keys: Collection[Key], changes: Iterable[Change], now: int, until: int) -> Steps[list[Key]]:
    """The rows among these that are free, claimed for whoever asks; and store what becomes of others."""
    yield from settle(changes, now)
    claimed = []
    for key in keys:
        rows = yield Sql(
            f"UPDATE outbox SET claimed = ? WHERE {OF_KEY} AND state = 'waiting' AND claimed <= ? RETURNING 1",
            (until, *key, now),
        )
        if rows:
            claimed.append(key)
    return claimed


def settle(changes: Iterable[Change], now: int) -> Steps[None]:
    """Store what became of rows. The claim on them ends."""
    for key, state, due, tries in changes:
        yield Sql(
            f"UPDATE outbox SET state = ?, due = ?, tries = ?, claimed = 0 WHERE {OF_KEY} AND state = 'waiting'",
            (state, due, tries, *key),
        )
        if state == "sent":
            yield Sql(
                "UPDATE ways SET told = ? WHERE person = ? AND way = ? AND target = ?",
                (now, key.person, key.way, key.target),
            )


def sweep(now: int) -> Steps[None]:
    """Forget rows that are done, once their game has been over for long enough or is gone."""
    yield Sql(
        "DELETE FROM outbox WHERE state != 'waiting' AND at < ? AND NOT EXISTS"
        " (SELECT 1 FROM games WHERE games.id = outbox.id AND games.game = outbox.game AND over = 0)",
        (now - KEPT_DAYS * DAY,),
    )
