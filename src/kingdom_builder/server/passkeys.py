"""Passkeys: what a browser is asked to sign, and whether its answer holds.

A ceremony has two halves. The server asks with options that hold a challenge, and keeps the challenge; the browser
answers with a text of JSON, whose signature must fit the challenge, the place and the passkey. The arithmetic is that
of the package `webauthn`, which is loaded with the first ceremony; without it there are no passkeys.
"""

import hmac
import re
import time
from base64 import b64decode, urlsafe_b64encode
from collections import deque
from collections.abc import Callable, Collection
from hashlib import sha256
from importlib.util import find_spec
from typing import Any, Generic, Literal, NamedTuple, NoReturn, TypeVar

import msgspec

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.plain_cbor import plain_values

SERVER_NAME = "Kingdom Builder"
"""The name of this server in a browser's list of passkeys."""

CHALLENGE_SECONDS = 300.0
CHALLENGES_OF_DEVICE = 4
"""Challenges for one purpose that a device may have open: one for each page that asks."""

DEVICES_WITH_CHALLENGES = 10_000
PASSKEYS_OF_PERSON = 20

LONGEST_ANSWER = 16_000
"""Characters of an answer. Those of authenticators have about 1,000, or 2,000 with an RSA key."""

LONGEST_ID = 1023
LONGEST_KEY = 600
"""Bytes of a public key: enough for RSA with 4,096 bits."""

RP_ID_BYTES, FLAGS_AT, COUNT_AT, REST_AT, ID_LENGTH_AT = 32, 32, 33, 37, 53
"""Where things are in the data of an authenticator."""

HAS_KEY = 0x40
"""The flag of an authenticator that says that a new key follows."""

HOST = re.compile(r"(?P<name>[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::(?P<port>[0-9]{1,5}))?")
NUMBERS = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")
"""Names that browsers take for an IP address: those whose last part is a number."""

LONGEST_NAME = 253
DEFAULT_PORTS = {"https": 443, "http": 80}

Purpose = Literal["register", "sign in"]
T = TypeVar("T")


class Place(NamedTuple):
    """Where a page is, as a passkey knows it."""

    rp_id: str
    """The name of the host. A passkey works only there."""
    origin: str
    """Scheme, host and port."""


class Credential(NamedTuple):
    """What the server keeps of a passkey."""

    id: bytes
    public_key: bytes
    sign_count: int
    """How often it has signed, as it says itself; 0 for those that do not count."""


class Options(NamedTuple):
    """What a browser is asked."""

    challenge: bytes
    json: dict[str, Any]
    """The options as `PublicKeyCredential.parseCreationOptionsFromJSON` reads them, or its sister for requests."""


class Challenges:
    """The challenges that wait for an answer: each for one device and purpose, for five minutes and one answer."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: dict[tuple[str, Purpose], deque[tuple[bytes, float]]] = {}
        """Challenges and when they end, the newest last; the device that asked last is at the end."""

    def keep(self, challenge: bytes, device: str, purpose: Purpose) -> None:
        """Wait for an answer to a challenge. `device` is the hash of the device's secret."""
        now = self._clock()
        kept = self._open.pop((device, purpose), None) or deque(maxlen=CHALLENGES_OF_DEVICE)
        kept.append((challenge, now + CHALLENGE_SECONDS))
        self._open[device, purpose] = kept
        while len(self._open) > DEVICES_WITH_CHALLENGES or self._ends_first() <= now:
            del self._open[next(iter(self._open))]

    def redeem(self, challenge: bytes, device: str, purpose: Purpose) -> None:
        """Use a challenge up, before its answer is checked. Raises Refusal if it does not wait for one."""
        kept = self._open.get((device, purpose), deque())
        found = next((each for each in kept if each[0] == challenge), None)
        if found is not None:
            kept.remove(found)
            if not kept:
                del self._open[device, purpose]
        if found is None or found[1] <= self._clock():
            raise Refusal(Message("This took too long, or was answered before: try again."), "expired")

    def __len__(self) -> int:
        return sum(map(len, self._open.values()))

    def _ends_first(self) -> float:
        """When the last challenge of the device that has waited longest ends."""
        return next(iter(self._open.values()))[-1][1]


def is_available() -> bool:
    """Whether this server can check passkeys: the package for it is an optional dependency."""
    return find_spec("webauthn") is not None


def place_of(scheme: str, host: str) -> Place | Message:
    """The place of a page by the scheme and the `Host` of its request, or why passkeys do not work there."""
    found = HOST.fullmatch(host.lower()) if len(host) <= LONGEST_NAME + len(":65535") else None
    name = found["name"] if found else ""
    if host.startswith("[") or NUMBERS.fullmatch(name):
        return Message("Passkeys need an address with a name: they do not work with numbers such as 127.0.0.1.")
    if found is None or len(name) > LONGEST_NAME:
        return Message("Passkeys do not work at this address: its name cannot be read.")
    is_local = name == "localhost" or name.endswith(".localhost")
    if scheme != "https" and not (scheme == "http" and is_local):
        return Message("Passkeys need an address that begins with https, or localhost.")
    port = int(found["port"] or DEFAULT_PORTS[scheme])
    return Place(name, f"{scheme}://{name}" + ("" if port == DEFAULT_PORTS[scheme] else f":{port}"))


def registration_options(
    person_id: str, name: str, rp_id: str, known_credentials: Collection[Credential] = ()
) -> Options:
    """What a browser is asked to make a passkey for a person. Raises Refusal if they have too many."""
    _check_available()
    from webauthn import generate_registration_options
    from webauthn.helpers import options_to_json_dict, structs

    if len(known_credentials) >= PASSKEYS_OF_PERSON:
        raise Refusal(
            Message("You have {n} passkeys: remove one before you add another.", n=len(known_credentials)), "full"
        )
    options = generate_registration_options(
        rp_id=rp_id,
        rp_name=SERVER_NAME,
        user_id=person_id.encode(),
        user_name=name or SERVER_NAME,
        timeout=int(CHALLENGE_SECONDS * 1000),
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(each.id) for each in known_credentials],
    )
    return Options(options.challenge, options_to_json_dict(options))


def sign_in_options(rp_id: str) -> Options:
    """What a browser is asked to sign in with whatever passkey its owner chooses."""
    _check_available()
    from webauthn import generate_authentication_options
    from webauthn.helpers import options_to_json_dict

    options = generate_authentication_options(rp_id=rp_id, timeout=int(CHALLENGE_SECONDS * 1000))
    return Options(options.challenge, options_to_json_dict(options))


def challenge_of(answer: str) -> bytes:
    """The challenge that an answer says it answers. Raises Refusal."""
    return _unwrapped(_client_data(_unwrapped(_read(answer, _Answer[_Response]).response.client_data)).challenge)


def credential_id_of(answer: str) -> bytes:
    """The passkey that an answer says it comes from. Raises Refusal."""
    return _id_of(_read(answer, _Answer[_Response]))


def verified_registration(answer: str, challenge: bytes, rp_id: str, origin: str) -> Credential:
    """The new passkey of an answer that holds; raises Refusal otherwise.

    Its id may be that of a passkey which the server has: that is for the caller to find out.
    """
    _check_available()
    from webauthn import verify_registration_response
    from webauthn.helpers import decode_credential_public_key, decoded_public_key_to_cryptography, structs

    read = _read(answer, _Answer[_NewResponse])
    identity, client_data = _id_of(read), _unwrapped(read.response.client_data)
    attestation = _unwrapped(read.response.attestation_object)
    _check_client_data(client_data, "webauthn.create", challenge, origin)
    data = _authenticator_data_of(attestation)
    _check_authenticator_data(data, rp_id)
    if _new_id(data) != identity:
        _refuse()
    credential = structs.RegistrationCredential(
        read.id, identity, structs.AuthenticatorAttestationResponse(client_data, attestation)
    )
    try:
        verified = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=rp_id,
            expected_origin=origin,
        )
        key = verified.credential_public_key
        # A key that nobody can use would lock its owner out later.
        decoded_public_key_to_cryptography(decode_credential_public_key(key))
    except Exception as error:  # the package lets errors of malformed values through, of any kind
        _refuse(error)
    if len(key) > LONGEST_KEY:
        _refuse()
    return Credential(identity, key, verified.sign_count)


def verified_sign_in(answer: str, challenge: bytes, credential: Credential, rp_id: str, origin: str) -> int:
    """The new sign count of a passkey whose answer holds; raises Refusal otherwise.

    The person is whoever the passkey was registered for. The user handle of the answer is not asked: it still names the
    guest that a person was before they signed in elsewhere.
    """
    _check_available()
    from webauthn import verify_authentication_response
    from webauthn.helpers import structs

    read = _read(answer, _Answer[_SignedResponse])
    identity, client_data = _id_of(read), _unwrapped(read.response.client_data)
    data = _unwrapped(read.response.authenticator_data)
    _check_client_data(client_data, "webauthn.get", challenge, origin)
    _check_authenticator_data(data, rp_id)
    if identity != credential.id:
        _refuse()
    count = int.from_bytes(data[COUNT_AT:REST_AT], "big")
    if (count or credential.sign_count) and count <= credential.sign_count:
        raise Refusal(
            Message("This passkey has been used elsewhere in the meantime, so it may be a copy: use another way in."),
            "passkey",
        )
    response = structs.AuthenticatorAssertionResponse(client_data, data, _unwrapped(read.response.signature))
    try:
        verified = verify_authentication_response(
            credential=structs.AuthenticationCredential(read.id, identity, response),
            expected_challenge=challenge,
            expected_rp_id=rp_id,
            expected_origin=origin,
            credential_public_key=credential.public_key,
            credential_current_sign_count=credential.sign_count,
        )
    except Exception as error:  # as in a registration
        _refuse(error)
    return verified.new_sign_count


class _Response(msgspec.Struct):
    client_data: str = msgspec.field(name="clientDataJSON")


class _NewResponse(_Response):
    attestation_object: str = msgspec.field(name="attestationObject")


class _SignedResponse(_Response):
    authenticator_data: str = msgspec.field(name="authenticatorData")
    signature: str


R = TypeVar("R", bound=_Response)


class _Answer(msgspec.Struct, Generic[R]):
    """What every answer of a browser has; whatever else it has is ignored."""

    id: str
    raw_id: str = msgspec.field(name="rawId")
    type: Literal["public-key"]
    response: R


class _ClientData(msgspec.Struct):
    type: str
    challenge: str
    origin: str
    is_framed: bool = msgspec.field(name="crossOrigin", default=False)


def _check_available() -> None:
    if not is_available():
        raise Refusal(Message("This server cannot check passkeys: its operator has not installed them."), "unavailable")


def _read(answer: str, kind: type[T]) -> T:
    if len(answer) > LONGEST_ANSWER:
        raise Refusal(
            Message("The answer has {n} characters: expected at most {most}.", n=len(answer), most=LONGEST_ANSWER),
            "too-large",
        )
    return _decoded(answer, kind)


def _decoded(text: str | bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(text, type=kind)
    except (ValueError, RecursionError) as error:
        _refuse(error)


def _client_data(text: bytes) -> _ClientData:
    return _decoded(text, _ClientData)


def _unwrapped(text: str) -> bytes:
    """The bytes of a text in base64url."""
    try:
        return b64decode(text + "=" * (-len(text) % 4), altchars="-_", validate=True)
    except ValueError as error:
        _refuse(error)


def _id_of(answer: _Answer[R]) -> bytes:
    identity = _unwrapped(answer.raw_id)
    is_told_twice = answer.id == urlsafe_b64encode(identity).rstrip(b"=").decode()
    if not is_told_twice or not 0 < len(identity) <= LONGEST_ID:
        _refuse()
    return identity


def _check_client_data(text: bytes, kind: str, challenge: bytes, origin: str) -> None:
    data = _client_data(text)
    if data.origin != origin or data.is_framed:  # a proxy that hides the address from the server does this, too
        raise Refusal(
            Message("The passkey was asked for by another page: expected {origin}.", origin=origin), "passkey"
        )
    if data.type != kind or not hmac.compare_digest(_unwrapped(data.challenge), challenge):
        _refuse()


def _authenticator_data_of(attestation: bytes) -> bytes:
    """The authenticator's data in an attestation that has no certificates, since nobody asked for any."""
    try:
        (found,) = plain_values(attestation)
    except ValueError as error:
        _refuse(error)
    if not isinstance(found, dict):
        _refuse()
    data, statement = found.get("authData"), found.get("attStmt")
    is_bare = found.get("fmt") == "none" and statement == {}
    is_own = found.get("fmt") == "packed" and isinstance(statement, dict) and statement.keys() == {"alg", "sig"}
    if not isinstance(data, bytes) or not (is_bare or is_own):
        _refuse()
    return data


def _check_authenticator_data(data: bytes, rp_id: str) -> None:
    """Refuse data of another host, and data that are not safe to decode."""
    if len(data) < REST_AT or data[:RP_ID_BYTES] != sha256(rp_id.encode()).digest():
        _refuse()
    has_key = data[FLAGS_AT] & HAS_KEY
    try:
        plain_values(data[ID_LENGTH_AT + 2 + len(_new_id(data)) :] if has_key else data[REST_AT:])
    except ValueError as error:
        _refuse(error)


def _new_id(data: bytes) -> bytes:
    """The id of a new passkey in the data of its authenticator."""
    start = ID_LENGTH_AT + 2
    return data[start : start + int.from_bytes(data[ID_LENGTH_AT:start], "big")]


def _refuse(error: Exception | None = None) -> NoReturn:
    raise Refusal(Message("The passkey could not be checked: try again, or use another way in."), "passkey") from error
