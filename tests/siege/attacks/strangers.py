"""Attacks with persons: guests made by a script, and what they can do to the people and the operator."""

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable

from siege.attacks.listed import attack
from siege.band import PERSON, Band
from siege.wire import command, request

GUESTS, FEW_GUESTS = 40, 12
"""Guests who are made before an attack."""

TAIL = 2
"""How many times the quiet 99 % of the acknowledgements theirs may be while strangers misbehave."""

PHRASES = ("hello", "good-luck", "thanks", "sorry", "bye", "rematch")
SOME_TEXT = "\N{CROWN}" * 1000
"""As long as a report may be."""

PRIVATE = ("127.0.0.1", "10.0.0.1", "192.168.1.1", "169.254.169.254", "[::1]", "localhost", "0x7f.1", "siege.invalid")
"""Hosts to which no server may be sent by a stranger, and one that does not exist."""

KEYS = {"p256dh": "B" * 87, "auth": "A" * 22}


@attack(tail=TAIL)
async def guests_without_end(band: Band) -> None:
    """New guests as fast as they are made: ten thousand of a script."""
    await band.begin()

    async def make(_: int) -> None:
        with await band.open() as wire:
            while True:
                await wire.send(request("POST", "/api/me", {}))
                status, _answer = await wire.answer()
                band.did[f"answered {status}"] += 1

    await band.all_at(20, make)


@attack(tail=TAIL)
async def floods_of_chat(band: Band) -> None:
    """Forty guests who speak at an open table and at one of friends, in phrases and in long texts, without a breath."""
    guests = await band.make_guests(FEW_GUESTS if band.is_brief else GUESTS)
    tables = await band.make_tables(1, PERSON, PERSON, board="first")
    _, made = await band.ask("POST", "/api/tables", {"seats": [PERSON, PERSON], "open": True})
    tables.append(json.loads(made))
    await band.begin()

    async def speak(number: int) -> None:
        cookie, _ = guests[number]
        with await band.sit_down(tables[number % 2]["watch"], cookie=cookie) as wire:
            reading = asyncio.create_task(wire.drain())
            try:
                for line in itertools.count():
                    said = (
                        {"phrase": PHRASES[line % len(PHRASES)]} if line % 2 else {"text": f"{line}{SOME_TEXT[:280]}"}
                    )
                    await wire.send(command(type="say", id=f"{number}-{line}", name=f"x{number}", **said))
                    band.did["lines"] += 1
                    await asyncio.sleep(0 if line < 190 else 0.05)
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    await band.all_at(len(guests), speak)


@attack(tail=TAIL)
async def seeks_without_end(band: Band) -> None:
    """Guests who look for a game, stop and look again, each time for another one: thousands of searches."""
    guests = await band.make_guests(FEW_GUESTS if band.is_brief else GUESTS)
    await band.begin()

    async def seek(number: int) -> None:
        with await band.sit_down(cookie=guests[number][0], path="/ws/lobby") as wire:
            reading = asyncio.create_task(wire.drain())
            try:
                for turn in itertools.count():
                    clock = {"kind": "live", "start": 60 + turn % 1000, "add": number}
                    await wire.send(command(type="seek", id=f"{number}-{turn}", clock=clock))
                    band.did["searches"] += 1
                    await asyncio.sleep(0 if turn < 190 else 0.05)
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    await band.all_at(len(guests), seek)


@attack(tail=TAIL)
async def reports_without_end(band: Band) -> None:
    """Guests who report every seat of a table again and again, and tables of others, with the longest texts."""
    guests = await band.make_guests(FEW_GUESTS if band.is_brief else GUESTS)
    tables = await band.make_tables(5, *[PERSON] * 5, board="first")
    await band.begin()

    def report(number: int, turn: int) -> bytes:
        table = tables[turn % len(tables)]
        body = {"table": table["id"], "seat": turn % 5, "reason": "spam", "text": SOME_TEXT}
        key = table["seats"][turn % 5] if turn % 3 else "made.up"
        return request("POST", "/api/reports", body, f"Cookie: {guests[number][0]}\r\nAuthorization: Bearer {key}\r\n")

    await band.all_at(len(guests), _again_and_again(band, report))


@attack(tail=TAIL)
async def blocks_without_end(band: Band) -> None:
    """Guests who block each other and take it back, while pages of all of them are open."""
    guests = await band.make_guests(FEW_GUESTS if band.is_brief else GUESTS)
    tables = await band.make_tables(1, PERSON, PERSON, board="first")
    await band.begin()

    def block(number: int, turn: int) -> bytes:
        headers, other = f"Cookie: {guests[number][0]}\r\n", guests[(number + turn) % len(guests)][1]
        if turn % 2:
            return request("DELETE", f"/api/me/blocks/{other}", None, headers)
        return request("POST", "/api/me/blocks", {"person": other}, headers)

    async def stay(number: int) -> None:
        with await band.sit_down(tables[0]["watch"], cookie=guests[number][0]) as wire:
            await wire.drain()

    async with asyncio.TaskGroup() as group:
        group.create_task(band.all_at(len(guests), stay))
        group.create_task(band.all_at(len(guests), _again_and_again(band, block)))


@attack(tail=TAIL)
async def webhooks_without_end(band: Band) -> None:
    """Guests who want messages at private addresses, push services that nobody knows, and with bodies without end."""
    guests = await band.make_guests(FEW_GUESTS if band.is_brief else GUESTS)
    await band.begin()

    def want(number: int, turn: int) -> bytes:
        headers, host = f"Cookie: {guests[number][0]}\r\n", PRIVATE[(number + turn) % len(PRIVATE)]
        match turn % 4:
            case 0:
                return request("PUT", "/api/me/webhook", {"url": f"https://{host}/{number}/{turn}"}, headers)
            case 1:
                push = {"endpoint": f"https://push{turn}.example.org/{number}", "keys": KEYS}
                return request("POST", "/api/me/push", push, headers)
            case 2:
                return request("PUT", "/api/me/notifications", {"language": ("de", "fr")[turn % 8 // 4]}, headers)
            case _:
                return request("PUT", "/api/me/webhook", {"url": f"https://{host}/" + "x" * 900_000}, headers)

    await band.all_at(len(guests), _again_and_again(band, want))


@attack(tail=TAIL, brief=False)
async def accounts_without_end(band: Band) -> None:
    """Guests who take their data along, begin passkeys, guess codes and show passkeys that are none."""
    guests = await band.make_guests(FEW_GUESTS if band.is_brief else GUESTS)
    await band.begin()

    def want(number: int, turn: int) -> bytes:
        headers = f"Cookie: {guests[number][0]}\r\n"
        match turn % 5:
            case 0:
                return request("GET", "/api/me/export", None, headers)
            case 1:
                return request("POST", "/api/me/passkeys/options", {}, headers)
            case 2:
                return request("POST", "/api/me/passkeys", {"answer": json.dumps({"id": "x" * 1000})}, headers)
            case 3:
                return request("POST", "/api/me/sign-in/code", {"code": f"{turn:020}"}, headers)
            case _:
                return request("POST", "/api/me/sign-in/passkey", {"answer": SOME_TEXT}, headers)

    await band.all_at(len(guests), _again_and_again(band, want))


def _again_and_again(band: Band, make: Callable[[int, int], bytes]) -> Callable[[int], Awaitable[None]]:
    """An attacker who sends one request after the other, made from their number and the number of the request."""

    async def work(number: int) -> None:
        with await band.open() as wire:
            for turn in itertools.count():
                await wire.send(make(number, turn))
                status, _ = await wire.answer()
                band.did[f"answered {status}"] += 1

    return work
