"""Where a request goes: a web address taken apart, and which addresses of the internet may be reached.

A stranger chooses these addresses, and the request comes from inside the operator's network: it must not reach
anything there. Only forms that every reader understands alike are accepted.
"""

import contextlib
import re
import socket
import threading
from asyncio import Future, get_running_loop
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias
from urllib.parse import urlsplit

from kingdom_builder.message import Message, Refusal

MOST_CHARACTERS = 2_000
"""The longest web address."""

VISIBLE = re.compile(r"[!-\[\]-~]+")
"""Printed ASCII without the backslash, which browsers read as a slash: no spaces, no line breaks."""

NAME = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")
"""A name of a host. The last part begins with a letter: some resolvers read 2130706433 or 127.0x1 as an address."""

MOST_OF_NAME = 253
PORTS = {"http": 80, "https": 443}
FIRST_FREE_PORT = 1024

CLOSED_IPV4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # shared by the customers of a provider
            "127.0.0.0/8",  # loopback
            "168.63.129.16/32",  # looks public, but is a cloud's own service for its machines
            "169.254.0.0/16",  # link-local, where clouds keep their secrets
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocols
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",  # private
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, broadcast
        ),
    )
)
OPEN_IPV6 = IPv6Network("2000::/3")
"""All global unicast addresses; loopback, mapped, NAT64, unique local, link-local and multicast ones are outside."""

CLOSED_IPV6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocols, Teredo among them, which carries an IPv4 address
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which carries an IPv4 address
            "3fff::/20",  # documentation
        ),
    )
)

Resolver: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""Finds the addresses of a host and port. Raises OSError if there are none."""


@dataclass(frozen=True)
class Destination:
    """A web address taken apart."""

    scheme: str
    host: str
    """A name in small letters, or an address without brackets."""
    port: int
    target: str = field(default="/", repr=False)
    """Path and query, which are often a secret."""

    @property
    def authority(self) -> str:
        """Host and port as the header Host has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @property
    def address(self) -> IPv4Address | IPv6Address | None:
        """The address that stands in place of a name; None if there is a name."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None


def destination_of(url: str) -> Destination:
    """A web address taken apart. Raises Refusal if it is none, or one that programs might understand differently."""
    if len(url) > MOST_CHARACTERS:
        raise Refusal(Message("The web address is longer than {most} characters.", most=MOST_CHARACTERS))
    malformed = Refusal(Message("This is not a web address: expected something like https://example.org/hook."))
    if not VISIBLE.fullmatch(url):
        raise malformed
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise malformed from None
    if parts.scheme not in PORTS:
        raise malformed
    if "@" in parts.netloc:
        raise Refusal(Message("The web address must not contain a name or a password."))
    written = f"[{host}]" if ":" in host else host
    if parts.netloc.lower() != (written if port is None else f"{written}:{port}") or not _is_host(host):
        raise malformed
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Destination(parts.scheme, host, PORTS[parts.scheme] if port is None else port, target)


def read_origins(texts: Iterable[str]) -> frozenset[str]:
    """Origins such as `http://127.0.0.1:9000` that an operator lets be reached. Raises ValueError for anything else."""
    origins = set()
    for text in texts:
        try:
            destination = destination_of(text)
        except Refusal:
            destination = None
        if destination is None or destination.target != "/":
            raise ValueError(f"the origin {text!r}: expected one such as https://push.example.org")
        origins.add(destination.origin)
    return frozenset(origins)


def check_open(destination: Destination, allowed: Collection[str] = ()) -> None:
    """Raise Refusal for what cannot be a public service, as far as it shows without looking up the name.

    `allowed` has origins for which the operator vouches (`read_origins`).
    """
    if destination.origin in allowed:
        return
    if destination.scheme != "https":
        raise Refusal(Message("The web address must begin with https."))
    if destination.port != PORTS["https"] and destination.port < FIRST_FREE_PORT:
        raise Refusal(
            Message("The port {port} is for other services: expected 443, or 1024 and above.", port=destination.port)
        )
    address = destination.address
    if "." not in destination.host if address is None else not is_public(address):
        raise Refusal(
            Message("The web address leads into a private network: expected one that everybody can reach."), "private"
        )


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the open internet, and carries no other address within it."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in CLOSED_IPV4)
    if address.scope_id is not None:
        return False
    return address in OPEN_IPV6 and not any(address in network for network in CLOSED_IPV6)


class Lookups:
    """A resolver that asks the operating system, with a bound on the lookups in progress.

    A lookup cannot be stopped, and whoever owns a name can make it last: so each has a thread that nobody waits for
    in the end, neither the threads that others share nor the end of the program.
    """

    def __init__(self, most: int = 16) -> None:
        self._free = threading.BoundedSemaphore(most)

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        if not self._free.acquire(blocking=False):
            raise OSError("too many lookups")
        found: Future[list[str]] = get_running_loop().create_future()
        threading.Thread(target=self._look_up, args=(host, port, found), name="lookup", daemon=True).start()
        return await found

    def _look_up(self, host: str, port: int, found: "Future[list[str]]") -> None:
        addresses: list[str] = []
        error: OSError | None = None
        try:
            rows = socket.getaddrinfo(host.encode("ascii"), port, type=socket.SOCK_STREAM)
            addresses = list(dict.fromkeys(str(row[4][0]) for row in rows))
        except OSError as raised:
            error = raised
        finally:
            self._free.release()

        def tell() -> None:
            if found.done():  # nobody waits any more
                return
            if error is None:
                found.set_result(addresses)
            else:
                found.set_exception(error)

        with contextlib.suppress(RuntimeError):  # the loop has ended
            found.get_loop().call_soon_threadsafe(tell)


def _is_host(host: str) -> bool:
    if ":" in host:
        return "%" not in host and _is_ipv6(host)
    try:
        IPv4Address(host)
    except AddressValueError:
        return len(host) <= MOST_OF_NAME and NAME.fullmatch(host) is not None
    return True


def _is_ipv6(text: str) -> bool:
    try:
        IPv6Address(text)
    except AddressValueError:
        return False
    return True
