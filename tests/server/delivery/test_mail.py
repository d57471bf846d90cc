"""Mail: what arrives, and what a mail server can do to us."""

import logging
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom_builder.message import Refusal
from kingdom_builder.server.delivery import mail
from kingdom_builder.server.delivery.mail import (
    MailSettings,
    check_mail_address,
    mail_bytes,
    read_mail_settings,
    read_password,
    send_mail,
)
from kingdom_builder.server.delivery.outcome import Outcome
from server.certificates import certified
from server.delivery.conftest import Run
from server.mail_server import MailServer

SENDER = "Kingdom Builder <games@kb.example.org>"
LINK = f"https://kb.example.org/unsubscribe/{'token' * 30}"
HEADERS = {
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Auto-Submitted",
    "Content-Type",
    "Content-Transfer-Encoding",
    "MIME-Version",
}


@pytest.fixture
def server() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


def settings_of(server: MailServer) -> MailSettings:
    return read_mail_settings(f"smtp+plain://127.0.0.1:{server.port}", SENDER)


def to(server: MailServer, patience: float = 20.0, text: str = "Your turn.") -> Any:
    return send_mail(settings_of(server), "anna@example.org", "Your turn", text, patience=patience)


def test_a_mail_arrives_once(run: Run, server: MailServer) -> None:
    text = "Grüße, Anna.\n\n.hidden\nDu bist dran.\n"
    sending = send_mail(settings_of(server), "anna@example.org", "Du bist dran, Zoë", text, unsubscribe=LINK)
    assert run(sending) == Outcome("delivered")
    mail = server.next()
    assert (mail.sender, mail.to) == ("games@kb.example.org", ["anna@example.org"])
    message = mail.message
    assert set(message.keys()) == {*HEADERS, "List-Unsubscribe", "List-Unsubscribe-Post"}
    assert message["From"] == SENDER
    assert message["To"] == "anna@example.org"
    assert message["Subject"] == "Du bist dran, Zoë"
    assert message["Message-ID"].endswith("@kb.example.org>")
    assert message["Auto-Submitted"] == "auto-generated"
    assert f"List-Unsubscribe: <{LINK}>\r\n".encode() in mail.raw
    assert message.get_content_type() == "text/plain"
    assert message.get_content().replace("\r\n", "\n") == text
    assert server.is_empty


@pytest.mark.parametrize(
    ("replies", "outcome"),
    [
        ({"": "421 busy"}, Outcome("retry", "status 421")),
        ({"MAIL": "451 later"}, Outcome("retry", "status 451")),
        ({"MAIL": "550 not from you"}, Outcome("retry", "status 550")),
        ({"RCPT": "450 4.2.0 greylisted"}, Outcome("retry", "status 450")),
        ({"RCPT": "550 5.1.1 no such person"}, Outcome("gone", "status 550")),
        ({"RCPT": "556 5.1.10 takes no mail"}, Outcome("gone", "status 556")),
        ({"RCPT": "550 5.7.1 policy"}, Outcome("refused", "status 550")),
        ({".": "554 5.7.1 spam"}, Outcome("refused", "status 554")),
        ({".": "452 full"}, Outcome("retry", "status 452")),
        ({"QUIT": "500 stay"}, Outcome("delivered")),
        ({"": "SSH-2.0-OpenSSH_9.6"}, Outcome("retry", "SMTPServerDisconnected")),
    ],
)
def test_every_reply_has_an_outcome(run: Run, server: MailServer, replies: dict[str, str], outcome: Outcome) -> None:
    server.replies = replies
    found = run(to(server))
    assert found.result == outcome.result
    assert found.reason == outcome.reason or outcome.result == "retry"


@pytest.mark.parametrize("verb", ["EHLO", "MAIL", "RCPT", "DATA"])
def test_a_mail_server_that_hangs_is_left(run: Run, server: MailServer, verb: str) -> None:
    server.replies = {verb: ""}
    assert run(to(server, patience=0.3)).result == "retry"


def test_a_mail_is_not_sent_twice_because_the_farewell_hangs(
    run: Run, server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail, "FAREWELL", 0.1)
    server.replies = {"QUIT": ""}
    assert run(to(server)) == Outcome("delivered")


def test_a_mail_server_that_is_not_there_is_tried_later(run: Run) -> None:
    with MailServer() as server:
        settings = settings_of(server)
    assert run(send_mail(settings, "anna@example.org", "s", "t")).result == "retry"


def test_starttls_and_password(run: Run, tmp_path: Path) -> None:
    tls = certified(tmp_path, "localhost")
    with MailServer(tls.server, ("kb", "word")) as server:
        url = f"smtp://kb@localhost:{server.port}"
        good, bad = (read_mail_settings(url, SENDER, password) for password in ("word", "guess"))
        assert run(send_mail(good, "anna@example.org", "s", "t", tls=tls.client)) == Outcome("delivered")
        mail = server.next()
        assert (mail.is_encrypted, mail.user) == (True, "kb")
        assert run(send_mail(bad, "anna@example.org", "s", "t", tls=tls.client)) == Outcome("retry", "status 535")
        assert run(send_mail(good, "anna@example.org", "s", "t")).result == "retry", "the certificate is not trusted"
        assert server.is_empty


def test_nothing_is_sent_without_the_encryption_that_was_asked_for(run: Run, server: MailServer) -> None:
    settings = read_mail_settings(f"smtp://kb@127.0.0.1:{server.port}", SENDER, "word")
    assert run(send_mail(settings, "anna@example.org", "s", "t")).result == "retry"
    assert server.is_empty


@given(st.text(), st.text())
def test_no_text_makes_a_header(subject: str, text: str) -> None:
    settings = MailSettings("localhost", 25, "plain", SENDER)
    raw = mail_bytes(settings, "anna@example.org", f"a\r\nBcc: b@example.org\r\n\r\n{subject}", text)
    message = message_from_bytes(raw, policy=policy.default)
    assert set(message.keys()) == HEADERS
    assert message["To"] == "anna@example.org"
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998
    assert raw.count(b"\n") == raw.count(b"\r\n")


@pytest.mark.parametrize("link", ["https://x.org/\r\nBcc: b@example.org", "javascript:x", "x>, <mailto:b@example.org"])
def test_a_bad_link_to_unsubscribe_sends_nothing(run: Run, server: MailServer, link: str) -> None:
    sending = send_mail(settings_of(server), "anna@example.org", "s", "t", unsubscribe=link)
    assert run(sending).result == "refused"
    assert server.connections == 0


@pytest.mark.parametrize("text", ["anna@example.org", " a.b+c@sub.example.co.uk ", "o'neil@xn--mnchen-3ya.de"])
def test_mail_addresses_are_taken(text: str) -> None:
    assert check_mail_address(text) == text.strip()


BAD_ADDRESSES = [
    "",
    "anna",
    "anna@",
    "@example.org",
    "anna@example",
    "anna@localhost",
    "anna@127.0.0.1",
    "anna@[127.0.0.1]",
    "anna@example.org, bert@example.org",
    "anna@example.org;bert@example.org",
    "Anna <anna@example.org>",
    "anna@example.org>\r\nRCPT TO:<bert@example.org",
    "anna@example.org\r\nBcc: bert@example.org",
    "anna@example.org\n",
    "anna bert@example.org",
    '"anna"@example.org',
    "anna@exam_ple.org",
    "anna@@example.org",
    ".anna@example.org",
    "anna..b@example.org",
    "zoë@example.org",
    "anna@münchen.de",
    f"{'a' * 250}@example.org",
    "a." * 100_000,
]


@pytest.mark.parametrize("text", BAD_ADDRESSES)
def test_what_is_no_mail_address_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(Refusal, match=r"^This is not a mail address"):
        check_mail_address(text)


def test_nothing_is_sent_to_what_is_no_address(run: Run, server: MailServer) -> None:
    sending = send_mail(settings_of(server), "a@example.org\r\nDATA", "s", "t")
    assert run(sending) == Outcome("refused", "Refusal")
    assert server.connections == 0


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://kb@mail.example.org", ("mail.example.org", 587, "starttls", "kb")),
        ("smtps://kb@mail.example.org", ("mail.example.org", 465, "tls", "kb")),
        ("smtps://kb%40example.org@mail.example.org:1465/", ("mail.example.org", 1465, "tls", "kb@example.org")),
        ("smtp+plain://kb@localhost", ("localhost", 25, "plain", "kb")),
        ("smtp+plain://kb@[::1]:2525", ("::1", 2525, "plain", "kb")),
    ],
)
def test_settings_are_read_from_a_url(url: str, expected: tuple[object, ...]) -> None:
    found = read_mail_settings(url, SENDER, "word")
    assert (found.host, found.port, found.security, found.user) == expected
    assert "word" not in repr(found)


@pytest.mark.parametrize(
    ("url", "sender", "password", "expected"),
    [
        ("mail.example.org", SENDER, None, "expected one such as smtp://"),
        ("https://mail.example.org", SENDER, None, "expected one such as smtp://"),
        ("smtp://", SENDER, None, "expected one such as smtp://"),
        ("smtp://mail.example.org:x", SENDER, None, "expected one such as smtp://"),
        ("smtp://mail.example.org/path", SENDER, None, "expected one such as smtp://"),
        ("smtp://kb:hunter2@mail.example.org", SENDER, None, "the password belongs in a file or in KB_SMTP_PASSWORD"),
        ("smtp+plain://mail.example.org", SENDER, None, "only one on this machine"),
        ("smtp+plain://192.168.1.1", SENDER, None, "only one on this machine"),
        ("smtp://kb@mail.example.org", SENDER, None, "a user and a password go together"),
        ("smtp://mail.example.org", SENDER, "word", "a user and a password go together"),
        ("smtp://mail.example.org", "nobody", None, "the sender of mail"),
        ("smtp://mail.example.org", "a@example.org\nBcc: b@example.org", None, "the sender of mail"),
    ],
)
def test_bad_settings_are_an_error_of_the_operator(url: str, sender: str, password: str | None, expected: str) -> None:
    with pytest.raises(ValueError, match=expected) as error:
        read_mail_settings(url, sender, password)
    assert "hunter2" not in str(error.value)


def test_the_password_comes_from_a_file_or_the_environment(tmp_path: Path) -> None:
    path = tmp_path / "password"
    path.write_text("word\nmore\n", "utf-8")
    assert read_password(path, {"KB_SMTP_PASSWORD": "other"}) == "word"
    assert read_password(None, {"KB_SMTP_PASSWORD": "other"}) == "other"
    assert read_password(None, {}) is None


def test_the_log_does_not_tell_to_whom(run: Run, server: MailServer, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        run(to(server))
    assert "mail to" in caplog.text
    assert "anna" not in caplog.text
    assert "example" not in caplog.text


def test_mail_is_available_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    assert mail.is_available()
    monkeypatch.setattr(mail, "find_spec", lambda name: None)
    assert not mail.is_available()
