"""The routes about the person at a device."""

import asyncio
from collections.abc import Mapping

from fastapi import FastAPI, Request, Response

from kingdom_builder.server.answers import json_answer
from kingdom_builder.server.messages import Me
from kingdom_builder.server.persons import COOKIE, COOKIE_DAYS, DAY, SECURE_COOKIE, Person, nobody
from kingdom_builder.server.requests import is_secure, sender_of, visitor_of
from kingdom_builder.server.tables import Tables

WORK_OF_PERSON = 5.0

BROWSERS = ("Edg", "OPR", "Firefox", "Chrome", "Safari")
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux")


def add_routes(app: FastAPI, tables: Tables) -> None:
    """Add the routes under `/api/me`."""

    @app.get("/api/me", response_model=Me)
    async def get_me(request: Request) -> Response:
        """The person at this device. Refused as `unknown-person` if there is none yet."""
        return json_answer(view_of(await person_of(request, tables)))

    @app.post("/api/me", response_model=Me)
    async def make_me(request: Request) -> Response:
        """The person at this device; at the first visit a new guest, who gets a cookie."""
        person = await sender_of(request, tables)
        if person is not None:
            await tables.persons.has_come(person)
            return json_answer(view_of(person))
        visitor = tables.visitors.visitor(visitor_of(request))
        visitor.count_person()
        await asyncio.sleep(visitor.charge(WORK_OF_PERSON))
        person, secret = await tables.persons.make_guest(device_label(request.headers))
        answer = json_answer(view_of(person))
        set_cookie(answer, secret, is_secure=is_secure(request, tables))
        return answer


async def person_of(request: Request, tables: Tables) -> Person:
    """The person who sent a request. Raises Refusal if there is none."""
    person = await sender_of(request, tables)
    if person is None:
        raise nobody()
    return person


def view_of(person: Person) -> Me:
    """A person as they see themselves."""
    return Me(person.id, person.name, person.is_member, person.role)


def set_cookie(answer: Response, secret: str, *, is_secure: bool) -> None:
    """Let the browser keep the secret of its device, out of reach of scripts."""
    answer.set_cookie(
        SECURE_COOKIE if is_secure else COOKIE,
        secret,
        max_age=COOKIE_DAYS * DAY,
        httponly=True,
        samesite="lax",
        secure=is_secure,
    )


def clear_cookie(answer: Response) -> None:
    """Let the browser forget its device."""
    for name in (COOKIE, SECURE_COOKIE):
        answer.delete_cookie(name, httponly=True, samesite="lax", secure=name == SECURE_COOKIE)


def device_label(headers: Mapping[str, str]) -> str:
    """What kind of browser sent a request, for the list of devices: no more than that is kept of it."""
    agent = headers.get("user-agent", "")
    found = [next((each for each in known if each in agent), "") for known in (BROWSERS, SYSTEMS)]
    return " ".join(each for each in found if each)
