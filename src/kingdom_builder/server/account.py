"""The routes of one's own account: name, devices, signing out, taking everything along and being deleted."""

import asyncio
from collections.abc import Sequence

from fastapi import FastAPI, Request, Response

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server.accounts import Ways, set_language, set_name, ways_of
from kingdom_builder.server.answers import json_answer
from kingdom_builder.server.erasure import erase
from kingdom_builder.server.export import EXPORT, exported, records_of
from kingdom_builder.server.game_lists import PRIVATE
from kingdom_builder.server.limits import RateLimits
from kingdom_builder.server.mailed_codes import why_no_mail
from kingdom_builder.server.me import clear_cookie, person_of, view_of
from kingdom_builder.server.messages import (
    NAME_LENGTH,
    AboutMe,
    Account,
    Deletion,
    DeviceView,
    Me,
    PasskeyView,
    SignOut,
)
from kingdom_builder.server.names import clean
from kingdom_builder.server.persons import Person
from kingdom_builder.server.requests import visitor_of
from kingdom_builder.server.sentences import sent_sentence
from kingdom_builder.server.sign_in import WORK_OF_CHANGE, place_of_page
from kingdom_builder.server.store import Row, Sql, Steps
from kingdom_builder.server.tables import Tables
from kingdom_builder.server.tokens import token_hash
from kingdom_builder.server.ways import forget_devices

WORK_OF_EXPORT = 50.0
EXPORTS_AN_HOUR, HOUR = 5, 3_600.0
LONGEST_LANGUAGE = 20
FILE = "kingdom-builder.json"


def device_id(secret_hash: str) -> str:
    """What stands for a device in lists; it opens nothing."""
    return token_hash(f"device {secret_hash}")[:16]


def account_of(person: str) -> Steps[tuple[Ways, str, list[Row]]]:
    """The ways in of a person, their language and their devices, those of the last visit first."""
    ways = yield from ways_of(person)
    ((language,),) = yield Sql("SELECT language FROM persons WHERE id = ?", (person,))
    devices = yield Sql(
        "SELECT secret_hash, label, created, seen FROM devices WHERE person = ? ORDER BY seen DESC, created DESC",
        (person,),
    )
    return ways, language, devices


def sign_out(person: str, devices: Sequence[str]) -> Steps[None]:
    """Forget some devices of a person."""
    for device in devices:
        yield Sql("DELETE FROM devices WHERE secret_hash = ? AND person = ?", (device, person))
        yield Sql("DELETE FROM mailed_codes WHERE device_hash = ?", (device,))
    yield from forget_devices(devices)


def add_routes(app: FastAPI, tables: Tables) -> None:
    """Add the routes of one's own account."""
    journal = tables.journal
    exports = RateLimits(EXPORTS_AN_HOUR / HOUR, EXPORTS_AN_HOUR)

    async def asked(request: Request, work: float = WORK_OF_CHANGE) -> Person:
        await asyncio.sleep(tables.visitors.visitor(visitor_of(request)).charge(work))
        return await person_of(request, tables)

    @app.get("/api/me/account", response_model=Account)
    async def get_account(request: Request) -> Response:
        """The account of the person at this device, and the ways to sign in that there are here."""
        person = await person_of(request, tables)
        ways, language, devices = await journal.read(account_of, person.id)
        place, no_mail = place_of_page(request, tables), why_no_mail(tables.settings)
        account = Account(
            me=view_of(person),
            language=language,
            passkeys=[PasskeyView(*row) for row in ways.passkeys],
            codes=ways.codes,
            address=ways.address,
            devices=[
                DeviceView(device_id(device), label, created, seen, device == person.device)
                for device, label, created, seen in devices
            ],
            no_passkeys=sent_sentence(place) if isinstance(place, Message) else None,
            no_mail=sent_sentence(no_mail) if no_mail is not None else None,
        )
        return json_answer(account, PRIVATE)

    @app.post("/api/me/about", response_model=Me)
    async def tell_about_me(told: AboutMe, request: Request) -> Response:
        """Choose a name or a language."""
        person = await asked(request)
        if told.name is not None:
            name = clean(told.name, NAME_LENGTH)
            tables.order.words.check_name(name)
            tables.persons.forget(*await tables.persons.change(person, set_name, person.id, name))
        if told.language is not None:
            await tables.persons.change(person, set_language, person.id, clean(told.language, LONGEST_LANGUAGE))
        return json_answer(view_of(await person_of(request, tables)), PRIVATE)

    @app.post("/api/me/sign-out", response_model=SignOut)
    async def leave(told: SignOut, request: Request) -> Response:
        """Sign out this device, another one, or all others."""
        person = await asked(request)
        ways, _, rows = await journal.read(account_of, person.id)
        devices = [row[0] for row in rows]
        if told.others:
            going = [device for device in devices if device != person.device]
        elif told.device:
            going = [device for device in devices if device_id(device) == told.device]
        else:
            going = [person.device]
        if person.device in going and not ways.number and not told.confirmed:
            raise Refusal(
                Message(
                    "You have no way to sign in again, so you would lose your games here: add one, or confirm that you"
                    " want to leave them."
                ),
                "unconfirmed",
            )
        await tables.persons.change(person, sign_out, person.id, going)
        tables.persons.forget(person.id)
        for page in [page for page in tables.connections if page.device in going]:
            page.dismiss(None)
        answer = json_answer(told, PRIVATE)
        if person.device in going:
            clear_cookie(answer)
        return answer

    @app.get(EXPORT, responses={200: {"content": {"application/json": {}}}}, response_class=Response)
    async def take_along(request: Request) -> Response:
        """Everything that this server keeps about the person at this device, as a file."""
        person = await asked(request, WORK_OF_EXPORT)
        if not exports.take(person.id):
            raise Refusal(Message("Too many files at once: expected {n} an hour.", n=EXPORTS_AN_HOUR), "too-fast")
        await tables.projector.flush()
        found = await journal.read(exported, person.id, int(tables.clock()))
        found["records"] = await records_of(tables, person, visitor_of(request))
        return json_answer(found, {**PRIVATE, "Content-Disposition": f'attachment; filename="{FILE}"'})

    @app.delete("/api/me", response_model=Deletion)
    async def delete_me(told: Deletion, request: Request) -> Response:
        """Delete the person at this device. Games of others stay, without their name."""
        person = await asked(request)
        if not told.confirmed:
            raise Refusal(Message("This deletes your account for ever: confirm that you want that."), "unconfirmed")
        await delete(person)
        answer = json_answer(told, PRIVATE)
        clear_cookie(answer)
        return answer

    async def delete(person: Person) -> None:
        now = int(tables.clock())
        erased = await tables.persons.change(person, erase, person.id, now)
        await tables.forget_erased(erased)
        await tables.projector.flush()  # what it had in mind may still have the name
        await journal.write(erase, person.id, now)
