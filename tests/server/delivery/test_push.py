"""Web push: what the browser reads, and what its service can do to us."""

import logging
import time
from collections.abc import Iterator
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kingdom_builder.message import Refusal
from kingdom_builder.server.delivery import push
from kingdom_builder.server.delivery.outcome import Outcome
from kingdom_builder.server.delivery.push import (
    MOST_PAYLOAD,
    Subscription,
    Vapid,
    check_subscription,
    new_vapid_key,
    public_key,
    send_push,
    topic_of,
)
from server.delivery.conftest import Run
from server.push_service import Browser, PushService, as_bytes, as_text
from server.receiver import http_answer

VAPID = Vapid(new_vapid_key(), "mailto:host@kb.example.org")
FCM = "https://fcm.googleapis.com/fcm/send/abc:def"
BROWSER = Browser()


@pytest.fixture
def service() -> Iterator[PushService]:
    with PushService() as service:
        yield service


def subscribed(service: PushService) -> Subscription:
    return check_subscription(service.endpoint, service.browser.p256dh, service.browser.auth, [service.origin])


def to(service: PushService, payload: bytes = b"Your turn.", patience: float = 10.0, vapid: Vapid = VAPID) -> Any:
    return send_push(subscribed(service), payload, "some-table", vapid, allowed=[service.origin], patience=patience)


def test_the_stand_in_decrypts_the_example_of_the_standard() -> None:
    number = int.from_bytes(as_bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big")
    key = ec.derive_private_key(number, ec.SECP256R1())
    body = (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    browser = Browser(key, as_bytes("BTBZMqHH6r4Tts7J_aSIgg"))
    assert browser.decrypt(as_bytes(body)) == b"When I grow up, I want to be a watermelon"


def test_a_message_arrives_encrypted_and_signed(run: Run, service: PushService) -> None:
    assert run(to(service)) == Outcome("delivered", "status 201"), service.complaints
    push = service.next_push()
    assert push.payload == b"Your turn."
    assert push.key == public_key(VAPID.key)
    assert push.claims["aud"] == service.origin
    assert push.claims["sub"] == "mailto:host@kb.example.org"
    assert time.time() + 11 * 3600 < push.claims["exp"] <= time.time() + 12 * 3600
    assert push.headers["ttl"] == str(12 * 3600)
    assert push.headers["topic"] == topic_of("some-table")
    assert push.headers["urgency"] == "normal"
    assert service.is_empty
    assert not service.complaints


def test_each_message_is_encrypted_with_a_new_key(run: Run, service: PushService) -> None:
    for _ in range(2):
        run(to(service))
    first, second = service.next().body, service.next().body
    assert first[:16] != second[:16]
    assert first[21:86] != second[21:86]


def test_the_stand_in_refuses_what_is_not_for_its_browser(run: Run, service: PushService) -> None:
    other = Subscription(service.endpoint, BROWSER.p256dh, BROWSER.auth)
    sending = send_push(other, b"x", "some-table", VAPID, allowed=[service.origin])
    assert run(sending) == Outcome("refused", "status 403")
    assert service.complaints == ["InvalidTag()"]


def test_the_largest_message_fits_and_a_larger_one_is_our_mistake(run: Run, service: PushService) -> None:
    assert run(to(service, b"x" * MOST_PAYLOAD)).result == "delivered", service.complaints
    assert service.next_push().payload == b"x" * MOST_PAYLOAD
    with pytest.raises(ValueError, match="expected at most 3000"):
        run(to(service, b"x" * (MOST_PAYLOAD + 1)))


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (http_answer(404), Outcome("gone", "status 404")),
        (http_answer(410), Outcome("gone", "status 410")),
        (http_answer(429, Retry_After="30"), Outcome("retry", "status 429", 30.0)),
        (http_answer(503), Outcome("retry", "status 503")),
        (http_answer(413), Outcome("refused", "status 413")),
        (http_answer(307, Location="http://127.0.0.1:1/"), Outcome("refused", "status 307")),
    ],
)
def test_every_answer_has_an_outcome(run: Run, service: PushService, answer: bytes, outcome: Outcome) -> None:
    service.answer = answer
    assert run(to(service)) == outcome


def test_a_service_that_hangs_is_left(run: Run, service: PushService) -> None:
    service.answer = None
    assert run(to(service, patience=0.3)) == Outcome("retry", "no answer in time")


def test_a_service_that_is_known_no_more_is_not_reached(run: Run, service: PushService) -> None:
    sending = send_push(subscribed(service), b"x", "some-table", VAPID)
    assert run(sending) == Outcome("refused", "unknown-service")
    assert service.connections == 0


@pytest.mark.parametrize(
    "endpoint",
    [
        FCM,
        "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://web.push.apple.com/QABC",
        "https://wns2-par02p.notify.windows.com/w/?token=abc",
    ],
)
def test_the_services_of_browsers_are_known(endpoint: str) -> None:
    assert check_subscription(endpoint, BROWSER.p256dh, BROWSER.auth).endpoint == endpoint


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/fcm/send/abc",
        "https://fcm.googleapis.com:8443/fcm/send/abc",
        "https://fcm.googleapis.com.example.org/",
        "https://xfcm.googleapis.com/",
        "https://fcmXgoogleapis.com/",
        "https://notify.windows.com/",
        "https://a.b.notify.windows.com/",
        "https://evilnotify.windows.com/",
        "https://push.example.org/",
        "https://127.0.0.1/",
        "http://127.0.0.1:9001/",
        "https://fcm.googleapis.com@127.0.0.1/",
        "https://127.0.0.1/#fcm.googleapis.com",
        "https://fcm.googleapis.com\r\nX: y/",
        f"{FCM}{'x' * 1000}",
        "",
    ],
)
def test_other_services_are_refused_in_a_sentence(endpoint: str) -> None:
    with pytest.raises(Refusal, match=r"^[^\n]+\.$"):
        check_subscription(endpoint, BROWSER.p256dh, BROWSER.auth, ["http://127.0.0.1:9000"])


P256DH, AUTH = BROWSER.p256dh, BROWSER.auth
OFF_THE_CURVE = as_text(b"\4" + b"\1" * 64)
COMPRESSED = as_text(b"\2" + as_bytes(P256DH)[1:33])


@pytest.mark.parametrize(
    ("p256dh", "auth", "sentence"),
    [
        (OFF_THE_CURVE, AUTH, "The key of"),
        (COMPRESSED, AUTH, "The key of"),
        (as_text(b"\0" * 65), AUTH, "The key of"),
        (as_text(b"\0"), AUTH, "The key of"),
        (P256DH[:-4], AUTH, "The key of"),
        (f"{P256DH}AAAA", AUTH, "The key of"),
        (f"{P256DH[:40]}\n{P256DH[40:]}", AUTH, "The key of"),
        (f"{P256DH[:40]}!!!!{P256DH[40:]}", AUTH, "The key of"),
        ("é" * 87, AUTH, "The key of"),
        ("A" * 1_000_000, AUTH, "The key of"),
        ("", AUTH, "The key of"),
        (P256DH, as_text(b"\0" * 15), "The secret of"),
        (P256DH, as_text(b"\0" * 17), "The secret of"),
        (P256DH, "A" * 1_000_000, "The secret of"),
        (P256DH, "A" * 21, "The secret of"),
        (P256DH, "", "The secret of"),
    ],
    ids=range(16),  # the keys are new in each process, and xdist compares names
)
def test_a_subscription_with_bad_keys_is_refused_in_a_sentence(p256dh: str, auth: str, sentence: str) -> None:
    with pytest.raises(Refusal, match=f"^{sentence}"):
        check_subscription(FCM, p256dh, auth)


def test_padding_of_keys_is_taken_and_dropped() -> None:
    kept = check_subscription(FCM, f"{P256DH}=", f"{AUTH}==")
    assert (kept.p256dh, kept.auth) == (P256DH, AUTH)


@given(st.text(max_size=120), st.text(max_size=40))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_nothing_but_a_refusal_comes_of_nonsense(p256dh: str, auth: str) -> None:
    for keys in ((p256dh, AUTH), (P256DH, auth)):
        try:
            kept = check_subscription(FCM, *keys)
        except Refusal:
            continue
        assert len(as_bytes(kept.auth)) == 16


def test_a_key_is_made_once_and_kept_as_text() -> None:
    key = new_vapid_key()
    assert key != new_vapid_key()
    assert len(as_bytes(public_key(key))) == 65
    assert public_key(key) == public_key(key)
    for damaged in ("", key[:-1], as_text(b"\0" * 32), as_text(b"\xff" * 32)):
        with pytest.raises(ValueError, match="the key for push is damaged"):
            public_key(damaged)


@pytest.mark.parametrize("contact", ["mailto:host@example.org", "https://example.org", "https://example.org/contact"])
def test_a_contact_is_a_mail_address_or_a_page(contact: str) -> None:
    assert Vapid("key", contact).contact == contact


@pytest.mark.parametrize(
    "contact",
    [
        "",
        "host@example.org",
        "mailto:host",
        "mailto: host@example.org",
        "mailto:<host@example.org>",
        "mailto:host@localhost",
        "mailto:host@kb.invalid",
        "mailto:host@kb.local",
        "https://localhost",
        "http://example.org",
        'https://example.org"',
    ],
)
def test_a_contact_that_apple_refuses_is_an_error_of_the_operator(contact: str) -> None:
    with pytest.raises(ValueError, match="expected mailto: or https://"):
        Vapid("key", contact)


@given(st.text())
def test_a_topic_suits_every_service_and_does_not_name_the_table(table: str) -> None:
    topic = topic_of(table)
    assert len(topic) == 32
    assert len(as_bytes(topic)) == 24
    assert len(table) < 4 or table not in topic


def test_secrets_are_neither_shown_nor_logged(run: Run, service: PushService, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "kingdom_builder"):
        run(to(service))
    shown = f"{caplog.text} {VAPID!r} {subscribed(service)!r}"
    assert len(caplog.records) == 1
    assert not any(secret in shown for secret in (VAPID.key, "some-browser", "127.0.0.1", service.browser.auth))


def test_push_is_available_with_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    assert push.is_available()
    monkeypatch.setattr(push, "find_spec", lambda name: None)
    assert not push.is_available()
