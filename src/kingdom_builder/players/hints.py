"""Hints: a few good moves, what they are worth, and why."""

from dataclasses import dataclass
from time import thread_time

from kingdom_builder.board.terrain import CARDS, NAMES
from kingdom_builder.notation import join_moves
from kingdom_builder.players.budget import Budget
from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.players.turn_search import Line, TurnSearch
from kingdom_builder.rules import Observation, State, scores

POSITIONS = 800
"""Positions that are judged for a hint."""

SECONDS = 0.4
"""Time of the processor that a hint may take. On printed boards half of that is enough for all `POSITIONS`: this is for
maps with hundreds of tiles."""

MOST_REASONS = 3

UNFORESEEN = 0.35
"""Gold that each settlement to come brings beyond what players count on, whose weights are made to compare turns.

So the mean is right within 3 gold in all rounds of games of two; in those of four with all sets it is up to 6 too high.
"""


@dataclass(frozen=True)
class Suggestion:
    """A good move for the seat in turn."""

    move: str
    """The next move as notation has it, such as `k7` or `paddock:k7-m7`."""
    turn: tuple[str, ...]
    """That move and those that should follow it in this turn."""
    gold: float
    """The gold that the seat may expect at the end of the game."""
    reason: str
    """What the turn is good for, in words."""

    def __str__(self) -> str:
        return f"{' '.join(self.turn)}: about {self.gold:g} gold; {self.reason}"


def suggest(observation: Observation, count: int = 3) -> list[Suggestion]:
    """The best moves found for the seat in turn, best first; none if nobody has to move."""
    state = observation.until_next_draw()
    if state.awaiting or not state.legal():
        return []
    evaluator = Evaluator(state.setup)
    suggestions: list[Suggestion] = []
    budget = Budget(nodes=POSITIONS)
    until = thread_time() + SECONDS

    def spend(positions: int = 0) -> bool:
        return budget.spend(positions) and thread_time() < until

    for line in TurnSearch(state, evaluator, spend).run(spend=lambda: thread_time() < until):
        turn = tuple(join_moves(state, line.moves(state.player)))
        if turn[0] in [known.move for known in suggestions]:
            continue
        gold = _foretold(evaluator, line.state, state.player)
        suggestions.append(Suggestion(turn[0], turn, gold, "; ".join(reasons(state, line))))
        if len(suggestions) == count:
            break
    return suggestions


def expected_gold(state: State) -> list[float]:
    """The gold that each seat may expect at the end of the game: what it has, once the game is over."""
    if state.over:
        return [float(gold) for gold in scores(state)]
    evaluator = Evaluator(state.setup)
    return [_foretold(evaluator, state, seat) for seat in range(state.setup.players)]


def _foretold(evaluator: Evaluator, state: State, seat: int) -> float:
    """The gold that a seat may expect at the end, as it comes on average."""
    builds, _, _ = evaluator.features(state, seat)
    return round(evaluator.expected(state, seat) + UNFORESEEN * builds, 1)


def reasons(start: State, line: Line) -> list[str]:
    """What a turn is good for, the most important first."""
    seat, after, setup = start.player, line.state, start.setup
    taken = after.taken[seat] & ~start.taken[seat]
    names = dict.fromkeys(
        setup.actions[setup.tile_kind[tile]].name for tile in range(taken.bit_length()) if taken >> tile & 1
    )
    found = [f"reaches the {name}" for name in names]
    gains = [(card.score(after, seat)[0] - card.score(start, seat)[0], card.name) for card in setup.scoring]
    found += [f"+{gain} gold by {name}" for gain, name in sorted(gains, key=lambda gain: -gain[0]) if gain > 0]
    free = free_of_contact(after, seat)
    if free:
        found.append(f"keeps {_listed(free)} free of contact")
    return found[:MOST_REASONS] or ["keeps the way open for later turns"]


def free_of_contact(state: State, seat: int) -> list[str]:
    """The terrains that no piece of a seat touches, so that their cards let it build anywhere on them."""
    lands = {letter: state.setup.terrain[letter] & state.free for letter in CARDS}
    return [NAMES[letter] for letter, land in lands.items() if land and not land & state.near[seat]]


def _listed(words: list[str]) -> str:
    return " and ".join([*([", ".join(words[:-1])] if words[1:] else []), words[-1]])
