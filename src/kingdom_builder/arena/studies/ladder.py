"""The ladder of all levels of strength: plays the missing games and writes `docs/strength.md`.

python -m kingdom_builder.arena.studies.ladder --help
"""

import argparse
import os
import platform
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from itertools import combinations, pairwise
from pathlib import Path

from kingdom_builder.arena.ratings import wilson
from kingdom_builder.arena.results import Result, Results
from kingdom_builder.arena.standings import Standing, standings
from kingdom_builder.arena.tournament import Tournament, code_version
from kingdom_builder.arena.workers import find_workers, play_on
from kingdom_builder.content import ALL_SETS
from kingdom_builder.players import STRENGTHS

SLOW = ("expert", "master")

BY_HAND = "## Experiments"
"""The part of the page from this heading on is written by hand and kept."""


@dataclass(frozen=True)
class Part:
    """A part of the ladder: tournaments under the same conditions, each with its number of games."""

    title: str
    file: str
    tournaments: Sequence[tuple[Tournament, int]]


def parts(levels: Sequence[str], games: int, slow_games: int, seed: int) -> list[Part]:
    """The whole ladder: everybody against everybody, tables of three and four, and neighbours with all sets.

    Fast pairs play `games`, with all sets a fifth of that. Neighbours with a slow player play `slow_games`. Tables, and
    such neighbours with all sets, play half of that; other pairs with a slow player play a sixth.
    """
    neighbours = list(pairwise(levels))

    def number(pair: tuple[str, str], fast: int, slow: int) -> int:
        return slow if any(name.startswith(SLOW) for name in pair) else fast

    def tournament(seats: int, players: Sequence[str] = levels, sets: Sequence[str] = ("base",)) -> Tournament:
        return Tournament(players, seats, sets, seed=seed)

    half, sixth = -(-slow_games // 2), -(-slow_games // 6)
    pairs = [
        (tournament(2, pair), number(pair, games, slow_games if pair in neighbours else sixth))
        for pair in combinations(levels, 2)
    ]
    with_all_sets = [(tournament(2, pair, ALL_SETS), number(pair, -(-games // 5), half)) for pair in neighbours]
    return [
        Part("2 players, base game", "2-base", pairs),
        *[
            Part(f"{seats} players, base game", f"{seats}-base", [(tournament(seats), half)])
            for seats in (3, 4)
            if seats <= len(levels)
        ],
        Part("2 players, all sets", "2-all", with_all_sets),
    ]


INTRODUCTION = """\
# Strength

Made by `make strength` from games between our players on random boards of printed sections. Everybody sits on every
seat of the same boards, with the same draws. A victory that n players share counts 1/n for each. Intervals hold 95 %:
Wilson's for win rates, that of the model of Bradley and Terry for Elo, whose mean is 0 in each part. Late are turns
that take more than 1.2 times what the name says, by the clock and in CPU time: on a busy machine the first number
measures the machine. Faults are games in which a player failed and a stand-in took over.
"""


def page(ladder: Sequence[tuple[Part, Sequence[Result]]], by_hand: str) -> str:
    """The page `docs/strength.md`."""
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    lines = [
        INTRODUCTION,
        f"{date.today()}, code `{code_version()}`, Python {platform.python_version()}, {machine}.",
        "",
    ]
    for part, results in ladder:
        lines += [f"## {part.title}", "", *_standings_lines(part, results), ""]
        if len(part.tournaments) > 1:
            lines += [*_pair_lines(part, results), ""]
    return "\n".join(lines) + "\n" + by_hand


def _standings_lines(part: Part, results: Sequence[Result]) -> list[str]:
    names = list(dict.fromkeys(name for tournament, _ in part.tournaments for name in tournament.names))
    return [
        "| player | games | wins | 95 % | gold | Elo | 95 % | ms a turn | CPU ms | longest ms | late | faults |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
        *[_standing_line(each) for each in standings(names, results)],
    ]


def _standing_line(each: Standing) -> str:
    times, turns = each.times, each.times.turns or 1
    low, high = each.elo_interval or (0.0, 0.0)
    cells = [
        f"`{each.player}`",
        str(each.games),
        f"{each.win_rate:.1%}",
        "{:.1%} - {:.1%}".format(*each.win_rate_interval),
        f"{each.mean_gold:.1f}",
        f"{each.elo or 0:+.0f}",
        f"{low:+.0f} to {high:+.0f}",
        f"{1000 * times.wall / turns:.1f}",
        f"{1000 * times.cpu / turns:.1f}",
        f"{1000 * times.longest_wall:.0f}",
        "" if each.seconds is None else f"{times.late} / {times.late_cpu}",
        str(each.faults),
    ]
    return f"| {' | '.join(cells)} |"


def _pair_lines(part: Part, results: Sequence[Result]) -> list[str]:
    lines = ["| pair | games | the stronger wins | 95 % | gold |", "|---|---:|---:|---:|---:|"]
    for tournament, _ in part.tournaments:
        games = [result for result in results if result.plan == str(tournament)]
        if games:
            best, other = standings(tournament.names, games)
            low, high = wilson(best.wins, best.games)
            lines.append(
                f"| `{best.player}` - `{other.player}` | {best.games} | {best.win_rate:.1%} "
                f"| {low:.1%} - {high:.1%} | {best.mean_gold:.1f} : {other.mean_gold:.1f} |"
            )
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m kingdom_builder.arena.studies.ladder", description=__doc__)
    parser.add_argument("--levels", nargs="+", default=STRENGTHS, metavar="PLAYER", help="default: all")
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="of each fast pair (default 1000)")
    parser.add_argument(
        "--slow-games", type=int, default=200, metavar="N", help="of slow neighbours, the rest fewer (default 200)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="default 0")
    parser.add_argument("--cores", type=int, metavar="N", help="default: all")
    parser.add_argument("--cluster", metavar="ADDRESS", help="play on a Dask cluster")
    parser.add_argument("--folder", default="strength", metavar="DIR", help="where the games are kept")
    parser.add_argument("--page", default="docs/strength.md", metavar="FILE", help="default docs/strength.md")
    options = parser.parse_args(arguments)
    try:
        run_ladder(options)
    except (ValueError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        parser.exit(130, "Stopped; the same command continues.\n")


def run_ladder(options: argparse.Namespace) -> None:
    """Play the missing games and write the page."""
    folder = Path(options.folder) / code_version()
    folder.mkdir(parents=True, exist_ok=True)
    ladder = []
    with find_workers(options.cores, options.cluster) as workers:
        for part in parts(options.levels, options.games, options.slow_games, options.seed):
            played: list[Result] = []
            for number, (tournament, asked) in enumerate(part.tournaments):
                games = tournament.whole_rounds(asked)
                print(f"{part.title}: {games} games of {' | '.join(tournament.names)}", flush=True)
                with closing(Results(str(tournament), folder / f"{part.file}-{number}.jsonl")) as results:
                    for _ in play_on(tournament, games, results, workers):
                        pass
                    played += results.games
            ladder.append((part, played))
    target = Path(options.page)
    before = target.read_text("utf-8") if target.exists() else ""
    by_hand = before[before.index(BY_HAND) :] if BY_HAND in before else ""
    target.write_text(page(ladder, by_hand), "utf-8")
    print(f"Written: {target}")


if __name__ == "__main__":
    main()
