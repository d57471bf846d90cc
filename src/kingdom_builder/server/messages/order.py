"""What is sent about order among people: blocks, reports, what operators did, and what is kept of whom."""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import MaxLen

from kingdom_builder.server.messages.table import ChatLine

ID_LENGTH = 40
"""The most characters of the number of a person or a table."""

REPORT_LENGTH = 1000
NOTE_LENGTH = 200

ReportReason = Literal["insult", "spam", "cheating", "stalling", "name", "other"]
"""What a report is about: `stalling` is leaving or wasting the time of others, `name` an insulting name."""

MeasureKind = Literal["mute", "unmute", "ban", "unban", "rename", "delete", "grant", "revoke", "close"]
"""What an operator can do: `rename` empties a name, `grant` and `revoke` are about the role `admin`, `close` is for
reports."""


@dataclass(slots=True)
class BlockWanted:
    """Somebody to block."""

    person: Annotated[str, MaxLen(ID_LENGTH)]


@dataclass(slots=True)
class Blocked:
    """Somebody who was blocked."""

    person: str
    name: str


@dataclass(slots=True)
class ReportWanted:
    """A report of somebody at a table: a seat or a person is given."""

    table: Annotated[str, MaxLen(ID_LENGTH)]
    reason: ReportReason
    seat: int | None = None
    person: Annotated[str, MaxLen(ID_LENGTH)] = ""
    text: Annotated[str, MaxLen(REPORT_LENGTH)] = ""


@dataclass(slots=True)
class Snapshot:
    """What a table looked like at the moment of a report."""

    game: int
    over: bool
    names: list[str]
    record: str
    """The record; of a running game as far as everybody could see it, or empty if that is nothing yet."""
    position: str
    """The position as everybody could see it."""
    chat: list[ChatLine]
    """The latest lines."""


@dataclass(slots=True)
class ReportLine:
    """A report in the list of them."""

    id: str
    at: int
    """Seconds."""
    by: str
    """Who reported."""
    by_name: str
    person: str
    """Who was reported; empty for somebody with a link alone."""
    name: str
    table: str
    seat: int | None
    reason: str
    text: str
    closed: int
    """When it was dealt with, in seconds; 0 before."""


@dataclass(slots=True)
class MeasureLine:
    """Something that an operator did."""

    at: int
    by: str
    """Who did it; empty for the operator at the command line."""
    what: str
    person: str
    """To whom; for `close` the report."""
    why: str


@dataclass(slots=True)
class BanLine:
    """Somebody who may not speak or play among strangers."""

    person: str
    name: str
    kind: str
    until: int
    why: str


@dataclass(slots=True)
class AdminView:
    """What an operator looks after."""

    reports: list[ReportLine]
    bans: list[BanLine]
    measures: list[MeasureLine]


@dataclass(slots=True)
class ReportView:
    """A report with all that was attached to it, and what is known of whoever was reported."""

    report: ReportLine
    snapshot: Snapshot
    others: int
    """How many other people have reported the same person."""
    bans: list[BanLine]


@dataclass(slots=True)
class MeasureWanted:
    """Something that an operator wants to do."""

    what: MeasureKind
    person: Annotated[str, MaxLen(ID_LENGTH)]
    """To whom; for `close` the report."""
    days: int = 7
    """For how long, if it ends by itself."""
    why: Annotated[str, MaxLen(NOTE_LENGTH)] = ""


@dataclass(slots=True)
class KeptColumn:
    """Something that is kept about people."""

    name: str
    about: str


@dataclass(slots=True)
class KeptRelation:
    """A kind of data that is kept about people."""

    name: str
    about: str
    kept: str
    """How long."""
    columns: list[KeptColumn]


@dataclass(slots=True)
class PrivacyView:
    """What a server keeps about people, for how long, and where it sends something."""

    relations: list[KeptRelation]
    keep_days: int
    """Days after which tables that nobody uses are removed."""
    keep_reports_days: int
    keep_guests_days: int
    """Days after which guests who do not come any more are removed."""
    hosts: list[str]
    """The hosts that the operator has configured for notifications and mail; empty if there are none."""
    push: bool
    """Whether notifications can be sent by the push services of browsers."""
    webhooks: bool
    """Whether people can have notifications sent to an address of their own."""
