"""Reports to the operator: who is reported by whom, with the record and the chat of the table at that moment.

Only somebody who was at a table can report what happened there, and each of them once for each player. What is attached
holds no more than everybody at the table could see; a game that is over has no secrets.
"""

import gzip
import re
from collections.abc import Collection

import msgspec

from kingdom_builder.message import Message, Refusal, seat_letter
from kingdom_builder.notation import position_of
from kingdom_builder.rules import observe
from kingdom_builder.server import looking
from kingdom_builder.server.bans import list_bans
from kingdom_builder.server.blocks import selves
from kingdom_builder.server.messages import ReportLine, ReportReason, ReportView, Snapshot
from kingdom_builder.server.names import default_name
from kingdom_builder.server.persons import SELVES
from kingdom_builder.server.schema import REPORTS, insert
from kingdom_builder.server.store import Row, Sql, Steps
from kingdom_builder.server.table import Table
from kingdom_builder.server.tokens import token_hash
from kingdom_builder.server.transcript import Transcript

MOST_OPEN = 2_000
"""The most reports that wait for the operator; beyond that, new ones are refused."""

MOST_LISTED = 200
MOST_BYTES = 60_000
"""The most bytes that are attached to a report, before they are zipped: the oldest lines of the chat go first."""

INSERT_REPORT = insert(REPORTS)
COLUMNS = (
    "reports.id, at, reporter, coalesce(persons.name, ''), reported, reports.name, place, seat, reason, text, closed"
)
FROM_REPORTS = "FROM reports LEFT JOIN persons ON persons.id = reporter"


# ---- what is attached ------------------------------------------------------------------------------------------------


def public_transcript(table: Table) -> Transcript:
    """The current game of a table as everybody there could see it."""
    return looking.transcript(table, frozenset())


def snapshot_of(table: Table, record: str) -> bytes:
    """A table as everybody there can see it now, with the record of its game."""
    state = table.game.state
    snapshot = Snapshot(
        table.game_number,
        table.over,
        table.party.names(),
        record[:MOST_BYTES],
        position_of(state if table.over else observe(state, None)),
        list(table.party.chat),
    )
    while len(encoded := msgspec.json.encode(snapshot)) > MOST_BYTES and snapshot.chat:
        del snapshot.chat[: 1 + len(snapshot.chat) // 4]
    return gzip.compress(encoded, mtime=0)


def read_snapshot(packed: bytes) -> Snapshot:
    return msgspec.json.decode(gzip.decompress(packed), type=Snapshot)


# ---- the database ----------------------------------------------------------------------------------------------------


def was_at(table: str, person: str) -> Steps[bool]:
    """Whether somebody has played or spoken at a table."""
    known = tuple((yield from selves([person])))
    marks = ", ".join("?" * len(known))
    rows = yield Sql(
        f"SELECT 1 FROM players WHERE id = ? AND person IN ({marks})"
        f" UNION SELECT 1 FROM words WHERE id = ? AND person IN ({marks})",
        (table, *known, table, *known),
    )
    return bool(rows)


def put_report(
    reporter: str,
    table: str,
    reported: str,
    seat: int | None,
    name: str,
    reason: ReportReason,
    text: str,
    snapshot: bytes,
    now: int,
) -> Steps[Refusal | None]:
    """Store a report, or say why not."""
    waiting = yield Sql("SELECT count(*) FROM reports WHERE closed = 0")
    if waiting[0][0] >= MOST_OPEN:
        return Refusal(Message("Too many reports wait for the operator of this server: try again another day."), "full")
    whom = reported or f"seat {seat}"
    identity = token_hash(f"{reporter} {table} {whom}")[:12]
    stored = yield Sql(
        f"{INSERT_REPORT} ON CONFLICT (id) DO NOTHING RETURNING id",
        (identity, now, reporter, reported, table, seat, name, reason, text, snapshot, 0),
    )
    if not stored:
        return Refusal(Message("You have reported this player at this table already: the operator will look."), "done")
    return None


def list_reports(*, with_closed: bool = False) -> Steps[list[ReportLine]]:
    """The reports that wait for the operator, the latest first; with those that were dealt with, if wanted."""
    condition = "" if with_closed else "WHERE closed = 0"
    rows = yield Sql(
        f"SELECT {COLUMNS} {FROM_REPORTS} {condition} ORDER BY at DESC, reports.id LIMIT ?", (MOST_LISTED,)
    )
    return [_line(row) for row in rows]


def find_report(identity: str, now: int) -> Steps[ReportView | None]:
    """A report with everything about it; None if there is none, or not any more."""
    rows = yield Sql(f"SELECT {COLUMNS}, snapshot {FROM_REPORTS} WHERE reports.id = ?", (identity,))
    if not rows:
        return None
    *columns, packed = rows[0]
    line = _line(tuple(columns))
    others, bans = 0, []
    if line.person:
        counted = yield Sql(
            "SELECT count(DISTINCT reporter) FROM reports WHERE reported = ? AND reporter <> ?", (line.person, line.by)
        )
        others, bans = counted[0][0], (yield from list_bans(now, line.person))
    return ReportView(line, read_snapshot(packed), others, bans)


def erase_from_reports(person: str) -> Steps[None]:
    """Empty what reports say of a person: number, name and lines, and the text of those that they sent.

    The reports stay, so that the operator still knows that something happened. Those of tables that are gone are looked
    through too, since nothing says any more who was there.
    """
    both = (person, person)
    selves = frozenset(each for (each,) in (yield Sql(SELVES, both)))
    typed = yield Sql(
        f"SELECT id, name FROM players WHERE person IN ({SELVES})"
        f" UNION SELECT id, text FROM words WHERE person IN ({SELVES})",
        (*both, *both),
    )
    rows = yield Sql(
        "SELECT id, reporter, reported, place, seat, name, text, snapshot FROM reports"
        f" WHERE reporter IN ({SELVES}) OR reported IN ({SELVES})"
        f" OR place IN (SELECT id FROM players WHERE person IN ({SELVES})"
        f"  UNION SELECT id FROM words WHERE person IN ({SELVES}))"
        " OR NOT EXISTS (SELECT 1 FROM tables WHERE tables.id = place)",
        both * 4,
    )
    for identity, reporter, reported, place, seat, name, text, packed in rows:
        names = {word for table, word in typed if table == place and word}
        seats: set[int] = set()
        if reported in selves:
            names |= {name} - {""}
            seats |= set() if seat is None else {seat}
            reported = name = ""
        if reporter in selves:
            reporter = text = ""
        snapshot = _without(read_snapshot(packed), selves, names, seats)
        if snapshot is not None:
            packed = gzip.compress(msgspec.json.encode(snapshot), mtime=0)
        yield Sql(
            "UPDATE reports SET reporter = ?, reported = ?, name = ?, text = ?, snapshot = ? WHERE id = ?",
            (reporter, reported, name, text, packed, identity),
        )


def _without(
    snapshot: Snapshot, persons: frozenset[str], names: Collection[str], seats: Collection[int]
) -> Snapshot | None:
    """A snapshot without the lines and names of a person; None if it has none."""
    names = {*names, *(line.name for line in snapshot.chat if line.person in persons and line.name)}
    chat = [line for line in snapshot.chat if line.person not in persons and (line.person or line.name not in names)]
    hidden = [seat for seat, name in enumerate(snapshot.names) if seat in seats or name in names]
    if len(chat) == len(snapshot.chat) and not hidden:
        return None
    shown, record = list(snapshot.names), snapshot.record
    for seat in hidden:
        shown[seat] = default_name(seat)
        tag = f"Name{seat_letter(seat)}"
        record = re.sub(rf'^\[{tag} ".*"\]$', f'[{tag} "{shown[seat]}"]', record, flags=re.MULTILINE)
    return Snapshot(snapshot.game, snapshot.over, shown, record, snapshot.position, chat)


def remove_old(keep_days: int, now: int) -> Steps[int]:
    """Remove reports and what operators did that are older than this, and bans that are over; how many reports."""
    before = now - keep_days * 86_400
    removed = yield Sql("DELETE FROM reports WHERE at < ? RETURNING id", (before,))
    yield Sql("DELETE FROM measures WHERE at < ?", (before,))
    yield Sql("DELETE FROM bans WHERE until <= ?", (now,))
    return len(removed)


def _line(row: Row) -> ReportLine:
    return ReportLine(*row)
