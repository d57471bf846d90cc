"""The settings of a server."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kingdom_builder.board import Section

OWN_SECTIONS = "sections.kbm"
"""The map file in the data folder with the sections of the server, if there is one."""


@dataclass(frozen=True)
class Settings:
    """The settings of a server. Limits protect it from strangers; the defaults suit a small machine.

    A visitor is an address; all addresses of an IPv6 network of 64 bits are one visitor.
    """

    sections: Mapping[str, Section] = field(default_factory=dict)
    """Sections by key that take the place of printed ones, or that the server has besides them."""
    data: Path | None = None
    """The folder of the database; None keeps the games only in memory."""
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
    max_message: int = 4_096
    """The most bytes of a WebSocket message."""
    max_body: int = 1_000_000
    """The most bytes of an HTTP request: records can be long."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks whose header X-Forwarded-For names the visitor."""
    keep_days: int = 180
    """Tables that nobody has used for this long are removed when the server starts, a few per cent at a time."""
    idle_minutes: float = 30
    """Tables that nobody looks at leave the memory, but not the database, after this time."""
    bot_pause: float = 0.45
    """Seconds before each action of a bot, so that people can follow the game."""
    bot_rest: float = 60
    """Seconds after which the bots stop at a table that nobody looks at; they go on when somebody comes."""
    bot_workers: int = 1
    """The number of processes for bots and hints; one more makes replays, previews and pictures."""
    database_patience: float = 3
    """Seconds to wait for a locked database."""
