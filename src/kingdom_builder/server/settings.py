"""What whoever runs a server can set."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """Limits protect a server that strangers can reach; the defaults suit a small machine."""

    data: Path | None = None
    """The folder of the database; nothing: the games are kept in memory only."""
    max_tables: int = 10_000
    """Tables in the database; no new ones beyond that."""
    max_connections: int = 2_000
    """Open pages."""
    max_connections_per_table: int = 50
    messages_per_second: float = 20
    """Of one connection, on average; ten times as many may come at once."""
    tables_per_minute: int = 60
    """New tables from one address."""
    max_message: int = 4_096
    """Bytes of a WebSocket message."""
    max_body: int = 1_000_000
    """Bytes of an HTTP request: records can be long."""
    keep_days: int = 180
    """Older tables are removed when the server starts."""
    idle_minutes: float = 30
    """Tables that nobody looks at leave the memory, not the database, after that."""
    bot_pause: float = 0.45
    """Seconds before each action of a bot, so that people can follow."""
    bot_workers: int = 1
    """Processes in which bots and hints think."""
    database_patience: float = 3
    """Seconds to wait for a locked database."""
