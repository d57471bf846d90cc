"""Find puzzles in games of our players: turns in which one outcome brings clearly more gold than all others.

`mine` plays games and appends candidates to a file; it can be stopped and started again. `choose` takes a mixture of
them for the package, easiest first. `check` looks at the puzzles of the package again and drops those that new rules
have made false.

python -m kingdom_builder.arena.studies.puzzles --help
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from time import process_time

from kingdom_builder.content import ALL_SETS, BOXES, random_setup
from kingdom_builder.hexes import bits
from kingdom_builder.notation import join_moves, position_of
from kingdom_builder.players import Player, make_player
from kingdom_builder.players import puzzles as shipped
from kingdom_builder.players.budget import Budget
from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.puzzles import FILE, Puzzle, gold_of, has_ended, read, start_of, write
from kingdom_builder.players.turn_search import TurnSearch
from kingdom_builder.rules import DRAWN, END, Action, Observation, Setup, State, drive, observe, turn_of

BASE, *OTHERS = [(key,) for key in ALL_SETS]

MIXES: Sequence[Sequence[str]] = (
    BASE,
    BASE + OTHERS[0],
    BASE,
    BASE + OTHERS[1],
    ALL_SETS,
    BASE,
    BASE + OTHERS[2],
    ALL_SETS,
)
"""The boxes of the games, in turn."""

TABLES = (2, 3, 2, 4, 2, 3, 2, 3, 4, 2, 5)
"""The numbers of players, in turn."""

BOTS = ("greedy", "hard:60n")
FIRST_ROUND = 4
"""Before this round there is little gold to find."""

MARGIN, LAST_MARGIN = 2, 1
"""Gold by which the best turn beats all that bring less; in the last turn of a game each gold counts."""

LEAST_GAIN = 2
"""The least gold that the answer brings."""

COMMON = 0.03
"""The largest share of outcomes that may bring the most gold: above it, the position is not a puzzle."""

FIRST_LOOKS = (150, 1_000)
"""The positions of short searches, so that no time is lost with turns that are no puzzles."""

LONG_TURN = 1_500
"""The positions of the search whose best turn has to be this one too, before the last turn of a game."""

MOST_STATES = 40_000
"""The most states of one turn that are tried; turns with more give no puzzle."""

FINDERS = ("greedy", *(f"hard:{nodes}n" for nodes in (25, 50, 100, 200, 400, 800, 1600)))
"""The players that rate a puzzle, beside the random one; each decides by itself, so that one attempt is enough."""

RANDOM_ATTEMPTS = 24
LUCK = 0.3
"""A puzzle that the random player solves more often is none."""


class GoldEvaluator(Evaluator):
    """Counts the gold of a seat and nothing else."""

    def worth(self, state: State, seat: int) -> float:
        return self.gold(state, seat)

    def expected(self, state: State, seat: int) -> float:
        return self.gold(state, seat)


@dataclass(frozen=True)
class Outcomes:
    """What the turns of a position lead to."""

    best: tuple[Action, ...]
    """The shortest of the turns with the most gold."""
    counts: dict[int, int]
    """The number of different outcomes by gold."""

    @property
    def gold(self) -> int:
        return max(self.counts)

    @property
    def second(self) -> int:
        """The most gold of an outcome that brings less than the best; the same if all bring the same."""
        return max((gold for gold in self.counts if gold < self.gold), default=self.gold)

    def are_clear(self, margin: int, common: float = COMMON) -> bool:
        """Whether few outcomes bring clearly more gold than the others."""
        return self.gold - self.second >= margin and self.counts[self.gold] <= common * sum(self.counts.values())


def all_outcomes(start: State, most: int = MOST_STATES) -> Outcomes | None:
    """The outcomes of all turns; None if there are too many states, or if a card may be drawn within the turn."""
    seat = start.player
    evaluator = Evaluator(start.setup)
    known: set[object] = set()
    counts: Counter[int] = Counter()
    best: dict[int, tuple[Action, ...]] = {}
    lines: list[tuple[tuple[Action, ...], State]] = [((), start)]
    while lines:  # by length, so that the first turn with so much gold is a shortest one
        longer = []
        for actions, state in lines:
            for action in bits(state.legal()):
                after = state.copy()
                after.apply(action)
                if has_ended(start, after):
                    gold = round(evaluator.gold(after, seat))
                    counts[gold] += 1
                    best.setdefault(gold, (*actions, action))
                    continue
                if after.awaiting:
                    return None
                key = _identity(after)
                if key not in known:
                    known.add(key)
                    longer.append(((*actions, action), after))
            if len(known) > most:
                return None
        lines = longer
    return Outcomes(best[max(counts)], counts)


def _identity(state: State) -> object:
    """What two states of one turn differ in."""
    return (
        *state.own,
        *state.held,
        *state.taken,
        state.free,
        state.builds_left,
        state.ready,
        state.just_taken,
        state.acting,
        state.source,
        state.steps,
        state.card,
        state.adjacency_lifted,
        *state.memory.items(),
    )


def found_outcomes(start: State, evaluator: Evaluator, positions: int) -> Outcomes | None:
    """The outcomes of the turns that a search finds; None if a card may be drawn within the turn."""
    search = TurnSearch(start, evaluator, Budget(nodes=positions).spend)
    search.run(1)
    ends: dict[object, tuple[int, tuple[Action, ...]]] = {}
    for line in search.found:
        if line.is_over(start.player) and not has_ended(start, line.state):
            return None
        actions = tuple(line.moves(start.player))
        state = line.state
        if not has_ended(start, state):
            state = state.copy()
            state.apply(END)
        key = (*state.own, state.free, *state.memory.items())
        if key not in ends or len(actions) < len(ends[key][1]):
            ends[key] = round(evaluator.gold(state, start.player)), actions
    counts = Counter(gold for gold, _ in ends.values())
    best = min((actions for gold, actions in ends.values() if gold == max(counts)), key=len)
    return Outcomes(best, counts)


def is_last_turn(start: State, actions: Sequence[Action]) -> bool:
    """Whether the seat has no further turn after this one."""
    state = start.copy()
    for action in actions:
        state.apply(action)
    return state.ending


def turn_starts(game: int, seed: str) -> Iterator[Observation]:
    """The turns of a game between our players, as the seats saw them when they began."""
    rng = Random(f"puzzles {seed}/{game}")
    players = TABLES[game % len(TABLES)]
    state = State(random_setup(rng, players, sets=MIXES[game % len(MIXES)]))
    bots = [make_player(BOTS[(game + seat) % len(BOTS)], f"{seed}/{game}/{seat}") for seat in range(players)]
    turn = None
    for _ in drive(state, lambda state: bots[state.player].choose(observe(state, state.player)), rng.random):
        if not state.awaiting and not state.over and turn_of(state) != turn:
            turn = turn_of(state)
            if not turn.is_finale and turn.round >= FIRST_ROUND:
                yield observe(state, state.player)


def puzzle_of(seen: Observation) -> Puzzle | None:
    """The puzzle of a position; None if it is none.

    Boards with stand-ins give no puzzles: a server may know the printed sections, on which the answer would be false.
    """
    start = seen.until_next_draw()
    if start.setup.board.stand_ins:
        return None
    evaluator = GoldEvaluator(start.setup)
    margin = LAST_MARGIN if start.ending else MARGIN
    for positions in FIRST_LOOKS:
        outcomes = found_outcomes(start, evaluator, positions)
        if outcomes is None or not outcomes.are_clear(margin, 3 * COMMON):
            return None
    outcomes = all_outcomes(start)
    if outcomes is None:
        return None
    last = is_last_turn(start, outcomes.best)
    if outcomes.gold - evaluator.gold(start, start.player) < LEAST_GAIN:
        return None
    if not outcomes.are_clear(LAST_MARGIN if last else margin):
        return None
    if not last:
        wise = TurnSearch(start, Evaluator(start.setup), Budget(nodes=LONG_TURN).spend).run()[0]
        if evaluator.gold(wise.state, start.player) < outcomes.gold:
            return None  # more gold now, but a worse turn in the long run
    turn = tuple(join_moves(start, outcomes.best))
    puzzle = Puzzle(
        position_of(seen),
        turn,
        outcomes.gold,
        outcomes.second,
        0,
        start.setup.players,
        boxes_of(start.setup),
        last,
    )
    failures = rate(puzzle)
    return None if failures is None else replace(puzzle, rating=failures)


def boxes_of(setup: Setup) -> tuple[str, ...]:
    """The boxes that the sections, cards and tasks of a setup come from."""
    keys = {component.key for component in (*setup.cards, *setup.tasks)}
    used = {place.section.expansion for place in setup.board.placed}
    used |= {key for key, box in BOXES.items() if keys & {card.key for card in (*box.cards, *box.tasks)}}
    return tuple(key for key in BOXES if key in used)


def rate(puzzle: Puzzle) -> int | None:
    """The share of attempts that do not find as much gold, in percent; None if luck is enough.

    The random player counts as one attempt of a share, the others find it or not.
    """
    found = [
        sum(_finds(make_player("random", f"{puzzle.key}/{seed}"), puzzle) for seed in range(RANDOM_ATTEMPTS))
        / RANDOM_ATTEMPTS
    ]
    if found[0] > LUCK:
        return None
    found += [_finds(make_player(name, puzzle.key), puzzle) for name in FINDERS]
    return round(100 * (1 - sum(found) / len(found)))


def _finds(player: Player, puzzle: Puzzle) -> bool:
    """Whether a player finds a turn with as much gold."""
    start = start_of(puzzle.position)
    state = start.copy()
    while not has_ended(start, state) and not state.awaiting:
        state.apply(player.choose(Observation.of(state)))
    return gold_of(state, start.player) >= puzzle.gold


# ---- commands --------------------------------------------------------------------------------------------------------


def mine(file: Path, first: int, games: int, seed: str, seconds: float) -> None:
    """Append the puzzles of some games to a file, until so much CPU time is used."""
    lines = read(file.read_text("utf-8")) if file.exists() else []
    if not lines:
        file.write_text(write([]), "utf-8")
    for game in range(first, first + games):
        if process_time() > seconds:
            print(f"Time is up before game {game}")
            return
        new = [puzzle for puzzle in map(puzzle_of, turn_starts(game, seed)) if puzzle is not None]
        with file.open("a", encoding="utf-8") as out:
            out.write(write(new).partition("\n")[2])


def choose(candidates: Sequence[Puzzle], count: int, most_bytes: int) -> list[Puzzle]:
    """A mixture of candidates, easiest first: all ratings, boxes and numbers of players, short positions first."""
    groups: dict[object, list[Puzzle]] = {}
    for each in sorted(dict.fromkeys(candidates), key=lambda each: (len(each.position), each.key)):
        groups.setdefault((each.rating // 10, each.sets == ("base",), each.players, each.last), []).append(each)
    chosen: list[Puzzle] = []
    size = 0
    while len(chosen) < count and any(groups.values()):
        for group in groups.values():
            if not group or len(chosen) == count:
                continue
            size += len(write([group[0]]).encode())
            if size > most_bytes:
                return sorted(chosen, key=lambda each: (each.rating, each.key))
            chosen.append(group.pop(0))
    return sorted(chosen, key=lambda each: (each.rating, each.key))


def is_still_true(puzzle: Puzzle) -> bool:
    """Whether a puzzle still reads, and its turn still brings its gold, under the present rules."""
    try:
        start = puzzle.start()
        line = puzzle.solution()
    except ValueError:
        return False
    if not has_ended(start, line.state) or any(action in DRAWN for action in line.actions):
        return False
    outcomes = all_outcomes(start)
    return outcomes is not None and (outcomes.gold, outcomes.second) == (puzzle.gold, puzzle.second)


def main() -> None:
    parser = argparse.ArgumentParser(description="Find puzzles in games of our players.")
    commands = parser.add_subparsers(dest="command", required=True)
    mining = commands.add_parser("mine", help="play games and append their puzzles to a file")
    mining.add_argument("file", type=Path)
    mining.add_argument("--first", type=int, default=0, help="the number of the first game")
    mining.add_argument("--games", type=int, default=1000)
    mining.add_argument("--seed", default="1")
    mining.add_argument("--minutes", type=float, default=20.0, help="the most CPU time (default 20)")
    choosing = commands.add_parser("choose", help="take a mixture of the puzzles of some files for the package")
    choosing.add_argument("files", type=Path, nargs="+")
    choosing.add_argument("--count", type=int, default=240)
    choosing.add_argument("--bytes", type=int, default=150_000)
    commands.add_parser("check", help="drop the puzzles of the package that are not true any more")
    arguments = parser.parse_args()
    package = Path(shipped.__file__).with_name(FILE)
    if arguments.command == "mine":
        mine(arguments.file, arguments.first, arguments.games, arguments.seed, 60 * arguments.minutes)
        return
    if arguments.command == "choose":
        found = [each for file in arguments.files for each in read(file.read_text("utf-8"))]
        chosen = choose(found, arguments.count, arguments.bytes)
    else:
        found = read(package.read_text("utf-8"))
        chosen = [each for each in found if is_still_true(each)]
    package.write_text(write(chosen), "utf-8")
    print(f"{len(chosen)} of {len(found)} puzzles")


if __name__ == "__main__":
    main()
