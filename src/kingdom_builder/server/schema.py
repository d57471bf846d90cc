"""The tables of the database as data, from which its SQL, its check and the list of what is kept are made."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

Type = Literal["text", "integer", "real", "blob"]


class Column(NamedTuple):
    """A column of a table of the database."""

    name: str
    type: Type = "text"
    about: str = ""
    """What it holds, for the page on privacy; empty if the name says it and it is not about a person."""
    personal: bool = False
    """Whether it says something about a person."""
    optional: bool = False
    """Whether it may be NULL."""


class Relation(NamedTuple):
    """A table of the database; the word table is for tables where people play."""

    name: str
    about: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()
    indexes: tuple[tuple[str, ...], ...] = ()
    kept: str = ""
    """How long its rows are kept, for the page on privacy."""

    def column_names(self) -> str:
        """The names of the columns, separated by spaces."""
        return " ".join(column.name for column in self.columns)


def _columns(names: str, kind: Type) -> Iterator[Column]:
    for name in names.split():
        yield Column(name.removesuffix("?"), kind, optional=name.endswith("?"))


def texts(names: str) -> Iterator[Column]:
    """Columns of texts, named in one string."""
    return _columns(names, "text")


def integers(names: str) -> Iterator[Column]:
    """Columns of whole numbers, named in one string; a name that ends with `?` may be NULL."""
    return _columns(names, "integer")


def reals(names: str) -> Iterator[Column]:
    """Columns of fractions, named in one string."""
    return _columns(names, "real")


PERSON = Column("person", about="whom it belongs to", personal=True)
WITH_THE_TABLE = "as long as the table"
WITH_THE_PERSON = "until the person deletes it, or is deleted"
WHILE_REPORTS = "as long as the operator keeps reports"
WITHOUT_THE_DELETED = f"{WHILE_REPORTS}; numbers, names and words of those who are deleted go at once"

TABLES = Relation(
    "tables", "The tables.", (Column("id"), Column("created", "real")), ("id",), kept="while the table is used"
)
ENTRIES = Relation(
    "entries",
    "The logs of the tables: moves, times, who sits where. No names, and nothing that people wrote but seeds and maps"
    " of their own.",
    (
        Column("id"),
        *integers("version format at ran crc"),
        Column("body", "blob", "moves, times, hashes of links, and numbers of persons", personal=True),
    ),
    ("id", "version"),
    kept=WITH_THE_TABLE,
)
CLOCK = Relation("clock", "How long servers have run on this folder.", tuple(integers("at ran notes")), kept="for ever")
DAILY = Relation(
    "daily",
    "The results of daily games that people put on the list.",
    (*texts("date id"), Column("name", about="the name for the list", personal=True), *integers("gold at")),
    ("date", "id"),
    kept="60 days",
)
WORDS = Relation(
    "words",
    "What people typed at tables: names and lines of the chat.",
    (
        Column("id"),
        *integers("version number"),
        Column("person", about="who typed it, if known", personal=True),
        Column("text", about="the name or the line", personal=True),
    ),
    ("id", "version", "number"),
    (("person",),),
    kept=WITH_THE_TABLE,
)
PERSONS = Relation(
    "persons",
    "Everybody who has opened a page of this server.",
    (
        Column("id"),
        Column("created", "integer", "when they came first", personal=True),
        Column("seen", "integer", "the day of the last visit", personal=True),
        Column("name", about="the name that others see", personal=True),
        Column("look", about="the name without differences that the eye does not see, so that names stay unlike"),
        Column("member", "integer", "whether they can sign in again", personal=True),
        Column("merged", about="the person whom they turned out to be", personal=True),
        Column("deleted", "integer", "when they were deleted"),
        Column("role", about="what they may do for the operator"),
        Column("language", about="the language of messages to them", personal=True),
    ),
    ("id",),
    (("merged",), ("look",), ("seen",)),
    kept="guests: while they come or have a game; members: until they delete themselves",
)
DEVICES = Relation(
    "devices",
    "The browsers that are signed in.",
    (
        Column("secret_hash", about="the hash of the cookie"),
        PERSON,
        Column("created", "integer", "when it came first", personal=True),
        Column("seen", "integer", "the day of the last visit", personal=True),
        Column("label", about="kind of browser and system", personal=True),
    ),
    ("secret_hash",),
    (("person",),),
    kept="400 days after the last visit",
)
GAMES = Relation(
    "games",
    "The games at tables with what lists show of them.",
    (
        Column("id"),
        *integers("game version created changed"),
        *texts("clock pool"),
        *integers("rated open players over round seat"),
        Column("person", about="whose turn it is", personal=True),
        *integers("deadline? remind?"),
    ),
    ("id", "game"),
    (("person", "over"), ("deadline",), ("open", "over")),
    kept=WITH_THE_TABLE,
)
PLAYERS = Relation(
    "players",
    "Who played which game, and the results.",
    (
        Column("id"),
        *integers("game seat"),
        Column("person", about="who played; empty for a bot or somebody with a link alone", personal=True),
        Column("name", about="the name at the table", personal=True),
        *texts("level"),
        Column("colour", "integer"),
        Column("gold", "integer", "the gold at the end", True, optional=True),
        Column("rank", "integer", "the rank at the end", True, optional=True),
        Column("left", "integer", "whether they had left", True),
    ),
    ("id", "game", "seat"),
    (("person", "id"),),
    kept=WITH_THE_TABLE,
)

RATINGS = Relation(
    "ratings",
    "How strong people play, by pool.",
    (
        PERSON,
        Column("pool"),
        Column("mu", "real", "how strong they play", True),
        Column("sigma", "real", "how certain that is", True),
        Column("games", "integer", "how many games it is from", True),
        Column("at", "integer"),
    ),
    ("person", "pool"),
    (("pool",),),
    kept=WITH_THE_PERSON,
)
RATED = Relation(
    "rated",
    "What rated games did to ratings.",
    (
        Column("id"),
        *integers("game seat"),
        Column("person", about="whose rating it is; empty if none was changed", personal=True),
        Column("pool"),
        *reals("before_mu before_sigma mu sigma"),
        Column("at", "integer"),
    ),
    ("id", "game", "seat"),
    (("person",),),
    kept=WITH_THE_TABLE,
)

GAPS = Relation(
    "gaps",
    "The times at which nobody could play, so that they cost nobody anything.",
    tuple(integers("started ended")),
    ("started",),
    kept="60 days",
)
SERVER_KEYS = Relation(
    "server_keys", "The secrets of the server itself.", (Column("name"), Column("value")), ("name",), kept="for ever"
)
BLOCKS = Relation(
    "blocks",
    "Who does not want to meet whom.",
    (PERSON, Column("other", about="whom they do not want to meet", personal=True), Column("at", "integer")),
    ("person", "other"),
    (("other",),),
    kept=WITH_THE_PERSON,
)
CONDUCT = Relation(
    "conduct",
    "Points for games that people have left, and what follows from them.",
    (
        PERSON,
        Column("points", "integer", "more for every game that they left, fewer for every one they finished", True),
        Column("until", "integer", "until when they play no rated games", True),
    ),
    ("person",),
    kept=WITH_THE_PERSON,
)
PAUSES = Relation(
    "pauses",
    "How often people had to pause from rated games since their record was last clean.",
    (PERSON, Column("times", "integer", "how often; the next pause is twice as long", True)),
    ("person",),
    kept=WITH_THE_PERSON,
)
COUNTED = Relation(
    "counted",
    "The games that were counted for conduct.",
    (Column("id"), Column("game", "integer")),
    ("id", "game"),
    kept=WITH_THE_TABLE,
)
BANS = Relation(
    "bans",
    "Who may not speak or play among strangers here.",
    (
        PERSON,
        Column("kind", about="`mute` for speaking, `ban` for everything among strangers", personal=True),
        Column("until", "integer", "until when", True),
        Column("why", about="the operator's note", personal=True),
        Column("actor", about="who decided it; empty for the operator", personal=True),
        Column("at", "integer", "since when", True),
    ),
    ("person", "kind"),
    kept=WITH_THE_PERSON,
)
REPORTS = Relation(
    "reports",
    "What people reported to the operator.",
    (
        Column("id"),
        Column("at", "integer", "when it was sent", True),
        Column("reporter", about="who reported", personal=True),
        Column("reported", about="who was reported, if known", personal=True),
        Column("place", about="the table where it happened", personal=True),
        Column("seat", "integer", "the seat of whoever was reported", True, optional=True),
        Column("name", about="the name of whoever was reported", personal=True),
        Column("reason", about="what it is about", personal=True),
        Column("text", about="what the reporter wrote", personal=True),
        Column("snapshot", "blob", "the record and the chat of the table at that moment", True),
        Column("closed", "integer", "when the operator had dealt with it; 0 before"),
    ),
    ("id",),
    (("at",), ("reporter",), ("reported",)),
    kept=WITHOUT_THE_DELETED,
)
MEASURES = Relation(
    "measures",
    "What operators did about people, so that it can be looked up.",
    (
        Column("at", "integer", "when", True),
        Column("id"),
        Column("actor", about="who did it; empty for the operator", personal=True),
        Column("what", about="what was done", personal=True),
        Column("target", about="to whom", personal=True),
        Column("why", about="the operator's note", personal=True),
    ),
    ("at", "id"),
    (("target",),),
    kept=WHILE_REPORTS,
)

SEEKS = Relation(
    "seeks",
    "Who looks for a game.",
    (
        Column("id"),
        PERSON,
        *integers("live least most rated"),
        *texts("sets clock"),
        Column("created", "integer", "since when they look", True),
        Column("found", about="the table that was found, until they have been told", personal=True),
        Column("until", "integer", "when the search ends by itself", True),
    ),
    ("id",),
    (("person",),),
    kept=WITH_THE_PERSON,
)

PASSKEYS = Relation(
    "passkeys",
    "The passkeys with which people sign in.",
    (
        Column("id", about="the name of the passkey, which the browser shows", personal=True),
        PERSON,
        Column("public_key", about="what checks that the passkey has signed", personal=True),
        Column("sign_count", "integer"),
        Column("created", "integer", "when it was made", personal=True),
        Column("seen", "integer", "the day of its last use", personal=True),
        Column("label", about="kind of browser and system where it was made", personal=True),
    ),
    ("id",),
    (("person",),),
    kept=WITH_THE_PERSON,
)
RECOVERY_CODES = Relation(
    "recovery_codes",
    "The codes on paper with which people sign in.",
    (Column("code_hash", about="the hash of the code"), PERSON, Column("created", "integer")),
    ("code_hash",),
    (("person",),),
    kept=WITH_THE_PERSON,
)
MAIL_ADDRESSES = Relation(
    "mail_addresses",
    "The mail addresses with which people sign in; each has shown that it is theirs.",
    (
        Column("plain", about="the address in small letters, so that nobody has it twice", personal=True),
        PERSON,
        Column("address", about="the address", personal=True),
        Column("created", "integer", "when it was confirmed", personal=True),
    ),
    ("plain",),
    (("person",),),
    kept=WITH_THE_PERSON,
)
MAILED_CODES = Relation(
    "mailed_codes",
    "The codes that were mailed and have not been typed yet.",
    (
        Column("device_hash", about="the hash of the cookie of the device that asked"),
        PERSON,
        Column("address", about="where the code was mailed", personal=True),
        Column("purpose"),
        Column("code_hash", about="the hash of the code"),
        *integers("until tries"),
    ),
    ("device_hash",),
    (("person",), ("until",)),
    kept="ten minutes, or until the next code is mailed",
)

WAYS = Relation(
    "ways",
    "How people want to be told that a game waits for them.",
    (
        PERSON,
        Column("way", about="push, webhook or mail"),
        Column("target", about="the hash of the address of a push"),
        Column("address", about="where pushes or webhooks go", personal=True),
        Column("browser_key", about="the public key of the browser for pushes"),
        Column("secret", about="what the browser and the server share for pushes"),
        Column("device", about="the hash of the cookie of the browser that takes pushes"),
        Column("label", about="kind of browser and system", personal=True),
        Column("created", "integer", "when it was chosen", personal=True),
        Column("told", "integer", "when the last message was sent", personal=True),
    ),
    ("person", "way", "target"),
    (("target",), ("device",)),
    kept=WITH_THE_PERSON,
)
OUTBOX = Relation(
    "outbox",
    "Messages about games that wait or are over, each once; those that are done stay for a month after the game.",
    (
        Column("id"),
        *integers("game ply"),
        PERSON,
        Column("kind", about="turn, reminder, still, over or paired"),
        Column("way", about="push, webhook or mail"),
        Column("target", about="the hash of the address of a push"),
        Column("due", "integer", "when it is to be sent", personal=True),
        Column("tries", "integer"),
        Column("state", about="what became of it"),
        Column("claimed", "integer"),
        Column("at", "integer", "when it was written", personal=True),
    ),
    ("id", "game", "ply", "person", "kind", "way", "target"),
    (("state", "way", "due"), ("person",)),
    kept=WITH_THE_PERSON,
)

RELATIONS = (
    TABLES,
    ENTRIES,
    CLOCK,
    DAILY,
    WORDS,
    PERSONS,
    DEVICES,
    GAMES,
    PLAYERS,
    RATINGS,
    RATED,
    GAPS,
    SERVER_KEYS,
    BLOCKS,
    CONDUCT,
    SEEKS,
    PAUSES,
    COUNTED,
    BANS,
    REPORTS,
    MEASURES,
    PASSKEYS,
    RECOVERY_CODES,
    MAIL_ADDRESSES,
    MAILED_CODES,
    WAYS,
    OUTBOX,
)
"""All tables of the current format."""

LEASES = Relation(
    "leases",
    "Which server does which work at the moment.",
    (*texts("what node"), Column("until", "real")),
    ("what",),
    kept="some seconds",
)
PRESENCE = Relation(
    "presence",
    "Who looks at which table, or waits in the lobby, at which server.",
    (
        *texts("node place"),
        Column("people", "blob", "numbers of persons and hashes of links, and whether their pages are in view", True),
        Column("until", "real"),
    ),
    ("node", "place"),
    (("place",),),
    kept="half a minute after somebody has left",
)
JOBS = Relation(
    "jobs",
    "What bots and hints have to think about: positions as those who ask see them.",
    (
        *texts("id work"),
        Column("arguments", "blob"),
        *reals("seconds created deadline"),
        *texts("worker"),
        *reals("claimed"),
        Column("answer", "blob", optional=True),
    ),
    ("id",),
    (("created",),),
    kept="some seconds",
)
SHARED_RELATIONS = (LEASES, PRESENCE, JOBS)
"""What servers that share a database have in it besides; it may be lost at any time."""

OF_A_TABLE = tuple(each for each in RELATIONS if each.kept == WITH_THE_TABLE or each == TABLES)
"""What goes when a table goes; `id` is the table."""


OF_A_PERSON = tuple(
    each for each in RELATIONS if PERSON.name in each.column_names().split() and each.kept != WITH_THE_TABLE
)
"""What moves with a guest who signs in, and goes when a person goes."""


def statements(relations: Iterable[Relation]) -> Iterator[str]:
    """The SQL that makes these tables in SQLite."""
    for relation in relations:
        columns = [
            f"{each.name} {each.type.upper()}{'' if each.optional else ' NOT NULL'}" for each in relation.columns
        ]
        if relation.key:
            columns.append(f"PRIMARY KEY ({', '.join(relation.key)})")
        yield f"CREATE TABLE {relation.name} ({', '.join(columns)}){' WITHOUT ROWID' if relation.key else ''}"
        for index in relation.indexes:
            yield f"CREATE INDEX {'_'.join([relation.name, *index])} ON {relation.name} ({', '.join(index)})"


POSTGRES_TYPES: dict[Type, str] = {
    "text": 'TEXT COLLATE "C"',  # the order of SQLite
    "integer": "BIGINT",
    "real": "DOUBLE PRECISION",
    "blob": "BYTEA",
}


def postgres_statements(relations: Iterable[Relation], *, unlogged: bool = False) -> Iterator[str]:
    """The SQL that makes these tables in PostgreSQL; unlogged ones are fast, and empty after a crash."""
    for relation in relations:
        columns = [
            f'"{each.name}" {POSTGRES_TYPES[each.type]}{"" if each.optional else " NOT NULL"}'
            for each in relation.columns
        ]
        if relation.key:
            columns.append(f"PRIMARY KEY ({_quoted(relation.key)})")
        yield f"CREATE {'UNLOGGED ' if unlogged else ''}TABLE {relation.name} ({', '.join(columns)})"
        for index in relation.indexes:
            yield f"CREATE INDEX {'_'.join([relation.name, *index])} ON {relation.name} ({_quoted(index)})"


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def insert(relation: Relation) -> str:
    """The statement that stores a new row of a relation."""
    columns = [f'"{each.name}"' for each in relation.columns]  # some are words of SQL elsewhere
    return f"INSERT INTO {relation.name} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


def upsert(relation: Relation, condition: str = "") -> str:
    """The statement that stores a row of a relation, in place of the one with the same key."""
    others = [each.name for each in relation.columns if each.name not in relation.key]
    changes = ", ".join(f'"{name}" = excluded."{name}"' for name in others)
    return f"{insert(relation)} ON CONFLICT ({', '.join(relation.key)}) DO UPDATE SET {changes}{condition}"
