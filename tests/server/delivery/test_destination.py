"""Which web addresses may be reached, and what becomes of the others."""

import asyncio
import socket
import threading
from ipaddress import IPv4Address, IPv6Address

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom_builder.message import Refusal
from kingdom_builder.server.delivery.destination import (
    Destination,
    Lookups,
    check_open,
    destination_of,
    is_public,
    read_origins,
)
from kingdom_builder.server.delivery.webhook import check_webhook

NOT_AN_ADDRESS = "This is not a web address"
PRIVATE = "The web address leads into a private network"

REFUSED = [
    ("https://127.0.0.1", PRIVATE),
    ("https://127.8.9.1/x", PRIVATE),
    ("https://[::1]/", PRIVATE),
    ("https://[0:0:0:0:0:0:0:1]/", PRIVATE),
    ("https://[::]/", PRIVATE),
    ("https://[::ffff:127.0.0.1]/", PRIVATE),
    ("https://[::ffff:7f00:1]/", PRIVATE),
    ("https://[::ffff:8.8.8.8]/", PRIVATE),
    ("https://[::127.0.0.1]/", PRIVATE),
    ("https://[64:ff9b::10.0.0.1]/", PRIVATE),
    ("https://[64:ff9b:1::a00:1]/", PRIVATE),
    ("https://[2002:7f00:1::]/", PRIVATE),
    ("https://[2001:0:1::1]/", PRIVATE),
    ("https://[2001:db8::1]/", PRIVATE),
    ("https://[3fff::1]/", PRIVATE),
    ("https://[fe80::1]/", PRIVATE),
    ("https://[fd00:ec2::254]/", PRIVATE),
    ("https://[ff02::1]/", PRIVATE),
    ("https://[100::1]/", PRIVATE),
    ("https://[5f00::1]/", PRIVATE),
    ("https://0.0.0.0/", PRIVATE),
    ("https://10.1.2.3/", PRIVATE),
    ("https://100.64.0.1/", PRIVATE),
    ("https://100.127.255.255/", PRIVATE),
    ("https://169.254.169.254/latest/meta-data", PRIVATE),
    ("https://168.63.129.16/", PRIVATE),
    ("https://172.16.0.1/", PRIVATE),
    ("https://172.31.255.255/", PRIVATE),
    ("https://192.168.1.1:8443/", PRIVATE),
    ("https://192.0.0.8/", PRIVATE),
    ("https://192.0.2.1/", PRIVATE),
    ("https://192.88.99.1/", PRIVATE),
    ("https://198.18.0.1/", PRIVATE),
    ("https://224.0.0.1/", PRIVATE),
    ("https://240.0.0.1/", PRIVATE),
    ("https://255.255.255.255/", PRIVATE),
    ("https://localhost", PRIVATE),
    ("https://LOCALHOST:8443", PRIVATE),
    ("https://intranet/", PRIVATE),
    ("https://2130706433/", NOT_AN_ADDRESS),
    ("https://0x7f000001/", NOT_AN_ADDRESS),
    ("https://0x7f.0.0.1/", NOT_AN_ADDRESS),
    ("https://127.0.0.0x1/", NOT_AN_ADDRESS),
    ("https://0177.0.0.1/", NOT_AN_ADDRESS),
    ("https://127.1/", NOT_AN_ADDRESS),
    ("https://127.0.1/", NOT_AN_ADDRESS),
    ("https://127.0.0.1./", NOT_AN_ADDRESS),
    ("https://localhost./", NOT_AN_ADDRESS),
    ("https://256.1.1.1/", NOT_AN_ADDRESS),
    ("https://[fe80::1%25eth0]/", NOT_AN_ADDRESS),
    ("https://[fe80::1%eth0]/", NOT_AN_ADDRESS),
    ("https://[::1/", NOT_AN_ADDRESS),
    ("https://[::1]evil.example.org/", NOT_AN_ADDRESS),
    ("https://::1/", NOT_AN_ADDRESS),
    ("https://[127.0.0.1]/", NOT_AN_ADDRESS),
    ("https://%31%32%37.0.0.1/", NOT_AN_ADDRESS),
    ("https://ⓛocalhost/", NOT_AN_ADDRESS),
    ("https://127。0。0。1/", NOT_AN_ADDRESS),
    ("https://münchen.example/", NOT_AN_ADDRESS),
    ("https://example.org\\@127.0.0.1/", NOT_AN_ADDRESS),
    ("https://example.org/\r\nHost: 127.0.0.1", NOT_AN_ADDRESS),
    ("https://example.org/x\n", NOT_AN_ADDRESS),
    ("https://exam\tple.org/", NOT_AN_ADDRESS),
    (" https://example.org/", NOT_AN_ADDRESS),
    ("https://example.org/a b", NOT_AN_ADDRESS),
    ("https://example.org/\x00", NOT_AN_ADDRESS),
    ("https://exa mple.org/", NOT_AN_ADDRESS),
    ("https:///path", NOT_AN_ADDRESS),
    ("https:example.org", NOT_AN_ADDRESS),
    ("//example.org/", NOT_AN_ADDRESS),
    ("example.org", NOT_AN_ADDRESS),
    ("", NOT_AN_ADDRESS),
    ("ftp://example.org/", NOT_AN_ADDRESS),
    ("file:///etc/passwd", NOT_AN_ADDRESS),
    ("gopher://example.org/", NOT_AN_ADDRESS),
    ("javascript:alert(1)", NOT_AN_ADDRESS),
    ("https://example..org/", NOT_AN_ADDRESS),
    ("https://-example.org/", NOT_AN_ADDRESS),
    ("https://example.org:/", NOT_AN_ADDRESS),
    ("https://example.org:0443/", NOT_AN_ADDRESS),
    ("https://example.org:99999/", NOT_AN_ADDRESS),
    ("https://example.org:x/", NOT_AN_ADDRESS),
    (f"https://{'a' * 64}.org/", NOT_AN_ADDRESS),
    (f"https://{'a.' * 150}org/", NOT_AN_ADDRESS),
    ("https://user@example.org/", "The web address must not contain a name or a password."),
    ("https://user:word@example.org/", "The web address must not contain a name or a password."),
    ("https://example.org@127.0.0.1/", "The web address must not contain a name or a password."),
    ("https://@127.0.0.1/", "The web address must not contain a name or a password."),
    ("http://example.org/", "The web address must begin with https."),
    ("https://example.org:22/", "The port 22 is for other services"),
    ("https://example.org:80/", "The port 80 is for other services"),
    ("https://example.org:0/", "The port 0 is for other services"),
    ("https://example.org:1023/", "The port 1023 is for other services"),
    (f"https://example.org/{'x' * 2000}", "The web address is longer than 2000 characters."),
]

TAKEN = [
    ("https://example.org", Destination("https", "example.org", 443, "/")),
    ("HTTPS://Example.ORG/Path", Destination("https", "example.org", 443, "/Path")),
    ("https://example.org?a=b", Destination("https", "example.org", 443, "/?a=b")),
    ("https://example.org/a?b=c&d#e", Destination("https", "example.org", 443, "/a?b=c&d")),
    ("https://example.org/a@b", Destination("https", "example.org", 443, "/a@b")),
    ("https://example.org:443/", Destination("https", "example.org", 443, "/")),
    ("https://example.org:1024/", Destination("https", "example.org", 1024, "/")),
    ("https://xn--mnchen-3ya.example:8123/", Destination("https", "xn--mnchen-3ya.example", 8123, "/")),
    ("https://8.8.8.8/", Destination("https", "8.8.8.8", 443, "/")),
    ("https://[2606:4700::1111]/", Destination("https", "2606:4700::1111", 443, "/")),
]


@pytest.mark.parametrize(("url", "sentence"), REFUSED)
def test_a_webhook_that_could_reach_inside_is_refused_in_a_sentence(url: str, sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        check_webhook(url)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(("url", "destination"), TAKEN)
def test_a_public_webhook_is_taken_apart(url: str, destination: Destination) -> None:
    assert check_webhook(url) == destination


def test_host_and_origin_name_the_port_only_if_it_is_unusual() -> None:
    assert destination_of("https://Example.org:443/x").origin == "https://example.org"
    assert destination_of("https://[2606:4700::1]:8443/x").authority == "[2606:4700::1]:8443"
    assert destination_of("http://127.0.0.1:80").origin == "http://127.0.0.1"


def test_the_operator_can_vouch_for_an_origin_and_only_for_that() -> None:
    allowed = read_origins(["http://127.0.0.1:9000", "HTTPS://Hooks.lan:443/"])
    assert allowed == {"http://127.0.0.1:9000", "https://hooks.lan"}
    check_open(destination_of("http://127.0.0.1:9000/any?thing"), allowed)
    for other in ("http://127.0.0.1:9001/", "https://127.0.0.1:9000/", "http://127.0.0.2:9000/", "http://hooks.lan/"):
        with pytest.raises(Refusal):
            check_open(destination_of(other), allowed)


@pytest.mark.parametrize("text", ["127.0.0.1", "*", "https://example.org/path", "ftp://example.org", ""])
def test_an_origin_that_is_none_is_an_error_of_the_operator(text: str) -> None:
    with pytest.raises(ValueError, match="expected one such as"):
        read_origins([text])


PIECES = ["https://", "example.org", "127.0.0.1", "[::1]", "[2606:4700::1]", "8.8.8.8", "0x7f", "1"]
PIECES += [
    ":",
    "443",
    "8443",
    "@",
    "/",
    "\\",
    "#",
    "?",
    "%",
    "%40",
    ".",
    "-",
    "\r\n",
    "\t",
    " ",
    "é",
    "。",
    "[",
    "]",
    ";",
]


@given(st.lists(st.sampled_from(PIECES), max_size=8))
def test_whatever_is_taken_is_read_alike_by_another_program(pieces: list[str]) -> None:
    url = "".join(["https://", *pieces])
    try:
        destination = check_webhook(url)
    except Refusal:
        return
    other = httpx.URL(url)
    assert (destination.host, destination.port) == (other.host, other.port or 443)
    assert destination.target == other.raw_path.decode() or "%" in url


@given(st.ip_addresses())
def test_nothing_is_public_that_python_calls_anything_else(address: IPv4Address | IPv6Address) -> None:
    if not address.is_global or address.is_multicast or address.is_reserved:
        assert not is_public(address)


@given(st.ip_addresses(v=4))
def test_no_address_within_an_address_is_public(address: IPv4Address | IPv6Address) -> None:
    for prefix in ("::", "::ffff:0:0", "64:ff9b::", "64:ff9b:1::", "::ffff:0:0:0"):
        assert not is_public(IPv6Address(int(IPv6Address(prefix)) + int(address)))
    assert not is_public(IPv6Address(int(IPv6Address("2002::")) + (int(address) << 80)))
    assert not is_public(IPv6Address(int(IPv6Address("2001::")) + (int(address) << 64)))


def test_lookups_find_addresses() -> None:
    found = asyncio.run(_found(Lookups(), "localhost"))
    assert found
    assert found <= {"127.0.0.1", "::1"}


def test_lookups_that_hang_are_bounded_and_hold_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()

    def hanging(*_: object, **__: object) -> list[object]:
        release.wait()
        raise socket.gaierror(socket.EAI_NONAME, "none")

    monkeypatch.setattr(socket, "getaddrinfo", hanging)

    async def scene() -> None:
        lookups = Lookups(2)
        waiting = [asyncio.create_task(_found(lookups, "slow.example.org")) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(OSError, match="too many lookups"):
            await lookups("third.example.org", 443)
        waiting[0].cancel()
        assert isinstance((await asyncio.gather(waiting[0], return_exceptions=True))[0], asyncio.CancelledError)
        release.set()
        with pytest.raises(socket.gaierror):
            await waiting[1]
        while True:
            try:
                await _found(lookups, "later.example.org")
            except socket.gaierror:
                return
            except OSError:
                await asyncio.sleep(0)

    asyncio.run(scene())


async def _found(lookups: Lookups, host: str) -> set[str]:
    return set(await lookups(host, 443))
