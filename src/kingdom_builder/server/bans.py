"""What operators forbid people: to speak among strangers, or to be among them.

Somebody who is banned goes on to look on, and to play at tables whose link they have; everything among strangers is
closed to them: the lobby, seats at open tables, talk there, and rated games. Games that run are played to their end.
There is no ban of addresses: that is the work of the proxy before the server.
"""

from collections.abc import Collection
from typing import Literal, NamedTuple

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.blocks import parts
from kingdom_builder.server.messages import BanLine
from kingdom_builder.server.schema import BANS, upsert
from kingdom_builder.server.store import Sql, Steps

BanKind = Literal["mute", "ban"]

PUT_BAN = upsert(BANS)
MOST_LISTED = 200


class Bans(NamedTuple):
    """Until when somebody may not speak and not be among strangers; 0 if they may."""

    mute: int = 0
    ban: int = 0


def bans_of(person: str, now: int) -> Steps[Bans]:
    """What somebody may not do now."""
    rows = yield Sql("SELECT kind, until FROM bans WHERE person = ? AND until > ?", (person, now))
    return Bans(**dict(rows))


def banned_among(persons: Collection[str], now: int) -> Steps[frozenset[str]]:
    """Those of some persons who may not be among strangers now."""
    found: set[str] = set()
    for part in parts(persons):
        marks = ", ".join("?" * len(part))
        rows = yield Sql(
            f"SELECT person FROM bans WHERE kind = 'ban' AND until > ? AND person IN ({marks})", (now, *part)
        )
        found.update(person for (person,) in rows)
    return frozenset(found)


def put_ban(person: str, kind: BanKind, until: int, why: str, actor: str, now: int) -> Steps[None]:
    """Forbid something, in place of what was said about it before."""
    yield Sql(PUT_BAN, (person, kind, until, why, actor, now))


def lift_ban(person: str, kind: BanKind) -> Steps[None]:
    yield Sql("DELETE FROM bans WHERE person = ? AND kind = ?", (person, kind))


def keep_longer(guest: str, member: str) -> Steps[None]:
    """Let the longer ban of a guest and a member count, since they are one person: signing in makes none shorter."""
    query = "SELECT kind, until, why, actor, at FROM bans WHERE person = ?"
    until = {kind: moment for kind, moment, *_ in (yield Sql(query, (member,)))}
    for ban in (yield Sql(query, (guest,))):
        if ban[1] > until.get(ban[0], 0):
            yield Sql(PUT_BAN, (member, *ban))


def list_bans(now: int, person: str = "") -> Steps[list[BanLine]]:
    """Everybody who may not do something now, or one of them, the latest first."""
    rows = yield Sql(
        "SELECT person, coalesce(name, ''), kind, until, why FROM bans LEFT JOIN persons ON persons.id = person"
        " WHERE until > ? AND (person = ? OR ? = '') ORDER BY at DESC, person LIMIT ?",
        (now, person, person, MOST_LISTED),
    )
    return [BanLine(*row) for row in rows]


def check_speaker(bans: Bans, now: float) -> None:
    """Refuse somebody who may not speak among strangers."""
    if max(bans) > now:
        raise Refusal(
            Message(
                "The operator of this server does not want you to speak among strangers: for {n} {n:day|days} more.",
                n=days_until(max(bans), now),
            ),
            "muted",
        )


def check_guest(bans: Bans, now: float) -> None:
    """Refuse somebody who may not be among strangers."""
    if (refusal := why_banned(bans, now)) is not None:
        raise Refusal(refusal, "banned")


def why_banned(bans: Bans, now: float) -> Message | None:
    """Why somebody may not be among strangers; None if they may."""
    if bans.ban <= now:
        return None
    return Message(
        "The operator of this server does not want you among strangers for {n} {n:day|days} more: tables whose link"
        " you have stay open to you.",
        n=days_until(bans.ban, now),
    )


def days_until(moment: float, now: float) -> int:
    """The days until a moment, rounded up."""
    return max(1, -int((now - moment) // 86_400))
