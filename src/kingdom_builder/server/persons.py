"""The persons whom a server knows: guests at first, and members once they can sign in again.

A person is known by a device: a browser with a cookie that holds a secret, of which only the hash is kept.
"""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.journal import Journal
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.tokens import TokenHashes, person_key, token_hash

COOKIE, SECURE_COOKIE = "kb", "__Host-kb"
COOKIE_DAYS = 400
"""The longest that browsers keep a cookie."""

DAY = 86_400
PERSONS_TOPIC = "persons"
"""The topic of rings about persons of whom something has changed."""

SELVES = "SELECT id FROM persons WHERE id = ? OR merged = ?"
"""A person and all guests that they were."""

REMEMBERED = 10_000
"""Devices whose person is kept in memory."""

KNOWN_SECONDS = 30.0
"""For how long, where other servers may change something: their rings may be lost."""

R = TypeVar("R")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whom the server knows."""

    id: str
    name: str
    is_member: bool
    role: str
    device: str
    """The hash of the secret of the device that they are at."""
    keys: TokenHashes
    """What stands for them at tables: their own key, and those of all guests that they were."""


class Persons:
    """Everybody whom the server knows, found by their devices."""

    def __init__(self, journal: Journal, clock: Callable[[], float] = time.time) -> None:
        self._journal = journal
        self._clock = clock
        self._known: dict[str, tuple[Person, float]] = {}
        """Persons by device and when they were read, those who came last at the end."""
        self._changes = 0
        """How often something has changed: what was read before that may be old."""

    async def at_device(self, secret: str) -> Person | None:
        """The person at the device with this secret; None if there is none."""
        device = token_hash(secret)
        known, now = self._known.pop(device, None), time.monotonic()
        if known is not None and not (self._journal.is_shared and now > known[1] + KNOWN_SECONDS):
            self._known[device] = known
            return known[0]
        before = self._changes
        person = await self._journal.read(find, device)
        if person is not None and before == self._changes:
            self._known[device] = person, now
            while len(self._known) > REMEMBERED:
                del self._known[next(iter(self._known))]
        return person

    async def change(
        self, person: Person, work: Callable[P, Steps[R | Refusal]], *arguments: P.args, **named: P.kwargs
    ) -> R:
        """Change something of a person for whoever is at their device: that may be somebody else by now, whose it would
        not be. Returns the result of the work. Raises Refusal, StoreError."""

        def checked() -> Steps[R | Refusal]:
            rows = yield Sql("SELECT person FROM devices WHERE secret_hash = ?", (person.device,))
            return (yield from work(*arguments, **named)) if rows == [(person.id,)] else nobody()

        result = await self._journal.write(checked)
        if isinstance(result, Refusal):
            self.drop(person.id)
            raise result
        return result

    async def is_still_at(self, device: str, person: str) -> bool:
        """Whether a device is still that of a person. Raises StoreError."""
        found = await self._journal.read(find, device)
        return found is not None and found.id == person

    async def make_guest(self, label: str) -> tuple[Person, str]:
        """A new guest at a new device, and the secret of the device. The label says what kind of browser it is."""
        secret = secrets.token_urlsafe(24)
        person, device = secrets.token_hex(8), token_hash(secret)
        await self._journal.write(insert_guest, person, device, label, int(self._clock()))
        found = await self.at_device(secret)
        assert found is not None
        return found, secret

    async def has_come(self, person: Person) -> None:
        """Note the day of a visit."""
        await self._journal.write(note_visit, person.id, person.device, int(self._clock()) // DAY * DAY)

    def forget(self, *persons: str) -> None:
        """Read these persons again when they are next needed, here and at other servers: something has changed."""
        self.drop(*persons)
        self._journal.ring(PERSONS_TOPIC, persons)

    def drop(self, *persons: str) -> None:
        """Read these persons again when they are next needed here."""
        self._changes += 1
        self._known = {device: each for device, each in self._known.items() if each[0].id not in persons}

    def forget_all(self) -> None:
        """Read everybody again when they are next needed: another program may have changed the database."""
        self._changes += 1
        self._known.clear()


def nobody() -> Refusal:
    """The refusal of a device that is nobody's."""
    return Refusal(Message("This server does not know this device yet: load the page again."), "unknown-person")


def secret_in(cookies: Mapping[str, str], *, is_secure: bool) -> str:
    """The secret of the device that sent these cookies; empty if there is none.

    With https only the secure one counts: the other one can come from a neighbouring site or from whoever sits between,
    who would then be at the device of everybody who signs in there.
    """
    return cookies.get(SECURE_COOKIE) or ("" if is_secure else cookies.get(COOKIE)) or ""


def find(device: str) -> Steps[Person | None]:
    """The person at a device."""
    rows = yield Sql(
        "SELECT id, name, member, role FROM persons WHERE id = (SELECT person FROM devices WHERE secret_hash = ?)",
        (device,),
    )
    if not rows:
        return None
    ((identity, name, member, role),) = rows
    others = yield Sql("SELECT id FROM persons WHERE merged = ?", (identity,))
    keys = frozenset(person_key(each) for each in [identity, *(other for (other,) in others)])
    return Person(identity, name, bool(member), role, device, keys)


def insert_guest(person: str, device: str, label: str, now: int) -> Steps[None]:
    """Store a new guest at a new device."""
    day = now // DAY * DAY
    yield Sql(
        "INSERT INTO persons (id, created, seen, name, look, member, merged, deleted, role, language)"
        " VALUES (?, ?, ?, '', '', 0, '', 0, '', '')",
        (person, now, day),
    )
    yield Sql(
        "INSERT INTO devices (secret_hash, person, created, seen, label) VALUES (?, ?, ?, ?, ?)",
        (device, person, now, day, label),
    )


def note_visit(person: str, device: str, day: int) -> Steps[None]:
    """Store the day of the last visit."""
    yield Sql("UPDATE persons SET seen = ? WHERE id = ? AND seen < ?", (day, person, day))
    yield Sql("UPDATE devices SET seen = ? WHERE secret_hash = ? AND seen < ?", (day, device, day))
