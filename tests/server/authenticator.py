"""An authenticator in software, with the browser around it: does what it is asked, and other things where told to."""

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, HAS_KEY, HAS_EXTENSIONS = 0x01, 0x04, 0x40, 0x80


def wrapped(data: bytes) -> str:
    """Bytes in base64url, as browsers write them."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def unwrapped(text: str) -> bytes:
    return urlsafe_b64decode(text + "===")


@dataclass
class Authenticator:
    """One passkey and the browser that asks for it; change a field to make it lie."""

    origin: str
    rp_id: str
    id: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    count: int = 0
    flags: int = PRESENT | VERIFIED
    client_data: dict[str, Any] = field(default_factory=dict[str, Any])
    """What the browser says instead of the truth."""
    form: str = "none"
    statement: dict[str, Any] = field(default_factory=dict[str, Any])
    extensions: bytes = b""
    cose_key: bytes = b""
    """The public key that it shows; its own if empty."""

    def made(self, options: dict[str, Any]) -> str:
        """The answer to options of a registration."""
        client_data = self._client_data("webauthn.create", options["challenge"])
        shown = len(self.id).to_bytes(2, "big") + self.id + (self.cose_key or self._own_key())
        data = self._data(HAS_KEY) + bytes(16) + shown + self.extensions
        attestation = cbor2.dumps({"fmt": self.form, "attStmt": self.statement, "authData": data})
        return self._answer({"clientDataJSON": wrapped(client_data), "attestationObject": wrapped(attestation)})

    def signed(self, options: dict[str, Any]) -> str:
        """The answer to options of a sign-in."""
        client_data = self._client_data("webauthn.get", options["challenge"])
        data = self._data() + self.extensions
        signature = self.key.sign(data + sha256(client_data).digest(), ec.ECDSA(SHA256()))
        return self._answer(
            {
                "clientDataJSON": wrapped(client_data),
                "authenticatorData": wrapped(data),
                "signature": wrapped(signature),
                "userHandle": wrapped(b"person"),
            }
        )

    def _client_data(self, kind: str, challenge: str) -> bytes:
        told = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(told | self.client_data).encode()

    def _data(self, flags: int = 0) -> bytes:
        extended = HAS_EXTENSIONS if self.extensions else 0
        said = bytes([self.flags | flags | extended])
        return sha256(self.rp_id.encode()).digest() + said + self.count.to_bytes(4, "big")

    def _own_key(self) -> bytes:
        numbers = self.key.public_key().public_numbers()
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")})

    def _answer(self, response: dict[str, Any]) -> str:
        told = {"id": wrapped(self.id), "rawId": wrapped(self.id), "type": "public-key", "response": response}
        return json.dumps(told | {"authenticatorAttachment": "platform", "clientExtensionResults": {}})
