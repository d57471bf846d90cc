"""Mail: plain texts, handed to the mail server that the operator names."""

import asyncio
import contextlib
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.errors import MessageError
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid, parseaddr
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast
from urllib.parse import unquote, urlsplit

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.addresses import is_loopback
from kingdom_builder.server.delivery.outcome import Outcome, noted

if TYPE_CHECKING:
    from aiosmtplib import SMTPException

Security = Literal["tls", "starttls", "plain"]

SCHEMES: dict[str, tuple[Security, int]] = {
    "smtps": ("tls", 465),
    "smtp": ("starttls", 587),
    "smtp+plain": ("plain", 25),
}
"""How each scheme of a mail server's URL protects the connection, and its usual port."""

PASSWORD_VARIABLE = "KB_SMTP_PASSWORD"
PATIENCE = 20.0
FAREWELL = 1.0
MOST_OF_ADDRESS = 254
MOST_OF_SUBJECT = 150
MOST_OF_TEXT = 20_000
MOST_OF_PASSWORD = 1_000

ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]"
)
NO_SUCH_MAILBOX = re.compile(r"5\.1\.(1|10)\b")
"""The extended status of an address that does not exist (RFC 3463, RFC 7505)."""

HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
WIRE = SMTP.clone(max_line_length=998)
"""Headers in one line each, since folding breaks long links; 998 is the most that mail allows."""


@dataclass(frozen=True)
class MailSettings:
    """The mail server and the sender; made by `read_mail_settings`."""

    host: str
    port: int
    security: Security
    sender: str
    """The address of the sender, perhaps with a name: `Kingdom Builder <games@example.org>`."""
    user: str | None = None
    password: str | None = field(default=None, repr=False)


def is_available() -> bool:
    """Whether the package for mail is installed: the extra `people`."""
    return find_spec("aiosmtplib") is not None


def read_mail_settings(url: str, sender: str, password: str | None = None) -> MailSettings:
    """Settings from a URL: `smtp://user@host` (STARTTLS), `smtps://user@host` (TLS), `smtp+plain://127.0.0.1:25`.

    Raises ValueError for anything else: without encryption a mail goes no further than this machine, and a password
    in a URL would show in lists of processes.
    """
    expected = "expected one such as smtp://user@mail.example.org:587"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(f"the mail server: {expected}") from None
    if parts.scheme not in SCHEMES or not host or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError(f"the mail server: {expected}")
    if parts.password is not None:
        raise ValueError(f"the mail server: the password belongs in a file or in {PASSWORD_VARIABLE}")
    security, usual_port = SCHEMES[parts.scheme]
    if security == "plain" and not is_loopback(host):
        raise ValueError("the mail server: only one on this machine may be used without encryption")
    user = unquote(parts.username) if parts.username else None
    if (user is None) != (password is None):
        raise ValueError("the mail server: a user and a password go together")
    if HIDDEN.search(sender) or ADDRESS.fullmatch(parseaddr(sender)[1]) is None:
        raise ValueError(f"the sender of mail {sender!r}: expected one such as games@example.org")
    return MailSettings(host, port or usual_port, security, sender, user, password)


def read_password(path: Path | None, environment: Mapping[str, str]) -> str | None:
    """The password of the mail server: the first line of a file, else from the environment. Raises OSError."""
    if path is None:
        return environment.get(PASSWORD_VARIABLE) or None
    with path.open(encoding="utf-8") as file:
        return file.readline(MOST_OF_PASSWORD).rstrip("\r\n") or None


def check_mail_address(text: str) -> str:
    """A mail address that somebody typed, without spaces around it. Raises Refusal if it is none."""
    address = text.strip(" ")
    if len(address) > MOST_OF_ADDRESS or ADDRESS.fullmatch(address) is None:
        raise Refusal(Message("This is not a mail address: expected something like anna@example.org."))
    return address


async def send_mail(
    settings: MailSettings,
    to: str,
    subject: str,
    text: str,
    *,
    unsubscribe: str | None = None,
    tls: ssl.SSLContext | None = None,
    patience: float = PATIENCE,
) -> Outcome:
    """Hand a mail to the mail server. `unsubscribe` is a link that ends such mails with one POST request."""
    from aiosmtplib import SMTP as Client  # noqa: N811 (the class is named like the policy)
    from aiosmtplib import SMTPException

    try:
        sealed = mail_bytes(settings, check_mail_address(to), subject, text, unsubscribe)
    except (Refusal, MessageError) as refusal:
        return noted("mail", to, Outcome("refused", type(refusal).__name__))
    sender = parseaddr(settings.sender)[1]
    client = Client(
        hostname=settings.host,
        port=settings.port,
        local_hostname=sender.rpartition("@")[2],  # or the name of this machine is looked up, and told
        timeout=patience,
        use_tls=settings.security == "tls",
        start_tls=settings.security == "starttls",
        tls_context=None if settings.security == "plain" else tls,
    )
    try:
        async with asyncio.timeout(patience):
            await client.connect()
            if settings.user is not None and settings.password is not None:
                await client.login(settings.user, settings.password)
            await client.sendmail(sender, [check_mail_address(to)], sealed)
        outcome = Outcome("delivered")
        with contextlib.suppress(SMTPException, OSError):  # the mail is on its way, however they part
            async with asyncio.timeout(FAREWELL):
                await client.execute_command(b"QUIT")
    except SMTPException as error:
        outcome = _outcome_of(error)
    except OSError as error:
        outcome = Outcome("retry", type(error).__name__)
    finally:
        if client.transport is not None:
            # `quit`, or `connect` with a password that is wrong, would wait for the other side to end TLS.
            cast(asyncio.WriteTransport, client.transport).abort()
        client.close()
    return noted("mail", to, outcome)


def mail_bytes(settings: MailSettings, to: str, subject: str, text: str, unsubscribe: str | None = None) -> bytes:
    """A mail as it travels. Whatever is in the subject or text, there are no headers but these."""
    mail = EmailMessage(WIRE)
    mail["From"] = settings.sender
    mail["To"] = to
    mail["Subject"] = _readable(HIDDEN.sub(" ", subject))[:MOST_OF_SUBJECT]
    mail["Date"] = formatdate()
    mail["Message-ID"] = make_msgid(domain=parseaddr(settings.sender)[1].rpartition("@")[2])
    mail["Auto-Submitted"] = "auto-generated"  # or holiday notices come back
    if unsubscribe is not None:
        if HIDDEN.search(unsubscribe) or not unsubscribe.startswith(("https://", "http://")):
            raise MessageError("a link to unsubscribe that is none")
        mail["List-Unsubscribe"] = f"<{unsubscribe}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(_readable(text)[:MOST_OF_TEXT], cte="quoted-printable")
    return mail.as_bytes()


def _readable(text: str) -> str:
    """A text that can be encoded: halves of surrogate pairs become question marks."""
    return text.encode("utf-8", "replace").decode()


def _outcome_of(error: "SMTPException") -> Outcome:
    """What an answer of the mail server stands for. Only what it says of the person or the mail is final."""
    from aiosmtplib import SMTPDataError, SMTPRecipientRefused, SMTPRecipientsRefused

    first = error.recipients[0] if isinstance(error, SMTPRecipientsRefused) and error.recipients else error
    if isinstance(first, (SMTPRecipientRefused, SMTPDataError)) and first.code >= 500:
        is_gone = isinstance(first, SMTPRecipientRefused) and NO_SUCH_MAILBOX.match(first.message)
        return Outcome("gone" if is_gone else "refused", f"status {first.code}")
    code = getattr(first, "code", None)
    return Outcome("retry", type(first).__name__ if code is None else f"status {code}")
