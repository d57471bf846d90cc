"""Find out by playing games which weights of the evaluator should be larger or smaller.

In each game all weights are changed at random, up for one player where they go down for the other. A regression of the
lead on the changes shows the effect of each of them.

python -m kingdom_builder.arena.studies.tuning --help
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from kingdom_builder.arena.ratings import Z
from kingdom_builder.arena.regression import least_squares
from kingdom_builder.arena.workers import local_workers
from kingdom_builder.content import random_setup
from kingdom_builder.players.budget import Budget
from kingdom_builder.players.hard import HardPlayer
from kingdom_builder.players.weights import WEIGHTS
from kingdom_builder.rules import State, drive, observe, scores

GAMES_PER_WEIGHT = 4
"""With fewer games the effects of the weights cannot be separated."""


@dataclass(frozen=True)
class Effect:
    """The effect of changing a weight up for one player and down for the other."""

    weight: str
    gold: float
    error: float
    """The standard error."""


def changes(seed: int, board: int) -> list[int]:
    """For each weight 1 if the first player has the larger one on a board, else -1."""
    rng = Random(f"changes {seed}/{board}")
    return [rng.choice((-1, 1)) for _ in WEIGHTS]


def lead(seed: int, game: int, budget: str, factor: float) -> int:
    """The first player's lead in gold at the end of a game; on each board it plays both seats."""
    board, turned = divmod(game, 2)
    up = changes(seed, board)
    rng = Random(f"{seed}/{board}")
    state = State(random_setup(rng, 2))
    players = [
        HardPlayer(
            Random(f"{seed}/{game}/{side}"),
            Budget.of(budget),
            {name: weight * factor ** (side * sign) for (name, weight), sign in zip(WEIGHTS.items(), up, strict=True)},
        )
        for side in ((-1, 1) if turned else (1, -1))
    ]
    for _ in drive(state, lambda state: players[state.player].choose(observe(state, state.player)), rng.random):
        pass
    gold = scores(state)
    return gold[turned] - gold[1 - turned]


def effects(signs: Sequence[Sequence[int]], leads: Sequence[int]) -> list[Effect]:
    """The regression of the leads of games on the changes in them, the surest effects first."""
    _, *found = least_squares([(1, *row) for row in signs], leads)
    named = [Effect(name, gold, error) for name, (gold, error) in zip(WEIGHTS, found, strict=True)]
    return sorted(named, key=lambda effect: -abs(effect.gold) / (effect.error or 1.0))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m kingdom_builder.arena.studies.tuning", description=__doc__)
    parser.add_argument("--games", type=int, default=1600, metavar="N", help="default 1600; rounded up to whole boards")
    parser.add_argument("--budget", default="200n", metavar="B", help="of hard, for a turn (default 200n)")
    parser.add_argument("--factor", type=float, default=1.6, metavar="F", help="of each change (default 1.6)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="default 0")
    parser.add_argument("--cores", type=int, metavar="N", help="default: all")
    options = parser.parse_args(arguments)
    games = range(options.games + options.games % 2)
    if len(games) < GAMES_PER_WEIGHT * len(WEIGHTS):
        parser.error(f"{options.games} games: expected {GAMES_PER_WEIGHT * len(WEIGHTS)} or more for all weights")
    try:
        Budget.of(options.budget)
    except ValueError as error:
        parser.error(str(error))
    with local_workers(options.cores) as (executor, _):
        futures = [executor.submit(lead, options.seed, game, options.budget, options.factor) for game in games]
        leads = [future.result() for future in futures]
    print(f"{len(games)} games, hard:{options.budget}, factor {options.factor}, seed {options.seed}")
    print("Gold by which a larger weight is ahead of a smaller one, 95 %:")
    for effect in effects([changes(options.seed, game // 2) for game in games], leads):
        print(f"  {effect.weight:14} {effect.gold:+6.2f} ± {Z * effect.error:.2f}   now {WEIGHTS[effect.weight]}")


if __name__ == "__main__":
    main()
