"""How strong the players are: the results of a tournament in numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from kingdom_builder.arena.names import names_in_tables
from kingdom_builder.arena.ratings import Interval, elo, pair_points, wilson
from kingdom_builder.arena.results import Result, Times
from kingdom_builder.players import seconds_of, shown_name


@dataclass
class Standing:
    """The results of a player. Rates and Elo have 95 % intervals."""

    player: str
    games: int = 0
    """The seats that it played; more than the games if it sat on several seats."""
    wins: float = 0.0
    """Games won; a victory that n seats share counts 1/n."""
    win_rate: float = 0.0
    win_rate_interval: Interval = (0.0, 1.0)
    mean_gold: float = 0.0
    elo: float | None = None
    """Relative to the mean of all players; None if it met nobody else."""
    elo_interval: Interval | None = None
    seconds: float | None = None
    """The time limit of a turn."""
    times: Times = field(default_factory=Times)
    faults: int = 0
    """Games in which a stand-in took over."""


def standings(players: Sequence[str], results: Sequence[Result]) -> list[Standing]:
    """The standings of these players, strongest first."""
    tables = names_in_tables(results)
    by_name = {
        name: Standing(tables.get(name, name), seconds=seconds_of(player))
        for player in players
        for name in [shown_name(player)]
    }
    gold = dict.fromkeys(by_name, 0)
    for result in results:
        for seat, name in enumerate(result.players):
            standing = by_name[name]
            standing.games += 1
            standing.wins += result.share(seat)
            standing.times.include(result.times[seat])
            gold[name] += result.gold[seat]
        for fault in result.faults:
            by_name[result.players[fault.seat]].faults += 1
    strength = elo(pair_points((result.players, result.gold) for result in results))
    for name, standing in by_name.items():
        if standing.games:
            standing.win_rate = standing.wins / standing.games
            standing.win_rate_interval = wilson(standing.wins, standing.games)
            standing.mean_gold = gold[name] / standing.games
        if name in strength:
            standing.elo, standing.elo_interval = strength[name]
    return sorted(by_name.values(), key=lambda standing: (-(standing.elo or 0.0), -standing.win_rate))
