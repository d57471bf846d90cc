"""Measures what a move in a game of five players costs on the wire, in full and as a difference.

    python tools/measure_updates.py [GAMES]

plays games of the `greedy` bot with the base box and with all boxes, without clocks and with them (three of each if
not said), and prints the bytes of an update: for somebody who looks on, and for the player in turn.
"""

import asyncio
import sys
from collections.abc import Mapping
from statistics import mean, median

import msgspec

from kingdom_builder.content import ALL_SETS
from kingdom_builder.message import Refusal
from kingdom_builder.notation import action_text
from kingdom_builder.players import make_player
from kingdom_builder.rules import observe
from kingdom_builder.server import arrivals, commands
from kingdom_builder.server.messages import (
    AnyMessage,
    BotSpeed,
    ClockChoice,
    Difference,
    Hello,
    NewTable,
    Play,
    SeatChoice,
    SetupChoice,
    Update,
)
from kingdom_builder.server.news import news
from kingdom_builder.server.order import NO_TERMS
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.table import Table
from kingdom_builder.server.tables import Tables
from kingdom_builder.server.tokens import TokenHashes, token_hash
from kingdom_builder.server.viewers import Seen

PLAYERS = 5
CLOCK = ClockChoice("live", 7200, 600)


class Page:
    """A viewer that reads everything at once and counts."""

    def __init__(self, token: str, reads_differences: bool) -> None:
        self.tokens: Mapping[str, str] = {token_hash(token.partition(".")[2]): token}
        self.hashes: TokenHashes = frozenset(self.tokens)
        self.visitor = self.person = self.name = ""
        self.person_keys: TokenHashes = frozenset()
        self.is_member = self.has_closed = False
        self.terms = NO_TERMS
        self.number = 0
        self.bot_speed: BotSpeed = "normal"
        self.is_visible = True
        self.reads_differences = reads_differences
        self.seen = Seen()

    def send(self, message: AnyMessage) -> None:
        """An answer: it costs what it always did."""

    def notify(self) -> None:
        """Nothing: it is asked for its news after each move."""

    def dismiss(self, refusal: Refusal | None) -> None:
        raise AssertionError(refusal)

    def update(self, table: Table) -> int:
        """The bytes of what has changed in the game."""
        changes = [each for each in news(table, self) if isinstance(each, Update | Difference)]
        return sum(len(msgspec.json.encode(each)) for each in changes)


async def measure(tables: Tables, sets: tuple[str, ...], clock: ClockChoice, seed: str) -> list[tuple[int, ...]]:
    """For each move of a game: the bytes for a watcher and for the player in turn, in full and as a difference."""
    wanted = NewTable([SeatChoice("person")] * PLAYERS, SetupChoice(sets=list(sets), seed=seed), clock=clock)
    made = await tables.make(wanted)
    table, _ = await tables.find([made.watch], "")
    watchers = [Page(made.watch, reads) for reads in (False, True)]
    seats = [[Page(token, reads) for reads in (False, True)] for token in made.seats]
    everybody = [*watchers, *(page for pages in seats for page in pages)]
    for page in everybody:
        await arrivals.connect(table, page, Hello([]), 100)
        page.update(table)
    bot = make_player("greedy", seed)
    moves: list[tuple[int, ...]] = []
    while not table.over:
        player, state = table.game.player, table.game.state
        move = action_text(state.setup, bot.choose(observe(state, player)))
        await commands.carry_out(table, seats[player][0], Play(str(table.version), table.version, move))
        sizes = {id(page): page.update(table) for page in everybody}
        moves.append(tuple(sizes[id(page)] for page in (*watchers, *seats[player])))
    return moves


async def main(games: int) -> None:
    tables = Tables(Settings())
    print(f"{'boxes':6}{'clock':7}{'moves':>6}  {'bytes of an update':20}{'full':>7}{'difference':>12}{'share':>8}")
    for sets in (("base",), ALL_SETS):
        for clock in (ClockChoice(), CLOCK):
            moves = [move for game in range(games) for move in await measure(tables, sets, clock, str(game))]
            name = f"{'all' if len(sets) > 1 else 'base':6}{clock.kind:7}{len(moves):6}"
            for who, columns in (("watcher", (0, 1)), ("player in turn", (2, 3))):
                for how, average in (("median", median), ("mean", mean)):
                    full, brief = (average([move[column] for move in moves]) for column in columns)
                    print(f"{name}  {f'{who}, {how}':20}{full:7.0f}{brief:12.0f}{brief / full:8.1%}")
    await tables.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 3))
