"""Everything that a server keeps about a person, as one file for them.

It is made from the schema: whatever has a column for its person is in it, and the reports that they sent. Logs of
tables are not: they hold what others did, and cards that are still hidden. The latest finished games are there as
records, without the names of the others.
"""

from dataclasses import replace

from kingdom_builder.message import Refusal
from kingdom_builder.server import desk, looking
from kingdom_builder.server.persons import SELVES, Person
from kingdom_builder.server.schema import DAILY, GAMES, PERSON, PERSONS, RELATIONS, REPORTS, WAYS, Relation
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.tables import Tables
from kingdom_builder.server.workers import Asker, TooLong, WorkerDied

EXPORT_FORMAT = 1
MOST_ROWS = 20_000
"""The most rows of one kind: the longest life at tables has fewer."""

SECRET = "_hash"
"""How the names of columns end that are of no use to anybody but the server."""

LEFT_OUT = {
    GAMES.name: {PERSON.name},  # whose turn it is, which may be somebody else
    REPORTS.name: {"reported", "name", "snapshot"},  # about others
    WAYS.name: {"secret", "device"},  # of use to whoever finds the file
}
"""Columns that are not in the file, by relation."""

MOST_RECORDS, MOST_RECORD_BYTES = 100, 1_000_000
"""The most records in the file, the latest games first."""

RECORD_SECONDS = 2.0
EXPORT = "/api/me/export"


def exported(person: str, now: int) -> Steps[dict[str, object]]:
    """All that is kept about a person, by table of the database."""
    both = (person, person)
    kept: dict[str, object] = {}
    for relation, condition in _conditions():
        hidden = LEFT_OUT.get(relation.name, set())
        columns = [each.name for each in relation.columns if not each.name.endswith(SECRET) and each.name not in hidden]
        named = ", ".join(f'"{name}"' for name in columns)
        rows = yield Sql(f"SELECT {named} FROM {relation.name} WHERE {condition} LIMIT ?", (*both, MOST_ROWS))
        kept[relation.name] = [dict(zip(columns, row, strict=True)) for row in rows]
    return {
        "format": EXPORT_FORMAT,
        "made": now,
        "about": {relation.name: relation.about for relation, _ in _conditions()},
        "data": kept,
    }


def _conditions() -> list[tuple[Relation, str]]:
    """The tables of the database that hold something about persons, and which rows are about one."""
    mine = f"IN ({SELVES})"
    at_tables = f"IN (SELECT id FROM players WHERE person {mine})"
    special = {
        PERSONS.name: f"id {mine}",
        GAMES.name: f"(id, game) IN (SELECT id, game FROM players WHERE person {mine})",
        DAILY.name: f"id {at_tables}",
        REPORTS.name: f"reporter {mine}",
    }
    found = []
    for relation in RELATIONS:
        if relation.name in special:
            found.append((relation, special[relation.name]))
        elif PERSON.name in relation.column_names().split():
            found.append((relation, f"person {mine}"))
    return found


# ---- records ---------------------------------------------------------------------------------------------------------


def finished(person: str, most: int) -> Steps[list[tuple[str, int]]]:
    """The latest finished games that a person played, by table and number."""
    rows = yield Sql(
        "SELECT DISTINCT games.id, games.game, changed FROM games"
        " JOIN players ON players.id = games.id AND players.game = games.game"
        f" WHERE over = 1 AND players.person IN ({SELVES}) ORDER BY changed DESC, games.id, games.game LIMIT ?",
        (person, person, most),
    )
    return [(table, game) for table, game, _ in rows]


async def records_of(tables: Tables, person: Person, visitor: str) -> list[dict[str, object]]:
    """The records of the latest finished games of a person, as many as fit; others have no names in them."""
    found: list[dict[str, object]] = []
    size = 0
    for identity, game in await tables.journal.read(finished, person.id, MOST_RECORDS):
        try:
            table, _ = await tables.find([], visitor, table=identity, person=person)
            transcript = looking.transcript(table, frozenset(), game)
            mine = await tables.journal.read(names_in, person.id, identity, game)
            names = [mine.get(seat, "") for seat in range(len(transcript.names))]
            text = await tables.desk.run(
                Asker(visitor, EXPORT),
                desk.record_of_transcript,
                replace(transcript, names=names),
                seconds=RECORD_SECONDS,
            )
        except (Refusal, TooLong, WorkerDied):
            continue  # its log is damaged, or it is not theirs to see any more
        size += len(text)
        if size > MOST_RECORD_BYTES:
            break
        found.append({"table": identity, "game": game, "record": text.decode()})
    return found


def names_in(person: str, table: str, game: int) -> Steps[dict[int, str]]:
    """The names of a person in a game, by seat."""
    rows = yield Sql(
        f"SELECT seat, name FROM players WHERE id = ? AND game = ? AND person IN ({SELVES})",
        (table, game, person, person),
    )
    return dict(rows)
