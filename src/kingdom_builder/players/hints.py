"""Hints: a few good moves, their worth, and why they are good."""

from dataclasses import dataclass
from time import thread_time

from kingdom_builder.board.terrain import CARDS, Terrain, terrain_name
from kingdom_builder.hexes import bits
from kingdom_builder.message import Listed, Message
from kingdom_builder.notation import join_moves
from kingdom_builder.players.budget import Budget, Limit
from kingdom_builder.players.cores import FoundTurn, search_of
from kingdom_builder.players.evaluation import Evaluator
from kingdom_builder.rules import Observation, State, scores

POSITIONS = 800
"""Positions to evaluate for a hint."""

SECONDS = 0.4
"""CPU time that a hint may take. On printed boards half of it is enough for all `POSITIONS`: the limit is for maps with
hundreds of tiles."""

MOST_REASONS = 3

UNFORESEEN, UNFORESEEN_EARLY = 0.38, 0.009
"""Gold that each settlement to come gains beyond the evaluation, whose weights are made to compare turns: the first
number, and the second one as often as there are settlements to come.

With them the mean is right within 3 gold in all rounds of games of two, with all sets too; in games of four with all
sets it is up to 4 too high.
"""


@dataclass(frozen=True)
class Hint:
    """A good move for the current seat."""

    move: str
    """The next move in notation, such as `k7` or `paddock:k7-m7`."""
    turn: tuple[str, ...]
    """That move and the moves that should follow it in this turn."""
    gold: float
    """The gold that the seat can expect at the end of the game."""
    reasons: tuple[Message, ...]
    """What the turn is good for, most important first; each is a part of a sentence."""

    def __str__(self) -> str:
        return f"{' '.join(self.turn)}: about {self.gold:g} gold; {'; '.join(map(str, self.reasons))}"


def find_hints(observation: Observation, count: int = 3) -> list[Hint]:
    """The best moves found for the current seat, best first; none if nobody has to move."""
    state = observation.until_next_draw()
    if state.awaiting or not state.legal():
        return []
    evaluator = Evaluator(state.setup)
    found: list[Hint] = []
    until = thread_time() + SECONDS
    searching = Limit(Budget(nodes=POSITIONS), until=until, clock=thread_time)
    for line in search_of(state, evaluator, searching, Limit(until=until, clock=thread_time)).run():
        turn = tuple(join_moves(state, line.moves(state.player)))
        if turn[0] in [known.move for known in found]:
            continue
        gold = _expected_gold(evaluator, line.state, state.player)
        found.append(Hint(turn[0], turn, gold, tuple(reasons(state, line))))
        if len(found) == count:
            break
    return found


def forecast(state: State) -> list[float]:
    """The gold that each seat can expect at the end of the game; once the game is over, the gold that it has."""
    if state.over:
        return [float(gold) for gold in scores(state)]
    evaluator = Evaluator(state.setup)
    return [_expected_gold(evaluator, state, seat) for seat in range(state.setup.players)]


def _expected_gold(evaluator: Evaluator, state: State, seat: int) -> float:
    """The gold that a seat gets at the end on average."""
    builds, _, _ = evaluator.features(state, seat)
    unforeseen = (UNFORESEEN + UNFORESEEN_EARLY * builds) * builds
    return round(evaluator.expected(state, seat) + unforeseen, 1)


def reasons(start: State, line: FoundTurn) -> list[Message]:
    """What a turn is good for, most important first."""
    seat, after, setup = start.player, line.state, start.setup
    taken = dict.fromkeys(setup.actions[setup.tile_kind[tile]] for tile in bits(after.taken[seat] & ~start.taken[seat]))
    found = [Message("reaches the {tile}", tile=tile) for tile in taken]
    gains = [(card.score(after, seat)[0] - card.score(start, seat)[0], card) for card in setup.scoring]
    found += [
        Message("+{n} gold from {card}", n=gain, card=card)
        for gain, card in sorted(gains, key=lambda gain: -gain[0])
        if gain > 0
    ]
    if after.ending or after.over:
        return found[:MOST_REASONS] or [Message("no turn found brings more gold")]
    free = Listed.of(map(terrain_name, free_of_contact(after, seat)))
    if free.items:
        found.append(Message("keeps {terrains} free of contact", terrains=free))
    return found[:MOST_REASONS] or [Message("keeps the way open for later turns")]


def free_of_contact(state: State, seat: int) -> list[Terrain]:
    """The terrains that no piece of a seat touches, so that their cards let it build anywhere on them."""
    lands = {letter: state.setup.terrain[letter] & state.free for letter in CARDS}
    return [letter for letter, land in lands.items() if land and not land & state.near[seat]]
