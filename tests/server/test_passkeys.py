"""Passkeys: honest answers hold, and nothing else does."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import Any

import cbor2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server import passkeys
from kingdom_builder.server.passkeys import Challenges, Credential, Place, place_of
from kingdom_builder.server.plain_cbor import plain_values
from server.authenticator import HAS_KEY, PRESENT, Authenticator, unwrapped, wrapped

HERE = Place("play.example.org", "https://play.example.org")

SLOW_PATTERN = "(?i)" + "[\x00-\uffff]" * 600
"""A regular expression that takes seconds to compile."""


def authenticator() -> Authenticator:
    return Authenticator(HERE.origin, HERE.rp_id)


def register(device: Authenticator) -> Credential:
    options = passkeys.registration_options("person", "Ann", HERE.rp_id)
    return passkeys.verified_registration(device.made(options.json), options.challenge, *HERE)


def sign_in(device: Authenticator, credential: Credential) -> int:
    options = passkeys.sign_in_options(HERE.rp_id)
    return passkeys.verified_sign_in(device.signed(options.json), options.challenge, credential, *HERE)


def refusal(attempt: Callable[[], object]) -> Refusal:
    """What an attempt is refused with: always one sentence."""
    with pytest.raises(Refusal) as caught:
        attempt()
    text = str(caught.value)
    assert text.endswith(".")
    assert ". " not in text
    return caught.value


class TestHonest:
    def test_a_passkey_is_registered_and_signs_in(self) -> None:
        device = authenticator()
        credential = register(device)
        assert (credential.id, credential.sign_count) == (device.id, 0)
        assert sign_in(device, credential) == 0

    def test_a_passkey_that_counts_goes_on_counting(self) -> None:
        device = replace(authenticator(), count=5)
        credential = register(device)
        device.count = 6
        assert sign_in(device, credential) == 6

    def test_a_security_key_without_a_pin_is_enough(self) -> None:
        device = replace(authenticator(), flags=PRESENT)
        assert sign_in(device, register(device)) == 0

    def test_a_large_rsa_key_is_registered(self) -> None:
        key = cbor2.dumps({1: 3, 3: -257, -1: b"\xff" * 512, -2: b"\1\0\1"})
        assert register(replace(authenticator(), cose_key=key)).public_key == key

    def test_extensions_are_read_over(self) -> None:
        device = replace(authenticator(), extensions=cbor2.dumps({"credProtect": 2, "hmac-secret": True}))
        assert sign_in(device, register(device)) == 0

    def test_a_passkey_may_vouch_for_itself(self) -> None:
        device, options = authenticator(), passkeys.registration_options("person", "Ann", HERE.rp_id)
        response = json.loads(device.made(options.json))["response"]
        signed = _authenticator_data(response) + sha256(unwrapped(response["clientDataJSON"])).digest()
        statement = {"alg": -7, "sig": device.key.sign(signed, ec.ECDSA(SHA256()))}
        answer = replace(device, form="packed", statement=statement).made(options.json)
        assert passkeys.verified_registration(answer, options.challenge, *HERE).id == device.id

    def test_the_options_ask_for_a_passkey_that_is_found_without_a_name(self) -> None:
        known = Credential(b"known", b"key", 0)
        json_of = passkeys.registration_options("person", "Ann", HERE.rp_id, [known]).json
        assert json_of["authenticatorSelection"]["residentKey"] == "required"
        assert json_of["authenticatorSelection"]["userVerification"] == "preferred"
        assert json_of["excludeCredentials"] == [{"id": wrapped(b"known"), "type": "public-key"}]
        assert json_of["user"] == {"id": wrapped(b"person"), "name": "Ann", "displayName": "Ann"}
        assert json_of["attestation"] == "none"
        asked = passkeys.sign_in_options(HERE.rp_id).json
        assert asked["allowCredentials"] == []
        assert asked["userVerification"] == "preferred"

    def test_a_person_without_a_name_can_have_a_passkey(self) -> None:
        assert passkeys.registration_options("person", "", HERE.rp_id).json["user"]["name"]

    def test_options_are_plain_json_and_never_the_same(self) -> None:
        made = [passkeys.sign_in_options(HERE.rp_id) for _ in range(3)]
        assert len({options.challenge for options in made}) == 3
        for options in made:
            assert json.loads(json.dumps(options.json)) == options.json
            assert unwrapped(options.json["challenge"]) == options.challenge

    def test_an_answer_says_which_challenge_and_passkey_it_is_about(self) -> None:
        device, options = authenticator(), passkeys.sign_in_options(HERE.rp_id)
        answer = device.signed(options.json)
        assert passkeys.challenge_of(answer) == options.challenge
        assert passkeys.credential_id_of(answer) == device.id


def _authenticator_data(response: dict[str, Any]) -> bytes:
    (attestation,) = plain_values(unwrapped(response["attestationObject"]))
    assert isinstance(attestation, dict)
    data = attestation["authData"]
    assert isinstance(data, bytes)
    return data


LIES: dict[str, dict[str, Any]] = {
    "another origin": {"origin": "https://evil.example"},
    "another port": {"origin": f"{HERE.origin}:8443"},
    "the origin without https": {"origin": "http://play.example.org"},
    "another host": {"rp_id": "evil.example"},
    "the parent's host": {"rp_id": "example.org"},
    "nobody there": {"flags": 0},
    "a frame in another page": {"client_data": {"crossOrigin": True}},
    "another kind of ceremony": {"client_data": {"type": "payment.get"}},
    "another challenge": {"client_data": {"challenge": wrapped(bytes(64))}},
    "a part of the challenge": {"client_data": {"challenge": ""}},
    "a backup of what cannot be backed up": {"flags": PRESENT | 0x10},
    "rubbish as extensions": {"extensions": b"\xff\xff"},
    "extensions that take seconds to decode": {"extensions": cbor2.dumps(cbor2.CBORTag(35, SLOW_PATTERN))},
    "extensions without an end": {"extensions": b"\x9f" * 3000},
    "a challenge that is not text": {"client_data": {"challenge": 5}},
}


class TestDishonest:
    @pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
    def test_a_lie_registers_nothing(self, lie: dict[str, Any]) -> None:
        refusal(lambda: register(replace(authenticator(), **lie)))

    @pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
    def test_a_lie_signs_nobody_in(self, lie: dict[str, Any]) -> None:
        device = authenticator()
        credential = register(device)
        refusal(lambda: sign_in(replace(device, **lie), credential))

    def test_the_refusal_of_another_origin_names_the_right_one(self) -> None:
        device = replace(authenticator(), origin="https://evil.example")
        assert HERE.origin in str(refusal(lambda: register(device)))

    def test_an_answer_to_one_challenge_does_not_fit_the_next(self) -> None:
        device = authenticator()
        credential = register(device)
        first, second = passkeys.sign_in_options(HERE.rp_id), passkeys.sign_in_options(HERE.rp_id)
        answer = device.signed(first.json)
        assert passkeys.verified_sign_in(answer, first.challenge, credential, *HERE) == 0
        refusal(lambda: passkeys.verified_sign_in(answer, second.challenge, credential, *HERE))

    def test_a_registration_is_no_sign_in_and_the_other_way_round(self) -> None:
        device = authenticator()
        credential = register(device)
        asked = passkeys.registration_options("person", "Ann", HERE.rp_id)
        made, signed = device.made(asked.json), device.signed(asked.json)
        refusal(lambda: passkeys.verified_sign_in(made, asked.challenge, credential, *HERE))
        refusal(lambda: passkeys.verified_registration(signed, asked.challenge, *HERE))

    def test_the_passkey_of_somebody_else_does_not_sign_in(self) -> None:
        mine, yours = authenticator(), authenticator()
        credential = register(mine)
        refusal(lambda: sign_in(yours, credential))
        refusal(lambda: sign_in(replace(yours, id=mine.id), credential))  # claims to be mine
        refusal(lambda: sign_in(replace(mine, id=yours.id), credential))  # my key, your name

    def test_a_new_passkey_cannot_give_itself_two_ids(self) -> None:
        device, options = authenticator(), passkeys.registration_options("person", "Ann", HERE.rp_id)
        answer = json.loads(device.made(options.json))
        other = wrapped(bytes(32))
        for claim in ({"id": other, "rawId": other}, {"id": other}, {"rawId": other}, {"id": "", "rawId": ""}):
            told = json.dumps(answer | claim)
            refusal(partial(passkeys.verified_registration, told, options.challenge, *HERE))
        refusal(lambda: passkeys.credential_id_of(json.dumps(answer | {"id": other})))

    @pytest.mark.parametrize(("known", "counted"), [(5, 5), (5, 4), (5, 0), (2**32 - 1, 0)])
    def test_a_count_that_does_not_rise_may_be_a_copy(self, known: int, counted: int) -> None:
        device = authenticator()
        credential = register(device)._replace(sign_count=known)
        device.count = counted
        assert "copy" in str(refusal(lambda: sign_in(device, credential)))

    @pytest.mark.parametrize(
        "key",
        [
            {1: 2, 3: -7, -1: 1, -2: bytes(32), -3: bytes(32)},  # not on the curve
            {1: 2, 3: -7, -1: 1, -2: bytes(32)},
            {1: 2, 3: -7, -1: 99, -2: bytes(32), -3: bytes(32)},
            {1: 3, 3: -65535, -1: bytes(256), -2: b"\1\0\1"},  # SHA-1
            {1: 3, 3: -257, -1: b"\xff" * 1024, -2: b"\1\0\1"},  # too much work for each sign-in
            {1: 7, 3: -48, -1: bytes(1312)},
            {1: 1, 3: -8, -1: 6, -2: bytes(31)},
            {},
            [],
            5,
            cbor2.CBORTag(35, SLOW_PATTERN),
        ],
        ids=range(11),
    )
    def test_a_key_that_nobody_can_use_is_not_registered(self, key: object) -> None:
        refusal(lambda: register(replace(authenticator(), cose_key=cbor2.dumps(key))))

    @pytest.mark.parametrize(
        ("form", "statement"),
        [
            ("none", {"sig": b"1"}),
            ("packed", {"alg": -7, "sig": b"1"}),
            ("packed", {"alg": -7, "sig": b"1", "x5c": [b"1"]}),
            ("android-safetynet", {"ver": "1", "response": b"1"}),
            ("tpm", {}),
            ("", {}),
        ],
    )
    def test_nobody_is_asked_for_certificates(self, form: str, statement: dict[str, Any]) -> None:
        refusal(lambda: register(replace(authenticator(), form=form, statement=statement)))

    def test_a_certificate_is_not_looked_at_even_if_it_is_a_good_one(self) -> None:
        device, options = authenticator(), passkeys.registration_options("person", "Ann", HERE.rp_id)
        response = json.loads(device.made(options.json))["response"]
        signed = _authenticator_data(response) + sha256(unwrapped(response["clientDataJSON"])).digest()
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Maker")])
        start = datetime(2020, 1, 1, tzinfo=UTC)
        certificate = x509.CertificateBuilder(name, name, device.key.public_key(), 1, start, start.replace(year=2100))
        shown = certificate.sign(device.key, SHA256()).public_bytes(Encoding.DER)
        statement = {"alg": -7, "sig": device.key.sign(signed, ec.ECDSA(SHA256())), "x5c": [shown]}
        answer = replace(device, form="packed", statement=statement).made(options.json)
        refusal(lambda: passkeys.verified_registration(answer, options.challenge, *HERE))

    def test_a_person_has_so_many_passkeys_at_most(self) -> None:
        known = [Credential(bytes([number]), b"", 0) for number in range(passkeys.PASSKEYS_OF_PERSON)]
        passkeys.registration_options("person", "Ann", HERE.rp_id, known[1:])
        assert refusal(lambda: passkeys.registration_options("person", "Ann", HERE.rp_id, known)).code == "full"


class TestGarbage:
    def test_an_answer_has_a_greatest_length(self) -> None:
        device, options = authenticator(), passkeys.registration_options("person", "Ann", HERE.rp_id)
        answer = device.made(options.json)
        longest = answer + " " * (passkeys.LONGEST_ANSWER - len(answer))
        assert passkeys.verified_registration(longest, options.challenge, *HERE)
        for read in (passkeys.challenge_of, passkeys.credential_id_of):
            assert refusal(partial(read, longest + " ")).code == "too-large"
        attempt = longest + " "
        assert refusal(lambda: passkeys.verified_registration(attempt, options.challenge, *HERE)).code == "too-large"
        credential = Credential(device.id, b"", 0)
        assert (
            refusal(lambda: passkeys.verified_sign_in(attempt, options.challenge, credential, *HERE)).code
            == "too-large"
        )

    def test_an_id_has_a_greatest_length(self) -> None:
        register(replace(authenticator(), id=bytes(passkeys.LONGEST_ID)))
        refusal(lambda: register(replace(authenticator(), id=bytes(passkeys.LONGEST_ID + 1))))

    @pytest.mark.parametrize("answer", ["", "null", "[]", "{}", "5", '"', "[" * 15_000, '{"id":' * 2_000, "\ud800"])
    def test_what_is_no_answer_is_refused(self, answer: str) -> None:
        self._refused(answer)

    @given(st.data())
    def test_an_answer_with_any_part_replaced_is_refused(self, data: st.DataObject) -> None:
        device, options = DEVICE, SIGN_IN
        answer = json.loads(device.signed(options.json))
        place = answer["response"] if data.draw(st.booleans()) else answer
        ignored = {"userHandle", "authenticatorAttachment", "clientExtensionResults"}
        key = data.draw(st.sampled_from(sorted(place.keys() - ignored)))
        values = st.none() | st.integers() | st.text(max_size=50) | st.binary(max_size=200).map(wrapped)
        replaced = data.draw(values.filter(lambda value: value != place[key]))
        place[key] = replaced
        self._refused(json.dumps(answer))

    @given(st.integers(0), st.integers(0, 7))
    def test_an_answer_with_any_bit_changed_is_refused(self, at: int, bit: int) -> None:
        response = json.loads(SIGNED)["response"]
        for key in ("clientDataJSON", "authenticatorData", "signature"):
            changed = bytearray(unwrapped(response[key]))
            changed[at % len(changed)] ^= 1 << bit
            self._refused(json.dumps(json.loads(SIGNED) | {"response": response | {key: wrapped(bytes(changed))}}))

    @given(st.binary(max_size=300))
    def test_rubbish_as_an_attestation_is_refused(self, rubbish: bytes) -> None:
        options = REGISTRATION
        answer = json.loads(DEVICE.made(options.json))
        answer["response"]["attestationObject"] = wrapped(rubbish)
        refusal(lambda: passkeys.verified_registration(json.dumps(answer), options.challenge, *HERE))
        data = sha256(HERE.rp_id.encode()).digest() + bytes([PRESENT | HAS_KEY]) + rubbish
        wrapping = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        answer["response"]["attestationObject"] = wrapped(wrapping)
        refusal(lambda: passkeys.verified_registration(json.dumps(answer), options.challenge, *HERE))

    @staticmethod
    def _refused(answer: str) -> None:
        refusal(lambda: passkeys.verified_sign_in(answer, SIGN_IN.challenge, CREDENTIAL, *HERE))


DEVICE = authenticator()
CREDENTIAL = register(DEVICE)
SIGN_IN = passkeys.sign_in_options(HERE.rp_id)
REGISTRATION = passkeys.registration_options("person", "Ann", HERE.rp_id)
SIGNED = DEVICE.signed(SIGN_IN.json)


PLAIN = st.recursive(
    st.integers(-(2**64), 2**64 - 1) | st.binary(max_size=30) | st.text(max_size=30) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.integers(-9, 9) | st.text(max_size=9), inner),
    max_leaves=4,
)


def depth(value: object) -> int:
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return (1 if isinstance(value, (dict, list)) else 0) + max(map(depth, inner), default=0)


class TestPlainCbor:
    @given(st.lists(PLAIN.filter(lambda value: depth(value) <= 4), max_size=3))
    def test_it_reads_what_others_write(self, values: list[object]) -> None:
        assert plain_values(b"".join(map(cbor2.dumps, values))) == values

    @given(st.binary(max_size=100))
    def test_whatever_it_reads_others_read_in_the_same_way(self, data: bytes) -> None:
        try:
            values = plain_values(data)
        except ValueError:
            return
        written = b"".join(map(cbor2.dumps, values))
        assert plain_values(written) == values

    @pytest.mark.parametrize(
        "data",
        [
            cbor2.dumps(cbor2.CBORTag(35, "a")),
            cbor2.dumps(1.5),
            b"\x81" * 5 + b"\x00",
            b"\x9f\xff",
            b"\x5f\xff",
            b"\x9b" + b"\xff" * 8,
            b"\x5b" + b"\xff" * 8,
            b"\xa2\x01\x01\x01\x02",
            b"\xa1\xf5\x01",
            b"\xa1\x41\x01\x01",
            b"\x62\xff\xff",
            b"\x18",
            b"\x1c",
        ],
        ids=range(13),
    )
    def test_it_refuses_everything_else(self, data: bytes) -> None:
        with pytest.raises(ValueError):  # noqa: PT011 each part of it says something else
            plain_values(data)


class TestPlaces:
    @pytest.mark.parametrize(
        ("scheme", "host", "place"),
        [
            ("https", "play.example.org", HERE),
            ("https", "Play.Example.org:443", HERE),
            ("https", "play.example.org:8443", Place("play.example.org", "https://play.example.org:8443")),
            ("https", "localhost", Place("localhost", "https://localhost")),
            ("http", "localhost:8000", Place("localhost", "http://localhost:8000")),
            ("http", "localhost:80", Place("localhost", "http://localhost")),
            ("http", "kb.localhost:8000", Place("kb.localhost", "http://kb.localhost:8000")),
            ("https", "1and1.example", Place("1and1.example", "https://1and1.example")),
        ],
    )
    def test_passkeys_work_with_https_and_on_localhost(self, scheme: str, host: str, place: Place) -> None:
        assert place_of(scheme, host) == place

    @pytest.mark.parametrize(
        ("scheme", "host", "why"),
        [
            ("http", "play.example.org", "https"),
            ("http", "localhost.example.org", "https"),
            ("http", "notlocalhost", "https"),
            ("ftp", "localhost", "https"),
            ("", "localhost", "https"),
            ("https", "192.168.1.5", "numbers"),
            ("http", "127.0.0.1:8000", "numbers"),
            ("https", "[::1]:8000", "numbers"),
            ("https", "127.1", "numbers"),
            ("https", "0x7f.1", "numbers"),
            ("https", "2130706433", "numbers"),
            ("https", "", "cannot be read"),
            ("https", "a.b:port", "cannot be read"),
            ("https", "a..b", "cannot be read"),
            ("https", "user@a.b", "cannot be read"),
            ("https", "a.b/c", "cannot be read"),
            ("https", "a.b\n", "cannot be read"),
            ("https", "a." * 126 + "bcd", "cannot be read"),
            ("https", "a." * 5000 + "b", "cannot be read"),
        ],
    )
    def test_elsewhere_the_page_is_told_why_not(self, scheme: str, host: str, why: str) -> None:
        place = place_of(scheme, host)
        assert isinstance(place, Message)
        assert why in str(place)

    @given(st.text(max_size=10), st.text(max_size=300))
    def test_any_host_is_a_place_or_is_told_why_not(self, scheme: str, host: str) -> None:
        place = place_of(scheme, host)
        assert isinstance(place, Message) or place.origin.startswith(f"{scheme}://{place.rp_id}")


class TestChallenges:
    def test_a_challenge_is_good_for_one_answer(self) -> None:
        challenges = Challenges(lambda: 0.0)
        challenges.keep(b"1", "device", "sign in")
        challenges.redeem(b"1", "device", "sign in")
        assert refusal(lambda: challenges.redeem(b"1", "device", "sign in")).code == "expired"

    def test_a_challenge_is_for_one_device_and_purpose(self) -> None:
        challenges = Challenges(lambda: 0.0)
        challenges.keep(b"1", "device", "sign in")
        refusal(lambda: challenges.redeem(b"1", "other", "sign in"))
        refusal(lambda: challenges.redeem(b"1", "device", "register"))
        refusal(lambda: challenges.redeem(b"2", "device", "sign in"))
        challenges.redeem(b"1", "device", "sign in")

    def test_a_challenge_ends_after_five_minutes(self) -> None:
        now = [0.0]
        challenges = Challenges(lambda: now[0])
        for challenge in (b"1", b"2"):
            challenges.keep(challenge, "device", "sign in")
        now[0] = passkeys.CHALLENGE_SECONDS - 1
        challenges.redeem(b"1", "device", "sign in")
        now[0] += 1
        refusal(lambda: challenges.redeem(b"2", "device", "sign in"))

    def test_several_pages_of_a_device_can_ask_at_once(self) -> None:
        challenges = Challenges(lambda: 0.0)
        asked = [bytes([number]) for number in range(passkeys.CHALLENGES_OF_DEVICE + 1)]
        for challenge in asked:
            challenges.keep(challenge, "device", "sign in")
        assert len(challenges) == passkeys.CHALLENGES_OF_DEVICE
        refusal(lambda: challenges.redeem(asked[0], "device", "sign in"))
        for challenge in reversed(asked[1:]):
            challenges.redeem(challenge, "device", "sign in")
        assert len(challenges) == 0

    def test_the_oldest_go_when_there_are_too_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(passkeys, "DEVICES_WITH_CHALLENGES", 3)
        challenges = Challenges(lambda: 0.0)
        for device in ("a", "b", "c", "a", "d"):
            challenges.keep(b"1", device, "sign in")
        refusal(lambda: challenges.redeem(b"1", "b", "sign in"))
        for device in ("a", "c", "d"):
            challenges.redeem(b"1", device, "sign in")

    @given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 200))))
    def test_what_has_ended_takes_no_memory(self, asked: list[tuple[int, int]]) -> None:
        now = [0.0]
        challenges = Challenges(lambda: now[0])
        for device, pause in asked:
            now[0] += pause
            challenges.keep(b"1", str(device), "sign in")
        now[0] += passkeys.CHALLENGE_SECONDS
        challenges.keep(b"1", "last", "sign in")
        assert len(challenges) == 1


def test_without_the_package_there_are_no_passkeys(monkeypatch: pytest.MonkeyPatch) -> None:
    assert passkeys.is_available()
    monkeypatch.delitem(sys.modules, "webauthn")
    monkeypatch.setattr(sys, "path", [])
    assert not passkeys.is_available()
    assert refusal(lambda: passkeys.sign_in_options(HERE.rp_id)).code == "unavailable"
    assert isinstance(place_of("https", "play.example.org"), Place)


def test_the_package_is_loaded_only_when_it_is_needed() -> None:
    asked = "import sys; from kingdom_builder.server import passkeys; print(passkeys.is_available(), *sys.modules)"
    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.split()
    assert found[0] == "True"
    assert not {"webauthn", "cryptography", "cbor2"} & set(found)
