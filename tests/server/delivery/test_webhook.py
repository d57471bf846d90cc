"""Webhooks: what is sent, and what a receiver can do to us."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from kingdom_builder.server.delivery.outcome import Outcome
from kingdom_builder.server.delivery.webhook import MOST_TEXT, Line, send_webhook, webhook_body
from server.certificates import certified
from server.delivery.conftest import Run
from server.delivery.test_destination import REFUSED
from server.receiver import Receiver, http_answer

LINE = Line("Anna: it is your turn.", "some-table", "https://kb.example.org/t/some-table")
SHORT = 0.3
"""Seconds of patience with what never answers."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


def resolving(*addresses: str) -> Callable[[str, int], Awaitable[Sequence[str]]]:
    async def resolver(host: str, port: int) -> Sequence[str]:
        return addresses

    return resolver


def to(receiver: Receiver, patience: float = 5.0) -> Any:
    return send_webhook(f"{receiver.origin}/hook?key=1", LINE, allowed=[receiver.origin], patience=patience)


def test_a_line_arrives_once(run: Run, receiver: Receiver) -> None:
    assert run(to(receiver)) == Outcome("delivered", "status 201")
    request = receiver.next()
    assert (request.method, request.target) == ("POST", "/hook?key=1")
    assert request.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert request.headers["content-type"] == "application/json"
    body = json.loads(request.body)
    assert body["content"] == body["text"] == LINE.text
    assert (body["table"], body["url"]) == (LINE.table, LINE.url)
    assert receiver.is_empty


def test_names_cannot_call_a_channel_and_texts_are_bounded() -> None:
    body = json.loads(webhook_body(Line("<!channel> & @everyone", "t", "u")))
    assert body["text"] == "&lt;!channel&gt; &amp; @everyone"
    assert body["content"] == "<!channel> & @everyone"
    assert body["allowed_mentions"] == {"parse": []}
    assert len(json.loads(webhook_body(Line("x" * 9000, "t", "u")))["content"]) == MOST_TEXT


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (http_answer(204), Outcome("delivered", "status 204")),
        (b"HTTP/1.1 103 Early Hints\r\n\r\n" + http_answer(200), Outcome("delivered", "status 200")),
        (b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 100_000, Outcome("delivered", "status 200")),
        (http_answer(404), Outcome("gone", "status 404")),
        (http_answer(410), Outcome("gone", "status 410")),
        (http_answer(429, Retry_After="17"), Outcome("retry", "status 429", 17.0)),
        (http_answer(503), Outcome("retry", "status 503")),
        (http_answer(400), Outcome("refused", "status 400")),
        (b"SSH-2.0-OpenSSH_9.6\r\n\r\n", Outcome("refused", "not understood: RemoteProtocolError")),
        (http_answer(200, x="y" * 5000), Outcome("refused", "not understood: RemoteProtocolError")),
        (b"HTTP/1.1 103 Hints\r\n\r\n" * 1000, Outcome("refused", "not understood: RemoteProtocolError")),
    ],
)
def test_every_answer_has_an_outcome(run: Run, receiver: Receiver, answer: bytes, outcome: Outcome) -> None:
    receiver.answer = answer
    assert run(to(receiver)) == outcome


def test_a_receiver_that_hangs_is_left(run: Run, receiver: Receiver) -> None:
    receiver.answer = None
    assert run(to(receiver, SHORT)) == Outcome("retry", "no answer in time")


def test_a_receiver_that_begins_and_hangs_is_left(run: Run, receiver: Receiver) -> None:
    receiver.answer = b"HTTP/1.1 200 O"
    assert run(to(receiver, SHORT)) == Outcome("retry", "no answer in time")


def test_a_hanging_receiver_holds_up_nobody_else(receiver: Receiver) -> None:
    receiver.answer = None

    async def scene() -> None:
        hanging = [asyncio.create_task(to(receiver, 60.0)) for _ in range(20)]
        with Receiver() as other:
            assert await to(other) == Outcome("delivered", "status 201")
        assert not any(task.done() for task in hanging)
        for task in hanging:
            task.cancel()
        await asyncio.gather(*hanging, return_exceptions=True)

    asyncio.run(scene())


def test_a_receiver_that_is_not_there_is_tried_later(run: Run) -> None:
    with Receiver() as receiver:
        origin = receiver.origin
    assert run(send_webhook(origin, LINE, allowed=[origin])) == Outcome("retry", "ConnectionRefusedError")


def test_a_receiver_that_closes_without_a_word_is_tried_later(run: Run, receiver: Receiver) -> None:
    receiver.hangs_up = True
    assert run(to(receiver)) == Outcome("retry", "ConnectionResetError")


def test_a_redirect_is_not_followed(run: Run, receiver: Receiver) -> None:
    with Receiver() as inside:
        receiver.answer = http_answer(302, Location=f"{inside.origin}/secret")
        assert run(to(receiver)) == Outcome("refused", "status 302")
        assert inside.connections == 0
    assert receiver.connections == 1


@pytest.mark.parametrize(("url", "_sentence"), REFUSED)
def test_nothing_is_looked_up_or_connected_for_a_refused_address(
    url: str, _sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asyncio, "open_connection", None)

    async def resolver(host: str, port: int) -> Sequence[str]:
        raise AssertionError("looked up")

    assert asyncio.run(send_webhook(url, LINE, resolver=resolver)).result == "refused"


INSIDE = [
    "127.0.0.1",
    "10.0.0.1",
    "100.64.1.1",
    "169.254.169.254",
    "0.0.0.0",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "fe80::1",
    "fe80::1%2",
    "fc00::1",
    "ff02::1",
]


@pytest.mark.parametrize("inside", INSIDE)
@pytest.mark.parametrize("others", [(), ("93.184.216.34",), ("2606:4700::1111", "93.184.216.34")])
def test_a_name_that_leads_inside_is_refused_whatever_else_it_leads_to(
    inside: str, others: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asyncio, "open_connection", None)
    for addresses in ((inside, *others), (*others, inside)):
        sending = send_webhook("https://hooks.example.org/", LINE, resolver=resolving(*addresses))
        assert asyncio.run(sending) == Outcome("refused", "a private address")


def test_the_connection_goes_to_the_addresses_that_were_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is looked up once: a second answer (DNS rebinding) is never asked for."""
    answers = [["2606:4700::1111", "93.184.216.34"], ["127.0.0.1"]]
    connected = []

    async def resolver(host: str, port: int) -> Sequence[str]:
        assert (host, port) == ("hooks.example.org", 8443)
        return answers.pop(0)

    async def connect(host: str, port: int, **options: Any) -> None:
        connected.append((host, port, options["server_hostname"]))
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio, "open_connection", connect)
    outcome = asyncio.run(send_webhook("https://hooks.example.org:8443/x", LINE, resolver=resolver))
    assert outcome == Outcome("retry", "ConnectionRefusedError")
    assert connected == [
        ("2606:4700::1111", 8443, "hooks.example.org"),
        ("93.184.216.34", 8443, "hooks.example.org"),
    ]
    assert answers == [["127.0.0.1"]]


def test_a_name_without_addresses_or_a_slow_one_is_tried_later(run: Run) -> None:
    assert run(send_webhook("https://hooks.example.org/", LINE, resolver=resolving())) == Outcome("retry", "OSError")

    async def slow(host: str, port: int) -> Sequence[str]:
        await asyncio.Event().wait()
        return []

    sending = send_webhook("https://hooks.example.org/", LINE, resolver=slow, patience=SHORT)
    assert run(sending) == Outcome("retry", "no answer in time")


def test_the_certificate_must_be_that_of_the_name(run: Run, tmp_path: Path) -> None:
    """The connection goes to an address, but certificate, SNI and Host are those of the name."""
    asked: list[str | None] = []
    tls = certified(tmp_path, "hooks.example.org")
    tls.server.sni_callback = lambda _, name, __: asked.append(name)
    with Receiver(tls.server) as receiver:
        origins = [f"https://{name}.example.org:{receiver.port}" for name in ("hooks", "other")]

        def sending(origin: str, trusting: bool = True) -> Any:
            context = tls.client if trusting else None
            return send_webhook(origin, LINE, allowed=origins, resolver=resolving("127.0.0.1"), tls=context)

        assert run(sending(origins[0])) == Outcome("delivered", "status 201")
        assert receiver.next().headers["host"] == f"hooks.example.org:{receiver.port}"
        assert asked == ["hooks.example.org"]
        assert run(sending(origins[1])) == Outcome("refused", "a certificate that is not valid")
        assert run(sending(origins[0], trusting=False)) == Outcome("refused", "a certificate that is not valid")
        assert receiver.is_empty


def test_a_handshake_that_hangs_is_left(run: Run) -> None:
    with Receiver() as receiver:  # which waits for a request in plain text
        origin = f"https://127.0.0.1:{receiver.port}"
        assert run(send_webhook(origin, LINE, allowed=[origin], patience=SHORT)).result == "retry"


def test_the_log_does_not_tell_where(run: Run, receiver: Receiver, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "kingdom_builder"):
        run(to(receiver))
        run(send_webhook("https://secret.localhost:1/", LINE))
    assert len(caplog.records) == 2
    assert not any(word in caplog.text for word in ("key=1", "127.0.0.1", "secret", "Anna", "some-table"))
