"""The settings of a server."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kingdom_builder.board import Section
from kingdom_builder.server.delivery.mail import MailSettings

OWN_SECTIONS = "sections.kbm"
"""The map file in the data folder with the sections of the server, if there is one."""

SHARED_DRAIN_SECONDS = 2.0
"""How long a server drains by default that shares its database: a proxy has noticed by then that it is not ready."""


@dataclass(frozen=True)
class Settings:
    """The settings of a server. Limits protect it from strangers; the defaults suit a small machine.

    A visitor is an address; all addresses of an IPv6 network of 64 bits are one visitor.
    """

    sections: Mapping[str, Section] = field(default_factory=dict)
    """Sections by key that take the place of printed ones, or that the server has besides them."""
    data: Path | None = None
    """The folder of the database; None keeps the games only in memory."""
    database: str = ""
    """The address of a PostgreSQL database that several servers share; empty for one of this server alone."""
    max_tables: int = 10_000
    """The most tables in the database."""
    max_connections: int = 2_000
    """Open pages."""
    max_connections_per_visitor: int = 200
    """The most open pages of one visitor; another one replaces a page at the table where the visitor has the most."""
    max_connections_per_table: int = 50
    max_requests_per_visitor: int = 100
    """The most connections of one visitor that are not pages of a table: requests in progress, slow or expected."""
    messages_per_second: float = 20
    """Messages of one connection, on average; ten times as many may come at once."""
    work_per_second: float = 250
    """The work of one visitor: a small request or message counts 1 and takes about a millisecond; four times as much
    may come at once. More has to wait."""
    lines_per_second: float = 2
    """Chat lines of one visitor; twenty may come at once."""
    tables_per_minute: int = 60
    """New tables of one visitor."""
    tables_per_day: int = 500
    """New tables of one visitor."""
    persons_per_day: int = 300
    """New guests of one visitor."""
    seeks_per_minute: int = 30
    """Searches for a game that one visitor begins in the lobby."""
    max_seeks_per_visitor: int = 100
    """Searches of one visitor that go on at the same time."""
    bots_offered_after: float = 30
    """Seconds after which somebody who looks for a game is offered bots; if nobody else is there, they are at once."""
    reports_per_day: int = 20
    """Reports of one person; three times as many of one visitor."""
    max_message: int = 4_096
    """The most bytes of a WebSocket message."""
    max_body: int = 1_000_000
    """The most bytes of an HTTP request: records can be long."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks whose headers X-Forwarded-For and X-Forwarded-Proto are believed: they say who a
    visitor is, and whether they came by https."""
    keep_days: int = 180
    """Tables that nobody has used for this long are removed when the server starts, a few per cent at a time."""
    keep_reports_days: int = 180
    """Reports, and what operators did about them, are removed after this time."""
    keep_guests_days: int = 400
    """Guests who have not come for this long and have no running game are removed when the server starts, a few per
    cent at a time; members stay until they delete themselves."""
    address: str = ""
    """Where people reach this server, such as `https://games.example.org`, for links in messages; or empty."""
    mail: MailSettings | None = None
    """The mail server; None if no mails are sent."""
    idle_minutes: float = 30
    """Tables that nobody looks at leave the memory, but not the database, after this time."""
    bot_pause: float = 0.45
    """Seconds before each action of a bot, so that people can follow the game."""
    bot_rest: float = 60
    """Seconds after which the bots stop at a table that nobody looks at; they go on when somebody comes."""
    bot_workers: int = 1
    """The number of processes for bots and hints; one more makes replays, previews and pictures. With 0 they think
    elsewhere (`kb work`), and while nobody is there bots play `greedy` and there are no hints."""
    metrics: bool = False
    """Whether figures for Prometheus are shown at /metrics."""
    drain_seconds: float | None = None
    """How long a server that was asked to end (SIGTERM) sends its pages to others, one after the other; None is 2 with
    a database that several servers share, and 0 with one of its own, where there are no others."""
    database_patience: float = 3
    """Seconds to wait for a locked database."""
    push_contact: str | None = None
    """How push services reach the operator, `mailto:` or `https:`; without it there are no pushes."""
    push_allow: tuple[str, ...] = ()
    """Origins of further push services."""
    webhook_allow: tuple[str, ...] = ()
    """Origins of receivers of webhooks in private networks or without https."""
    notice_delay: int = 5
    """Seconds that a turn waits before its player is told: whoever looks on may have played by then."""
    mail_pause: int = 3_600
    """Seconds between two mails to a person about games; what happens meanwhile comes in one."""

    @property
    def draining(self) -> float:
        """For how many seconds pages are sent elsewhere before the server ends."""
        if self.drain_seconds is not None:
            return self.drain_seconds
        return SHARED_DRAIN_SECONDS if self.database else 0
