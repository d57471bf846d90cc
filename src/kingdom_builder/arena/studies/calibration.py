"""How well the search and the rollouts predict the outcome of a turn, and so how much the expert should trust each.

In positions from many games, greedy plays the game to its end after each of some good turns, always with the same
draws. A regression of the final lead shows how much one gold of the search and one gold of the rollouts predict.

python -m kingdom_builder.arena.studies.calibration --help
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

from kingdom_builder.arena.ratings import Z
from kingdom_builder.arena.regression import least_squares
from kingdom_builder.arena.workers import local_workers
from kingdom_builder.content import ALL_SETS, random_setup
from kingdom_builder.players.budget import Budget
from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.expert import ExpertPlayer, greedy_turns
from kingdom_builder.players.hard import HardPlayer
from kingdom_builder.players.rollouts import after_turn, rollout_after
from kingdom_builder.players.turn_search import Line, TurnSearch, play_greedy_turns
from kingdom_builder.rules import Action, Observation, State, drive, observe, scores, turn_of
from kingdom_builder.rules.state import MANDATORY

ROUNDS = ((1, 2, 3), (4, 5, 6))
"""The rounds that positions are taken from, in the groups in which they are reported."""

BEFORE, SEARCH = 200, 1000
"""Positions that hard may evaluate for a turn on the way, and for the turns that are compared."""

LEADERS, TURNS, GAMES = 100, 6, 8
"""The number of good turns to find, how many of them are compared, and the rollouts for each of these."""

FEWEST_POSITIONS = 20

WHOLE_GAME = 10_000
"""A limit: more turns than any game has."""

NAMES = ("expected lead", "own gold", "others' gold")


@dataclass(frozen=True)
class Outcome:
    """The predictors of a turn, in the order of `NAMES`, and the lead at the end of a game after it."""

    predictors: tuple[float, float, float]
    lead: float


def outcomes_of(seen: Observation, lines: Sequence[Line], evaluator: Evaluator, rng: Random) -> list[Outcome]:
    """The predictors of some turns, and what followed them with the same draws."""
    seat = seen.player
    seeds = [rng.random() for _ in range(GAMES)]
    last_seed = rng.random()
    found = []
    for line in lines:
        turn = line.moves(seat)
        games = [
            rollout_after(seen, turn, greedy_turns(seen, turn, ExpertPlayer.heats[-1]), evaluator, seed)
            for seed in seeds
        ]
        own = fmean(gold[seat] for gold in games)
        others = fmean(max(gold[:seat] + gold[seat + 1 :]) for gold in games)
        found.append(Outcome((line.worth, own, others), lead_at_the_end(seen, turn, evaluator, last_seed)))
    return found


def lead_at_the_end(seen: Observation, turn: Sequence[Action], evaluator: Evaluator, seed: float) -> int:
    """The lead of the current seat at the end if greedy plays the rest of the game."""
    rng = Random(seed)
    gold = scores(play_greedy_turns(after_turn(seen, turn, rng), evaluator, WHOLE_GAME, rng))
    return gold.pop(seen.player) - max(gold)


def sample_position(seed: int, number: int, sets: Sequence[str]) -> tuple[int, list[Outcome]]:
    """The round of a position, and the outcomes of some good turns there; none if the game ended earlier."""
    rng = Random(f"{seed}/{number}")
    state = State(random_setup(rng, 2, sets=sets))
    hard = HardPlayer(Random(0), Budget(nodes=BEFORE))
    wanted = rng.randint(ROUNDS[0][0], ROUNDS[-1][-1]), rng.randrange(2)
    for _ in drive(state, lambda state: hard.choose(observe(state, state.player)), rng.random):
        if not state.awaiting and turn_of(state)[:2] == wanted and state.builds_left == MANDATORY:
            break
    if state.over:
        return state.round, []
    seen = observe(state, state.player)
    evaluator = hard.evaluator(seen)
    lines = TurnSearch(seen.until_next_draw(), evaluator, Budget(nodes=SEARCH).spend).run(LEADERS)
    chosen = rng.sample(lines, min(TURNS, len(lines)))
    return state.round, outcomes_of(seen, chosen, evaluator, rng)


def coefficients(positions: Sequence[Sequence[Outcome]]) -> list[tuple[float, float]]:
    """How much the lead at the end grows with each of `NAMES`, and the standard errors.

    Only turns of the same position are compared: the means of each position are subtracted.
    """
    rows: list[list[float]] = []
    leads: list[float] = []
    for outcomes in positions:
        centre = [fmean(column) for column in zip(*[each.predictors for each in outcomes], strict=True)]
        middle = fmean(each.lead for each in outcomes)
        rows += [[value - mean for value, mean in zip(each.predictors, centre, strict=True)] for each in outcomes]
        leads += [each.lead - middle for each in outcomes]
    return least_squares(rows, leads, means=len(positions))


def sample_positions(
    seed: int, positions: int, sets: Sequence[str], cores: int | None
) -> list[tuple[int, list[Outcome]]]:
    """The outcomes of good turns in this many positions."""
    with local_workers(cores) as (executor, _):
        futures = [executor.submit(sample_position, seed, number, sets) for number in range(positions)]
        return [future.result() for future in futures]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m kingdom_builder.arena.studies.calibration", description=__doc__)
    parser.add_argument("--positions", type=int, default=1000, metavar="N", help="default 1000")
    parser.add_argument("--all-sets", action="store_true", help="with all expansions")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="default 0")
    parser.add_argument("--cores", type=int, metavar="N", help="default: all")
    options = parser.parse_args(arguments)
    if options.positions < FEWEST_POSITIONS:
        parser.error(f"{options.positions} positions: expected {FEWEST_POSITIONS} or more, of all rounds")
    sets = ALL_SETS if options.all_sets else ("base",)
    found = sample_positions(options.seed, options.positions, sets, options.cores)
    print(f"{options.positions} positions, {'all sets' if options.all_sets else 'base game'}, seed {options.seed}")
    print("By how much the lead at the end grows with each gold, 95 %:")
    for rounds in ROUNDS:
        positions = [outcomes for number, outcomes in found if number in rounds and outcomes]
        found_here = [
            f"{name} {coefficient:+.2f} ± {Z * error:.2f}"
            for name, (coefficient, error) in zip(NAMES, coefficients(positions), strict=True)
        ]
        print(f"  rounds {rounds[0]} to {rounds[-1]}, {len(positions)} positions:  {',  '.join(found_here)}")


if __name__ == "__main__":
    main()
