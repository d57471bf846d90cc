"""The routes for how a person is told that a game waits for them."""

import asyncio
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import FastAPI, Path, Request, Response
from fastapi.responses import RedirectResponse

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server import ways
from kingdom_builder.server.answers import json_answer
from kingdom_builder.server.delivery.outcome import Outcome
from kingdom_builder.server.game_lists import PRIVATE
from kingdom_builder.server.limits import RateLimits
from kingdom_builder.server.me import device_label, person_of
from kingdom_builder.server.messages import (
    Notifications,
    PushDevice,
    PushEnd,
    PushSubscription,
    WebhookAddress,
    Wishes,
)
from kingdom_builder.server.persons import Person
from kingdom_builder.server.requests import visitor_of
from kingdom_builder.server.store import Sql, Steps
from kingdom_builder.server.tables import Tables

WORK_OF_CHANGE = 5.0
MINUTE = 60.0
CHANGES = (1 / 10, 30)
"""Changes of one person: a second, and at once."""
TESTS, TESTS_OF_VISITOR = (1 / MINUTE, 5), (2 / MINUTE, 20)
"""Tests of webhooks of one person and of one visitor: each is a request to somebody else's server."""

TESTS_AT_ONCE = 4
"""The most tests of webhooks that are on their way."""

UnsubscribingToken = Annotated[str, Path(max_length=60, description="from the link in a mail")]


def language_of(person: str) -> Steps[str]:
    """The language of messages to a person."""
    rows = yield Sql("SELECT language FROM persons WHERE id = ?", (person,))
    return str(rows[0][0]) if rows else ""


def add_routes(app: FastAPI, tables: Tables) -> None:
    """Add the routes of notifications."""
    journal, notifier, senders = tables.journal, tables.notifier, tables.notifier.senders
    changes, tests, tests_of_visitor = RateLimits(*CHANGES), RateLimits(*TESTS), RateLimits(*TESTS_OF_VISITOR)
    testing = asyncio.Semaphore(TESTS_AT_ONCE)

    async def whoever_changes(request: Request) -> Person:
        """The person who changes something. Raises Refusal for nobody, and for too many changes."""
        person = await person_of(request, tables)
        if not changes.take(person.id):
            raise Refusal(Message("Too many changes at once: wait a moment."), "too-fast")
        await asyncio.sleep(tables.visitors.visitor(visitor_of(request)).charge(WORK_OF_CHANGE))
        return person

    async def view(person: Person) -> Response:
        chosen = await journal.read(ways.chosen, person.id)
        devices = [
            PushDevice(each.target, each.label, each.created, each.device == person.device)
            for each in chosen
            if each.way == "push"
        ]
        webhook = next((urlsplit(each.address).netloc for each in chosen if each.way == "webhook"), "")
        address = await journal.read(notifier.address_of, person.id) if senders.offers_mail else ""
        found = Notifications(
            push=await senders.public_key(),
            devices=devices,
            webhooks=senders.offers_webhooks,
            webhook=webhook,
            mails=senders.offers_mail,
            address=address,
            mail=any(each.way == "mail" for each in chosen),
        )
        return json_answer(found, PRIVATE)

    @app.get("/api/me/notifications", response_model=Notifications)
    async def get_notifications(request: Request) -> Response:
        """How the person at this device can be told that a game waits, and what they have chosen."""
        return await view(await person_of(request, tables))

    @app.put("/api/me/notifications", response_model=Notifications)
    async def wish(wishes: Wishes, request: Request) -> Response:
        """Switch mail on or off, or choose the language of messages."""
        person = await whoever_changes(request)
        if wishes.mail:
            if not senders.offers_mail:
                raise Refusal(Message("This server sends no mail."), "unavailable")
            if not await journal.read(notifier.address_of, person.id):
                raise Refusal(Message("The server does not know a mail address of yours yet: add one first."))
            await tables.persons.change(person, ways.set_mail, person.id, int(tables.clock()))
        elif wishes.mail is not None:
            await tables.persons.change(person, ways.remove_way, person.id, "mail")
        if wishes.language is not None:
            await tables.persons.change(person, ways.set_language, person.id, wishes.language)
        return await view(person)

    @app.post("/api/me/push", response_model=Notifications)
    async def subscribe(wanted: PushSubscription, request: Request) -> Response:
        """Send pushes to this browser."""
        person = await whoever_changes(request)
        if not senders.offers_push:
            raise Refusal(Message("This server sends no notices to browsers."), "unavailable")
        browser = senders.check_browser(wanted.endpoint, wanted.keys.p256dh, wanted.keys.auth)
        label, now = device_label(request.headers), int(tables.clock())
        chosen = (person.id, browser, person.device, label, wanted.replaces, now)
        await tables.persons.change(person, ways.add_browser, *chosen)
        return await view(person)

    @app.delete("/api/me/push", response_model=Notifications)
    async def unsubscribe(wanted: PushEnd, request: Request) -> Response:
        """Send no more pushes to a browser of this person."""
        person = await whoever_changes(request)
        target = ways.target_of(wanted.endpoint) if wanted.endpoint else wanted.device
        await tables.persons.change(person, ways.remove_way, person.id, "push", target)
        return await view(person)

    @app.put("/api/me/webhook", response_model=Notifications)
    async def set_webhook(wanted: WebhookAddress, request: Request) -> Response:
        """Send a test to a webhook, and if it arrives, everything else from now on."""
        person = await whoever_changes(request)
        if not senders.offers_webhooks:
            raise Refusal(
                Message("This server sends nothing to webhooks: its operator has not set its address."), "unavailable"
            )
        senders.check_webhook(wanted.url)
        if not tests.take(person.id) or not tests_of_visitor.take(visitor_of(request)) or testing.locked():
            raise Refusal(Message("Too many tests at once: try again in a minute."), "too-fast")
        async with testing:
            outcome = await senders.try_webhook(wanted.url, await journal.read(language_of, person.id))
        _check_arrived(outcome)
        await tables.persons.change(person, ways.set_webhook, person.id, wanted.url, int(tables.clock()))
        return await view(person)

    @app.delete("/api/me/webhook", response_model=Notifications)
    async def remove_webhook(request: Request) -> Response:
        """Send no more to the webhook."""
        person = await whoever_changes(request)
        await tables.persons.change(person, ways.remove_way, person.id, "webhook")
        return await view(person)

    @app.get("/api/unsubscribe/{token}", include_in_schema=False)
    async def ask_about_mail(token: UnsubscribingToken) -> Response:
        """Lead whoever follows the link in a mail to a page that asks: programs follow links as well."""
        return RedirectResponse(f"/#/unsubscribe/{token}", 303)

    @app.post("/api/unsubscribe/{token}", status_code=204, response_class=Response)
    async def end_mail(token: UnsubscribingToken, request: Request) -> Response:
        """Send no more mail to whoever got this link, without signing in (RFC 8058)."""
        await asyncio.sleep(tables.visitors.visitor(visitor_of(request)).charge(WORK_OF_CHANGE))
        person = ways.read_unsubscribing_token(token, (await senders.keys()).unsubscribing)
        if person is None:
            raise Refusal(Message("This link ends no mails here: use the one in the latest mail."), "unknown-key")
        await journal.write(ways.end_mail, person)
        return Response(status_code=204)


def _check_arrived(outcome: Outcome) -> None:
    """Raise Refusal unless a test has arrived. What went wrong in detail is nobody's business but the operator's."""
    if outcome.reason == "a private address":
        raise Refusal(
            Message("The web address leads into a private network: expected one that everybody can reach."), "private"
        )
    if outcome.reason.startswith("status ") and outcome.result != "delivered":
        raise Refusal(
            Message("The receiver refused the test with status {n}.", n=int(outcome.reason.split()[1])), "refused"
        )
    if outcome.result != "delivered":
        raise Refusal(Message("The test did not arrive: is the address right, and its certificate valid?"), "refused")
