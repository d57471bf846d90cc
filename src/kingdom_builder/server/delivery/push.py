"""Web push: a message to a browser through the service of its maker, encrypted (RFC 8291) and signed (RFC 8292)."""

import binascii
import hashlib
import re
import ssl
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING

import msgspec

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.delivery.destination import Destination, Lookups, Resolver, destination_of
from kingdom_builder.server.delivery.outcome import Outcome, noted
from kingdom_builder.server.delivery.post import post

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey

SERVICES = re.compile(
    r"fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|web\.push\.apple\.com|[a-z0-9-]+\.notify\.windows\.com"
)
"""The hosts of the push services of browsers."""

PATIENCE = 10.0
LIFE = 12 * 3600
"""Seconds for which a push service keeps a message, and for which a signature holds; a day is the most."""

MOST_PAYLOAD = 3_000
"""Bytes; services take 4,096 encrypted ones, some a little less."""

MOST_ENDPOINT = 1_000
MOST_KEY = 100
POINT_BYTES, SECRET_BYTES, NUMBER_BYTES = 65, 16, 32

CONTACT = re.compile(
    r"(?:mailto:[^\s@,<>]{1,64}@|https://)((?:[a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{1,62})(/[!-~]*)?", re.I
)
NOWHERE = ("example", "invalid", "local", "localhost", "test")
"""Endings of names that nobody can have; Apple refuses contacts there."""

LOOKUPS = Lookups()
"""Apart from those of webhooks, whose names strangers choose and can make slow."""


@dataclass(frozen=True)
class Subscription:
    """Where and for whom a browser takes messages; made by `check_subscription`."""

    endpoint: str = field(repr=False)
    p256dh: str = field(repr=False)
    """The browser's public key, and `auth` a secret that it shares with us; both in base64url."""
    auth: str = field(repr=False)


@dataclass(frozen=True)
class Vapid:
    """Who sends: the server's private key as text, and how its operator can be reached, `mailto:` or `https:`.

    Raises ValueError for a contact that push services refuse: Apple's does not take an invented one.
    """

    key: str = field(repr=False)
    contact: str

    def __post_init__(self) -> None:
        found = CONTACT.fullmatch(self.contact)
        if found is None or found[1].lower().rpartition(".")[2] in NOWHERE:
            raise ValueError(
                f"the contact for push services {self.contact!r}: expected mailto: or https:// with a real address"
            )


def is_available() -> bool:
    """Whether the packages for push are installed: the extra `people`."""
    return find_spec("cryptography") is not None and find_spec("http_ece") is not None


def new_vapid_key() -> str:
    """A new private key. Browsers subscribe to its public half: keep it, or all subscriptions are void."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return _text(number.to_bytes(NUMBER_BYTES, "big"))


def public_key(key: str) -> str:
    """The public half of a private key, as a page hands it to its browser. Raises ValueError if the key is damaged."""
    return _text(_point(_private_key(key).public_key()))


def check_subscription(endpoint: str, p256dh: str, auth: str, allowed: Collection[str] = ()) -> Subscription:
    """A subscription that a browser sent. Raises Refusal unless it is whole and of a known push service.

    `allowed` has the origins of further services (`read_origins`).
    """
    from cryptography.hazmat.primitives.asymmetric import ec

    _check_endpoint(endpoint, allowed)
    try:
        point = _bytes(p256dh, POINT_BYTES)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise Refusal(Message("The key of this browser's subscription is not valid: subscribe again.")) from None
    try:
        secret = _bytes(auth, SECRET_BYTES)
    except ValueError:
        raise Refusal(Message("The secret of this browser's subscription is not valid: subscribe again.")) from None
    return Subscription(endpoint, _text(point), _text(secret))


async def send_push(
    subscription: Subscription,
    payload: bytes,
    table: str,
    vapid: Vapid,
    *,
    allowed: Collection[str] = (),
    resolver: Resolver = LOOKUPS,
    tls: ssl.SSLContext | None = None,
    patience: float = PATIENCE,
) -> Outcome:
    """Send a message about a table; a later one about it takes its place while the browser is away.

    Raises ValueError if the payload has more than MOST_PAYLOAD bytes.
    """
    if len(payload) > MOST_PAYLOAD:
        raise ValueError(f"a push of {len(payload)} bytes: expected at most {MOST_PAYLOAD}")
    endpoint = subscription.endpoint
    try:
        destination = _check_endpoint(endpoint, allowed)
    except Refusal as refusal:
        return noted("push", endpoint, Outcome("refused", refusal.code))
    headers = [
        ("Authorization", _authorization(vapid, destination.origin)),
        ("Content-Encoding", "aes128gcm"),
        ("Content-Type", "application/octet-stream"),
        ("TTL", str(LIFE)),
        ("Topic", topic_of(table)),
        ("Urgency", "normal"),
    ]
    outcome = await post(
        destination,
        headers,
        _encrypted(subscription, payload),
        resolver=resolver,
        patience=patience,
        must_be_public=False,  # the hosts are known, and a network with IPv6 alone reaches them by mapped addresses
        tls=tls,
    )
    return noted("push", endpoint, outcome)


def topic_of(table: str) -> str:
    """The topic of a table: 32 characters that tell the push service nothing about it. Apple decodes them."""
    return _text(hashlib.sha256(table.encode()).digest()[:24])


def _check_endpoint(endpoint: str, allowed: Collection[str]) -> Destination:
    if len(endpoint) > MOST_ENDPOINT:
        raise Refusal(Message("The web address is longer than {most} characters.", most=MOST_ENDPOINT))
    destination = destination_of(endpoint)
    known = destination.origin == f"https://{destination.host}" and SERVICES.fullmatch(destination.host)
    if not known and destination.origin not in allowed:
        raise Refusal(
            Message("{host} is not a push service that this server knows.", host=destination.host), "unknown-service"
        )
    return destination


def _encrypted(subscription: Subscription, payload: bytes) -> bytes:
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    sealed: bytes = http_ece.encrypt(
        payload,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_bytes(subscription.p256dh, POINT_BYTES),
        auth_secret=_bytes(subscription.auth, SECRET_BYTES),
        version="aes128gcm",
    )
    return sealed


def _authorization(vapid: Vapid, audience: str) -> str:
    """The header that shows who sends: a signed statement for this service alone, and the key to check it with."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    key = _private_key(vapid.key)
    claims = {"aud": audience, "exp": int(time.time()) + LIFE, "sub": vapid.contact}
    signed = ".".join(_text(msgspec.json.encode(part)) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    numbers = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = _text(b"".join(number.to_bytes(NUMBER_BYTES, "big") for number in numbers))
    return f"vapid t={signed}.{signature}, k={_text(_point(key.public_key()))}"


def _private_key(text: str) -> "EllipticCurvePrivateKey":
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        return ec.derive_private_key(int.from_bytes(_bytes(text, NUMBER_BYTES), "big"), ec.SECP256R1())
    except ValueError:
        raise ValueError("the key for push is damaged: expected one that new_vapid_key made") from None


def _point(key: "EllipticCurvePublicKey") -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _text(data: bytes) -> str:
    """Bytes as base64url without padding, as all standards of push want them."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str, length: int) -> bytes:
    """The bytes of a text in base64url. Raises ValueError if they are not that many."""
    if len(text) > MOST_KEY or not re.fullmatch(r"[A-Za-z0-9_-]+={0,2}", text):
        raise ValueError("not base64url")
    try:
        data = urlsafe_b64decode(f"{text.rstrip('=')}{'=' * (-len(text.rstrip('=')) % 4)}")
    except binascii.Error as error:
        raise ValueError("not base64url") from error
    if len(data) != length:
        raise ValueError(f"{len(data)} bytes: expected {length}")
    return data
