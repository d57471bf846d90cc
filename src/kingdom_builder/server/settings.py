"""The settings of a server."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """Limits protect a server that strangers can reach; the defaults suit a small machine.

    A visitor is an address; all addresses of an IPv6 network of 64 bits are one visitor.
    """

    data: Path | None = None
    """The folder of the database; nothing: the games are kept in memory only."""
    max_tables: int = 10_000
    """Tables in the database; no new ones beyond that."""
    max_connections: int = 2_000
    """Open pages."""
    max_connections_per_visitor: int = 200
    """Open pages of one visitor; a further one takes the place of another at the table where the visitor has most."""
    max_connections_per_table: int = 50
    max_requests_per_visitor: int = 100
    """Connections of one visitor that are not pages of a table: requests under way, slow, or waited for."""
    messages_per_second: float = 20
    """Of one connection, on average; ten times as many may come at once."""
    work_per_second: float = 250
    """Of one visitor: a small request or message is 1, and about a millisecond of the server; four times as much may
    come at once. More waits."""
    lines_per_second: float = 2
    """Lines of chat of one visitor; twenty may come at once."""
    tables_per_minute: int = 60
    """New tables of one visitor."""
    tables_per_day: int = 500
    """New tables of one visitor."""
    max_message: int = 4_096
    """Bytes of a WebSocket message."""
    max_body: int = 1_000_000
    """Bytes of an HTTP request: records can be long."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks whose header X-Forwarded-For names the visitor."""
    keep_days: int = 180
    """Tables that nobody has used for longer are removed when the server starts, a few per cent at a time."""
    idle_minutes: float = 30
    """Tables that nobody looks at leave the memory, not the database, after that."""
    bot_pause: float = 0.45
    """Seconds before each action of a bot, so that people can follow."""
    bot_rest: float = 60
    """Seconds after which the bots of a table stop that nobody looks at; they go on when somebody comes."""
    bot_workers: int = 1
    """Processes in which bots and hints think; one more works out replays, previews and pictures."""
    database_patience: float = 3
    """Seconds to wait for a locked database."""
