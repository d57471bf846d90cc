"""One POST request to a server of somebody else, which may hang, lie or send without end."""

import asyncio
import ssl
from collections.abc import Sequence
from functools import cache
from ipaddress import ip_address

import h11

from kingdom_builder.server.delivery.destination import Destination, Resolver, is_public
from kingdom_builder.server.delivery.outcome import Outcome, outcome_of

MOST_OF_ANSWER = 4_096
"""Bytes of an answer that are read: status and headers; what follows does not matter."""

MOST_ADDRESSES = 3
"""Addresses of a host that are tried: the first may be in a network that this machine does not reach."""

Headers = Sequence[tuple[str, str]]


async def post(
    destination: Destination,
    headers: Headers,
    body: bytes,
    *,
    resolver: Resolver,
    patience: float,
    must_be_public: bool,
    tls: ssl.SSLContext | None = None,
) -> Outcome:
    """Send a request and return what the answer stands for, within `patience` seconds. Redirects are not followed."""
    try:
        async with asyncio.timeout(patience):
            addresses = await _addresses(destination, resolver)
            if must_be_public and not all(is_public(ip_address(address)) for address in addresses):
                return Outcome("refused", "a private address")
            reader, writer = await _connect(destination, addresses, patience, tls)
            try:
                return await _exchange(reader, writer, destination, headers, body)
            finally:
                writer.transport.abort()  # without waiting for the other side to agree
    except TimeoutError:
        return Outcome("retry", "no answer in time")
    except ssl.SSLCertVerificationError:
        return Outcome("refused", "a certificate that is not valid")
    except OSError as error:
        return Outcome("retry", type(error).__name__)
    except (h11.ProtocolError, ValueError) as error:
        return Outcome("refused", f"not understood: {type(error).__name__}")


async def _addresses(destination: Destination, resolver: Resolver) -> Sequence[str]:
    if destination.address is not None:
        return [destination.host]
    addresses = await resolver(destination.host, destination.port)
    if not addresses:
        raise OSError("no address")
    return addresses


async def _connect(
    destination: Destination, addresses: Sequence[str], patience: float, tls: ssl.SSLContext | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to one of the addresses themselves: a second lookup of the name could find others."""
    secure = destination.scheme == "https"
    context = (tls or await asyncio.to_thread(_tls)) if secure else None
    tried = addresses[:MOST_ADDRESSES]
    for address in tried:
        is_last = address == tried[-1]
        try:
            async with asyncio.timeout(None if is_last else patience / MOST_ADDRESSES):
                return await asyncio.open_connection(
                    address,
                    destination.port,
                    ssl=context,
                    server_hostname=destination.host if secure else None,
                    limit=MOST_OF_ANSWER,
                )
        except ssl.SSLError:
            raise
        except OSError:
            if is_last:
                raise
    raise OSError("no address")


@cache
def _tls() -> ssl.SSLContext:
    """The certificates of the system, which take some 20 ms to read."""
    return ssl.create_default_context()


async def _exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, destination: Destination, headers: Headers, body: bytes
) -> Outcome:
    """Send the request and read the answer's status and headers. Raises h11.ProtocolError if they are not HTTP."""
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=MOST_OF_ANSWER)
    every = [
        ("Host", destination.authority),
        ("User-Agent", "KingdomBuilder"),
        ("Content-Length", str(len(body))),
        ("Connection", "close"),
        *headers,
    ]
    for event in (h11.Request(method="POST", target=destination.target, headers=every), h11.Data(body)):
        writer.write(connection.send(event) or b"")
    left = MOST_OF_ANSWER
    while True:
        answer = connection.next_event()
        if isinstance(answer, h11.Response):
            retry_after = next((value for key, value in answer.headers if key == b"retry-after"), b"")
            return outcome_of(answer.status_code, retry_after.decode("latin-1"))
        if answer is h11.NEED_DATA:
            if left == 0:
                raise h11.RemoteProtocolError("too long")
            data = await reader.read(left)
            if not data:
                raise ConnectionResetError
            left -= len(data)
            connection.receive_data(data)
