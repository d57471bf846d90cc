"""How the easy bot and the characters play against greedy: wins, and what a character's favourite card pays.

python -m kingdom_builder.arena.studies.characters --help
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from kingdom_builder.arena.ratings import Interval, mean_interval, wilson
from kingdom_builder.arena.results import Result, Results
from kingdom_builder.arena.tournament import Tournament
from kingdom_builder.arena.workers import find_workers, play_on
from kingdom_builder.players import LEVELS

MATCHES = (("easy", "random"), ("easy", "greedy"), *[(key, "greedy") for key, level in LEVELS.items() if level.likes])
"""The pairs that play: the first is the one that the row is about."""


@dataclass(frozen=True)
class Match:
    """The games of a bot against another one."""

    player: str
    other: str
    games: int
    win_rate: float
    win_rate_interval: Interval
    gold: tuple[float, float]
    """The mean gold of the bot and of the other one."""
    card: str
    """The bot's favourite card; empty if it has none."""
    card_games: int
    """The games in which that card was in play."""
    card_gold: tuple[float, float]
    """What it paid the bot and the other one on average."""
    ahead_interval: Interval
    """By how much it paid the bot more, with 95 % certainty."""


def match_of(player: str, other: str, results: Sequence[Result]) -> Match:
    """What games between two bots show of the first one."""
    card = LEVELS[player].likes
    pairs = [(each.players.index(player), each) for each in results]
    wins = sum(each.share(seat) for seat, each in pairs)
    paid = [
        (each.breakdown[seat][card], each.breakdown[1 - seat][card])
        for seat, each in pairs
        if card in each.breakdown[seat]
    ]
    return Match(
        player,
        other,
        len(pairs),
        wins / len(pairs),
        wilson(wins, len(pairs)),
        _means([(each.gold[seat], each.gold[1 - seat]) for seat, each in pairs]),
        card,
        len(paid),
        _means(paid),
        mean_interval([own - theirs for own, theirs in paid]) if paid else (0.0, 0.0),
    )


def _means(pairs: Sequence[tuple[int, int]]) -> tuple[float, float]:
    count = len(pairs) or 1
    return sum(first for first, _ in pairs) / count, sum(second for _, second in pairs) / count


def play_match(player: str, other: str, games: int, seed: int, cores: int | None = None) -> Match:
    """Play a match; everybody sits on every seat of the same boards, with the same draws."""
    tournament = Tournament([player, other], seed=seed)
    results = Results(str(tournament))
    with find_workers(cores, None) as workers:
        for _ in play_on(tournament, tournament.whole_rounds(games), results, workers):
            pass
    return match_of(player, other, results.games)


def line(match: Match) -> str:
    """A row of the table in docs/strength.md."""
    low, high = match.win_rate_interval
    cells = [
        f"`{match.player}` - `{match.other}`",
        str(match.games),
        f"{match.win_rate:.1%} [{low:.1%}, {high:.1%}]",
        "{:.1f} : {:.1f}".format(*match.gold),
    ]
    if match.card_games:
        cells += [match.card, str(match.card_games), "{:.1f} : {:.1f}".format(*match.card_gold)]
        cells.append("{:+.1f} to {:+.1f}".format(*match.ahead_interval))
    else:
        cells += [""] * 4
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m kingdom_builder.arena.studies.characters", description=__doc__)
    parser.add_argument("--games", type=int, default=400, metavar="N", help="of each pair (default 400)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="default 0")
    parser.add_argument("--cores", type=int, metavar="N", help="default: all")
    options = parser.parse_args(arguments)
    print("| pair | games | wins | gold | favourite card | games with it | it pays | ahead, 95 % |")
    print("|---|---:|---:|---:|---|---:|---:|---:|")
    for player, other in MATCHES:
        print(line(play_match(player, other, options.games, options.seed, options.cores)), flush=True)


if __name__ == "__main__":
    main()
