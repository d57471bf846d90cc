"""Codes by mail: asking for one, and what the right one is good for.

Asking does not look at accounts at all, so nobody learns by it which addresses have one.
"""

import asyncio

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.accounts import attach_address, owner_of
from kingdom_builder.server.code_mail import code_mail
from kingdom_builder.server.delivery import mail
from kingdom_builder.server.limits import RateLimits
from kingdom_builder.server.merging import sign_in
from kingdom_builder.server.messages import CodePurpose
from kingdom_builder.server.persons import Person
from kingdom_builder.server.recovery import MailedCode, new_mailed_code, normal_address, try_mailed_code, wrong_code
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.tables import Tables

HOUR, DAY = 3_600.0, 86_400.0
MAILS_AN_HOUR = 5
"""To one address, or for one person."""

MAILS_A_DAY = 20
"""For one visitor."""

MOST_ON_THE_WAY = 50
"""Mails that are being handed to the mail server; beyond that it is too slow."""


class MailedCodes:
    """Mails codes, within limits."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._by_address = RateLimits(MAILS_AN_HOUR / HOUR, MAILS_AN_HOUR)
        self._by_person = RateLimits(MAILS_AN_HOUR / HOUR, MAILS_AN_HOUR)
        self._by_visitor = RateLimits(MAILS_A_DAY / DAY, MAILS_A_DAY)
        self._on_the_way: set[asyncio.Task[object]] = set()

    async def ask(
        self, person: Person, secret: str, visitor: str, typed: str, purpose: CodePurpose, language: str
    ) -> str:
        """Mail a code to an address that somebody typed; returns the address. Raises Refusal."""
        settings = self._tables.settings
        if settings.mail is None or not mail.is_available():
            raise Refusal(_no_mail(), "unavailable")
        address = normal_address(mail.check_mail_address(typed))
        if len(self._on_the_way) >= MOST_ON_THE_WAY:
            raise Refusal(Message("The mail server is slow now: try again in a moment."), "busy")
        if not self._by_visitor.take(visitor):
            raise Refusal(Message("Too many codes from your address: expected {n} a day.", n=MAILS_A_DAY), "too-fast")
        if not self._by_person.take(person.id) or not self._by_address.take(address.lower()):
            raise Refusal(Message("Too many codes at once: expected {n} an hour.", n=MAILS_AN_HOUR), "too-fast")
        code, kept = new_mailed_code(address, secret, int(self._tables.clock()))
        now = int(self._tables.clock())
        await self._tables.persons.change(person, keep_code, person, address, purpose, kept, now)
        subject, text = code_mail(code, language, settings.address)
        sending = asyncio.create_task(mail.send_mail(settings.mail, address, subject, text))
        self._on_the_way.add(sending)
        sending.add_done_callback(self._on_the_way.discard)
        return address


def why_no_mail(settings: Settings) -> Message | None:
    """Why a server mails no codes; None if it does."""
    return _no_mail() if settings.mail is None or not mail.is_available() else None


def _no_mail() -> Message:
    return Message("This server sends no mails: its operator has not named a mail server.")


def keep_code(person: Person, address: str, purpose: CodePurpose, kept: MailedCode, now: int) -> Steps[None]:
    """Wait for a code that is mailed, in place of an earlier one of the device; old ones are forgotten."""
    yield Sql("DELETE FROM mailed_codes WHERE device_hash = ? OR until <= ?", (person.device, now))
    yield Sql(
        "INSERT INTO mailed_codes (device_hash, person, address, purpose, code_hash, until, tries)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (person.device, person.id, address, purpose, *kept),
    )


def confirm(person: Person, secret: str, typed: str, now: int) -> Steps[list[str] | Refusal]:
    """Use a code that somebody typed: attach the address to them, or sign them in. Returns who has changed."""
    rows = yield Sql(
        "SELECT address, purpose, code_hash, until, tries FROM mailed_codes WHERE device_hash = ?", (person.device,)
    )
    if not rows:
        return wrong_code()
    address, purpose, *kept = rows[0]
    try:
        tried = try_mailed_code(MailedCode(*kept), typed, address, secret, now)
    except Refusal as refusal:
        return refusal
    if tried.kept is None:
        yield Sql("DELETE FROM mailed_codes WHERE device_hash = ?", (person.device,))
    else:
        yield Sql("UPDATE mailed_codes SET tries = ? WHERE device_hash = ?", (tried.kept.tries, person.device))
    if not tried.fits:
        return wrong_code()
    if purpose == "attach":
        return (yield from attach_address(person.id, address, now))
    owner = yield from owner_of(address)
    if owner is None:
        return Refusal(
            Message("No account here has this mail address: add it to yours, so that you can sign in with it."),
            "unknown-address",
        )
    return (yield from sign_in(person.device, owner))
