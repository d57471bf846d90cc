"""Webhooks: a web address of a person's choice that gets a line of JSON, as Discord, Slack and many others take."""

import ssl
from collections.abc import Collection
from dataclasses import dataclass

import msgspec

from kingdom_builder.message import Refusal
from kingdom_builder.server.delivery.destination import Destination, Lookups, Resolver, check_open, destination_of
from kingdom_builder.server.delivery.outcome import Outcome, noted
from kingdom_builder.server.delivery.post import post

PATIENCE = 5.0
"""Seconds for everything: lookup, connection, request and answer."""

MOST_TEXT = 1_800
"""Characters of a text; Discord takes 2,000."""

LOOKUPS = Lookups()


@dataclass(frozen=True)
class Line:
    """What a webhook is told."""

    text: str
    table: str
    url: str


def check_webhook(url: str, allowed: Collection[str] = ()) -> Destination:
    """The destination of a webhook. Raises Refusal unless it can be one: https, a public host, port 443 or above 1023.

    Ports above 1023 are open since receivers at home often have one; behind the port must be a server with a valid
    certificate for the name, so nothing else can be talked to. Where the name leads is looked up when a line is sent.
    """
    destination = destination_of(url)
    check_open(destination, allowed)
    return destination


async def send_webhook(
    url: str,
    line: Line,
    *,
    allowed: Collection[str] = (),
    resolver: Resolver = LOOKUPS,
    tls: ssl.SSLContext | None = None,
    patience: float = PATIENCE,
) -> Outcome:
    """Send a line. `allowed` has origins that may be in a private network or without https (`read_origins`)."""
    try:
        destination = check_webhook(url, allowed)
    except Refusal as refusal:
        return noted("webhook", url, Outcome("refused", refusal.code))
    outcome = await post(
        destination,
        [("Content-Type", "application/json")],
        webhook_body(line),
        resolver=resolver,
        patience=patience,
        must_be_public=destination.origin not in allowed,
        tls=tls,
    )
    return noted("webhook", url, outcome)


def webhook_body(line: Line) -> bytes:
    """A line for everybody: Discord reads `content`, Slack `text`. Names in it must not call a whole channel."""
    text = line.text[:MOST_TEXT]
    return msgspec.json.encode(
        {
            "content": text,
            "allowed_mentions": {"parse": []},  # Discord: @everyone is only a word
            "text": text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),  # Slack: so is <!channel>
            "table": line.table,
            "url": line.url,
        }
    )
