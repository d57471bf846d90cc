"""The attackers, in a process of their own: `python -m siege.band PORT`.

For each line `ATTACK SECONDS ADDRESSES` it makes a copy of itself, since one attack after the other would have to load
the same again. The copy says `ready` when the attack is prepared, waits for a line, attacks for SECONDS, and reports
what it has done.
"""

import asyncio
import contextlib
import itertools
import json
import os
import resource
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import uvloop

from siege.wire import Wire, hello, request

POLITENESS = 10
"""So much less than the server and the people do attackers get of a processor that all need."""

BRIEF = 10
"""Seconds of an attack below which its preparations are short too."""

BREATH = 0.05
"""Seconds until somebody who was thrown out tries again."""

PERSON = {"kind": "person"}


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def bot(level: str) -> dict[str, str]:
    return {"kind": "bot", "level": level}


class Band:
    """Attackers who work together."""

    def __init__(self, port: int, addresses: Sequence[str], *, is_brief: bool) -> None:
        self.port = port
        self.is_brief = is_brief
        """Whether there is little time for preparations."""
        self.did: Counter[str] = Counter()
        """What they have done so far."""
        self.begun = asyncio.Event()
        self._addresses = itertools.cycle(addresses)

    async def begin(self) -> None:
        """Say that all is prepared, and wait for the sign. Every attack has to do that first, or after preparations."""
        say("ready")
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        self.begun.set()

    async def open(self, receive_buffer: int = 0) -> Wire:
        """A connection, from the next of their addresses."""
        return await Wire.open(self.port, next(self._addresses), receive_buffer)

    async def make_guest(self) -> tuple[str, str] | None:
        """The cookie and the number of a new guest; nothing if the server does not want another one."""
        with await self.open() as wire:
            await wire.send(request("POST", "/api/me", {}))
            status, body = await wire.answer()
            self.did[f"guests {status}"] += 1
            return (wire.cookie, json.loads(body)["id"]) if status == 200 else None

    async def make_guests(self, count: int) -> list[tuple[str, str]]:
        """As many new guests of these as the server wants to have."""
        made = []
        for _ in range(count):
            with contextlib.suppress(OSError, TimeoutError):
                made.append(await self.make_guest())
        return [each for each in made if each is not None]

    async def sit_down(self, *keys: str, receive_buffer: int = 0, cookie: str = "", path: str = "/ws") -> Wire:
        """A WebSocket that has said hello."""
        wire = await self.open(receive_buffer)
        try:
            await wire.upgrade(cookie, path)
            await wire.send(hello(*keys))
        except BaseException:
            wire.__exit__()
            raise
        return wire

    async def ask(self, method: str, path: str, body: object = None, headers: str = "") -> tuple[int, bytes]:
        """The status and the body of the answer to a request, on a connection of its own."""
        with await self.open() as wire:
            await wire.send(request(method, path, body, headers))
            return await wire.answer()

    async def make_table(self, *seats: dict[str, str], **setup: Any) -> dict[str, Any] | None:
        """A new table; nothing if the server does not want to make one."""
        status, body = await self.ask("POST", "/api/tables", {"seats": seats, "setup": setup})
        self.did[f"tables {status}"] += 1
        made: dict[str, Any] | None = json.loads(body) if status == 200 else None
        return made

    async def make_tables(self, count: int, *seats: dict[str, str], **setup: Any) -> list[dict[str, Any]]:
        """As many new tables of these as the server wants to make."""
        made = []
        for _ in range(count):
            with contextlib.suppress(OSError, TimeoutError):
                made.append(await self.make_table(*seats, **setup))
        return [each for each in made if each is not None]

    async def all_at(self, count: int, work: Callable[[int], Awaitable[None]]) -> None:
        """Let this many attackers do some work again and again, each with a number; trouble does not stop them."""

        async def one(number: int) -> None:
            while True:
                try:
                    await work(number)
                except (OSError, TimeoutError):
                    self.did["thrown out"] += 1
                    await asyncio.sleep(BREATH)
                else:
                    await asyncio.sleep(0)

        async with asyncio.TaskGroup() as group:
            for number in range(count):
                group.create_task(one(number))

    async def each_once(self, count: int, work: Callable[[int], Awaitable[object]]) -> None:
        """Let this many attackers do some work once, at the same time."""

        async def one(number: int) -> None:
            with contextlib.suppress(OSError, TimeoutError):
                await work(number)

        await asyncio.gather(*map(one, range(count)))


Attack = Callable[[Band], Awaitable[None]]


async def assault(port: int, attack: Attack, seconds: float, addresses: Sequence[str]) -> None:
    """Attack until the time is over."""
    band = Band(port, addresses, is_brief=seconds < BRIEF)
    attacking = asyncio.ensure_future(attack(band))
    beginning = asyncio.create_task(band.begun.wait())
    await asyncio.wait([attacking, beginning], return_when=asyncio.FIRST_COMPLETED)
    await asyncio.wait([attacking], timeout=seconds)
    if attacking.done():
        attacking.result()
        if not band.begun.is_set():
            raise RuntimeError("the attack is over before it has begun")
    say(json.dumps(band.did))
    os._exit(0)  # all connections end at once


def main() -> None:
    from siege.attacks import ATTACKS

    os.nice(POLITENESS)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    port = int(sys.argv[1])
    while order := sys.stdin.readline().split():
        copy = os.fork()
        if copy == 0:
            name, seconds, addresses = order
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(assault(port, ATTACKS[name].attack, float(seconds), addresses.split(",")))
        if os.waitpid(copy, 0)[1]:
            say("failed")


if __name__ == "__main__":
    main()
