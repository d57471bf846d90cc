"""Win rates, means and Elo with intervals, from games between any of the players."""

from collections.abc import Iterable, Mapping, Sequence
from math import exp, log, sqrt

from kingdom_builder.arena.regression import inverse

Z = 1.96
"""The standard deviations on either side of the mean that hold 95 % of a normal distribution."""

ELO = 400 / log(10)
"""The Elo points that multiply the odds of winning by e."""

MOST_STEPS, LONGEST_STEP, CLOSE_ENOUGH = 200, 2.0, 1e-9

Interval = tuple[float, float]


def wilson(wins: float, games: int) -> Interval:
    """The 95 % interval of a win rate (Wilson's score interval); shared victories count as fractions.

    >>> [round(bound, 4) for bound in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    if not games:
        return 0.0, 1.0
    rate = wins / games
    centre = rate + Z * Z / (2 * games)
    spread = Z * sqrt(rate * (1 - rate) / games + Z * Z / (4 * games * games))
    scale = 1 + Z * Z / games
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def mean_interval(values: Sequence[float]) -> Interval:
    """The 95 % interval of a mean, by the normal distribution.

    >>> [round(bound, 2) for bound in mean_interval([1, 2, 3, 4, 5])]
    [1.61, 4.39]
    """
    n = len(values)
    mean = sum(values) / n
    if n < 2:
        return mean, mean
    spread = Z * sqrt(sum([(value - mean) ** 2 for value in values]) / (n - 1) / n)
    return mean - spread, mean + spread


Pairs = Mapping[tuple[str, str], float]
"""The points of one player against another, by pair: 1 for each game with more gold, half for equal gold."""


def pair_points(games: Iterable[tuple[Sequence[str], Sequence[int]]]) -> dict[tuple[str, str], float]:
    """The points of every player against every other, from the names and the gold by seat of games.

    The comparisons of one game of K players are not independent of each other. Each counts 2/K, so that a game counts
    as K - 1 comparisons: what it takes to put K players in order.
    """
    points: dict[tuple[str, str], float] = {}
    for names, gold in games:
        weight = 2 / len(names)
        for seat, name in enumerate(names):
            for other, other_name in enumerate(names):
                if name != other_name:
                    point = 1.0 if gold[seat] > gold[other] else 0.5 if gold[seat] == gold[other] else 0.0
                    pair = name, other_name
                    points[pair] = points.get(pair, 0.0) + weight * point
    return points


def elo(points: Pairs) -> dict[str, tuple[float, Interval]]:
    """The strength of each player with a 95 % interval: the most likely one in the Bradley-Terry model.

    The mean of all is 0. One drawn game is added for every two players who met, so that a player who won every game is
    very strong, but not infinitely strong.

    >>> {name: round(points) for name, (points, _) in elo({("a", "b"): 29.5, ("b", "a"): 9.5}).items()}
    {'a': 95, 'b': -95}
    """
    names = list(dict.fromkeys(name for pair in points for name in pair))
    if len(names) < 2:
        return {}
    index = {name: number for number, name in enumerate(names)}
    played: list[tuple[int, int, float, float]] = []
    for (a, b), won in points.items():
        if index[a] < index[b]:
            lost = points.get((b, a), 0.0)
            played.append((index[a], index[b], won + 0.5, won + lost + 1))
    strength = [0.0] * len(names)
    covariance: list[list[float]] = []
    for _ in range(MOST_STEPS):
        gradient, information = _slope(strength, played)
        covariance = inverse(information)
        steps = [sum([c * g for c, g in zip(row, gradient, strict=True)]) for row in covariance]
        longest = max(map(abs, steps))
        strength = [
            s + step * min(1.0, LONGEST_STEP / (longest or 1.0)) for s, step in zip(strength, steps, strict=True)
        ]
        if longest < CLOSE_ENOUGH:
            break
    mean = sum(strength) / len(names)
    # The constant that makes the information invertible adds the same to every variance; it carries no information.
    spreads = [Z * ELO * sqrt(max(0.0, covariance[i][i] - 1 / len(names))) for i in range(len(names))]
    centres = [ELO * (s - mean) for s in strength]
    return {
        name: (centre, (centre - spread, centre + spread))
        for name, centre, spread in zip(names, centres, spreads, strict=True)
    }


def _slope(strength: list[float], played: list[tuple[int, int, float, float]]) -> tuple[list[float], list[list[float]]]:
    """The slope and curvature of the likelihood; the curvature is made invertible, as only differences are known."""
    n = len(strength)
    gradient = [0.0] * n
    information = [[1 / n] * n for _ in range(n)]
    for a, b, won, games in played:
        rate = 1 / (1 + exp(strength[b] - strength[a]))
        gradient[a] += won - games * rate
        gradient[b] -= won - games * rate
        known = games * rate * (1 - rate)
        information[a][a] += known
        information[b][b] += known
        information[a][b] -= known
        information[b][a] -= known
    return gradient, information
