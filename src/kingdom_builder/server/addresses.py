"""Where a server listens: the address under which others reach it, and whether one of ours already answers there."""

import contextlib
import io
import json
import socket
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from urllib.request import ProxyHandler, build_opener

import segno

EVERYWHERE = ("0.0.0.0", "::", "")
PATIENCE = 3.0
"""Seconds to wait for a server that may already run."""

FAR_AWAY = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses for documentation, which nobody has: the way to them is the way into the network."""

MOST_OF_ANSWER = 10_000_000
QUIET_ZONE = 2


@dataclass(frozen=True)
class Listening:
    """Where a server listens, and the command that would let others in."""

    host: str
    port: int
    command: str = ""
    """The command that starts this server for a whole network; empty if it is not known."""

    @property
    def is_everywhere(self) -> bool:
        return self.host in EVERYWHERE

    def address(self) -> str:
        """The address of the page on this machine.

        It stays the same whatever network the machine is in: the browser keeps games and settings by address.
        """
        return self._address_at(_loopback(self.host) if self.is_everywhere else self.host)

    def shared_address(self) -> str | None:
        """The address that works on other devices; None if only this machine can reach the server."""
        host = _own_address(self.host) if self.is_everywhere else self.host
        return None if host is None or is_loopback(host) else self._address_at(host)

    def is_answered(self) -> bool:
        """Whether a server of this game answers here."""
        opener = build_opener(ProxyHandler({}))
        with contextlib.suppress(OSError, ValueError):
            with opener.open(f"{self.address()}api/catalogue", timeout=PATIENCE) as answer:
                found = json.loads(answer.read(MOST_OF_ANSWER))
            return isinstance(found, dict) and {"protocol", "artwork"} <= found.keys()
        return False

    def _address_at(self, host: str) -> str:
        return f"http://[{host}]:{self.port}/" if ":" in host else f"http://{host}:{self.port}/"


def is_loopback(host: str) -> bool:
    """Whether a host is this machine's name for itself."""
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost"
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


def qr_code(address: str) -> str:
    """An address as a QR code for a terminal: black on white, whatever the terminal's colours are."""
    text = io.StringIO()
    segno.make(address, micro=False).terminal(text, border=QUIET_ZONE, compact=True)
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" for line in text.getvalue().splitlines())


def _loopback(host: str) -> str:
    return "::1" if ":" in host else "127.0.0.1"


def _own_address(host: str) -> str | None:
    """The address of this machine in its network, if it has one. `host` is where the server listens: everywhere.

    The name of the machine does not help: on Debian and Ubuntu it is an alias of the loopback address.
    """
    listens_to_ipv6 = ":" in host  # and to IPv4 as well
    for family in [socket.AF_INET, socket.AF_INET6] if listens_to_ipv6 else [socket.AF_INET]:
        found = _address_towards(family, FAR_AWAY[family])
        if found is not None:
            known = ip_address(found)
            if not (known.is_loopback or known.is_link_local or known.is_unspecified):
                return found
    return None


def _address_towards(family: socket.AddressFamily, far: str) -> str | None:
    """The address that this machine would send from; nothing is sent, since a UDP socket only chooses its route."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as choosing:
            choosing.connect((far, 9))
            return str(choosing.getsockname()[0])
    except OSError:
        return None
