"""A receiver of webhooks on the loopback: keeps requests, and answers as it is told."""

import asyncio
import ssl
from dataclasses import dataclass

from server.loopback import LoopbackServer

CREATED = b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"


@dataclass(frozen=True)
class HttpRequest:
    """What a client asked for."""

    method: str
    target: str
    headers: dict[str, str]
    """By name in small letters."""
    body: bytes


def http_answer(status: int, **headers: str) -> bytes:
    """An HTTP answer without a body; `_` stands for `-` in the names of headers."""
    lines = [f"HTTP/1.1 {status} Whatever", "Content-Length: 0"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


class Receiver(LoopbackServer[HttpRequest]):
    """Answers every request alike; set `answer` to bytes, or to None for a receiver that hangs."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls)
        self.answer: bytes | None = CREATED
        self.hangs_up = False
        """Whether the connection is closed in place of an answer."""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")[:-2]
        method, target, _ = first.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        request = HttpRequest(method, target, headers, await reader.readexactly(int(headers["content-length"])))
        answer = self.answer_to(request)
        if self.hangs_up:
            return
        if answer is None:
            await reader.read()  # until the client goes
            return
        writer.write(answer)
        await writer.drain()
        await reader.read()

    def answer_to(self, request: HttpRequest) -> bytes | None:
        """The answer to a request, which is kept."""
        self.keep(request)
        return self.answer
