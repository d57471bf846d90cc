"""The attackers' end of a connection: plain sockets and frames that are made beforehand, so that attacking is cheap."""

import asyncio
import json
import socket
import struct
from typing import Any

from kingdom_builder.server.messages import PROTOCOL

TEXT, BINARY, CLOSE, PING, PONG, CONTINUATION = 1, 2, 8, 9, 10, 0
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: siege\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
CHUNK = 262_144


def frame(payload: bytes, opcode: int = TEXT, *, last: bool = True) -> bytes:
    """A frame as clients send it. The mask is 0, so that the payload can be read in the code."""
    head = bytes([opcode | (0x80 if last else 0)])
    size = len(payload)
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65_536:
        head += struct.pack("!BH", 0x80 | 126, size)
    else:
        head += struct.pack("!BQ", 0x80 | 127, size)
    return head + bytes(4) + payload


def command(**fields: Any) -> bytes:
    """A command as a frame."""
    return frame(json.dumps(fields, ensure_ascii=False).encode())


def hello(*keys: str) -> bytes:
    """The first command, as a frame."""
    return command(type="hello", tokens=keys, protocol=PROTOCOL)


def request(method: str, path: str, body: object = None, headers: str = "") -> bytes:
    """An HTTP request; a body that is not bytes goes as JSON."""
    data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: siege\r\n{headers}"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
    return f"{head}\r\n".encode() + data


class Wire:
    """A connection from an address. Raises OSError whenever the server does not like it."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._loop = asyncio.get_running_loop()
        self._rest = b""
        self.cookie = ""
        """The cookie that came with the last answer, if one did."""

    @classmethod
    async def open(cls, port: int, address: str, receive_buffer: int = 0) -> "Wire":
        """`receive_buffer`: so little is taken in by the system as long as nobody reads."""
        opened = socket.socket()
        try:
            opened.setblocking(False)
            # Ports are then used once for each address that is connected to, not for each that is bound.
            opened.setsockopt(socket.SOL_IP, getattr(socket, "IP_BIND_ADDRESS_NO_PORT", 24), 1)
            # The end is a reset, which leaves no port waiting.
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if receive_buffer:
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            opened.bind((address, 0))
            async with asyncio.timeout(10):
                await asyncio.get_running_loop().sock_connect(opened, ("127.0.0.1", port))
        except BaseException:
            opened.close()
            raise
        return cls(opened)

    def __enter__(self) -> "Wire":
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    async def send(self, data: bytes) -> None:
        await self._loop.sock_sendall(self._socket, data)

    async def receive(self) -> bytes:
        """Some bytes."""
        data = self._rest or await self._loop.sock_recv(self._socket, CHUNK)
        self._rest = b""
        if not data:
            raise ConnectionResetError("closed")
        return data

    async def drain(self) -> None:
        """Read and forget, until the server closes the connection."""
        while True:
            await self.receive()

    async def until(self, mark: bytes) -> bytes:
        """What comes before a mark."""
        data = b""
        while mark not in data:
            data += await self.receive()
        found, _, self._rest = data.partition(mark)
        return found

    async def exactly(self, size: int) -> bytes:
        parts = []
        while size > 0:
            part = await self.receive()
            parts.append(part[:size])
            self._rest = part[size:]
            size -= len(parts[-1])
        return b"".join(parts)

    async def answer(self) -> tuple[int, bytes]:
        """The status and the body of an answer to a request."""
        head = await self.until(b"\r\n\r\n")
        size, self.cookie = 0, ""
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
            elif line.lower().startswith(b"set-cookie:"):
                self.cookie = line.split(b":")[1].partition(b";")[0].strip().decode()
        return int(head.split()[1]), await self.exactly(size)

    async def upgrade(self, cookie: str = "", path: str = "/ws") -> None:
        """Make a WebSocket of it, at the device with a cookie if one is given."""
        asked = UPGRADE.replace(b" /ws ", f" {path} ".encode())
        await self.send(asked.replace(b"\r\n\r\n", f"\r\nCookie: {cookie}\r\n\r\n".encode()) if cookie else asked)
        head = await self.until(b"\r\n\r\n")
        if head.split()[1] != b"101":
            raise ConnectionRefusedError(head.split(b"\r\n")[0].decode())

    async def frame(self) -> bytes:
        """The payload of the next frame; one that closes is an error."""
        first, second = await self.exactly(2)
        size = second & 0x7F
        if size == 126:
            (size,) = struct.unpack("!H", await self.exactly(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", await self.exactly(8))
        payload = await self.exactly(size)
        if first & 0x0F == CLOSE:
            raise ConnectionResetError("closed")
        return payload

    async def message(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types; a refusal that was not asked for is an error."""
        while True:
            payload = await self.frame()
            if not payload.startswith(b"{"):
                continue
            message: dict[str, Any] = json.loads(payload)
            if message["type"] in types:
                return message
            if message["type"] == "refused":
                raise ConnectionRefusedError(message["refusal"]["message"]["text"])
