"""Attacks on the door: connections that are opened, held or filled in a way that no page would."""

import asyncio
import itertools

from siege.attacks.listed import attack
from siege.band import PERSON, Band
from siege.wire import UPGRADE, hello, request

HALF_A_REQUEST = b"GET / HTTP/1.1\r\nHost: siege\r\nX-Slow: "
BODY_BYTES = 900_000
SLOW_BODY = (
    b"POST /api/records HTTP/1.1\r\nHost: siege\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n"
)


async def _drip(band: Band, beginning: bytes) -> None:
    """Send something, then a byte a second."""
    with await band.open() as wire:
        band.did["opened"] += 1
        await wire.send(beginning)
        while True:
            await asyncio.sleep(1)
            await wire.send(b"x")


@attack(many=True)
async def half_open_requests(band: Band) -> None:
    """A thousand requests whose headers come a byte a second and never end."""
    await band.begin()
    await band.all_at(1000, lambda _: _drip(band, HALF_A_REQUEST))


@attack(many=True, brief=False)
async def mute_connections(band: Band) -> None:
    """Two thousand connections on which nothing is ever said."""
    await band.begin()

    async def hold(_: int) -> None:
        with await band.open() as wire:
            band.did["opened"] += 1
            await wire.drain()

    await band.all_at(2000, hold)


@attack(many=True, brief=False)
async def kept_connections(band: Band) -> None:
    """Two thousand connections on which something small is asked for often enough that they stay open."""
    await band.begin()
    ask = request("GET", "/nothing")

    async def hold(_: int) -> None:
        with await band.open() as wire:
            band.did["opened"] += 1
            while True:
                await wire.send(ask)
                await wire.answer()
                band.did["asked"] += 1
                await asyncio.sleep(3)

    await band.all_at(2000, hold)


@attack(brief=False)
async def slow_bodies(band: Band) -> None:
    """Six hundred requests whose bodies of 0.9 MB come a byte a second."""
    await band.begin()
    await band.all_at(600, lambda _: _drip(band, SLOW_BODY))


@attack()
async def unfinished_bodies(band: Band) -> None:
    """Six hundred requests whose bodies of 0.9 MB come at once but for the last byte."""
    beginning = SLOW_BODY + b" " * (BODY_BYTES - 60)
    await band.begin()
    await band.all_at(600, lambda _: _drip(band, beginning))


@attack()
async def tiny_chunks(band: Band) -> None:
    """Four requests whose bodies come in chunks of one byte, as fast as they are taken."""
    head = b"POST /api/records HTTP/1.1\r\nHost: siege\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunks = b"1\r\nx\r\n" * 5000
    await band.begin()

    async def send(_: int) -> None:
        with await band.open() as wire:
            await wire.send(head)
            for _ in range(190):
                await wire.send(chunks)
                band.did["chunks"] += 5000

    await band.all_at(4, send)


@attack(many=True, brief=False)
async def sockets_without_hello(band: Band) -> None:
    """Two thousand WebSockets that never say hello, opened again whenever they are closed."""
    await band.begin()

    async def hold(_: int) -> None:
        with await band.open() as wire:
            await wire.upgrade()
            band.did["opened"] += 1
            await wire.drain()

    await band.all_at(2000, hold)


@attack()
async def sockets_with_hello(band: Band) -> None:
    """Two thousand WebSockets that look at forty tables of their own."""
    tables = await band.make_tables(40, PERSON, PERSON, board="first")
    await band.begin()

    async def hold(number: int) -> None:
        with await band.sit_down(tables[number % len(tables)]["watch"]) as wire:
            band.did["opened"] += 1
            await wire.drain()

    await band.all_at(2000, hold)


@attack()
async def connection_churn(band: Band) -> None:
    """Connections that are closed at once, or after garbage, as fast as they can be opened."""
    await band.begin()
    greetings = itertools.cycle(
        [b"", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET", UPGRADE[:60], UPGRADE, b"\0" * 300]
    )

    async def churn(_: int) -> None:
        with await band.open() as wire:
            band.did["opened"] += 1
            await wire.send(next(greetings))

    await band.all_at(50, churn)


@attack(brief=False)
async def garbage_handshakes(band: Band) -> None:
    """Handshakes with wrong versions, keys and origins, and hello before the server has agreed."""
    await band.begin()
    bad = itertools.cycle(
        [
            UPGRADE.replace(b"Version: 13", b"Version: 99"),
            UPGRADE.replace(b"dGhlIHNhbXBsZSBub25jZQ==", b"x" * 4000),
            UPGRADE.replace(b"\r\n\r\n", b"\r\nOrigin: http://elsewhere\r\n\r\n"),
            UPGRADE.replace(b"\r\n\r\n", b"\r\nOrigin: http://[\r\n\r\n"),
            UPGRADE.replace(b"GET", b"POST"),
            UPGRADE + hello("x.y") * 50,
            UPGRADE.replace(b"\r\n\r\n", b"\r\nContent-Length: 5\r\n\r\nabcde"),
        ]
    )

    async def shake(_: int) -> None:
        with await band.open() as wire:
            band.did["opened"] += 1
            await wire.send(next(bad))
            async with asyncio.timeout(5):
                await wire.receive()

    await band.all_at(30, shake)


@attack()
async def nasty_requests(band: Band) -> None:
    """Requests that nobody expects: odd paths, wrong lengths, nulls, huge headers, two lengths, no host."""
    await band.begin()
    odd = itertools.cycle(
        [
            request("GET", "/" + "x" * 9000),
            request("GET", "/%00"),
            request("GET", "/assets/%2e%2e/%2e%2e/%2e%2e/app.py"),
            request("GET", "/%ff%fe"),
            request("GET", "/" + "a/" * 4000),
            request("GET", "/api/picture?position=" + "D" * 9000),
            request("GET", "/api/picture?position=%00&highlight=" + "a1," * 3000),
            request("GET", "/api/table/replay?game=99999999999999999999999"),
            request("BREW", "/api/tables"),
            request("POST", "/api/tables", b'{"seats": ' + b"[" * 200_000),
            request("POST", "/api/tables", b"\xff\xfe"),
            request("POST", "/api/positions", {"position": "\0" * 50_000}),
            request("POST", "/api/tables", b"{}", headers="Content-Length: 7\r\n"),
            request("GET", "/", headers="X: " + "x" * 100_000 + "\r\n"),
            b"GET / HTTP/1.1\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"GET http://[ HTTP/1.1\r\nHost: [\r\n\r\n",
        ]
    )

    async def send(_: int) -> None:
        with await band.open() as wire:
            band.did["requests"] += 1
            await wire.send(next(odd))
            async with asyncio.timeout(5):
                await wire.receive()

    await band.all_at(10, send)


@attack()
async def pipelined_requests(band: Band) -> None:
    """Thousands of tiny requests on each of four connections, without waiting for answers."""
    block = request("GET", "/nothing") * 200
    await band.begin()

    async def pipe(_: int) -> None:
        with await band.open() as wire:
            async with asyncio.TaskGroup() as group:
                group.create_task(wire.drain())
                while True:
                    await wire.send(block)
                    band.did["requests"] += 200

    async def guarded(number: int) -> None:
        try:
            await pipe(number)
        except* OSError as errors:
            raise ConnectionResetError(str(errors)) from None

    await band.all_at(4, guarded)


@attack(brief=False)
async def health_polling(band: Band) -> None:
    """Thirty visitors who ask for the server's health all the time."""
    await band.begin()
    ask = request("GET", "/api/health")

    async def poll(_: int) -> None:
        with await band.open() as wire:
            while True:
                await wire.send(ask)
                await wire.answer()
                band.did["asked"] += 1

    await band.all_at(30, poll)


@attack(brief=False)
async def poured_bodies(band: Band) -> None:
    """Bodies far too long, sent on after they were refused."""
    head = b"POST /api/tables HTTP/1.1\r\nHost: siege\r\nContent-Length: 900000000000\r\n\r\n"
    block = b" " * 1_000_000
    await band.begin()

    async def pour(_: int) -> None:
        with await band.open() as wire:
            await wire.send(head)
            while True:
                await wire.send(block)
                band.did["MB"] += 1

    await band.all_at(90, pour)
