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

TABLES = Relation(
    "tables", "The tables.", (Column("id"), Column("created", "real")), ("id",), kept="while the table is used"
)
ENTRIES = Relation(
    "entries",
    "The logs of the tables: moves, times, who sits where. No names, and nothing that people wrote.",
    (
        Column("id"),
        *integers("version format at ran crc"),
        Column("body", "blob", "moves, times, hashes of links, and numbers of persons", personal=True),
    ),
    ("id", "version"),
    kept=WITH_THE_TABLE,
)
CLOCK = Relation("clock", "How long servers have run on this folder.", tuple(integers("at ran notes")))
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
        Column("level"),
        *integers("colour gold? rank? left"),
    ),
    ("id", "game", "seat"),
    (("person", "id"),),
    kept=WITH_THE_TABLE,
)

RATINGS = Relation(
    "ratings",
    "How strong people play, by pool.",
    (PERSON, Column("pool"), *reals("mu sigma"), *integers("games at")),
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

RELATIONS = (TABLES, ENTRIES, CLOCK, DAILY, WORDS, PERSONS, DEVICES, GAMES, PLAYERS, RATINGS, RATED)
"""All tables of the current format."""

OF_A_TABLE = tuple(each for each in RELATIONS if each.kept == WITH_THE_TABLE or each == TABLES)
"""What goes when a table goes; `id` is the table."""


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


def insert(relation: Relation) -> str:
    """The statement that stores a new row of a relation."""
    columns = [f'"{each.name}"' for each in relation.columns]  # some are words of SQL elsewhere
    return f"INSERT INTO {relation.name} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


def upsert(relation: Relation, condition: str = "") -> str:
    """The statement that stores a row of a relation, in place of the one with the same key."""
    others = [each.name for each in relation.columns if each.name not in relation.key]
    changes = ", ".join(f'"{name}" = excluded."{name}"' for name in others)
    return f"{insert(relation)} ON CONFLICT ({', '.join(relation.key)}) DO UPDATE SET {changes}{condition}"
