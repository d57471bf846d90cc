"""Attacks with WebSocket frames that no page sends."""

import asyncio
import itertools

from siege.attacks.listed import attack
from siege.band import PERSON, Band
from siege.wire import BINARY, CONTINUATION, PING, PONG, TEXT, frame

REPEATED = 5000


async def _flood(band: Band, beginning: bytes, block: bytes, *, reads: bool) -> None:
    """Four sockets at a table of their own that send the same block forever."""
    tables = await band.make_tables(1, PERSON, PERSON, board="first")
    await band.begin()

    async def send(_: int) -> None:
        with await band.sit_down(tables[0]["watch"]) as wire:
            reading = asyncio.create_task(wire.drain()) if reads else None
            try:
                await wire.send(beginning)
                while True:
                    await wire.send(block)
                    band.did["frames"] += REPEATED
            finally:
                if reading is not None:
                    reading.cancel()
                    await asyncio.gather(reading, return_exceptions=True)

    await band.all_at(4, send)


@attack()
async def pings(band: Band) -> None:
    """Four sockets that send pings as fast as they are taken."""
    await _flood(band, b"", frame(b"", PING) * REPEATED, reads=True)


@attack(brief=False)
async def pings_without_reading(band: Band) -> None:
    """Four sockets that send long pings and never read a pong."""
    await _flood(band, b"", frame(b"x" * 125, PING) * REPEATED, reads=False)


@attack(brief=False)
async def pongs(band: Band) -> None:
    """Four sockets that send pongs that nobody asked for, as fast as they are taken."""
    await _flood(band, b"", frame(b"", PONG) * REPEATED, reads=True)


@attack()
async def empty_fragments(band: Band) -> None:
    """Four sockets that send a message in empty fragments and never end it."""
    await _flood(band, frame(b"", TEXT, last=False), frame(b"", CONTINUATION, last=False) * REPEATED, reads=True)


@attack(brief=False)
async def empty_messages(band: Band) -> None:
    """Four sockets that send empty texts as fast as they are taken."""
    await _flood(band, b"", frame(b"") * REPEATED, reads=True)


@attack(brief=False)
async def unfinished_messages(band: Band) -> None:
    """A thousand sockets that each send most of a message and never its end."""
    tables = await band.make_tables(25, PERSON, PERSON, board="first")
    await band.begin()
    part = frame(b"x" * 60_000, TEXT, last=False)

    async def hold(number: int) -> None:
        with await band.sit_down(tables[number % len(tables)]["watch"]) as wire:
            await wire.send(part)
            band.did["sent"] += 1
            await wire.drain()

    await band.all_at(1000, hold)


async def _once_each(band: Band, messages: list[bytes]) -> None:
    """Twenty visitors who each sit down, send one of these and are thrown out, again and again."""
    tables = await band.make_tables(1, PERSON, PERSON, board="first")
    await band.begin()
    following = itertools.cycle(messages)

    async def send(_: int) -> None:
        with await band.sit_down(tables[0]["watch"]) as wire:
            await wire.message("welcome", "update")
            await wire.send(next(following))
            band.did["sent"] += 1
            async with asyncio.timeout(1):
                await wire.drain()

    await band.all_at(20, send)


@attack()
async def invalid_utf8(band: Band) -> None:
    """Texts that are not UTF-8, each on a new connection."""
    await _once_each(band, [frame(b"\xff\xfe\xfd"), frame(b'{"type":"say","text":"\xc3"}'), frame(b"\xed\xa0\x80")])


@attack()
async def illegal_frames(band: Band) -> None:
    """Frames of 2^63 bytes, with reserved bits, unknown kinds, no mask, in the wrong order, or too long."""
    await _once_each(
        band,
        [
            b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0abc",
            b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0abc",
            b"\xf1\x81\0\0\0\0x",
            b"\x83\x81\0\0\0\0x",
            b"\x81\x01x",
            frame(b"x", CONTINUATION),
            frame(b"x", TEXT, last=False) + frame(b"y", TEXT),
            frame(b"x" * 126, PING),
            frame(b"x", PING, last=False),
            frame(b"x" * 70_000),
            frame(b"x" * 60_000),
            frame(b"\x03", 8),
            frame(b"\0" * 200, BINARY),
        ],
    )


@attack()
async def bad_json(band: Band) -> None:
    """Texts that are not commands: deep nesting, wrong types, huge numbers, invalid JSON."""
    bad = [
        b"[" * 4000,
        b'{"type":' * 500,
        b'{"type":"play","id":1,"version":"x","move":[]}',
        b'{"type":"say","id":"' + b"x" * 4000 + b'","text":"x"}',
        b'{"type":"play","id":"1","version":1e400,"move":"a1"}',
        b'{"type":"play","id":"1","version":99999999999999999999,"move":"a1"}',
        b'{"type":"hello","tokens":[]}',
        b'{"type":"why","id":"1","move":"' + b"\\u0000" * 600 + b'"}',
        b'{"type":"say","id":"1","text":"\\ud800"}',
        b"null",
        b"{}",
    ]
    await _once_each(band, [b"".join(map(frame, bad * 30))])
