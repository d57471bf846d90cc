"""Signing in at a device: the guest who was there turns out to be the member, and brings along all that they have."""

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.accounts import ways_of
from kingdom_builder.server.bans import keep_longer
from kingdom_builder.server.conduct import keep_worse
from kingdom_builder.server.persons import nobody
from kingdom_builder.server.schema import OF_A_PERSON, Relation
from kingdom_builder.server.store import Sql, Steps

REFERENCES = ("person", "other")
"""The columns that name persons: whom a row belongs to, and whom else it is about."""

MOST_EMPTY = 50
"""Guests who left nothing at any table and are kept as former selves of a member. Somebody whose browser forgets its
cookies signs in every day, and would gather thousands."""


def sign_in(device: str, member: str) -> Steps[list[str] | Refusal]:
    """Let a device belong to a member; a guest who was there is merged into them. Returns both."""
    rows = yield Sql(
        "SELECT id, member FROM persons WHERE id = (SELECT person FROM devices WHERE secret_hash = ?)", (device,)
    )
    if not rows:
        return nobody()
    before, is_member = rows[0]
    if before == member:
        return [member]
    if not is_member:
        yield from merge(before, member)
    elif not (yield from ways_of(before)).number:
        return Refusal(
            Message("You could not come back to the account that is signed in here: give it a way to sign in first."),
            "last-way",
        )
    yield Sql("UPDATE devices SET person = ? WHERE secret_hash = ?", (member, device))
    return [member, before]


def merge(guest: str, member: str) -> Steps[None]:
    """Make a guest a former self of a member.

    What belongs to persons moves, but what the member has already is kept. Logs, games and results go on to name the
    guest: whoever asks for those of the member asks for all of their former selves.
    """
    yield Sql(
        "UPDATE persons SET merged = ?, name = '', look = '', language = '' WHERE id = ? OR merged = ?",
        (member, guest, guest),
    )
    yield from keep_worse(guest, member)
    yield from keep_longer(guest, member)
    for relation in OF_A_PERSON:
        yield from _move(relation, guest, member)
    yield Sql(
        "DELETE FROM persons WHERE merged = ? AND NOT EXISTS (SELECT 1 FROM players WHERE players.person = persons.id)"
        " AND NOT EXISTS (SELECT 1 FROM words WHERE words.person = persons.id) AND id NOT IN"
        " (SELECT id FROM persons WHERE merged = ? ORDER BY created DESC, id LIMIT ?)",
        (member, member, MOST_EMPTY),
    )


def _move(relation: Relation, guest: str, member: str) -> Steps[None]:
    """Move the rows of a guest to a member."""
    columns = [each.name for each in relation.columns]
    references = [name for name in REFERENCES if name in columns]
    for reference in references:
        if reference not in relation.key:
            yield Sql(f"UPDATE {relation.name} SET {reference} = ? WHERE {reference} = ?", (member, guest))
            continue
        named = ", ".join(f'"{name}"' for name in columns)
        copied = ", ".join("?" if name == reference else f'"{name}"' for name in columns)
        yield Sql(
            f"INSERT INTO {relation.name} ({named}) SELECT {copied} FROM {relation.name} WHERE {reference} = ?"
            f" ON CONFLICT ({', '.join(relation.key)}) DO NOTHING",
            (member, guest),
        )
        yield Sql(f"DELETE FROM {relation.name} WHERE {reference} = ?", (guest,))
    if len(references) > 1:
        yield Sql(f"DELETE FROM {relation.name} WHERE {' = '.join(references)}")
