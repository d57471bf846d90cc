"""The secrets of the server itself, such as its key for push: made when first needed, and kept with the data."""

from collections.abc import Callable

from kingdom_builder.server.store import Sql, Steps


def server_key(name: str, make: Callable[[], str]) -> Steps[str]:
    """The secret with this name; at first it is made. To be run as work that writes."""
    rows = yield Sql("SELECT value FROM server_keys WHERE name = ?", (name,))
    if rows:
        found: str = rows[0][0]
        return found
    yield Sql("INSERT INTO server_keys (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", (name, make()))
    ((value,),) = yield Sql("SELECT value FROM server_keys WHERE name = ?", (name,))
    return str(value)
