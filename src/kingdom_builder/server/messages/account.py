"""What a person is told about their account, and what they send to change it."""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import MaxLen

from kingdom_builder.server.messages.people import Me
from kingdom_builder.server.messages.sentences import Message
from kingdom_builder.server.messages.table import NAME_LENGTH

LONGEST_PASSKEY = 5_000
"""The most characters of an answer of a passkey: twice as many as with the longest keys."""

TYPED_LENGTH = 300
"""The most characters of an address or a code that somebody types."""

CodePurpose = Literal["attach", "sign in"]


@dataclass(slots=True)
class PasskeyView:
    """A passkey of a person."""

    id: str
    label: str
    """The kind of browser where it was made; empty if nothing is known."""
    since: int
    seen: int
    """The day of its last use, in seconds."""


@dataclass(slots=True)
class DeviceView:
    """A device at which a person is signed in."""

    id: str
    label: str
    since: int
    seen: int
    here: bool
    """Whether it is the device that asks."""


@dataclass(slots=True)
class Account:
    """The account of the person at this device."""

    me: Me
    language: str
    """The language of messages to them; empty if they have not chosen one."""
    passkeys: list[PasskeyView]
    codes: int
    """How many recovery codes are left."""
    address: str
    """The mail address with which they can sign in; empty if there is none."""
    devices: list[DeviceView]
    no_passkeys: Message | None
    """Why there are no passkeys at this address; none if there are."""
    no_mail: Message | None
    """Why there are no mailed codes at this server; none if there are."""


@dataclass(slots=True)
class AboutMe:
    """What a person says about themselves; what is missing stays as it is."""

    name: Annotated[str, MaxLen(10 * NAME_LENGTH)] | None = None
    language: Annotated[str, MaxLen(20)] | None = None


@dataclass(slots=True)
class PasskeyAnswer:
    """The answer of a browser that was asked for a passkey: a text of JSON."""

    answer: Annotated[str, MaxLen(LONGEST_PASSKEY)]


@dataclass(slots=True)
class PasskeyChoice:
    """A passkey to remove."""

    id: Annotated[str, MaxLen(2_000)]


@dataclass(slots=True)
class TypedCode:
    """A code that somebody types."""

    code: Annotated[str, MaxLen(TYPED_LENGTH)]


@dataclass(slots=True)
class NewCodes:
    """New recovery codes, which are shown once; those before them are void."""

    codes: list[str]


@dataclass(slots=True)
class CodeRequest:
    """Where to mail a code, and what it is for."""

    address: Annotated[str, MaxLen(TYPED_LENGTH)]
    purpose: CodePurpose
    language: Annotated[str, MaxLen(20)] = ""
    """The language of the mail."""


@dataclass(slots=True)
class CodeMailed:
    """A code is on its way, if the address exists at all."""

    address: str
    minutes: int
    """How long it can be used."""


@dataclass(slots=True)
class SignOut:
    """Which devices to sign out."""

    device: Annotated[str, MaxLen(40)] = ""
    """The device; empty for this one."""
    others: bool = False
    """Sign out all devices but this one instead."""
    confirmed: bool = False
    """Whether they know that a guest who signs out does not come back to their games."""


@dataclass(slots=True)
class Deletion:
    """Whether somebody is sure that they want to be deleted."""

    confirmed: bool = False
