"""Attacks on tables: too many of them, too long logs, too many people who come, go, speak or do not listen."""

import asyncio
import contextlib
import itertools
import json
from random import Random
from typing import Any

from siege.attacks.listed import attack
from siege.attacks.positions import CIRCLE, ROUND_AND_ROUND, nearly_over, rich_game
from siege.band import PERSON, Band
from siege.wire import command, request

LONGEST_TEXT = "\N{CROWN}" * 300
"""300 characters of four bytes each."""

AT_A_TABLE = 48
"""Watchers of one table: with those who speak there are less than 50."""

STORED_TABLES, SOME_STORED_TABLES = 400, 60
STORM, SMALL_STORM = 1800, 600
FILLING_SECONDS, SHORT_FILLING_SECONDS = 10, 2
SMALLEST_BUFFER = 1


async def play_at_random(band: Band, table: dict[str, Any], actions: int, seed: int = 1) -> str:
    """Play at a table for both people, as fast as the server takes it. Returns a key of the table."""
    rng = Random(seed)
    keys = [key for key in table["seats"] if key]
    done = 0
    while done < actions:
        with await band.sit_down(*keys) as wire:  # a new connection may send many messages at once again
            for _ in range(190):
                message = await wire.message("welcome", "update")
                if message["view"]["over"] or done >= actions:
                    return str(keys[0])
                move = rng.choice(message["view"]["legal"])
                play = command(type="play", id=f"{done}", version=message["version"], move=move)
                await wire.send(play)
                done += 1
    return str(keys[0])


@attack()
async def silent_watchers(band: Band) -> None:
    """144 watchers at three tables who never read, while others speak there in the longest texts."""
    tables = await band.make_tables(3, PERSON, PERSON, board="first")
    await band.begin()

    async def watch(number: int) -> None:
        with await band.sit_down(tables[number % 3]["watch"], receive_buffer=SMALLEST_BUFFER):
            band.did["watchers"] += 1
            await asyncio.sleep(600)

    async def speak(number: int) -> None:
        with await band.sit_down(tables[number % 3]["seats"][number // 3]) as wire:
            reading = asyncio.create_task(wire.drain())
            try:
                for line in itertools.count():
                    await wire.send(command(type="say", id=f"{number}-{line}", text=LONGEST_TEXT, name="x"))
                    band.did["lines"] += 1
                    await asyncio.sleep(0 if line < 190 else 0.05)
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    async with asyncio.TaskGroup() as group:
        group.create_task(band.all_at(3 * AT_A_TABLE, watch))
        await asyncio.sleep(0.5)
        group.create_task(band.all_at(6, speak))


@attack()
async def arrivals(band: Band) -> None:
    """Fifty visitors of one table who come and go as fast as they can."""
    tables = await band.make_tables(1, PERSON, PERSON, board="first")
    await band.begin()

    async def come_and_go(_: int) -> None:
        with await band.sit_down(tables[0]["watch"]) as wire:
            await wire.message("welcome", "update")
            band.did["came"] += 1

    await band.all_at(49, come_and_go)


@attack()
async def commands(band: Band) -> None:
    """Two hundred sockets at four tables that ask, speak, rename and take back as often as they may."""
    position = rich_game(5, 2)[60]
    tables = await band.make_tables(2, PERSON, PERSON, position=position)
    tables += await band.make_tables(2, PERSON, PERSON, board="first")
    await band.begin()

    async def send(number: int) -> None:
        table = tables[number % len(tables)]
        with await band.sit_down(*table["seats"]) as wire:
            reading = asyncio.create_task(wire.drain())
            try:
                for line in itertools.count():
                    identity = f"{number}-{line}"
                    block = [
                        command(type="why", id=identity, move="paddock:a1-c1 " * 280),
                        command(type="explain", id=identity, key="k" * 900),
                        command(type="explain", id=identity, hex="a1"),
                        command(type="scores", id=identity),
                        command(type="hint", id=identity),
                        command(type="say", id=identity, text=LONGEST_TEXT, name="x"),
                        command(type="join", id=f"{identity}j", seat=0, name=f"{line % 9}" * 24, colour=number % 5),
                        command(type="undo", id=f"{identity}u", version=line),
                    ]
                    await wire.send(b"".join(block))
                    band.did["commands"] += len(block)
                    await asyncio.sleep(0 if line < 30 else 0.3)
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    await band.all_at(196, send)


@attack()
async def rematches(band: Band) -> None:
    """Four tables whose games end with any move, played and begun again all the time before forty watchers each."""
    tables = await band.make_tables(4, PERSON, PERSON, position=nearly_over())
    await band.begin()

    async def play(number: int) -> None:
        table = tables[number]
        with await band.sit_down(table["host"], *table["seats"]) as wire:
            while True:
                message = await wire.message("welcome", "update")
                identity = f"{band.did['sent']}"
                if message["view"]["over"]:
                    await wire.send(command(type="rematch", id=identity))
                else:
                    move = message["view"]["legal"][0]
                    await wire.send(command(type="play", id=identity, version=message["version"], move=move))
                band.did["sent"] += 1

    async def stay(number: int) -> None:
        with await band.sit_down(tables[number % len(tables)]["watch"]) as wire:
            await wire.drain()

    async with asyncio.TaskGroup() as group:
        group.create_task(band.all_at(160, stay))
        group.create_task(band.all_at(len(tables), play))


@attack()
async def moves_of_many_steps(band: Band) -> None:
    """Four tables where moves of 1,300 steps are made and taken back all the time."""
    tables = await band.make_tables(4, *[PERSON] * 5, position=CIRCLE)
    await band.begin()

    async def play(number: int) -> None:
        with await band.sit_down(*tables[number % len(tables)]["seats"]) as wire:
            while True:
                message = await wire.message("welcome", "update")
                identity, version = f"{band.did['sent']}", message["version"]
                if message["view"]["undo"]:
                    await wire.send(command(type="undo", id=identity, version=version, whole_turn=True))
                else:
                    await wire.send(command(type="play", id=identity, version=version, move=ROUND_AND_ROUND))
                band.did["sent"] += 1

    await band.all_at(len(tables), play)


@attack(address="127.0.0.1")
async def tables_without_end(band: Band) -> None:
    """New tables as fast as they are made, each with a forged X-Forwarded-For."""
    await band.begin()
    numbers = itertools.count()

    async def make(_: int) -> None:
        with await band.open() as wire:
            while True:
                number = next(numbers)
                forged = f"X-Forwarded-For: 10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}\r\n"
                await wire.send(request("POST", "/api/tables", {"seats": [PERSON, PERSON]}, forged))
                status, _answer = await wire.answer()
                band.did[f"answered {status}"] += 1

    await band.all_at(20, make)


@attack(settles=True, restarts=True)
async def long_logs(band: Band) -> None:
    """Tables with as long logs as can be made in some seconds, opened and closed all the time after a restart."""
    tables = await band.make_tables(10, PERSON, PERSON, board="first")
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(SHORT_FILLING_SECONDS if band.is_brief else FILLING_SECONDS):
            await band.all_at(len(tables), lambda number: _play_and_undo(band, tables[number]))
    await band.begin()

    async def open_it(number: int) -> None:
        with await band.sit_down(tables[number]["watch"]) as wire:
            await wire.message("welcome", "update")
            band.did["opened"] += 1

    await band.all_at(len(tables), open_it)


async def _play_and_undo(band: Band, table: dict[str, Any]) -> None:
    """As many moves, each taken back, as a new connection may send at once."""
    with await band.sit_down(*table["seats"]) as wire:
        message = await wire.message("welcome")
        version, move = message["version"], message["view"]["legal"][0]
        block = []
        for number in range(version, version + 190, 2):
            block.append(command(type="play", id=f"{number}", version=number, move=move))
            block.append(command(type="undo", id=f"{number}u", version=number + 1))
        await wire.send(b"".join(block))
        for _ in block:
            await wire.message("done")
            band.did["entries"] += 1


@attack(settles=True, crowd=True)
async def reconnect_storm(band: Band) -> None:
    """1,800 pages of many visitors that come back at once and want everything, again and again."""
    tables = await band.make_tables(40, PERSON, PERSON, sets=["base"])
    await band.each_once(len(tables), lambda number: play_at_random(band, tables[number], 40, number))
    await band.begin()
    size = SMALL_STORM if band.is_brief else STORM
    gate = asyncio.Barrier(size)

    async def come_back(number: int) -> None:
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(10):
                with await band.sit_down(tables[number % len(tables)]["watch"]) as wire:
                    await wire.frame()
                    band.did["welcomed"] += 1
        await gate.wait()

    await band.all_at(size, come_back)


@attack(settles=True, restarts=True, crowd=True, acknowledgement=0.2)
async def stored_tables(band: Band) -> None:
    """Four hundred stored tables that are all opened at once after a restart of the server."""
    count = SOME_STORED_TABLES if band.is_brief else STORED_TABLES
    tables = await band.make_tables(count, PERSON, PERSON, board="first")
    await band.each_once(len(tables), lambda number: play_at_random(band, tables[number], 50, number))
    band.did["tables"] = len(tables)
    await band.begin()

    async def open_it(number: int) -> None:
        with await band.sit_down(tables[number]["watch"]) as wire:
            payload = await wire.frame()
            band.did["opened"] += json.loads(payload)["type"] == "welcome"
            await wire.drain()

    await band.each_once(len(tables), open_it)
    await asyncio.sleep(600)
