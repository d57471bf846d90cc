"""Codes that people type to sign in: recovery codes on paper, and codes that come by mail."""

import hashlib
import hmac
import re
import secrets
import unicodedata
from typing import NamedTuple

from kingdom_builder.message import Message, Refusal, quoted

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits and capitals without I, L, O and U; somebody who reads one of those means 1, 1, 0 or V."""

MEANT = str.maketrans("ILOU", "110V")
RECOVERY_CODES = 10
RECOVERY_LENGTH, GROUP = 16, 4
MAILED_LENGTH = 6
MAILED_SECONDS = 600
MAILED_TRIES = 5
LONGEST_TYPED = 60
LONGEST_ADDRESS, LONGEST_LOCAL, LONGEST_DOMAIN = 254, 64, 253

LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
DOMAIN = re.compile(rf"(?:{LABEL}\.)+(?![0-9]+\Z){LABEL}")


class MailedCode(NamedTuple):
    """What the server keeps of a code that it has mailed."""

    hash: str
    until: int
    tries: int
    """How many are left."""


class Tried(NamedTuple):
    """What a try at a mailed code led to."""

    fits: bool
    kept: MailedCode | None
    """What to keep from now on, whatever the result; None if the code is used up."""


def new_recovery_codes() -> list[str]:
    """Codes for one person, to be shown once."""
    return [_grouped(_random_code(RECOVERY_LENGTH)) for _ in range(RECOVERY_CODES)]


def recovery_hash(typed: str, salt: str) -> str:
    """The hash of a recovery code, which is all that the server keeps. Raises Refusal if it cannot be one.

    A code is 80 random bits, so a fast hash is enough: a slow one protects what people choose, and would cost the
    server more than somebody who guesses. The salt is the same for the whole server: the hash finds the person, who
    may remember nothing but the code, and a table of hashes made for one server is of no use at another.
    """
    code = _typed_code(typed, RECOVERY_LENGTH)
    return hmac.digest(salt.encode(), f"recovery {code}".encode(), hashlib.sha256).hex()


def new_mailed_code(address: str, device_secret: str, now: int) -> tuple[str, MailedCode]:
    """A code to be mailed to an address for somebody at a device, and what to keep of it."""
    code = _random_code(MAILED_LENGTH)
    return code, MailedCode(_mailed_hash(code, address, device_secret), now + MAILED_SECONDS, MAILED_TRIES)


def try_mailed_code(kept: MailedCode, typed: str, address: str, device_secret: str, now: int) -> Tried:
    """Whether a code is the one that was mailed. Raises Refusal if it cannot be one, which costs no try."""
    code = _typed_code(typed, MAILED_LENGTH)
    if now >= kept.until or kept.tries <= 0:
        return Tried(False, None)
    if hmac.compare_digest(_mailed_hash(code, address, device_secret), kept.hash):
        return Tried(True, None)
    return Tried(False, kept._replace(tries=kept.tries - 1) if kept.tries > 1 else None)


def wrong_code() -> Refusal:
    """The refusal of a code that does not fit: the same if it is old, used, or was never sent."""
    return Refusal(Message("This code is wrong or too old: look at it again, or ask for a new one."), "wrong-code")


def normal_address(text: str) -> str:
    """A mail address as it is kept and compared: the domain in small ASCII letters. Raises Refusal.

    >>> normal_address(" Ann@Bücher.Example ")
    'Ann@xn--bcher-kva.example'
    """
    local, at, domain = text.strip().rpartition("@") if len(text) <= LONGEST_ADDRESS else ("", "", "")
    try:
        domain = domain.encode("idna").decode().lower()
    except UnicodeError:
        domain = ""
    address = local + at + domain
    if (
        not LOCAL.fullmatch(local)
        or not DOMAIN.fullmatch(domain)
        or len(local) > LONGEST_LOCAL
        or len(domain) > LONGEST_DOMAIN
        or len(address) > LONGEST_ADDRESS
    ):
        raise Refusal(Message("{text} is not a mail address: expected one such as ann@example.org.", text=quoted(text)))
    return address


def _random_code(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def _grouped(code: str) -> str:
    return "-".join(code[start : start + GROUP] for start in range(0, len(code), GROUP))


def _typed_code(typed: str, length: int) -> str:
    """A code as it was made, from what somebody typed: with other capitals, gaps, dashes or letters that look alike."""
    wide = unicodedata.normalize("NFKC", typed[: LONGEST_TYPED + 1])
    shown = "".join(character for character in wide if unicodedata.category(character)[0] not in "CZP")
    code = shown.upper().translate(MEANT)
    if len(typed) > LONGEST_TYPED or len(code) != length or not set(code) <= set(ALPHABET):
        raise Refusal(
            Message(
                "This is not a code: expected {n} letters and digits, such as {example}.",
                n=length,
                example=_grouped(ALPHABET[3 : 3 + length]) if length > MAILED_LENGTH else ALPHABET[3 : 3 + length],
            )
        )
    return code


def _mailed_hash(code: str, address: str, device_secret: str) -> str:
    """The hash of a mailed code for an address and a device.

    Thirty bits are soon guessed by somebody who has read the database. But the key is the secret in the cookie, of
    which the database has only a hash.
    """
    return hmac.digest(device_secret.encode(), f"mailed {code} {address}".encode(), hashlib.sha256).hex()
