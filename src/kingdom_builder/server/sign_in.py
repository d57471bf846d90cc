"""The routes for signing in: passkeys, recovery codes and codes by mail."""

import asyncio
import secrets
from typing import Any

from fastapi import FastAPI, Request, Response

from kingdom_builder.message import Message, Refusal
from kingdom_builder.server import passkeys
from kingdom_builder.server.accounts import (
    add_passkey,
    allowed,
    credentials_of,
    find_passkey,
    note_use,
    passkey_text,
    remove_address,
    remove_passkey,
    replace_codes,
    use_code,
)
from kingdom_builder.server.answers import json_answer
from kingdom_builder.server.game_lists import PRIVATE
from kingdom_builder.server.mailed_codes import MailedCodes, confirm
from kingdom_builder.server.me import device_label, person_of, view_of
from kingdom_builder.server.merging import sign_in
from kingdom_builder.server.messages import (
    CodeMailed,
    CodeRequest,
    Me,
    NewCodes,
    PasskeyAnswer,
    PasskeyChoice,
    TypedCode,
)
from kingdom_builder.server.passkeys import Credential, Place
from kingdom_builder.server.persons import Person
from kingdom_builder.server.recovery import MAILED_SECONDS, new_recovery_codes, recovery_hash, wrong_code
from kingdom_builder.server.requests import device_secret, scheme_of, visitor_of
from kingdom_builder.server.server_keys import server_key
from kingdom_builder.server.store import Steps
from kingdom_builder.server.tables import Tables

WORK_OF_CHANGE = 5.0
WORK_OF_SIGNATURE = 10.0


def place_of_page(request: Request, tables: Tables) -> Place | Message:
    """The place of the page that asks, as passkeys know it; or why they do not work there."""
    if not passkeys.is_available():
        return Message("This server cannot check passkeys: its operator has not installed them.")
    scheme = scheme_of(request, tables.visitors, tables.settings.address)
    return passkeys.place_of(scheme, request.headers.get("host", ""))


def sign_in_with_code(code_hash: str, device: str) -> Steps[list[str] | Refusal]:
    """Use a recovery code up, and sign its owner in; returns who has changed."""
    owner = yield from use_code(code_hash)
    if owner is None:
        return wrong_code()
    return (yield from sign_in(device, owner))


def sign_in_with_passkey(
    owner: str, credential: Credential, count: int, device: str, now: int
) -> Steps[list[str] | Refusal]:
    """Sign in the owner of a passkey that has signed; returns who has changed."""
    yield from note_use(credential, count, now)
    return (yield from sign_in(device, owner))


def add_routes(app: FastAPI, tables: Tables) -> None:
    """Add the routes for signing in."""
    journal, challenges, mailed = tables.journal, passkeys.Challenges(), MailedCodes(tables)

    async def asked(request: Request, work: float = WORK_OF_CHANGE) -> Person:
        """The person who sent a request, which costs some work."""
        await asyncio.sleep(tables.visitors.visitor(visitor_of(request)).charge(work))
        return await person_of(request, tables)

    async def now_me(request: Request, *persons: str) -> Response:
        """The answer after a change of these persons: who is at the device now."""
        tables.persons.forget(*persons)
        return json_answer(view_of(await person_of(request, tables)), PRIVATE)

    def place(request: Request) -> Place:
        found = place_of_page(request, tables)
        if isinstance(found, Message):
            raise Refusal(found, "unavailable")
        return found

    async def salt() -> str:
        return await journal.write(server_key, "recovery", secrets.token_hex)

    # ---- passkeys

    @app.post("/api/me/passkeys/options")
    async def passkey_options(request: Request) -> Response:
        """What the browser is asked to make a passkey for the person at this device."""
        person, here = await asked(request), place(request)
        known = await journal.read(credentials_of, person.id)
        options = await asyncio.to_thread(passkeys.registration_options, person.id, person.name, here.rp_id, known)
        challenges.keep(options.challenge, person.device, "register")
        return _options_answer(options.json)

    @app.post("/api/me/passkeys", response_model=Me)
    async def new_passkey(told: PasskeyAnswer, request: Request) -> Response:
        """Keep a new passkey of the person at this device, who is a member from now on."""
        person, here = await asked(request, WORK_OF_SIGNATURE), place(request)
        challenge = passkeys.challenge_of(told.answer)
        challenges.redeem(challenge, person.device, "register")
        credential = await asyncio.to_thread(passkeys.verified_registration, told.answer, challenge, *here)
        label = device_label(request.headers)
        changed = await tables.persons.change(person, add_passkey, person.id, credential, label, int(tables.clock()))
        return await now_me(request, *changed)

    @app.post("/api/me/passkeys/remove", response_model=Me)
    async def no_passkey(told: PasskeyChoice, request: Request) -> Response:
        """Remove a passkey; the only way to sign in stays."""
        person = await asked(request)
        await tables.persons.change(person, remove_passkey, person.id, told.id)
        return await now_me(request, person.id)

    @app.post("/api/me/sign-in/options")
    async def sign_in_options(request: Request) -> Response:
        """What the browser is asked to sign in with a passkey."""
        person, here = await asked(request), place(request)
        options = await asyncio.to_thread(passkeys.sign_in_options, here.rp_id)
        challenges.keep(options.challenge, person.device, "sign in")
        return _options_answer(options.json)

    @app.post("/api/me/sign-in/passkey", response_model=Me)
    async def by_passkey(told: PasskeyAnswer, request: Request) -> Response:
        """Sign in with a passkey. A guest at this device becomes the same person, with all games."""
        person, here = await asked(request, WORK_OF_SIGNATURE), place(request)
        challenge = passkeys.challenge_of(told.answer)
        challenges.redeem(challenge, person.device, "sign in")
        found = await journal.read(find_passkey, passkey_text(passkeys.credential_id_of(told.answer)))
        if found is None:
            raise Refusal(
                Message("This server does not know this passkey any more: use another way to sign in."), "passkey"
            )
        owner, credential = found
        count = await asyncio.to_thread(passkeys.verified_sign_in, told.answer, challenge, credential, *here)
        result = await journal.write(sign_in_with_passkey, owner, credential, count, person.device, int(tables.clock()))
        return await now_me(request, *allowed(result))

    # ---- codes on paper

    @app.post("/api/me/codes", response_model=NewCodes)
    async def new_codes(request: Request) -> Response:
        """Make new recovery codes, which are shown this once; the old ones are void."""
        person = await asked(request)
        codes, key = new_recovery_codes(), await salt()
        hashes = [recovery_hash(code, key) for code in codes]
        changed = await tables.persons.change(person, replace_codes, person.id, hashes, int(tables.clock()))
        tables.persons.forget(*changed)
        return json_answer(NewCodes(codes), PRIVATE)

    @app.post("/api/me/sign-in/code", response_model=Me)
    async def by_code(told: TypedCode, request: Request) -> Response:
        """Sign in with a recovery code, which is used up."""
        person = await asked(request, WORK_OF_SIGNATURE)
        found = recovery_hash(told.code, await salt())
        return await now_me(request, *allowed(await journal.write(sign_in_with_code, found, person.device)))

    # ---- codes by mail

    @app.post("/api/me/mail", response_model=CodeMailed)
    async def mail_code(told: CodeRequest, request: Request) -> Response:
        """Mail a code; the answer is the same whether anybody has the address or not."""
        person = await asked(request, WORK_OF_SIGNATURE)
        secret, visitor = device_secret(request, tables), visitor_of(request)
        address = await mailed.ask(person, secret, visitor, told.address, told.purpose, told.language)
        return json_answer(CodeMailed(address, MAILED_SECONDS // 60), PRIVATE)

    @app.post("/api/me/mail/confirm", response_model=Me)
    async def confirm_code(told: TypedCode, request: Request) -> Response:
        """Use a mailed code: to sign in, or to be able to sign in with its address."""
        person = await asked(request)
        secret = device_secret(request, tables)
        changed = await tables.persons.change(person, confirm, person, secret, told.code, int(tables.clock()))
        return await now_me(request, *changed)

    @app.post("/api/me/mail/remove", response_model=Me)
    async def no_address(request: Request) -> Response:
        """Remove the mail address; the only way to sign in stays."""
        person = await asked(request)
        await tables.persons.change(person, remove_address, person.id)
        return await now_me(request, person.id)


def _options_answer(options: dict[str, Any]) -> Response:
    return json_answer(options, PRIVATE)
