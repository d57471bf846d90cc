"""How much of the server each visitor uses, with limits so that no visitor takes too much from the others.

A visitor is an address, or for IPv6 a network of 64 bits, since everybody has one of those.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Protocol

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.limits import RateLimit
from kingdom_builder.server.settings import Settings

BURST = 4.0
"""Work that a visitor may ask for at once, in seconds of the allowed rate."""

LONGEST_WAIT = 5.0
"""The most seconds that work may wait for its turn; more work is refused."""

MINUTE, DAY = 60.0, 86_400.0
KEPT = 10_000
"""Visitors to remember; beyond that, those who have nothing open and whose limits are all full again are forgotten."""

LINES_AT_ONCE = 20
"""Chat lines of one visitor."""

SHARING = 5
"""How many times as many lines as one may come from all people at an address whom the server knows: each of them has a
limit of their own (person_limits.py)."""

REPORTS_SHARE = 3
"""How many times as many reports as one person may send come from one address."""

UNKNOWN = "unknown"
PREFIX = 64
"""Bits of an IPv6 address that distinguish visitors."""


class Held(Protocol):
    """Something that a visitor keeps open, and that the server can close."""

    def evict(self) -> None: ...


class Page(Held, Protocol):
    """A WebSocket of a visitor."""

    @property
    def place(self) -> str:
        """The table that it shows; empty before the greeting."""
        ...


class Visitor:
    """What one visitor has open and has used."""

    def __init__(self, address: str, settings: Settings) -> None:
        self.address = address
        self.pages: dict[Page, None] = {}
        """Pages, in the order in which they came."""
        self.requests: dict[Held, None] = {}
        """Connections that are not pages, in the order in which they came or were last answered."""
        self._settings = settings
        self._work = RateLimit(settings.work_per_second, BURST * settings.work_per_second)
        self._lines = RateLimit(settings.lines_per_second, LINES_AT_ONCE)
        self._lines_of_all = RateLimit(SHARING * settings.lines_per_second, SHARING * LINES_AT_ONCE)
        self._tables_by_minute = RateLimit(settings.tables_per_minute / MINUTE, settings.tables_per_minute)
        self._tables_by_day = RateLimit(settings.tables_per_day / DAY, settings.tables_per_day)
        self._persons = RateLimit(settings.persons_per_day / DAY, settings.persons_per_day)
        self._seeks = RateLimit(settings.seeks_per_minute / MINUTE, settings.seeks_per_minute)
        most_reports = REPORTS_SHARE * settings.reports_per_day
        self._reports = RateLimit(most_reports / DAY, most_reports)

    @property
    def is_idle(self) -> bool:
        """Whether this visitor can be forgotten without losing anything."""
        limits = (self._work, self._lines, self._lines_of_all, self._tables_by_minute, self._tables_by_day)
        rare = (self._persons, self._seeks, self._reports)
        return not self.pages and not self.requests and all(limit.is_full for limit in (*limits, *rare))

    def charge(self, work: float) -> float:
        """Count requested work; returns the seconds that it has to wait. Raises Refusal if that is too long."""
        wait = self._work.borrow(work, LONGEST_WAIT)
        if wait is None:
            raise Refusal(
                Message("Too much was asked of this server from your address: try again in a moment."), "too-fast"
            )
        return wait

    def count_line(self, *, is_known: bool = False) -> None:
        """Count a chat line, which is kept for as long as the table is. Raises Refusal if there were too many.

        A person whom the server knows has a limit of their own besides.
        """
        if not (self._lines_of_all if is_known else self._lines).take():
            raise Refusal(Message("Too many lines at once: wait a moment before you speak again."), "too-fast")

    def count_table(self) -> None:
        """Count a new table. Raises Refusal if there were too many."""
        settings = self._settings
        if not self._tables_by_minute.take():
            raise Refusal(
                Message("Too many new tables: expected {n} a minute.", n=settings.tables_per_minute), "too-fast"
            )
        if not self._tables_by_day.take():
            raise Refusal(Message("Too many new tables: expected {n} a day.", n=settings.tables_per_day), "too-fast")

    def count_person(self) -> None:
        """Count a new person. Raises Refusal if there were too many."""
        if not self._persons.take():
            most = self._settings.persons_per_day
            raise Refusal(Message("Too many new guests from your address: expected {n} a day.", n=most), "too-fast")

    def count_seek(self) -> None:
        """Count a search for a game. Raises Refusal if there were too many."""
        if not self._seeks.take():
            most = self._settings.seeks_per_minute
            raise Refusal(
                Message("Too many searches for a game from your address: expected {n} a minute.", n=most), "too-fast"
            )

    def count_report(self) -> None:
        """Count a report. Raises Refusal if there were too many."""
        if not self._reports.take():
            raise Refusal(Message("Too many reports from your address today: try again tomorrow."), "too-fast")

    def open_page(self, page: Page) -> None:
        """Count a page; beyond the limit another page is closed."""
        if len(self.pages) >= self._settings.max_connections_per_visitor:
            self._least_missed().evict()
        self.pages[page] = None

    def _least_missed(self) -> Page:
        """The oldest page that shows nothing yet, else the oldest at the table where this visitor has most pages.

        This way somebody who shares an address with a greedy visitor keeps their page.
        """
        places: dict[str, int] = {}
        for page in self.pages:
            places[page.place] = places.get(page.place, 0) + 1
        crowded = "" if "" in places else max(places, key=lambda place: places[place])
        return next(page for page in self.pages if page.place == crowded)

    def open_request(self, request: Held) -> None:
        """Count a connection; beyond the limit the one that has been silent longest is closed."""
        if len(self.requests) >= self._settings.max_requests_per_visitor:
            next(iter(self.requests)).evict()
        self.requests[request] = None


class Visitors:
    """All visitors, by address."""

    def __init__(self, settings: Settings) -> None:
        """Raises ValueError if a trusted proxy is neither an address nor a network."""
        self._settings = settings
        self._proxies = [_network(text) for text in settings.trusted_proxies]
        self._known: dict[str, Visitor] = {}
        self._most = KEPT
        """The number of known visitors at which idle ones are looked for again."""

    def visitor(self, address: str) -> Visitor:
        found = self._known.get(address)
        if found is None:
            if len(self._known) >= self._most:
                self._known = {key: each for key, each in self._known.items() if not each.is_idle}
                self._most = max(KEPT, 2 * len(self._known))  # or every new visitor would cost a look at all
            found = self._known[address] = Visitor(address, self._settings)
        return found

    def address(self, host: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> str:
        """The address that a request comes from: the sender's, or the one that a trusted proxy names."""
        sender = _address(host)
        if sender is None or not self.trusts(host):
            return _name(sender)
        named = b",".join(value for key, value in headers if key == b"x-forwarded-for").decode("latin-1")
        for text in reversed(named.split(",")):
            previous = _address(text.strip())
            if previous is None:
                break
            sender = previous
            if not self._is_proxy(sender):
                break
        return _name(sender)

    def scheme(self, host: str, headers: Iterable[tuple[bytes, bytes]], sent_by: str) -> str:
        """Whether a visitor came by `http` or `https`: as the request was sent, or as a trusted proxy says.

        Of several values the last one counts: it is the one that the proxy itself has added.
        """
        if not self.trusts(host):
            return sent_by
        named = b",".join(value for key, value in headers if key == b"x-forwarded-proto").decode("latin-1")
        last = named.rpartition(",")[2].strip().lower()
        return last if last in ("http", "https") else sent_by

    def trusts(self, host: str) -> bool:
        """Whether a sender is one of the trusted proxies."""
        address = _address(host)
        return address is not None and self._is_proxy(address)

    def _is_proxy(self, address: IPv4Address | IPv6Address) -> bool:
        return any(address in network for network in self._proxies)


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise ValueError(f"the trusted proxy {text!r}: expected an address or a network such as 10.0.0.0/8") from None


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _name(address: IPv4Address | IPv6Address | None) -> str:
    if address is None:
        return UNKNOWN
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((address, PREFIX), strict=False).network_address)
