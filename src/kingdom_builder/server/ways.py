"""The ways in which a person wants to be told: browsers that take pushes, one webhook, mail."""

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import NamedTuple

from kingdom_builder.server.delivery.push import Subscription
from kingdom_builder.server.outbox import Way
from kingdom_builder.server.schema import WAYS, upsert
from kingdom_builder.server.store import Sql, Steps

MOST_BROWSERS = 5
"""The most browsers of a person that take pushes; another one replaces the oldest."""

PUT_WAY = upsert(WAYS)
UNSUBSCRIBING = re.compile(r"([0-9a-f]{16})\.([0-9a-f]{32})")


class Chosen(NamedTuple):
    """A way that a person has chosen."""

    way: Way
    target: str
    address: str
    device: str
    label: str
    created: int


def target_of(endpoint: str) -> str:
    """What distinguishes a browser that takes pushes: its address is long, and a secret."""
    return hashlib.sha256(endpoint.encode()).hexdigest()[:32]


def chosen(person: str) -> Steps[list[Chosen]]:
    """The ways of a person, oldest first."""
    rows = yield Sql(
        "SELECT way, target, address, device, label, created FROM ways WHERE person = ? ORDER BY created, target",
        (person,),
    )
    return [Chosen(*row) for row in rows]


def add_browser(
    person: str, subscription: Subscription, device: str, label: str, replaces: str, now: int
) -> Steps[None]:
    """Send pushes to a browser from now on, and no longer to what it was before."""
    target = target_of(subscription.endpoint)
    # Somebody else may have used the browser before: the pushes are for whoever uses it now.
    yield Sql("DELETE FROM ways WHERE way = 'push' AND (target = ? OR device = ?)", (target, device))
    if replaces:
        yield from remove_way(person, "push", target_of(replaces))
    row = (subscription.endpoint, subscription.p256dh, subscription.auth, device, label, now, 0)
    yield Sql(PUT_WAY, (person, "push", target, *row))
    browsers = [each for each in (yield from chosen(person)) if each.way == "push" and each.target != target]
    for each in browsers[: max(0, len(browsers) + 1 - MOST_BROWSERS)]:
        yield from remove_way(person, "push", each.target)


def set_webhook(person: str, url: str, now: int) -> Steps[None]:
    """Send to this webhook from now on, in place of another one."""
    yield Sql(PUT_WAY, (person, "webhook", "", url, "", "", "", "", now, 0))


def set_mail(person: str, now: int) -> Steps[None]:
    """Send mail from now on."""
    yield Sql(
        "INSERT INTO ways (person, way, target, address, browser_key, secret, device, label, created, told)"
        " VALUES (?, 'mail', '', '', '', '', '', '', ?, 0) ON CONFLICT (person, way, target) DO NOTHING",
        (person, now),
    )


def remove_way(person: str, way: Way, target: str = "") -> Steps[None]:
    """Send no more in this way. What still waits is dropped when it is due."""
    yield Sql("DELETE FROM ways WHERE person = ? AND way = ? AND target = ?", (person, way, target))


def forget_devices(devices: Sequence[str]) -> Steps[None]:
    """Send no more pushes to devices that were signed out; each is named by its hash."""
    for device in devices:
        yield Sql("DELETE FROM ways WHERE way = 'push' AND device = ?", (device,))


def set_language(person: str, language: str) -> Steps[None]:
    """Send messages in this language."""
    yield Sql("UPDATE persons SET language = ? WHERE id = ? AND language != ?", (language, person, language))


# ---- mail ends without signing in ------------------------------------------------------------------------------------


def unsubscribing_token(person: str, key: str) -> str:
    """What ends mails to a person, for a link in each of them; nobody can make it without the server's key."""
    return f"{person}.{_seal(person, key)}"


def read_unsubscribing_token(token: str, key: str) -> str | None:
    """The person to whom a link to end mails was sent; None if it is not one of this server."""
    found = UNSUBSCRIBING.fullmatch(token)
    return found[1] if found and hmac.compare_digest(found[2], _seal(found[1], key)) else None


def _seal(person: str, key: str) -> str:
    return hmac.digest(key.encode(), f"unsubscribe {person}".encode(), "sha256").hex()[:32]


def end_mail(person: str) -> Steps[None]:
    """Send no more mail to a person, or to whom they turned out to be."""
    rows = yield Sql("SELECT merged FROM persons WHERE id = ?", (person,))
    yield from remove_way(rows[0][0] or person if rows else person, "mail")
