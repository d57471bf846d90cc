"""How people are told that a game waits for them: what is offered, chosen and asked for."""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import MaxLen

Address = Annotated[str, MaxLen(2_000)]
Key = Annotated[str, MaxLen(100)]


@dataclass(slots=True)
class PushDevice:
    """A browser that takes pushes."""

    id: str
    label: str
    """What kind of browser it is; may be empty."""
    since: int
    """In seconds."""
    here: bool
    """Whether it is the browser that asks."""


@dataclass(slots=True)
class Notifications:
    """How a person can be told, and what they have chosen."""

    push: str
    """The server's public key for pushes; empty if it sends none."""
    devices: list[PushDevice]
    """The browsers that take pushes."""
    webhooks: bool
    """Whether the server sends to webhooks."""
    webhook: str
    """The host of the chosen webhook; empty if there is none. The rest of its address is a secret."""
    mails: bool
    """Whether the server sends mail."""
    address: str
    """The person's own mail address; empty if it is not known."""
    mail: bool
    """Whether they want mail."""


@dataclass(slots=True)
class PushKeys:
    p256dh: Key
    auth: Key


@dataclass(slots=True)
class PushSubscription:
    """Where a browser takes pushes, as it says itself."""

    endpoint: Address
    keys: PushKeys
    replaces: Address = ""
    """The endpoint that it had before."""


@dataclass(slots=True)
class PushEnd:
    """No more pushes: to an endpoint, or to the device with an id. One of the two is given."""

    endpoint: Address = ""
    device: Key = ""


@dataclass(slots=True)
class WebhookAddress:
    url: Address


@dataclass(slots=True)
class Wishes:
    """What a person wants to change; nothing else is changed."""

    mail: bool | None = None
    language: Literal["en", "de", "fr"] | None = None
    """The language of messages."""
