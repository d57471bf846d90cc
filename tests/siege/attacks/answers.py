"""Attacks by questions that are costly to answer, and answers that nobody reads."""

import asyncio
import itertools
import json
import re
from urllib.parse import quote

from siege.attacks.listed import attack
from siege.attacks.positions import endless_record, hard_maps, ordinary_game, record_of_variations, rich_game
from siege.attacks.tables import play_at_random
from siege.band import PERSON, Band
from siege.wire import request

SMALLEST_BUFFER = 1


async def _send_and_leave(band: Band, requests: list[bytes], senders: int, leaving: int) -> None:
    """Visitors who send requests again and again; the first `leaving` of them leave at once."""
    await band.begin()
    following = itertools.cycle(requests)

    async def send(number: int) -> None:
        with await band.open() as wire:
            await wire.send(next(following))
            band.did["sent"] += 1
            if number < leaving:
                await asyncio.sleep(0.05)
            else:
                status, _ = await wire.answer()
                band.did[f"answered {status}"] += 1

    await band.all_at(senders, send)


@attack(many=True)
async def endless_records(band: Band) -> None:
    """Twelve visitors who open a game of 0.95 MB that goes on forever; half of them leave at once."""
    await _send_and_leave(band, [request("POST", "/api/records", {"text": endless_record()})], 12, 6)


@attack()
async def records_of_variations(band: Band) -> None:
    """Twelve visitors who open a game with a hundred thousand variations; half of them leave at once."""
    await _send_and_leave(band, [request("POST", "/api/records", {"text": record_of_variations()})], 12, 6)


@attack()
async def many_mistakes(band: Band) -> None:
    """Requests of 0.9 MB in which everything is wrong, so that every mistake would have to be reported."""
    lists = b"[" + b"0," * 450_000 + b"0]"
    await _send_and_leave(
        band,
        [
            request("POST", "/api/tables", b'{"seats":' + lists + b"}"),
            request("POST", "/api/forecasts", b'{"positions":' + lists + b"}"),
            request("POST", "/api/previews", b'{"sets":' + lists + b"}"),
        ],
        4,
        0,
    )


@attack()
async def long_lists(band: Band) -> None:
    """Setups whose texts and lists are as long as a request may be."""
    seats = [PERSON, PERSON]
    long = "x" * 900_000
    many = ["base"] * 100_000
    await _send_and_leave(
        band,
        [
            request("POST", "/api/tables", {"seats": seats, "setup": {"sets": many}}),
            request("POST", "/api/tables", {"seats": seats, "setup": {"options": ["excludeLords"] * 60_000}}),
            request("POST", "/api/tables", {"seats": seats, "setup": {"board": "tavern/" * 120_000}}),
            request("POST", "/api/tables", {"seats": seats, "setup": {"seed": long}}),
            request("POST", "/api/tables", {"seats": seats, "setup": {"position": long}}),
            request("POST", "/api/previews", {"sets": many}),
            request("POST", "/api/previews", {"position": "D" * 500 + "/" + "D/" * 400_000}),
            request("POST", "/api/tables", {"seats": [{"kind": "person", "name": " " * 800_000}, PERSON]}),
            request("POST", "/api/scores", {"position": rich_game(1)[0] + "," * 800_000}),
        ],
        6,
        2,
    )


@attack()
async def maps(band: Band) -> None:
    """Twenty visitors who have maps checked that are hard to read, or large once they are drawn; half leave at once."""
    await _send_and_leave(band, [request("POST", "/api/maps", {"text": text}) for text in hard_maps()], 20, 10)


@attack()
async def drawings(band: Band) -> None:
    """Pictures, previews, positions and payments of games with all boxes, asked for by twenty who do not read."""
    await band.begin()
    positions = rich_game(1)[10::9]
    kinds = ("/api/positions", "/api/scores", "/api/previews")
    asked = [request("POST", kind, {"position": position}) for position in positions for kind in kinds]
    asked += [request("GET", f"/api/picture?highlight=legal&position={quote(each)}") for each in positions]
    asked += [request("POST", "/api/previews?players=5", {"sets": ["base"]})] * 10
    following = itertools.cycle(asked)

    async def send(_: int) -> None:
        with await band.open(SMALLEST_BUFFER) as wire:
            await wire.send(next(following))
            band.did["asked"] += 1
            await asyncio.sleep(0.1)

    await band.all_at(20, send)


@attack(brief=False)
async def catalogues(band: Band) -> None:
    """Ten visitors who ask for the catalogue, the interface and the page all the time, zipped."""
    await band.begin()
    paths = ("/api/catalogue", "/api/openapi.json", "/api/catalogue", "/")
    following = itertools.cycle([request("GET", path, headers="Accept-Encoding: gzip\r\n") for path in paths])

    async def ask(_: int) -> None:
        with await band.open() as wire:
            while True:
                await wire.send(next(following))
                await wire.answer()
                band.did["asked"] += 1

    await band.all_at(10, ask)


@attack()
async def slow_readers(band: Band) -> None:
    """A thousand visitors who ask for the largest files and never read."""
    await band.begin()
    _, page = await band.ask("GET", "/")
    found = re.findall(rb'(?:src|href)="\.?(/?assets/[^"]+)"', page)
    paths = [f"/{path.decode().lstrip('/')}" for path in found] or ["/api/catalogue"]
    following = itertools.cycle([request("GET", path) for path in [*paths, "/api/catalogue", "/api/openapi.json"]])

    async def hold(_: int) -> None:
        with await band.open(SMALLEST_BUFFER) as wire:
            await wire.send(next(following))
            band.did["asked"] += 1
            await asyncio.sleep(600)

    await band.all_at(1000, hold)


@attack(settles=True)
async def replays(band: Band) -> None:
    """Ten visitors who ask for the replay and the record of a long game all the time."""
    tables = await band.make_tables(1, PERSON, PERSON, board="first")
    key = await play_at_random(band, tables[0], len(ordinary_game()))
    await band.begin()
    headers = f"Authorization: Bearer {key}\r\n"
    paths = ("/api/table/replay", "/api/table/record", "/api/table/replay?game=1")
    following = itertools.cycle([request("GET", path, headers=headers) for path in paths])

    async def ask(_: int) -> None:
        with await band.open() as wire:
            while True:
                await wire.send(next(following))
                status, _answer = await wire.answer()
                band.did[f"answered {status}"] += 1

    await band.all_at(10, ask)


@attack(brief=False)
async def many_keys(band: Band) -> None:
    """Four visitors who show a thousand keys with each request."""
    tables = await band.make_tables(1, PERSON, PERSON, board="first")
    identity = tables[0]["id"]
    headers = "Authorization: Bearer " + ",".join([f"{identity}."] * 1000) + "\r\n"
    asked = request("GET", "/api/table/replay", headers=headers)
    await band.begin()

    async def ask(_: int) -> None:
        with await band.open() as wire:
            while True:
                await wire.send(asked)
                await wire.answer()
                band.did["asked"] += 1

    await band.all_at(4, ask)


@attack()
async def unknown_keys(band: Band) -> None:
    """Thirty visitors who try keys, over WebSockets and requests, as fast as they can."""
    await band.begin()
    numbers = itertools.count()

    async def guess(number: int) -> None:
        key = f"{next(numbers):012x}.{'x' * 22}"
        band.did["guessed"] += 1
        if number % 2:
            await band.ask("GET", "/api/table/replay", headers=f"Authorization: Bearer {key}\r\n")
            return
        with await band.sit_down(key) as wire:
            json.loads(await wire.frame())

    await band.all_at(30, guess)
