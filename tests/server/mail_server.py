"""A mail server on the loopback: keeps mails, and can refuse, hang or ask for encryption and a password."""

import asyncio
import ssl
from base64 import b64decode
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

from server.loopback import LoopbackServer


@dataclass(frozen=True)
class Mail:
    """A mail that arrived, with what the envelope says."""

    sender: str
    to: list[str]
    raw: bytes
    is_encrypted: bool
    user: str

    @property
    def message(self) -> EmailMessage:
        message = message_from_bytes(self.raw, policy=policy.default)
        assert isinstance(message, EmailMessage)
        return message


@dataclass
class _Envelope:
    sender: str = ""
    to: list[str] = field(default_factory=list)
    is_encrypted: bool = False
    user: str = ""


class MailServer(LoopbackServer[Mail]):
    """Takes every mail. `replies` has other answers by the first word of a command; an empty one hangs."""

    def __init__(self, starttls: ssl.SSLContext | None = None, login: tuple[str, str] | None = None) -> None:
        super().__init__()
        self.replies: dict[str, str] = {}
        self._starttls = starttls
        self._login = login

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        envelope = _Envelope()
        await self._say(writer, self.replies.get("", "220 ready"))
        while line := (await reader.readline()).decode().strip():
            verb = line.split(" ")[0].split(":")[0].upper()
            reply = self.replies.get(verb)
            if reply == "":
                await reader.read()
                return
            if reply is not None:
                await self._say(writer, reply)
            elif verb == "STARTTLS" and self._starttls is not None:
                await self._say(writer, "220 go ahead")
                await writer.start_tls(self._starttls)
                envelope = _Envelope(is_encrypted=True)
            elif verb == "DATA":
                await self._say(writer, "354 go ahead")
                raw = await reader.readuntil(b"\r\n.\r\n")
                raw = raw[:-3].replace(b"\r\n..", b"\r\n.")
                self.keep(Mail(envelope.sender, envelope.to, raw, envelope.is_encrypted, envelope.user))
                await self._say(writer, self.replies.get(".", "250 kept"))
            else:
                await self._say(writer, self._reply(verb, line, envelope))

    def _reply(self, verb: str, line: str, envelope: _Envelope) -> str:
        if verb == "EHLO":
            features = ["250-loopback"]
            if self._starttls is not None and not envelope.is_encrypted:
                features.append("250-STARTTLS")
            if self._login is not None:
                features.append("250-AUTH PLAIN")
            return "\r\n".join([*features, "250 8BITMIME"])
        if verb == "AUTH":
            _, user, password = b64decode(line.split(" ")[2]).decode().split("\0")
            envelope.user = user
            return "235 welcome" if (user, password) == self._login else "535 5.7.8 who are you"
        if verb == "MAIL":
            envelope.sender = line.partition("<")[2].partition(">")[0]
        elif verb == "RCPT":
            envelope.to.append(line.partition("<")[2].partition(">")[0])
        elif verb == "QUIT":
            return "221 farewell"
        else:
            return "502 what"
        return "250 fine"

    async def _say(self, writer: asyncio.StreamWriter, text: str) -> None:
        if text:
            writer.write(f"{text}\r\n".encode())
            await writer.drain()
