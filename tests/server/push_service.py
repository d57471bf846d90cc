"""A push service on the loopback, with the browser behind it: checks who sends, and decrypts what they sent.

Decryption is written from RFC 8291 and does not share code with what is tested.
"""

import hashlib
import hmac
import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from server.receiver import HttpRequest, Receiver, http_answer

DAY = 86_400


@dataclass(frozen=True)
class Push:
    """A message that arrived, as the browser reads it."""

    payload: bytes
    headers: dict[str, str]
    claims: dict[str, Any]
    key: str
    """The public key of the sender, in base64url."""


class Browser:
    """The half of a subscription that stays in the browser."""

    def __init__(self, key: ec.EllipticCurvePrivateKey | None = None, auth: bytes = b"sixteen secrets!") -> None:
        self._key = key or ec.generate_private_key(ec.SECP256R1())
        self._auth = auth
        self.p256dh = as_text(_point(self._key.public_key()))
        self.auth = as_text(auth)

    def decrypt(self, body: bytes) -> bytes:
        """The payload of an encrypted body. Raises an error if it is not meant for this browser."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size, "one record"
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        about = b"WebPush: info\0" + _point(self._key.public_key()) + sender
        secret = _derived(self._auth, shared, about, 32)
        key = _derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derived(salt, secret, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert padded.endswith(b"\2"), "the last record"
        return padded[:-1]


class PushService(Receiver):
    """Takes messages for one browser and refuses what a real service would refuse, with a reason in `complaints`."""

    def __init__(self) -> None:
        super().__init__()
        self.browser = Browser()
        self.complaints: list[str] = []

    @property
    def endpoint(self) -> str:
        return f"{self.origin}/push/some-browser"

    def next_push(self) -> Push:
        """The next message; waits for it."""
        request = self.next()
        return Push(self.browser.decrypt(request.body), request.headers, *self._sender(request))

    def answer_to(self, request: HttpRequest) -> bytes | None:
        try:
            self._check(request)
            self.browser.decrypt(request.body)
        except Exception as error:
            self.complaints.append(repr(error))
            return http_answer(403)
        return super().answer_to(request)

    def _check(self, request: HttpRequest) -> None:
        headers = request.headers
        assert (request.method, request.target) == ("POST", "/push/some-browser")
        assert headers["content-encoding"] == "aes128gcm"
        assert len(request.body) <= 4096
        assert int(headers["ttl"]) >= 0
        assert len(headers["topic"]) <= 32
        as_bytes(headers["topic"])
        claims, _ = self._sender(request)
        assert claims["aud"] == self.origin
        assert time.time() < claims["exp"] <= time.time() + DAY
        assert claims["sub"].startswith(("mailto:", "https://"))

    def _sender(self, request: HttpRequest) -> tuple[dict[str, Any], str]:
        """What the sender claims, and their key. Raises InvalidSignature if the key did not sign it."""
        scheme, _, parameters = request.headers["authorization"].partition(" ")
        assert scheme == "vapid"
        values = dict(part.strip().split("=", 1) for part in parameters.split(","))
        head, claims, signature = values["t"].split(".")
        assert json.loads(as_bytes(head)) == {"typ": "JWT", "alg": "ES256"}
        raw = as_bytes(signature)
        if len(raw) != 64:
            raise InvalidSignature
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), as_bytes(values["k"]))
        numbers = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        key.verify(numbers, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        return json.loads(as_bytes(claims)), values["k"]


def as_text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def as_bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(salt: bytes, secret: bytes, about: bytes, length: int) -> bytes:
    """HKDF with SHA-256 (RFC 5869) for one block."""
    return hmac.digest(hmac.digest(salt, secret, hashlib.sha256), about + b"\1", hashlib.sha256)[:length]
