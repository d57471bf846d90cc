"""Attacks on the processes in which bots and hints think."""

import asyncio
import itertools
from typing import Any

from siege.attacks.listed import attack
from siege.attacks.positions import ENDLESS, LAST_ROUND, in_round, puzzling, rich_game
from siege.band import PERSON, Band, bot
from siege.wire import command, request


async def _look(band: Band, table: dict[str, Any], *, stay: bool) -> None:
    """Look at a table, so that its bots begin."""
    with await band.sit_down(table["watch"]) as wire:
        await wire.message("welcome", "update")
        band.did["looked"] += 1
        if stay:
            await wire.drain()


@attack()
async def endless_experts(band: Band) -> None:
    """Two experts at a position in which nobody can build, looked at by one watcher."""
    await band.begin()

    async def watch(_: int) -> None:
        for table in await band.make_tables(1, bot("expert"), bot("expert"), position=LAST_ROUND):
            await _look(band, table, stay=True)
        await asyncio.sleep(1)

    await band.all_at(1, watch)


@attack(brief=False)
async def many_experts(band: Band) -> None:
    """Fifteen tables of five experts, each looked at once."""
    await band.begin()
    tables = await band.make_tables(15, *[bot("expert")] * 5, sets=["base"])
    await band.each_once(len(tables), lambda number: _look(band, tables[number], stay=False))
    await asyncio.sleep(600)


@attack(many=True)
async def many_experts_watched(band: Band) -> None:
    """Fifteen tables of five experts, looked at all the time."""
    await band.begin()
    tables = await band.make_tables(15, *[bot("expert")] * 5, sets=["base"])
    await band.all_at(len(tables), lambda number: _look(band, tables[number], stay=True))


@attack()
async def tables_of_bots(band: Band) -> None:
    """Fifty tables where only bots play, half of them at a position in which nobody can build, each looked at once."""
    await band.begin()

    async def watch(number: int) -> None:
        setup = {"position": LAST_ROUND} if number % 2 else {"board": "first"}
        for table in await band.make_tables(1, bot("greedy"), bot("greedy"), **setup):
            await _look(band, table, stay=False)

    await band.each_once(50, watch)
    await asyncio.sleep(600)


async def _ask(band: Band, requests: list[bytes], askers: int, *, stay: bool) -> None:
    await band.begin()
    following = itertools.cycle(requests)

    async def ask(_: int) -> None:
        with await band.open() as wire:
            await wire.send(next(following))
            band.did["asked"] += 1
            if stay:
                status, _answer = await wire.answer()
                band.did[f"answered {status}"] += 1
            else:
                await asyncio.sleep(0.02)

    await band.all_at(askers, ask)


def _suggestions() -> list[bytes]:
    return [request("POST", "/api/hints", {"position": position}) for position in [*puzzling(), ENDLESS]]


@attack(brief=False)
async def suggestions(band: Band) -> None:
    """Sixteen visitors who ask for good moves in games of five with all boxes, and wait for the answers."""
    await _ask(band, _suggestions(), 16, stay=True)


@attack()
async def abandoned_suggestions(band: Band) -> None:
    """Sixteen visitors who ask for good moves in games of five with all boxes, and leave before the answer."""
    await _ask(band, _suggestions(), 16, stay=False)


@attack()
async def abandoned_expectations(band: Band) -> None:
    """Eight visitors who want five hundred positions judged at once, and leave before the answer."""
    games = [rich_game(seed)[:250] for seed in (1, 2, 3, 4)]
    rounds = range(100, 160, 2)
    asked = [
        request("POST", "/api/forecasts", {"positions": [in_round(each, n + m) for each in game for m in (0, 1)]})
        for n in rounds
        for game in games
    ]
    await _ask(band, asked, 8, stay=False)


@attack()
async def hints(band: Band) -> None:
    """Forty visitors at tables of their own who ask for hints in games with all boxes all the time."""
    tables = [table for each in puzzling()[:20] for table in await band.make_tables(1, *[PERSON] * 5, position=each)]
    await band.begin()

    async def ask(number: int) -> None:
        with await band.sit_down(*tables[number % len(tables)]["seats"]) as wire:
            await wire.message("welcome", "update")
            while True:
                await wire.send(command(type="hint", id="1"))
                payload = await wire.frame()
                while b'"hints"' not in payload[:20] and b'"refused"' not in payload[:20]:
                    payload = await wire.frame()
                band.did["hints" if b'"hints"' in payload[:20] else "refused"] += 1
                await asyncio.sleep(0.05)

    await band.all_at(40, ask)
