"""Accounts in the database: names, and the ways in which a person can sign in again.

Work that changes persons returns whom it has changed. Work that can be refused returns the refusal: an error would undo
what else it has done, such as counting a try.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection
from typing import NamedTuple, TypeVar

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.names import skeleton
from kingdom_builder.server.passkeys import PASSKEYS_OF_PERSON, Credential
from kingdom_builder.server.persons import DAY
from kingdom_builder.server.store import Row, Sql, Steps
from kingdom_builder.server.tokens import token_hash

T = TypeVar("T")


def allowed(result: T | Refusal) -> T:
    """The result of some work that was not refused; raises the Refusal otherwise."""
    if isinstance(result, Refusal):
        raise result
    return result


class Ways(NamedTuple):
    """The ways in which a person can sign in."""

    passkeys: list[Row]
    """Id, label, when it was made, and the day of its last use."""
    codes: int
    address: str

    @property
    def number(self) -> int:
        return len(self.passkeys) + self.codes + bool(self.address)


def ways_of(person: str) -> Steps[Ways]:
    """The ways in which a person can sign in."""
    passkeys = yield Sql("SELECT id, label, created, seen FROM passkeys WHERE person = ? ORDER BY created", (person,))
    ((codes,),) = yield Sql("SELECT count(*) FROM recovery_codes WHERE person = ?", (person,))
    return Ways(passkeys, codes, (yield from address_of(person)))


def address_of(person: str) -> Steps[str]:
    """The mail address of a person; empty if they have none."""
    rows = yield Sql("SELECT address FROM mail_addresses WHERE person = ?", (person,))
    return str(rows[0][0]) if rows else ""


# ---- names -----------------------------------------------------------------------------------------------------------


def gone_look(look: str) -> str:
    """What is kept of the look of a name whose member was deleted, so that nobody takes it again."""
    return f"#{token_hash(f'name {look}')}"


def set_name(person: str, name: str) -> Steps[list[str] | Refusal]:
    """Give a person a name; refused if it looks like that of a member, or of somebody who was one."""
    look = skeleton(name) if name else ""
    taken = yield Sql(
        "SELECT 1 FROM persons WHERE (look = ? OR look = ?) AND look <> '' AND id <> ?"
        " AND (member = 1 OR deleted > 0) LIMIT 1",
        (look, gone_look(look), person),
    )
    if taken:
        return Refusal(Message("Somebody here has this name, or one that looks like it: choose another one."), "taken")
    yield Sql("UPDATE persons SET name = ?, look = ? WHERE id = ?", (name, look, person))
    return (yield from _take_from_guests(person))


def set_language(person: str, language: str) -> Steps[None]:
    """Remember the language of messages to a person."""
    yield Sql("UPDATE persons SET language = ? WHERE id = ?", (language, person))


def _take_from_guests(person: str) -> Steps[list[str]]:
    """Take the name of a member from guests who have it, or one that looks like it; all whose name is another now."""
    guests = yield Sql(
        "SELECT id FROM persons WHERE member = 0 AND deleted = 0 AND look <> '' AND look ="
        " (SELECT look FROM persons WHERE id = ? AND member = 1)",
        (person,),
    )
    for (guest,) in guests:
        yield Sql("UPDATE persons SET name = '', look = '' WHERE id = ?", (guest,))
    return [person, *(guest for (guest,) in guests)]


def _become_member(person: str) -> Steps[list[str]]:
    """Note that a person can sign in again; they stay the same person, with all that they have."""
    yield Sql("UPDATE persons SET member = 1 WHERE id = ?", (person,))
    return (yield from _take_from_guests(person))


# ---- passkeys --------------------------------------------------------------------------------------------------------


def passkey_text(identity: bytes) -> str:
    """The id of a passkey as text, as browsers write it."""
    return urlsafe_b64encode(identity).rstrip(b"=").decode()


def credentials_of(person: str) -> Steps[list[Credential]]:
    """The passkeys of a person."""
    rows = yield Sql("SELECT id, public_key, sign_count FROM passkeys WHERE person = ?", (person,))
    return [_credential(*row) for row in rows]


def find_passkey(identity: str) -> Steps[tuple[str, Credential] | None]:
    """The person whose passkey this is, and what is kept of it."""
    rows = yield Sql("SELECT person, id, public_key, sign_count FROM passkeys WHERE id = ?", (identity,))
    return (rows[0][0], _credential(*rows[0][1:])) if rows else None


def add_passkey(person: str, credential: Credential, label: str, now: int) -> Steps[list[str] | Refusal]:
    """Store a new passkey of a person, who can sign in with it from now on."""
    identity = passkey_text(credential.id)
    known = yield Sql("SELECT 1 FROM passkeys WHERE id = ?", (identity,))
    ((count,),) = yield Sql("SELECT count(*) FROM passkeys WHERE person = ?", (person,))
    if known or count >= PASSKEYS_OF_PERSON:
        return Refusal(Message("This passkey is known here already: sign in with it."), "taken")
    yield Sql(
        "INSERT INTO passkeys (id, person, public_key, sign_count, created, seen, label) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            identity,
            person,
            passkey_text(credential.public_key),
            credential.sign_count,
            now,
            now // DAY * DAY,
            label,
        ),
    )
    return (yield from _become_member(person))


def note_use(credential: Credential, count: int, now: int) -> Steps[None]:
    """Store how often a passkey has signed."""
    yield Sql(
        "UPDATE passkeys SET sign_count = ?, seen = ? WHERE id = ? AND sign_count <= ?",
        (count, now // DAY * DAY, passkey_text(credential.id), count),
    )


def remove_passkey(person: str, identity: str) -> Steps[Refusal | None]:
    """Remove a passkey, unless it is the only way in."""
    ways = yield from ways_of(person)
    if not any(each[0] == identity for each in ways.passkeys):
        return Refusal(Message("You have no such passkey: load the page again."), "unknown-key")
    if ways.number == 1:
        return _only_way()
    yield Sql("DELETE FROM passkeys WHERE id = ?", (identity,))
    return None


def _credential(identity: str, key: str, count: int) -> Credential:
    return Credential(urlsafe_b64decode(identity + "==="), urlsafe_b64decode(key + "==="), count)


def _only_way() -> Refusal:
    return Refusal(Message("This is your only way to sign in again: add another one before you remove it."), "last-way")


# ---- recovery codes --------------------------------------------------------------------------------------------------


def replace_codes(person: str, hashes: Collection[str], now: int) -> Steps[list[str]]:
    """Store new recovery codes of a person; those before them are void."""
    yield Sql("DELETE FROM recovery_codes WHERE person = ?", (person,))
    for each in hashes:
        yield Sql("INSERT INTO recovery_codes (code_hash, person, created) VALUES (?, ?, ?)", (each, person, now))
    return (yield from _become_member(person))


def use_code(code_hash: str) -> Steps[str | None]:
    """The person whose recovery code this is; it cannot be used again."""
    rows = yield Sql("SELECT person FROM recovery_codes WHERE code_hash = ?", (code_hash,))
    yield Sql("DELETE FROM recovery_codes WHERE code_hash = ?", (code_hash,))
    return rows[0][0] if rows else None


# ---- mail addresses --------------------------------------------------------------------------------------------------


def owner_of(address: str) -> Steps[str | None]:
    """The person who signs in with a mail address."""
    rows = yield Sql("SELECT person FROM mail_addresses WHERE plain = ?", (address.lower(),))
    return rows[0][0] if rows else None


def attach_address(person: str, address: str, now: int) -> Steps[list[str] | Refusal]:
    """Give a person a mail address that has shown to be theirs, in place of the one before it."""
    owner = yield from owner_of(address)
    if owner not in (None, person):
        return Refusal(Message("Another account has this mail address: sign in with it instead."), "taken")
    yield Sql("DELETE FROM mail_addresses WHERE person = ?", (person,))
    yield Sql(
        "INSERT INTO mail_addresses (plain, person, address, created) VALUES (?, ?, ?, ?)",
        (address.lower(), person, address, now),
    )
    return (yield from _become_member(person))


def remove_address(person: str) -> Steps[Refusal | None]:
    """Remove the mail address of a person, unless it is the only way in."""
    ways = yield from ways_of(person)
    if ways.address and ways.number == 1:
        return _only_way()
    yield Sql("DELETE FROM mail_addresses WHERE person = ?", (person,))
    return None
