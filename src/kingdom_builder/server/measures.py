"""What operators do about people. Every measure is written down: who did what, when, and to whom.

The command line and the page use the same work. A server that runs notices what the command line has changed.
"""

import re
import secrets

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.bans import lift_ban, put_ban
from kingdom_builder.server.blocks import selves
from kingdom_builder.server.erasure import erase
from kingdom_builder.server.messages import MeasureKind, MeasureLine
from kingdom_builder.server.schema import MEASURES, insert
from kingdom_builder.server.store import Sql, Steps

ADMIN = "admin"
MOST_DAYS = 36_500
MOST_LISTED = 200
MOST_FOUND = 50
DAY = 86_400

INSERT_MEASURE = insert(MEASURES)


def carry_out(
    what: MeasureKind, target: str, *, days: int, why: str, actor: str, now: int
) -> Steps[list[str] | Refusal]:
    """Do something about a person or a report, and write it down.

    Returns the tables whose people have changed, or why nothing was done. `actor` is empty for the command line.
    """
    if not 1 <= days <= MOST_DAYS:
        return Refusal(Message("For {n} days: expected 1 to {most}.", n=days, most=MOST_DAYS))
    if what == "close":
        closed = yield Sql("UPDATE reports SET closed = ? WHERE id = ? RETURNING id", (now, target))
        if not closed:
            return Refusal(Message("There is no such report, or not any more."), "unknown-key")
        yield from _write_down(now, actor, what, target, why)
        return []
    found = yield Sql(
        "SELECT id FROM persons WHERE deleted = 0 AND id ="
        " (SELECT coalesce(nullif(merged, ''), id) FROM persons WHERE id = ?)",
        (target,),
    )
    if not found:
        return Refusal(Message("There is nobody with this number here, or not any more."), "unknown-key")
    ((person,),) = found
    if person == actor and what in ("ban", "mute", "revoke", "delete"):
        return Refusal(Message("You cannot do this to yourself: ask another operator."), "forbidden")
    tables: list[str] = []
    match what:
        case "mute" | "ban":
            yield from put_ban(person, what, now + days * DAY, why, actor, now)
        case "unmute" | "unban":
            yield from lift_ban(person, "mute" if what == "unmute" else "ban")
        case "grant" | "revoke":
            yield Sql("UPDATE persons SET role = ? WHERE id = ?", (ADMIN if what == "grant" else "", person))
        case "rename":
            tables = yield from _empty_name(person)
        case "delete":
            tables = (yield from erase(person, now)).tables
    yield from _write_down(now, actor, what, person, why)
    return tables


def list_measures() -> Steps[list[MeasureLine]]:
    """What operators did, the latest first."""
    rows = yield Sql("SELECT at, actor, what, target, why FROM measures ORDER BY at DESC, id LIMIT ?", (MOST_LISTED,))
    return [MeasureLine(*row) for row in rows]


def find_persons(text: str) -> Steps[list[tuple[str, str, int, str]]]:
    """The persons whose number or name begins with a text: number, name, whether they are members, and role."""
    begins = re.sub("([!%_])", r"!\1", text) + "%"
    rows = yield Sql(
        "SELECT id, name, member, role FROM persons WHERE deleted = 0 AND merged = ''"
        " AND (id LIKE ? ESCAPE '!' OR lower(name) LIKE ? ESCAPE '!') ORDER BY seen DESC, id LIMIT ?",
        (begins, begins.lower(), MOST_FOUND),
    )
    return [(person, name, member, role) for person, name, member, role in rows]


def _write_down(now: int, actor: str, what: MeasureKind, target: str, why: str) -> Steps[None]:
    yield Sql(INSERT_MEASURE, (now, secrets.token_hex(4), actor, what, target, why))


def _empty_name(person: str) -> Steps[list[str]]:
    """Empty the name of a person, also at all tables; returns those."""
    known = tuple((yield from selves([person])))
    marks = ", ".join("?" * len(known))
    named = yield Sql(f"SELECT DISTINCT id, name FROM players WHERE person IN ({marks}) AND name <> ''", known)
    for table, name in named:
        yield Sql("DELETE FROM words WHERE id = ? AND text = ?", (table, name))
    yield Sql(f"UPDATE players SET name = '' WHERE person IN ({marks})", known)
    yield Sql(f"UPDATE persons SET name = '', look = '' WHERE id IN ({marks})", known)
    spoken = yield Sql(f"SELECT DISTINCT id FROM words WHERE person IN ({marks})", known)
    return sorted({table for table, _ in named} | {table for (table,) in spoken})
